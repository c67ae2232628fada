"""What the values of the key columns mean: labels as they are called, decisions, statuses."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from evenhand.errors import InputError
from evenhand.hiring.columns.attributes import attributes_of
from evenhand.hiring.columns.cardinality import check_cardinality
from evenhand.hiring.columns.decisions import decisions_of
from evenhand.hiring.columns.folding import fold, labels_of, text_of
from evenhand.hiring.columns.lookup import checked_column
from evenhand.hiring.columns.unknown import UNKNOWN
from evenhand.hiring.counting.stage_rows import without_nan
from evenhand.hiring.daily.query import DatedQuery
from evenhand.hiring.query import ApplicantQuery
from evenhand.intake.tables import OpenTable
from evenhand.tables.messages.quoting import listed, quoted
from evenhand.tables.schemas import BREAKDOWN, PROTECTED, STATUSES

__all__ = ["Meanings", "meanings_of"]

#: Only a blank cell is no position, stage or department: any other text may be the name of one.
_BLANK = frozenset({""})


@dataclass(frozen=True, kw_only=True)
class Meanings:
    """The key columns in the engine, and for each thing they tell its keys, values and type."""

    columns: Mapping[str, Any]
    of: Mapping[str, tuple[tuple[str, ...], Mapping[Any, Hashable | None], pl.DataType]]
    notes: tuple[str, ...]


def meanings_of(table: OpenTable, rows: Any, query: DatedQuery) -> Meanings:
    """Return what the values of a table's key columns mean; each column is counted once.

    Raises
    ------
    InputError
        A column does not exist or has too many values, or a decision, label or status is not understood.

    """
    named = {
        "position": ("--position", query.position),
        "stage": ("--stage", query.stage),
        "decided_by": ("--decided-by", query.decided_by),
        "selected": ("--selected", query.selected),
        "label": ("--label", query.label),
        "status": ("--status", query.status),
    }
    named |= {f"{BREAKDOWN}{name}": ("--by", name) for name in query.by}
    columns = {key: checked_column(table, name, option) for key, (option, name) in named.items() if name is not None}
    attributes = attributes_of(table, rows, ApplicantQuery(protected=query.protected)) if query.protected else ()
    for attribute in attributes:
        columns |= attribute.keys
    if not columns:
        return Meanings(columns={}, of={}, notes=())
    told = {key: (option, name) for key, (option, name) in named.items() if name is not None}
    told |= {key: ("--protected", attribute.name) for attribute in attributes for key in attribute.keys}
    keys = rows.select(**{key: without_nan(column) for key, column in columns.items()})
    check_cardinality(table, keys, told)
    of: dict[str, Any] = {}
    notes: list[str] = []
    for key, (_, name) in told.items():
        counts = table.fetch(keys.group_by(key).aggregate(n=keys.count()))
        if key in {"selected", "label"}:
            of |= _decisions(counts.rename({key: "decision"}), key, name, query)
        elif key == "status":
            of[key] = ((key,), _statuses(counts, name), pl.String())
        elif key.startswith("key_"):
            attribute = next(each for each in attributes if key in each.keys)
            labels = attribute.labels(counts, UNKNOWN)
            of[PROTECTED + attribute.name] = ((key,), labels.of, pl.String())
            notes += _folded(name, labels.folded)
        else:
            labels = labels_of(counts.iter_rows(), _BLANK)
            of[key] = ((key,), {(value,): label for value, label in labels.of.items()}, pl.String())
            notes += _folded(name, labels.folded)
    return Meanings(columns=columns, of=of, notes=tuple(notes))


def _decisions(counts: pl.DataFrame, key: str, name: str, query: DatedQuery) -> dict[str, Any]:
    """Return what decisions mean, and of those that are none which wait for one."""
    wanted, undecided = (query.selected_value, query.undecided) if key == "selected" else (query.label_value, ())
    found = decisions_of(counts, name, wanted, undecided)
    of: dict[str, Any] = {key: ((key,), {(value,): each for value, each in found.of.items()}, pl.Boolean())}
    if key == "selected":
        none = {fold(value) for value in found.undecided}
        waits = {(value,): value is not None and fold(text_of(value) or "") in none for value in found.of}
        of["waits"] = ((key,), waits, pl.Boolean())
    return of


def _statuses(counts: pl.DataFrame, name: str) -> dict[tuple[Any], str]:
    """Return the status of each value; an empty cell is an observed judgement."""
    found = {}
    for value in counts["status"]:
        status = fold(text_of(value) or "") or "observed"
        if status not in STATUSES:
            raise InputError(f"The column {quoted(name)} holds {quoted(value)}; expected {listed(STATUSES)}.")
        found[value,] = status
    return found


def _folded(name: str, folded: tuple[dict[str, Any], ...]) -> list[str]:
    return [
        f"In {quoted(name)} {listed(each['merged'], most=3, quotes=True)} was taken as {quoted(each['kept'])}."
        for each in folded
    ]
