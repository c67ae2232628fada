"""Applicants as counts: who applied, who was selected, in which groups, and who was not counted.

Applicants come from a table that a user brings, or from the outcomes of a finished probe. The accounting lists the
rows that were read, used and left out, as findings.json and the report show them.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from evenhand.data import applicant_query, count_tables, counting, funnels, roles, sampling, score_cells
from evenhand.data import stages as data_stages
from evenhand.data.applicant_query import accounting_notes
from evenhand.data.attributes import attributes_of
from evenhand.data.conditions import FilteredRows, filtered_rows
from evenhand.data.group_labels import label_rules
from evenhand.data.labels import Labels
from evenhand.data.open_table import OpenTable
from evenhand.data.published_counts import published_counts
from evenhand.data.tables import open_table
from evenhand.data.written_numbers import with_plain_numbers
from evenhand.errors import InputError, option_text
from evenhand.results import applicant_audit
from evenhand.results.messages import listed, quoted, shortened
from evenhand.results.schemas import CONTEXT, PEOPLE, PROTECTED, SELECTED


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
    cells = pl.concat([counting.labelled(part.frame, counted.meaning) for part in counted.once], how="diagonal_relaxed")
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
    labels = {name: of for name, (_, of) in attributes.items()}
    spelled: list[tuple[str | None, Labels | None]] = [*labels.items(), (query.position, counted.meaning.positions)]
    spelled.append((query.stage, None if stages is None else stages.labels))
    merged = applicant_query.merged_spellings(*((name, of) for name, of in spelled if of is not None))
    accounts = applicant_query.label_accounts(labels) | {"folded": merged}
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
        **accounts,
        eeo1=tuple(applicant_audit.Eeo1Label(**entry) for _, labels in attributes.values() for entry in labels.placed),
        missing_position=_sum(cells) - _sum(placed),
        missing_stage=stages.missing if stages is not None else 0,
        stages_left_out=dict(stages.left_out) if stages is not None else {},
        stage_order=applicant_audit.StageOrder(**stages.accounting) if stages is not None else None,
        rows_used=_sum(used),
        positions=placed["position"].n_unique() if query.position is not None else 0,
    )
    return replace(accounting, notes=(*table.notes, *accounting_notes(accounting), *notes))


def _sum(cells: pl.DataFrame) -> int:
    return int(cells["n"].sum())


def _decisions(query: applicant_query.ApplicantQuery, counted: counting.Counted) -> applicant_audit.Decisions | None:
    decisions = counted.meaning.decisions
    if decisions is None or query.is_funnel:
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
        null=_sum(placed.filter(pl.col("level") == score_cells.NULL)),
        not_a_number=_sum(placed.filter(pl.col("level") == score_cells.NOT_A_NUMBER)),
        infinite=_sum(placed.filter(pl.col("level") == score_cells.INFINITE)),
        median=medians.get("", medians),
        lowest=min(ends, default=None),
        highest=max(ends, default=None),
    )


#: More periods make no table.
MOST_PERIODS = 60
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
        query = replace(query, selected=query.selected_count or query.selection_rate)
    named = {query.count: "--count", query.applicants: "--applicants", query.selected_count: "--selected-count"}
    named |= {name: "--counts" for _, *pair in query.wide for name in pair}
    table = with_plain_numbers(table, named, counts=True)
    numbers = {query.score: "--score", query.weight: "--weight"} | {name: "--protected" for _, name in query.members}
    table = with_plain_numbers(table, numbers)
    funnel = None
    if query.is_funnel:
        funnel = funnels.funnel_of(table, query)
        table, query = funnel.table, funnel.query
    _check(query)
    count_tables.refuse_counts_taken_for_people(table, query)
    if query.is_weighted:
        table = sampling.numbered(table)
    filtered = filtered_rows(table, query.where, count_tables.weight_of(table, query))
    with ExitStack() as closing:
        published = published_counts(table, query, filtered, closing)
        if funnel is not None and published.table.expr is not table.expr:
            funnel = funnels.funnel_of(published.table, replace(published.query, applicants=None))
        applicants = _counted(published.table, published.query, published.filtered, funnel)
        if published.lowest is not None and published.highest is not None:
            lowest, highest = (
                _counted(replace(published.table, expr=rows.expr), published.query, rows).counts
                for rows in (published.lowest, published.highest)
            )
            bounds = applicant_query.CountBounds(suppressed=bool(published.suppressed), lowest=lowest, highest=highest)
            applicants = replace(applicants, bounds=bounds)
    uncertain = None
    if published.suppressed or published.decimals:
        uncertain = applicant_audit.UncertainCounts(
            suppressed=published.suppressed, decimals=published.decimals, ranges=tuple(_ranges(applicants))
        )
    accounting = replace(applicants.accounting, totals=published.totals, uncertain=uncertain)
    if query.wide and accounting.count is not None:
        # A row of the table is one for each group here.
        rows = -(-accounting.count.rows // len(query.wide))
        of_sheet = replace(accounting, count=replace(accounting.count, rows=rows))
        before, now = applicant_query.counted_note(accounting), applicant_query.counted_note(of_sheet)
        accounting = replace(of_sheet, notes=tuple(now if note == before else note for note in accounting.notes))
    notes = (
        *applicant_query.total_notes(accounting, query.totals),
        *applicant_query.uncertain_notes(accounting, query.suppressed),
        *accounting.notes,
    )
    return replace(applicants, accounting=replace(accounting, notes=notes))


def _ranges(applicants: applicant_query.Applicants) -> Iterator[applicant_audit.CountRange]:
    """Yield the groups whose counts are not known exactly, with their ranges."""
    bounds = applicants.bounds
    if bounds is None:
        return
    frames = {"least": applicants.counts, "low": bounds.lowest, "high": bounds.highest}
    for name in applicants.attributes:
        by = ["stage", PROTECTED + name]
        parts = [
            frame.with_columns(pl.col(PROTECTED + name).fill_null(""))
            .group_by(by)
            .agg(pl.col("n").sum().alias(f"n {kind}"), pl.col("successes").sum().alias(f"s {kind}"))
            for kind, frame in frames.items()
        ]
        joined = parts[1].join(parts[0], on=by, how="left").join(parts[2], on=by, how="left").fill_null(0).sort(by)
        for row in joined.iter_rows(named=True):
            n, selected = (row["n least"], row["n low"]), (row["s low"], row["s high"])
            if n[0] < n[1] or selected[0] < selected[1]:
                yield applicant_audit.CountRange(
                    attribute=name, group=row[PROTECTED + name], stage=row["stage"] or None, n=n, selected=selected
                )


def _counted(
    table: OpenTable,
    query: applicant_query.ApplicantQuery,
    filtered: FilteredRows,
    funnel: funnels.Funnel | None = None,
) -> applicant_query.Applicants:
    """Return the applicants of rows that meet the conditions."""
    rules = label_rules(query.unknown, query.mapped, columns=query.mapped_columns)
    people_of = None if funnel is None else funnel.people
    people_of = people_of or count_tables.check_counts(table, filtered.expr, query)
    attributes = attributes_of(table, filtered.expr, query)
    sampling.check_sampling(table, filtered.expr, query, people_of)
    more = {} if funnel is None else funnel.columns
    rows = data_stages.rows_to_count(table, filtered.expr, query, attributes, more)
    stages = None
    if funnel is not None:
        rows, stages = funnel.by_stage(rows), funnel.stages
    elif query.stage is not None:
        sizes = table.fetch(rows.group_by("stage").aggregate(n=count_tables.people(rows)))
        stages = data_stages.stages_of(sizes, query.stage, query.stages)
    count = counting.counted_rows if query.unit is None else counting.counted_units
    counted = count(table, rows, query, attributes=attributes, stages=stages, rules=rules)
    notes: list[str] = [] if funnel is None else [*funnel.notes]
    if query.selected_count is not None and roles.names_bad_outcome(query.selected_count):
        notes.append(
            f"{quoted(query.selected_count)} is a bad outcome by its name; here it counts the people selected."
        )
    counts = _counts(counted, query, stages, notes)
    clustered = periods = None
    if query.apart or query.is_weighted:
        clustered = _by_cluster(counted, query, stages)
        if query.membership is not None:
            nobody_known = pl.lit(None, pl.String).alias(PROTECTED + query.membership)
            counts = sampling.expected_people(clustered.counts, counts.with_columns(nobody_known))
    if clustered is not None and query.period is not None:
        periods = _by_period(clustered, query)
        clustered = clustered if query.clusters or query.blocks else None
    if not counts["n"].sum() and not query.means:
        if query.people:
            raise InputError(f"{table.name} has no rows left to count.")
        lacking = (
            f"a score in {quoted(query.score)}" if query.selected is None else f"a decision in {quoted(query.selected)}"
        )
        raise InputError(f"No row of {table.name} has {lacking} that can be used.")
    accounting = account(
        table, query, counted, stages=stages, left_out=filtered.left_out, people=people_of, notes=notes
    )
    if query.nobody:
        nobody = counting.groups_of_nobody(
            table, filtered.expr, query, attributes=attributes, counted=counted, rules=rules
        )
        accounting = replace(accounting, nobody=nobody or None)
    return applicant_query.Applicants(
        attributes=(*(attribute.name for attribute in attributes), *([query.membership] if query.membership else [])),
        counts=counts,
        scores=_score_summaries(counted, query) if query.means else None,
        sweep=_sweep(table, counted, query),
        given=_weighted(_counts_by_qualification(table, counted, query), query, counted) if query.given else None,
        stages=stages.names if stages is not None else (),
        clustered=clustered,
        undecided=_undecided(counted) if query.bounds and query.selected is not None else None,
        periods=periods,
        ages=None if query.is_weighted else _by_age(counted, query),
        accounting=accounting,
    )


def _undecided(counted: counting.Counted) -> pl.DataFrame:
    """Return the numbers of people without a decision by approach, stage, position and group."""
    by = ["position", *counted.meaning.groups]
    parts = [
        counting.labelled(cells.frame, counted.meaning)
        .filter(pl.col("position").is_not_null(), pl.col("decided").is_null())
        .group_by(by)
        .agg(pl.col("n").sum().cast(pl.Int64))
        .select(pl.lit(SELECTED).alias("approach"), pl.lit(cells.stage).alias("stage"), *by, "n")
        for cells in (*counted.cells, *([counted.bottom] if counted.bottom is not None else []))
    ]
    return pl.concat(parts).sort(pl.all(), nulls_last=True)


def _sweep(table: OpenTable, counted: counting.Counted, query: applicant_query.ApplicantQuery) -> pl.DataFrame | None:
    """Return the counts at equally spaced cut-offs of the last stage; None without any."""
    if not query.sweep or query.score is None:
        return None
    *_, last = counted.by_stage.values()
    known = counted.cells[-1].spread or data_stages.spread(table, data_stages.present(last))
    if not known.n:
        return None
    groups = counted.meaning.groups
    frame, values = data_stages.sweep_cells(table, last, query, known)
    sweep = counting.sweep_tally(counting.labelled(frame, counted.meaning), groups, values, strict=not query.at_least)
    return sweep.with_columns(pl.col("cutoff").map_elements(query.signed, pl.Float64)).sort("cutoff", *groups)


def _check(query: applicant_query.ApplicantQuery) -> None:
    """Raise InputError for a query without a selection, or with options that don't fit together."""
    if query.selected is None and query.score is None and not query.people and not query.wide:
        raise InputError(
            f"The selection is missing; give {option_text('selected', 'COLUMN')}, or "
            f"{option_text('score', 'COLUMN')} with {option_text('cutoff')} or {option_text('median')}."
        )
    by_score = bool(query.cutoffs) or query.median or query.means or query.sweep > 0
    if query.score is None and by_score:
        raise InputError(
            f"{option_text('cutoff')}, {option_text('median')} and {option_text('means')} need scores; give "
            f"their column with {option_text('score', 'COLUMN')}."
        )
    if query.score is not None and not by_score:
        raise InputError(
            f"{option_text('score', query.score)} doesn't define who is selected; add "
            f"{option_text('cutoff', 'T')}, {option_text('median')} or {option_text('means')}."
        )
    if not all(math.isfinite(value) for value in query.cutoffs):
        raise InputError("A cut-off must be a finite number.")
    if query.given and query.selected is None and not (query.cutoffs or query.median):
        raise InputError(
            f"{option_text('given')} needs a selection; give {option_text('selected', 'COLUMN')}, or "
            f"{option_text('cutoff', 'T')} or {option_text('median')}."
        )


def _by_cluster(
    counted: counting.Counted, query: applicant_query.ApplicantQuery, stages: data_stages.Stages | None
) -> applicant_query.ClusterCounts:
    """Return the counts and the scores by cluster."""
    coded = counting.with_cluster_codes(counted)
    apart = len(query.cluster_names) + len(query.blocks) + (query.period is not None)
    extra = [f"{data_stages.CLUSTER}{place}" for place in range(apart)]
    counts = _weighted(_counts(coded, query, stages, [], extra=extra), query, counted)
    scores = _score_summaries(coded, query, extra=extra) if query.means else None
    if query.period is not None:
        parts = [*counted.cells, *([counted.bottom] if counted.bottom is not None else [])]
        labels = pl.concat([cells.frame[extra[-1]].cast(pl.String) for cells in parts]).unique().sort()
        counts = counts.with_columns(period=labels.gather(counts[extra[-1]])).drop(extra[-1])
    frame = scores if scores is not None and not counts.height else counts
    return applicant_query.ClusterCounts(
        names=query.cluster_names,
        probable=query.membership is not None,
        blocks=query.blocks,
        sizes=tuple(frame[name].n_unique() for name in extra[: len(query.clusters)]),
        counts=counts,
        scores=scores,
    )


def _by_age(counted: counting.Counted, query: applicant_query.ApplicantQuery) -> pl.DataFrame | None:
    """Return n and successes by years of age (and cluster), by the first definition of a selection, at the last stage.

    None where people were followed by unit, who may have several ages, or whose numbers are sums.
    """
    if query.age is None or "age" not in counted.meaning.attributes or query.unit is not None or query.people:
        return None
    ((key,), _) = counted.meaning.attributes["age"]
    coded = counting.with_cluster_codes(counted) if query.clusters else counted
    cells = coded.cells[-1]
    frame = counting.labelled(cells.frame.with_columns(years=pl.col(key)), counted.meaning)
    success = pl.col("decided")
    if query.selected is None and query.applicants is None and not query.is_funnel:
        if not cells.bars:
            return None
        _, _, first = _thresholds(cells, query, counted)[0]
        success = pl.when(pl.col("level") >= 0).then(pl.col("level") > cells.bars.index(first))
    by = ["years", *(f"{data_stages.CLUSTER}{place}" for place in range(len(query.clusters)))]
    known = frame.with_columns(success=success).filter(pl.col("success").is_not_null(), pl.col("years") >= 0)
    return known.group_by(by).agg(pl.col("n").sum(), pl.col("n").filter("success").sum().alias(DECISION)).sort(by)


def _by_period(clustered: applicant_query.ClusterCounts, query: applicant_query.ApplicantQuery) -> pl.DataFrame:
    """Return the counts by period, over all clusters and blocks."""
    counts = clustered.counts
    periods = counts["period"].n_unique()
    if not periods:
        raise InputError(
            f"{option_text('period')} needs a selection, and mean scores have none; add "
            f"{option_text('cutoff', 'T')} or {option_text('median')}, or leave it out."
        )
    if periods < 2:
        raise InputError(
            f"{option_text('period', shortened(query.period or ''))} has one period, "
            f"{quoted(counts['period'][0])}; group dates by =quarter or =month, or leave it out."
        )
    if periods > MOST_PERIODS:
        raise InputError(
            f"{option_text('period', shortened(query.period or ''))} has {periods:,} periods, more than "
            f"{MOST_PERIODS}; group dates by =quarter or =year, or group labels first."
        )
    keys = [name for name in counts.columns if not name.startswith(data_stages.CLUSTER) and name not in {"n", DECISION}]
    return counts.group_by(keys).agg(pl.col("n", DECISION).sum()).sort(keys, nulls_last=True)


def _weighted(counts: pl.DataFrame, query: applicant_query.ApplicantQuery, counted: counting.Counted) -> pl.DataFrame:
    """Return counts by weight as sums of weights; others as they are."""
    if not query.is_weighted:
        return counts
    return sampling.weighted(counts, mean=sampling.mean_weight(pl.concat([part.frame for part in counted.once])))


def _counts(
    counted: counting.Counted,
    query: applicant_query.ApplicantQuery,
    stages: data_stages.Stages | None,
    notes: list[str],
    *,
    extra: Sequence[str] = (),
) -> pl.DataFrame:
    """Return n and successes per approach, cut-off, stage, position and group, and the `extra` columns."""
    of_members = [PROTECTED + query.membership] if extra and query.membership else []
    extra = [*extra, *([sampling.WEIGHT] if extra and query.is_weighted else [])]
    groups = [*counted.meaning.groups, *of_members, *extra]
    by = ["position", *groups]
    frames = []
    for cells in (*counted.cells, *([counted.bottom] if counted.bottom is not None else [])):
        frame = counting.labelled(cells.frame, counted.meaning).filter(pl.col("position").is_not_null())
        frame = sampling.as_members(frame, query) if of_members else frame
        parts = []
        if query.selected is not None:
            parts.append(counting.selected_tally(frame, by))
        if query.people:
            parts.append(counting.people_tally(frame, by))
        if cells.bars:
            parts.append(counting.levels_tally(frame, by, cells.bars, _thresholds(cells, query, counted)))
        frames += [part.with_columns(pl.lit(cells.stage).alias("stage")) for part in parts]
    columns = ["approach", "cutoff", "stage", "position", *groups, "n", "successes"]
    kinds = [pl.String, pl.Float64, pl.String, pl.String]
    kinds += [pl.String if name.startswith(PROTECTED) else pl.Int64 for name in groups] + [
        pl.Float64 if of_members else pl.Int64
    ] * 2
    kinds = [pl.Float64 if name == sampling.WEIGHT else kind for name, kind in zip(columns, kinds, strict=True)]
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
        elif late := data_stages.joined_later(counts, stages.names, groups):
            notes.append(
                f"A group has more people at {listed(late, quotes=True)} than were selected at the stage before; the "
                f"bottom line is of all at {quoted(stages.names[0])}, as if nobody had joined later."
            )
    order = pl.Enum(_KEY_ORDER)
    sorted_by = [pl.col("approach").cast(order), "cutoff", "stage", "position", *groups]
    return counts.sort(sorted_by, nulls_last=True)


def _thresholds(
    cells: data_stages.Cells, query: applicant_query.ApplicantQuery, counted: counting.Counted
) -> list[tuple[str, float, score_cells.Threshold]]:
    """Return approach, cut-off as the user gave it, and its threshold."""
    thresholds = [
        (
            "cutoff",
            cutoff,
            score_cells.Threshold(
                value=score_cells.rounded_like(query.signed(cutoff), counted.score_column),
                strict=not query.at_least,
            ),
        )
        for cutoff in dict.fromkeys(query.cutoffs)
    ]
    if cells.median is not None:
        thresholds.append(
            ("median", query.signed(cells.median), score_cells.Threshold(value=cells.median, strict=True))
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
    """Return counts by qualification of the first definition of a selection, at the last stage."""
    cells = counted.cells[-1]
    bars: tuple[score_cells.Threshold, ...] = ()
    approach: tuple[str, float | None] = (SELECTED, None)
    if query.selected is None:
        *approach, first = _thresholds(cells, query, counted)[0]  # type: ignore[assignment]
        bars = (first,)
    *_, last = counted.by_stage.values()
    frame = counting.labelled(data_stages.qualification_cells(table, last, bars), counted.meaning)
    groups = counted.meaning.groups
    if query.membership is not None:
        frame, groups = sampling.as_members(frame, query), [*groups, PROTECTED + query.membership]
    usable = pl.col("decided").is_not_null() if query.selected is not None else pl.col("level") >= 0
    success = pl.col("decided") if query.selected is not None else pl.col("level") == 1
    counts = counting.qualification_frame(frame.filter(usable), query.given, groups, success)
    keys = zip(
        ("approach", "cutoff", "stage"), (*approach, cells.stage), (pl.String, pl.Float64, pl.String), strict=True
    )
    return counts.select(*(pl.lit(value, kind).alias(name) for name, value, kind in keys), pl.all())


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
        raise InputError("These outcomes are counts of words, not decisions; adverse impact needs decisions.")
    statuses = dict(frame.group_by(pl.col("status").cast(pl.String)).len().sort("status").collect().iter_rows())
    observed = (
        frame.filter(pl.col("status") == "observed")
        .rename(dict(zip(names, bare, strict=True)))
        .drop("status")
        .collect()
    )
    if not observed.height:
        raise InputError("No outcome was observed, so there are no decisions to count.")
    undecided = query.selected is None and query.score is None and not observed[DECISION].count()
    if undecided and "score" in bare and observed["score"].count():
        raise InputError(
            f"These outcomes are scores, not decisions; add {option_text('score', 'score')} with "
            f"{option_text('cutoff', 'T')} or {option_text('median')}."
        )
    decision_query = replace(
        query,
        no_count=True,
        protected=query.protected or tuple(n.removeprefix(PROTECTED) for n in names if n.startswith(PROTECTED)),
        selected=query.selected or (None if query.score is not None else DECISION),
    )
    with open_table(observed) as table:
        applicants = count_applicants(replace(table, name="outcomes.parquet"), decision_query)
    return replace(applicants, accounting=replace(applicants.accounting, source="outcomes.parquet", statuses=statuses))
