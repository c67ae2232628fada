"""Pages that are asked for while they are looked at."""
