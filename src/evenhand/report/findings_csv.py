"""The findings as one flat table, unrounded, for spreadsheets and other programs."""

import csv
from collections.abc import Mapping
from pathlib import Path

from evenhand.report._document import Row, document, read_findings
from evenhand.report._files import written

__all__ = ["write_findings_csv"]

COLUMNS = (
    "probe",
    "name",
    "measure",
    "slice",
    "focal",
    "reference",
    "role",
    "estimate",
    "low",
    "high",
    "confidence",
    "unit",
    "null_value",
    "n",
    "clusters",
    "method",
    "p",
    "test",
    "p_adjusted",
    "adjustment",
    "mark",
    "marks_touched",
    "verdict",
    "reason",
)


def write_findings_csv(run_folder: Path, out: Path | None = None) -> Path:
    """Write <run_folder>/findings.csv, one row per finding, and return its path.

    `test` and `p` are those of the first test; what is unknown is an empty cell.
    """
    checked = document(read_findings(run_folder), source=str(run_folder / "findings.json"))
    with written(out or run_folder / "findings.csv") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in checked.rows:
            cells = _cells(row)
            writer.writerow([_cell(cells[column]) for column in COLUMNS])
    return out or run_folder / "findings.csv"


def _cells(row: Row) -> dict[str, object]:
    first = row.tests[0] if row.tests else None
    return vars(row) | {
        "slice": _labels(row.slice),
        "focal": _labels(row.focal),
        "reference": _labels(row.reference),
        "marks_touched": "".join(row.marks_touched),
        "p": first.p if first else None,
        "test": first.name if first else None,
    }


def _labels(labels: Mapping[str, str]) -> str:
    return "; ".join(f"{key}={value}" for key, value in labels.items())


def _cell(value: object) -> object:
    # A spreadsheet runs text that begins like a formula.
    return "'" + value if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t")) else value
