"""The tables of a run as one workbook, for people who work in spreadsheets."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Any, Final

import polars as pl
from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from evenhand.report.files.findings import findings_frame
from evenhand.report.page.document import read_document
from evenhand.report.words.numbers import count_text
from evenhand.tables.audit.kinds import Audit
from evenhand.tables.files import write_file

__all__ = ["write_workbook"]

#: Rows that a sheet has; the CSV beside the workbook has all.
MOST_ROWS: Final = 2_000
#: What a cell can hold.
LONGEST_TEXT: Final = 32_767
WIDEST: Final = 48
#: The same run gives the same bytes: time of making is in the manifest, not here.
MADE: Final = datetime(2000, 1, 1)  # noqa: DTZ001 - a workbook's times have no zone
HEADLINE: Final = (
    *("probe", "measure", "slice", "focal", "reference", "estimate", "low", "high", "unit", "n", "p", "p_adjusted"),
    *("mark", "verdict", "reason"),
)
_FORMATS: Final = {"share": "0.0%", "p": '[<0.0001]"< 0.0001";0.0000', "count": "#,##0", "number": "0.000", "any": ""}


def write_workbook(
    run_folder: Path, tables: Mapping[str, pl.DataFrame] | None = None, *, sources: Iterable[tuple[str, str]] = ()
) -> Path:
    """Write <run_folder>/tables.xlsx and return its path.

    A sheet for each of the `tables` that has rows, after one of the planned findings; then all findings, then notes:
    what was asked, what can't be told, and the `sources`, a name and a citation each. A cell never runs as a formula:
    all text is written as text.
    """
    content = read_document(run_folder)
    planned = findings_frame([row for row in content.findings if row.role == "planned"])
    sheets = {"Headline": planned.select(HEADLINE), **(tables or {}), "Findings": findings_frame(content.findings)}
    sheets = {name: frame for name, frame in sheets.items() if frame.height}
    cut = [
        f"The sheet {name} has the first {count_text(MOST_ROWS)} of {count_text(frame.height)} rows; the CSV has all."
        for name, frame in sheets.items()
        if frame.height > MOST_ROWS
    ]
    file = BytesIO()
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "in_memory": True}
    with Workbook(file, plain) as workbook:
        workbook.set_properties({"title": content.audit.title, "created": MADE})
        formats = {
            kind: workbook.add_format({"num_format": shown} if shown else {}) for kind, shown in _FORMATS.items()
        }
        head = workbook.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        for name, frame in sheets.items():
            _write_table(workbook.add_worksheet(name), frame.head(MOST_ROWS), formats, head)
        wrapped = workbook.add_format({"text_wrap": True, "valign": "top"})
        _write_notes(workbook.add_worksheet("Notes"), [*_notes(content.audit, cut), *sources], head, wrapped)
    path = run_folder / "tables.xlsx"
    write_file(path, file.getvalue())
    return path


def _write_table(sheet: Worksheet, frame: pl.DataFrame, formats: Mapping[str, Format], head: Format) -> None:
    """Write a table; columns in which nothing stands are left out."""
    columns = [(column, column.to_list()) for column in frame]
    filled = [(column, values) for column, values in columns if any(each not in {None, ""} for each in values)]
    for place, (column, values) in enumerate(filled):
        shown = formats[_kind(column)]
        sheet.set_column(place, place, _width(column.name, values), shown)
        sheet.write_string(0, place, column.name, head)
        for row, value in enumerate(values, 1):
            _write_cell(sheet, row, place, value, shown)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, frame.height, len(filled) - 1)


def _write_cell(sheet: Worksheet, row: int, place: int, value: Any, shown: Format) -> None:
    """Write a value as what it is; nothing for what is unknown."""
    if value is None or value == "":
        return
    if isinstance(value, bool):
        sheet.write_boolean(row, place, value)
    elif isinstance(value, int | float) and isfinite(value):
        sheet.write_number(row, place, value, shown)
    else:
        sheet.write_string(row, place, str(value)[:LONGEST_TEXT])


def _kind(column: pl.Series) -> str:
    """Return how a column's numbers are shown, by its name and type."""
    name = column.name
    if name == "p" or name.startswith("p_"):
        return "p"
    if name in {"rate", "share"} or name.startswith("rate_"):
        return "share"
    if column.dtype.is_integer():
        return "count"
    return "number" if column.dtype.is_float() and name not in {"cutoff", "confidence", "null_value"} else "any"


def _width(name: str, values: Sequence[Any]) -> float:
    """Return a width in which the heading and the first texts can be read."""
    texts = [len(value) for value in values[:200] if isinstance(value, str)]
    return min(max([10, len(name) + 3, *texts]), WIDEST)


def _notes(audit: Audit, cut: Sequence[str]) -> list[tuple[str, str]]:
    """Return what a reader of the tables alone should know, a heading and a text each."""
    rows = [
        ("Run", " · ".join(filter(None, (audit.title, audit.model)))),
        ("Question", audit.question or ""),
        ("Simulated", audit.simulated_note or "" if audit.simulated else ""),
        *(("Warning", line) for line in audit.warnings),
        ("Numbers", "Cells hold all decimals and show a few. An empty cell is unknown; its row says why under reason."),
        *(("Rows", line) for line in cut),
        *(("Limit", line) for line in audit.limits),
        ("Columns", "See docs/files.md (findings) and docs/impact.md (impact, pooled)."),
        ("Made by", audit.reproduce),
    ]
    return [(name, text) for name, text in rows if text]


def _write_notes(sheet: Worksheet, notes: Sequence[tuple[str, str]], head: Format, wrapped: Format) -> None:
    sheet.set_column(0, 0, 24, wrapped)
    sheet.set_column(1, 1, 110, wrapped)
    for place, heading in enumerate(("note", "text")):
        sheet.write_string(0, place, heading, head)
    for row, note in enumerate(notes, 1):
        for place, text in enumerate(note):
            sheet.write_string(row, place, text[:LONGEST_TEXT], wrapped)
    sheet.freeze_panes(1, 0)
