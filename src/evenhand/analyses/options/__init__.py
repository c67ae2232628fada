"""Options of commands, each declared once."""
