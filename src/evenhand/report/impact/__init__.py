"""The page of an adverse impact analysis."""
