"""A table of features, column by column: distributions, and counts by protected group."""
