"""Daily values: the measures of each day, overall and by group, stage and who decided.

They are computed when a batch is recorded, so that checks and dashboards only read numbers.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import numpy as np
import orjson
from numpy.typing import NDArray

from evenhand.data.group_labels import unsure_labels
from evenhand.monitoring.counts import COUNTS, CellCounts, summed, unpacked
from evenhand.monitoring.store import Store, Writing, add_entry, canonical_json, utc_text
from evenhand.stats import auc, counted_quantile
from evenhand.stats.rounding import kept_numbers

#: Measures computed from a day's counts, with their descriptions. Measures of groups have slices such as
#: {"gender": "female"}; the reference of a log impact ratio is in the table `reference_groups`; the slice of the worst
#: AUC is {"attribute": "gender"}.
COUNTED: Final[Mapping[str, str]] = {
    "median_score": "median of the scores",
    "selection_rate": "selected, of those decided",
    "log_impact_ratio": "log of the selection rate over that of the reference group",
    "auc": "area under the ROC curve, of scores with a label",
    "worst_group_auc": "the lowest AUC of any group of an attribute, of those with 50 labels if there are any",
    "agreement": "decisions that the label agrees with",
    "latency_p50": "median of the seconds an answer took",
    "latency_p95": "95th percentile of the seconds an answer took",
    "error_rate": "judgements that failed",
    "undetected_rate": "judgements without a score or decision that can be read",
}
#: Measures that are not computed from the store's counts.
MEASURED: Final[Mapping[str, str]] = {
    "masking_recall": "of what identifies a person, the share that was masked",
    "masking_precision": "of what was masked, the share that identifies a person",
    "golden_accuracy": "golden cases judged as the people did",
    "golden_auc": "area under the ROC curve, of golden cases",
    "golden_calibration_slope": "slope of the logit of what people said on that of the score, of golden cases",
    "labeller_agreement": "labels of golden cases that are as the other person's",
}
MEASURES: Final[Mapping[str, str]] = {**COUNTED, **MEASURED}
#: Counts the series of masking.
MASKING: Final = "SELECT count(*) FROM series WHERE measure LIKE 'masking%'"


@dataclass(frozen=True, kw_only=True)
class DailyValue:
    """A measure on one day (UTC): null with a reason where it can't be computed."""

    model: str
    measure: str
    day: date
    value: float | None
    n: int
    slice: Mapping[str, str] = field(default_factory=dict)
    standard_error: float | None = None
    reason: str | None = None


#: What a series has of each day.
DAILY_COLUMNS: Final = ("days", "value", "standard_error", "n")


@dataclass(frozen=True, kw_only=True)
class DailySeries:
    """A measure of a model and slice over its days, which ascend and may have gaps.

    `days` are datetime64[D]; `value` and `standard_error` are NaN where they are not known; all are of one length.
    """

    model: str
    measure: str
    slice: Mapping[str, str]
    days: NDArray[np.datetime64]
    value: NDArray[np.float64]
    standard_error: NDArray[np.float64]
    n: NDArray[np.int64]

    @classmethod
    def of(cls, rows: Sequence[Sequence[Any]], **named: Any) -> "DailySeries":
        """Return the series with these rows of day, value, standard error and n."""
        days, value, standard_error, n = zip(*rows, strict=True)
        return cls(
            days=np.array(days, dtype="datetime64[D]"),
            value=np.array(value, dtype=np.float64),
            standard_error=np.array(standard_error, dtype=np.float64),
            n=np.array(n, dtype=np.int64),
            **named,
        )

    def where(self, chosen: NDArray[np.bool_]) -> "DailySeries":
        """Return the series of some of its days."""
        return replace(self, **{name: getattr(self, name)[chosen] for name in DAILY_COLUMNS})

    def moving_median(self, days: int) -> NDArray[np.float64]:
        """Return, for each day, the median of the values known on it and the `days` - 1 days before it.

        >>> week = np.arange("2026-01-01", "2026-01-05", dtype="datetime64[D]")
        >>> made = DailySeries(model="m", measure="auc", slice={}, days=week, value=np.array([1, 9, np.nan, 2.0]),
        ...     standard_error=np.full(4, np.nan), n=np.ones(4, dtype=np.int64))
        >>> made.moving_median(2)
        array([1., 5., 9., 2.])
        """
        places = (self.days - self.days[0]).astype(np.int64)
        values = np.full(places[-1] + days, np.nan)
        values[places + days - 1] = self.value
        windows = np.sort(np.lib.stride_tricks.sliding_window_view(values, days)[places], axis=1)
        known = np.isfinite(windows).sum(axis=1)
        at = np.arange(places.size)
        low, high = (windows[at, np.maximum(middle, 0)] for middle in ((known - 1) // 2, known // 2))
        return np.asarray(np.where(known > 0, (low + np.where(known > 0, high, 0)) / 2, np.nan))

    def moving_rate(self, days: int) -> NDArray[np.float64]:
        """Return, for each day, the rate of all that it was known of on the day and the `days` - 1 days before it.

        >>> week = np.arange("2026-01-01", "2026-01-04", dtype="datetime64[D]")
        >>> made = DailySeries(model="m", measure="error_rate", slice={}, days=week, value=np.array([0, 0.5, 0]),
        ...     standard_error=np.full(3, np.nan), n=np.array([6, 4, 10]))
        >>> made.moving_rate(2).round(3).tolist()
        [0.0, 0.2, 0.143]
        """
        places = (self.days - self.days[0]).astype(np.int64)
        known = np.isfinite(self.value)
        sums = np.zeros((2, places[-1] + days + 1))
        sums[:, places + days] = np.where(known, self.n, 0) * np.stack([np.where(known, self.value, 0), known])
        totals = np.cumsum(sums, axis=1)
        events, n = totals[:, places + days] - totals[:, places]
        return np.asarray(np.divide(events, n, out=np.full(places.size, np.nan), where=n > 0))

    def without_small(self, least: int) -> "DailySeries":
        """Return the series without days on which it is computed from fewer than `least` judgements."""
        return self.where((self.n >= least) | (self.measure not in COUNTED))


def daily_series(
    store: Store | Writing,
    *,
    models: Sequence[str] = (),
    measures: Sequence[str] = (),
    since: date | None = None,
    until: date | None = None,
) -> list[DailySeries]:
    """Return the series of models and measures (empty: all) over days, both included, by model, measure and slice."""
    conditions: list[str] = []
    parameters: list[Any] = []
    for column, names in (("model", models), ("measure", measures)):
        if names:
            conditions.append(f"{column} IN ({', '.join('?' * len(names))})")
            parameters += names
    chosen = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    result = []
    for number, model, measure, slice_ in store.rows(
        f"SELECT id, model, measure, slice FROM series{chosen} ORDER BY model, measure, slice",  # noqa: S608 - columns of ours
        parameters,
    ):
        rows = store.rows(
            "SELECT day, value, standard_error, n FROM daily_values WHERE series = ? AND day >= ? AND day <= ? "
            "ORDER BY day",
            (number, "" if since is None else since.isoformat(), "9999" if until is None else until.isoformat()),
        )
        if rows:
            result.append(DailySeries.of(rows, model=model, measure=measure, slice=orjson.loads(slice_)))
    return result


def save_values(writing: Writing, values: Sequence[DailyValue]) -> None:
    """Save daily values; they replace those of the same model, measure, slice and day."""
    known = {
        (model, measure, slice_): number
        for number, model, measure, slice_ in writing.rows("SELECT id, model, measure, slice FROM series")
    }
    free = max(known.values(), default=0) + 1
    rows = []
    for value in values:
        key = (value.model, value.measure, canonical_json(value.slice))
        if key not in known:
            known[key] = free
            writing.execute("INSERT INTO series (id, model, measure, slice) VALUES (?, ?, ?, ?)", (free, *key))
            free += 1
        rows.append((known[key], value.day.isoformat(), value.value, value.standard_error, value.n, value.reason))
    writing.execute_each(
        "INSERT INTO daily_values (series, day, value, standard_error, n, reason) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (series, day) DO UPDATE SET value = excluded.value, standard_error = excluded.standard_error, "
        "n = excluded.n, reason = excluded.reason",
        rows,
    )


def forget_counted(writing: Writing, model: str, day: str) -> None:
    """Delete the values of a model's day that are computed from counts, before they are recomputed."""
    writing.execute(
        "DELETE FROM daily_values WHERE day = ? AND series IN "  # noqa: S608 - marks
        f"(SELECT id FROM series WHERE model = ? AND measure IN ({', '.join('?' * len(COUNTED))}))",
        (day, model, *COUNTED),
    )


def known_model(writing: Writing, model: str) -> None:
    """Add a model where the store does not have it."""
    writing.execute(
        "INSERT INTO models (name, since) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (model, utc_text(writing.now))
    )


#: From this number of judgements with a known group on, an attribute's reference stays the same.
FIXED_REFERENCE_FROM: Final = 1_000
#: A group needs as many labels on a day for the worst AUC, where any group has as many.
FEWEST_LABELS: Final = 50


@dataclass(frozen=True, kw_only=True)
class _Part:
    """Counts of a cell on a day, with its slice (position, stage, decided_by and --by columns) and groups."""

    cut: Mapping[str, str]
    groups: Mapping[str, str | None]
    counts: CellCounts


def measure_days(writing: Writing, model: str, days: Collection[str]) -> None:
    """Recompute the values of a model's days: overall, per stage, and by who decided.

    Where a reference group changes, as it may while there are few judgements, all days are recomputed.
    """
    if _choose_references(writing, model):
        found_days = writing.rows("SELECT DISTINCT day FROM counts JOIN cells ON id = cell WHERE model = ?", (model,))
        days = {day for (day,) in found_days}
    values: list[DailyValue] = []
    references = _references(writing, model)
    for day in sorted(days):
        forget_counted(writing, model, day)
        parts = [part for _, part in _parts(writing, model, day)]
        slices: list[dict[str, str]] = [{}]
        for name in ("stage", "decided_by"):
            slices += [{name: value} for value in sorted({part.cut[name] for part in parts if name in part.cut})]
        for slice_ in slices:
            chosen = [part for part in parts if slice_.items() <= part.cut.items()]
            values += _day_values(model, date.fromisoformat(day), slice_, chosen, references)
    save_values(writing, values)


def series_of(store: Store | Writing, *, model: str, measure: str, slice: Mapping[str, str]) -> DailySeries | None:  # noqa: A002 - it is called so
    """Return the series of any slice, such as {"position": "nurse", "gender": "female"}; None where there is none.

    A series that is not stored is computed from the counts of each day, which takes longer.
    """
    stored = [series for series in daily_series(store, models=[model], measures=[measure]) if series.slice == slice]
    return stored[0] if stored else CountedSeries(store).of(model=model, measure=measure, slice=slice)


class CountedSeries:
    """Series computed from the counts of a store; those of the last model are kept, as others need them, too."""

    def __init__(self, store: Store | Writing) -> None:
        self._store = store
        self._model = ""
        self._parts: list[tuple[str, _Part]] = []
        self._values: dict[tuple[str, tuple[tuple[str, str], ...]], list[DailyValue]] = {}

    def of(
        self,
        *,
        model: str,
        measure: str,
        slice: Mapping[str, str],  # noqa: A002 - it is called so
        by: str = "day",
        ends: Callable[[NDArray[np.datetime64]], NDArray[np.datetime64]] | None = None,
    ) -> DailySeries | None:
        """Return a series by day, or `by` week or month: then `ends` returns the last day of each day's."""
        if model != self._model:
            self._model, self._values = model, {}
            self._parts = list(_parts(self._store, model))
        cut = {name: value for name, value in slice.items() if any(name in part.cut for _, part in self._parts)}
        key = (by, tuple(sorted(cut.items())))
        if key not in self._values:
            references = _references(self._store, model)
            last = np.array([day for day, _ in self._parts], dtype="datetime64[D]")
            numbered = zip((last if ends is None else ends(last)).tolist(), self._parts, strict=True)
            self._values[key] = [
                value
                for end, some in groupby(numbered, itemgetter(0))
                for value in _day_values(
                    model, end, cut, [part for _, (_, part) in some if cut.items() <= part.cut.items()], references
                )
            ]
        rows = [
            [getattr(value, name) for name in ("day", *DAILY_COLUMNS[1:])]
            for value in self._values[key]
            if value.measure == measure and value.slice == slice
        ]
        return DailySeries.of(rows, model=model, measure=measure, slice=slice) if rows else None


def _choose_references(writing: Writing, model: str) -> bool:
    """Make the largest group of each attribute its reference, unless it is final; return whether any changed.

    A group whose label may mean unknown is one only where there is no other.
    """
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
    unsure = {attribute: unsure_labels(group_sizes) for attribute, group_sizes in sizes.items()}
    chosen = {
        attribute: min(group_sizes, key=lambda group: (group in unsure[attribute], -group_sizes[group], group))
        for attribute, group_sizes in sizes.items()
        if group_sizes
    }
    writing.execute_each(
        "INSERT INTO reference_groups (model, attribute, reference, settled) VALUES (?, ?, ?, ?) ON CONFLICT "
        "(model, attribute) DO UPDATE SET reference = excluded.reference, settled = excluded.settled",
        [
            (model, attribute, group, int(sizes[attribute].total() >= FIXED_REFERENCE_FROM))
            for attribute, group in chosen.items()
        ],
    )
    changed = {name: group for name, group in chosen.items() if group != known.get(name, ("", False))[0]}
    if changed:
        add_entry(writing, "reference groups", {"model": model, "groups": changed})
    return bool(changed)


def _references(store: Store | Writing, model: str) -> dict[str, str]:
    """Return the reference group of each attribute of a model."""
    return dict(store.rows("SELECT attribute, reference FROM reference_groups WHERE model = ?", (model,)))


def _parts(store: Store | Writing, model: str, day: str | None = None) -> Iterator[tuple[str, _Part]]:
    """Yield the cells of a model with their day, by day; of one day, or of all."""
    columns = ", ".join(COUNTS)
    for when, position, stage, decided_by, breakdown, groups, *row in store.rows(
        f"SELECT day, position, stage, decided_by, breakdown, groups, {columns} FROM counts "  # noqa: S608
        f"JOIN cells ON id = cell WHERE model = ?{'' if day is None else ' AND day = ?'} ORDER BY day",
        (model, *(() if day is None else (day,))),
    ):
        cut: dict[str, Any] = {
            "position": position,
            "stage": stage,
            "decided_by": decided_by,
            **orjson.loads(breakdown),
        }
        yield (
            when,
            _Part(
                cut={name: value for name, value in cut.items() if value},
                groups=orjson.loads(groups),
                counts=unpacked(row),
            ),
        )


def _day_values(
    model: str, day: date, cut: Mapping[str, str], parts: Sequence[_Part], references: Mapping[str, str]
) -> Iterator[DailyValue]:
    """Yield the values of a slice and of its groups on a day."""
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
                value for value in _values(of_group, counts) if value.measure in {"median_score", "selection_rate"}
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
            error = math.sqrt(rate * (1 - rate) / n) or None  # at a rate of 0 or 1 it says nothing about the precision
            yield replace(blank, measure=measure, value=rate, standard_error=error, n=n)
    if counts.scores_true.n or counts.scores_false.n:
        yield _auc(replace(blank, measure="auc"), counts)
    if counts.seconds.n:
        yield _quantile(blank, "latency_p50", counts, share=0.5)
        yield _quantile(blank, "latency_p95", counts, share=0.95)


def _quantile(blank: DailyValue, measure: str, counts: CellCounts, *, share: float) -> DailyValue:
    values = counts.scores if measure == "median_score" else counts.seconds
    quantile = counted_quantile(kept_numbers(values.values), values.counts, share=share)
    return replace(
        blank,
        measure=measure,
        value=quantile.estimate,
        standard_error=quantile.standard_error,
        n=quantile.n,
        reason=quantile.reason,
    )


def _auc(blank: DailyValue, counts: CellCounts) -> DailyValue:
    labelled = (counts.scores_true, counts.scores_false)
    result = auc(
        np.concatenate([side.values for side in labelled]),
        np.repeat([True, False], [side.values.size for side in labelled]),
        n=np.concatenate([side.counts for side in labelled]),
    )
    n = result.n_positive + result.n_negative
    reason = result.reason if result.estimate is None else None
    return replace(blank, value=result.estimate, standard_error=result.standard_error, n=n, reason=reason)


def _impact_ratios(
    blank: DailyValue, attribute: str, groups: Mapping[str, CellCounts], reference: str | None
) -> Iterator[DailyValue]:
    """Yield the log impact ratio of each group but the reference."""
    reference_counts = groups.get(reference or "")
    for group, counts in groups.items():
        if group == reference or not counts.decided:
            continue
        ratio = replace(blank, measure="log_impact_ratio", slice={**blank.slice, attribute: group})
        if reference_counts is None or not reference_counts.decided:
            yield replace(ratio, n=counts.decided, reason=f"Nobody of the reference group {reference} was decided on.")
            continue
        n = counts.decided + reference_counts.decided
        if not counts.selected or not reference_counts.selected:
            yield replace(ratio, n=n, reason="Nobody of a group was selected.")
            continue
        rates = counts.selected / counts.decided, reference_counts.selected / reference_counts.decided
        variance = (1 - rates[0]) / counts.selected + (1 - rates[1]) / reference_counts.selected
        yield replace(ratio, value=math.log(rates[0] / rates[1]), standard_error=math.sqrt(variance) or None, n=n)


def _worst_auc(blank: DailyValue, attribute: str, groups: Mapping[str, CellCounts]) -> Iterator[DailyValue]:
    """Yield the lowest AUC of the groups of an attribute, where any has one: of those with enough labels, if any."""
    aucs = [_auc(blank, counts) for counts in groups.values()]
    known = [value for value in aucs if value.value is not None]
    if known:
        reliable = [value for value in known if value.n >= FEWEST_LABELS]
        worst = min(reliable or known, key=lambda value: value.value or 0)
        yield replace(worst, measure="worst_group_auc", slice={**blank.slice, "attribute": attribute})
