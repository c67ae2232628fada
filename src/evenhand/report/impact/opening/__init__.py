"""The first screen of an analysis of applicants."""
