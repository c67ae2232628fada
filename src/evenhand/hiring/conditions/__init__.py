"""Which rows are counted, as a condition in SQL."""
