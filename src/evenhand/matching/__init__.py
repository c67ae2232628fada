"""A match score of people and positions that can be read."""
