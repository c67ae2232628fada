"""Rules for alarms, the scales on which daily values are checked, and a description of each model's scores.

On its scale a value is about normal, with a known sampling variance. The description raises no alarm.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from evenhand.data.toml_files import read_toml
from evenhand.errors import InputError
from evenhand.monitoring.counts import ValueCounts
from evenhand.monitoring.daily import MEASURES, DailySeries, daily_series
from evenhand.monitoring.store import Store, canonical_json
from evenhand.results.finding import FEWEST_PEOPLE
from evenhand.results.messages import listed, quoted
from evenhand.stats import (
    FOUR_FIFTHS,
    KolmogorovSmirnov,
    StabilityIndex,
    TheilSen,
    kolmogorov_smirnov,
    stability_index,
    theil_sen,
)
from evenhand.stats.change_detection import BASELINE_DAYS

Floats = NDArray[np.float64]

#: Measures that are shares of counts, and those in seconds.
RATES: Final = frozenset(
    {
        "selection_rate",
        "agreement",
        "error_rate",
        "undetected_rate",
        "masking_recall",
        "masking_precision",
        "golden_accuracy",
        "labeller_agreement",
    }
)
TIMES: Final = frozenset({"latency_p50", "latency_p95"})
IMPACT, SELECTION = "log_impact_ratio", "selection_rate"


@dataclass(frozen=True, kw_only=True)
class OnScale:
    """The values of a series on its scale and their sampling variances; NaN where a day does not count.

    `measured(place, value)` converts a value on the scale to the units of the measure, for the day in that place.
    """

    values: Floats
    variances: Floats
    measured: Callable[[int, float], float]


class Scales:
    """The scale of each series of a store; `references` are the reference groups of each model by attribute."""

    def __init__(self, series: Sequence[DailySeries], references: Mapping[str, Mapping[str, str]]) -> None:
        self._rates = {
            _key(one_series.model, one_series.slice): one_series
            for one_series in series
            if one_series.measure == SELECTION
        }
        self._references = references

    def of(self, series: DailySeries, *, minimum_n: int, baseline_days: int) -> OnScale:
        """Return a series on its scale for change detection; days with fewer than `minimum_n` don't count.

        A share of x in n becomes arcsin √((x + 3/8) / (n + 3/4)), with the variance 1 / (4n + 2) (Anscombe 1948,
        Biometrika 35, 246-254); seconds become logarithms; for log impact ratios see `_shares_of_selected`; other
        measures stay as they are. A standard error from one day moves with the day's value, so the variance of measures
        that are no shares is c / n, c being the median of n × standard error² over the first baseline.

        >>> days = np.arange("2026-01-01", "2026-01-04", dtype="datetime64[D]")
        >>> rates = DailySeries(model="m", measure="selection_rate", slice={}, days=days, n=np.array([100, 100, 4]),
        ...     value=np.array([0.5, 0.2, 0.1]), standard_error=np.full(3, np.nan))
        >>> scaled = Scales([rates], {}).of(rates, minimum_n=20, baseline_days=28)
        >>> scaled.values.round(3), scaled.variances.round(5), round(scaled.measured(1, 0.466), 2)
        (array([0.785, 0.466,   nan]), array([0.00249, 0.00249,     nan]), 0.2)
        """
        n = series.n.astype(np.float64)
        if series.measure == IMPACT:
            counts_by_group = self._both(series)
            if counts_by_group is not None:
                return _shares_of_selected(*counts_by_group, minimum_n=minimum_n, baseline_days=baseline_days)
        counts = np.isfinite(series.value) & (n >= minimum_n)
        if series.measure in RATES:
            values, variances = _share(series.value * n, n)
            return _counting(counts, values, variances, lambda place, value: _inverse_share(value, n[place]))
        value, error = series.value, series.standard_error
        times = series.measure in TIMES
        if times:
            counts &= value > 0
            with np.errstate(invalid="ignore", divide="ignore"):
                value, error = np.log(value), error / value
        early = np.flatnonzero(counts & np.isfinite(error))[:baseline_days]
        spread = n[early] * error[early] ** 2
        variances = np.full(n.size, float(np.median(spread)) if spread.size else 0.0) / np.maximum(n, 1)
        return _counting(counts, value, variances, lambda _, value: float(np.exp(value)) if times else value)

    def compared(self, series: DailySeries) -> list[DailySeries]:
        """Return the selection rates of a group and of its reference; none where they aren't known."""
        references = self._references.get(series.model, {})
        attribute = next((name for name in series.slice if name in references), None)
        if series.measure != IMPACT or attribute is None:
            return []
        groups = (series.slice[attribute], references[attribute])
        rates = [self._rates.get(_key(series.model, {**series.slice, attribute: group})) for group in groups]
        known = [rate for rate in rates if rate is not None]
        return known if len(known) == len(groups) else []

    def _both(self, series: DailySeries) -> tuple[Floats, Floats, Floats, Floats] | None:
        """Return selected and n of a group, then of its reference, on each day; None where they aren't known."""
        columns: list[Floats] = []
        for rates in self.compared(series):
            n = np.zeros(series.days.size)
            selected = np.zeros(series.days.size)
            at = np.minimum(np.searchsorted(rates.days, series.days), rates.days.size - 1)
            matching = (rates.days[at] == series.days) & (series.n > 0)
            n[matching] = rates.n[at[matching]]
            selected[matching] = np.round(np.nan_to_num(rates.value[at[matching]]) * n[matching])
            columns += [selected, n]
        return (columns[0], columns[1], columns[2], columns[3]) if columns else None


def _shares_of_selected(
    selected: Floats,
    n: Floats,
    reference_selected_counts: Floats,
    reference_n: Floats,
    *,
    minimum_n: int,
    baseline_days: int,
) -> OnScale:
    """Return a group's share among those selected from it and its reference, relative to the first baseline's ratio.

    Of m selected the group's x are about binomial with share π = n r / (n r + n'), r being the impact ratio. The value
    is arcsin √((x + 3/8) / (m + 3/4)) − arcsin √π with the baseline's r, its variance (1 − m / (n + n')) / (4m + 2).
    A day on which nobody of the group was selected counts, though its log impact ratio can't be computed. An equal
    relative change of both rates is no change.
    """
    m, people = selected + reference_selected_counts, n + reference_n
    counts = (np.minimum(n, reference_n) >= minimum_n) & (m > 0)
    early = np.flatnonzero(counts)[:baseline_days]
    group_selected, reference_selected = selected[early].sum() + 0.5, reference_selected_counts[early].sum() + 0.5
    ratio = group_selected / (n[early].sum() + 0.5) / (reference_selected / (reference_n[early].sum() + 0.5))
    share = np.where(counts, n * ratio, 0.5) / np.where(counts, n * ratio + reference_n, 1.0)
    predicted = np.arcsin(np.sqrt(share))
    values, variances = _share(selected, m)
    variances *= 1 - np.minimum(m / np.maximum(people, 1), 0.99)

    def measured(place: int, value: float) -> float:
        part = np.clip(_inverse_share(value + predicted[place], m[place]), 0.25 / m[place], 1 - 0.25 / m[place])
        return float(np.log(part / (1 - part) * reference_n[place] / n[place]))

    return _counting(counts, values - predicted, variances, measured)


def _share(x: Floats, n: Floats) -> tuple[Floats, Floats]:
    return np.arcsin(np.sqrt(np.clip((x + 0.375) / (n + 0.75), 0, 1))), 1 / (4 * n + 2)


def _inverse_share(value: float, n: float) -> float:
    share = (np.sin(np.clip(value, 0, np.pi / 2)) ** 2 * (n + 0.75) - 0.375) / n
    return float(np.clip(share, 0, 1))


def _counting(
    counts: NDArray[np.bool_], values: Floats, variances: Floats, measured: Callable[[int, float], float]
) -> OnScale:
    return OnScale(
        values=np.where(counts, values, np.nan), variances=np.where(counts, variances, np.nan), measured=measured
    )


def _key(model: str, slice_: Mapping[str, str]) -> tuple[str, str]:
    return model, canonical_json(slice_)


COMPARISONS: Final = ("changes", "above", "below")
SEVERITIES: Final = ("info", "warning", "critical")
#: Measures whose values lie between 0 and 1.
SHARES: Final = RATES | {"auc", "worst_group_auc"}
#: Stands for any value in the slice of a rule.
ANY: Final = "*"
#: The fewest days of a baseline: with fewer, weekdays and autocorrelation can't be removed.
FEWEST_DAYS: Final = 21
MINIMUM_N: Final = 20


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A rule for a measure in a slice: its condition, and the number of days in a row that the condition must hold.

    The slice "each" stands for every slice of one name, such as each group; "*" in a table for any value.
    """

    name: str
    measure: str
    slice: Mapping[str, str] | Literal["overall", "each"] = "overall"
    comparison: str = "changes"
    threshold: float | None = None
    days: int = 1
    severity: str = "warning"
    minimum_n: int = MINIMUM_N
    models: tuple[str, ...] = ()

    def watches(self, model: str, measure: str, slice_: Mapping[str, str]) -> bool:
        """Say whether a series falls under the rule."""
        if measure != self.measure or (self.models and model not in self.models):
            return False
        if isinstance(self.slice, str):
            return len(slice_) == (1 if self.slice == "each" else 0)
        return self.slice.keys() == slice_.keys() and all(
            expected in {ANY, slice_[name]} for name, expected in self.slice.items()
        )


@dataclass(frozen=True, kw_only=True)
class BaselineDays:
    """The number of days of the first baseline, and the first day that counts, by model or for all ("")."""

    days: int = BASELINE_DAYS
    since: Mapping[str, date] = field(default_factory=dict)

    def since_of(self, model: str) -> date | None:
        """Return the first day that counts for a model; None for its first day."""
        return self.since.get(model, self.since.get(""))


#: The kind of a rule that looks at levels, and the months of its window.
LEVEL_KIND: Final = "level"
MONTHS: Final = 12


@dataclass(frozen=True, kw_only=True)
class LevelRule:
    """A rule for standing disparities: impact ratios below a threshold, over a window of months.

    Groups of fewer than `minimum_n` decisions in the window are not compared.
    """

    name: str = "standing disparity"
    threshold: float = float(FOUR_FIFTHS)
    months: int = MONTHS
    severity: str = "critical"
    minimum_n: int = FEWEST_PEOPLE
    models: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Rules:
    """All rules of a file: those of daily values, and those of levels."""

    rules: tuple[Rule, ...]
    baseline: BaselineDays
    levels: tuple[LevelRule, ...] = ()
    holidays: tuple[date, ...] = ()


def read_rules(path: Path | None = None) -> Rules:
    """Return the rules of a file, or the default ones.

    Raises
    ------
    InputError
        There is no such file, it is no TOML, or a rule is malformed: the message names the rule and the repair.

    >>> len(read_rules().rules), read_rules().rules[2].slice, read_rules().levels[0].threshold
    (13, 'each', 0.8)
    """
    named = "the default rules" if path is None else str(path)
    content = read_toml(path or Path(str(files("evenhand.monitoring") / "default_rules.toml")), option="--rules").values
    _checked(content, ("baseline", "calendar", "rule"), named)
    tables = content.get("rule")
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise InputError(f"{named} has no rules; each begins with a line [[rule]].")
    rules = [
        (_level_rule if "kind" in table else _rule)(table, f"{named}, rule {number}")
        for number, table in enumerate(tables, start=1)
    ]
    names = [rule.name for rule in rules]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"{named} has {quoted(twice[0])} twice; give each rule its own name.")
    baseline = _checked(content.get("baseline", {}), ("days", "from"), f"{named}, baseline")
    since = baseline.pop("from", {})
    calendar = _checked(content.get("calendar", {}), ("holidays",), f"{named}, calendar")
    return Rules(
        rules=tuple(rule for rule in rules if isinstance(rule, Rule)),
        baseline=BaselineDays(since=since if isinstance(since, dict) else {"": since}, **baseline),
        levels=tuple(rule for rule in rules if isinstance(rule, LevelRule)),
        holidays=tuple(sorted(calendar.get("holidays", []))),
    )


def _is_whole(value: Any, least: int = 1) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _are(kind: type, values: Any) -> bool:
    return isinstance(values, list) and all(type(value) is kind for value in values)


def _is_slice(value: Any) -> bool:
    return value in ("overall", "each") or (isinstance(value, dict) and bool(value) and _are(str, [*value.values()]))


def _are_days(value: Any) -> bool:
    return _are(date, [*value.values()] if isinstance(value, dict) else [value])


_WHOLE: Final = (_is_whole, "a whole number from 1")
#: What the value of each key has to be, and that in words.
_EXPECTED: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    "rule": (lambda _: True, ""),
    "baseline": (lambda value: isinstance(value, dict), "a table [baseline] with days or from"),
    "calendar": (lambda value: isinstance(value, dict), "a table [calendar] with holidays"),
    "days": (lambda value: _is_whole(value, FEWEST_DAYS), f"a whole number from {FEWEST_DAYS}"),
    "from": (_are_days, "a date such as 2026-03-01, or one of each model"),
    "holidays": (lambda value: _are(date, value), "dates such as [2026-12-25]"),
    "kind": (lambda value: value == LEVEL_KIND, f'"{LEVEL_KIND}", and none for a rule of daily values'),
    "name": (lambda value: isinstance(value, str) and bool(value.strip()), "text"),
    "measure": (lambda value: isinstance(value, str) and value in MEASURES, f"one of {listed(tuple(MEASURES))}"),
    "slice": (_is_slice, '"overall", "each" or a table such as { stage = "screen", gender = "*" }'),
    "comparison": (lambda value: value in COMPARISONS, " or ".join([", ".join(COMPARISONS[:-1]), COMPARISONS[-1]])),
    "threshold": (_is_number, "a number"),
    "for": _WHOLE,
    "months": _WHOLE,
    "minimum_n": _WHOLE,
    "severity": (lambda value: value in SEVERITIES, " or ".join([", ".join(SEVERITIES[:-1]), SEVERITIES[-1]])),
    "models": (lambda value: _are(str, value), "a list of names"),
}


def _checked(table: Mapping[str, Any], keys: Sequence[str], named: str) -> dict[str, Any]:
    """Return a table whose keys are known, and whose values are what they have to be."""
    for key, value in table.items():
        if key not in keys:
            raise InputError(f"{named} has the unknown key {quoted(key)}; known keys: {', '.join(keys)}.")
        fits, expected = _EXPECTED[key]
        if not fits(value):
            raise InputError(f"{named}: {key} is {quoted(value)}; expected {expected}.")
    return dict(table)


def _level_rule(table: Mapping[str, Any], named: str) -> LevelRule:
    keys = ("kind", "name", "threshold", "months", "severity", "minimum_n", "models")
    _checked({"kind": table["kind"]}, keys, named)
    values = _checked(table, keys, named)
    threshold = values.get("threshold", 1)
    if not 0 < threshold <= 1:
        raise InputError(f"{named}: threshold is {threshold}; expected a ratio up to 1, such as 0.8.")
    del values["kind"]
    return LevelRule(**values | {"models": tuple(values.get("models", ()))})


def _rule(table: Mapping[str, Any], named: str) -> Rule:
    keys = ("name", "measure", "slice", "comparison", "threshold", "for", "severity", "minimum_n", "models")
    values = _checked(table, keys, named)
    if "measure" not in values:
        raise InputError(f"{named} names no measure; expected {_EXPECTED['measure'][1]}.")
    measure, threshold = values["measure"], values.get("threshold")
    comparison = values.get("comparison", Rule.comparison)
    if (threshold is None) != (comparison == "changes"):
        repair = "needs a threshold" if threshold is None else "computes its limit; leave out threshold"
        raise InputError(f'{named}: comparison = "{comparison}" {repair}.')
    if threshold is not None and measure in SHARES and not 0 <= threshold <= 1:
        raise InputError(f"{named}: threshold is {threshold}; expected a share from 0 to 1, such as 0.05 for 5 %.")
    values |= {"models": tuple(values.get("models", ())), "days": values.pop("for", Rule.days)}
    return Rule(**{"name": measure.replace("_", " "), **values})


#: Values, ascending, and their frequencies.
Counted = tuple[NDArray[np.int64], NDArray[np.int64]]
#: The last days whose scores are compared with the baseline, and those whose slope is estimated.
LATELY: Final = 28
SLOPE_DAYS: Final = 90
#: Slopes are per this number of days.
PER_DAYS: Final = 30
#: Bins of the stability index, with equally many scores of the baseline each, and the probability of staying below the
#: limits by chance.
BINS: Final = 10
LIMIT: Final = 0.95


@dataclass(frozen=True, kw_only=True)
class Described:
    """A model's scores: the slope of their daily median, and the distance of recent scores from the baseline.

    `slope` is per 30 days, over the last 90, adjusted for weekdays; `psi` and `ks` compare the last 28 days with the
    baseline, None where the two overlap.
    """

    model: str
    slope: TheilSen
    psi: StabilityIndex | None
    ks: KolmogorovSmirnov | None

    @property
    def json(self) -> dict[str, Any]:
        """Return the description as JSON values."""
        return asdict(self)


def described(store: Store, baseline: BaselineDays, *, as_of: date, models: Sequence[str] = ()) -> list[Described]:
    """Return the description of each model (empty: all) that has scores."""
    series = daily_series(store, models=models, measures=["median_score"], until=as_of)
    overall = [one_series for one_series in series if not one_series.slice]
    return [_described(store, one_series, baseline, as_of=as_of) for one_series in overall]


def _described(store: Store, series: DailySeries, baseline: BaselineDays, *, as_of: date) -> Described:
    since = baseline.since_of(series.model)
    days = series.days if since is None else series.days[series.days >= np.datetime64(since, "D")]
    psi = ks = None
    first = days[: baseline.days]
    lately = np.datetime64(as_of - timedelta(days=LATELY - 1), "D")
    if first.size == baseline.days and first[-1] < lately:
        before = _scores(store, series.model, str(first[0]), str(first[-1]))
        after = _scores(store, series.model, str(lately), as_of.isoformat())
        psi, ks = _distances(before, after)
    return Described(model=series.model, slope=_slope(series, as_of), psi=psi, ks=ks)


def _slope(series: DailySeries, as_of: date) -> TheilSen:
    """Return the slope of the last days, each minus the median of its weekday."""
    chosen = series.days > np.datetime64(as_of - timedelta(days=SLOPE_DAYS), "D")
    days, values = series.days[chosen].astype(np.int64), series.value[chosen].copy()
    for weekday in range(7):
        on_weekday = (days % 7 == weekday) & np.isfinite(values)
        if on_weekday.any():
            values[on_weekday] -= np.median(values[on_weekday])
    return theil_sen(values, times=days / PER_DAYS)


def _distances(before: Counted, after: Counted) -> tuple[StabilityIndex, KolmogorovSmirnov]:
    """Return the distances of counted scores from those of the baseline: stability index and Kolmogorov-Smirnov."""
    places = np.union1d(before[0], after[0])
    before_counts, now = (np.zeros(places.size), np.zeros(places.size))
    for counts, (values, value_counts) in ((before_counts, before), (now, after)):
        counts[np.searchsorted(places, values)] = value_counts
    ranks = np.cumsum(before_counts)
    ends = np.unique(np.searchsorted(ranks, np.arange(1, BINS) * ranks[-1:].sum() / BINS))
    starts = np.concatenate([[0], ends + 1])
    starts = starts[starts < places.size]
    binned, reference = (np.add.reduceat(row, starts) if places.size else row for row in (now, before_counts))
    return (
        stability_index(binned, reference, confidence=LIMIT),
        kolmogorov_smirnov(now, before_counts, confidence=LIMIT),
    )


def _scores(store: Store, model: str, first: str, last: str) -> Counted:
    rows = store.rows(
        "SELECT scores FROM counts JOIN cells ON id = cell WHERE model = ? AND day >= ? AND day <= ?",
        (model, first, last),
    )
    scores = ValueCounts.together(ValueCounts.unpacked(bytes(packed)) for (packed,) in rows)
    return scores.values, scores.counts
