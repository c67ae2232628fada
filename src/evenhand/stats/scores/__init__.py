"""Scores instead of decisions: differences of means, of all, within sets and of pairs, and equivalence."""
