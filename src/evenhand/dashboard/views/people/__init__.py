"""Pages that show single people, each read of which is logged."""
