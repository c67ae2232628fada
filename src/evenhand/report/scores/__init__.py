"""The chapter of scores."""
