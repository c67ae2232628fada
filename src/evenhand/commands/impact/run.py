"""`evenhand impact`: who is selected less, by how much, and whether that is statistically significant."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.commands.impact.counts import counts_table, read_counts, typed_counts
from evenhand.commands.impact.options import choices_of, query_of
from evenhand.commands.impact.shares import check_availability, placed_shares, read_shares, share_files
from evenhand.errors import InputError
from evenhand.findings.impact.analysis import Impact, ImpactChoices, measure_impact, uniquely_named
from evenhand.findings.impact.clustered import Clustering
from evenhand.findings.impact.floor import floor_notes
from evenhand.findings.impact.held.blocks import block_findings
from evenhand.findings.impact.held.qualifications import given_findings
from evenhand.findings.impact.law.availability import availability_findings
from evenhand.findings.impact.law.local_law_144 import ll144_rows, required_attributes
from evenhand.hiring import Applicants, count_applicants, count_outcomes
from evenhand.hiring.accounting import counted_note
from evenhand.intake.tables import is_url, open_table
from evenhand.lexicons import rules
from evenhand.options import declared, kept, words
from evenhand.runs.manifest import read_manifest
from evenhand.runs.options import impact as asked
from evenhand.runs.options.impact import ImpactOptions
from evenhand.runs.progress import Notices
from evenhand.runs.records.impact import Analysed, ImpactRun, LL144Tables, write_analysis
from evenhand.runs.records.opened import opened_run
from evenhand.tables.audit.impact import Published, ReferenceFloor, Rule
from evenhand.tables.finding import Finding
from evenhand.tables.fingerprints import sha256_of
from evenhand.tables.impact_files import BOTTOM_LINE
from evenhand.tables.messages.urls import public_url
from evenhand.tables.run_folder import RunFolder, refuse_own_input
from evenhand.tables.schemas import PROTECTED

__all__ = ["Counted", "counted_source", "ll144_tables", "measured_applicants", "run_impact"]

LEVEL = 0.05
REPEATED = (
    "These are answers of a model to prompts that share names and occupations. The tests here take decisions as "
    "independent and are too sure of differences; the probe's own report lets names and occupations vary."
)
RANKED = (
    "These are ranks that share people and positions. The tests here take them as independent and are too sure of "
    "differences."
)


def run_impact(source: Any, options: ImpactOptions, *, notice: Notices) -> ImpactRun:
    """Analyse a table of applicants, or a finished run of a probe; return the finished analysis.

    Raises
    ------
    InputError
        Columns, values or options that can't be used.
    ServiceFailed
        A database can't be reached.

    """
    if source is not None and options.counts:
        raise InputError("TABLE and --counts are both given; the numbers come from one of them.")
    if source is None and not options.counts:
        raise InputError("Nothing to analyse: give a TABLE, or numbers with --counts 'women=557/1835,men=1198/2691'.")
    counts = read_counts(options.counts) if options.counts else source if isinstance(source, Mapping) else None
    typed = options
    if counts is not None:
        source, options = counts_table(counts, options)
        typed = replace(typed, counts=(typed_counts(counts),))
    refuse_own_input(options.out, [source], force=options.force)
    choices_of(options)  # what can't be understood is told before anything is counted
    if options.share:
        check_availability(options)
        read_shares(options.share)
    counted = counted_source(source, options)
    counted = replace(counted, fingerprints=counted.fingerprints | share_files(options.share))
    if counts is not None:
        counted = replace(
            counted, source="counts given", typed=None, columns={}, applicants=_without_note(counted.applicants)
        )
    applicants = counted.applicants
    found = measured_applicants(applicants, options)
    ll144 = ll144_tables(applicants, options)
    with opened_run(options.folder("impact"), force=options.force) as opened:
        for line in applicants.accounting.notes:
            notice(line)
        return write_analysis(opened.folder, _analysed(counted, found, ll144, typed), with_report=options.report)


def measured_applicants(applicants: Applicants, options: ImpactOptions) -> Impact:
    """Return what is found in counts, by the options that say how they are compared."""
    choices = choices_of(options, applicants.attributes)
    stated = read_shares(options.share)
    found = (
        Impact.of_availability(availability_findings(applicants.counts, placed_shares(stated, _groups(applicants))))
        if stated
        else measure_impact(
            applicants.counts,
            applicants.attributes,
            choices,
            scores=applicants.scores,
            sweep=applicants.sweep,
            clustering=_clustering(applicants),
            by_position=options.position is not None,
        )
    )
    if applicants.given is not None:
        adjusted = given_findings(applicants.given, applicants.attributes, choices.references)
        found.findings[:] = uniquely_named([*found.findings, *adjusted])
    found.findings[:] = uniquely_named([*found.findings, *_within_blocks(applicants, choices)])
    return found


def _groups(applicants: Applicants) -> dict[str, list[str]]:
    """Return the labels of the groups of each attribute."""
    return {
        name: applicants.counts[PROTECTED + name].drop_nulls().unique().sort().to_list()
        for name in applicants.attributes
    }


def _clustering(applicants: Applicants) -> Clustering | None:
    """Return the counts apart by cluster, as findings take them."""
    own = applicants.clustered
    if own is None or not own.names:
        return None
    return Clustering(names=own.names, counts=own.counts, scores=own.scores)


def _within_blocks(applicants: Applicants, choices: ImpactChoices) -> list[Finding]:
    """Return the differences within blocks, none where no column is held fixed so."""
    own = applicants.clustered
    if own is None or not own.blocks:
        return []
    return [
        finding
        for counts in (own.counts, own.scores)
        if counts is not None and counts.height
        for finding in block_findings(
            counts, applicants.attributes, choices.references, clusters=own.names, blocks=own.blocks
        )
    ]


def _without_note(applicants: Applicants) -> Applicants:
    """Return applicants without the note on columns of counts: a frame of our own is no table to the user."""
    accounting = applicants.accounting
    if accounting.count is None:
        return applicants
    gone = counted_note(accounting.count)
    notes = tuple(line for line in accounting.notes if line != gone)
    return replace(applicants, accounting=replace(accounting, notes=notes))


@dataclass(frozen=True, kw_only=True)
class Counted:
    """The applicants of a source, and what the source was."""

    applicants: Applicants
    fingerprints: dict[str, str]
    source: str
    typed: str | None
    warnings: tuple[str, ...] = ()
    simulated: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)


def counted_source(source: Any, options: ImpactOptions) -> Counted:
    """Return the counts of a table or of a run."""
    path = Path(source) if isinstance(source, str | Path) and not is_url(str(source)) else None
    if path is not None and path.is_dir():
        if options.share:
            raise InputError(f"--share compares the people of a table; {path} is a run, in which a row is one answer.")
        manifest = read_manifest(path)
        outcomes = RunFolder(path).outcomes
        if manifest is None or not outcomes.is_file():
            raise InputError(f"{path} holds no outcomes.parquet of a finished probe; expected a table or such a run.")
        return Counted(
            applicants=count_outcomes(outcomes, query_of(options, run=True)),
            fingerprints={outcomes.name: sha256_of(outcomes)},
            source=f"{manifest.probe} answered by {manifest.model}" if manifest.probe else f"ranks by {manifest.model}",
            typed=str(source),
            warnings=(RANKED,) if not manifest.probe else () if options.cluster else (REPEATED,),
            simulated=manifest.simulated,
        )
    query_of(options)
    with open_table(source, sheet=options.sheet, table=options.table, unpack_limit=options.unpack_limit) as table:
        query = query_of(options, columns=table.expr.columns)
        return Counted(
            applicants=count_applicants(table, query),
            fingerprints=dict(table.fingerprints),
            source=table.name,
            typed=_typed(source),
            columns={name: str(kind) for name, kind in table.expr.schema().items()},
        )


def _ll144_counts(applicants: Applicants, options: ImpactOptions) -> pl.DataFrame:
    """Return the counts that the law's rates are made of: the decision, or scores above the median."""
    wanted = "selected" if options.score is None else "median"
    stage = "" if not applicants.stages else applicants.stages[0] if len(applicants.stages) == 1 else BOTTOM_LINE
    counts = applicants.counts.filter((pl.col("approach") == wanted) & (pl.col("stage") == stage))
    if not counts["n"].sum():
        raise InputError(
            "--ll144 has no bottom line over the stages to tell: give --unit COLUMN, or one stage with --where."
        )
    return counts


def ll144_tables(applicants: Applicants, options: ImpactOptions) -> LL144Tables | None:
    """Return the tables of Local Law 144; None where they are not asked for."""
    if not options.ll144:
        return None
    required = required_attributes(applicants.attributes)
    counts = _ll144_counts(applicants, options)
    return LL144Tables(
        rows=ll144_rows(counts, required, exclude=options.exclusion_reason is not None),
        scoring=options.score is not None,
        exclusion_reason=options.exclusion_reason,
        published=Published(**{each.name: each.of(options) for each in declared(asked.Published)}),
    )


def _analysed(counted: Counted, found: Impact, ll144: LL144Tables | None, options: ImpactOptions) -> Analysed:
    used = rules.used_by(
        min_share=bool(options.min_share),
        stages=options.stage is not None,
        age=options.age is not None,
        ll144=options.ll144,
        availability=bool(options.share),
    )
    return Analysed(
        source=counted.source,
        simulated=counted.simulated,
        columns=counted.columns,
        fingerprints=counted.fingerprints,
        applicants=counted.applicants,
        found=found,
        ll144=ll144,
        parameters=kept(options, only_given=True),
        reference_floor=ReferenceFloor(share=choices_of(options).references.floor, notes=floor_notes(found.findings)),
        rules=[Rule(**each) for each in used],
        warnings=counted.warnings,
        reproduce=shlex.join(
            ["evenhand", "impact", *([] if counted.typed is None else [counted.typed]), *words(options)]
        ),
    )


def _typed(source: Any) -> str:
    """Return a source as it is typed again, without what is secret in a connection URL."""
    if isinstance(source, str) and is_url(source):
        return public_url(source)
    return str(source) if isinstance(source, str | Path) else "FRAME"
