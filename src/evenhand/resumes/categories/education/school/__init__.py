"""SCHOOL: names of universities, colleges and schools."""
