"""A readable match score of people and positions."""
