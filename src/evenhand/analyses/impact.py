"""`evenhand impact`: which groups are selected less, by how much, and whether that is statistically significant.

`run_impact` analyses a table, counts, or the run of a probe; with `--check`, `checked_table` only previews the table.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import polars as pl

from evenhand.analyses import impact_query
from evenhand.analyses.manifest import read_manifest
from evenhand.analyses.options.impact import Comparison, Groups, ImpactOptions, Published, Rows, Selection
from evenhand.analyses.progress import Notices
from evenhand.analyses.run import Run, opened_run, source_text, write_at_once
from evenhand.comparisons.claims import cautions_of
from evenhand.comparisons.impact import Impact, measure_impact
from evenhand.comparisons.impact_cells import floor_notes
from evenhand.comparisons.regulations import availability_findings, ll144_rows, required_attributes
from evenhand.data.applicant_query import Applicants
from evenhand.data.applicants import count_applicants, count_outcomes, counted_note
from evenhand.data.databases import is_url
from evenhand.data.guesses import MOST_COLUMNS, column_previews
from evenhand.data.lexicons import rules
from evenhand.data.tables import open_table, sheet_names
from evenhand.errors import InputError
from evenhand.options import declared, to_manifest, words
from evenhand.report.page.parts import Column, Table
from evenhand.report.terminal import Screen
from evenhand.report.words.numbers import ABSENT, count_text, counted
from evenhand.results import applicant_audit
from evenhand.results.csv_files import read_csv
from evenhand.results.files import sha256_of
from evenhand.results.messages import listed, shortened
from evenhand.results.result import Result
from evenhand.results.run_folder import RunFolder, refuse_clearing_input
from evenhand.results.schemas import AVAILABILITY, BOTTOM_LINE, CLUSTERED, IMPACT, PROTECTED

QUESTION = "Which groups are selected less often than others, by how much, and is that statistically significant?"
OF_SHARES = "Which groups are fewer among these people than their stated share gives?"
LIMITS_OF_SHARES = (
    "The stated shares are taken as they are given. Shares of a population without the qualifications, or "
    "too far away, compare with the wrong people (Hazelwood, 433 U.S. 299, 308 n.13).",
    "People are taken as drawn independently. The figures tell who is there, not who applied, stayed or left.",
)
SIMULATED = "The decisions come from a simulated model with a known bias, not from a hiring process."
LIMITS = (
    "The figures tell whom a process selected, not why. They don't know qualifications, withdrawals or openings "
    "unless --given, --where and --position name them.",
    "Who counts as an applicant is a decision of whoever made the table; what was left out is counted above.",
    "The four-fifths rule ignores chance and the tests ignore size: read both.",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class ImpactRun(Run):
    """A finished analysis of applicants."""

    audit: applicant_audit.ImpactAudit

    @property
    def rows(self) -> pl.DataFrame:
        """Return impact.csv, or with `share` availability.csv."""
        if (self.folder / "availability.csv").is_file():
            return read_csv(self.folder / "availability.csv", AVAILABILITY)
        return read_csv(self.folder / "impact.csv", IMPACT | CLUSTERED).with_columns(
            pl.col("position", "stage").fill_null("")
        )


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
        Columns, values or options can't be used.
    ServiceError
        A database can't be reached.

    """
    if source is not None and options.counts:
        raise InputError("TABLE and --counts are both given; the numbers come from one of them.")
    if source is None and not options.counts:
        raise InputError("Nothing to analyse: give a TABLE, or numbers with --counts 'women=557/1835,men=1198/2691'.")
    counts = impact_query.read_counts(options.counts) if options.counts else source
    refuse_clearing_input(options.out, [source], force=options.force)
    impact_query.choices_of(options)  # refuse malformed options before anything is counted
    if options.share:
        impact_query.check_availability(options)
        impact_query.read_shares(options.share)
    counted = counted_source(counts, options)
    if isinstance(counts, Mapping):
        options = replace(options, counts=(impact_query.typed_counts(counts),))
    result = analyse_impact(counted, options)
    with opened_run(options.folder("impact"), force=options.force) as opened:
        for line in result.notes:
            notice(line)
        return write_at_once(ImpactRun, opened.folder, result, with_report=options.report)


def analyse_impact(counted: "Counted", options: ImpactOptions) -> Result[applicant_audit.ImpactAudit, Any]:
    """Return what counts tell by the options of comparing."""
    applicants = counted.applicants
    choices = impact_query.choices_of(options, applicants.attributes)
    stated = impact_query.read_shares(options.share)
    impact = (
        Impact.of_availability(
            availability_findings(applicants.counts, impact_query.attributed_shares(stated, _groups(applicants)))
        )
        if stated
        else measure_impact(
            applicants.counts,
            applicants.attributes,
            choices,
            scores=applicants.scores,
            sweep=applicants.sweep,
            given=applicants.given,
            clustering=applicants.clustered,
            by_position=options.position is not None,
        )
    )
    law = ll144_block(applicants, options)
    tables = {f"{name}.parquet": table for name, table in applicants.tables.items()}
    if impact.availability is not None:
        tables["availability.csv"] = impact.availability
    else:
        tables |= {"impact.csv": impact.rows, "pooled.csv": impact.pooled}
    if law is not None:
        tables["ll144.csv"] = pl.DataFrame(law.rows, infer_schema_length=None)
    used = rules.used_by(
        min_share=bool(options.min_share),
        stages=options.stage is not None,
        age=options.age is not None,
        ll144=options.ll144,
        availability=bool(stated),
    )
    audit = applicant_audit.ImpactAudit(
        title="Availability" if stated else "Adverse impact",
        question=OF_SHARES if stated else QUESTION,
        source=counted.source,
        simulated=counted.simulated,
        simulated_note=SIMULATED if counted.simulated else None,
        parameters=to_manifest(options, only_given=True),
        fingerprints=counted.fingerprints,
        attributes=tuple(applicants.attributes),
        stages=tuple(applicants.stages),
        accounting=applicants.accounting,
        shown=impact.small_tables,
        ll144=law,
        reference_floor=applicant_audit.ReferenceFloor(
            share=choices.references.floor, notes=floor_notes(impact.findings)
        ),
        rules=tuple(applicant_audit.Rule(**rule) for rule in used),
        limits=LIMITS_OF_SHARES if stated else LIMITS,
        warnings=(*counted.warnings, *cautions_of(impact.findings)),
        reproduce=shlex.join(
            ["evenhand", "impact", *([] if counted.typed is None else [counted.typed]), *words(options)]
        ),
    )
    return Result(
        audit=audit,
        findings=impact.findings,
        tables=tables,
        input={"rows": applicants.accounting.rows_read, "columns": counted.columns},
        notes=applicants.accounting.notes,
    )


def _groups(applicants: Applicants) -> dict[str, list[str]]:
    return {
        name: applicants.counts[PROTECTED + name].drop_nulls().unique().sort().to_list()
        for name in applicants.attributes
    }


def _without_note(applicants: Applicants) -> Applicants:
    """Return applicants without the note on columns of counts: the user gave no table."""
    accounting = applicants.accounting
    if accounting.count is None:
        return applicants
    note = counted_note(accounting.count)
    notes = tuple(line for line in accounting.notes if line != note)
    return replace(applicants, accounting=replace(accounting, notes=notes))


@dataclass(frozen=True, kw_only=True)
class Counted:
    """The applicants of a source, and facts about the source."""

    applicants: Applicants
    fingerprints: dict[str, str]
    source: str
    typed: str | None
    warnings: tuple[str, ...] = ()
    simulated: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)


def counted_source(source: Any, options: ImpactOptions) -> Counted:
    """Return the counts of a table or of a run, or those of `source` itself."""
    if isinstance(source, Mapping):
        counted = counted_source(*impact_query.counts_table(source, options))
        applicants = _without_note(counted.applicants)
        return replace(counted, source="counts given", typed=None, columns={}, applicants=applicants)
    path = Path(source) if isinstance(source, str | Path) and not is_url(str(source)) else None
    if path is not None and path.is_dir():
        if options.share:
            raise InputError(f"--share compares the people of a table; {path} is a run, in which a row is one answer.")
        manifest = read_manifest(path)
        outcomes = RunFolder(path).outcomes
        if manifest is None or not outcomes.is_file():
            raise InputError(f"{path} holds no outcomes.parquet of a finished probe; expected a table or such a run.")
        return Counted(
            applicants=count_outcomes(outcomes, impact_query.query_of(options, run=True)),
            fingerprints={outcomes.name: sha256_of(outcomes)},
            source=f"{manifest.probe} answered by {manifest.model}" if manifest.probe else f"ranks by {manifest.model}",
            typed=str(source),
            warnings=(RANKED,) if not manifest.probe else () if options.cluster else (REPEATED,),
            simulated=manifest.simulated,
        )
    impact_query.query_of(options)
    with open_table(source, sheet=options.sheet, table=options.table, unpack_limit=options.unpack_limit) as table:
        query = impact_query.query_of(options, columns=table.expr.columns)
        return Counted(
            applicants=count_applicants(table, query),
            fingerprints=table.fingerprints | impact_query.share_files(options.share),
            source=table.name,
            typed=source_text(source),
            columns={name: str(kind) for name, kind in table.expr.schema().items()},
        )


def _ll144_counts(applicants: Applicants, options: ImpactOptions) -> pl.DataFrame:
    """Return the counts behind the rates of the law: the decision, or scores above the median."""
    wanted = "selected" if options.score is None else "median"
    stage = "" if not applicants.stages else applicants.stages[0] if len(applicants.stages) == 1 else BOTTOM_LINE
    counts = applicants.counts.filter((pl.col("approach") == wanted) & (pl.col("stage") == stage))
    if not counts["n"].sum():
        raise InputError(
            "--ll144 has no bottom line over the stages to tell: give --unit COLUMN, or one stage with --where."
        )
    return counts


def ll144_block(applicants: Applicants, options: ImpactOptions) -> applicant_audit.LL144Block | None:
    """Return the tables of Local Law 144; None without --ll144."""
    if not options.ll144:
        return None
    required = required_attributes(applicants.attributes)
    rows = ll144_rows(_ll144_counts(applicants, options), required, exclude=options.exclusion_reason is not None)
    scores = applicants.accounting.scores
    scoring = options.score is not None
    return applicant_audit.LL144Block(
        rows=tuple(applicant_audit.LL144Row(**row) for row in rows.iter_rows(named=True)),
        scoring=scoring,
        median=scores.median if scoring and scores is not None else None,
        exclusion_reason=options.exclusion_reason,
        published=applicant_audit.Published(**{option.name: option.of(options) for option in declared(Published)}),
    )


#: The option of a guessed role of a column.
_ROLES: Final = {
    "selected": "--selected",
    "protected": "--protected",
    "age": "--age",
    "count": "--count",
    "applicants": "--applicants",
    "selected_count": "--selected-count",
    "score": "--score",
    "position": "--position",
    "unit": "--unit",
}


def checked_text(preview: applicant_audit.TablePreview) -> str:
    """Return the preview as text for the terminal."""
    screen = Screen()
    if preview.rows is None:
        screen.say(
            f"{preview.source} has {len(preview.sheets)} sheets: {listed(preview.sheets)}. Name one with --sheet."
        )
        return screen.text
    screen.say(f"{preview.source}: {counted(preview.rows, 'row')}, {counted(len(preview.columns), 'column')}.")
    screen.say()
    screen.draw(_columns_table(preview.columns))
    for column in preview.columns:
        if column.role:
            screen.say(f"{_ROLES[column.role]} {shortened(column.name)}? {column.reason}", bullet="- ")
    for note in preview.notes:
        screen.say(note)
    for attribute, groups in (preview.people or {}).items():
        screen.say()
        screen.draw(_people_table(attribute, groups))
    if preview.people is not None:
        screen.say(f"Counted: {count_text(preview.rows_used)} of {count_text(preview.rows_read)}.")
    return screen.text


def checked_table(source: Any, options: ImpactOptions) -> applicant_audit.TablePreview:
    """Return a preview of a table and, given options, the number of people in each group.

    Raises
    ------
    InputError
        There is no table, or an option can't be used with it.
    ServiceError
        A database can't be reached.

    """
    if source is None or options.counts:
        raise InputError("--check looks at a TABLE; --counts has numbers to compute with.")
    sheets = sheet_names(source, unpack_limit=options.unpack_limit)
    if len(sheets) > 1 and options.sheet is None:
        return applicant_audit.TablePreview(source=str(source), sheets=tuple(sheets))
    with open_table(source, sheet=options.sheet, table=options.table, unpack_limit=options.unpack_limit) as table:
        rows, columns = column_previews(table)
        names = table.expr.columns
        notes = [*table.notes]
        if len(names) > MOST_COLUMNS:
            notes.append(f"{table.name} has {len(names):,} columns; the first {MOST_COLUMNS} were looked at.")
        notes += [f"The column {name!r} can't be used: {reason}." for name, reason in table.damaged.items()]
        applicants = count_applicants(table, impact_query.query_of(options, columns=names)) if _asks(options) else None
    return applicant_audit.TablePreview(
        source=table.name,
        sheets=tuple(sheets),
        rows=rows,
        columns=tuple(columns),
        notes=tuple(dict.fromkeys([*notes, *(() if applicants is None else applicants.accounting.notes)])),
        rows_read=None if applicants is None else applicants.accounting.rows_read,
        rows_used=None if applicants is None else applicants.accounting.rows_used,
        people=None if applicants is None else _people(applicants),
    )


def _asks(options: ImpactOptions) -> bool:
    """Return whether an option determines who is counted."""
    return any(
        option.of(options) != option.default
        for group in (Selection, Comparison, Rows, Groups)
        for option in declared(group)
    )


def _people(applicants: Applicants) -> dict[str, dict[str, int]]:
    """Return the number of people in each group, at the first stage and by the first approach."""
    frame = applicants.counts if applicants.counts.height or applicants.scores is None else applicants.scores
    cut = [name for name in ("approach", "cutoff", "stage") if name in frame.columns]
    first = frame.filter(pl.col(name).eq_missing(frame[name][0]) for name in cut) if frame.height else frame
    people = {}
    for name in applicants.attributes:
        groups = first.group_by(pl.col(PROTECTED + name).fill_null("")).agg(pl.col("n").sum())
        people[name] = dict(groups.sort("n", PROTECTED + name, descending=[True, False]).iter_rows())
    return people


def _columns_table(columns: Sequence[applicant_audit.ColumnPreview]) -> Table:
    heads = ("Column", "Holds", "Values", "Empty", "Most frequent")
    rows = [
        [
            shortened(column.name),
            column.holds,
            column.told,
            count_text(column.empty),
            listed([f"{shortened(label)} ({n:,})" for label, n in column.values.items() if label], most=3) or ABSENT,
        ]
        for column in columns
    ]
    numeric = {"Values", "Empty"}
    return Table(caption="", columns=[Column(label=head, numeric=head in numeric) for head in heads], rows=rows)


def _people_table(attribute: str, groups: Mapping[str, int]) -> Table:
    rows = [[group or "unknown", count_text(n)] for group, n in groups.items()]
    return Table(caption="", columns=[Column(label=attribute, numeric=False), Column(label="Counted")], rows=rows)
