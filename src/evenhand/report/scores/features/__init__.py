"""The page of a table of features."""
