"""The protocols that servers are asked in, and how their answers are read."""
