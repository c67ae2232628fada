"""How many were decided on and selected: the store's counts, by stage, groups, breakdown and month."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import orjson
import polars as pl

from evenhand.errors import InputError
from evenhand.monitoring.history.cells import NOTHING, CellCounts, summed
from evenhand.monitoring.history.store import Store
from evenhand.monitoring.history.value_counts import ValueCounts
from evenhand.stats import counted_quantile
from evenhand.tables.schemas import BREAKDOWN, PROTECTED, STEPS

__all__ = [
    "AskedCounts",
    "counts_version",
    "decided_levels",
    "decided_models",
    "group_counts",
    "monthly_counts",
    "stage_above",
    "stage_cutoff",
]


_NUMBERS: Final = ("decided", "selected")
#: Between a stage and a cut-off; no text that people type has it.
_ABOVE: Final = "\x1f"


@dataclass(frozen=True, kw_only=True)
class AskedCounts:
    """What is counted: a stage, days from `first` to `last`, both included, and values of breakdowns ('' not known).

    Without a `cutoff` selection is as it was decided; with one it is a score above it.
    """

    stage: str = ""
    first: str = ""
    last: str = "9999-12-31"
    within: Mapping[str, str] = field(default_factory=dict)
    cutoff: float | Literal["median"] | None = None


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


def stage_above(stage: str, cutoff: float) -> str:
    """Return what the selection by scores above a cut-off is called among stages."""
    return f"{stage}{_ABOVE}{cutoff:g}"


def stage_cutoff(stage: str) -> tuple[str, float | None]:
    """Return the stage, and the cut-off by which it selects here; None as it was decided.

    >>> stage_cutoff(stage_above("screened", 0.5)), stage_cutoff("screened")
    (('screened', 0.5), ('screened', None))
    """
    own, above, cutoff = stage.partition(_ABOVE)
    return own, float(cutoff) if above else None


def monthly_counts(store: Store, model: str, cutoffs: Sequence[float] = ()) -> pl.DataFrame:
    """Return rows with stage, `decided`, `selected`, groups (protected.*) and breakdowns (by.*), the month one of them.

    For each of the `cutoffs` a stage stands there again as `stage_above`: with those who have a score, and those whose
    score is above it. A breakdown that no judgement has is left out; '' in one is not known.
    """
    rows = list(_scored(store, model, cutoffs)) if cutoffs else []
    names = {name for row in rows for name, value in row.items() if value and name not in {"stage", *_NUMBERS}}
    for stage, position, decided_by, breakdown, groups, month, decided, selected in store.rows(
        "SELECT stage, position, decided_by, breakdown, groups, substr(day, 1, 7), sum(decided), sum(selected) "
        "FROM counts JOIN cells ON id = cell WHERE model = ? "
        "GROUP BY stage, position, decided_by, breakdown, groups, substr(day, 1, 7)",
        (model,),
    ):
        row = _placed(position, decided_by, breakdown, groups, month)
        names |= {name for name, value in row.items() if value}
        rows.append({"stage": stage, "decided": int(decided), "selected": int(selected)} | row)
    names_in_order = ["stage", *_NUMBERS, *sorted(names)]
    return pl.DataFrame(rows, schema={name: pl.Int64 if name in _NUMBERS else pl.String for name in names_in_order})


def _placed(position: str, decided_by: str, breakdown: str, groups: str, month: str) -> dict[str, str]:
    """Return the breakdowns and groups of a cell as columns."""
    by = {"position": position, "decided_by": decided_by, **orjson.loads(breakdown), "month": month}
    row = {BREAKDOWN + name: value for name, value in by.items()}
    return row | {PROTECTED + name: group for name, group in orjson.loads(groups).items()}


def _scored(store: Store, model: str, cutoffs: Sequence[float]) -> Iterator[dict[str, Any]]:
    """Yield how many have a score in each cell and month, and how many of them one above each cut-off."""
    parts: dict[tuple[str, ...], list[ValueCounts]] = {}
    for *place, scores in store.rows(
        "SELECT stage, position, decided_by, breakdown, groups, substr(day, 1, 7), scores "
        "FROM counts JOIN cells ON id = cell WHERE model = ?",
        (model,),
    ):
        parts.setdefault(tuple(place), []).append(ValueCounts.unpacked(bytes(scores)))
    for (stage, *where), own in parts.items():
        scored = ValueCounts.together(own)
        for cutoff in cutoffs if scored.n else ():
            above = int(scored.counts[scored.values > round(cutoff * STEPS)].sum())
            yield {"stage": stage_above(stage, cutoff), "decided": scored.n, "selected": above} | _placed(*where)


def decided_levels(store: Store, model: str) -> dict[str, list[str]]:
    """Return the stages of a model's judgements, who decided, positions and the values of each column of --by."""
    found: dict[str, set[str]] = {}
    for stage, *place, breakdown in store.rows(
        "SELECT DISTINCT stage, decided_by, position, breakdown FROM cells WHERE model = ?", (model,)
    ):
        own = dict(zip(("decided_by", "position"), place, strict=True)) | orjson.loads(breakdown)
        for name, value in {"stage": stage, **own}.items():
            found.setdefault(name, set()).add(value or "")
    return {name: sorted(values) for name, values in found.items()}


def group_counts(store: Store, model: str, asked: AskedCounts) -> pl.DataFrame:
    """Return rows with `decided_by`, groups (protected.*), n and how many of them succeeded, exactly.

    Who is at a `cutoff` is not above it. Scores are kept in steps of .0001, and so compared; the median is that of
    all scores of the period, whoever decided.

    Raises
    ------
    InputError
        A cut-off was asked for, and no judgement of these has a score.

    """
    cells: dict[tuple[str, str], list[CellCounts]] = {}
    for decided_by, position, breakdown, groups, decided, selected, scores in store.rows(
        "SELECT decided_by, position, breakdown, groups, decided, selected, scores FROM counts JOIN cells ON id = cell "
        "WHERE model = ? AND stage = ? AND day >= ? AND day <= ?",
        (model, asked.stage, asked.first, asked.last),
    ):
        place = {"decided_by": decided_by, "position": position, **orjson.loads(breakdown)}
        if all((place.get(name) or "") == value for name, value in asked.within.items()):
            known = NOTHING if asked.cutoff is None else ValueCounts.unpacked(bytes(scores))
            counts = CellCounts(decided=int(decided), selected=int(selected), scores=known)
            cells.setdefault((decided_by, groups), []).append(counts)
    found = {key: summed(parts) for key, parts in cells.items()}
    step = _step(found.values(), asked.cutoff)
    rows = []
    for (decided_by, groups), counts in sorted(found.items()):
        n, successes = counts.decided, counts.selected
        if step is not None:
            n, successes = counts.scores.n, int(counts.scores.counts[counts.scores.values > step].sum())
        of = {PROTECTED + name: group for name, group in orjson.loads(groups).items()}
        rows.append({"decided_by": decided_by, "n": n, "successes": successes} | of)
    names = sorted({name for row in rows for name in row} - {"decided_by", "n", "successes"})
    texts = dict.fromkeys(("decided_by", *names), pl.String())
    return pl.DataFrame(rows, schema={**texts, "n": pl.Int64(), "successes": pl.Int64()})


def _step(found: Iterable[CellCounts], cutoff: float | Literal["median"] | None) -> float | None:
    """Return the cut-off in steps; None where selection is as it was decided."""
    if cutoff is None:
        return None
    scores = ValueCounts.together([each.scores for each in found])
    if not scores.n:
        raise InputError("No score was recorded of these judgements, so there is nothing above a cut-off.")
    if cutoff != "median":
        return round(cutoff * STEPS)
    return counted_quantile(scores.values, scores.counts, share=0.5).estimate
