"""Studies of repeated scores: variance between levels beyond noise, ratios of means, names crossed with clusters."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.special import stdtrit


@dataclass(frozen=True, kw_only=True)
class LevelVariance:
    """Per item, the variance between levels beyond noise, and the noise variance of one value; NaN where unknown.

    `df` are the degrees of freedom of the noise.
    """

    variance: _arrays.Floats
    noise: _arrays.Floats
    df: _arrays.Floats


def level_variance(mean: ArrayLike, n: ArrayLike, squares: ArrayLike) -> LevelVariance:
    """Return the variance between levels beyond noise, of items (rows) by levels (columns).

    `mean`, `n` and `squares` are of the values of each cell: their mean, their number and Σ(x - mean)²; an empty cell
    has n = 0. Formula: with s² = Σ squares / Σ(n - 1) of an item, V = Σ(m - m̄)² / (K - 1) - s² · mean(1/n) over its
    K levels. V is unbiased, so that it is negative where levels differ less than noise alone makes them.
    Assumes that noise has one variance in the cells of an item, and independent values.
    Fails: NaN for items with fewer than two levels, or without two values in any cell.

    Reference: Searle, Casella and McCulloch (1992), Variance Components, section 3.6 (the analysis of variance
    estimator).

    Means 1 and 3 of two values each, with squares of 2 and 2: s² = 4/2, V = 2 - 2/2.

    >>> level_variance([[1.0, 3.0]], [[2, 2]], [[2.0, 2.0]]).variance.tolist()
    [1.0]
    """
    m, size, ss = (np.atleast_2d(np.asarray(array, dtype=np.float64)) for array in (mean, n, squares))
    there = size > 0
    levels, df = there.sum(axis=1), np.where(there, size - 1, 0.0).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        noise = np.where(df > 0, np.where(there, ss, 0.0).sum(axis=1) / df, np.nan)
        centre = np.where(there, m, 0.0).sum(axis=1) / levels
        between = np.where(there, (m - centre[:, None]) ** 2, 0.0).sum(axis=1) / (levels - 1)
        inverse = np.where(there, 1 / size, 0.0).sum(axis=1) / levels
        variance = np.where(levels > 1, between - noise * inverse, np.nan)
    return LevelVariance(variance=variance, noise=noise, df=df)


@dataclass(frozen=True, kw_only=True)
class RatioOfMeans:
    """The ratio of two means; without an upper limit the data set none.

    `estimate` is None where the denominator is 0 or less; `low` and `high` where no limit can be given, for a reason.
    """

    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str | None


def ratio_of_means(
    numerator: float,
    denominator: float,
    variances: tuple[float, float, float],
    df: float,
    *,
    confidence: float = 0.95,
) -> RatioOfMeans:
    """Return the ratio of two estimates that can't be negative but for their errors, with Fieller's interval.

    `variances` are those of the numerator, of the denominator, and their covariance. Formula: the limits are the
    ratios r with (a - r b)² = t² (v_a - 2 r c + r² v_b); those that the interval holds are the ones that a t test of
    a - r b does not reject, so it leaves out 1 just where the test of a = b rejects. Where the denominator is not
    distinguishable from 0 there is no upper limit. Ratios below 0 are cut to 0.
    Assumes two nearly normal estimates, with variances on `df` degrees of freedom.
    Fails: no limits where neither is distinguishably above 0, or one of them is below.

    Reference: Fieller (1954), Journal of the Royal Statistical Society B 16, 175-185.

    Without an error of the numerator and of a denominator of 2 ± 1 the limits are 6/3 and 6/1.

    >>> ratio = ratio_of_means(6.0, 2.0, (0.0, 1 / 12.706204736**2, 0.0), 1)
    >>> ratio.estimate, round(ratio.low, 4), round(ratio.high, 4)
    (3.0, 2.0, 6.0)
    >>> ratio = ratio_of_means(6.0, 2.0, (0.0, 9 / 12.706204736**2, 0.0), 1)
    >>> round(ratio.low, 4), ratio.high
    (1.2, None)
    """
    _arrays.check_confidence(confidence)
    v_a, v_b, covariance = variances
    t2 = float(stdtrit(df, (1 + confidence) / 2)) ** 2
    square, middle, constant = denominator**2 - t2 * v_b, numerator * denominator - t2 * covariance, numerator**2
    constant -= t2 * v_a
    estimate = max(numerator / denominator, 0.0) if denominator > 0 else None
    none = None if estimate is not None else "The variance of the denominator is not above 0."
    root = middle**2 - square * constant
    if (square > 0) > (denominator > 0):
        return RatioOfMeans(reason="The denominator is below 0.")
    if root < 0 or (square <= 0 and (constant <= 0 or numerator <= 0)):
        unclear = "Neither mean is distinguishably above 0, so their ratio has no limits."
        return RatioOfMeans(estimate=estimate, reason=none or unclear)
    ends = [float(middle + sign * root**0.5) / square if square else np.inf for sign in (-1, 1)]
    if square > 0 > max(ends):
        return RatioOfMeans(estimate=estimate, reason="The first mean is below 0 beyond its error.")
    if square <= 0:
        at_least = max(ends) if square else constant / (2 * middle)
        return RatioOfMeans(estimate=estimate, low=float(max(at_least, 0.0)), reason=none)
    return RatioOfMeans(estimate=estimate, low=max(min(ends), 0.0), high=max(*ends, 0.0), reason=none)


@dataclass(frozen=True, kw_only=True)
class NameVariance:
    """What names add to a variance, on `df` degrees of freedom; `dfs` are those of each group that has several."""

    variance: float
    shared: float
    df: float
    dfs: tuple[int, ...]


def name_variance(focal: ArrayLike, reference: ArrayLike) -> NameVariance:
    """Return what names add to the variance of a difference of two groups, from arrays (clusters, names of the group).

    NaN stands for a name that a cluster has no score under; each cluster has a score of both groups. The difference is
    the mean over clusters of its names' mean scores as the focal group minus those as the reference. The variance of
    the difference is that over clusters plus `variance` less `shared`, which both have in them. Formula: the jackknife
    of whole names, within each group, summed with the degrees of freedom of Welch and Satterthwaite; `shared` is that
    of a name in one cluster. A group of one name adds nothing: it is held fixed.
    Assumes names that are a sample of a group's, and independent of each other.

    Reference: Clark (1973), Journal of Verbal Learning and Verbal Behavior 12, 335-359; Cameron, Gelbach and Miller
    (2011), Journal of Business and Economic Statistics 29, 238-249 (V_a + V_b - V_ab).

    Two names that differ by 2 in each of two clusters: their variance is 2, that of their mean 1.

    >>> name_variance([[1.0, 3.0], [2.0, 4.0]], [[0.0], [0.0]]).variance
    1.0
    """
    sides = [np.asarray(side, dtype=np.float64) for side in (focal, reference)]
    means = [np.nanmean(side, axis=1) for side in sides]
    gap = means[0] - means[1]
    parts, dfs, shared = [], [], 0.0
    for sign, side, mean in zip((1, -1), sides, means, strict=True):
        names = side.shape[1]
        if names < 2:
            continue
        there = np.isfinite(side)
        others = there.sum(axis=1)[:, None] - 1
        alone = np.where(there, (gap - gap.mean())[:, None], 0.0)
        apart = np.where(there, sign * (side - mean[:, None]), 0.0) / np.maximum(others, 1)
        moved = np.where(others > 0, apart, alone) / len(side)
        of_names, factor = moved.sum(axis=0), (names - 1) / names
        parts.append(float(factor * ((of_names - of_names.mean()) ** 2).sum()))
        shared += float(factor * (moved**2).sum())
        dfs.append(names - 1)
    squares = sum(part**2 / df for part, df in zip(parts, dfs, strict=True))
    return NameVariance(
        variance=sum(parts), shared=shared, df=sum(parts) ** 2 / squares if squares else 0.0, dfs=tuple(dfs)
    )
