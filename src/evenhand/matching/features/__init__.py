"""Features of people and positions: what a match score is made of."""
