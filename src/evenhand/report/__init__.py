"""Findings as HTML, CSV, workbooks and terminal text: prints numbers, never computes statistics."""
