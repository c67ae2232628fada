"""Asking a model what a run lacks: by requests or batches, within a budget, until an interval is narrow enough."""
