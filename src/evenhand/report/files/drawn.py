"""All files that follow from what a finished run has found."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

import polars as pl

from evenhand.report.files.findings import write_findings_csv
from evenhand.report.files.tables import write_tables_csv
from evenhand.report.files.workbook import write_workbook
from evenhand.report.html import write_report
from evenhand.report.local_law_144 import write_ll144_page
from evenhand.report.page.document import document_of, read_document
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.audit.kinds import RUN_KINDS
from evenhand.tables.csv_files import read_csv

__all__ = ["write_files"]

_NOTHING: Final[Mapping[str, pl.DataFrame]] = MappingProxyType({})


def write_files(run_folder: Path, *, at_hand: Mapping[str, pl.DataFrame] = _NOTHING) -> Path:
    """Write report, CSV and workbook of a finished run from its findings and tables; return the report's path.

    A run of one probe has a workbook where it has tables besides its findings. Tables that were just written are
    `at_hand`, by the name of their file; others are read.

    Raises
    ------
    InputError
        Findings.json is missing, broken or of another schema.
    """
    path = write_report(run_folder)
    write_findings_csv(run_folder)
    write_tables_csv(run_folder)
    kind = RUN_KINDS[read_document(run_folder).audit.kind]
    tables = {
        sheet: at_hand[table.file] if table.file in at_hand else read_csv(run_folder / table.file, table.columns)
        for sheet, table in kind.sheets.items()
        if (run_folder / table.file).is_file()
    }
    impact = document_of(ImpactAudit, run_folder)
    rules = [] if impact is None else [(rule.title, rule.citation) for rule in impact.audit.rules]
    if tables or not kind.one_probe:
        write_workbook(run_folder, tables, sources=rules)
    if impact is not None and impact.audit.ll144 is not None:
        write_ll144_page(run_folder)
    return path
