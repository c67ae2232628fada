"""Opens the files and databases of users, and counts their rows."""
