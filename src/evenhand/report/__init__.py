"""Findings → one HTML file and a CSV. Prints numbers, never computes statistics.

Names are imported when they are used: a run without a report needs no templates.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evenhand.report.findings_csv import write_findings_csv
    from evenhand.report.html import render_report, write_report
    from evenhand.report.local_law_144 import write_ll144_page
    from evenhand.report.tables_csv import write_tables_csv

__all__ = [
    "render_report",
    "write_findings_csv",
    "write_ll144_page",
    "write_report",
    "write_tables_csv",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name == "write_findings_csv":
        from evenhand.report.findings_csv import write_findings_csv

        return write_findings_csv
    if name == "write_tables_csv":
        from evenhand.report.tables_csv import write_tables_csv

        return write_tables_csv
    if name == "write_ll144_page":
        from evenhand.report.local_law_144 import write_ll144_page

        return write_ll144_page
    if name in {"render_report", "write_report"}:
        from evenhand.report import html

        return getattr(html, name)
    message = f"module 'evenhand.report' has no attribute {name!r}"
    raise AttributeError(message)
