"""Findings about documents: their length and their words."""
