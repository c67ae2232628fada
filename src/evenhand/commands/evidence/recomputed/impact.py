"""An analysis of applicants: from its count tables."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.commands.evidence.asked import AskedRun, given_below
from evenhand.commands.evidence.runs import outcomes_of
from evenhand.commands.impact.counts import counts_table, read_counts
from evenhand.commands.impact.run import counted_source, ll144_tables, measured_applicants
from evenhand.errors import CheckFailed, InputError
from evenhand.evidence.recomputed import NotRecomputed, Recomputed
from evenhand.findings.impact.floor import floor_notes
from evenhand.hiring import Applicants
from evenhand.runs.manifest import Manifest
from evenhand.runs.options.again import options_again
from evenhand.runs.options.impact import ImpactOptions
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.audit.reading import read_found

__all__ = ["recomputed"]

COUNTED = NotRecomputed(what="the count tables", why="the rows that were counted are not in the bundle")


def recomputed(folder: Path, manifest: Manifest, *, beside: Sequence[Path]) -> Recomputed:
    """Return the findings and tables of an analysis, from counts."""
    content = read_found(folder)
    audit = content.audit
    if not isinstance(audit, ImpactAudit):
        raise InputError(f"{folder / 'findings.json'} is of another kind of run.")
    options = options_again(ImpactOptions, manifest.parameters)
    tables = {path.stem: pl.read_parquet(path) for path in folder.glob("*.parquet")}
    applicants = Applicants(
        attributes=audit.attributes,
        counts=tables["counts"],
        scores=tables.get("scores"),
        sweep=tables.get("sweep"),
        given=tables.get("given"),
        stages=audit.stages,
        accounting=audit.accounting,
    )
    asked = AskedRun(manifest=manifest, given=given_below(folder))
    options = replace(options, share=_stated(options, asked))
    source = asked.source if manifest.input.get("columns") else _run_counted(manifest, beside)
    recounted = source is not None or bool(options.counts)
    why = _why_not(options, recounted=recounted)
    if why is not None:
        without = {finding.name: why for finding in content.findings}
        return Recomputed(findings=[], source="", without=without, besides=[] if recounted else [COUNTED])
    if recounted:
        applicants = replace(applicants, clustered=_counted_again(source, options, tables).clustered)
    found = measured_applicants(applicants, options)
    rows = {"impact.csv": found.rows, "pooled.csv": found.pooled}
    if found.availability is not None:
        rows = {"availability.csv": found.availability}
    law = ll144_tables(applicants, options)
    if law is not None:
        rows["ll144.csv"] = law.rows
    floor = replace(audit.reference_floor, notes=floor_notes(found.findings))
    return Recomputed(
        findings=found.findings,
        source="the counts" if source is None else "the rows that were counted",
        audit=replace(audit, shown=found.small_tables, reference_floor=floor),
        tables=rows,
        besides=[] if recounted else [COUNTED],
    )


def _stated(options: ImpactOptions, asked: AskedRun) -> tuple[str, ...]:
    """Return stated shares, with tables of them as they stand in the bundle, "" where they don't."""
    found = []
    for each in options.share:
        table = asked.given.get(asked.manifest.fingerprints.get(Path(each).name, ""), "")
        found.append(each if "=" in each else str(table))
    return tuple(found)


def _why_not(options: ImpactOptions, *, recounted: bool) -> str | None:
    """Return why findings can't be computed from what a bundle holds; None where they can."""
    if "" in options.share:
        return "the table of stated shares is not in the bundle"
    if (options.cluster or options.block) and not recounted:
        return "the counts by cluster and block are not in the bundle"
    return None


def _run_counted(manifest: Manifest, beside: Sequence[Path]) -> Path | None:
    """Return the run in the bundle whose outcomes were counted; None where there is none."""
    return outcomes_of(beside).get(manifest.fingerprints.get("outcomes.parquet", ""))


def _counted_again(source: Any, options: ImpactOptions, tables: Mapping[str, pl.DataFrame]) -> Applicants:
    """Return what is counted in the table of applicants, in the run, or in the counts that were given.

    Raises
    ------
    CheckFailed
        Other numbers are counted there.

    """
    given = options.counts
    if given:
        source, options = counts_table(read_counts(options.counts), options)
    again = counted_source(source, options).applicants
    for name, table in again.tables.items():
        if name not in tables or not table.equals(tables[name]):
            whence = "the numbers that were given" if given else "the rows"
            raise CheckFailed(f"{name}.parquet is not what is counted in {whence}.")
    return again
