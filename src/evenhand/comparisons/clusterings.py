"""Intervals of shares and differences of units in clusters: which factors vary, and the limits that follow.

`cluster_factors` picks the factors (names, roles, items) with enough levels to vary; `clustered`, `rate_clustered` and
`difference_clustered` give intervals from influences, `rate_interval_of` and `difference_interval_of` from units.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenhand import stats
from evenhand.comparisons.units import Floats, Ints, Units, distinct
from evenhand.results.finding import Alternative
from evenhand.stats.resampling import influence

Mask = NDArray[np.bool_]
Intervals = dict[str, Any]

#: A factor with fewer levels is held fixed: so few levels say nothing about others.
FEWEST_LEVELS: Final = 10
#: A variance below this is a rounding error.
ROUNDING = 1e-20


@dataclass(frozen=True, kw_only=True)
class ClusterFactors:
    """The factors that vary, with a code per observation, and the fixed ones with their number of levels."""

    codes: Mapping[str, Ints]
    fixed: Mapping[str, int] = field(default_factory=dict)

    @property
    def method(self) -> str:
        """The method of the interval, with the factors that don't vary."""
        return f"cluster-robust {' × '.join(self.codes)}{self.held_fixed}"

    @property
    def held_fixed(self) -> str:
        """The factors that are held fixed, as the end of a method."""
        return "".join(
            f"; {name} held fixed, {count} level{'s' if count != 1 else ''}" for name, count in self.fixed.items()
        )

    def take(self, mask: NDArray[np.bool_]) -> "ClusterFactors":
        """Return the factors of some observations; those that vary among all vary among them."""
        return ClusterFactors(codes={name: codes[mask] for name, codes in self.codes.items()}, fixed=self.fixed)


@dataclass(frozen=True, kw_only=True)
class Clustered:
    """A cluster-robust interval, how many clusters of each kind vary, and the p of its t test against 0.

    Without limits `reason` says why.
    """

    low: float | None = None
    high: float | None = None
    clusters: dict[str, int]
    method: str
    p: float | None = None
    reason: str | None = None


def cluster_factors(codes: Mapping[str, Ints]) -> ClusterFactors:
    """Return which of the factors vary: those with `FEWEST_LEVELS` levels or more.

    >>> roles = np.repeat(np.arange(3), 20)
    >>> factors = cluster_factors({"name": np.arange(60), "role": roles})
    >>> list(factors.codes), factors.method
    (['name'], 'cluster-robust name; role held fixed, 3 levels')
    """
    levels = {name: distinct(column) for name, column in codes.items()}
    return ClusterFactors(
        codes={name: column for name, column in codes.items() if levels[name] >= FEWEST_LEVELS},
        fixed={name: count for name, count in levels.items() if count < FEWEST_LEVELS},
    )


def clustered(
    psi: Floats, factors: ClusterFactors, estimate: float, *, confidences: Sequence[float]
) -> list[Clustered]:
    """Return the estimate ± t standard errors, per level of confidence."""
    return _t_limits(_Variance.of(psi, factors), factors, estimate, confidences=confidences)


def jackknifed(
    left_out: Sequence[Floats], factors: ClusterFactors, estimate: float, *, confidences: Sequence[float]
) -> list[Clustered]:
    """Return the same from estimates without each cluster of each factor, and of their intersection."""
    if not factors.codes:
        variance = _Variance(clusters={}, reason=f"No factor has {FEWEST_LEVELS} levels.")
    else:
        variance = _Variance.from_stats(stats.jackknife_variance(left_out), factors)
    return _t_limits(variance, factors, estimate, confidences=confidences)


def _t_limits(
    variance: "_Variance", factors: ClusterFactors, estimate: float, *, confidences: Sequence[float]
) -> list[Clustered]:
    if variance.reason is None and not variance.value > 0:
        variance = replace(variance, reason="The clusters do not vary.")
    if variance.reason is not None:
        return [variance.missing(factors)] * len(confidences)
    limits = [stats.t_interval(estimate, variance.value, variance.df, confidence=level) for level in confidences]
    p = float(stats.t_p(estimate / variance.value**0.5, variance.df))
    return [
        Clustered(low=limit.low, high=limit.high, clusters=variance.clusters, method=factors.method, p=p)
        for limit in limits
    ]


def rate_clustered(
    psi: Floats, factors: ClusterFactors, share: float, *, confidences: Sequence[float], highest: float = 1.0
) -> list[Clustered]:
    """Return Wilson's interval on the effective number of answers of a share that is `highest` at most."""
    variance = _Variance.of(psi, factors)
    if variance.reason is not None:
        return [variance.missing(factors)] * len(confidences)
    size = min(variance.clusters.values())
    limits = [
        stats.clustered_rate(share, variance.value, size, highest=highest, confidence=level) for level in confidences
    ]
    return [
        Clustered(
            low=limit.low, high=limit.high, clusters=variance.clusters, method=factors.method, reason=limit.reason
        )
        for limit in limits
    ]


def difference_clustered(
    psi: Floats,
    sides: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    factors: ClusterFactors,
    shares: tuple[float, float],
    *,
    confidences: Sequence[float],
) -> list[Clustered]:
    """Return Newcombe's interval of focal less reference share, from the influences on it and both sides' masks."""
    both = _Variance.of(psi, factors)
    if both.reason is not None:
        return [both.missing(factors)] * len(confidences)
    variances = [_Variance.of(psi[side], factors.take(side)) for side in sides]
    lacking = next((variance.reason for variance in variances if variance.reason is not None), None)
    if lacking is not None:
        return [Clustered(clusters=both.clusters, method=factors.method, reason=lacking)] * len(confidences)
    limits = [
        stats.clustered_difference(
            *shares,
            variances=(variances[0].value, variances[1].value),
            clusters=(min(variances[0].clusters.values()), min(variances[1].clusters.values())),
            covariance=(variances[0].value + variances[1].value - both.value) / 2,
            confidence=level,
        )
        for level in confidences
    ]
    return [
        Clustered(low=limit.low, high=limit.high, clusters=both.clusters, method=factors.method, reason=limit.reason)
        for limit in limits
    ]


@dataclass(frozen=True, kw_only=True)
class _Variance:
    """A cluster-robust variance, its degrees of freedom and clusters, or why it isn't known."""

    value: float = float("nan")
    df: int = 0
    clusters: dict[str, int]
    reason: str | None = None

    @classmethod
    def of(cls, psi: Floats, factors: ClusterFactors) -> "_Variance":
        if not factors.codes:
            return cls(clusters={}, reason=f"No factor has {FEWEST_LEVELS} levels.")
        return cls.from_stats(stats.multiway_variance(psi, list(factors.codes.values())), factors)

    @classmethod
    def from_stats(cls, result: stats.ClusterVariance, factors: ClusterFactors) -> "_Variance":
        clusters = dict(zip(factors.codes, result.clusters, strict=True))
        if result.variance is None:
            return cls(clusters=clusters, reason=result.reason)
        return cls(value=float(result.variance), df=result.df, clusters=clusters)

    def missing(self, factors: ClusterFactors) -> Clustered:
        return Clustered(clusters=self.clusters, method=factors.method, reason=self.reason)


def rate_interval_of(
    units: Units, *, confidence: float, clusters: Sequence[str] = (), pooled: bool = False, highest: float = 1.0
) -> Intervals:
    """Return estimate, interval, n, clusters and method of the mean score, a share.

    The interval is Wilson's on the effective number of answers, robust to those `clusters` that have enough
    levels; `clustered_rate` says why. The one over items is the alternative, or the only one where no
    clusters vary: with one answer per item it is Wilson's. `pooled` takes successes
    over trials instead of the mean score; n is then the number of trials. `highest` is the
    largest share that could be.
    """
    n_items = distinct(units.item)
    counted: Intervals = {"n": int(units.trials.sum()) if pooled else len(units), "clusters": {"item": n_items}}
    if not len(units):
        return {**counted, "estimate": None, "method": "Wilson on items", "reason": "No answer was observed."}
    estimate = _mean(units, pooled=pooled)
    psi = _influence(units, pooled=pooled)
    over_items = {
        **counted,
        "estimate": estimate,
        **_over_items(psi, units, estimate, pooled=pooled, highest=highest, confidence=confidence),
    }
    if not clusters or np.ptp(units.score) == 0:
        return over_items
    factors = cluster_factors({name: units.codes[name] for name in clusters})
    return _primary(
        over_items, rate_clustered(psi, factors, estimate, confidences=(confidence,), highest=highest)[0], factors
    )


def _primary(over_items: Intervals, robust: Clustered, factors: ClusterFactors) -> Intervals:
    """Return the cluster-robust interval with the one over items as the alternative, or the latter alone."""
    if robust.low is None:
        return {**over_items, "method": f"{over_items['method']}{factors.held_fixed}"}
    low, high, reason = (over_items.get(key) for key in ("low", "high", "reason"))
    alternative = Alternative(method=str(over_items["method"]), low=low, high=high, reason=reason)
    primary: Intervals = {"low": robust.low, "high": robust.high, "clusters": robust.clusters, "method": robust.method}
    return {**over_items, **primary, "reason": None, "alternatives": (alternative,)}


def _over_items(
    psi: Floats, units: Units, estimate: float, *, pooled: bool, highest: float, confidence: float
) -> Intervals:
    """Return the limits of a share over items, and their method."""
    n_items = distinct(units.item)
    if highest == 1.0 and (_single_answers(units, n_items, pooled=pooled) or np.ptp(units.score) == 0):
        # Wilson needs whole successes; with one score for all, that score is shared by every item.
        interval = stats.selection_rate(round(estimate * n_items), n_items, confidence=confidence)
        if abs(round(estimate * n_items) - estimate * n_items) < 1e-9:
            return {"low": interval.low, "high": interval.high, "method": "Wilson on items"}
    return _share_interval(psi, units, estimate, highest=highest, confidence=confidence)


def difference_interval_of(
    units: Units,
    focal: Mask,
    reference: Mask,
    *,
    confidence: float,
    clusters: Sequence[str] = (),
    pooled: bool = False,
) -> Intervals:
    """Return estimate, interval, n, clusters and method of focal − reference mean score.

    Newcombe's interval from `clustered_rate` limits, robust to the `clusters`. The one over items is
    the alternative. `pooled` as in `rate_interval_of`.
    """
    either = focal | reference
    chosen = units.take(either)
    n_items = distinct(chosen.item)
    counted: Intervals = {"n": int(chosen.trials.sum()) if pooled else len(chosen), "clusters": {"item": n_items}}
    n_focal, n_reference = int(focal.sum()), int(reference.sum())
    if not n_focal or not n_reference:
        return {
            **counted,
            "estimate": None,
            "method": "Newcombe on items",
            "reason": "One of the groups has no answer.",
        }
    sides = [units.take(side) for side in (focal, reference)]
    means = [_mean(side, pooled=pooled) for side in sides]
    estimate = means[0] - means[1]
    psi = np.zeros(len(units))
    psi[focal] = _influence(sides[0], pooled=pooled)
    psi[reference] = -_influence(sides[1], pooled=pooled)
    if _single_answers(chosen, n_items, pooled=pooled):
        counts = (round(units.score[focal].sum()), n_focal, round(units.score[reference].sum()), n_reference)
        interval = stats.rate_difference(*counts, confidence=confidence)
        limits: Intervals = {"low": interval.low, "high": interval.high, "method": "Newcombe on items"}
    else:
        limits = _difference_interval(psi, units, (focal, reference), means, confidence)
    over_items = {**counted, "estimate": estimate, **limits}
    if not clusters or any(np.ptp(side.score) == 0 for side in sides):
        return over_items
    factors = cluster_factors({name: chosen.codes[name] for name in clusters})
    robust = difference_clustered(
        psi[either], (focal[either], reference[either]), factors, (means[0], means[1]), confidences=(confidence,)
    )
    return _primary(over_items, robust[0], factors)


def _mean(units: Units, *, pooled: bool) -> float:
    return float(units.successes.sum() / units.trials.sum()) if pooled else float(units.score.mean())


def _influence(units: Units, *, pooled: bool) -> Floats:
    if pooled:
        return influence(units.successes, None, "rate", trials=units.trials)
    return influence(units.score, None, "rate")


def _single_answers(units: Units, n_items: int, *, pooled: bool) -> bool:
    """Return whether every item is one unit with a score of 0 or 1, and all count alike."""
    equal_trials = not pooled or np.ptp(units.trials) == 0
    return bool(equal_trials and n_items == len(units) and np.isin(units.score, (0.0, 1.0)).all())


def _share_interval(psi: Floats, units: Units, share: float, *, highest: float, confidence: float) -> Intervals:
    variance, items, reason = _item_variance(psi, units)
    if variance is None:
        return {"method": "item-clustered, Wilson", "reason": reason}
    interval = stats.clustered_rate(share, variance, items, highest=highest, confidence=confidence)
    method = "item-clustered, Wilson on effective n" if variance else "Wilson on items"
    return {"low": interval.low, "high": interval.high, "method": method, "reason": interval.reason}


def _difference_interval(
    psi: Floats, units: Units, sides: Sequence[Mask], means: Sequence[float], confidence: float
) -> Intervals:
    variances, sizes, reasons = zip(*(_item_variance(psi[side], units.take(side)) for side in sides), strict=True)
    lacking = [reason for reason in reasons if reason is not None]
    if lacking:
        return {"method": "item-clustered, Newcombe", "reason": lacking[0]}
    # psi has the sign of its side: summed by item, the product of both sides is less their covariance.
    totals = [np.bincount(units.item[side], weights=psi[side], minlength=int(units.item.max()) + 1) for side in sides]
    items = distinct(units.item[sides[0] | sides[1]])
    interval = stats.clustered_difference(
        *means,
        variances=(variances[0], variances[1]),
        clusters=(sizes[0], sizes[1]),
        covariance=-float(totals[0] @ totals[1]) * items / (items - 1),
        confidence=confidence,
    )
    method = "item-clustered, Newcombe on effective n" if any(variances) else "Newcombe on items"
    return {"low": interval.low, "high": interval.high, "method": method, "reason": interval.reason}


def _item_variance(psi: Floats, units: Units) -> tuple[float | None, int, str | None]:
    """Return the variance by items, how many there are, and why there is no variance."""
    variance = stats.multiway_variance(psi, [units.item])
    if variance.variance is None:
        return None, variance.clusters[0], variance.reason
    # Scores that are alike in all items leave a rounding error of variance.
    varies = np.ptp(units.score) > 0 and variance.variance > ROUNDING
    return (float(variance.variance) if varies else 0.0), variance.clusters[0], None
