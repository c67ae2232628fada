"""GRADYEAR: years and dates of study."""
