"""The difference and the ratio of two groups' mean scores, with tests and standardised sizes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.cluster_robust import ClusterVariance
from evenhand.stats.special import gammaln, stdtr, stdtrit


@dataclass(frozen=True, kw_only=True)
class PooledT:
    """Focal mean minus reference mean with Student's test; `n` counts both samples."""

    estimate: float | None
    t: float | None
    df: int
    p: float | None
    n: int
    method: str
    reason: str | None


def pooled_t(focal: ArrayLike, reference: ArrayLike) -> PooledT:
    """Return the independent-samples t test of two samples of shapes (n1,) and (n2,), with a pooled variance.

    Formula: t = d / (s sqrt(1/n1 + 1/n2)) with s² = ((n1 - 1) v1 + (n2 - 1) v2) / (n1 + n2 - 2), on n1 + n2 - 2
    degrees of freedom; p = 2 cdf(-|t|).
    Assumes independent values and equal variances. Scores of the same résumés in two versions are not independent:
    what they share stays in s, so a difference that every pair shows can pass unseen, and many scores of one résumé
    count as many people. It is here because it is published; read the paired results.
    Fails: null with an empty sample, fewer than three values, values that are not finite or do not vary.

    Reference: Student (1908), Biometrika 6, 1-25; the two formulas as in Eightfold's 'Responsible AI' paper,
    'Perturbation Testing'.

    With means 3 and 5, variances 1 and 1 of three values each: t = -2 / sqrt(2/3), on 4 degrees of freedom.

    >>> result = pooled_t([2, 3, 4], [4, 5, 6])
    >>> result.estimate, round(result.t, 4), result.df, round(result.p, 4)
    (-2.0, -2.4495, 4, 0.0705)
    """
    x, y = (np.asarray(values, dtype=np.float64) for values in (focal, reference))
    if x.ndim != 1 or y.ndim != 1:
        message = f"pooled_t takes two samples of one dimension, got shapes {x.shape}, {y.shape}."
        raise ValueError(message)
    df = max(x.size + y.size - 2, 0)
    estimate = t = p = reason = None
    if not x.size or not y.size:
        reason = "A group has no values."
    elif not (np.isfinite(x).all() and np.isfinite(y).all()):
        reason = "A value is missing or not finite."
    else:
        estimate = float(x.mean() - y.mean())
        squares = float(((x - x.mean()) ** 2).sum() + ((y - y.mean()) ** 2).sum())
        if df < 1:
            reason = "Two values are too few to estimate a variance."
        elif max(np.ptp(x), np.ptp(y)) == 0.0:
            reason = "The values of each group are all the same."
        else:
            t = estimate / (squares / df * (1 / x.size + 1 / y.size)) ** 0.5
            p = float(_arrays.t_p(t, df))
    return PooledT(estimate=estimate, t=t, df=df, p=p, n=x.size + y.size, method="pooled t", reason=reason)


@dataclass(frozen=True, kw_only=True)
class WithinSets:
    """A difference within sets; `sets` counts those that hold both groups.

    `left_out` has an array per clustering: the difference without each cluster, by its code; NaN where none is
    left. Without a set of both groups `estimate` is None.
    """

    estimate: float | None
    left_out: tuple[_arrays.Floats, ...]
    sets: int


def within_sets(
    values: ArrayLike, focal: ArrayLike, sets: ArrayLike, *, clusters: Sequence[ArrayLike] = ()
) -> WithinSets:
    """Return focal minus reference within sets, in the unit of the values, from arrays of shape (n,).

    Formula: Σ w d / Σ w, d being the difference of the two means in a set and w = n1 n2 / (n1 + n2): the
    least-squares coefficient of the group where each set has its own intercept. A set of one group weighs
    nothing. With one set for all it is the difference of the two means.
    `clusters` are integer codes from 0; the difference is computed anew without each cluster.
    Assumes that the difference is about the same in all sets, or that the sets are a sample of those meant.
    Fails: null where no set holds both groups.

    Reference: Wooldridge (2010), Econometric Analysis of Cross Section and Panel Data, section 10.5.

    >>> result = within_sets([3.0, 1.0, 9.0, 8.0], [True, False, True, False], [0, 0, 1, 1], clusters=[[0, 0, 1, 1]])
    >>> result.estimate, result.left_out[0].tolist(), result.sets
    (1.5, [1.0, 2.0], 2)
    """
    y, side = np.asarray(values, dtype=np.float64), np.asarray(focal, dtype=np.float64)
    codes = np.unique(np.asarray(sets), return_inverse=True)[1].astype(np.int64)
    if not y.shape == side.shape == codes.shape or y.ndim != 1:
        message = f"values, focal and sets must be (n,), got {y.shape}, {side.shape}, {codes.shape}."
        raise ValueError(message)
    # Less the mean of its set, which takes nothing from the difference and keeps the sums small.
    n = np.maximum(np.bincount(codes), 1)
    y = y - (np.bincount(codes, weights=y) / n)[codes]
    rows = np.stack([side, side * y, 1.0 - side, (1.0 - side) * y])
    size = n.size if y.size else 0
    whole: _arrays.Floats = np.stack([np.bincount(codes, weights=row, minlength=size) for row in rows])
    moved, weight = _parts(*whole)
    total = (float(moved.sum()), float(weight.sum()))
    left_out = tuple(_without(rows, whole, codes, np.asarray(clustering), total) for clustering in clusters)
    return WithinSets(
        estimate=total[0] / total[1] if total[1] > 0 else None,
        left_out=left_out,
        sets=int(np.count_nonzero(weight)),
    )


def _parts(
    n1: _arrays.Floats, y1: _arrays.Floats, n0: _arrays.Floats, y0: _arrays.Floats
) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return w d and w of each set, w = n1 n0 / (n1 + n0), without dividing by an empty side."""
    with np.errstate(invalid="ignore", divide="ignore"):
        n = n1 + n0
        return np.where(n > 0, (y1 * n0 - y0 * n1) / n, 0.0), np.where(n > 0, n1 * n0 / n, 0.0)


def _without(
    rows: _arrays.Floats, whole: _arrays.Floats, sets: _arrays.Ints, cluster: _arrays.Ints, total: tuple[float, float]
) -> _arrays.Floats:
    """Return the difference without each cluster: its cells are taken from their sets, all others stay."""
    n_sets, n_clusters = whole.shape[1], int(cluster.max(initial=-1)) + 1
    cells, place = np.unique(cluster * n_sets + sets, return_inverse=True)
    cell_sums = np.stack([np.bincount(place, weights=row) for row in rows])
    before = whole[:, cells % n_sets]
    changes = [after - had for after, had in zip(_parts(*(before - cell_sums)), _parts(*before), strict=True)]
    moved, weight = (
        sums + np.bincount(cells // n_sets, weights=change, minlength=n_clusters)
        for sums, change in zip(total, changes, strict=True)
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(weight > 1e-9 * max(total[1], 1e-300), moved / weight, np.nan))


def jackknife_variance(left_out: Sequence[ArrayLike]) -> ClusterVariance:
    """Return the variance of an estimate from its values without each cluster.

    `left_out` has one array of shape (G,), three (both ways and their intersection) or seven (three ways a, b and c,
    then ab, ac, bc and abc). Formula: one way, V = (G - 1)/G Σ (θ₍₋g₎ - mean)²; two ways V_a + V_b - V_ab, three ways
    V_a + V_b + V_c - V_ab - V_ac - V_bc + V_abc, at least the largest of one way. A cluster that is taken out whole
    takes with it what its values did to others by centring, so V is not too small where sets are.
    Assumes that values that share no cluster are independent.
    Fails: null with fewer than 2 clusters each way, and where the estimate does not exist without one of them.

    Reference: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 11; MacKinnon, Nielsen and
    Webb (2023), Journal of Econometrics 232, 272-299 (clusters; CV3); Cameron, Gelbach and Miller (2011), Journal of
    Business & Economic Statistics 29, 238-249 (several ways).

    >>> jackknife_variance([[1.0, 2.0]]).variance  # 1/2 · (.25 + .25)
    0.25
    """
    values = [np.asarray(array, dtype=np.float64) for array in left_out]
    signs = {1: (1,), 3: (1, 1, -1), 7: (1, 1, 1, -1, -1, -1, 1)}.get(len(values))
    if signs is None:
        message = f"left_out must be of one to three ways and their intersections, got {len(values)} arrays."
        raise ValueError(message)
    ways = values[: (len(values) + 1).bit_length() - 1]
    counts = tuple(array.size for array in ways)
    reason = None
    if min(counts) < 2:
        reason = "A variance needs two clusters each way."
    elif not all(np.isfinite(array).all() for array in values):
        reason = "Without one of the clusters there is no difference."
    variances = [
        float(((array - array.mean()) ** 2).sum() * (array.size - 1) / array.size) if reason is None else None
        for array in values
    ]
    known = [term for term in variances if term is not None]
    summed = None if reason is not None else sum(sign * term for sign, term in zip(signs, known, strict=True))
    largest = None if reason is not None else max(known[: len(ways)])
    return ClusterVariance(
        variance=None if summed is None or largest is None else max(summed, largest),
        one_way=tuple(variances[: len(ways)]),
        floored=None if summed is None or largest is None else summed < largest,
        clusters=counts,
        df=max(min(counts) - 1, 0),
        n=sum(counts),
        method=f"jackknife over clusters, {('one way', 'two ways', 'three ways')[len(ways) - 1]}",
        reason=reason,
    )


def crossed_df(crossed: ClusterVariance) -> float:
    """Return the degrees of freedom of a variance of one way, or of ways that are crossed.

    Formula: one way, G - 1. Two ways, 1/df = (V_a/(A - 1) + V_b/(B - 1)) / (V_a + V_b), and likewise three: the
    quantiles of t for each way, weighted by its variance, as these are nearly linear in 1/df. So where one way hardly
    varies, its few clusters don't make the interval wide.
    Assumes that every cluster of one way meets (nearly) every one of the other.
    Fails: 0 where there is no variance.

    Reference: Cochran (1964), Biometrics 20, 191-195 (the weights, for two samples of unequal variance); Clark (1973),
    Journal of Verbal Learning and Verbal Behavior 12, 335-359 (items and people as random factors).

    Variances of 1 on 1 and of 1 on 3 degrees of freedom: 1/df = (1 + 1/3) / 2.

    >>> round(crossed_df(jackknife_variance([[0.0, 2.0], [0.0, 0.0, 0.0, (16 / 9) ** 0.5], [0.0, 0.0]])), 6)
    1.5
    """
    if crossed.variance is None or not crossed.variance > 0:
        return 0.0
    dfs = [count - 1.0 for count in crossed.clusters]
    parts = sum(variance / df for variance, df in zip(crossed.one_way, dfs, strict=True))
    return float(sum(crossed.one_way) / parts)


#: A standard deviation below this share of the mean is what rounding leaves of equal scores.
ROUNDING = 1e-12

#: Where something can't be computed, and why.
Case: TypeAlias = tuple[_arrays.Flags, str]


@dataclass(frozen=True)
class _Sample:
    """Size, mean and Σ(x - mean)² of a group, as floats."""

    n: _arrays.Floats
    mean: _arrays.Floats
    squares: _arrays.Floats

    @property
    def variance(self) -> _arrays.Floats:
        """The variance of the mean; NaN for fewer than two people."""
        return np.where(self.n > 1, self.squares / self.n / (self.n - 1), np.nan)


@dataclass(frozen=True, kw_only=True)
class MeanRatio:
    """Focal mean over reference mean, focal mean minus reference mean, and that in standard deviations.

    `reason` and `interval_reason` belong to the ratio; `difference` is known wherever both
    groups have somebody in them; `test_reason` says why t, p and the limits of the
    difference are null, `g_reason` why Hedges' g is.
    """

    estimate: _arrays.Value
    low: _arrays.Value
    high: _arrays.Value
    interval_reason: _arrays.Words
    difference: _arrays.Value
    difference_low: _arrays.Value
    difference_high: _arrays.Value
    t: _arrays.Value
    df: _arrays.Value
    p: _arrays.Value
    test_reason: _arrays.Words
    hedges_g: _arrays.Value
    g_low: _arrays.Value
    g_high: _arrays.Value
    g_reason: _arrays.Words
    confidence: float
    n: _arrays.Count
    method: str
    reason: _arrays.Words


def mean_ratio(  # noqa: PLR0917 - two groups in the order of all two-group statistics
    n_focal: ArrayLike,
    mean_focal: ArrayLike,
    squares_focal: ArrayLike,
    n_reference: ArrayLike,
    mean_reference: ArrayLike,
    squares_reference: ArrayLike,
    *,
    confidence: float = 0.95,
) -> MeanRatio:
    """Return ratio, difference and standardised difference of two mean scores.

    `squares` is Σ(x - mean)² of a group.
    Formula: with v = squares/(n(n - 1)) per group, the ratio's limits are Fieller's, the θ with
    (m1 - θ m2)² = t²(v1 + θ² v2), t on Satterthwaite's degrees of freedom of m1 - θ m2 at the
    estimate. Difference: Welch's t = (m1 - m2)/√(v1 + v2) and its limits. Hedges' g = J (m1 - m2)/s,
    s² = (squares1 + squares2)/df, df = n1 + n2 - 2, J = Γ(df/2)/(√(df/2) Γ((df - 1)/2)), with
    g ± z √(1/n1 + 1/n2 + g²/(2(n1 + n2))).
    Assumes independent people. The ratio depends on where the scale starts: a constant
    added to all scores moves it to 1. Read g as well. g's limits are rough below ten people
    in a group or where the groups' spreads differ much.
    Fails: the ratio is null for an empty group, where the reference mean is not positive or the
    focal mean negative (scores below 0 have no ratio); its limits also where the reference mean
    is not clearly above 0 at this confidence. Tests are null with fewer than two people
    in a group, or where no score varies.

    References: Fieller (1954), Journal of the Royal Statistical Society B 16, 175-185; Welch
    (1947), Biometrika 34, 28-35; Hedges and Olkin (1985), Statistical Methods for
    Meta-Analysis, pp. 81 and 86.

    Scores 1, 2, 3 against 2, 3, 4: v = 1/3 in both, t = -1/√(2/3).

    >>> result = mean_ratio(3, 2.0, 2.0, 3, 3.0, 2.0)
    >>> round(result.estimate, 4), result.difference, round(result.t, 4), round(result.df, 4)
    (0.6667, -1.0, -1.2247, 4.0)
    """
    _arrays.check_confidence(confidence)
    counted, sizes = _arrays.read_counts(n_focal=n_focal, n_reference=n_reference)
    means = [np.asarray(values, dtype=np.float64) for values in (mean_focal, mean_reference)]
    squares = [np.asarray(values, dtype=np.float64) for values in (squares_focal, squares_reference)]
    call, focal, reference = _read(counted, sizes, means, squares)
    with np.errstate(divide="ignore", invalid="ignore"):
        return MeanRatio(
            **_ratio(call, focal, reference, confidence),
            **_test(call, focal, reference, confidence),
            **_standardised(call, focal, reference, confidence),
            confidence=confidence,
            n=call.count((focal.n + reference.n).astype(np.int64)),
            method="Fieller, Welch t, Hedges' g",
        )


def _empty(focal: _Sample, reference: _Sample) -> tuple[Case, ...]:
    return (
        (focal.n == 0, "The focal group has no people."),
        (reference.n == 0, "The reference group has no people."),
    )


def _alone(focal: _Sample, reference: _Sample) -> Case:
    return (focal.n < 2) | (reference.n < 2), "A group has one person only, so its spread is not known."


def _fixed(focal: _Sample, reference: _Sample) -> Case:
    return (focal.squares == 0) & (reference.squares == 0), "The scores do not vary within the groups."


def _ratio(call: _arrays.Call, focal: _Sample, reference: _Sample, confidence: float) -> dict[str, Any]:
    """Return the ratio of the means and Fieller's limits."""
    reason = _arrays.reasons(
        *_empty(focal, reference),
        (reference.mean <= 0, "The mean score of the reference group is not positive, so a ratio to it says nothing."),
        (focal.mean < 0, "The mean score of the focal group is negative, so a ratio says nothing."),
    )
    low, high, unclear = _fieller(focal, reference, confidence)
    zeros = (focal.mean == 0) & (focal.squares == 0)
    interval_reason = _arrays.reasons(
        (reason != "", "The ratio of the means can't be computed."),
        _alone(focal, reference),
        _fixed(focal, reference),
        (zeros, "All scores of the focal group are 0, so the ratio is 0 and has no limits."),
        (unclear, "The mean score of the reference group is not clearly above 0, so the ratio has no limits."),
    )
    clear = interval_reason == ""
    return {
        "estimate": call.value(np.where(reason == "", focal.mean / reference.mean, np.nan)),
        "low": call.value(np.where(clear, low, np.nan)),
        "high": call.value(np.where(clear, high, np.nan)),
        "interval_reason": call.words(np.where(reason == "", interval_reason, reason)),
        "reason": call.words(reason),
    }


def _test(call: _arrays.Call, focal: _Sample, reference: _Sample, confidence: float) -> dict[str, Any]:
    """Return the difference of the means, its limits and Welch's test."""
    reason = _arrays.reasons(*_empty(focal, reference), _alone(focal, reference), _fixed(focal, reference))
    tested = reason == ""
    difference = focal.mean - reference.mean
    error, df = np.sqrt(focal.variance + reference.variance), _satterthwaite(focal, reference, 1.0)
    t = np.where(tested, difference / error, np.nan)
    width = np.where(tested, error * stdtrit(df, (1 + confidence) / 2), np.nan)
    return {
        "difference": call.value(np.where((focal.n > 0) & (reference.n > 0), difference, np.nan)),
        "difference_low": call.value(difference - width),
        "difference_high": call.value(difference + width),
        "t": call.value(t),
        "df": call.value(np.where(tested, df, np.nan)),
        "p": call.value(_arrays.positive_p(np.where(tested, 2 * stdtr(df, -np.abs(t)), np.nan))),
        "test_reason": call.words(reason),
    }


def _standardised(call: _arrays.Call, focal: _Sample, reference: _Sample, confidence: float) -> dict[str, Any]:
    """Return Hedges' g and its limits."""
    few = focal.n + reference.n < 4, "With fewer than four people Hedges' g is not defined."
    reason = _arrays.reasons(*_empty(focal, reference), few, _fixed(focal, reference))
    g, spread = (np.where(reason == "", value, np.nan) for value in _hedges(focal, reference, confidence))
    return {
        "hedges_g": call.value(g),
        "g_low": call.value(g - spread),
        "g_high": call.value(g + spread),
        "g_reason": call.words(reason),
    }


def _read(
    call: _arrays.Call, sizes: list[_arrays.Ints], means: list[_arrays.Floats], squares: list[_arrays.Floats]
) -> tuple[_arrays.Call, _Sample, _Sample]:
    """Return both groups as floats of one shape; an empty group needs no numbers."""
    sums = [*means, *squares]
    call = _arrays.Call(scalar=call.scalar and all(values.ndim == 0 for values in sums))
    n1, n2, m1, m2, q1, q2 = (
        np.atleast_1d(values) for values in np.broadcast_arrays(*(v.astype(np.float64) for v in sizes), *sums)
    )
    groups = []
    for n, mean, square, group in ((n1, m1, q1, "focal"), (n2, m2, q2, "reference")):
        wrong = (n > 0) & ~(np.isfinite(mean) & np.isfinite(square) & (square >= 0))
        if wrong.any():
            message = (
                f"mean_{group} must be finite and squares_{group} at least 0, "
                f"got {float(mean[wrong][0])!r} and {float(square[wrong][0])!r}."
            )
            raise ValueError(message)
        groups.append(_Sample(n, mean, np.where(square <= n * (ROUNDING * mean) ** 2, 0.0, square)))
    return call, groups[0], groups[1]


def _satterthwaite(focal: _Sample, reference: _Sample, theta: _arrays.Floats | float) -> _arrays.Floats:
    """Return the degrees of freedom of m1 - θ m2, from shares of its variance so that nothing underflows."""
    v1, v2 = focal.variance, theta**2 * reference.variance
    share = v1 / (v1 + v2)
    return np.asarray(1 / (share**2 / (focal.n - 1) + (1 - share) ** 2 / (reference.n - 1)))


def _fieller(
    focal: _Sample, reference: _Sample, confidence: float
) -> tuple[_arrays.Floats, _arrays.Floats, _arrays.Flags]:
    """Return both limits, and where there are none.

    The limits are the roots of θ²(1 - g) - 2 θ r + r² - t² v1/m2² with the ratio r and
    g = t² v2/m2², which is below 1 where the reference mean is clearly above 0.
    """
    ratio = focal.mean / reference.mean
    t = stdtrit(_satterthwaite(focal, reference, ratio), (1 + confidence) / 2)
    g = t**2 * reference.variance / reference.mean**2
    spread = np.sqrt(t**2 * focal.variance / reference.mean**2 * (1 - g) + ratio**2 * g)
    low, high = (ratio - spread) / (1 - g), (ratio + spread) / (1 - g)
    return low, high, np.asarray(~(g < 1), dtype=np.bool_)


def _hedges(focal: _Sample, reference: _Sample, confidence: float) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return g and half the width of its interval."""
    n = focal.n + reference.n
    df = n - 2
    # From here on the common approximation errs by less than the logarithms of the gamma function do.
    near = df >= 1e4
    exact = np.exp(gammaln(df / 2) - gammaln((df - 1) / 2)) / np.sqrt(df / 2)
    pooled = np.sqrt((focal.squares + reference.squares) / df)
    g = np.where(near, 1 - 3 / (4 * df - 1), exact) * (focal.mean - reference.mean) / pooled
    return g, _arrays.normal_quantile(confidence) * np.sqrt(1 / focal.n + 1 / reference.n + g**2 / (2 * n))
