"""The tables of a study and of the run at hand as one flat CSV."""

import csv
from pathlib import Path

from evenhand.report._document import document, read_findings
from evenhand.report._files import written
from evenhand.report._population import TABLE_COLUMNS, table_rows

__all__ = ["write_tables_csv"]


def write_tables_csv(run_folder: Path) -> Path | None:
    """Write <run_folder>/tables.csv, one line per cell; None where the run has no such tables.

    Rates are in percent. `source` tells the run's own figures from published ones.
    """
    content = document(read_findings(run_folder), source=str(run_folder / "findings.json"))
    lines = table_rows(content.rows, content.audit)
    if not lines:
        return None
    path = run_folder / "tables.csv"
    with written(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(TABLE_COLUMNS)
        writer.writerows(lines)
    return path
