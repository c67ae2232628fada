"""A synthetic company: people, positions, who applied where, who was selected, and what is true of all that."""
