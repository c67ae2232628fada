"""What happened: which of two values of a label column means that the outcome came about."""

from collections.abc import Sequence

import polars as pl

from evenhand.errors import InputError
from evenhand.hiring.columns.decisions import EMPTY, NO, YES, Decisions
from evenhand.hiring.columns.folding import fold, labels_of, text_of
from evenhand.tables.messages.quoting import listed, quoted, shortened

__all__ = ["outcomes_of"]

_SHOWN = 5


def outcomes_of(cells: pl.DataFrame, column: str, wanted: str | None) -> Decisions:
    """Read the values in `cells.decision`, counted in `cells.n`; empty cells are no outcome.

    `wanted` is the value that means yes, or several separated by commas; then every other value means no. Without it
    yes/no, true/false, 1/0, y/n and t/f are understood.

    Raises
    ------
    InputError
        The values are not two, or which of them means yes is not known.

    >>> found = outcomes_of(pl.DataFrame({"decision": [1.0, 0.0, None], "n": [3, 4, 1]}), "stayed", None)
    >>> found.of, found.selected
    ({None: None, 1.0: True, 0.0: False}, ('1',))
    """
    values = list(cells.group_by("decision").agg(pl.col("n").sum()).sort("decision", descending=True).iter_rows())
    labels = labels_of(values, EMPTY)
    known = sorted({label for label in labels.of.values() if label is not None})
    if not known:
        raise InputError(f"The label {quoted(column)} is empty; expected two outcomes, such as yes and no.")
    yes = YES if wanted is None else _named(wanted, known, column)
    if wanted is None and any(_plain(label) not in YES | NO for label in known):
        raise InputError(_not_understood(column, known))
    of = {value: None if label is None else _plain(label) in yes for value, label in labels.of.items()}
    if len(set(of.values()) - {None}) < 2:
        held = f"holds {quoted(known[0])} only" if len(known) == 1 else "means the same in every row"
        raise InputError(f"The label {quoted(column)} {held}; expected two outcomes, such as yes and no.")
    counts: dict[str, int] = {}
    for value, n in values:
        label = labels.of[value] or " ".join((text_of(value) or "").split())
        counts[label] = counts.get(label, 0) + n
    return Decisions(
        of=of,
        counts=dict(sorted(counts.items())),
        selected=tuple(sorted({label for value, label in labels.of.items() if label is not None and of[value]})),
    )


def _plain(label: str) -> str:
    folded = fold(label)
    return folded[:1] if folded in {"1.0", "0.0"} else folded


def _named(wanted: str, known: Sequence[str], column: str) -> frozenset[str]:
    """Return the folded values that mean yes."""
    there = {_plain(label) for label in known}
    parts = [wanted] if fold(wanted) in there else [part for part in wanted.split(",") if part.strip()]
    for part in parts:
        if fold(part) not in there:
            raise InputError(
                f"--label {shortened(column)}={shortened(wanted)}: no value {quoted(part.strip())} in the column "
                f"{quoted(column)}. Values: {listed(known, most=_SHOWN, quotes=True)}."
            )
    return frozenset(fold(part) for part in parts)


def _not_understood(column: str, known: Sequence[str]) -> str:
    shown = listed(known, most=_SHOWN, quotes=True)
    if len(known) == 2:
        return (
            f"The label {quoted(column)} holds {shown}; say which of them is the outcome that the score should find: "
            f"--label {shortened(column)}={shortened(known[0])}."
        )
    return (
        f"The label {quoted(column)} holds {len(known):,} different values ({shown}); expected two outcomes. If one "
        f"value is meant against all others: --label {shortened(column)}=VALUE."
    )
