"""How a score is read from what a model wrote."""
