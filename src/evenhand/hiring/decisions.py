"""Decisions: which values of a column mean selected, which not, and which are none."""

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import polars as pl

from evenhand.errors import InputError
from evenhand.hiring.folding import fold, labels_of, text_of

__all__ = ["NO", "YES", "Decisions", "decisions_of"]

YES = frozenset({"true", "1", "yes", "y", "t"})
NO = frozenset({"false", "0", "no", "n", "f"})
_FRACTION = re.compile(r"[+-]?[0-9]*[.,][0-9]+")
_WHOLE = re.compile(r"([01])[.]0+")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}.*")
_MOST_LABELS = 1000
_SHOWN = 5


@dataclass(frozen=True, kw_only=True)
class Decisions:
    """What each value of the column means: True selected, False not, null no decision."""

    of: Mapping[Hashable, bool | None]
    counts: Mapping[str, int]
    selected: tuple[str, ...]


def decisions_of(cells: pl.DataFrame, column: str, wanted: str | None, unknown: frozenset[str]) -> Decisions:
    """Read the values in `cells.decision`, counted in `cells.n`.

    `wanted` is the value that means selected, or several separated by commas. Without it yes and no are understood.

    Raises
    ------
    InputError
        The values are dates, fractions or others that are not understood, or `wanted` does not occur.

    """
    kind = cells["decision"].dtype
    if kind.is_temporal():
        raise InputError(f"The column {column!r} holds dates; expected decisions such as yes and no.")
    values = list(cells.group_by("decision").agg(pl.col("n").sum()).iter_rows())
    labels = labels_of(values, unknown - ({fold(wanted)} if wanted is not None else set()))
    shown = sorted({label for label in labels.of.values() if label is not None})
    _check(shown, column, wanted)
    counts: dict[str, int] = {}
    for value, n in values:
        label = labels.of[value] or " ".join((text_of(value) or "").split())
        counts[label] = counts.get(label, 0) + n
    yes = _wanted(wanted, shown, column) if wanted is not None else YES
    meaning = {
        value: None if label is None else _plain(label) in yes if wanted is None else fold(label) in yes
        for value, label in labels.of.items()
    }
    selected = {label for value, label in labels.of.items() if label is not None and meaning[value]}
    return Decisions(of=meaning, counts=dict(sorted(counts.items())), selected=tuple(sorted(selected)))


def _plain(label: str) -> str:
    """Return a folded label; 1.0 is 1, as frames with gaps write it."""
    folded = fold(label)
    whole = _WHOLE.fullmatch(folded)
    return whole[1] if whole else folded


def _check(shown: list[str], column: str, wanted: str | None) -> None:
    if wanted is None:
        others = [label for label in shown if _plain(label) not in YES | NO]
        kinds = ("fractions", _FRACTION), ("dates", _DATE)
        for what, pattern in kinds:
            if others and all(pattern.fullmatch(label) for label in others):
                hint = f"; for scores use --score {column} with --cutoff or --median" if what == "fractions" else ""
                raise InputError(f"The column {column!r} holds {what}; expected decisions such as yes and no{hint}.")
        if others:
            raise InputError(
                f"The column {column!r} holds {_listed(others)}; expected yes/no, true/false, 1/0, y/n or t/f. "
                f"Name the value that means selected: --selected {column}=VALUE."
            )
    elif len(shown) > _MOST_LABELS:
        raise InputError(f"The column {column!r} has {len(shown):,} different values; expected decisions.")


def _wanted(wanted: str, shown: list[str], column: str) -> frozenset[str]:
    there = {fold(label) for label in shown}
    if fold(wanted) in there:
        return frozenset({fold(wanted)})
    parts = [fold(part) for part in wanted.split(",")]
    if len(parts) > 1 and all(part in there for part in parts):
        return frozenset(parts)
    raise InputError(f"No value {wanted!r} in the column {column!r}. Values: {_listed(shown)}.")


def _listed(labels: list[str]) -> str:
    more = f" and {len(labels) - _SHOWN} more" if len(labels) > _SHOWN else ""
    return ", ".join(map(repr, labels[:_SHOWN])) + more
