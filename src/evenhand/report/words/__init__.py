"""Numbers, labels and intervals in words."""
