"""What commands are asked that score, or have scored, people for positions."""
