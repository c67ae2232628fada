"""What scorers gave golden cases: kept by run, so that the next version can be held against the last."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.monitoring.history.daily import DailyValue, known_model, save_values
from evenhand.monitoring.history.log import add_entry
from evenhand.monitoring.history.store import Store, Writing, utc_text

__all__ = ["Scored", "last_run", "record_scored"]


@dataclass(frozen=True, kw_only=True)
class Scored:
    """A run of a scorer on the cases of a version: what it gave each, and above which score it says yes."""

    model: str
    scorer: str
    version: int
    cutoff: float
    started: str
    scores: Mapping[str, float]


def last_run(store: Store | Writing, model: str, *, before: Scored | None = None) -> Scored | None:
    """Return a model's last run, of those that started no later than the run `before`, which is none of them."""
    own = ("9999", "", 0, "")
    if before is not None:
        own = (before.started, before.scorer, before.version, before.started)
    found = store.rows(
        "SELECT id, scorer, version, cutoff, started FROM golden_runs "
        "WHERE model = ? AND started <= ? AND NOT (scorer = ? AND version = ? AND started = ?) "
        "ORDER BY started DESC, id DESC LIMIT 1",
        (model, *own),
    )
    if not found:
        return None
    number, scorer, version, cutoff, started = found[0]
    scores = dict(store.rows("SELECT case_id, score FROM golden_scores WHERE run = ?", (number,)))
    return Scored(model=model, scorer=scorer, version=version, cutoff=cutoff, started=started, scores=scores)


def record_scored(writing: Writing, run: Scored, values: Sequence[DailyValue]) -> None:
    """Keep a run's scores, and the measures of its day; one that is there already is left as it is."""
    known_model(writing, run.model)
    told = {"model": run.model, "scorer": run.scorer, "version": run.version, "cutoff": run.cutoff}
    there = (run.model, run.scorer, run.version, run.started)
    if writing.rows("SELECT id FROM golden_runs WHERE model = ? AND scorer = ? AND version = ? AND started = ?", there):
        return
    number = writing.next_id("golden_runs")
    writing.execute(
        "INSERT INTO golden_runs (id, model, scorer, version, cutoff, started, recorded) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (number, *told.values(), run.started, utc_text(writing.now)),
    )
    writing.execute_each(
        "INSERT INTO golden_scores (run, case_id, score) VALUES (?, ?, ?)",
        [(number, name, score) for name, score in run.scores.items()],
    )
    save_values(writing, values)
    add_entry(writing, "golden run", {**told, "cases": len(run.scores)})
