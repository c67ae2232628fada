"""The tables of a run for spreadsheets and other programs."""
