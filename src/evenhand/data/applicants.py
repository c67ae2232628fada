"""Applicants as counts: who applied, who was selected, in which groups, and who was not counted.

Applicants come from a table that a user brings, or from the outcomes of a finished probe. The accounting lists the
rows that were read, used and left out, as findings.json and the report show them.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.data import applicant_query, count_tables, counting
from evenhand.data import stages as data_stages
from evenhand.data.attributes import attributes_of, unknown_labels
from evenhand.data.conditions import filtered_rows
from evenhand.data.labels import EMPTY, NO, YES, fold
from evenhand.data.open_table import OpenTable
from evenhand.data.tables import open_table
from evenhand.errors import InputError
from evenhand.results import applicant_audit
from evenhand.results.messages import listed, quoted, shortened
from evenhand.results.schemas import CONTEXT, PEOPLE, PROTECTED

_MOST_LISTED = 6
_VALUE_ORDER = ("selected", "not selected", "without a decision", "yes", "no", "unknown")
#: The most characters of a condition that a note quotes.
LONGEST_CONDITION = 300


def account(
    table: OpenTable,
    query: applicant_query.ApplicantQuery,
    counted: counting.Counted,
    *,
    stages: data_stages.Stages | None,
    left_out: Sequence[dict[str, Any]],
    people: dict[str, Any] | None,
    notes: Sequence[str],
    evaluated: pl.DataFrame | None = None,
) -> applicant_audit.Accounting:
    """Return the accounting of rows (people, in a table of counts): read, left out and used, and how cells were parsed.

    `evaluated` are the rows that an evaluation uses, where there is one; those are the rows used.
    """
    cells = pl.concat(
        [counting.labelled(part.frame, counted.meaning) for part in counted.cells], how="diagonal_relaxed"
    )
    placed = cells.filter(pl.col("position").is_not_null())
    decided = pl.col("decided").is_not_null() if query.selected is not None else pl.lit(value=False)
    scored = pl.col("level") >= 0 if query.score is not None else pl.lit(value=False)
    used = placed if query.people else placed.filter(decided | scored)
    without_previous = None
    if evaluated is not None:
        if query.against is not None:
            without_previous = _sum(placed.filter(decided & scored)) - _sum(evaluated)
        used = evaluated
    attributes = counted.meaning.attributes
    conditions = tuple(applicant_audit.LeftOut(**entry) for entry in left_out)
    accounting = applicant_audit.Accounting(
        engine=table.engine,
        source=table.description,
        sheet=table.details.get("sheet"),
        table=table.details.get("table"),
        encoding=table.details.get("encoding"),
        separator=table.details.get("separator"),
        rows_read=counted.rows + sum(entry.rows_left_out for entry in conditions),
        blank_rows=table.details.get("blank_rows", 0),
        where=conditions,
        unit=None if counted.unit is None else applicant_audit.Units(**counted.unit),
        count=None if people is None else applicant_audit.CountColumns(**people),
        decisions=_decisions(query, counted),
        decision_unknown=_sum(placed.filter(~decided)) if query.selected is not None else 0,
        scores=_score_accounts(query, counted, placed),
        without_previous=without_previous,
        unknown={name: _sum(used.filter(pl.col(PROTECTED + name).is_null())) for name in attributes},
        unknown_labels={name: dict(labels.unknown) for name, (_, labels) in attributes.items()},
        folded=_merged_spellings(query, counted, stages),
        eeo1=tuple(applicant_audit.Eeo1Label(**entry) for _, labels in attributes.values() for entry in labels.placed),
        missing_position=_sum(cells) - _sum(placed),
        missing_stage=stages.missing if stages is not None else 0,
        stages_left_out=dict(stages.left_out) if stages is not None else {},
        stage_order=applicant_audit.StageOrder(**stages.accounting) if stages is not None else None,
        rows_used=_sum(used),
        positions=placed["position"].n_unique() if query.position is not None else 0,
    )
    return replace(accounting, notes=(*table.notes, *_notes(accounting), *notes))


def _sum(cells: pl.DataFrame) -> int:
    return int(cells["n"].sum())


def _decisions(query: applicant_query.ApplicantQuery, counted: counting.Counted) -> applicant_audit.Decisions | None:
    decisions = counted.meaning.decisions
    if decisions is None:
        return None
    return applicant_audit.Decisions(
        column=query.selected,
        selected_values=tuple(decisions.selected),
        outcome=query.outcome or None,
        counts=dict(decisions.counts),
        undecided_values=tuple(decisions.undecided),
    )


def _score_accounts(
    query: applicant_query.ApplicantQuery, counted: counting.Counted, placed: pl.DataFrame
) -> applicant_audit.Scores | None:
    if query.score is None:
        return None
    spreads = [part.spread for part in counted.cells if part.spread is not None]
    ends = [query.signed(end) for known in spreads for end in (known.lowest, known.highest) if end is not None]
    medians = {part.stage: None if part.median is None else query.signed(part.median) for part in counted.cells}
    return applicant_audit.Scores(
        column=query.score,
        null=_sum(placed.filter(pl.col("level") == applicant_query.NULL)),
        not_a_number=_sum(placed.filter(pl.col("level") == applicant_query.NOT_A_NUMBER)),
        infinite=_sum(placed.filter(pl.col("level") == applicant_query.INFINITE)),
        median=medians.get("", medians),
        lowest=min(ends, default=None),
        highest=max(ends, default=None),
    )


def _merged_spellings(
    query: applicant_query.ApplicantQuery, counted: counting.Counted, stages: data_stages.Stages | None
) -> tuple[applicant_audit.MergedSpellings, ...]:
    merged = [
        applicant_audit.MergedSpellings(column=name, **entry)
        for name, (_, labels) in counted.meaning.attributes.items()
        for entry in labels.folded
    ]
    if counted.meaning.positions is not None:
        merged += [
            applicant_audit.MergedSpellings(column=query.position, **entry)
            for entry in counted.meaning.positions.folded
        ]
    if stages is not None:
        merged += [applicant_audit.MergedSpellings(column=query.stage, **entry) for entry in stages.labels.folded]
    return tuple(merged)


def _notes(accounting: applicant_audit.Accounting) -> list[str]:
    """Return one line for each thing that a reader should know about the rows."""
    return [*_left_out_notes(accounting), *_understood(accounting)]


def _left_out_notes(accounting: applicant_audit.Accounting) -> list[str]:
    """Return notes on rows that are in no count, with the reason."""
    noun = "people" if accounting.count else "rows"
    notes = [
        f"{_rows(entry.rows_left_out, noun)} left out by --where "
        f"{quoted(entry.expression, most=LONGEST_CONDITION)}{_empty(entry.of_these_empty)}."
        for entry in accounting.where
        if entry.rows_left_out
    ]
    unit = accounting.unit
    if unit is not None and (unit.repeated_rows or unit.units < unit.counted):
        conflicts = f"; in {unit.conflicts:,} they disagree on a group, which is unknown then" if unit.conflicts else ""
        outcome = accounting.decisions is not None and accounting.decisions.outcome
        rule = ", with the highest score, and the outcome if any of its rows has it" if outcome else ""
        notes.append(
            f"{unit.rows:,} rows are {unit.counted:,} by {_listed(unit.by)}, each counted once{rule}{conflicts}. "
            f"There are {unit.units:,} different values of {quoted(unit.column)}."
        )
    if unit is not None and unit.with_several_positions:
        n = unit.with_several_positions
        have = "1 has" if n == 1 else f"{n:,} have"
        notes.append(
            f"Of {unit.units:,} by {quoted(unit.column)}, {have} several positions. Among all applicants they are "
            "counted in each, and the tests take that for different people."
        )
    for n, lacking in (
        (accounting.missing_position, "a position"),
        (accounting.missing_stage, "a stage"),
        (
            accounting.decision_unknown,
            "what happened" if accounting.decisions and accounting.decisions.outcome else "a decision",
        ),
    ):
        if n:
            notes.append(f"{_rows(n, noun)} not counted: without {lacking}.")
    scores = accounting.scores or applicant_audit.Scores()
    kinds = {"none": scores.null, "NaN": scores.not_a_number, "infinite": scores.infinite}
    unusable = [f"{n:,} {word}" for word, n in kinds.items() if n]
    if unusable:
        notes.append(f"Scores that are no numbers are not counted: {', '.join(unusable)}.")
    if accounting.without_previous:
        notes.append(f"{_rows(accounting.without_previous, noun)} not counted: without the previous version's score.")
    for name, n in accounting.stages_left_out.items():
        notes.append(f"{_rows(n, noun)} not counted: at the stage {quoted(name)}, which the order given leaves out.")
    return notes


def _understood(accounting: applicant_audit.Accounting) -> list[str]:
    """Return notes on how stages, groups and spellings were parsed."""
    notes = [counted_note(accounting.count)] if accounting.count else []
    if accounting.decisions and _has_other_values(accounting.decisions):
        notes.append(value_note(accounting.decisions))
    order = accounting.stage_order
    if order is not None and order.how != "given":
        notes.append(f"Stages were taken {order.how}: {listed(order.stages)}. Give the order to change it.")
    for name, n in accounting.unknown.items():
        if n:
            labels = listed(accounting.unknown_labels[name], most=_MOST_LISTED, quotes=True)
            notes.append(
                f"{shortened(name)} is unknown in {n:,} of the {'people' if accounting.count else 'rows'} counted"
                + (f" (among them {labels})." if labels else ".")
            )
    categories: dict[str, list[str]] = {}
    for entry in accounting.eeo1:
        label = quoted(entry.label) + (f" with {quoted(entry.hispanic)}" if entry.hispanic else "")
        categories.setdefault(entry.category, []).append(f"{label} ({entry.n:,})")
    for category, entries in categories.items():
        more = f" and {len(entries) - _MOST_LISTED} more" if len(entries) > _MOST_LISTED else ""
        notes.append(f"Counted as {quoted(category)} of the EEO-1: {', '.join(entries[:_MOST_LISTED])}{more}.")
    merged: dict[str, list[str]] = {}
    for spelt in accounting.folded:
        spellings = listed(spelt.merged, most=_MOST_LISTED, quotes=True)
        merged.setdefault(spelt.column or "", []).append(f"{spellings} as {quoted(spelt.kept)}")
    for name, entries in merged.items():
        more = f" and {len(entries) - _MOST_LISTED} more" if len(entries) > _MOST_LISTED else ""
        notes.append(f"Spellings of {shortened(name)} were taken together: {'; '.join(entries[:_MOST_LISTED])}{more}.")
    return notes


def counted_note(count: applicant_audit.CountColumns) -> str:
    """Return a sentence with the number of people in a table of counts."""
    columns = quoted(count.column) + (f" and {quoted(count.selected_column)}" if count.selected_column else "")
    rows = "1 row" if count.rows == 1 else f"{count.rows:,} rows"
    return f"{rows} are {count.people:,} people, by {columns}."


def _has_other_values(decisions: applicant_audit.Decisions) -> bool:
    """Say whether the decision column holds other values than yes, no and empty."""
    plain = YES | NO | EMPTY | {"1.0", "0.0", count_tables.SELECTED, count_tables.NOT_SELECTED}
    return not {fold(value) for value in decisions.counts} <= plain


def value_note(decisions: applicant_audit.Decisions) -> str:
    """Return a sentence with the meaning and the frequency of each value of the decision."""
    means: dict[str, list[str]] = {}
    for value, n in sorted(decisions.counts.items(), key=lambda item: _VALUE_ORDER.index(decisions.meaning(item[0]))):
        means.setdefault(decisions.meaning(value), []).append(f"{quoted(value) if value else 'empty'} ({n:,})")
    parts = [
        f"{meaning}: {', '.join(values[:_MOST_LISTED])}"
        + (f" and {len(values) - _MOST_LISTED} more" if len(values) > _MOST_LISTED else "")
        for meaning, values in means.items()
        if values
    ]
    return f"{shortened(decisions.column or '')}: {'; '.join(parts)}."


def _listed(names: Sequence[str]) -> str:
    texts = [quoted(name) for name in names]
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else texts[0]


def _empty(n: int) -> str:
    """Return the clause about rows for which a condition is neither true nor false."""
    if not n:
        return ""
    return f"; in {n:,} of them a cell that it uses is empty (to keep such rows add: COLUMN is null or …)"


def _rows(n: int, noun: str) -> str:
    if n == 1:
        return "1 person was" if noun == "people" else "1 row was"
    return f"{n:,} {noun} were"


_KEY_ORDER = ("selected", "cutoff", "median", PEOPLE)


def count_applicants(table: OpenTable, query: applicant_query.ApplicantQuery) -> applicant_query.Applicants:
    """Return applicants and selected per approach, stage, position and group.

    Only counts and sums by keys leave the engine; spellings are merged afterwards.

    Raises
    ------
    InputError
        A column, value or combination of options that can't be used.
    ServiceError
        The engine failed.

    >>> from evenhand.data.tables import open_table
    >>> frame = pl.DataFrame({"gender": ["F", "f ", "M", "M"], "hired": ["yes", "no", "yes", None]})
    >>> with open_table(frame) as table:
    ...     query = applicant_query.ApplicantQuery(protected=("gender",), selected="hired")
    ...     applicants = count_applicants(table, query)
    >>> applicants.counts.select("protected.gender", "n", "successes").rows()
    [('F', 2, 1), ('M', 1, 1)]
    """
    if query.applicants is not None:
        query = replace(query, selected=query.selected_count)
    _check(query)
    unknown = unknown_labels(query.unknown)
    count_tables.refuse_counts_taken_for_people(table, query)
    filtered = filtered_rows(table, query.where, count_tables.weight_of(table, query))
    people_of = count_tables.check_counts(table, filtered.expr, query)
    attributes = attributes_of(table, filtered.expr, query)
    rows = data_stages.rows_to_count(table, filtered.expr, query, attributes)
    stages = None
    if query.stage is not None:
        sizes = table.fetch(rows.group_by("stage").aggregate(n=count_tables.people(rows)))
        stages = data_stages.stages_of(sizes, query.stage, query.stages)
    count = counting.counted_rows if query.unit is None else counting.counted_units
    counted = count(table, rows, query, attributes=attributes, stages=stages, unknown=unknown)
    notes: list[str] = []
    counts = _counts(counted, query, stages, notes)
    clustered = None
    if query.apart:
        clustered = _by_cluster(counted, query, stages)
    if not counts["n"].sum() and not query.means:
        if query.people:
            raise InputError(f"No row of {table.name} is left to count.")
        lacking = (
            f"a score in {quoted(query.score)}" if query.selected is None else f"a decision in {quoted(query.selected)}"
        )
        raise InputError(f"No row of {table.name} has {lacking} that can be used.")
    groups = counted.meaning.groups
    last = counted.by_stage[-1]
    at_last = counted.cells[-1]
    sweep = None
    if query.sweep and query.score is not None:
        known = at_last.spread or data_stages.spread(table, data_stages.present(last.expr))
        if known.n:
            frame, values = data_stages.sweep_cells(table, last, query, known)
            sweep = counting.sweep_tally(
                counting.labelled(frame, counted.meaning), groups, values, strict=not query.at_least
            )
            cutoffs = pl.col("cutoff").map_elements(query.signed, pl.Float64)
            sweep = sweep.with_columns(cutoffs).sort("cutoff", *groups)
    return applicant_query.Applicants(
        attributes=tuple(attribute.name for attribute in attributes),
        counts=counts,
        scores=_score_summaries(counted, query) if query.means else None,
        sweep=sweep,
        given=_counts_by_qualification(table, counted, query) if query.given else None,
        stages=stages.names if stages is not None else (),
        clustered=clustered,
        accounting=account(
            table, query, counted, stages=stages, left_out=filtered.left_out, people=people_of, notes=notes
        ),
    )


def _check(query: applicant_query.ApplicantQuery) -> None:
    """Raise InputError for a query without a selection, or with options that don't fit together."""
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


def _by_cluster(
    counted: counting.Counted, query: applicant_query.ApplicantQuery, stages: data_stages.Stages | None
) -> applicant_query.ClusterCounts:
    """Return the counts and the scores by cluster."""
    coded = counting.with_cluster_codes(counted)
    extra = [f"{data_stages.CLUSTER}{place}" for place in range(len(query.apart))]
    counts = _counts(coded, query, stages, [], extra=extra)
    scores = _score_summaries(coded, query, extra=extra) if query.means else None
    frame = scores if scores is not None and not counts.height else counts
    return applicant_query.ClusterCounts(
        names=query.clusters,
        blocks=query.blocks,
        sizes=tuple(frame[name].n_unique() for name in extra[: len(query.clusters)]),
        counts=counts,
        scores=scores,
    )


def _counts(
    counted: counting.Counted,
    query: applicant_query.ApplicantQuery,
    stages: data_stages.Stages | None,
    notes: list[str],
    *,
    extra: Sequence[str] = (),
) -> pl.DataFrame:
    """Return n and successes per approach, cut-off, stage, position and group, and the `extra` columns."""
    groups = [*counted.meaning.groups, *extra]
    by = ["position", *groups]
    frames = []
    for cells in (*counted.cells, *([counted.bottom] if counted.bottom is not None else [])):
        frame = counting.labelled(cells.frame, counted.meaning).filter(pl.col("position").is_not_null())
        parts = []
        if query.selected is not None:
            parts.append(counting.selected_tally(frame, by))
        if query.people:
            parts.append(counting.people_tally(frame, by))
        if cells.bars:
            parts.append(counting.levels_tally(frame, by, cells.bars, _thresholds(cells, query, counted)))
        frames += [part.with_columns(pl.lit(cells.stage).alias("stage")) for part in parts]
    columns = ["approach", "cutoff", "stage", "position", *groups, "n", "successes"]
    kinds = [pl.String, pl.Float64, pl.String, pl.String, *[pl.String] * len(counted.meaning.groups)]
    kinds += [pl.Int64] * (len(extra) + 2)
    schema = dict(zip(columns, kinds, strict=True))
    counts = pl.concat([pl.DataFrame(schema=schema), *(frame.select(columns).cast(schema) for frame in frames)])  # type: ignore[arg-type]
    if stages is not None and counted.bottom is None and len(stages.names) > 1 and counts.height:
        joined, impossible = data_stages.bottom_line(counts, stages.names, groups)
        if not (extra and impossible):  # the clusters of some positions would not be those of all
            counts = pl.concat([counts, joined.select(columns).cast(schema)])  # type: ignore[arg-type]
        if impossible:
            scope = "" if query.position is None else f" for {len(impossible):,} of the positions"
            notes.append(
                f"There is no bottom line{scope}: a group has more people at {quoted(stages.names[-1])} than at "
                f"{quoted(stages.names[0])}. With --unit COLUMN people are followed from stage to stage."
            )
    order = pl.Enum(_KEY_ORDER)
    sorted_by = [pl.col("approach").cast(order), "cutoff", "stage", "position", *groups]
    return counts.sort(sorted_by, nulls_last=True)


def _thresholds(
    cells: data_stages.Cells, query: applicant_query.ApplicantQuery, counted: counting.Counted
) -> list[tuple[str, float, applicant_query.Threshold]]:
    """Return approach, cut-off as the user gave it, and its threshold."""
    thresholds = [
        (
            "cutoff",
            cutoff,
            applicant_query.Threshold(
                value=applicant_query.rounded_like(query.signed(cutoff), counted.score_column),
                strict=not query.at_least,
            ),
        )
        for cutoff in dict.fromkeys(query.cutoffs)
    ]
    if cells.median is not None:
        thresholds.append(
            ("median", query.signed(cells.median), applicant_query.Threshold(value=cells.median, strict=True))
        )
    return thresholds


def _score_summaries(
    counted: counting.Counted, query: applicant_query.ApplicantQuery, *, extra: Sequence[str] = ()
) -> pl.DataFrame:
    """Return n, mean and Σ(x − mean)² per stage, position and group, and the `extra` columns."""
    groups = [*counted.meaning.groups, *extra]
    columns = ["stage", "position", *groups, "n", "mean", "squares"]
    frames = [
        counting.means_tally(
            counting.labelled(cells.frame, counted.meaning).filter(pl.col("position").is_not_null()),
            ["position", *groups],
            cells,
        ).with_columns(pl.lit(cells.stage).alias("stage"))
        for cells in counted.cells
        if cells.steps is not None
    ]
    if not frames:
        raise InputError(f"No row of {counted.name} has a score in {quoted(query.score)} that can be used.")
    return pl.concat([frame.select(columns) for frame in frames]).sort("stage", "position", *groups, nulls_last=True)


def _counts_by_qualification(
    table: OpenTable, counted: counting.Counted, query: applicant_query.ApplicantQuery
) -> pl.DataFrame:
    cells = counted.cells[-1]
    bars: tuple[applicant_query.Threshold, ...] = ()
    if query.selected is None:
        first = _thresholds(cells, query, counted)[0][2]
        bars = (first,)
    frame = counting.labelled(data_stages.qualification_cells(table, counted.by_stage[-1], bars), counted.meaning)
    usable = pl.col("decided").is_not_null() if query.selected is not None else pl.col("level") >= 0
    success = pl.col("decided") if query.selected is not None else pl.col("level") == 1
    return counting.qualification_frame(frame.filter(usable), query.given, counted.meaning.groups, success)


DECISION = "successes"


def count_outcomes(outcomes: pl.LazyFrame | Path, query: applicant_query.ApplicantQuery) -> applicant_query.Applicants:
    """Return the judgements of outcomes.parquet as applicants; the query names columns without prefixes.

    Judgements that are not observed (refused, undetected …) are in no n; the accounting counts them under `statuses`.
    Without `protected` all attributes of the run are used; without `selected` and `score` a success is a selection.

    Raises
    ------
    InputError
        The judgements are counts of words, two columns have one bare name, or as for
        `count_applicants`.

    """
    frame = outcomes if isinstance(outcomes, pl.LazyFrame) else pl.scan_parquet(outcomes)
    names = frame.collect_schema().names()
    bare = [name.removeprefix(PROTECTED).removeprefix(CONTEXT) for name in names]
    twice = sorted({name for name in bare if bare.count(name) > 1})
    if twice:
        raise InputError(
            f"The outcomes have the column {quoted(twice[0])} twice, protected and as context; rename one."
        )
    trials = frame.select(pl.col("trials").max()).collect().item()
    if trials is not None and trials > 1:
        raise InputError(
            "These outcomes are counts of words in documents, not decisions; adverse impact needs decisions."
        )
    statuses = dict(frame.group_by(pl.col("status").cast(pl.String)).len().sort("status").collect().iter_rows())
    observed = (
        frame.filter(pl.col("status") == "observed")
        .rename(dict(zip(names, bare, strict=True)))
        .drop("status")
        .collect()
    )
    if not observed.height:
        raise InputError("None of the outcomes is observed: there are no decisions to count.")
    undecided = query.selected is None and query.score is None and not observed[DECISION].count()
    if undecided and "score" in bare and observed["score"].count():
        raise InputError("These outcomes are scores, not decisions; add --score score with --cutoff T or --median.")
    decision_query = replace(
        query,
        no_count=True,
        protected=query.protected or tuple(n.removeprefix(PROTECTED) for n in names if n.startswith(PROTECTED)),
        selected=query.selected or (None if query.score is not None else DECISION),
    )
    with open_table(observed) as table:
        applicants = count_applicants(replace(table, name="outcomes.parquet"), decision_query)
    return replace(applicants, accounting=replace(applicants.accounting, source="outcomes.parquet", statuses=statuses))
