"""First names chosen from a table of how often they are borne."""
