"""The findings as one flat table, unrounded, for spreadsheets and other programs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.report.page.document import read_document
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.files import write_file
from evenhand.tables.finding import Finding

__all__ = ["findings_frame", "write_findings_csv"]

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
    path = out or run_folder / "findings.csv"
    write_file(path, csv_bytes(findings_frame(read_document(run_folder).findings)))
    return path


def findings_frame(findings: Sequence[Finding]) -> pl.DataFrame:
    """Return findings as a table, one row each: the columns of findings.csv."""
    cells = [_cells(finding) for finding in findings]
    columns = {name: [finding[name] for finding in cells] for name in COLUMNS}
    return pl.DataFrame([_column(name, values) for name, values in columns.items()])


def _column(name: str, values: list[Any]) -> pl.Series:
    numbers = all(value is None or isinstance(value, int | float) for value in values)
    # A column may begin with a whole number and go on with others.
    return pl.Series(
        name, values if numbers else [None if value is None else str(value) for value in values], strict=False
    )


def _cells(finding: Finding) -> dict[str, Any]:
    first = finding.tests[0] if finding.tests else None
    return finding.as_dict() | {
        "probe": finding.probe,
        "slice": _labels(finding.slice),
        "focal": _labels(finding.focal),
        "reference": _labels(finding.reference),
        "clusters": _labels(finding.clusters),
        "marks_touched": "".join(finding.marks_touched),
        "p": first.p if first else None,
        "test": first.name if first else None,
    }


def _labels(labels: Mapping[str, object]) -> str:
    return "; ".join(f"{key}={value}" for key, value in labels.items())
