"""Single decisions, kept where a column of units is given: so that one is counted once, and labels may come later.

The unit itself is not kept, but a keyed hash (BLAKE2b, 128 bits) of model and unit; a decision is known by one of
position, stage and who decided, too. The key is EVENHAND_STORE_KEY, or else a random one within the store.
"""

import hashlib
import os
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from evenhand.errors import InputError
from evenhand.monitoring.history.cells import NOTHING, CellCounts, CellRows, add_counts, cell_ids, counted_cells, summed
from evenhand.monitoring.history.log import add_entry, canonical_json
from evenhand.monitoring.history.store import Writing, utc_text
from evenhand.monitoring.history.value_counts import ValueCounts
from evenhand.tables.messages.quoting import quoted

__all__ = ["STORE_KEY", "Counted", "count_decisions", "label_decisions"]

STORE_KEY: Final = "EVENHAND_STORE_KEY"
#: Keys that one query asks for.
_AT_ONCE: Final = 500
_CASED: Final = ("position", "stage", "decided_by")


@dataclass(frozen=True, kw_only=True)
class Counted:
    """What became of decisions: new ones, those there already, labels that changed, labels without a decision."""

    days: frozenset[str] = frozenset()
    new: int = 0
    known: int = 0
    labels: int = 0
    without: int = 0

    def plus(self, other: "Counted") -> "Counted":
        """Return both together."""
        return Counted(
            days=self.days | other.days,
            new=self.new + other.new,
            known=self.known + other.known,
            labels=self.labels + other.labels,
            without=self.without + other.without,
        )


@dataclass(frozen=True, kw_only=True)
class _Kept:
    """A decision as it is kept."""

    decision: bytes
    day: str
    unit: bytes
    cell: int
    score: int | None
    selected: int | None
    label: int | None
    place: tuple[str, ...]


def count_decisions(writing: Writing, model: str, frame: pl.DataFrame) -> Counted:
    """Count the decisions of a frame that are not there yet; of those that are, take labels that changed."""
    found = _single(_keyed(writing, model, frame), by=["decision", "day"])
    known = {(each.decision, each.day): each for each in _kept(writing, "decision", found["decision"].to_list())}
    there = [(key, day.isoformat()) in known for key, day in found.select("decision", "day").iter_rows()]
    repeated = found.filter(pl.Series(there, dtype=pl.Boolean))
    counted = _relabel(
        writing,
        model,
        [
            (known[key, day.isoformat()], label)
            for key, day, label in repeated.select("decision", "day", "label").iter_rows()
            if label is not None
        ],
    )
    rows = CellRows.of(found.filter(~pl.Series(there, dtype=pl.Boolean)))
    ids = cell_ids(writing, model, [cell for cell, _ in rows.cells.values()])
    counts: dict[tuple[int, str], list[CellCounts]] = {}
    for (cell, day), each in counted_cells(rows):
        counts.setdefault((ids[cell], day), []).append(each)
    add_counts(writing, {key: summed(parts).packed() for key, parts in counts.items()})
    columns = ("decision", "unit key", "cell", "score", "selected", "label")
    writing.execute_each(
        "INSERT INTO decisions (decision, day, unit, cell, score, selected, label) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (key, rows.cells[place][1], unit, ids[rows.cells[place][0]], score, _whole(selected), _whole(label))
            for key, unit, place, score, selected, label in rows.rows.select(columns).iter_rows()
        ],
    )
    days = frozenset(day for _, day in counts)
    return counted.plus(Counted(days=days, new=rows.rows.height, known=frame.height - rows.rows.height))


def label_decisions(writing: Writing, model: str, frame: pl.DataFrame) -> Counted:
    """Label the newest decision of each unit that is not after the label's day.

    Raises
    ------
    InputError
        A label fits decisions of several positions, stages or deciders, and does not tell which it is of.

    """
    found = _single(_keyed(writing, model, frame.filter(pl.col("label").is_not_null())), by=["decision"])
    by_unit: dict[bytes, list[_Kept]] = {}
    for each in _kept(writing, "unit", found["unit key"].unique().to_list()):
        by_unit.setdefault(each.unit, []).append(each)
    pairs, without = [], 0
    for unit, day, label, *place in found.select("unit key", "day", "label", *_CASED).iter_rows():
        told = [None if value is None else value.casefold() for value in place]
        before = [
            each
            for each in by_unit.get(unit, ())
            if each.day <= day.isoformat()
            and all(value in {None, own.casefold()} for value, own in zip(told, each.place, strict=True))
        ]
        _check_one_place(before)
        if before:
            pairs.append((max(before, key=lambda each: each.day), label))
        else:
            without += 1
    return _relabel(writing, model, pairs).plus(Counted(without=without))


def _check_one_place(found: Sequence[_Kept]) -> None:
    options = ("--position", "--stage", "--decided-by")
    for option, values in zip(options, zip(*(each.place for each in found), strict=True), strict=False):
        if len(set(values)) > 1:
            told = " and ".join(quoted(value) for value in sorted(set(values))[:2])
            raise InputError(f"A label fits decisions of {told}; tell which it is of by {option} COLUMN.")


def _keyed(writing: Writing, model: str, frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with the hashes of each unit and decision; a row without a unit is refused."""
    if frame["unit"].is_null().any() or (frame["unit"].str.strip_chars() == "").any():
        raise InputError("A row has no --unit; fill it in, or leave such rows out with --where.")
    key = _hash_key(writing)

    def hashed(*values: str) -> bytes:
        return hashlib.blake2b(canonical_json([model, *values]).encode(), key=key, digest_size=16).digest()

    rows = frame.select("unit", *_CASED).rows()
    of_decision = [hashed(unit.strip(), *((each or "").casefold() for each in place)) for unit, *place in rows]
    units = [hashed(unit.strip()) for unit, *_ in rows]
    return frame.with_columns(
        pl.Series("decision", of_decision, dtype=pl.Binary), pl.Series("unit key", units, dtype=pl.Binary)
    )


def _single(frame: pl.DataFrame, *, by: Sequence[str]) -> pl.DataFrame:
    """Return the last row of each decision, with the last label that is known."""
    ordered = frame.sort("second", maintain_order=True)
    last = ordered.group_by(by, maintain_order=True).agg(
        pl.exclude(*by, "label", "n").last(), pl.col("label").drop_nulls().last(), pl.lit(1, pl.Int64).alias("n")
    )
    return last.select(frame.columns)


def _hash_key(writing: Writing) -> bytes:
    """Return what units are hashed with; a store knows by a check whether it is the same as before."""
    kept = dict(writing.rows("SELECT name, value FROM settings WHERE name IN ('unit_key', 'unit_check')"))
    given = os.environ.get(STORE_KEY)
    key = given or kept.get("unit_key") or secrets.token_hex(32)
    hashed = hashlib.blake2b(key.encode()).digest()
    check = hashlib.blake2b(b"evenhand", key=hashed, digest_size=16).hexdigest()
    if kept.get("unit_check", check) != check:
        raise InputError(f"The units of this store are hashed with another key; set {STORE_KEY} to the one before.")
    if "unit_check" not in kept:
        writing.execute("INSERT INTO settings (name, value) VALUES ('unit_check', ?)", (check,))
        if not given:
            writing.execute("INSERT INTO settings (name, value) VALUES ('unit_key', ?)", (key,))
    return hashed


def _kept(writing: Writing, column: str, keys: Sequence[bytes]) -> Iterator[_Kept]:
    """Yield the decisions whose hashes in a column are among the keys."""
    for start in range(0, len(keys), _AT_ONCE):
        part = keys[start : start + _AT_ONCE]
        marks = ", ".join("?" * len(part))
        for decision, day, unit, cell, score, selected, label, *place in writing.rows(
            "SELECT decision, day, unit, cell, score, selected, label, position, stage, decided_by "  # noqa: S608 - ours
            f"FROM decisions JOIN cells ON id = cell WHERE {column} IN ({marks})",
            part,
        ):
            yield _Kept(
                decision=bytes(decision),
                day=day,
                unit=bytes(unit),
                cell=cell,
                score=score,
                selected=selected,
                label=label,
                place=tuple(place),
            )


def _relabel(writing: Writing, model: str, pairs: Sequence[tuple[_Kept, bool]]) -> Counted:
    """Give decisions new labels, where they differ from those that they have."""
    changed = [(each, int(label)) for each, label in pairs if each.label != label]
    if not changed:
        return Counted()
    moved: dict[tuple[int, str], list[CellCounts]] = {}
    for each, label in changed:
        moved.setdefault((each.cell, each.day), []).append(_moved(each, label))
    add_counts(writing, {key: summed(parts).packed() for key, parts in moved.items()})
    recorded = utc_text(writing.now)
    writing.execute_each(
        "UPDATE decisions SET label = ? WHERE decision = ? AND day = ?",
        [(label, each.decision, each.day) for each, label in changed],
    )
    writing.execute_each(
        "INSERT INTO labels (decision, day, recorded, label, replaced) VALUES (?, ?, ?, ?, ?)",
        [(each.decision, each.day, recorded, label, each.label) for each, label in changed],
    )
    told = canonical_json(sorted([each.decision.hex(), each.day, label, each.label] for each, label in changed))
    content = {"model": model, "changed": len(changed), "sha256": hashlib.sha256(told.encode()).hexdigest()}
    add_entry(writing, "labels", content)
    return Counted(days=frozenset(each.day for each, _ in changed), labels=len(changed))


def _moved(decision: _Kept, label: int) -> CellCounts:
    """Return what a new label adds to the counts, and takes from those of the label before."""
    changes = {label: 1} if decision.label is None else {label: 1, decision.label: -1}
    scores = {
        side: NOTHING if decision.score is None else ValueCounts.of([decision.score], [changes.get(side, 0)])
        for side in (0, 1)
    }
    return CellCounts(
        agreed=0 if decision.selected is None else changes.get(decision.selected, 0),
        compared=0 if decision.selected is None else sum(changes.values()),
        scores_true=scores[1],
        scores_false=scores[0],
    )


def _whole(value: bool | None) -> int | None:  # noqa: FBT001 - a value of a column
    return None if value is None else int(value)
