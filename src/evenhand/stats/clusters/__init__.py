"""Observations that share names, roles or items: variances, intervals, resampling."""
