"""Tables of names, occupations and rules, each with its source."""
