"""An applicant table becomes counts: who applied, who was selected, in which groups, and who was not counted."""

import math
from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from evenhand.errors import InputError
from evenhand.hiring.accounting import account
from evenhand.hiring.columns.attributes import attributes_of
from evenhand.hiring.columns.scores import Bar, rounded_like
from evenhand.hiring.columns.stages import Stages, bottom_line, stages_of
from evenhand.hiring.columns.unknown import unknown_labels
from evenhand.hiring.conditions.where import kept_rows
from evenhand.hiring.counting.count_tables import refuse_counts_taken_for_people
from evenhand.hiring.counting.keys import Counted, counted_rows, counted_units, with_cluster_codes
from evenhand.hiring.counting.order_statistics import spread
from evenhand.hiring.counting.people import check_counts, people, weight_of
from evenhand.hiring.counting.stage_rows import CLUSTER, Cells, given_cells, present, rows_to_count, sweep_cells
from evenhand.hiring.counting.tallies import (
    given_frame,
    labelled,
    levels_tally,
    means_tally,
    people_tally,
    selected_tally,
    sweep_tally,
)
from evenhand.hiring.query import ApplicantQuery, Applicants, ClusterCounts
from evenhand.intake.tables import OpenTable
from evenhand.tables.impact_files import PEOPLE
from evenhand.tables.messages.quoting import quoted

__all__ = ["count_applicants"]

_ORDER = ("selected", "cutoff", "median", PEOPLE)
#: Of fewer clusters a cluster-robust interval is too short (Cameron and Miller 2015).
FEW = 30


def count_applicants(table: OpenTable, query: ApplicantQuery) -> Applicants:
    """Return applicants and selected per approach, stage, position and group.

    Only counts and sums by keys leave the engine; spellings are taken together on them.

    Raises
    ------
    InputError
        A column, value or combination of options that can't be used.
    ServiceError
        The engine failed.

    >>> from evenhand.intake.tables import open_table
    >>> frame = pl.DataFrame({"gender": ["F", "f ", "M", "M"], "hired": ["yes", "no", "yes", None]})
    >>> with open_table(frame) as table:
    ...     found = count_applicants(table, ApplicantQuery(protected=("gender",), selected="hired"))
    >>> found.counts.select("protected.gender", "n", "successes").rows()
    [('F', 2, 1), ('M', 1, 1)]
    """
    if query.applicants is not None:
        query = replace(query, selected=query.selected_count)
    _check(query)
    unknown = unknown_labels(query.unknown)
    refuse_counts_taken_for_people(table, query)
    kept = kept_rows(table, query.where, weight_of(table, query))
    people_of = check_counts(table, kept.expr, query)
    attributes = attributes_of(table, kept.expr, query)
    rows = rows_to_count(table, kept.expr, query, attributes)
    stages = None
    if query.stage is not None:
        sizes = table.fetch(rows.group_by("stage").aggregate(n=people(rows)))
        stages = stages_of(sizes, query.stage, query.stages)
    count = counted_rows if query.unit is None else counted_units
    counted = count(table, rows, query, attributes=attributes, stages=stages, unknown=unknown)
    notes: list[str] = []
    counts = _counts(counted, query, stages, notes)
    clustered = None
    if query.apart:
        clustered = _by_cluster(counted, query, stages)
        notes += [_few_clusters(name, n) for name, n in zip(clustered.names, clustered.sizes, strict=True) if n < FEW]
    if not counts["n"].sum() and not query.means:
        if query.people:
            raise InputError(f"No row of {table.name} is left to count.")
        what = (
            f"a score in {quoted(query.score)}" if query.selected is None else f"a decision in {quoted(query.selected)}"
        )
        raise InputError(f"No row of {table.name} has {what} that can be used.")
    groups = counted.meaning.groups
    last = counted.by_stage[-1]
    at_last = counted.cells[-1]
    sweep = None
    if query.sweep and query.score is not None:
        known = at_last.spread or spread(table, present(last.expr))
        if known.n:
            frame, values = sweep_cells(table, last, query, known)
            sweep = sweep_tally(labelled(frame, counted.meaning), groups, values, strict=not query.at_least)
            cutoffs = pl.col("cutoff").map_elements(query.signed, pl.Float64)
            sweep = sweep.with_columns(cutoffs).sort("cutoff", *groups)
    return Applicants(
        attributes=tuple(attribute.name for attribute in attributes),
        counts=counts,
        scores=_scores(counted, query) if query.means else None,
        sweep=sweep,
        given=_given(table, counted, query) if query.given else None,
        stages=stages.names if stages is not None else (),
        clustered=clustered,
        accounting=account(table, query, counted, stages=stages, left_out=kept.left_out, people=people_of, notes=notes),
    )


def _check(query: ApplicantQuery) -> None:
    """Raise InputError for what can't be asked together."""
    if query.selected is None and query.score is None and not query.people:
        raise InputError(
            "Nothing says who was selected; use --selected COLUMN, or --score COLUMN with --cutoff or --median."
        )
    by_score = bool(query.cutoffs) or query.median or query.means or query.sweep > 0
    if query.score is None and by_score:
        raise InputError("--cutoff, --median and --means compare scores; name their column with --score COLUMN.")
    if query.score is not None and not by_score:
        raise InputError(f"--score {query.score} says nothing of who is selected; add --cutoff T, --median or --means.")
    if not all(math.isfinite(value) for value in query.cutoffs):
        raise InputError("A cut-off is no finite number.")
    if query.given and query.selected is None and not (query.cutoffs or query.median):
        raise InputError("--given needs to know who was selected; use --selected COLUMN, or --cutoff T or --median.")


def _by_cluster(counted: Counted, query: ApplicantQuery, stages: Stages | None) -> ClusterCounts:
    """Return the counts and the scores apart by cluster."""
    coded = with_cluster_codes(counted)
    beside = [f"{CLUSTER}{place}" for place in range(len(query.apart))]
    counts = _counts(coded, query, stages, [], beside=beside)
    scores = _scores(coded, query, beside=beside) if query.means else None
    frame = scores if scores is not None and not counts.height else counts
    return ClusterCounts(
        names=query.clusters,
        blocks=query.blocks,
        sizes=tuple(frame[name].n_unique() for name in beside[: len(query.clusters)]),
        counts=counts,
        scores=scores,
    )


def _few_clusters(name: str, n: int) -> str:
    return (
        f"{quoted(name)} has {n:,} value{'' if n == 1 else 's'}: with fewer than {FEW} clusters the intervals are too "
        "short and the p-values too small."
    )


def _counts(
    counted: Counted, query: ApplicantQuery, stages: Stages | None, notes: list[str], *, beside: Sequence[str] = ()
) -> pl.DataFrame:
    """Return n and successes per approach, cut-off, stage, position and group, and the columns `beside` them."""
    groups = [*counted.meaning.groups, *beside]
    by = ["position", *groups]
    frames = []
    for cells in (*counted.cells, *([counted.bottom] if counted.bottom is not None else [])):
        frame = labelled(cells.frame, counted.meaning).filter(pl.col("position").is_not_null())
        parts = []
        if query.selected is not None:
            parts.append(selected_tally(frame, by))
        if query.people:
            parts.append(people_tally(frame, by))
        if cells.bars:
            parts.append(levels_tally(frame, by, cells.bars, _wanted(cells, query, counted)))
        frames += [part.with_columns(pl.lit(cells.stage).alias("stage")) for part in parts]
    columns = ["approach", "cutoff", "stage", "position", *groups, "n", "successes"]
    kinds = [pl.String, pl.Float64, pl.String, pl.String, *[pl.String] * len(counted.meaning.groups)]
    kinds += [pl.Int64] * (len(beside) + 2)
    schema = dict(zip(columns, kinds, strict=True))
    counts = pl.concat([pl.DataFrame(schema=schema), *(frame.select(columns).cast(schema) for frame in frames)])  # type: ignore[arg-type]
    if stages is not None and counted.bottom is None and len(stages.names) > 1 and counts.height:
        joined, impossible = bottom_line(counts, stages.names, groups)
        if not (beside and impossible):  # clusters that are there in part would not be those of the whole
            counts = pl.concat([counts, joined.select(columns).cast(schema)])  # type: ignore[arg-type]
        if impossible:
            where = "" if query.position is None else f" for {len(impossible):,} of the positions"
            notes.append(
                f"There is no bottom line{where}: a group has more people at {quoted(stages.names[-1])} than at "
                f"{quoted(stages.names[0])}. With --unit COLUMN people are followed from stage to stage."
            )
    order = pl.Enum(_ORDER)
    sorted_by = [pl.col("approach").cast(order), "cutoff", "stage", "position", *groups]
    return counts.sort(sorted_by, nulls_last=True)


def _wanted(cells: Cells, query: ApplicantQuery, counted: Counted) -> list[tuple[str, float, Bar]]:
    """Return approach, cut-off as the user gave it, and the bar that it is."""
    wanted = [
        (
            "cutoff",
            cutoff,
            Bar(value=rounded_like(query.signed(cutoff), counted.score_column), strict=not query.at_least),
        )
        for cutoff in dict.fromkeys(query.cutoffs)
    ]
    if cells.median is not None:
        wanted.append(("median", query.signed(cells.median), Bar(value=cells.median, strict=True)))
    return wanted


def _scores(counted: Counted, query: ApplicantQuery, *, beside: Sequence[str] = ()) -> pl.DataFrame:
    """Return n, mean and Σ(x − mean)² per stage, position and group, and the columns `beside` them."""
    groups = [*counted.meaning.groups, *beside]
    columns = ["stage", "position", *groups, "n", "mean", "squares"]
    frames = [
        means_tally(
            labelled(cells.frame, counted.meaning).filter(pl.col("position").is_not_null()),
            ["position", *groups],
            cells,
        ).with_columns(pl.lit(cells.stage).alias("stage"))
        for cells in counted.cells
        if cells.steps is not None
    ]
    if not frames:
        raise InputError(f"No row of {counted.name} has a score in {quoted(query.score)} that can be used.")
    return pl.concat([frame.select(columns) for frame in frames]).sort("stage", "position", *groups, nulls_last=True)


def _given(table: OpenTable, counted: Counted, query: ApplicantQuery) -> pl.DataFrame:
    """Return counts by groups and qualifications."""
    cells = counted.cells[-1]
    bars: tuple[Bar, ...] = ()
    if query.selected is None:
        first = _wanted(cells, query, counted)[0][2]
        bars = (first,)
    frame = labelled(given_cells(table, counted.by_stage[-1], bars), counted.meaning)
    usable = pl.col("decided").is_not_null() if query.selected is not None else pl.col("level") >= 0
    success = pl.col("decided") if query.selected is not None else pl.col("level") == 1
    return given_frame(frame.filter(usable), query.given, counted.meaning.groups, success)
