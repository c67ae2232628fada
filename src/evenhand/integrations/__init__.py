"""Runs and probes in the formats of other packages."""
