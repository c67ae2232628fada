"""What is counted in the engine, and what becomes of it."""
