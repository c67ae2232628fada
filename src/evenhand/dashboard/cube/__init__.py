"""Counts of people that may be shown: one fixed set of tables, small counts withheld."""
