"""Requests under way: how many, how fast, again or not, and when to stop."""
