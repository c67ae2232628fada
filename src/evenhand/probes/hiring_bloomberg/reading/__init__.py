"""How a ranking is read from what a model wrote."""
