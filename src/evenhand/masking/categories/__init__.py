"""Recognisers of masking, one module per category."""
