"""`evenhand impact`: which groups are selected less, by how much, and whether that is statistically significant.

`run_impact` analyses a table, counts, or the run of a probe; with `--check`, `checked_table` only previews the table.
"""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.analyses import impact_query
from evenhand.analyses.manifest import Manifest, read_manifest
from evenhand.analyses.options.impact import ImpactOptions, Published
from evenhand.analyses.run import Run, refuse_clearing_input, source_text, synthetic_note, written_run
from evenhand.comparisons.claims import cautions_of
from evenhand.comparisons.impact import Impact, measure_impact, rounding_cautions, uniquely_named
from evenhand.comparisons.impact_cells import Exclusion, ImpactChoices, References, floor_notes
from evenhand.data import rules
from evenhand.data.applicant_query import ADEA_AGE, Applicants, given_applicants, total_notes
from evenhand.data.labels import PERIOD, comma_separated
from evenhand.errors import InputError, option_text
from evenhand.options import declared, refuse, to_manifest, words
from evenhand.results import applicant_audit
from evenhand.results.files import sha256_of
from evenhand.results.finding import copied
from evenhand.results.messages import MOST_LISTED, Notices, is_url, quoted, shortened
from evenhand.results.result import Result, RunFolder, read_csv
from evenhand.results.schemas import AVAILABILITY, BOTTOM_LINE, CONTEXT, IMPACT_BY_CLUSTER, PROTECTED

QUESTION = "Which groups are selected less often than others, by how much, and is that statistically significant?"
OF_SHARES = "Which groups are underrepresented among these people, compared with their stated shares?"
LIMITS_OF_SHARES = (
    "The stated shares are not checked. Shares of a population without the qualifications, or too far away, are the "
    "wrong comparison (Hazelwood, 433 U.S. 299, 308 n.13).",
    "People are assumed to be drawn independently. The figures show who is there, not who applied, stayed or left.",
)
SIMULATED = "The decisions come from a simulated model with a known bias, not from a hiring process."
LIMITS = (
    "The figures show whom a process selected, not why. They ignore qualifications, withdrawals and positions unless "
    "--given, --where and --position name them.",
    "The author of the table decided who counts as an applicant; the report counts the rows that were left out.",
    "The four-fifths rule ignores chance and the tests ignore size: read both.",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class ImpactRun(Run):
    """A finished analysis of applicants."""

    audit: applicant_audit.ImpactAudit

    @property
    def rows(self) -> pl.DataFrame:
        """Return impact.csv, or with `share` availability.csv."""
        if not (self.folder / "impact.csv").is_file():
            return read_csv(self.folder / "availability.csv", AVAILABILITY)
        return read_csv(self.folder / "impact.csv", IMPACT_BY_CLUSTER).with_columns(
            pl.col("position", "stage").fill_null("")
        )


LEVEL = 0.05
REPEATED = (
    "These are answers of a model to prompts that share names and occupations. Answers to one name are taken as "
    "dependent (--cluster name); the probe's own report lets occupations vary, too."
)
RANKED = (
    "These are ranks that share people and positions. The ranks of one person are taken as dependent (--cluster item), "
    "those within one position are not."
)
#: What repeats in the run of a probe: the name, which carries the group; in ranks the person.
_REPEATS = ((f"{CONTEXT}name", "name"), ("item", "item"))


def run_impact(source: Any, options: ImpactOptions, *, notice: Notices) -> ImpactRun:
    """Analyse a table of applicants, or a finished run of a probe; return the finished analysis.

    Raises
    ------
    InputError
        Columns, values or options can't be used.
    ServiceError
        A database can't be reached.

    """
    if source is not None and options.ll144_tables:
        raise InputError(
            f"TABLE and {option_text('ll144_tables')} are both given; the numbers come from one of them: drop the "
            "other."
        )
    if source is None and not options.counts and not options.ll144_tables:
        raise InputError("TABLE is missing: give a table, or numbers with --counts 'women=557/1835,men=1198/2691'.")
    tables = impact_query.tables_of_periods(source, options)
    counts = impact_query.read_counts(options.counts) if options.counts and source is None else tables or source
    read = [source] if tables is None else [*tables.values()]
    refuse_clearing_input(options.out, [*read, *options.ll144_tables], force=options.force)
    impact_query.choices_of(options)  # refuse malformed options before anything is counted
    if options.share or options.availability:
        from evenhand.analyses.availability import check_availability  # noqa: PLC0415 - few runs have stated shares

        check_availability(options)
    options = _clustered_run(counts, options)
    counted = counted_source(counts, options)
    if isinstance(counts, Mapping) and tables is None:
        typed = (f"{group}={selected}/{applicants}" for group, (selected, applicants) in counts.items())
        options = replace(options, counts=(",".join(typed),))
    result = analyse_impact(counted, options)
    return written_run(ImpactRun, result, options, "impact", notice=notice)


def _clustered_run(source: Any, options: ImpactOptions) -> ImpactOptions:
    """Return the options with the cluster of a run of a probe or of ranks, where none is given: no row is a person."""
    folder = RunFolder(Path(source)) if isinstance(source, str | Path) and not is_url(str(source)) else None
    if folder is None or options.cluster or not folder.outcomes.is_file():
        return options
    columns = pl.scan_parquet(folder.outcomes).collect_schema().names()
    name = next(bare for column, bare in _REPEATS if column in columns)
    return replace(options, cluster=(name,))


def _repeating(cluster: Sequence[str], manifest: Manifest) -> tuple[str, ...]:
    """Return what else repeats in a run whose cluster is the default one."""
    name, line = ("name", REPEATED) if manifest.probe else ("item", RANKED)
    return (line,) if tuple(cluster) == (name,) else ()


def analyse_impact(counted: "Counted", options: ImpactOptions) -> Result[applicant_audit.ImpactAudit, Any]:
    """Return what counts tell by the options of comparing."""
    applicants = counted.applicants
    choices = impact_query.choices_of(options, applicants.attributes)
    given = [name.removeprefix("given.") for name in (() if applicants.given is None else applicants.given.columns)]
    choices = replace(choices, given=tuple(comma_separated([typed], given) for typed in options.given))
    if options.age is not None:
        choices = replace(choices, references=_youngest(applicants, options, choices.references))
    if options.exclude:
        choices = replace(choices, exclusion=_excluding(applicants, options, choices.exclusion))
    if options.share:
        from evenhand.analyses.availability import stated_shares  # noqa: PLC0415 - few runs have stated shares
        from evenhand.comparisons.regulations import availability_findings  # noqa: PLC0415

        stated = stated_shares(options.share, applicants)
        impact = Impact.of_availability(availability_findings(applicants.counts, stated))
    else:
        impact = measure_impact(
            applicants.counts,
            applicants.attributes,
            choices,
            **copied(applicants, "scores sweep given bounds undecided periods"),
            clustering=applicants.clustered,
            by_position=options.position is not None,
        )
        impact = _extended(impact, applicants, options, choices)
    law = ll144_block(applicants, options, choices.exclusion)
    tables = {f"{name}.parquet": table for name, table in applicants.tables.items()}
    if impact.availability is not None:
        tables["availability.csv"] = impact.availability
    if not options.share:
        tables |= {"impact.csv": impact.rows, "pooled.csv": impact.pooled}
        if applicants.periods is not None:
            from evenhand.comparisons.periods import period_rows  # noqa: PLC0415 - few runs are over time

            tables["periods.csv"] = period_rows(impact.findings)
        tables |= {f"{name}.csv": table for name, table in impact.further.items()}
        if impact.small_tables.ladder:
            tables["ladder.csv"] = impact.ladder
    if law is not None:
        tables["ll144.csv"] = pl.DataFrame(law.rows, infer_schema_length=None)
        if law.periods:
            rows = [{"period": period} | vars(row) for period, rows in law.periods.items() for row in rows]
            tables["ll144_periods.csv"] = pl.DataFrame(rows, infer_schema_length=None)
    rounded = applicants.accounting.uncertain
    used = rules.used_by(
        min_share=bool(options.min_share),
        stages=bool(applicants.stages),
        age=options.age is not None,
        ll144=options.ll144,
        availability=bool(options.share or options.availability),
    )
    audit = applicant_audit.ImpactAudit(
        title="Availability" if options.share else "Adverse impact",
        question=OF_SHARES if options.share else QUESTION,
        source=counted.source,
        simulated=counted.simulated_note is not None,
        simulated_note=counted.simulated_note,
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
        limits=LIMITS_OF_SHARES if options.share else LIMITS,
        warnings=(
            *counted.warnings,
            *_probable(applicants),
            *total_notes(applicants.accounting, options.totals),
            *(rounding_cautions(impact.findings, rounded.ranges, choices.rule) if rounded and rounded.decimals else ()),
            *cautions_of(impact.findings),
        ),
        reproduce=shlex.join(["evenhand", "impact", *counted.typed, *words(options)]),
    )
    return Result(
        audit=audit,
        findings=impact.findings,
        tables=tables,
        input={"rows": applicants.accounting.rows_read, "columns": counted.columns},
        notes=(
            *_weighted(applicants, options),
            *applicants.accounting.notes,
            *([] if law is None else _law_notes(law)),
        ),
    )


BIAS_OF_PROBABLE = (
    "Groups of {attribute} are known as probabilities, and numbers of people are expected ones. The bias of the "
    "weighted estimator of a rate is minus the covariance of membership and selection among people with the same "
    "probabilities, over the share of the group. Where members are selected less often than others with the same "
    "probabilities, the rate is too high and a disparity too small; where they are selected more often, the other "
    "way round. These data can't show which; people whose group is known could (Chen et al. 2019). Intervals and "
    "p-values don't cover this bias, so no ratio is called shown above four-fifths."
)
WEIGHTED = (
    "Rows count by {weight}, scaled to a mean of 1: rates and ratios are estimates for the people that the rows stand "
    "for. Intervals and p are linearised (Taylor) by {clusters}, as if drawn with replacement from one stratum; "
    "positions are compared and are no strata of the sample. Tests of whole people, such as Fisher's, are left out."
)


def _probable(applicants: Applicants) -> list[str]:
    """Return the bias of groups that are known as probabilities."""
    probable = applicants.clustered is not None and applicants.clustered.probable
    return [BIAS_OF_PROBABLE.format(attribute=shortened(applicants.attributes[0]))] if probable else []


def _weighted(applicants: Applicants, options: ImpactOptions) -> list[str]:
    """Return what weights mean for estimates and tests."""
    if options.weight is None or applicants.clustered is None:
        return []
    clusters = " and ".join(applicants.clustered.names)
    return [WEIGHTED.format(weight=quoted(options.weight), clusters=clusters)]


def _extended(impact: Impact, applicants: Applicants, options: ImpactOptions, choices: ImpactChoices) -> Impact:
    """Return the analysis with the selection by years of age, and the first applicants against stated shares.

    These are the applicants of the first stage, undecided ones too.
    """
    if applicants.ages is not None and applicants.ages.height:
        from evenhand.comparisons.ages import with_ages  # noqa: PLC0415 - few runs have ages

        clusters = () if applicants.clustered is None else applicants.clustered.names
        impact = with_ages(impact, applicants.ages, clusters=clusters, confidence=choices.confidence)
    if not options.availability:
        return impact
    from evenhand.analyses.availability import stated_shares  # noqa: PLC0415 - few runs have stated shares
    from evenhand.comparisons.regulations import availability_findings  # noqa: PLC0415

    first = applicants.counts.filter(pl.col("stage") == (applicants.stages[0] if applicants.stages else ""))
    approach, cutoff = first.select("approach", "cutoff").row(0)
    people = first.filter(pl.col("approach") == approach, pl.col("cutoff").eq_missing(cutoff))
    if applicants.undecided is not None:
        undecided = applicants.undecided.filter(pl.col("stage").is_in(people["stage"].unique().implode()))
        people = pl.concat([people, undecided], how="diagonal").with_columns(pl.col("successes").fill_null(0))
        people = people.with_columns(pl.lit(approach).alias("approach"), pl.lit(cutoff, pl.Float64).alias("cutoff"))
    stated = stated_shares(options.availability, applicants, "--availability")
    result = availability_findings(people, stated, planned=False)
    return replace(impact, availability=result.rows, findings=uniquely_named([*impact.findings, *result.findings]))


def _youngest(applicants: Applicants, options: ImpactOptions, references: References) -> References:
    """Return the references with the youngest group of ages, unless another rule or group is named.

    The ADEA protects the older from a preference for the younger, and not the other way round.
    """
    youngest = f"under {min(options.age_bands, default=ADEA_AGE):g}"
    column = PROTECTED + "age"
    ruled = "age" in references.named or {"highest", "largest"} & set(options.reference)
    if ruled or column not in applicants.counts.columns or youngest not in set(applicants.counts[column]):
        return references
    return replace(references, named={**references.named, "age": youngest})


@dataclass(frozen=True, kw_only=True)
class Counted:
    """The applicants of a source, and facts about the source."""

    applicants: Applicants
    fingerprints: dict[str, str]
    source: str
    typed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    simulated_note: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)


def _share_files(options: ImpactOptions) -> dict[str, str]:
    """Return the SHA-256 of the tables of stated shares."""
    paths = [Path(value) for value in (*options.share, *options.availability) if "=" not in value]
    return {path.name: sha256_of(path) for path in paths}


def counted_source(source: Any, options: ImpactOptions) -> Counted:
    """Return the counts of a table or of a run, or those of `source` itself."""
    tables = impact_query.tables_of_periods(source, options)
    if tables is None and isinstance(source, Mapping):
        frame, options = impact_query.counts_table(source, options)
        impact_query.query_of(options)
        applicants = given_applicants(
            frame.rows(), attribute=options.protected[0], unknown=options.unknown, mapped=options.map
        )
        return Counted(applicants=applicants, fingerprints=_share_files(options), source="counts given")
    if options.ll144_tables:
        from evenhand.analyses.law_tables import read_law_tables  # noqa: PLC0415 - few runs have three tables

        law = read_law_tables(options)
        return Counted(applicants=law.applicants, fingerprints=law.fingerprints, source=law.name)
    from evenhand.data.applicants import count_applicants, count_outcomes  # noqa: PLC0415 - engines, not for counts
    from evenhand.data.tables import open_periods, open_table  # noqa: PLC0415

    if tables is not None:
        by_period = replace(options, period=PERIOD)
        impact_query.query_of(by_period)
        with open_periods(tables, **options.opening) as table:
            query = impact_query.query_of(by_period, columns=table.expr.columns)
            return Counted(
                applicants=count_applicants(table, query),
                fingerprints=table.fingerprints | _share_files(options),
                source=table.name,
                typed=tuple(f"{period}={source_text(each)}" for period, each in tables.items()),
            )
    path = Path(source) if isinstance(source, str | Path) and not is_url(str(source)) else None
    if path is not None and path.is_dir():
        of_answers = f"{path} is the run of a probe, in which a row is one answer."
        refuse(
            {
                f"--share needs a table of people; {of_answers}": options.share,
                f"--counts needs a table; {of_answers}": options.counts,
            }
        )
        manifest = read_manifest(path)
        outcomes = RunFolder(path).outcomes
        if manifest is None or not outcomes.is_file():
            raise InputError(f"{path} holds no outcomes.parquet; expected a table, or the run of a finished probe.")
        return Counted(
            applicants=count_outcomes(outcomes, impact_query.query_of(options, run=True)),
            fingerprints={outcomes.name: sha256_of(outcomes)},
            source=f"{manifest.probe} answered by {manifest.model}" if manifest.probe else f"ranks by {manifest.model}",
            typed=(str(source),),
            warnings=_repeating(options.cluster, manifest),
            simulated_note=SIMULATED if manifest.simulated else None,
        )
    impact_query.query_of(options)
    with open_table(source, sheets=options.sheets, **options.opening) as table:
        query = impact_query.query_of(options, columns=table.expr.columns, sheets=table.sheets)
        return Counted(
            applicants=count_applicants(table, query),
            fingerprints=table.fingerprints | _share_files(options),
            source=table.name,
            typed=(source_text(source),),
            columns={name: str(kind) for name, kind in table.expr.schema().items()},
            simulated_note=synthetic_note(source, table.fingerprints),
        )


def _ll144_counts(applicants: Applicants, options: ImpactOptions, of: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return the counts behind the rates of the law, those `of` periods: the decision, or scores above the median."""
    wanted = "selected" if options.score is None else "median"
    stage = "" if not applicants.stages else applicants.stages[0] if len(applicants.stages) == 1 else BOTTOM_LINE
    counts = applicants.counts if of is None else of
    counts = counts.filter((pl.col("approach") == wanted) & (pl.col("stage") == stage))
    if not counts["n"].sum():
        raise InputError(
            "--ll144 needs one decision per person over the stages: give --unit COLUMN, or one stage with --where."
        )
    return counts


def _excluding(applicants: Applicants, options: ImpactOptions, exclusion: Exclusion) -> Exclusion:
    """Return the exclusion with the categories of --exclude."""
    from evenhand.comparisons import regulations  # noqa: PLC0415 - few runs are of LL144

    required = regulations.required_attributes(applicants.attributes)
    counts, nobody = _ll144_counts(applicants, options), applicants.accounting.nobody or ()
    return replace(
        exclusion,
        categories=regulations.excluded_categories(options.exclude, counts, required, exclusion, nobody=nobody),
    )


def ll144_block(
    applicants: Applicants, options: ImpactOptions, exclusion: Exclusion
) -> applicant_audit.LL144Block | None:
    """Return the tables of Local Law 144; None without --ll144."""
    if not options.ll144:
        return None
    from evenhand.comparisons.regulations import ll144_rows, required_attributes  # noqa: PLC0415 - few runs are of LL144

    required = required_attributes(applicants.attributes)
    counts, nobody = _ll144_counts(applicants, options), applicants.accounting.nobody or ()
    scores = applicants.accounting.scores
    scoring = options.score is not None

    def rows(of: pl.DataFrame) -> tuple[applicant_audit.LL144Row, ...]:
        table = ll144_rows(of, required, exclusion, nobody=nobody)
        return tuple(applicant_audit.LL144Row(**row) for row in table.iter_rows(named=True))

    periods = None if applicants.periods is None else _ll144_counts(applicants, options, applicants.periods)
    by_period = {} if periods is None else periods.partition_by("period", as_dict=True, include_key=False)
    return applicant_audit.LL144Block(
        rows=rows(counts),
        scoring=scoring,
        median=scores.median if scoring and scores is not None else None,
        exclusion_reason=options.exclusion_reason,
        exclusion_base=options.exclusion_base,
        periods={str(label): rows(of) for (label,), of in sorted(by_period.items())},
        published=applicant_audit.Published(**{option.name: option.of(options) for option in declared(Published)}),
    )


def _law_notes(law: applicant_audit.LL144Block) -> list[str]:
    """Return what is left out of the law's ratios, and of whom the shares are; nothing where nothing is."""
    base = "of all people used" if law.exclusion_base == "all" else "of the people whose category is known"
    by_reason: dict[str, list[str]] = {}
    for row in law.rows:
        if row.excluded:
            size = f"({row.n:,}, {100 * (row.share or 0):.2f} %)"
            named = f"{shortened(row.category)} of {shortened(row.attribute)} {size}"
            by_reason.setdefault(row.reason or "", []).append(named)
    notes = []
    for reason, named_rows in by_reason.items():
        more = f" and {len(named_rows) - MOST_LISTED:,} more" if len(named_rows) > MOST_LISTED else ""
        first = ", ".join(named_rows[:MOST_LISTED])
        notes.append(f"Left out of the ratios of Local Law 144 ({reason}): {first}{more}.")
    if notes or law.exclusion_base != "all":
        notes.append(f"Shares of categories are {base} (exclusion base: {law.exclusion_base}).")
    return notes
