"""Runs as evidence that an outside auditor can check."""
