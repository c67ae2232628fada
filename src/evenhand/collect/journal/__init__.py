"""The append-only record of a run: its lines, their ids, its lock."""
