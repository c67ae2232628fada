"""What was recorded, day by day, in one database."""
