"""Findings and service measures over time: what is kept of them, and what is told of it."""
