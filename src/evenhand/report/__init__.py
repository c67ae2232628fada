"""Findings → one HTML file and a CSV. Prints numbers, never computes statistics."""

from evenhand.report.findings_csv import write_findings_csv
from evenhand.report.html import render_report, write_report

__all__ = ["render_report", "write_findings_csv", "write_report"]
