"""The chapters of a probe: its measures, their parts, several models side by side."""
