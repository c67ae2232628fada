"""Findings → one HTML file, CSV and a workbook. Prints numbers, never computes statistics.

Names are imported when they are used: a run without a report needs no templates.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evenhand.report.files import findings_frame, write_files, write_findings_csv, write_tables_csv, write_workbook
    from evenhand.report.local_law_144 import write_ll144_page
    from evenhand.report.page.html import render_report, summary_html, write_report

__all__ = [
    "findings_frame",
    "render_report",
    "summary_html",
    "write_files",
    "write_findings_csv",
    "write_ll144_page",
    "write_report",
    "write_tables_csv",
    "write_workbook",
]

_PLACES = {
    "findings_frame": "files",
    "summary_html": "page.html",
    "render_report": "page.html",
    "write_files": "files",
    "write_findings_csv": "files",
    "write_ll144_page": "local_law_144",
    "write_report": "page.html",
    "write_tables_csv": "files",
    "write_workbook": "files",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name in _PLACES:
        from importlib import import_module

        return getattr(import_module(f"evenhand.report.{_PLACES[name]}"), name)
    message = f"module 'evenhand.report' has no attribute {name!r}"
    raise AttributeError(message)
