"""What analyses of tables of people show besides single numbers."""
