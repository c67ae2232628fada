"""Tables of names and occupations with their sources; text folding."""
