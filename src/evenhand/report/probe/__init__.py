"""The page of a probe."""
