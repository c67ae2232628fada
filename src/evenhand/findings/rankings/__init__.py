"""Findings about choices of one candidate out of several."""
