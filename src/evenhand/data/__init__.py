"""Opens files and databases that users bring, and counts what they hold."""
