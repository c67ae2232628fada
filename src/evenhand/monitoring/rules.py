"""How the scores of each model moved, described: no alarm follows from it.

Daily values on the scale on which they are watched: about normal, with the variance of their sampling.
Rules: what is watched, and when it rings; read from TOML.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.monitoring.counts import ValueCounts
from evenhand.monitoring.daily import MEASURES, DailySeries, daily_series
from evenhand.monitoring.store import Store, canonical_json
from evenhand.results.messages import listed, quoted
from evenhand.stats import KolmogorovSmirnov, StabilityIndex, TheilSen, kolmogorov_smirnov, stability_index, theil_sen
from evenhand.stats.change_detection import BASELINE_DAYS

Floats = NDArray[np.float64]

#: Measures that are shares, and those that are seconds.
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
    """The values of a series on its scale and the variances of their sampling; NaN where a day does not count.

    `measured(place, value)` gives a value of the scale in the units of the measure, for the day in that place.
    """

    values: Floats
    variances: Floats
    measured: Callable[[int, float], float]


class Scales:
    """The scale of each series of a store; `references` are the reference groups of each model by attribute."""

    def __init__(self, series: Sequence[DailySeries], references: Mapping[str, Mapping[str, str]]) -> None:
        self._rates = {_key(each.model, each.slice): each for each in series if each.measure == SELECTION}
        self._references = references

    def of(self, series: DailySeries, *, minimum_n: int, baseline_days: int) -> OnScale:
        """Return a series as it is watched; days with fewer than `minimum_n` don't count.

        A share of x in n is watched as arcsin √((x + 3/8) / (n + 3/4)), with the variance 1 / (4n + 2) (Anscombe
        1948, Biometrika 35, 246-254); seconds as logarithms; a log impact ratio by how those selected are
        divided, see `_divided`; all else as it is. A standard error from one day goes along with the day's value, so
        the variance of what is no share is c / n, c being the median of n × standard error² over the first baseline.

        >>> days = np.arange("2026-01-01", "2026-01-04", dtype="datetime64[D]")
        >>> rates = DailySeries(model="m", measure="selection_rate", slice={}, days=days, n=np.array([100, 100, 4]),
        ...     value=np.array([0.5, 0.2, 0.1]), standard_error=np.full(3, np.nan))
        >>> found = Scales([rates], {}).of(rates, minimum_n=20, baseline_days=28)
        >>> found.values.round(3), found.variances.round(5), round(found.measured(1, 0.466), 2)
        (array([0.785, 0.466,   nan]), array([0.00249, 0.00249,     nan]), 0.2)
        """
        n = series.n.astype(np.float64)
        if series.measure == IMPACT:
            both = self._both(series)
            if both is not None:
                return _divided(*both, minimum_n=minimum_n, baseline_days=baseline_days)
        counts = np.isfinite(series.value) & (n >= minimum_n)
        if series.measure in RATES:
            values, variances = _share(series.value * n, n)
            return _counting(counts, values, variances, lambda place, value: _unshare(value, n[place]))
        value, error = series.value, series.standard_error
        times = series.measure in TIMES
        if times:
            counts &= value > 0
            with np.errstate(invalid="ignore", divide="ignore"):
                value, error = np.log(value), error / value
        early = np.flatnonzero(counts & np.isfinite(error))[:baseline_days]
        spread = n[early] * error[early] ** 2
        variances = np.full(n.size, float(np.median(spread)) if spread.size else 0.0) / np.maximum(n, 1)
        return _counting(counts, value, variances, lambda _, found: float(np.exp(found)) if times else found)

    def _both(self, series: DailySeries) -> tuple[Floats, Floats, Floats, Floats] | None:
        """Return who was selected of how many, of a group and its reference on each day; None where it isn't known."""
        references = self._references.get(series.model, {})
        attribute = next((name for name in series.slice if name in references), None)
        if attribute is None:
            return None
        found: list[Floats] = []
        for group in (series.slice[attribute], references[attribute]):
            rates = self._rates.get(_key(series.model, {**series.slice, attribute: group}))
            if rates is None:
                return None
            n = np.zeros(series.days.size)
            selected = np.zeros(series.days.size)
            at = np.minimum(np.searchsorted(rates.days, series.days), rates.days.size - 1)
            same = (rates.days[at] == series.days) & (series.n > 0)
            n[same] = rates.n[at[same]]
            selected[same] = np.round(np.nan_to_num(rates.value[at[same]]) * n[same])
            found += [selected, n]
        return found[0], found[1], found[2], found[3]


def _divided(
    selected: Floats, n: Floats, selected_beside: Floats, n_beside: Floats, *, minimum_n: int, baseline_days: int
) -> OnScale:
    """Return how those selected are divided between a group and its reference, against the first baseline's ratio.

    Of m selected the group's x are about binomial with share π = n r / (n r + n'), r being the impact ratio; watched is
    arcsin √((x + 3/8) / (m + 3/4)) − arcsin √π with the baseline's r, of variance (1 − m / (n + n')) / (4m + 2).
    A day on which nobody of the group was selected counts, though its log impact ratio can't be computed; a change
    of both rates alike is none.
    """
    m, people = selected + selected_beside, n + n_beside
    counts = (np.minimum(n, n_beside) >= minimum_n) & (m > 0)
    early = np.flatnonzero(counts)[:baseline_days]
    of, beside = selected[early].sum() + 0.5, selected_beside[early].sum() + 0.5
    ratio = of / (n[early].sum() + 0.5) / (beside / (n_beside[early].sum() + 0.5))
    share = np.where(counts, n * ratio, 0.5) / np.where(counts, n * ratio + n_beside, 1.0)
    foretold = np.arcsin(np.sqrt(share))
    values, variances = _share(selected, m)
    variances *= 1 - np.minimum(m / np.maximum(people, 1), 0.99)

    def measured(place: int, value: float) -> float:
        part = np.clip(_unshare(value + foretold[place], m[place]), 0.25 / m[place], 1 - 0.25 / m[place])
        return float(np.log(part / (1 - part) * n_beside[place] / n[place]))

    return _counting(counts, values - foretold, variances, measured)


def _share(x: Floats, n: Floats) -> tuple[Floats, Floats]:
    return np.arcsin(np.sqrt(np.clip((x + 0.375) / (n + 0.75), 0, 1))), 1 / (4 * n + 2)


def _unshare(value: float, n: float) -> float:
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
#: Days of a baseline: with fewer, weekdays and autocorrelation can't be taken out.
FEWEST_DAYS: Final = 21
MINIMUM_N: Final = 20


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What is watched of a measure, in which slice, and what has to hold on how many days in a row.

    The slice "each" stands for every one of a single name, such as each group; "*" in a table for any value.
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
        """Return whether a series falls under the rule."""
        if measure != self.measure or (self.models and model not in self.models):
            return False
        if isinstance(self.slice, str):
            return len(slice_) == (1 if self.slice == "each" else 0)
        return self.slice.keys() == slice_.keys() and all(
            wanted in {ANY, slice_[name]} for name, wanted in self.slice.items()
        )


@dataclass(frozen=True, kw_only=True)
class BaselineDays:
    """How many days the first baseline has, and from when on days count, for each model or for all ("")."""

    days: int = BASELINE_DAYS
    since: Mapping[str, date] = field(default_factory=dict)

    def since_of(self, model: str) -> date | None:
        """Return from when on the days of a model count, None: from the first."""
        return self.since.get(model, self.since.get(""))


@dataclass(frozen=True, kw_only=True)
class Rules:
    """All rules of a file."""

    rules: tuple[Rule, ...]
    baseline: BaselineDays


def read_rules(path: Path | None = None) -> Rules:
    """Return the rules of a file, or the default ones.

    Raises
    ------
    InputError
        There is no such file, it is no TOML, or a rule can't be understood: the message names rule and repair.

    >>> len(read_rules().rules), read_rules().rules[2].slice
    (13, 'each')
    """
    named = "the default rules" if path is None else str(path)
    try:
        text = (
            files("evenhand.monitoring").joinpath("default_rules.toml").read_text("utf-8")
            if path is None
            else path.read_text("utf-8")
        )
        content = tomllib.loads(text)
    except OSError as error:
        raise InputError(f"--rules {named} can't be read: {error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"--rules {named} is not TOML: {error}") from error
    _known(content, ("baseline", "rule"), named)
    tables = content.get("rule")
    if not isinstance(tables, list) or not tables or not all(isinstance(each, dict) for each in tables):
        raise InputError(f"{named} has no rules; each begins with a line [[rule]].")
    rules = tuple(_rule(each, f"{named}, rule {number}") for number, each in enumerate(tables, start=1))
    twice = [each.name for each in rules if [other.name for other in rules].count(each.name) > 1]
    if twice:
        raise InputError(f"{named} has {quoted(twice[0])} twice; give each rule a name of its own.")
    return Rules(rules=rules, baseline=_baseline(content.get("baseline", {}), named))


def _rule(table: Mapping[str, Any], named: str) -> Rule:
    """Return one rule."""
    keys = ("name", "measure", "slice", "comparison", "threshold", "for", "severity", "minimum_n", "models")
    _known(table, keys, named)
    measure = table.get("measure")
    if not isinstance(measure, str) or measure not in MEASURES:
        what = "names no measure" if measure is None else f"has the measure {quoted(measure)}"
        raise InputError(f"{named} {what}; expected one of {listed(tuple(MEASURES))}.")
    comparison = table.get("comparison", "changes")
    _one_of(comparison, COMPARISONS, f"{named}: comparison")
    threshold = table.get("threshold")
    if (threshold is None) != (comparison == "changes"):
        repair = "needs a threshold" if threshold is None else "computes its limit; leave out threshold"
        raise InputError(f'{named}: comparison = "{comparison}" {repair}.')
    number = isinstance(threshold, int | float) and not isinstance(threshold, bool) and isfinite(threshold)
    if threshold is not None and not number:
        raise InputError(f"{named}: threshold is {quoted(threshold)}; expected a number.")
    if threshold is not None and measure in SHARES and not 0 <= threshold <= 1:
        raise InputError(f"{named}: threshold is {threshold}; expected a share from 0 to 1, such as 0.05 for 5 %.")
    severity = table.get("severity", "warning")
    _one_of(severity, SEVERITIES, f"{named}: severity")
    return Rule(
        name=_name(table.get("name", measure.replace("_", " ")), named),
        measure=measure,
        slice=_slice(table.get("slice", "overall"), named),
        comparison=comparison,
        threshold=None if threshold is None else float(threshold),
        days=_whole(table.get("for", 1), 1, f"{named}: for"),
        severity=severity,
        minimum_n=_whole(table.get("minimum_n", MINIMUM_N), 1, f"{named}: minimum_n"),
        models=_models(table.get("models", []), named),
    )


def _baseline(table: Any, named: str) -> BaselineDays:
    """Return what is said of the baseline."""
    if not isinstance(table, dict):
        raise InputError(f"{named}: baseline is {quoted(table)}; expected a table [baseline] with days or from.")
    _known(table, ("days", "from"), f"{named}, baseline")
    since = table.get("from", {})
    since = since if isinstance(since, dict) else {"": since}
    for model, day in since.items():
        if type(day) is not date:
            where = f"from.{model}" if model else "from"
            raise InputError(f"{named}, baseline: {where} is {quoted(day)}; expected a date such as 2026-03-01.")
    days = _whole(table.get("days", BASELINE_DAYS), FEWEST_DAYS, f"{named}, baseline: days")
    return BaselineDays(days=days, since=since)


def _known(table: Mapping[str, Any], keys: tuple[str, ...], named: str) -> None:
    strange = [key for key in table if key not in keys]
    if strange:
        raise InputError(f"{named} has {quoted(strange[0])}; known are {', '.join(keys)}.")


def _one_of(value: Any, choices: tuple[str, ...], named: str) -> None:
    if value not in choices:
        raise InputError(f"{named} is {quoted(value)}; expected {', '.join(choices[:-1])} or {choices[-1]}.")


def _whole(value: Any, least: int, named: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f"{named} is {quoted(value)}; expected a whole number from {least}.")
    return value


def _name(value: Any, named: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{named}: name is {quoted(value)}; expected text.")
    return value


def _slice(value: Any, named: str) -> Any:
    if value in ("overall", "each") or (isinstance(value, dict) and value and _texts(value.values())):
        return value
    expected = '"overall", "each" or a table such as { stage = "screen", gender = "*" }'
    raise InputError(f"{named}: slice is {quoted(value)}; expected {expected}.")


def _models(value: Any, named: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not _texts(value):
        raise InputError(f"{named}: models is {quoted(value)}; expected a list of names.")
    return tuple(value)


def _texts(values: Any) -> bool:
    return all(isinstance(each, str) for each in values)


#: Values, ascending, and how often each occurs.
Counted = tuple[NDArray[np.int64], NDArray[np.int64]]
#: Days, up to the last that is looked at, whose scores are held against the baseline, and whose slope is taken.
LATELY: Final = 28
SLOPE_DAYS: Final = 90
#: A slope is told for so many days.
PER_DAYS: Final = 30
#: Bins of the stability index, of equally many scores of the baseline, and how often its limit is kept by chance.
BINS: Final = 10
LIMIT: Final = 0.95


@dataclass(frozen=True, kw_only=True)
class Described:
    """A model's scores: the slope of their daily median, and how far those of late are from those of the baseline.

    `slope` is per 30 days, over the last 90, weekdays taken out; `psi` and `ks` hold the last 28 days against the
    baseline; None where these overlap.
    """

    model: str
    slope: TheilSen
    psi: StabilityIndex | None
    ks: KolmogorovSmirnov | None

    @property
    def json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return asdict(self)


def described(store: Store, baseline: BaselineDays, *, as_of: date, models: Sequence[str] = ()) -> list[Described]:
    """Return what is said of each model (empty: all) that has scores."""
    series = daily_series(store, models=models, measures=["median_score"], until=as_of)
    found = [each for each in series if not each.slice]
    return [_described(store, each, baseline, as_of=as_of) for each in found]


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
    """Return the slope of the last days, each less the median of its weekday."""
    chosen = series.days > np.datetime64(as_of - timedelta(days=SLOPE_DAYS), "D")
    days, values = series.days[chosen].astype(np.int64), series.value[chosen].copy()
    for weekday in range(7):
        own = (days % 7 == weekday) & np.isfinite(values)
        if own.any():
            values[own] -= np.median(values[own])
    return theil_sen(values, times=days / PER_DAYS)


def _distances(before: Counted, after: Counted) -> tuple[StabilityIndex, KolmogorovSmirnov]:
    """Return how far counted scores are from those of the baseline: in its tenths, and at every score."""
    places = np.union1d(before[0], after[0])
    held, now = (np.zeros(places.size), np.zeros(places.size))
    for counts, (values, of) in ((held, before), (now, after)):
        counts[np.searchsorted(places, values)] = of
    ranks = np.cumsum(held)
    ends = np.unique(np.searchsorted(ranks, np.arange(1, BINS) * ranks[-1:].sum() / BINS))
    starts = np.concatenate([[0], ends + 1])
    starts = starts[starts < places.size]
    binned, reference = (np.add.reduceat(each, starts) if places.size else each for each in (now, held))
    return (
        stability_index(binned, reference, confidence=LIMIT),
        kolmogorov_smirnov(now, held, confidence=LIMIT),
    )


def _scores(store: Store, model: str, first: str, last: str) -> Counted:
    rows = store.rows(
        "SELECT scores FROM counts JOIN cells ON id = cell WHERE model = ? AND day >= ? AND day <= ?",
        (model, first, last),
    )
    found = ValueCounts.together(ValueCounts.unpacked(bytes(packed)) for (packed,) in rows)
    return found.values, found.counts
