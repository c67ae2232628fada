"""Single decisions, kept where a column of units is given: so that one is counted once, and labels may come later.

The unit itself is not kept: a decision's key is a keyed hash (BLAKE2b, 128 bits) of model, unit, position, stage and
who decided. The key of the hash is EVENHAND_STORE_KEY, or else a random one within the store.
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

    unit: bytes
    day: str
    cell: int
    score: int | None
    selected: int | None
    label: int | None


def count_decisions(writing: Writing, model: str, frame: pl.DataFrame) -> Counted:
    """Count the decisions of a frame that are not there yet; of those that are, take labels that changed."""
    found = _single(_keyed(writing, model, frame), by=["key", "day"])
    known = {(each.unit, each.day): each for each in _kept(writing, found["key"].to_list())}
    there = [(key, day.isoformat()) in known for key, day in found.select("key", "day").iter_rows()]
    repeated = found.filter(pl.Series(there, dtype=pl.Boolean))
    counted = _relabel(
        writing,
        model,
        [
            (known[key, day.isoformat()], label)
            for key, day, label in repeated.select("key", "day", "label").iter_rows()
            if label is not None
        ],
    )
    rows = CellRows.of(found.filter(~pl.Series(there, dtype=pl.Boolean)))
    ids = cell_ids(writing, model, [cell for cell, _ in rows.cells.values()])
    counts: dict[tuple[int, str], list[CellCounts]] = {}
    for (cell, day), each in counted_cells(rows):
        counts.setdefault((ids[cell], day), []).append(each)
    add_counts(writing, {key: summed(parts) for key, parts in counts.items()})
    columns = ("key", "cell", "score", "selected", "label")
    writing.execute_each(
        "INSERT INTO decisions (unit, day, cell, score, selected, label) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (key, rows.cells[place][1], ids[rows.cells[place][0]], score, _whole(selected), _whole(label))
            for key, place, score, selected, label in rows.rows.select(columns).iter_rows()
        ],
    )
    days = frozenset(day for _, day in counts)
    return counted.plus(Counted(days=days, new=rows.rows.height, known=frame.height - rows.rows.height))


def label_decisions(writing: Writing, model: str, frame: pl.DataFrame) -> Counted:
    """Label the newest decision of each unit that is not after the label's day."""
    found = _single(_keyed(writing, model, frame.filter(pl.col("label").is_not_null())), by=["key"])
    by_unit: dict[bytes, list[_Kept]] = {}
    for each in _kept(writing, found["key"].to_list()):
        by_unit.setdefault(each.unit, []).append(each)
    pairs, without = [], 0
    for key, day, label in found.select("key", "day", "label").iter_rows():
        before = [each for each in by_unit.get(key, ()) if each.day <= day.isoformat()]
        if before:
            pairs.append((max(before, key=lambda each: each.day), label))
        else:
            without += 1
    return _relabel(writing, model, pairs).plus(Counted(without=without))


def _keyed(writing: Writing, model: str, frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with the key of each decision; a row without a unit is refused."""
    if frame["unit"].is_null().any() or (frame["unit"].str.strip_chars() == "").any():
        raise InputError("A row has no --unit; fill it in, or leave such rows out with --where.")
    key = _hash_key(writing)
    told = ("unit", *_CASED)
    keys = [
        hashlib.blake2b(
            canonical_json([model, unit.strip(), *((each or "").casefold() for each in others)]).encode(),
            key=key,
            digest_size=16,
        ).digest()
        for unit, *others in frame.select(told).iter_rows()
    ]
    return frame.with_columns(pl.Series("key", keys, dtype=pl.Binary))


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


def _kept(writing: Writing, keys: Sequence[bytes]) -> Iterator[_Kept]:
    """Yield the decisions that are kept of keys."""
    for start in range(0, len(keys), _AT_ONCE):
        part = keys[start : start + _AT_ONCE]
        marks = ", ".join("?" * len(part))
        for unit, day, cell, score, selected, label in writing.rows(
            f"SELECT unit, day, cell, score, selected, label FROM decisions WHERE unit IN ({marks})",  # noqa: S608 - marks
            part,
        ):
            yield _Kept(unit=bytes(unit), day=day, cell=cell, score=score, selected=selected, label=label)


def _relabel(writing: Writing, model: str, pairs: Sequence[tuple[_Kept, bool]]) -> Counted:
    """Give decisions new labels, where they differ from those that they have."""
    changed = [(each, int(label)) for each, label in pairs if each.label != label]
    if not changed:
        return Counted()
    moved: dict[tuple[int, str], list[CellCounts]] = {}
    for each, label in changed:
        moved.setdefault((each.cell, each.day), []).append(_moved(each, label))
    add_counts(writing, {key: summed(parts) for key, parts in moved.items()})
    recorded = utc_text(writing.now)
    writing.execute_each(
        "UPDATE decisions SET label = ? WHERE unit = ? AND day = ?",
        [(label, each.unit, each.day) for each, label in changed],
    )
    writing.execute_each(
        "INSERT INTO labels (unit, day, recorded, label, replaced) VALUES (?, ?, ?, ?, ?)",
        [(each.unit, each.day, recorded, label, each.label) for each, label in changed],
    )
    told = canonical_json(sorted([each.unit.hex(), each.day, label, each.label] for each, label in changed))
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
