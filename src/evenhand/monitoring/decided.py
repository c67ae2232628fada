"""How many were decided on and selected: the store's counts, by stage, groups, breakdown and month."""

import orjson
import polars as pl

from evenhand.monitoring.history.store import Store
from evenhand.tables.schemas import BREAKDOWN, PROTECTED

__all__ = ["counts_version", "decided_models", "monthly_counts"]


def decided_models(store: Store) -> list[str]:
    """Return the models that have decisions, those with groups and then with stages first."""
    return [
        model
        for model, *_ in store.rows(
            "SELECT model, max(CASE WHEN groups <> '{}' THEN 1 ELSE 0 END) AS grouped, count(DISTINCT stage) AS stages "
            "FROM cells WHERE EXISTS (SELECT 1 FROM counts WHERE cell = id AND decided > 0) "
            "GROUP BY model ORDER BY grouped DESC, stages DESC, model"
        )
    ]


def counts_version(store: Store, model: str) -> str:
    """Return what changes when judgements of a model are recorded: how many batches there are, and the last one."""
    ((batches, last),) = store.rows("SELECT count(*), max(recorded) FROM batches WHERE model = ?", (model,))
    return f"{batches} {last or ''}".strip()


def monthly_counts(store: Store, model: str) -> pl.DataFrame:
    """Return rows with stage, `decided`, `selected`, groups (protected.*) and breakdowns (by.*), the month one of them.

    A breakdown that no judgement has is left out; '' in one is not known.
    """
    rows = []
    names: set[str] = set()
    for stage, position, decided_by, breakdown, groups, month, decided, selected in store.rows(
        "SELECT stage, position, decided_by, breakdown, groups, substr(day, 1, 7), sum(decided), sum(selected) "
        "FROM counts JOIN cells ON id = cell WHERE model = ? "
        "GROUP BY stage, position, decided_by, breakdown, groups, substr(day, 1, 7)",
        (model,),
    ):
        by = {"position": position, "decided_by": decided_by, **orjson.loads(breakdown), "month": month}
        row = {BREAKDOWN + name: value for name, value in by.items()}
        row |= {PROTECTED + name: group for name, group in orjson.loads(groups).items()}
        names |= {name for name, value in row.items() if value}
        rows.append({"stage": stage, "decided": int(decided), "selected": int(selected)} | row)
    names_in_order = ["stage", "decided", "selected", *sorted(names)]
    numbers = {"decided", "selected"}
    return pl.DataFrame(rows, schema={name: pl.Int64 if name in numbers else pl.String for name in names_in_order})
