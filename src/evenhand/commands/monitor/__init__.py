"""`evenhand monitor`: what is recorded of models over time."""
