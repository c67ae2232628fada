"""Intervals of shares and differences of units in clusters: which factors vary, and the limits that follow.

`cluster_factors` picks the factors (names, roles, items) with enough levels to vary; `clustered`, `rate_clustered` and
`difference_clustered` give intervals from influences, `rate_interval_of` and `difference_interval_of` from units.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenhand import stats
from evenhand.comparisons.units import Clustered, Floats, Ints, Units, distinct
from evenhand.results.finding import Alternative, copied
from evenhand.stats.resampling import influence
from evenhand.stats.special import ndtr

Mask = NDArray[np.bool_]
Intervals = dict[str, Any]

#: A factor with fewer levels is held fixed: so few levels say nothing about others.
FEWEST_LEVELS: Final = 10
#: Clusters belong to one side of a contrast each where no more of the observations than this are in one of both sides.
MOST_SHARED: Final = 0.1
#: A variance below this is a rounding error.
ROUNDING = 1e-20


@dataclass(frozen=True, kw_only=True)
class ClusterFactors:
    """The factors that vary, with a code per observation, and the fixed ones with their number of levels.

    `sides` says of each observation which side of a contrast it is on, 0 or 1: the degrees of freedom follow from the
    clusters of each side.
    """

    codes: Mapping[str, Ints]
    fixed: Mapping[str, int] = field(default_factory=dict)
    sides: Ints | None = None

    @property
    def method(self) -> str:
        """The method of the interval, with the factors that don't vary."""
        return f"cluster-robust by {' × '.join(self.codes)}{self.held_fixed}"

    @property
    def held_fixed(self) -> str:
        """The factors that are held fixed, as the end of a method."""
        return "".join(
            f"; {name} fixed, {count} level{'s' if count != 1 else ''}" for name, count in self.fixed.items()
        )

    def take(self, mask: NDArray[np.bool_]) -> "ClusterFactors":
        """Return the factors of some observations; those that vary among all vary among them."""
        return ClusterFactors(codes={name: codes[mask] for name, codes in self.codes.items()}, fixed=self.fixed)

    def clusters_of(self, name: str) -> "_Sides":
        """Return, for each cluster of a factor, its side and its size; all are of one where clusters hold both sides.

        Names carry a group, roles are shared: of a few names that occur in both groups the larger part counts.
        """
        codes, sides = self.codes[name], self.sides
        assert sides is not None
        present = stats.renumbered(codes)
        n = [np.bincount(present, weights=sides == side).astype(np.float64) for side in (0, 1)]
        size = n[0] + n[1]
        shared = float(size[(n[0] > 0) & (n[1] > 0)].sum()) > MOST_SHARED * size.sum()
        return _Sides(code=present, part=np.zeros(size.size, np.int64) if shared else (n[1] > n[0]) * 1, n=size)


@dataclass(frozen=True, kw_only=True)
class _Sides:
    """The cluster of each observation, and of each cluster the part of the contrast that it is in, and its size."""

    code: Ints
    part: Ints
    n: Floats


ONE_CLUSTER: Final = "A side of the comparison is in one cluster only, so clusters don't show how much it varies."


def _one_way(deviations: Floats, sides: _Sides, *, jackknife: bool) -> tuple[float, float]:
    """Return the variance that clusters show, summed over the parts of a contrast, and Satterthwaite's df; NaN if none.

    `deviations` are sums of influences by cluster, or estimates without each one. A part of G clusters has the
    factor G/(G - 1) of the former, (G - 1)/G of the latter, and the df of a mean of clusters of these sizes (Bell and
    McCaffrey 2002): G - 1 where they are alike. Their df follow from how many observations each part has, and not from
    the variances found: two clusters that happen to be alike would make those of the other side count for both.
    """
    values, expected, weighted = 0.0, 0.0, 0.0
    for part in np.unique(sides.part):
        inside = sides.part == part
        own, size = deviations[inside], int(inside.sum())
        if size < 2:
            return np.nan, np.nan
        value = (
            float(((own - own.mean()) ** 2).sum()) * (size - 1) / size
            if jackknife
            else float((own**2).sum()) * size / (size - 1)
        )
        n = sides.n[inside]
        values, expected = values + value, expected + 1 / float(n.sum())
        weighted += 1 / (float(n.sum()) ** 2 * _df_of_mean(n / n.sum()))
    return values, expected**2 / weighted


def _df_of_mean(shares: Floats) -> float:
    """Return Bell and McCaffrey's degrees of freedom of a mean of clusters with these shares of all observations.

    >>> round(_df_of_mean(np.full(5, 0.2)), 9), round(_df_of_mean(np.array([0.6, 0.2, 0.2])), 2)
    (4.0, 1.6)
    """
    d, u = shares / (1 - shares), shares**2 / (1 - shares)
    return float((d.sum() - u.sum()) ** 2 / ((d * (d - 2 * u)).sum() + u.sum() ** 2))


def cluster_factors(
    codes: Mapping[str, Ints], *, sides: Ints | None = None, varying: Sequence[str] = ()
) -> ClusterFactors:
    """Return which of the factors vary: those with `FEWEST_LEVELS` levels or more, and those called `varying`.

    >>> roles = np.repeat(np.arange(3), 20)
    >>> factors = cluster_factors({"name": np.arange(60), "role": roles})
    >>> list(factors.codes), factors.method
    (['name'], 'cluster-robust by name; role fixed, 3 levels')
    """
    levels = {name: distinct(column) for name, column in codes.items()}
    varies = {*varying, *(name for name, count in levels.items() if count >= FEWEST_LEVELS)}
    return ClusterFactors(
        codes={name: column for name, column in codes.items() if name in varies},
        fixed={name: count for name, count in levels.items() if name not in varies},
        sides=sides,
    )


#: Limits at a level of confidence.
Limits = Callable[[float], Clustered]


def clustered(psi: Floats, factors: ClusterFactors, estimate: float) -> Limits:
    """Return the estimate ± t standard errors, by level of confidence."""
    return _t_limits(_Variance.of(psi, factors), factors, estimate)


def jackknifed(left_out: Sequence[Floats], factors: ClusterFactors, estimate: float) -> Limits:
    """Return the same from estimates without each cluster of each factor, and of their intersection."""
    if not factors.codes:
        variance = _Variance(clusters={}, reason=f"No factor has {FEWEST_LEVELS} levels.")
    else:
        variance = _Variance.from_stats(stats.jackknife_variance(left_out), factors)
        if factors.sides is not None:
            variance = variance.by_sides(list(left_out), factors, _crossed(factors), jackknife=True)
    return _t_limits(variance, factors, estimate)


def _t_limits(variance: "_Variance", factors: ClusterFactors, estimate: float) -> Limits:
    if variance.reason is None and not variance.value > 0:
        variance = replace(variance, reason="The clusters do not vary.")
    if variance.reason is not None:
        return lambda _: variance.missing(factors)

    def limits(confidence: float) -> Clustered:
        interval = stats.t_interval(estimate, variance.value, variance.df, confidence=confidence)
        return Clustered(
            **copied(interval, "low high t p"), clusters=variance.clusters, method=factors.method, df=variance.df
        )

    return limits


def rate_clustered(psi: Floats, factors: ClusterFactors, share: float, *, highest: float = 1.0) -> Limits:
    """Return Wilson's interval on the effective number of answers of a share that is `highest` at most."""
    variance = _Variance.of(psi, factors)
    if variance.reason is not None:
        return lambda _: variance.missing(factors)
    size = min(variance.clusters.values())

    def limits(confidence: float) -> Clustered:
        interval = stats.clustered_rate(share, variance.value, size, highest=highest, confidence=confidence)
        return _with_reason(interval, variance, factors)

    return limits


def _with_reason(
    interval: stats.ClusteredRate | stats.ClusteredDifference, variance: "_Variance", factors: ClusterFactors
) -> Clustered:
    return Clustered(**copied(interval, "low high reason"), clusters=variance.clusters, method=factors.method)


def difference_clustered(
    psi: Floats,
    sides: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    factors: ClusterFactors,
    shares: tuple[float, float],
) -> Limits:
    """Return Newcombe's interval of focal minus reference share, from the influences on it and both sides' masks."""
    both = _Variance.of(psi, factors)
    if both.reason is not None:
        return lambda _: both.missing(factors)
    variances = [_Variance.of(psi[side], factors.take(side)) for side in sides]
    lacking = next((variance.reason for variance in variances if variance.reason is not None), None)
    if lacking is not None:
        return lambda _: Clustered(clusters=both.clusters, method=factors.method, reason=lacking)

    def limits(confidence: float) -> Clustered:
        interval = stats.clustered_difference(
            *shares,
            variances=(variances[0].value, variances[1].value),
            clusters=(min(variances[0].clusters.values()), min(variances[1].clusters.values())),
            covariance=(variances[0].value + variances[1].value - both.value) / 2,
            confidence=confidence,
        )
        return _with_reason(interval, both, factors)

    return limits


#: The p of an interval that still leaves the value out at nine standard errors is told as this bound.
LEAST_P: Final = 1e-15


def inverted_p(limits: Callable[[float], tuple[float, float] | None], estimate: float, null: float) -> float | None:
    """Return the p of the test that an interval inverts: it is below .05 where the 95 % limits leave `null` out.

    `limits` gives the interval at a level of confidence, None where there is none.

    >>> round(inverted_p(lambda level: (0.1 - level / 9, 0.1 + level / 9), 0.1, 0.0), 6)  # .1 = .9 / 9
    0.1
    """
    side, sign = (0, 1.0) if estimate > null else (1, -1.0)

    def beyond(z: float) -> float:
        interval = limits(1 - 2 * float(ndtr(-z)))
        return np.nan if interval is None else sign * (interval[side] - null)

    one, other = 1e-3, 7.9
    at_one, at_other = beyond(one), beyond(other)
    if not np.isfinite([at_one, at_other]).all():
        return None
    if estimate == null or at_one <= 0:
        return 1.0
    if at_other > 0:
        return LEAST_P
    for _ in range(60):  # the Pegasus form of the secant method (Dowell and Jarratt 1972)
        z = (one * at_other - other * at_one) / (at_other - at_one)
        value = beyond(z)
        if abs(value) <= 1e-10 * (abs(estimate - null) + 1e-9) or abs(other - one) < 1e-9:
            break
        if value * at_other < 0:
            one, at_one = other, at_other
        else:
            at_one *= at_other / (at_other + value)
        other, at_other = z, value
    return float(2 * ndtr(-z))


def _crossed(factors: ClusterFactors) -> list[tuple[int, _Sides]]:
    """Return the sign and the clusters of each intersection of factors."""
    return [
        (sign, ClusterFactors(codes={"crossed": codes}, sides=factors.sides).clusters_of("crossed"))
        for sign, codes in stats.intersections(list(factors.codes.values()))
    ]


@dataclass(frozen=True, kw_only=True)
class _Variance:
    """A cluster-robust variance, its degrees of freedom and clusters, or why it isn't known."""

    value: float = float("nan")
    df: float = 0.0
    clusters: dict[str, int]
    reason: str | None = None

    @classmethod
    def of(cls, psi: Floats, factors: ClusterFactors) -> "_Variance":
        if not factors.codes:
            return cls(clusters={}, reason=f"No factor has {FEWEST_LEVELS} levels.")
        if factors.sides is None:
            return cls.from_stats(stats.multiway_variance(psi, list(factors.codes.values())), factors)
        levels = {name: distinct(codes) for name, codes in factors.codes.items()}
        fewest = stats.multiway_variance(psi, [min(factors.codes.values(), key=distinct)])
        variance = cls(clusters=levels, reason=fewest.reason)
        crossed = _crossed(factors)
        codes = [*(factors.clusters_of(name).code for name in factors.codes), *(side.code for _, side in crossed)]
        totals: list[Floats] = [np.bincount(code, weights=psi).astype(np.float64) for code in codes]
        return variance.by_sides(totals, factors, crossed, jackknife=False)

    @classmethod
    def from_stats(cls, result: stats.ClusterVariance, factors: ClusterFactors) -> "_Variance":
        clusters = dict(zip(factors.codes, result.clusters, strict=True))
        if result.variance is None:
            return cls(clusters=clusters, reason=result.reason)
        return cls(value=float(result.variance), df=result.df, clusters=clusters)

    def by_sides(
        self,
        deviations: list[Floats],
        factors: ClusterFactors,
        crossed: "Sequence[tuple[int, _Sides]]",
        *,
        jackknife: bool,
    ) -> "_Variance":
        """Return the variance and degrees of freedom that follow from the clusters of each side of a contrast."""
        if self.reason is not None:
            return self
        sides = [factors.clusters_of(name) for name in factors.codes]
        ways = [_one_way(values, side, jackknife=jackknife) for values, side in zip(deviations, sides, strict=False)]
        largest, df = max(value for value, _ in ways), min(df for _, df in ways)
        if not np.isfinite([value for value, _ in ways]).all():
            return replace(self, reason=ONE_CLUSTER)
        value = sum(value for value, _ in ways)
        for (sign, side), totals in zip(crossed, deviations[len(sides) :], strict=True):
            both, _ = _one_way(totals, side, jackknife=jackknife)
            value += 0.0 if np.isnan(both) else sign * both
        return replace(self, value=max(value, largest), df=df)

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
    return _primary(over_items, rate_clustered(psi, factors, estimate, highest=highest)(confidence), factors)


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
    robust = difference_clustered(psi[either], (focal[either], reference[either]), factors, (means[0], means[1]))
    return _primary(over_items, robust(confidence), factors)


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
