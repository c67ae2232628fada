"""Pages that are computed when they are opened."""
