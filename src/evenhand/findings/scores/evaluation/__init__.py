"""Scores beside what happened: how well they serve each group."""
