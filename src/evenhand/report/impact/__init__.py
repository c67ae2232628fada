"""The chapters of an analysis of applicants."""
