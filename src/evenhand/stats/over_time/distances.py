"""How far two distributions of counted values are apart: PSI, and the statistic of Kolmogorov and Smirnov."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats.special import chdtri

__all__ = ["Distance", "kolmogorov_smirnov", "population_stability_index"]

#: Of both, that a distance is beyond by chance where nothing changed.
LEVEL = 0.05

Counted = tuple[ArrayLike, ArrayLike]


@dataclass(frozen=True, kw_only=True)
class Distance:
    """A distance, and the `limit` that it passes in 1 of 20 where both are samples of one distribution.

    `n` and `m` are how many values there are before and after; null with a reason.
    """

    estimate: float | None
    limit: float | None
    n: int
    m: int
    reason: str | None = None


def population_stability_index(before: Counted, after: Counted, *, bins: int = 10) -> Distance:
    """Return the population stability index of values after, against those before.

    Both are values of shape (k,), ascending, and how often each occurs. With shares p before and q after in B bins:

        PSI = Σ (q − p) ln(q / p) − (B − 1)(1/n + 1/m)

    The bins are those between the quantiles of the values before (fewer where these are alike), to each of which half
    a value is added. What is subtracted is what chance adds; the limit is (1/n + 1/m)(χ²(.95, B − 1) − (B − 1)), so
    that no limit such as .1 or .25 is the same for 200 values and for 200,000.

    Units: none. Assumes independent values: days that vary beyond sampling pass the limit more often. Fails: null where
    either has no values or all before are alike.

    Reference: Yurdakul and Naranjo (2020), Journal of Risk Model Validation 14(4), 89-100.

    >>> same = [range(100), [10] * 100]
    >>> found = population_stability_index(same, same)
    >>> round(found.estimate, 4), round(found.limit, 4)
    (-0.018, 0.0158)
    """
    at, counts = _counted(before)
    later, later_counts = _counted(after)
    n, m = int(counts.sum()), int(later_counts.sum())
    if not n or not m:
        return Distance(estimate=None, limit=None, n=n, m=m, reason="There are no values before, or none after.")
    ranks = np.cumsum(counts)
    edges = np.unique(at[np.searchsorted(ranks, np.arange(1, bins) * n / bins)])
    edges = edges[edges < at[-1]]
    if not edges.size:
        return Distance(estimate=None, limit=None, n=n, m=m, reason="All values before are alike.")
    size = edges.size + 1
    p, q = (
        (np.bincount(np.searchsorted(edges, values), weights=of, minlength=size) + 0.5) / (of.sum() + size / 2)
        for values, of in ((at, counts), (later, later_counts))
    )
    by_chance = 1 / n + 1 / m
    plain = float(((q - p) * np.log(q / p)).sum())
    limit = by_chance * (float(chdtri(size - 1, LEVEL)) - (size - 1))
    return Distance(estimate=plain - by_chance * (size - 1), limit=limit, n=n, m=m)


def kolmogorov_smirnov(before: Counted, after: Counted) -> Distance:
    """Return the largest difference of two cumulative distributions.

    Both are values of shape (k,), ascending, and how often each occurs. The limit is √(−ln(.05 / 2) / 2) √(1/n + 1/m).

    Units: a share. Assumes independent values; with many that are alike the limit is passed more seldom, with days that
    vary beyond sampling more often. Fails: null where either has no values.

    Reference: Smirnov (1948), Annals of Mathematical Statistics 19, 279-281.

    >>> found = kolmogorov_smirnov(([1, 2, 3], [5, 5, 5]), ([2, 3, 4], [5, 5, 5]))
    >>> round(found.estimate, 3), round(found.limit, 3)
    (0.333, 0.496)
    """
    at, counts = _counted(before)
    later, later_counts = _counted(after)
    n, m = int(counts.sum()), int(later_counts.sum())
    if not n or not m:
        return Distance(estimate=None, limit=None, n=n, m=m, reason="There are no values before, or none after.")
    places = np.union1d(at, later)
    shares = [
        np.concatenate([[0], np.cumsum(of)])[np.searchsorted(values, places, side="right")] / of.sum()
        for values, of in ((at, counts), (later, later_counts))
    ]
    limit = float(np.sqrt(-np.log(LEVEL / 2) / 2) * np.sqrt(1 / n + 1 / m))
    return Distance(estimate=float(np.abs(shares[0] - shares[1]).max()), limit=limit, n=n, m=m)


def _counted(given: Counted) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    values, counts = given
    return np.asarray(values, dtype=np.float64), np.asarray(counts, dtype=np.int64)
