"""Models and scorers, and asking them."""
