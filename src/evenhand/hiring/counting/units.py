"""Several rows of one applicant become one, in the engine."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import ibis

from evenhand.errors import InputError
from evenhand.hiring.columns.decisions import Decisions
from evenhand.hiring.columns.folding import Labels
from evenhand.hiring.columns.lookup import is_text
from evenhand.hiring.columns.stages import Stages
from evenhand.hiring.counting.stage_rows import CLUSTER
from evenhand.hiring.counting.tallies import Meaning
from evenhand.intake.tables import OpenTable
from evenhand.tables.messages.quoting import quoted, shortened

__all__ = ["Coded", "coded", "one_row_each", "refuse_units_apart"]

#: Columns that keep their values.
_AS_THEY_ARE = frozenset({"score", "state", "against", "against_state", "cluster", "weight"})


@dataclass(frozen=True, kw_only=True)
class Coded:
    """Rows whose keys are numbers of ours, and what the numbers mean."""

    expr: Any
    meaning: Meaning


def coded(table: OpenTable, rows: Any, meaning: Meaning, unit: str | None, stages: Stages | None) -> Coded:
    """Return the rows with a small number for each group, decision and stage, so that rows can agree or not.

    Raises
    ------
    InputError
        A row has no unit.

    """
    columns: dict[str, Any] = {}
    if unit is not None:
        _check_units(table, rows, unit)
        columns["unit"] = rows.unit
    attributes: dict[str, tuple[tuple[str, ...], Labels]] = {}
    for name, (keys, labels) in meaning.attributes.items():
        groups = sorted({label for label in labels.of.values() if label is not None})
        columns[key := f"key_{len(attributes)}"] = _code(
            rows, keys, labels.of, {group: n for n, group in enumerate(groups)}
        )
        codes: dict[Hashable, str | None] = {(n,): group for n, group in enumerate(groups)}
        attributes[name] = ((key,), replace(labels, of={**codes, (None,): None}))
    positions = None
    if meaning.positions is not None:
        columns["position"], positions = _one_spelling(rows.position, meaning.positions)
    decisions = None
    if meaning.decisions is not None:
        given = {(value,): decided for value, decided in meaning.decisions.of.items()}
        columns["decision"] = _code(rows, ("decision",), given, {True: 1, False: 0})
        decisions = Decisions(
            of={1: True, 0: False, None: None},
            counts=meaning.decisions.counts,
            selected=meaning.decisions.selected,
            undecided=meaning.decisions.undecided,
        )
    if stages is not None:
        of = {(value,): label for value, label in stages.of.items()}
        columns["stage"] = _code(rows, ("stage",), of, {name: n for n, name in enumerate(stages.names)})
    for name in rows.columns:
        if name.startswith(("given_", "similar_", CLUSTER)) or name in _AS_THEY_ARE:
            columns[name] = rows[name].cast("int8") if rows[name].type().is_boolean() else rows[name]
    return Coded(
        expr=rows.select(**columns),
        meaning=Meaning(attributes=attributes, positions=positions, decisions=decisions),
    )


def _check_units(table: OpenTable, rows: Any, unit: str) -> None:
    """Raise InputError where a row has no unit."""
    blank = rows.unit.isnull() | (rows.unit.strip() == "") if is_text(rows.unit) else rows.unit.isnull()
    missing = table.fetch(rows.aggregate(n=ibis.ifelse(blank, 1, 0).sum()))["n"][0]
    if missing:
        are = "1 row has" if missing == 1 else f"{missing:,} rows have"
        raise InputError(
            f'{are} no {quoted(unit)} in {table.name}; fill it in, or leave them out: --where "{unit} is not null".'
        )


def one_row_each(rows: Any, *, last: int | None = None) -> Any:
    """Return one row per unit and position (and stage): selected if any row is, the highest score.

    A group is known where all rows that know it agree. With `last`, the number of the last stage, rows of
    all stages are joined and only those of the last one select: the bottom line.
    """
    by = [name for name in ("unit", "position", "stage") if name in rows.columns and (last is None or name != "stage")]
    keys = [name for name in rows.columns if name.startswith("key_")]
    given = [name for name in rows.columns if name.startswith("given_")]
    at_last = rows.stage == last if last is not None else None
    sums: dict[str, Any] = {"rows": rows.count()}
    apart = [name for name in rows.columns if name == "cluster" or name.startswith(CLUSTER)]
    sums |= {name: rows[name].min() for name in apart}
    for name in (*keys, *given):
        sums[f"{name}_low"], sums[f"{name}_high"] = rows[name].min(), rows[name].max()
    for name in ("decision", "state", "score", "against_state", "against"):
        if name in rows.columns:
            sums[name] = rows[name].max(where=at_last)
    if at_last is not None:
        sums["reached"] = ibis.ifelse(at_last, 1, 0).max()
    joined = rows.group_by(by).aggregate(**sums)
    agree = {name: joined[f"{name}_low"] == joined[f"{name}_high"] for name in (*keys, *given)}
    kept = (*by, *apart, "rows", "score", "against")
    columns = {name: joined[name] for name in kept if name in joined.columns}
    for name in (*keys, *given):
        columns[name] = ibis.ifelse(agree[name], joined[f"{name}_low"], ibis.null(joined[f"{name}_low"].type()))
    for name in ("decision", "state", "against_state"):
        if name in joined.columns:
            value = joined[name]
            # Whoever never reached the last stage was not selected at it, and holds no score there.
            columns[name] = value if at_last is None else ibis.ifelse(joined.reached == 0, ibis.literal(0), value)
    columns = {
        name: column.cast("int32") if name in {"decision", "state", "against_state"} else column
        for name, column in columns.items()
    }
    if at_last is not None:
        columns["reached"] = joined.reached
    disagree = ibis.or_(*(~ibis.coalesce(agree[name], ibis.literal(value=True)) for name in keys))
    columns["conflict"] = ibis.ifelse(disagree, 1, 0).cast("int32")
    return joined.select(**columns)


def refuse_units_apart(table: OpenTable, rows: Any, clusters: Mapping[str, tuple[str, str]], by: Sequence[str]) -> None:
    """Raise InputError where the rows of one unit are of several clusters."""
    for key, (name, option) in clusters.items():
        column = rows[key]
        each = rows.group_by([key for key in ("unit", "position") if key in rows.columns]).aggregate(
            low=column.min(), high=column.max()
        )
        n = int(table.fetch(each.filter(each.low != each.high).count().as_table())[0, 0])
        if n:
            raise InputError(
                f"{option} {shortened(name)}: {n:,} applicants (by {', '.join(map(quoted, by))}) have several values "
                "of it; whoever counts once has one: name a column that is the same in all their rows."
            )


def _code(rows: Any, keys: tuple[str, ...], of: Mapping[Any, Hashable | None], codes: Mapping[Any, int]) -> Any:
    """Return the code of each row's values; null where they mean nothing."""
    cases = []
    if len(keys) == 1:
        column = rows[keys[0]]
        for meaning, code in codes.items():
            raw = [values[0] for values, found in of.items() if found == meaning]
            test = column.isin([value for value in raw if value is not None])
            cases.append((test | column.isnull() if None in raw else test, code))
    else:
        for values, found in of.items():
            if found is not None:
                same = [
                    rows[key].isnull() if value is None else rows[key] == value
                    for key, value in zip(keys, values, strict=True)
                ]
                cases.append((ibis.and_(*same), codes[found]))
    nothing = ibis.null("int32")
    return ibis.cases(*cases, else_=nothing).cast("int32") if cases else nothing


def _one_spelling(column: Any, labels: Labels) -> tuple[Any, Labels]:
    """Return a column in which all spellings of a label are one of them."""
    first: dict[str, Hashable] = {}
    cases = []
    for value, label in sorted(labels.of.items(), key=lambda item: str(item[0])):
        if label is not None and first.setdefault(label, value) != value:
            cases.append((column == value, ibis.literal(first[label], type=column.type())))
    return (ibis.cases(*cases, else_=column) if cases else column), labels
