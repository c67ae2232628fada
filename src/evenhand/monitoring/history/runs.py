"""Finished runs and their findings, so that what was audited when can be listed beside what was monitored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand.monitoring.history.daily import DailyValue, known_model, save_values
from evenhand.monitoring.history.log import add_entry, canonical_json
from evenhand.monitoring.history.store import Store, utc_text

__all__ = ["FinishedRun", "record_run"]


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
        told = {"id": run.id, "model": run.model, "kind": run.kind, "title": run.title, "folder": run.folder}
        writing.execute(
            "INSERT INTO runs (id, model, kind, title, folder, created, recorded) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*told.values(), run.created, utc_text(writing.now)),
        )
        writing.execute_each(
            "INSERT INTO findings (run, name, measure, finding) VALUES (?, ?, ?, ?)",
            [(run.id, name, row["measure"], canonical_json(row)) for name, row in run.findings.items()],
        )
        if run.values:
            known_model(writing, run.model)
            save_values(writing, run.values)
        add_entry(writing, "run", told | {"findings": len(run.findings)})
    return True
