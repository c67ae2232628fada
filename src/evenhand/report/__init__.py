"""Findings → one HTML file, CSV and a workbook. Prints numbers, never computes statistics.

Names are imported when they are used: a run without a report needs no templates.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evenhand.report.files.drawn import write_files
    from evenhand.report.files.findings import findings_frame, write_findings_csv
    from evenhand.report.files.tables import write_tables_csv
    from evenhand.report.files.workbook import write_workbook
    from evenhand.report.html import render_report, write_report
    from evenhand.report.local_law_144 import write_ll144_page
    from evenhand.report.page.glance import glance_html

__all__ = [
    "findings_frame",
    "glance_html",
    "render_report",
    "write_files",
    "write_findings_csv",
    "write_ll144_page",
    "write_report",
    "write_tables_csv",
    "write_workbook",
]

_PLACES = {
    "findings_frame": "files.findings",
    "glance_html": "page.glance",
    "render_report": "html",
    "write_files": "files.drawn",
    "write_findings_csv": "files.findings",
    "write_ll144_page": "local_law_144",
    "write_report": "html",
    "write_tables_csv": "files.tables",
    "write_workbook": "files.workbook",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name in _PLACES:
        from importlib import import_module

        return getattr(import_module(f"evenhand.report.{_PLACES[name]}"), name)
    message = f"module 'evenhand.report' has no attribute {name!r}"
    raise AttributeError(message)
