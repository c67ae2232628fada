"""The tables of a study and of the run at hand as one flat CSV."""

from pathlib import Path

import polars as pl

from evenhand.report.page.document import document_of
from evenhand.report.population.tables import decisive_test
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.details import Against
from evenhand.tables.files import write_file
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.probe import ProbeGroups

__all__ = ["study_tables", "write_tables_csv"]

COLUMNS = ("table", "source", "column", "race", "gender", "value", "direction", "mark", "p", "n")
NUMBERS = {"": "1", "education": "2", "qualification": "3", "role": "4"}


def write_tables_csv(run_folder: Path) -> Path | None:
    """Write <run_folder>/tables.csv, one line per cell; None where the run has no such tables.

    Tables 1 to 4 are in percent, 5 and 6 in shares, as in the study. `source` tells the
    run's own figures from published ones.
    """
    content = document_of(ProbeAudit, run_folder)
    tables = None if content is None else study_tables(content.groups, content.audit)
    if tables is None:
        return None
    path = run_folder / "tables.csv"
    write_file(path, csv_bytes(tables))
    return path


def study_tables(groups: ProbeGroups, audit: ProbeAudit) -> pl.DataFrame | None:
    """Return the table of tables.csv; None where there is nothing of a study."""
    lines = _lines(groups, audit)
    return pl.DataFrame(lines, schema=dict.fromkeys(COLUMNS, pl.String), orient="row") if lines else None


def _lines(groups: ProbeGroups, audit: ProbeAudit) -> list[tuple[str, ...]]:
    if groups.population is None:
        return []
    facts, source = audit.facts, f"this run: {audit.model}"
    lines = [_rate(row, source) for cut in groups.population.cuts.values() for row in cut.cells if row.focal]
    for name, value in (facts.classifier or {}).items():
        lines.append(("5", "classifier", name, "", "", str(value), "", "", "", ""))
    for row in groups.undetected_groups:
        if len(row.focal) > 1 and row.estimate is not None:
            group = (row.focal.get("race", ""), row.focal.get("gender", ""))
            lines.append(("6", source, "validity", *group, f"{1 - row.estimate:.6f}", "", "", "", str(row.n)))
    for each in facts.published or ():
        cells = (each.table, f"An et al. 2024: {each.model}", each.column, each.race, each.gender)
        lines.append((*cells, each.value, "", "", "", ""))
    return lines


def _rate(finding: Finding, source: str) -> tuple[str, ...]:
    """Return the cell of one group in one level, with the p behind its mark."""
    column, level = next(iter(finding.slice.items()), ("", "all roles"))
    rate, test = Against.of(finding).rate, decisive_test(finding)
    direction = "" if not finding.mark else "above" if (finding.estimate or 0) > 0 else "below"
    return (
        *(NUMBERS.get(column, column), source, level, finding.focal.get("race", ""), finding.focal.get("gender", "")),
        *("" if rate is None else f"{100 * rate:.4f}", direction, finding.mark or ""),
        *("" if test is None or test.p is None else repr(test.p), str(finding.n)),
    )
