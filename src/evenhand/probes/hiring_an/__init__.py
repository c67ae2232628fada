"""HiringAn: whether a named candidate is accepted or rejected."""
