"""Scores instead of decisions: differences of means, of all and within sets."""
