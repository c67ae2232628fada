"""Batches: judgements that are recorded together, once."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
import polars as pl

from evenhand.errors import InputError
from evenhand.monitoring.history.cells import Cell, CellCounts, add_counts, cell_ids, counted_cells, summed
from evenhand.monitoring.history.daily import known_model
from evenhand.monitoring.history.log import add_entry, canonical_json
from evenhand.monitoring.history.measured import measure_days
from evenhand.monitoring.history.store import Store, Writing, utc_text
from evenhand.tables.messages.quoting import quoted

__all__ = ["Batch", "Recorded", "missing_counts", "record_batch"]


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Judgements of a model, summed by cell and day.

    `name` is the user's; without one the content names it. `fingerprint` is that of the file it was read from.
    """

    model: str
    cells: dict[tuple[Cell, str], CellCounts] = field(default_factory=dict)
    name: str | None = None
    fingerprint: str | None = None

    def add(self, frames: Iterable[pl.DataFrame]) -> None:
        """Count frames with the columns of `DATED`."""
        for frame in frames:
            for key, counts in counted_cells(frame):
                self.cells[key] = summed([self.cells[key], counts]) if key in self.cells else counts

    @property
    def n(self) -> int:
        """Return how many judgements there are."""
        return sum(counts.n for counts in self.cells.values())

    @property
    def content(self) -> str:
        """Return the SHA-256 of what is recorded."""
        digest = hashlib.sha256(self.model.encode())
        for key in sorted(self.cells):
            digest.update(repr((key, self.cells[key].packed())).encode())
        return digest.hexdigest()


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """What became of a batch: `new` is false where it had been recorded before."""

    name: str
    model: str
    new: bool
    n: int
    days: Sequence[str]
    recorded: str

    @property
    def json_text(self) -> str:
        """Return it as a text of JSON."""
        return orjson.dumps(self.json, option=orjson.OPT_INDENT_2).decode()

    @property
    def json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        ends = {"first_day": self.days[0], "last_day": self.days[-1]}
        return {"batch": self.name, "model": self.model, "new": self.new, "n": self.n, "recorded": self.recorded} | ends


def record_batch(store: Store, batch: Batch) -> Recorded:
    """Record a batch, and compute the values of its days anew; one that is there already changes nothing.

    Raises
    ------
    InputError
        A batch of this name has other content, or the file was recorded with other columns.
    ServiceError
        The store can't be written; nothing of the batch was recorded.

    """
    content = batch.content
    name = batch.name if batch.name is not None else content[:16]
    days = sorted({day for _, day in batch.cells})
    with store.writing() as writing:
        before = _before(writing, batch, name, content)
        if before is not None:
            return before
        known_model(writing, batch.model)
        values = (batch.model, name, content, batch.fingerprint, utc_text(writing.now), batch.n, days[0], days[-1])
        writing.execute(
            "INSERT INTO batches (model, name, content, fingerprint, recorded, n, first_day, last_day) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )
        ids = cell_ids(writing, batch.model, [cell for cell, _ in batch.cells])
        counted: dict[tuple[int, str], list[CellCounts]] = {}
        for (cell, day), counts in batch.cells.items():
            counted.setdefault((ids[cell], day), []).append(counts)
        add_counts(writing, {key: summed(parts) for key, parts in counted.items()})
        _keep_references(writing, batch)
        measure_days(writing, batch.model, days)
        recorded = Recorded(
            name=name, model=batch.model, new=True, n=batch.n, days=days, recorded=utc_text(writing.now)
        )
        add_entry(writing, "batch", recorded.json | {"content": content})
    return recorded


def _before(writing: Writing, batch: Batch, name: str, content: str) -> Recorded | None:
    """Return the batch as it was recorded before, None where it is new."""
    columns = "name, content, n, first_day, last_day, recorded"
    same = writing.rows(f"SELECT {columns} FROM batches WHERE model = ? AND name = ?", (batch.model, name))  # noqa: S608
    if same and same[0][1] != content:
        raise InputError(
            f"A batch {quoted(name)} of {quoted(batch.model)} was recorded on {same[0][5][:10]} with other content; "
            "give this one another --batch-id."
        )
    if not same and batch.name is None and batch.fingerprint is not None:
        file = writing.rows(
            f"SELECT {columns} FROM batches WHERE model = ? AND fingerprint = ?",  # noqa: S608 - columns of ours
            (batch.model, batch.fingerprint),
        )
        if file:
            raise InputError(
                f"This file was recorded for {quoted(batch.model)} on {file[0][5][:10]} as batch {quoted(file[0][0])}, "
                "with other columns; to count it once more give a --batch-id."
            )
    if not same:
        return None
    _, _, n, first, last, recorded = same[0]
    return Recorded(name=name, model=batch.model, new=False, n=n, days=[first, last], recorded=recorded)


def _keep_references(writing: Writing, batch: Batch) -> None:
    """Make the largest group of an attribute that is new to the model its reference, which it stays."""
    known = orjson.loads(writing.rows("SELECT reference_groups FROM models WHERE name = ?", (batch.model,))[0][0])
    sizes: dict[str, dict[str, int]] = {}
    for ((*_, groups), _), counts in batch.cells.items():
        for attribute, group in orjson.loads(groups).items():
            if attribute not in known and group is not None:
                of = sizes.setdefault(attribute, {})
                of[group] = of.get(group, 0) + counts.n
    new = {attribute: min(of, key=lambda group: (-of[group], group)) for attribute, of in sizes.items()}
    if new:
        writing.execute(
            "UPDATE models SET reference_groups = ? WHERE name = ?", (canonical_json(known | new), batch.model)
        )
        add_entry(writing, "references", {"model": batch.model, "groups": new})


def missing_counts(store: Store) -> str | None:
    """Return of which model the counts are not those that the log tells of, None where all are there."""
    told: dict[str, int] = {}
    for (entry,) in store.rows("SELECT entry FROM log ORDER BY number"):
        body = orjson.loads(entry)
        if body["kind"] == "batch":
            told[body["content"]["model"]] = told.get(body["content"]["model"], 0) + body["content"]["n"]
    sums = store.rows("SELECT model, sum(n) FROM counts JOIN cells ON id = cell GROUP BY model")
    there = {model: int(n) for model, n in sums}
    for model in sorted(set(told) | set(there)):
        if told.get(model, 0) != there.get(model, 0):
            return f"{quoted(model)} has {there.get(model, 0):,} judgements, and {told.get(model, 0):,} were recorded"
    return None
