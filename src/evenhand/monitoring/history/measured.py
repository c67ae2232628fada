"""The measures of a day from its counts: overall, and by group, stage and who decided."""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

import numpy as np
import orjson

from evenhand.monitoring.history.cells import COUNTS, CellCounts, summed, unpacked
from evenhand.monitoring.history.daily import DailySeries, DailyValue, daily_series, forget_counted, save_values
from evenhand.monitoring.history.log import add_entry
from evenhand.monitoring.history.store import Store, Writing
from evenhand.stats import auc, counted_quantile
from evenhand.tables.schemas import STEPS

__all__ = ["ENOUGH_LABELS", "SETTLED_AT", "measure_days", "series_of"]

#: Judgements with a known group from which on an attribute's reference stays the same.
SETTLED_AT: Final = 1_000
#: Labels of a group on a day from which on its AUC may be the worst, where any group has as many.
ENOUGH_LABELS: Final = 50


@dataclass(frozen=True, kw_only=True)
class _Part:
    """Counts of a cell on a day, and what the cell is: its slice, by position, stage, decided_by and --by columns."""

    cut: Mapping[str, str]
    groups: Mapping[str, str | None]
    counts: CellCounts


def measure_days(writing: Writing, model: str, days: Collection[str]) -> None:
    """Compute the values of a model's days anew: overall, per stage, and by who decided.

    Where a reference group changes, as it may while there are few judgements, all days are.
    """
    if _choose_references(writing, model):
        found_days = writing.rows("SELECT DISTINCT day FROM counts JOIN cells ON id = cell WHERE model = ?", (model,))
        days = {day for (day,) in found_days}
    found: list[DailyValue] = []
    references = _references(writing, model)
    for day in sorted(days):
        forget_counted(writing, model, day)
        parts = _parts(writing, model, day)
        slices: list[dict[str, str]] = [{}]
        for name in ("stage", "decided_by"):
            slices += [{name: value} for value in sorted({part.cut[name] for part in parts if name in part.cut})]
        for slice_ in slices:
            chosen = [part for part in parts if slice_.items() <= part.cut.items()]
            found += _day_values(model, date.fromisoformat(day), slice_, chosen, references)
    save_values(writing, found)


def series_of(store: Store | Writing, *, model: str, measure: str, slice: Mapping[str, str]) -> DailySeries | None:  # noqa: A002 - it is called so
    """Return the series of any slice, such as {"position": "nurse", "gender": "female"}; None where there is none.

    One that the store does not keep is computed from the counts of each day, which takes longer.
    """
    kept = [each for each in daily_series(store, models=[model], measures=[measure]) if each.slice == slice]
    if kept:
        return kept[0]
    references = _references(store, model)
    values = []
    days = store.rows("SELECT DISTINCT day FROM counts JOIN cells ON id = cell WHERE model = ? ORDER BY day", (model,))
    for (day,) in days:
        parts = _parts(store, model, day)
        cut = {name: value for name, value in slice.items() if any(name in part.cut for part in parts)}
        chosen = [part for part in parts if cut.items() <= part.cut.items()]
        found = _day_values(model, date.fromisoformat(day), cut, chosen, references)
        values += [each for each in found if each.measure == measure and each.slice == slice]
    if not values:
        return None
    return DailySeries(
        model=model,
        measure=measure,
        slice=slice,
        days=np.array([each.day for each in values], dtype="datetime64[D]"),
        value=np.array([each.value for each in values], dtype=np.float64),
        standard_error=np.array([each.standard_error for each in values], dtype=np.float64),
        n=np.array([each.n for each in values], dtype=np.int64),
    )


def _choose_references(writing: Writing, model: str) -> bool:
    """Make the largest group of each attribute its reference, unless one is settled; return whether any changed."""
    known = {
        attribute: (reference, bool(settled))
        for attribute, reference, settled in writing.rows(
            "SELECT attribute, reference, settled FROM reference_groups WHERE model = ?", (model,)
        )
    }
    cells = [orjson.loads(groups) for (groups,) in writing.rows("SELECT groups FROM cells WHERE model = ?", (model,))]
    open_ones = {attribute for groups in cells for attribute in groups if not known.get(attribute, ("", False))[1]}
    if not open_ones:
        return False
    sizes: dict[str, Counter[str]] = {attribute: Counter() for attribute in open_ones}
    for groups, n in writing.rows(
        "SELECT groups, sum(n) FROM counts JOIN cells ON id = cell WHERE model = ? GROUP BY groups", (model,)
    ):
        for attribute, group in orjson.loads(groups).items():
            if attribute in sizes and group is not None:
                sizes[attribute][group] += int(n)
    chosen = {attribute: min(of, key=lambda group: (-of[group], group)) for attribute, of in sizes.items() if of}
    writing.execute_each(
        "INSERT INTO reference_groups (model, attribute, reference, settled) VALUES (?, ?, ?, ?) ON CONFLICT "
        "(model, attribute) DO UPDATE SET reference = excluded.reference, settled = excluded.settled",
        [(model, attribute, group, int(sizes[attribute].total() >= SETTLED_AT)) for attribute, group in chosen.items()],
    )
    changed = {name: group for name, group in chosen.items() if group != known.get(name, ("", False))[0]}
    if changed:
        add_entry(writing, "reference groups", {"model": model, "groups": changed})
    return bool(changed)


def _references(store: Store | Writing, model: str) -> dict[str, str]:
    """Return the reference group of each attribute of a model."""
    return dict(store.rows("SELECT attribute, reference FROM reference_groups WHERE model = ?", (model,)))


def _parts(store: Store | Writing, model: str, day: str) -> list[_Part]:
    columns = ", ".join(COUNTS)
    parts = []
    for position, stage, decided_by, breakdown, groups, *row in store.rows(
        f"SELECT position, stage, decided_by, breakdown, groups, {columns} FROM counts JOIN cells ON id = cell "  # noqa: S608
        "WHERE day = ? AND model = ?",
        (day, model),
    ):
        cut: dict[str, Any] = {
            "position": position,
            "stage": stage,
            "decided_by": decided_by,
            **orjson.loads(breakdown),
        }
        parts.append(
            _Part(
                cut={name: value for name, value in cut.items() if value},
                groups=orjson.loads(groups),
                counts=unpacked(row),
            )
        )
    return parts


def _day_values(
    model: str, day: date, cut: Mapping[str, str], parts: Sequence[_Part], references: Mapping[str, str]
) -> Iterator[DailyValue]:
    """Yield the values of a slice on a day, those of its groups with it."""
    blank = DailyValue(model=model, measure="", day=day, value=None, n=0, slice=dict(cut))
    yield from _values(blank, summed([part.counts for part in parts]))
    for attribute in sorted({name for part in parts for name in part.groups}):
        by_group: dict[str, list[CellCounts]] = {}
        for part in parts:
            group = part.groups.get(attribute)
            if group is not None:
                by_group.setdefault(group, []).append(part.counts)
        groups = {group: summed(counts) for group, counts in sorted(by_group.items())}
        for group, counts in groups.items():
            of_group = replace(blank, slice={**cut, attribute: group})
            yield from (
                each for each in _values(of_group, counts) if each.measure in {"median_score", "selection_rate"}
            )
        yield from _impact_ratios(blank, attribute, groups, references.get(attribute))
        yield from _worst_auc(blank, attribute, groups)


def _values(blank: DailyValue, counts: CellCounts) -> Iterator[DailyValue]:
    if counts.scores.n:
        yield _quantile(blank, "median_score", counts, share=0.5)
    for measure, k, n in (
        ("selection_rate", counts.selected, counts.decided),
        ("agreement", counts.agreed, counts.compared),
        ("error_rate", counts.failed, counts.failure_known),
        ("undetected_rate", counts.undetected, counts.detection_known),
    ):
        if n:
            rate = k / n
            error = math.sqrt(rate * (1 - rate) / n) or None  # of none or all it says nothing of the certainty
            yield replace(blank, measure=measure, value=rate, standard_error=error, n=n)
    if counts.scores_true.n or counts.scores_false.n:
        yield _auc(replace(blank, measure="auc"), counts)
    if counts.seconds.n:
        yield _quantile(blank, "latency_p50", counts, share=0.5)
        yield _quantile(blank, "latency_p95", counts, share=0.95)


def _quantile(blank: DailyValue, measure: str, counts: CellCounts, *, share: float) -> DailyValue:
    values = counts.scores if measure == "median_score" else counts.seconds
    found = counted_quantile(values.values, values.counts, share=share)
    value, error = (None if each is None else each / STEPS for each in (found.estimate, found.standard_error))
    return replace(blank, measure=measure, value=value, standard_error=error, n=found.n, reason=found.reason)


def _auc(blank: DailyValue, counts: CellCounts) -> DailyValue:
    labelled = (counts.scores_true, counts.scores_false)
    found = auc(
        np.concatenate([each.values for each in labelled]),
        np.repeat([True, False], [each.values.size for each in labelled]),
        n=np.concatenate([each.counts for each in labelled]),
    )
    n = found.n_positive + found.n_negative
    reason = found.reason if found.estimate is None else None
    return replace(blank, value=found.estimate, standard_error=found.standard_error, n=n, reason=reason)


def _impact_ratios(
    blank: DailyValue, attribute: str, groups: Mapping[str, CellCounts], reference: str | None
) -> Iterator[DailyValue]:
    """Yield the log impact ratio of each group but the reference."""
    beside = groups.get(reference or "")
    for group, counts in groups.items():
        if group == reference or not counts.decided:
            continue
        here = replace(blank, measure="log_impact_ratio", slice={**blank.slice, attribute: group})
        if beside is None or not beside.decided:
            yield replace(here, n=counts.decided, reason=f"Nobody of the reference group {reference} was decided on.")
            continue
        n = counts.decided + beside.decided
        if not counts.selected or not beside.selected:
            yield replace(here, n=n, reason="Nobody of a group was selected.")
            continue
        rates = counts.selected / counts.decided, beside.selected / beside.decided
        variance = (1 - rates[0]) / counts.selected + (1 - rates[1]) / beside.selected
        yield replace(here, value=math.log(rates[0] / rates[1]), standard_error=math.sqrt(variance) or None, n=n)


def _worst_auc(blank: DailyValue, attribute: str, groups: Mapping[str, CellCounts]) -> Iterator[DailyValue]:
    """Yield the lowest AUC of the groups of an attribute, where any has one: of those with enough labels, if any."""
    found = [_auc(blank, counts) for counts in groups.values()]
    known = [each for each in found if each.value is not None]
    if known:
        enough = [each for each in known if each.n >= ENOUGH_LABELS]
        worst = min(enough or known, key=lambda each: each.value or 0)
        yield replace(worst, measure="worst_group_auc", slice={**blank.slice, "attribute": attribute})
