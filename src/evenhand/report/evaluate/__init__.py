"""The page of an evaluation of scores."""
