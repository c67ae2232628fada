"""Alarms: rules over daily values, what rings under them, and who is told."""
