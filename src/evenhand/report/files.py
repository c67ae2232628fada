"""Files of a finished run: its page, findings.csv, tables.xlsx, and those that its kind has besides."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from io import BytesIO
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import polars as pl
from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from evenhand.report.page.contents import page_of
from evenhand.report.page.html import report_page
from evenhand.report.words.numbers import count_text
from evenhand.results.audit import Header
from evenhand.results.files import write_file
from evenhand.results.finding import Finding, Test
from evenhand.results.kinds import loaded, run_kind
from evenhand.results.result import REPORT, Result, csv_bytes, read_csv

_TEXT, _NUMBER, _COUNT = pl.String(), pl.Float64(), pl.Int64()
#: Columns of findings.csv that a claim has.
CLAIM_COLUMNS: Final[Mapping[str, pl.DataType]] = {
    "test": _TEXT,
    **dict.fromkeys(("statistic", "df", "p"), _NUMBER),
    "family": _TEXT,
    "family_size": _COUNT,
    "correction": _TEXT,
    "p_adjusted": _NUMBER,
    "verdict": _TEXT,
    "equivalent": pl.Boolean(),
}
FINDING_COLUMNS: Final[Mapping[str, pl.DataType]] = {
    **dict.fromkeys(("probe", "name", "measure", "slice", "focal", "reference", "role"), _TEXT),
    **dict.fromkeys(("estimate", "low", "high", "confidence"), _NUMBER),
    "unit": _TEXT,
    "null_value": _NUMBER,
    "n": _COUNT,
    **dict.fromkeys(("clusters", "method"), _TEXT),
    **CLAIM_COLUMNS,
    **dict.fromkeys(("mark", "marks_touched", "reason"), _TEXT),
}


#: Columns that a reader of a frame needs first.
_FIRST: Final = (
    *("name", "focal", "reference", "slice", "estimate", "low", "high", "unit", "n", "p", "p_adjusted", "verdict"),
)


def readable_frame(findings: Sequence[Finding]) -> pl.DataFrame:
    """Return findings as a table with the columns of findings.csv: groups, estimate, interval, p and verdict first."""
    return findings_frame(findings).select(*_FIRST, pl.exclude(*_FIRST))


def findings_frame(findings: Sequence[Finding]) -> pl.DataFrame:
    """Return findings as a table, one row each: the columns of findings.csv.

    From `test` to `equivalent` a row has its claim, of what claims nothing the first test; what is unknown is an empty
    cell.
    """
    cells = [_cells(finding) for finding in findings]
    return pl.DataFrame([[row[name] for name in FINDING_COLUMNS] for row in cells], FINDING_COLUMNS, orient="row")


def _cells(finding: Finding) -> dict[str, Any]:
    claim = finding.claim or next(iter(finding.tests), None)
    cells = {name: getattr(finding, name, None) for name in FINDING_COLUMNS}
    cells |= {name: getattr(claim, name, None) for name in CLAIM_COLUMNS}
    if isinstance(claim, Test):
        cells["test"] = claim.name
    return cells | {
        "slice": _labels(finding.slice),
        "focal": _labels(finding.focal),
        "reference": _labels(finding.reference),
        "unit": finding.measured_in,
        "clusters": _labels(finding.clusters),
        "marks_touched": "".join(finding.marks_touched),
    }


def _labels(labels: Mapping[str, object]) -> str:
    return "; ".join(f"{key}={value}" for key, value in labels.items())


#: Rows of a sheet; the CSV has all.
MOST_ROWS: Final = 2_000
#: Characters that a cell can hold.
LONGEST_TEXT: Final = 32_767
WIDEST: Final = 48
#: The same run gives the same bytes: time of making is in the manifest, not here.
WORKBOOK_CREATED: Final = datetime(2000, 1, 1)  # noqa: DTZ001 - a workbook's times have no zone
HEADLINE: Final = (
    *("probe", "measure", "slice", "focal", "reference", "estimate", "low", "high", "unit", "n", "p", "p_adjusted"),
    *("mark", "verdict", "reason"),
)
_FORMATS: Final = {"share": "0.0%", "p": '[<0.0001]"< 0.0001";0.0000', "count": "#,##0", "number": "0.000", "any": ""}


def workbook(
    content: Result[Any, Any],
    tables: Mapping[str, pl.DataFrame] | None = None,
    *,
    sources: Iterable[tuple[str, str]] = (),
) -> bytes:
    """Return tables.xlsx of a run.

    A sheet for each of the `tables` that has rows, after one of the planned findings; then all findings, then notes:
    the question, the limits, and the `sources`, a name and a citation each. A cell never runs as a formula: all text
    is written as text.
    """
    findings = findings_frame(content.findings)
    planned = findings.filter([row.role == "planned" for row in content.findings])
    sheets = {"Headline": planned.select(HEADLINE), **(tables or {}), "Findings": findings}
    sheets = {name: frame for name, frame in sheets.items() if frame.height}
    cut = [
        f"The sheet {name} has the first {count_text(MOST_ROWS)} of {count_text(frame.height)} rows; the CSV has all."
        for name, frame in sheets.items()
        if frame.height > MOST_ROWS
    ]
    file = BytesIO()
    plain = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "in_memory": True}
    with Workbook(file, plain) as workbook:
        workbook.set_properties({"title": content.audit.title, "created": WORKBOOK_CREATED})
        formats = {
            kind: workbook.add_format({"num_format": number_format} if number_format else {})
            for kind, number_format in _FORMATS.items()
        }
        head = workbook.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        for name, frame in sheets.items():
            _write_table(workbook.add_worksheet(name), frame.head(MOST_ROWS), formats, head)
        wrapped = workbook.add_format({"text_wrap": True, "valign": "top"})
        _write_notes(workbook.add_worksheet("Notes"), [*_notes(content.audit, cut), *sources], head, wrapped)
    return file.getvalue()


def _write_table(sheet: Worksheet, frame: pl.DataFrame, formats: Mapping[str, Format], head: Format) -> None:
    """Write a table; columns in which nothing stands are left out."""
    columns = [(column, column.to_list()) for column in frame]
    filled = [(column, values) for column, values in columns if any(value not in {None, ""} for value in values)]
    for place, (column, values) in enumerate(filled):
        number_format = formats[_kind(column)]
        sheet.set_column(place, place, _width(column.name, values), number_format)
        sheet.write_string(0, place, column.name, head)
        for row, value in enumerate(values, 1):
            _write_cell(sheet, row, place, value, number_format)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, frame.height, len(filled) - 1)


def _write_cell(sheet: Worksheet, row: int, place: int, value: Any, number_format: Format) -> None:
    """Write a value as what it is; nothing for what is unknown."""
    if value is None or value == "":
        return
    if isinstance(value, bool):
        sheet.write_boolean(row, place, value)
    elif isinstance(value, int | float) and isfinite(value):
        sheet.write_number(row, place, value, number_format)
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


def _notes(audit: Header, cut: Sequence[str]) -> list[tuple[str, str]]:
    """Return what readers of the tables alone should know, a heading and a text each."""
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


_NOTHING: Final[Mapping[str, pl.DataFrame]] = MappingProxyType({})


def write_files(run_folder: Path, result: Result[Any, Any], *, at_hand: Mapping[str, pl.DataFrame] = _NOTHING) -> Path:
    """Write report, CSV and workbook of a finished run from its result and tables; return the report's path.

    A run of one probe has a workbook where it has tables besides its findings. Tables that were just written are
    `at_hand`, by the name of their file; others are read.
    """
    shown = result.legible()
    audit, kind = shown.audit, run_kind(shown.audit.kind)
    contents = {REPORT: report_page(shown).encode(), "findings.csv": csv_bytes(findings_frame(shown.findings))}
    for name, content in {**contents, **page_of(shown).files(shown)}.items():
        write_file(run_folder / name, content)
    tables = {
        sheet: at_hand[table.file]
        if table.file in at_hand
        else read_csv(run_folder / table.file, loaded(table.columns))
        for sheet, table in kind.sheets.items()
        if (run_folder / table.file).is_file()
    }
    if tables or not kind.one_probe:
        write_file(run_folder / "tables.xlsx", workbook(shown, tables, sources=audit.sources))
    return run_folder / REPORT
