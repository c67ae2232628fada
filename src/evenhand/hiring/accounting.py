"""Who was counted and who was not, as it is told in findings.json and the report."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from evenhand.hiring.columns.decisions import EMPTY, NO, YES
from evenhand.hiring.columns.folding import fold
from evenhand.hiring.columns.scores import INFINITE, NOT_A_NUMBER, NULL
from evenhand.hiring.columns.stages import Stages
from evenhand.hiring.counting.keys import Counted
from evenhand.hiring.counting.people import NOT_SELECTED, SELECTED
from evenhand.hiring.counting.tallies import labelled
from evenhand.hiring.query import ApplicantQuery
from evenhand.intake.tables import OpenTable
from evenhand.tables.audit.applicants.accounting import (
    Accounting,
    CountColumns,
    Decisions,
    Eeo1Label,
    Folded,
    LeftOut,
    Scores,
    StageOrder,
    Units,
)
from evenhand.tables.messages.quoting import listed, quoted, shortened
from evenhand.tables.schemas import PROTECTED

__all__ = ["account", "counted_note", "value_note"]

_SHOWN = 6
_ORDER = ("selected", "not selected", "without a decision", "yes", "no", "unknown")
#: Characters of a condition that a note repeats; the user wrote it.
LONGEST_CONDITION = 300


def account(
    table: OpenTable,
    query: ApplicantQuery,
    counted: Counted,
    *,
    stages: Stages | None,
    left_out: Sequence[dict[str, Any]],
    people: dict[str, Any] | None,
    notes: Sequence[str],
    evaluated: pl.DataFrame | None = None,
) -> Accounting:
    """Return rows read, left out and used, and what was understood of their cells; of a table of counts, people.

    `evaluated` are rows of people with all that an evaluation asks, where there is one: they are those used.
    """
    cells = pl.concat([labelled(part.frame, counted.meaning) for part in counted.cells], how="diagonal_relaxed")
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
    where = tuple(LeftOut(**entry) for entry in left_out)
    found = Accounting(
        engine=table.engine,
        source=table.description,
        sheet=table.details.get("sheet"),
        table=table.details.get("table"),
        encoding=table.details.get("encoding"),
        separator=table.details.get("separator"),
        rows_read=counted.rows + sum(entry.rows_left_out for entry in where),
        blank_rows=table.details.get("blank_rows", 0),
        where=where,
        unit=None if counted.unit is None else Units(**counted.unit),
        count=None if people is None else CountColumns(**people),
        decisions=_decisions(query, counted),
        decision_unknown=_sum(placed.filter(~decided)) if query.selected is not None else 0,
        scores=_scores(query, counted, placed),
        without_previous=without_previous,
        unknown={name: _sum(used.filter(pl.col(PROTECTED + name).is_null())) for name in attributes},
        unknown_labels={name: dict(labels.unknown) for name, (_, labels) in attributes.items()},
        folded=_folded(query, counted, stages),
        eeo1=tuple(Eeo1Label(**entry) for _, labels in attributes.values() for entry in labels.placed),
        missing_position=_sum(cells) - _sum(placed),
        missing_stage=stages.missing if stages is not None else 0,
        stages_left_out=dict(stages.left_out) if stages is not None else {},
        stage_order=StageOrder(**stages.accounting) if stages is not None else None,
        rows_used=_sum(used),
        positions=placed["position"].n_unique() if query.position is not None else 0,
    )
    return replace(found, notes=(*table.notes, *_notes(found), *notes))


def _sum(cells: pl.DataFrame) -> int:
    return int(cells["n"].sum())


def _decisions(query: ApplicantQuery, counted: Counted) -> Decisions | None:
    decisions = counted.meaning.decisions
    if decisions is None:
        return None
    return Decisions(
        column=query.selected,
        selected_values=tuple(decisions.selected),
        outcome=query.outcome or None,
        counts=dict(decisions.counts),
        undecided_values=tuple(decisions.undecided),
    )


def _scores(query: ApplicantQuery, counted: Counted, placed: pl.DataFrame) -> Scores | None:
    if query.score is None:
        return None
    spreads = [part.spread for part in counted.cells if part.spread is not None]
    ends = [query.signed(end) for known in spreads for end in (known.lowest, known.highest) if end is not None]
    medians = {part.stage: None if part.median is None else query.signed(part.median) for part in counted.cells}
    return Scores(
        column=query.score,
        null=_sum(placed.filter(pl.col("level") == NULL)),
        not_a_number=_sum(placed.filter(pl.col("level") == NOT_A_NUMBER)),
        infinite=_sum(placed.filter(pl.col("level") == INFINITE)),
        median=medians.get("", medians),
        lowest=min(ends, default=None),
        highest=max(ends, default=None),
    )


def _folded(query: ApplicantQuery, counted: Counted, stages: Stages | None) -> tuple[Folded, ...]:
    found = [
        Folded(column=name, **entry)
        for name, (_, labels) in counted.meaning.attributes.items()
        for entry in labels.folded
    ]
    if counted.meaning.positions is not None:
        found += [Folded(column=query.position, **entry) for entry in counted.meaning.positions.folded]
    if stages is not None:
        found += [Folded(column=query.stage, **entry) for entry in stages.labels.folded]
    return tuple(found)


def _notes(found: Accounting) -> list[str]:
    """Return in one line each what a reader should know of the rows."""
    return [*_left_out(found), *_understood(found)]


def _left_out(found: Accounting) -> list[str]:
    """Return which rows are in no count, and why."""
    noun = "people" if found.count else "rows"
    notes = [
        f"{_rows(entry.rows_left_out, noun)} left out by --where "
        f"{quoted(entry.expression, most=LONGEST_CONDITION)}{_empty(entry.of_these_empty)}."
        for entry in found.where
        if entry.rows_left_out
    ]
    unit = found.unit
    if unit is not None and (unit.repeated_rows or unit.units < unit.counted):
        conflicts = f"; in {unit.conflicts:,} they disagree on a group, which is unknown then" if unit.conflicts else ""
        outcome = found.decisions is not None and found.decisions.outcome
        how = ", with the highest score, and the outcome if any of its rows has it" if outcome else ""
        notes.append(
            f"{unit.rows:,} rows are {unit.counted:,} by {_listed(unit.by)}, each counted once{how}{conflicts}. "
            f"There are {unit.units:,} different values of {quoted(unit.column)}."
        )
    if unit is not None and unit.with_several_positions:
        n = unit.with_several_positions
        have = "1 has" if n == 1 else f"{n:,} have"
        notes.append(
            f"Of {unit.units:,} by {quoted(unit.column)}, {have} several positions. Among all applicants they are "
            "counted in each, and the tests take that for different people."
        )
    for n, what in (
        (found.missing_position, "a position"),
        (found.missing_stage, "a stage"),
        (found.decision_unknown, "what happened" if found.decisions and found.decisions.outcome else "a decision"),
    ):
        if n:
            notes.append(f"{_rows(n, noun)} not counted: without {what}.")
    scores = found.scores or Scores()
    kinds = {"none": scores.null, "NaN": scores.not_a_number, "infinite": scores.infinite}
    held = [f"{n:,} {word}" for word, n in kinds.items() if n]
    if held:
        notes.append(f"Scores that are no numbers are not counted: {', '.join(held)}.")
    if found.without_previous:
        notes.append(f"{_rows(found.without_previous, noun)} not counted: without the previous version's score.")
    for name, n in found.stages_left_out.items():
        notes.append(f"{_rows(n, noun)} not counted: at the stage {quoted(name)}, which the order given leaves out.")
    return notes


def _understood(found: Accounting) -> list[str]:
    """Return how stages, groups and spellings were understood."""
    notes = [counted_note(found.count)] if found.count else []
    if found.decisions and _told(found.decisions):
        notes.append(value_note(found.decisions))
    order = found.stage_order
    if order is not None and order.how != "given":
        notes.append(f"Stages were taken {order.how}: {listed(order.stages)}. Give the order to change it.")
    for name, n in found.unknown.items():
        if n:
            labels = listed(found.unknown_labels[name], most=_SHOWN, quotes=True)
            notes.append(
                f"{shortened(name)} is unknown in {n:,} of the {'people' if found.count else 'rows'} counted"
                + (f" (among them {labels})." if labels else ".")
            )
    categories: dict[str, list[str]] = {}
    for entry in found.eeo1:
        label = quoted(entry.label) + (f" with {quoted(entry.hispanic)}" if entry.hispanic else "")
        categories.setdefault(entry.category, []).append(f"{label} ({entry.n:,})")
    for category, entries in categories.items():
        more = f" and {len(entries) - _SHOWN} more" if len(entries) > _SHOWN else ""
        notes.append(f"Counted as {quoted(category)} of the EEO-1: {', '.join(entries[:_SHOWN])}{more}.")
    merged: dict[str, list[str]] = {}
    for spelt in found.folded:
        spellings = listed(spelt.merged, most=_SHOWN, quotes=True)
        merged.setdefault(spelt.column or "", []).append(f"{spellings} as {quoted(spelt.kept)}")
    for name, entries in merged.items():
        more = f" and {len(entries) - _SHOWN} more" if len(entries) > _SHOWN else ""
        notes.append(f"Spellings of {shortened(name)} were taken together: {'; '.join(entries[:_SHOWN])}{more}.")
    return notes


def counted_note(count: CountColumns) -> str:
    """Return how many people the rows of a table of counts are."""
    columns = quoted(count.column) + (f" and {quoted(count.selected_column)}" if count.selected_column else "")
    rows = "1 row" if count.rows == 1 else f"{count.rows:,} rows"
    return f"{rows} are {count.people:,} people, by {columns}."


def _told(decisions: Decisions) -> bool:
    """Return whether values other than yes, no and empty were understood."""
    plain = YES | NO | EMPTY | {"1.0", "0.0", SELECTED, NOT_SELECTED}
    return not {fold(value) for value in decisions.counts} <= plain


def value_note(decisions: Decisions) -> str:
    """Return what each value of the decision was taken to mean, with how often it occurs."""
    means: dict[str, list[str]] = {}
    for value, n in sorted(decisions.counts.items(), key=lambda each: _ORDER.index(decisions.meaning(each[0]))):
        means.setdefault(decisions.meaning(value), []).append(f"{quoted(value) if value else 'empty'} ({n:,})")
    parts = [
        f"{meaning}: {', '.join(values[:_SHOWN])}"
        + (f" and {len(values) - _SHOWN} more" if len(values) > _SHOWN else "")
        for meaning, values in means.items()
        if values
    ]
    return f"{shortened(decisions.column or '')}: {'; '.join(parts)}."


def _listed(names: Sequence[str]) -> str:
    texts = [quoted(name) for name in names]
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else texts[0]


def _empty(n: int) -> str:
    """Return what is said of rows for which a condition is neither true nor false."""
    if not n:
        return ""
    return f"; in {n:,} of them a cell that it uses is empty (to keep such rows add: COLUMN is null or …)"


def _rows(n: int, what: str) -> str:
    if n == 1:
        return "1 person was" if what == "people" else "1 row was"
    return f"{n:,} {what} were"
