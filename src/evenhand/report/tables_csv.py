"""The tables of a study and of the run at hand as one flat CSV."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from evenhand.report.page.document import read_document
from evenhand.report.population.chapters import AGAINST, STATED
from evenhand.report.population.tables import decisive_test
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.details import Against
from evenhand.tables.files import write_file
from evenhand.tables.finding import Finding

__all__ = ["write_tables_csv"]

COLUMNS = ("table", "source", "column", "race", "gender", "value", "direction", "mark", "p", "n")
NUMBERS = {"": "1", "education": "2", "qualification": "3", "role": "4"}


def write_tables_csv(run_folder: Path) -> Path | None:
    """Write <run_folder>/tables.csv, one line per cell; None where the run has no such tables.

    Tables 1 to 4 are in percent, 5 and 6 in shares, as in the study. `source` tells the
    run's own figures from published ones.
    """
    content = read_document(run_folder)
    lines = _lines(content.rows, content.audit) if isinstance(content.audit, ProbeAudit) else []
    if not lines:
        return None
    path = run_folder / "tables.csv"
    write_file(path, csv_bytes(pl.DataFrame(lines, schema=dict.fromkeys(COLUMNS, pl.String), orient="row")))
    return path


def _lines(rows: Sequence[Finding], audit: ProbeAudit) -> list[tuple[str, ...]]:
    facts, source = audit.facts, f"this run: {audit.model}"
    lines = [_rate(row, source) for row in rows if row.measure == AGAINST and row.focal]
    for name, value in (facts.classifier or {}).items():
        lines.append(("5", "classifier", name, "", "", str(value), "", "", "", ""))
    for row in rows:
        if row.measure == STATED and len(row.focal) > 1 and row.estimate is not None:
            group = (row.focal.get("race", ""), row.focal.get("gender", ""))
            lines.append(("6", source, "validity", *group, f"{1 - row.estimate:.6f}", "", "", "", str(row.n)))
    for each in facts.published or ():
        cells = (each.table, f"An et al. 2024: {each.model}", each.column, each.race, each.gender)
        lines.append((*cells, each.value, "", "", "", ""))
    return lines


def _rate(row: Finding, source: str) -> tuple[str, ...]:
    """Return the cell of one group in one level, with the p behind its mark."""
    column, level = next(iter(row.slice.items()), ("", "all roles"))
    rate, test = Against.of(row).rate, decisive_test(row)
    direction = "" if not row.mark else "above" if (row.estimate or 0) > 0 else "below"
    return (
        *(NUMBERS.get(column, column), source, level, row.focal.get("race", ""), row.focal.get("gender", "")),
        *("" if rate is None else f"{100 * rate:.4f}", direction, row.mark or ""),
        *("" if test is None or test.p is None else repr(test.p), str(row.n)),
    )
