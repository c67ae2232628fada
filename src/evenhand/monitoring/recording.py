"""Batches of judgements, each recorded once, and finished runs with their findings."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
import polars as pl

from evenhand.errors import InputError
from evenhand.monitoring import counts as monitoring_counts
from evenhand.monitoring.daily import DailyValue, known_model, measure_days, save_values
from evenhand.monitoring.store import Store, Writing, add_entry, canonical_json, utc_text
from evenhand.results.messages import quoted


@dataclass(kw_only=True)
class Batch:
    """Judgements of a model, summed by cell and day.

    `name` is the user's; without one a file's `fingerprint` names it, or else its content, to which `salt` adds what
    the counts don't tell, such as the times of day. `dropped` judgements were lost before it.
    """

    model: str
    name: str | None = None
    fingerprint: str | None = None
    salt: str = ""
    dropped: int = 0
    cells: dict[tuple[monitoring_counts.Cell, str], monitoring_counts.Packed] = field(default_factory=dict)
    _units: int = 0

    def add(self, frames: Iterable[pl.DataFrame]) -> None:
        """Count frames with the columns of `DATED`."""
        for frame in frames:
            for key, counts in monitoring_counts.counted_cells(monitoring_counts.CellRows.of(frame)):
                known = self.cells.get(key)
                self.cells[key] = (
                    counts if known is None else monitoring_counts.summed([monitoring_counts.unpacked(known), counts])
                ).packed()
            if "unit" in frame.columns:
                # A sum of digests is the same in any order.
                rows = frame.select("unit", "second", "score", "selected", "label").iter_rows()
                self._units += sum(int.from_bytes(hashlib.sha256(repr(row).encode()).digest()) for row in rows)

    @property
    def n(self) -> int:
        """Return how many judgements there are."""
        return sum(monitoring_counts.judgement_count(counts) for counts in self.cells.values())

    @property
    def content(self) -> str:
        """Return the SHA-256 of what is recorded."""
        digest = hashlib.sha256(repr((self.model, self.salt, self._units)).encode())
        for key in sorted(self.cells):
            digest.update(repr((key, self.cells[key])).encode())
        return digest.hexdigest()


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """What became of a batch: `new` is false where it had been recorded before.

    `n` judgements are new; with a column of units, `known` ones were there already, `labels` were taken, and
    `without` labels found no decision.
    """

    name: str
    model: str
    new: bool
    n: int
    days: Sequence[str]
    recorded: str
    known: int = 0
    labels: int = 0
    without: int = 0

    @property
    def json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        content = {"batch": self.name, "model": self.model, "new": self.new, "n": self.n, "recorded": self.recorded}
        of_units = {"known": self.known, "labels": self.labels, "labels_without_decision": self.without}
        return content | of_units | {"first_day": self.days[0], "last_day": self.days[-1]}


def record_batch(
    store: Store, batch: Batch, *, decisions: Iterable[pl.DataFrame] | None = None, labels_only: bool = False
) -> Recorded:
    """Record a batch, and compute the values of its days anew; one that is there already changes nothing.

    `decisions` are the batch's rows once more, where they have units: each is counted once, and its label may change.

    Raises
    ------
    InputError
        A batch of this name has other content, or the file was recorded with other columns.
    ServiceError
        The store can't be written; nothing of the batch was recorded.

    """
    content = batch.content
    name = batch.name if batch.name is not None else (batch.fingerprint or content)[:16]
    with store.writing() as writing:
        before = _before(writing, batch, name, content)
        if before is not None:
            return before
        known_model(writing, batch.model)
        counted = _add(writing, batch) if decisions is None else monitoring_counts.Counted()
        of_frame = monitoring_counts.label_decisions if labels_only else monitoring_counts.count_decisions
        for frame in decisions or ():
            counted = counted.plus(of_frame(writing, batch.model, frame))
        days = sorted({day for _, day in batch.cells})
        recorded = Recorded(
            name=name,
            model=batch.model,
            new=True,
            n=counted.new,
            days=days,
            recorded=utc_text(writing.now),
            known=counted.known,
            labels=counted.labels,
            without=counted.without,
        )
        values = (recorded.recorded, recorded.n, batch.dropped, days[0], days[-1])
        writing.execute(
            "INSERT INTO batches (model, name, content, fingerprint, recorded, n, dropped, first_day, last_day) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (batch.model, name, content, batch.fingerprint, *values),
        )
        add_entry(writing, "batch", recorded.json | {"content": content, "dropped": batch.dropped})
        measure_days(writing, batch.model, counted.days)
    return recorded


def _add(writing: Writing, batch: Batch) -> monitoring_counts.Counted:
    """Add the counts of a batch to the store."""
    ids = monitoring_counts.cell_ids(writing, batch.model, [cell for cell, _ in batch.cells])
    counted: dict[tuple[int, str], monitoring_counts.Packed] = {}
    secret, content = monitoring_counts.cell_secret(writing), batch.content
    for (cell, day), packed in batch.cells.items():
        counts = monitoring_counts.with_keys(packed, secret, content, cell, day)
        known = counted.get((ids[cell], day))  # in another spelling
        counted[ids[cell], day] = counts if known is None else monitoring_counts.together(known, counts)
    monitoring_counts.add_counts(writing, counted)
    return monitoring_counts.Counted(days=frozenset(day for _, day in counted), new=batch.n)


def _before(writing: Writing, batch: Batch, name: str, content: str) -> Recorded | None:
    """Return the batch as it was recorded before, None where it is new."""
    file = batch.fingerprint if batch.name is None else None
    earlier = writing.rows(
        "SELECT name, content, n, first_day, last_day, recorded FROM batches "
        "WHERE model = ? AND (name = ? OR fingerprint = ?)",
        (batch.model, name, file),
    )
    if not earlier:
        return None
    match = next((row for row in earlier if row[1] == content), None)
    if match is None:
        before = f"{quoted(batch.model)} on {earlier[0][5][:10]}"
        if file is not None:
            raise InputError(
                f"This file was recorded for {before} as batch {quoted(earlier[0][0])}, with other options; to "
                "record it again, give a --batch-id."
            )
        raise InputError(
            f"A batch {quoted(name)} was recorded for {before} with other content; give this one another --batch-id."
        )
    name, _, n, first, last, recorded = match
    return Recorded(name=name, model=batch.model, new=False, n=n, days=[first, last], recorded=recorded)


def missing_counts(store: Store) -> str | None:
    """Return of which model the counts are not those that the log tells of, None where all are there."""
    sizes: dict[str, int] = {}
    for (entry,) in store.rows("SELECT entry FROM log ORDER BY number"):
        body = orjson.loads(entry)
        if body["kind"] == "batch":
            sizes[body["content"]["model"]] = sizes.get(body["content"]["model"], 0) + body["content"]["n"]
    sums = store.rows("SELECT model, sum(n) FROM counts JOIN cells ON id = cell GROUP BY model")
    totals = {model: int(n) for model, n in sums}
    for model in sorted(set(sizes) | set(totals)):
        if sizes.get(model, 0) != totals.get(model, 0):
            return f"{quoted(model)} has {totals.get(model, 0):,} judgements, and {sizes.get(model, 0):,} were recorded"
    return None


@dataclass(frozen=True, kw_only=True)
class FinishedRun:
    """A finished run: `id` is the SHA-256 of its findings.json; the findings are as they stand there, by their name.

    `values` are those of a day that they tell, of masking for instance.
    """

    id: str
    model: str
    kind: str
    title: str
    created: str
    folder: str
    findings: Mapping[str, Mapping[str, Any]]
    values: Sequence[DailyValue] = ()


def record_run(store: Store, run: FinishedRun) -> bool:
    """Record a run with its findings; return whether it is new.

    Raises
    ------
    ServiceError
        The store can't be written; nothing of the run was recorded.

    """
    with store.writing() as writing:
        if writing.rows("SELECT id FROM runs WHERE id = ?", (run.id,)):
            return False
        content = {"id": run.id, "model": run.model, "kind": run.kind, "title": run.title, "folder": run.folder}
        writing.execute(
            "INSERT INTO runs (id, model, kind, title, folder, created, recorded) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*content.values(), run.created, utc_text(writing.now)),
        )
        writing.execute_each(
            "INSERT INTO findings (run, name, measure, finding) VALUES (?, ?, ?, ?)",
            [(run.id, name, row["measure"], canonical_json(row)) for name, row in run.findings.items()],
        )
        if run.values:
            known_model(writing, run.model)
            save_values(writing, run.values)
        add_entry(writing, "run", content | {"findings": len(run.findings)})
    return True
