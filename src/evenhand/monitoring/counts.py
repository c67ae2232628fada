"""Counts of a store: judgements summed by cell and day, packed values, and single decisions by unit.

Scores and seconds are stored as sorted codes (see stats/rounding.py) with their frequencies. With a column of units
each decision is stored, so that it is counted once and may get a label later. The unit itself is not stored, only a
keyed hash (BLAKE2b, 128 bits) of model and unit; a decision's hash also covers position, stage and who decided. The key
is EVENHAND_STORE_KEY, else a random one in the store.

Everybody decided on has a secret number, made of the unit where there is one; their sums are stored with the counts,
and say how published counts deviate. They are below KEYS, so that a database can add millions of them.
"""

import hashlib
import os
import secrets
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, Final, Self

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.monitoring.store import Store, Writing, add_entry, canonical_json, utc_text
from evenhand.results.messages import quoted
from evenhand.results.schemas import BREAKDOWN, PROTECTED

#: No values.
NONE: Final = b""
#: Higher levels of compression gain little.
_LEVEL: Final = 1
_WHOLE: Final = np.dtype("<i8")


@dataclass(frozen=True, kw_only=True)
class ValueCounts:
    """Distinct whole values, ascending, with their frequencies.

    >>> some = ValueCounts.of([5, 3, 5], [1, 1, 1])
    >>> ValueCounts.unpacked(some.packed()).counts.tolist(), some.plus(some).n
    ([1, 2], 6)
    """

    values: NDArray[np.int64]
    counts: NDArray[np.int64]

    @property
    def n(self) -> int:
        """Return the sum of the frequencies."""
        return int(self.counts.sum())

    @classmethod
    def of(cls, values: object, counts: object) -> Self:
        """Return counts from values in any order: equal values are merged, values with a frequency of 0 left out."""
        unique_values, places = np.unique(np.asarray(values, dtype=np.int64), return_inverse=True)
        summed = np.zeros(unique_values.size, dtype=np.int64)
        np.add.at(summed, places, np.asarray(counts, dtype=np.int64))
        return cls(values=unique_values[summed != 0], counts=summed[summed != 0])

    @classmethod
    def together(cls, parts: Iterable["ValueCounts"]) -> "ValueCounts":
        """Return the values of all parts."""
        listed = [part for part in parts if part.values.size]
        if len(listed) < 2:  # as of most cells of a day
            return listed[0] if listed else NOTHING
        return cls.of(
            np.concatenate([part.values for part in listed]), np.concatenate([part.counts for part in listed])
        )

    def plus(self, other: "ValueCounts") -> "ValueCounts":
        """Return the values of both."""
        return ValueCounts.together([self, other])

    def packed(self) -> bytes:
        """Return the bytes for a store: differences of values, then counts, as 64-bit numbers, packed by zlib."""
        if not self.values.size:
            return NONE
        columns = np.concatenate([np.diff(self.values, prepend=0), self.counts])
        return zlib.compress(columns.astype(_WHOLE).tobytes(), _LEVEL)

    @classmethod
    def unpacked(cls, packed: bytes) -> "ValueCounts":
        """Return the values that were packed."""
        if not packed:
            return NOTHING
        steps, counts = np.frombuffer(zlib.decompress(packed), dtype=_WHOLE).reshape(2, -1)
        return cls(values=np.cumsum(steps), counts=counts.astype(np.int64))


#: A cell's position, stage, who decided, breakdown and groups, the last two as JSON; '' means unknown.
Cell = tuple[str, str, str, str, str]
#: Counts as a row of the table holds them, in the order of its columns.
Packed = tuple[Any, ...]
NOTHING: Final = ValueCounts.of([], [])


@dataclass(frozen=True, kw_only=True)
class CellCounts:
    """Counts of a cell on a day, named as in the table `counts`."""

    n: int = 0
    selected: int = 0
    decided: int = 0
    failed: int = 0
    failure_known: int = 0
    undetected: int = 0
    detection_known: int = 0
    agreed: int = 0
    compared: int = 0
    selected_key: int = 0
    decided_key: int = 0
    scores: ValueCounts = NOTHING
    scores_true: ValueCounts = NOTHING
    scores_false: ValueCounts = NOTHING
    seconds: ValueCounts = NOTHING

    def packed(self) -> Packed:
        """Return them in the order of the table's columns."""
        return tuple(value.packed() if isinstance(value, ValueCounts) else value for value in vars(self).values())


COUNTS: Final = tuple(field.name for field in fields(CellCounts))
VALUES: Final = ("scores", "scores_true", "scores_false", "seconds")
WHOLE: Final = tuple(name for name in COUNTS if name not in VALUES)
#: Sums of secret numbers are kept below this.
KEYS: Final = 1 << 40


def summed(parts: Sequence[CellCounts]) -> CellCounts:
    """Return the counts of all parts together."""
    whole: dict[str, Any] = {name: sum(getattr(part, name) for part in parts) for name in WHOLE}
    whole |= {name: whole[name] % KEYS for name in ("selected_key", "decided_key")}
    return CellCounts(
        **whole | {name: ValueCounts.together([getattr(part, name) for part in parts]) for name in VALUES}
    )


def together(first: Packed, second: Packed) -> Packed:
    """Return two packed counts as one."""
    return summed([unpacked(first), unpacked(second)]).packed()


def judgement_count(packed: Packed) -> int:
    """Return the number of judgements."""
    return int(packed[COUNTS.index("n")])


def unpacked(row: Sequence[Any]) -> CellCounts:
    """Return the counts in a row of the table, given in the order of its columns."""
    counts: dict[str, Any] = {
        name: ValueCounts.unpacked(bytes(value)) if name in VALUES else value
        for name, value in zip(COUNTS, row, strict=True)
    }
    return CellCounts(**counts)


@dataclass(frozen=True, kw_only=True)
class CellRows:
    """Rows with the columns of `DATED` and a number, `cell`; `cells` has the cell and day of each number."""

    rows: pl.DataFrame
    cells: Mapping[int, tuple[Cell, str]]

    @classmethod
    def of(cls, frame: pl.DataFrame) -> Self:
        """Return a frame's rows with the cell and day of each."""
        by = [name for name in frame.columns if name.startswith(BREAKDOWN)]
        groups = [name for name in frame.columns if name.startswith(PROTECTED)]
        keys = ["day", "position", "stage", "decided_by", *by, *groups]
        unique = frame.select(keys).unique().with_row_index("cell")
        cells = {}
        for row in unique.iter_rows(named=True):
            breakdown = canonical_json({name.removeprefix(BREAKDOWN): row[name] for name in by})
            of_groups = canonical_json({name.removeprefix(PROTECTED): row[name] for name in groups})
            position, stage, decided_by = (row[name] or "" for name in ("position", "stage", "decided_by"))
            cells[row["cell"]] = ((position, stage, decided_by, breakdown, of_groups), row["day"].isoformat())
        return cls(rows=frame.join(unique, on=keys, how="left", nulls_equal=True), cells=cells)


def counted_cells(cell_rows: CellRows) -> Iterator[tuple[tuple[Cell, str], CellCounts]]:
    """Yield the cells and days of rows, and their counts; `key` has the secret numbers of units."""
    rows = cell_rows.rows
    if "key" not in rows.columns:
        rows = rows.with_columns(key=pl.lit(0, pl.Int64))
    n, chosen, label, key = pl.col("n"), pl.col("selected"), pl.col("label"), pl.col("key")
    whole = rows.group_by("cell").agg(
        n.sum(),
        n.filter(chosen).sum().alias("selected"),
        n.filter(chosen.is_not_null()).sum().alias("decided"),
        n.filter(pl.col("failed")).sum().alias("failed"),
        n.filter(pl.col("failed").is_not_null()).sum().alias("failure_known"),
        n.filter(pl.col("undetected")).sum().alias("undetected"),
        n.filter(pl.col("undetected").is_not_null()).sum().alias("detection_known"),
        n.filter(chosen == label).sum().alias("agreed"),
        n.filter((chosen == label).is_not_null()).sum().alias("compared"),
        (key.filter(chosen).sum() % KEYS).alias("selected_key"),
        (key.filter(chosen.is_not_null()).sum() % KEYS).alias("decided_key"),
    )
    values = {
        "scores": _by_cell(rows, "score"),
        "scores_true": _by_cell(rows.filter(label), "score"),
        "scores_false": _by_cell(rows.filter(~label), "score"),
        "seconds": _by_cell(rows, "seconds"),
    }
    for row in whole.iter_rows(named=True):
        counted: dict[str, Any] = {name: values[name].get(row["cell"], NOTHING) for name in VALUES}
        yield cell_rows.cells[row["cell"]], CellCounts(**counted | {name: row[name] for name in WHOLE})


def _by_cell(rows: pl.DataFrame, column: str) -> dict[int, ValueCounts]:
    """Return the values of a column in each cell."""
    known = rows.filter(pl.col(column).is_not_null())
    sums = known.group_by("cell", column).agg(pl.col("n").sum()).sort("cell", column)
    cells: NDArray[np.int64] = sums["cell"].to_numpy()
    values, counts = sums[column].to_numpy(), sums["n"].to_numpy()
    first, start = np.unique(cells, return_index=True)
    return {
        int(cell): ValueCounts(values=values[begin:end], counts=counts[begin:end])
        for cell, (begin, end) in zip(first, pairwise([*start, cells.size]), strict=True)
    }


def cell_ids(writing: Writing, model: str, cells: Sequence[Cell]) -> dict[Cell, int]:
    """Return the id of each cell of a model; new cells are added.

    Values are matched to the model's known spellings, ignoring case and spaces.
    """
    known: dict[Cell, int] = {
        (position, stage, decided_by, breakdown, groups): number
        for number, position, stage, decided_by, breakdown, groups in writing.rows(
            "SELECT id, position, stage, decided_by, breakdown, groups FROM cells WHERE model = ?", (model,)
        )
    }
    spellings = _Spellings(known)
    wanted_cells = {cell: spellings.of(cell) for cell in cells}
    free = writing.next_id("cells")
    new = {cell: free + place for place, cell in enumerate(sorted(set(wanted_cells.values()) - set(known)))}
    writing.execute_each(
        "INSERT INTO cells (id, model, position, stage, decided_by, breakdown, groups) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(number, model, *cell) for cell, number in new.items()],
    )
    all_known = known | new
    return {cell: all_known[spelled] for cell, spelled in wanted_cells.items()}


class _Spellings:
    """The first spelling of each value of the cells."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self._first: dict[tuple[str, str], str] = {}
        for cell in sorted(cells):
            self.of(cell)

    def of(self, cell: Cell) -> Cell:
        """Return a cell with the spellings of those before it."""
        position, stage, decided_by, *objects = cell
        breakdown, groups = (
            canonical_json(
                {name: value and self._spelled(name, value) for name, value in orjson.loads(content).items()}
            )
            for content in objects
        )
        plain = {"position": position, "stage": stage, "decided_by": decided_by}
        return (*(self._spelled(f"-{name}", value) for name, value in plain.items()), breakdown, groups)  # type: ignore[return-value]

    def _spelled(self, name: str, value: str) -> str:
        return self._first.setdefault((name, " ".join(value.split()).casefold()), value)


def add_counts(writing: Writing, counts: Mapping[tuple[int, str], Packed]) -> None:
    """Add counts to those in the store for the same cells and days."""
    columns = ", ".join(COUNTS)
    known: dict[tuple[int, str], Packed] = {
        (cell, day): tuple(row)
        for day in sorted({day for _, day in counts})
        for cell, *row in writing.rows(f"SELECT cell, {columns} FROM counts WHERE day = ?", (day,))  # noqa: S608
        if (cell, day) in counts
    }
    rows = [(*key, *(together(known[key], added) if key in known else added)) for key, added in counts.items()]
    marks = ", ".join("?" * (len(COUNTS) + 2))
    changed = ", ".join(f"{name} = excluded.{name}" for name in COUNTS)
    writing.execute_each(
        f"INSERT INTO counts (cell, day, {columns}) VALUES ({marks}) "  # noqa: S608 - columns of ours
        f"ON CONFLICT (cell, day) DO UPDATE SET {changed}",
        rows,
    )


def cell_secret(store: Store | Writing) -> bytes:
    """Return the store's secret of published counts; the first writer makes it."""
    known = store.rows("SELECT value FROM settings WHERE name = 'cell_secret'")
    secret = known[0][0] if known else secrets.token_hex(32)
    if not known and isinstance(store, Writing):
        store.execute("INSERT INTO settings (name, value) VALUES ('cell_secret', ?)", (secret,))
    return bytes.fromhex(secret)


def secret_number(secret: bytes, *parts: object) -> int:
    """Return a number below KEYS that nobody can tell without the secret."""
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), key=secret, digest_size=8).digest()) % KEYS


def with_keys(packed: Packed, secret: bytes, *parts: object) -> Packed:
    """Return counts of people without units with secret numbers; nobody has none."""
    row = dict(zip(COUNTS, packed, strict=True))
    selected, others = row["selected"], row["decided"] - row["selected"]
    key = secret_number(secret, *parts, "selected", selected) if selected else 0
    rest = secret_number(secret, *parts, "others", others) if others else 0
    return tuple((row | {"selected_key": key, "decided_key": (key + rest) % KEYS}).values())


STORE_KEY: Final = "EVENHAND_STORE_KEY"
#: The number of keys in one query.
_AT_ONCE: Final = 500
_CASED: Final = ("position", "stage", "decided_by")


@dataclass(frozen=True, kw_only=True)
class Counted:
    """Numbers of decisions: new ones, known ones, changed labels, and labels without a decision."""

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
class StoredDecision:
    """A decision as it is stored: score as a code (stats/rounding.py), `place` is position, stage and who decided."""

    decision: bytes
    day: str
    unit: bytes
    cell: int
    score: int | None
    selected: int | None
    label: int | None
    place: tuple[str, ...]


def count_decisions(writing: Writing, model: str, frame: pl.DataFrame) -> Counted:
    """Count the decisions of a frame that are not stored yet; for stored ones update changed labels."""
    decisions = _single(_keyed(writing, model, frame), by=["decision", "day"])
    known = {
        (stored.decision, stored.day): stored
        for stored in stored_decisions(writing, "decision", decisions["decision"].to_list())
    }
    is_known = [(key, day.isoformat()) in known for key, day in decisions.select("decision", "day").iter_rows()]
    repeated = decisions.filter(pl.Series(is_known, dtype=pl.Boolean))
    counted = _relabel(
        writing,
        model,
        [
            (known[key, day.isoformat()], label)
            for key, day, label in repeated.select("decision", "day", "label").iter_rows()
            if label is not None
        ],
    )
    secret = cell_secret(writing)
    new = decisions.filter(~pl.Series(is_known, dtype=pl.Boolean))
    keys = [secret_number(secret, unit) for unit in new["unit key"]]
    rows = CellRows.of(new.with_columns(pl.Series("key", keys, dtype=pl.Int64)))
    ids = cell_ids(writing, model, [cell for cell, _ in rows.cells.values()])
    counts: dict[tuple[int, str], list[CellCounts]] = {}
    for (cell, day), cell_counts in counted_cells(rows):
        counts.setdefault((ids[cell], day), []).append(cell_counts)
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
        A label fits decisions of several positions, stages or deciders.

    """
    labelled = _single(_keyed(writing, model, frame.filter(pl.col("label").is_not_null())), by=["decision"])
    by_unit: dict[bytes, list[StoredDecision]] = {}
    for stored in stored_decisions(writing, "unit", labelled["unit key"].unique().to_list()):
        by_unit.setdefault(stored.unit, []).append(stored)
    pairs, without = [], 0
    for unit, day, label, *place in labelled.select("unit key", "day", "label", *_CASED).iter_rows():
        labelled_place = [None if value is None else value.casefold() for value in place]
        before = [
            stored
            for stored in by_unit.get(unit, ())
            if stored.day <= day.isoformat()
            and all(
                value in {None, stored_value.casefold()}
                for value, stored_value in zip(labelled_place, stored.place, strict=True)
            )
        ]
        _check_one_place(before)
        if before:
            pairs.append((max(before, key=lambda stored: stored.day), label))
        else:
            without += 1
    return _relabel(writing, model, pairs).plus(Counted(without=without))


def _check_one_place(decisions: Sequence[StoredDecision]) -> None:
    options = ("--position", "--stage", "--decided-by")
    for option, values in zip(options, zip(*(decision.place for decision in decisions), strict=True), strict=False):
        if len(set(values)) > 1:
            places = " and ".join(quoted(value) for value in sorted(set(values))[:2])
            raise InputError(f"A label matches decisions of {places}; identify its decision with {option} COLUMN.")


def _keyed(writing: Writing, model: str, frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame with the hashes of each unit and decision; refuse a row without a unit."""
    if frame["unit"].is_null().any() or (frame["unit"].str.strip_chars() == "").any():
        raise InputError("A row has no value in the column of --unit; fill it in, or leave such rows out with --where.")
    hashed = unit_hashes(writing, model)
    rows = frame.select("unit", *_CASED).rows()
    of_decision = [hashed(unit.strip(), *((value or "").casefold() for value in place)) for unit, *place in rows]
    units = [hashed(unit.strip()) for unit, *_ in rows]
    return frame.with_columns(
        pl.Series("decision", of_decision, dtype=pl.Binary), pl.Series("unit key", units, dtype=pl.Binary)
    )


def unit_hashes(store: Store | Writing, model: str) -> Callable[..., bytes]:
    """Return the function that hashes a unit of a model, alone or with the values that its decisions differ in."""
    key = _hash_key(store)

    def hashed(*values: str) -> bytes:
        return hashlib.blake2b(canonical_json([model, *values]).encode(), key=key, digest_size=16).digest()

    return hashed


def _single(frame: pl.DataFrame, *, by: Sequence[str]) -> pl.DataFrame:
    """Return the last row of each decision, with the last label that is known."""
    ordered = frame.sort("second", maintain_order=True)
    last = ordered.group_by(by, maintain_order=True).agg(
        pl.exclude(*by, "label", "n").last(), pl.col("label").drop_nulls().last(), pl.lit(1, pl.Int64).alias("n")
    )
    return last.select(frame.columns)


def _hash_key(store: Store | Writing) -> bytes:
    """Return the key of the hashes, which the first writer makes; a stored check value detects another than before."""
    settings = dict(store.rows("SELECT name, value FROM settings WHERE name IN ('unit_key', 'unit_check')"))
    from_environment = os.environ.get(STORE_KEY)
    key = from_environment or settings.get("unit_key") or secrets.token_hex(32)
    hashed = hashlib.blake2b(key.encode()).digest()
    check = hashlib.blake2b(b"evenhand", key=hashed, digest_size=16).hexdigest()
    if settings.get("unit_check", check) != check:
        raise InputError(f"The units of this store are hashed with another key; set {STORE_KEY} to the earlier key.")
    if "unit_check" not in settings and isinstance(store, Writing):
        store.execute("INSERT INTO settings (name, value) VALUES ('unit_check', ?)", (check,))
        if not from_environment:
            store.execute("INSERT INTO settings (name, value) VALUES ('unit_key', ?)", (key,))
    return hashed


def stored_decisions(store: Store | Writing, column: str, keys: Sequence[bytes]) -> Iterator[StoredDecision]:
    """Yield the stored decisions whose hash in a column is among the keys."""
    for start in range(0, len(keys), _AT_ONCE):
        part = keys[start : start + _AT_ONCE]
        marks = ", ".join("?" * len(part))
        for decision, day, unit, cell, score, selected, label, *place in store.rows(
            "SELECT decision, day, unit, cell, score, selected, label, position, stage, decided_by "  # noqa: S608 - ours
            f"FROM decisions JOIN cells ON id = cell WHERE {column} IN ({marks})",
            part,
        ):
            yield StoredDecision(
                decision=bytes(decision),
                day=day,
                unit=bytes(unit),
                cell=cell,
                score=score,
                selected=selected,
                label=label,
                place=tuple(place),
            )


def _relabel(writing: Writing, model: str, pairs: Sequence[tuple[StoredDecision, bool]]) -> Counted:
    """Change the labels of decisions, where they differ from the stored ones."""
    changed = [(decision, int(label)) for decision, label in pairs if decision.label != label]
    if not changed:
        return Counted()
    moved: dict[tuple[int, str], list[CellCounts]] = {}
    for decision, label in changed:
        moved.setdefault((decision.cell, decision.day), []).append(_moved(decision, label))
    add_counts(writing, {key: summed(parts).packed() for key, parts in moved.items()})
    recorded = utc_text(writing.now)
    writing.execute_each(
        "UPDATE decisions SET label = ? WHERE decision = ? AND day = ?",
        [(label, decision.decision, decision.day) for decision, label in changed],
    )
    writing.execute_each(
        "INSERT INTO labels (decision, day, recorded, label, replaced) VALUES (?, ?, ?, ?, ?)",
        [(decision.decision, decision.day, recorded, label, decision.label) for decision, label in changed],
    )
    summary = canonical_json(
        sorted([decision.decision.hex(), decision.day, label, decision.label] for decision, label in changed)
    )
    content = {"model": model, "changed": len(changed), "sha256": hashlib.sha256(summary.encode()).hexdigest()}
    add_entry(writing, "labels", content)
    return Counted(days=frozenset(decision.day for decision, _ in changed), labels=len(changed))


def _moved(decision: StoredDecision, label: int) -> CellCounts:
    """Return the change of the counts: a new label adds to them, the previous one is subtracted."""
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
