"""What is held fixed while groups are compared."""
