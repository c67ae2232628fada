"""`evenhand evaluate`: which groups a score serves worse, and whether a new version does."""

from collections.abc import Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from math import inf, isfinite
from pathlib import Path
from typing import Any, Final, TypeVar

import polars as pl

from evenhand.analyses.impact_query import NO_COUNT, references_of
from evenhand.analyses.options.scores import EvaluateOptions
from evenhand.analyses.run import Run, refuse_clearing_input, table_facts, written_run
from evenhand.comparisons.evaluated_groups import Choices
from evenhand.comparisons.evaluation import EvaluationRequest, evaluate
from evenhand.data.applicant_query import total_notes
from evenhand.data.labels import comma_separated, parted
from evenhand.data.open_table import OpenTable
from evenhand.data.predictions import EMBEDDING, PredictionQuery, Predictions, read_predictions
from evenhand.data.roles import check_roles, copy_note
from evenhand.data.tables import open_table
from evenhand.errors import InputError, option_text
from evenhand.matching.features import NAMES
from evenhand.options import refuse
from evenhand.results.finding import Claim, Finding, copied, shared
from evenhand.results.measures import AUC, PLANNED_OF_SCORES, SELECTION_RATE
from evenhand.results.messages import Notices, listed, quoted
from evenhand.results.result import Result
from evenhand.results.score_audit import Decided, EvaluateAudit, Similar

Facts = TypeVar("Facts", bound=EvaluateAudit)

QUESTION = "For which groups does the score work worse, in ranking, errors or calibration?"
LIMITS = (
    "The outcome is known only for people in the table. If the score, or an earlier selection, decided who could "
    "succeed, the others are missing, and the rates describe only those who were let through.",
    "The outcome column is taken as the truth. If it is a rating or an arrest, the bias of that is in every number "
    "here.",
    "Equal error rates in all groups do not prove that the score is used lawfully.",
)


@dataclass(frozen=True, kw_only=True, repr=False)
class EvaluateRun(Run):
    """A finished evaluation."""

    audit: EvaluateAudit


def few_cluster_warnings(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return the cautions of planned comparisons, of each group the one on the fewest degrees of freedom."""
    fewest: dict[tuple[str, ...], Claim] = {}
    for finding in findings:
        claim, group = finding.claim, (*finding.focal, *finding.focal.values())
        if claim is not None and claim.planned and claim.caution is not None:
            fewest[group] = min(claim, fewest.get(group, claim), key=lambda known: known.df or 0.0)
    cautions = list(dict.fromkeys(claim.caution or "" for claim in fewest.values()))
    more = len(cautions) - MOST_CAUTIONS
    return (*cautions[:MOST_CAUTIONS], *([f"{more:,} more groups have few clusters; see findings.json."] * (more > 0)))


#: Groups whose few clusters the first screen names.
MOST_CAUTIONS: Final = 6
RANKS: Final = "ranks are not probabilities"


def run_evaluate(source: Any, options: EvaluateOptions, *, notice: Notices) -> EvaluateRun:
    """Evaluate a table of scores and outcomes; return the finished evaluation.

    Raises
    ------
    InputError
        Columns, values or options can't be used.
    ServiceError
        A database can't be reached.

    """
    _check(options)
    if options.match_run is not None:
        run = options.match_run
        pairs = run / "pairs.csv" if run.is_dir() else run  # a file is taken as the table of features
        if not pairs.is_file():
            what = "has no pairs.csv" if run.is_dir() else "is not there"
            raise InputError(
                f"{option_text('match_run', run)} {what}; expected a run of match explain, which writes it."
            )
        options = replace(options, match_run=pairs)
    refuse_clearing_input(options.out, [source, options.match_run], force=options.force)
    references_of(options.reference, ())  # refuse malformed options before anything is read
    result: Result[EvaluateAudit, Any] = analyse_evaluate(source, options, notice=notice)
    return written_run(EvaluateRun, result, options, "evaluate", notice=notice)


def analyse_evaluate(
    source: Any,
    options: EvaluateOptions,
    *,
    planned: Collection[str] = PLANNED_OF_SCORES,
    facts: type[Facts] = EvaluateAudit,  # type: ignore[assignment]
    notice: Notices = lambda _: None,
) -> Result[Facts, Any]:
    """Return the evaluation of a table of scores and outcomes, in which groups are compared as `planned`.

    Raises
    ------
    InputError, ServiceError
        As `run_evaluate`.

    """
    with ExitStack() as closing:
        table = closing.enter_context(open_table(source, **options.opening))
        if options.match_run is not None:
            table = _with_features(table, options.match_run, closing)
        if options.base_url:
            from evenhand.analyses.embedded_texts import with_embeddings  # noqa: PLC0415 - few need a client

            table = closing.enter_context(with_embeddings(table, options, most=MOST_PAIRS, notice=notice))
        query = query_of(options, table.expr.columns)
        predictions = read_predictions(table, query)
        name, fingerprints = table.name, dict(table.fingerprints)
        columns = {column: str(kind) for column, kind in table.expr.schema().items()}
    outside = _outside(predictions, query)
    request = EvaluationRequest(
        attributes=predictions.attributes,
        by=predictions.by,
        levels=predictions.levels,
        choices=Choices(
            references=references_of(options.reference, predictions.attributes, floor=options.reference_floor),
            intersectional=options.intersectional,
            min_share=options.min_share,
        ),
        probabilities=outside is None,
        ranked=query.top is not None,
        at_least=query.at_least,
        alike=predictions.similar,
        within=options.similar_within,
        seed=options.seed,
        planned=planned,
        cluster=query.cluster,
    )
    evaluation = evaluate(predictions.rows, request)
    answers = predictions.rows.select(pl.col("score").alias("answer"), "label", "n")
    copied_answer = [note for note in (copy_note(answers, query.score, query.label),) if note is not None]
    decided = Decided(
        **shared(query, Decided),
        positive=predictions.positive,
        probabilities=outside is None,
        no_probabilities=outside,
    )
    audit = facts(
        question=QUESTION,
        source=name,
        attributes=tuple(predictions.attributes),
        by=tuple(predictions.by),
        accounting=predictions.accounting,
        decided=decided,
        cutoffs=evaluation.cutoffs,
        tensions=evaluation.tensions,
        floor_notes=evaluation.floor_notes,
        similar=_similar_summary(predictions, query, options),
        limits=LIMITS,
        warnings=(
            *copied_answer,
            *total_notes(predictions.accounting, options.totals),
            *evaluation_warnings(evaluation.findings),
        ),
        **table_facts(["evaluate"], source, options, fingerprints),
    )
    cutoffs = {"cutoffs.csv": pl.DataFrame(evaluation.cutoffs, infer_schema_length=None)} if evaluation.cutoffs else {}
    return Result(
        audit=audit,
        findings=evaluation.findings,
        tables=cutoffs,
        input={"rows": predictions.accounting.rows_read, "columns": columns},
        notes=(
            *copied_answer,
            *predictions.accounting.notes,
            *([] if outside is None else [f"No calibration: {outside}."]),
        ),
    )


def query_of(options: EvaluateOptions, columns: Sequence[str] = ()) -> PredictionQuery:
    """Return the query of the table; the names of its `columns` may contain commas and signs.

    Raises
    ------
    InputError
        The label is the score, or a column has two roles.

    """
    label, value = parted(options.label, "=", columns)
    protected, by = comma_separated(options.protected, columns), comma_separated(options.by, columns)
    if twice := sorted(set(protected) & set(by)):
        raise InputError(
            f"{option_text('protected')} and {option_text('by')} both name {quoted(twice[0])}; "
            f"{option_text('protected')} analyses groups already: drop it from {option_text('by')}."
        )
    similar = similar_by(options.similar_by, columns)
    for name in similar:
        if name in {label, options.score, options.against, *protected}:
            raise InputError(
                f"{option_text('similar_by')} names {quoted(name)}, which is a group, the score or the outcome; "
                "give columns that define similar people."
            )
    none = options.count == NO_COUNT and NO_COUNT not in columns
    assert options.score is not None
    query = PredictionQuery(
        label=label,
        label_value=value or None,
        **copied(options, "score totals cutoff at_least top against against_cutoff cluster unit seed"),
        protected=protected,
        by=by,
        count=None if none else options.count,
        no_count=none,
        where=tuple(options.where),
        unknown=tuple(options.unknown),
        mapped=tuple(options.map),
        similar=similar,
    )
    check_roles(query)
    return query


#: Stands for the columns of the matcher's features.
FEATURES: Final = "features"


def similar_by(values: Sequence[str], columns: Sequence[str]) -> dict[str, float]:
    """Return the weights of the columns by which people are similar, 1 where none is given.

    Raises
    ------
    InputError
        A weight is no number above 0, a column is named twice, or vectors stand beside other columns.

    >>> similar_by(["years:2,degree"], ["years", "degree"])
    {'years': 2.0, 'degree': 1.0}
    """
    weights: dict[str, float] = {}
    for value in comma_separated(values, columns):
        name, sign, number = value.rpartition(":")
        if not sign or value in columns or value.startswith(EMBEDDING):
            name, number = value, "1"
        try:
            weight = float(number)
        except ValueError:
            weight = 0.0
        if not 0 < weight < inf:
            raise InputError(
                f"{option_text('similar_by', value)}: expected a weight above 0 after the colon, such as {name}:2."
            )
        if name == FEATURES and name not in columns:
            missing = [feature for feature in NAMES if feature not in columns]
            if missing:
                raise InputError(
                    f"{option_text('similar_by', FEATURES)}: the table lacks {listed(missing)} of the matcher's "
                    "features. Give --match-run RUN, a run of match explain that has these people and positions."
                )
            weights |= dict.fromkeys(NAMES, weight)
            continue
        vectors = name.removeprefix(EMBEDDING)
        if name.startswith(EMBEDDING) and columns and vectors not in columns:
            raise InputError(
                f"{option_text('similar_by', name)}: the table has no column {quoted(vectors)}; expected a column of "
                f"vectors, such as [0.12, -0.3]; a model needs {option_text('base_url', 'URL')}. "
                f"Columns: {listed(columns)}."
            )
        if name in weights:
            raise InputError(f"{option_text('similar_by')} names {quoted(name)} twice; give it one weight.")
        weights[name] = weight
    if len(weights) > 1 and any(name.startswith(EMBEDDING) for name in weights):
        raise InputError(
            f"{option_text('similar_by')}: {EMBEDDING}COLUMN defines the distance alone; drop the other columns."
        )
    return weights


#: The columns by which the features of a match run join the rows of a table.
PAIR: Final = ("person", "position")
MOST_PAIRS: Final = 1_000_000


def _with_features(table: OpenTable, path: Path, closing: ExitStack) -> OpenTable:
    """Return a table with the matcher's features of each row's person and position, and its score if it has none."""
    with open_table(path) as opened:
        pairs = opened.fetch(opened.expr, most=MOST_PAIRS)
    columns = table.expr.columns
    if lacking := [name for name in (*PAIR, *NAMES) if name not in pairs.columns]:
        raise InputError(f"{path} lacks {listed(lacking)}; expected pairs.csv of a run of match explain.")
    if lacking := [name for name in PAIR if name not in columns]:
        raise InputError(f"{option_text('match_run')} joins by person and position; the table lacks {listed(lacking)}.")
    if repeated := [name for name in NAMES if name in columns]:
        raise InputError(
            f"{option_text('match_run')}: the table already has {listed(repeated)}; drop "
            f"{option_text('match_run')}, or rename the columns."
        )
    added = [name for name in ("score", *NAMES) if name not in columns and name in pairs.columns]
    keys = {f"{name} of pairs": pl.col(name).cast(pl.String) for name in PAIR}
    features = pairs.select(*added, **keys).unique([*keys])
    rows = table.fetch(table.expr, most=MOST_PAIRS).with_columns(**keys)
    joined = rows.join(features, on=[*keys], how="left", maintain_order="left").select(*columns, *added)
    return replace(table, expr=closing.enter_context(open_table(joined)).expr, ordered=False)


def _check(options: EvaluateOptions) -> None:
    """Raise InputError if options contradict each other, or are incomplete."""
    counted = options.count if options.count != NO_COUNT else None
    similar = options.similar_by
    refuse(
        {
            "--label is missing: give the column with the outcome (yes or no).": options.label is None,
            "--score is missing: give the column with the score.": options.score is None,
            "--top and --cutoff are both given; --top is for ranks, --cutoff for scores: drop one of them.": (
                options.top is not None and options.cutoff is not None
            ),
            "--at-least needs --cutoff T; with --top, ranks up to it are selected.": options.top and options.at_least,
            "--at-least needs --cutoff T: scores equal to T are then selected, too.": (
                options.at_least and options.cutoff is None
            ),
            "--against-cutoff needs --against COLUMN and --cutoff T.": options.against_cutoff is not None
            and None in {options.against, options.cutoff},
            "--cutoff must be a finite number.": not isfinite(options.cutoff or 0),
            "--against-cutoff must be a finite number.": not isfinite(options.against_cutoff or 0),
            # What a row is.
            **{
                f"{name} needs a row per person, and with --count a row is several people: drop one of them.": (
                    counted and value
                )
                for name, value in {
                    "--unit": options.unit,
                    "--cluster": options.cluster,
                    "--similar-by": similar,
                }.items()
            },
            "--totals needs a table of counts: add --count COLUMN.": options.totals is not None and not counted,
            "--similar-by needs a row per person, and --unit joins rows: drop one of them.": options.unit and similar,
            "--similar-by compares decisions: add --cutoff T, or --top K for ranks.": (
                similar and options.cutoff is None and options.top is None
            ),
            "--match-run needs --similar-by features, or the names of some features.": options.match_run
            and not similar,
            "--base-url is the server of --similar-by embedding:MODEL: give both, or neither.": options.base_url
            and not any(value.startswith(EMBEDDING) for value in similar),
            f"{option_text('text')} needs {option_text('similar_by', 'embedding:MODEL')} and "
            f"{option_text('base_url')}.": options.text is not None and not options.base_url,
            "--similar-within needs --similar-by COLUMNS.": options.similar_within is not None and not similar,
        }
    )


def _outside(predictions: Predictions, query: PredictionQuery) -> str | None:
    """Return why scores are no probabilities; None if they may be."""
    if query.top is not None:
        return RANKS
    for name, column in (("score", query.score), ("against", query.against)):
        if column is not None:
            scores = predictions.rows[name]
            for value in (scores.min(), scores.max()):
                if not 0 <= float(value) <= 1:  # type: ignore[arg-type]
                    return f"{quoted(column)} holds {float(value):g}, and probabilities lie from 0 to 1"  # type: ignore[arg-type]
    return None


def _similar_summary(predictions: Predictions, query: PredictionQuery, options: EvaluateOptions) -> Similar:
    similar = predictions.similar
    if similar is None:
        return Similar()
    return Similar(
        columns={name: query.similar[name] for name in similar.values.columns},
        within=options.similar_within,
        people=similar.rows.height,
        of=similar.of,
        incomplete=similar.incomplete,
    )


def evaluation_warnings(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return warnings about the whole result, and about groups in few clusters."""
    estimates = {finding.name: finding.estimate for finding in findings if finding.name in {AUC, SELECTION_RATE}}
    texts = {
        (
            AUC,
            1,
        ): "The score separates the two outcomes without an error. Check whether it was computed from the outcome.",
        (SELECTION_RATE, 0): "At this cut-off nobody is selected, so the error rates say nothing of the score.",
        (SELECTION_RATE, 1): "At this cut-off everybody is selected, so the error rates say nothing of the score.",
    }
    warnings = (text for (name, value), text in texts.items() if estimates.get(name) == value)
    return (*warnings, *few_cluster_warnings(findings))
