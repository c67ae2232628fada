"""More than two groups: whether they differ, by how much, and what chance alone does."""
