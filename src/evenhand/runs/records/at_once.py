"""Runs that are computed from a table at once: what they write, and in which order."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import polars as pl

from evenhand.report import write_files
from evenhand.runs.records.stamps import utc_now
from evenhand.runs.records.versions import package_versions
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.files import write_atomically
from evenhand.tables.finding import Finding
from evenhand.tables.run_folder import RunFolder

if TYPE_CHECKING:
    from evenhand.tables.audit.applicants.block import TableAudit
    from evenhand.tables.audit.applicants.match import MatchAudit
    from evenhand.tables.audit.features.block import FeaturesAudit

__all__ = ["write_at_once"]

AuditT = TypeVar("AuditT", bound="TableAudit | FeaturesAudit | MatchAudit")


def write_at_once(
    folder: RunFolder,
    asked: Mapping[str, Any],
    audit: AuditT,
    findings: Sequence[Finding],
    *,
    tables: Mapping[str, pl.DataFrame],
    counts: Mapping[str, pl.DataFrame] | None = None,
    files: Mapping[str, bytes] | None = None,
    with_report: bool = True,
) -> AuditT:
    """Write count tables (Parquet), files, tables (CSV), findings and, if wanted, the report; return the block.

    `asked` is the manifest but for versions, to which `audit` may add, fingerprints, status and times, which are those
    of `audit` then. It is written before all else, as of a run that is under way, and once more behind all else, when
    it is finished.
    """
    versions = {**package_versions(), **audit.versions}
    manifest: dict[str, Any] = {
        **asked,
        "versions": versions,
        "fingerprints": dict(audit.fingerprints),
        "status": "running",
        "started": utc_now(),
        "finished": None,
    }
    folder.write_manifest(manifest)
    for name, table in (counts or {}).items():
        table.write_parquet(folder.path / f"{name}.parquet")
    for name, content in (files or {}).items():
        write_atomically(folder.path / name, content)
    for name, table in tables.items():
        write_atomically(folder.path / name, csv_bytes(table))
    manifest |= {"status": "finished", "finished": utc_now()}
    audit = replace(audit, started=manifest["started"], finished=manifest["finished"], versions=versions)
    folder.write_findings(audit, findings)
    if with_report:
        write_files(folder.path, at_hand=tables)
    folder.write_manifest(manifest)
    return audit
