"""Opens the files that users bring."""
