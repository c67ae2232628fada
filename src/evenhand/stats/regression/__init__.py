"""Logistic regressions on counts, with fixed, clustered and random effects."""
