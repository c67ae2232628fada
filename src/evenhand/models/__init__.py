"""Models and scorers, and the collection of their answers."""
