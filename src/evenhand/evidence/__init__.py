"""Runs as evidence for outside auditors: one file whose bytes follow from what it holds, hashed and signed."""
