"""The power of tests without a formula: of people in clusters, and of all positions together, by simulation."""

from collections.abc import Callable
from math import ceil

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.cluster_comparisons import compare_clusters
from evenhand.stats.power import Power
from evenhand.stats.special import betaincinv, ndtri
from evenhand.stats.strata import mantel_haenszel

#: Simulated tables, fewer where clusters are so many that they would be more entries than that, but not under the last.
RUNS, MOST_ENTRIES, FEWEST_RUNS = 10_000, 1_500_000, 1_000
#: A beta distribution is as many equally probable values.
RANKS = 4096
#: Steps to a ratio; each takes the distance to 1 times what the power lacks, which settles at once.
STEPS = 5


def spread_evenly(people: int, places: int) -> _arrays.Ints:
    """Return how many people each of so many places gets.

    >>> spread_evenly(10, 4).tolist()
    [3, 3, 2, 2]
    """
    return people // places + (np.arange(places) < people % places).astype(np.int64)


def clustered_power(
    people_focal: ArrayLike,
    people_reference: ArrayLike,
    rate_reference: float,
    ratio: float,
    *,
    intraclass: float,
    crossed: bool = False,
    confidence: float = 0.95,
    seed: int = 0,
) -> Power:
    """Return the power of the cluster-robust test (CR2 t, as `compare_clusters` decides) at this impact ratio.

    `people_focal` and `people_reference` are the people of each cluster. `crossed` clusters have people of both groups,
    in one order; else a cluster is of one group.
    Formula: the share of simulated tables with p below 1 - confidence and the focal rate the lower one. The chance of a
    cluster's people is drawn from a beta distribution, so that two of them agree with the correlation `intraclass`:
    the variance of a rate of clusters of m is 1 + (m - 1) intraclass times that of independent people. In a crossed
    cluster both groups have the chance of one rank, so what a cluster adds cancels in the difference.
    Assumes independent clusters with one intraclass correlation.

    Reference: Donner and Klar (2000), Design and Analysis of Cluster Randomization Trials, chapter 5.

    With two people a cluster who always decide alike, 40 clusters are about as good as 40 people:

    >>> alike = clustered_power([2] * 40, [2] * 40, 0.9, 0.6, intraclass=0.999).estimate
    >>> alone = clustered_power([1] * 40, [1] * 40, 0.9, 0.6, intraclass=0.0).estimate
    >>> abs(alike - alone) < 0.03
    True
    """
    _arrays.check_confidence(confidence)
    sides = [np.asarray(people, dtype=np.int64) for people in (people_focal, people_reference)]
    people, focal = np.concatenate(sides), np.repeat([True, False], [side.size for side in sides])
    cluster = np.concatenate(
        [np.arange(side.size) + (0 if crossed else start * sides[0].size) for start, side in enumerate(sides)]
    )
    runs = int(min(max(MOST_ENTRIES // people.size, FEWEST_RUNS), RUNS))
    rates = np.where(focal, ratio * rate_reference, rate_reference)
    rng = np.random.default_rng(seed)
    rank = rng.integers(0, RANKS, (runs, int(cluster.max()) + 1))[:, cluster]
    chances = np.broadcast_to(rates, rank.shape)
    if intraclass > 0:
        precision, middle = (1 - intraclass) / intraclass, (np.arange(RANKS) + 0.5) / RANKS
        of_rank = [
            betaincinv(rate * precision, (1 - rate) * precision, middle) if 0 < rate < 1 else np.full(RANKS, rate)
            for rate in (rate_reference, ratio * rate_reference)
        ]
        chances = np.stack(of_rank)[focal.astype(np.int64), rank]
    selected = rng.binomial(people, chances)
    result = compare_clusters(
        np.repeat(np.arange(runs), people.size),
        np.tile(focal, runs),
        selected.reshape(-1),
        np.tile(people, runs),
        [np.tile(cluster, runs)],
        binary=True,
        comparisons=runs,
        level=1 - confidence,
        confidence=confidence,
    )
    return _simulated((result.p < 1 - confidence) & (result.difference < 0), confidence)


def stratified_power(
    people_focal: ArrayLike,
    people_reference: ArrayLike,
    rate_reference: float,
    ratio: float,
    *,
    confidence: float = 0.95,
    seed: int = 0,
) -> Power:
    """Return the power of Mantel and Haenszel's test over positions with these people, of one rate and one ratio.

    Formula: the share of simulated tables with p below 1 - confidence and more expected of the focal group than seen.
    Assumes independent people. Positions of different rates have about the power of their mean rate.

    One position is the Z test of two groups, of which .5 and .3 need 93 each (R's power.prop.test):

    >>> bool(abs(stratified_power([93], [93], 0.5, 0.6).estimate - 0.8) < 0.015)
    True
    """
    _arrays.check_confidence(confidence)
    n, m = (np.asarray(people, dtype=np.int64) for people in (people_focal, people_reference))
    rng = np.random.default_rng(seed)
    a, c = (
        rng.binomial(size, rate, (RUNS, n.size)) for size, rate in ((n, ratio * rate_reference), (m, rate_reference))
    )
    p = np.asarray(mantel_haenszel(a, np.broadcast_to(n, a.shape), c, np.broadcast_to(m, c.shape)).p, dtype=np.float64)
    lower = (a - n * (a + c) / (n + m)).sum(axis=1) < 0
    return _simulated((p < 1 - confidence) & lower, confidence)


def _simulated(found: _arrays.Flags, confidence: float) -> Power:
    method = f"simulation of {found.size:,} tables"
    return Power(estimate=float(found.mean()), confidence=confidence, runs=found.size, method=method)


def size_with_power(
    power_at: Callable[[int], float], guess: int, *, power: float = 0.8, confidence: float = 0.95, tolerance: float
) -> int:
    """Return a size that has this power, at most about this share larger than the smallest one.

    `power_at` returns the power of a size. What a test sees, z + Φ⁻¹(power) standard errors, grows with √size.

    >>> from statistics import NormalDist
    >>> size_with_power(lambda size: NormalDist().cdf(0.2 * size**0.5 - 1.96), 50, tolerance=0.02)  # (2.8016 / .2)²
    197
    """
    z, size, lacking = _arrays.normal_quantile(confidence), max(guess, 2), 1
    while True:
        reached = power_at(size)
        have, want = (z + float(ndtri(np.clip(each, 1e-2, 1 - 1e-4))) for each in (reached, power))
        nearer = ceil(size * (want / max(have, 0.1)) ** 2)
        if reached < power:
            lacking = max(lacking, size)
        elif size - nearer <= tolerance * size or size == lacking + 1:
            return size
        size = max(nearer, lacking + 1)


def ratio_with_power(
    power_at: Callable[[float], float], guess: float, *, power: float = 0.8, confidence: float = 0.95
) -> float | None:
    """Return the impact ratio that a test finds with this power, None where it is below 0.

    `power_at` returns the power at a ratio. What a test sees of 1 - ratio is z + Φ⁻¹(power) standard errors.

    >>> from statistics import NormalDist
    >>> round(ratio_with_power(lambda ratio: NormalDist().cdf((1 - ratio) / 0.1 - 1.96), 0.5), 3)  # 1 - .1 · 2.8016
    0.72
    """
    z, ratio = _arrays.normal_quantile(confidence), guess
    for _ in range(STEPS):
        reached = float(ndtri(np.clip(power_at(max(ratio, 0.0)), 1e-4, 1 - 1e-4)))
        if ratio <= 0 and reached < ndtri(power):
            return None
        moved = 1 - (1 - max(ratio, 0.0)) * (z + float(ndtri(power))) / max(z + reached, 0.1)
        ratio, last = max(moved, 0.0), ratio
        if abs(ratio - last) < 1e-3:
            break
    return ratio
