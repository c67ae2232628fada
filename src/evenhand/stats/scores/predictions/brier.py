"""How far probabilities are from what happened, and what that is made of."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Floats, Ints, normal_quantile
from evenhand.stats.scores.predictions.limits import logit_limits
from evenhand.stats.two_groups.rates import wilson_limits

__all__ = ["Brier", "ReliabilityBin", "brier", "reliability_bins"]


@dataclass(frozen=True, kw_only=True)
class ReliabilityBin:
    """People of neighbouring scores: their mean score, and the share with the outcome with Wilson's limits."""

    mean_score: float
    share: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, kw_only=True)
class Brier:
    """The Brier score and its decomposition over `bins`.

    estimate = reliability - resolution + uncertainty + within, where `within` is what scores vary within bins.
    """

    estimate: float | None
    low: float | None
    high: float | None
    standard_error: float | None
    reliability: float | None
    resolution: float | None
    uncertainty: float | None
    within: float | None
    bins: tuple[ReliabilityBin, ...]
    confidence: float
    n: int
    influence: Floats
    method: str
    reason: str | None


def brier(
    score: ArrayLike, positive: ArrayLike, *, n: ArrayLike | None = None, bins: int = 10, confidence: float = 0.95
) -> Brier:
    """Return the mean of (score - outcome)², with the decomposition over bins of about equally many people.

    Formula: B = Σ n (p - y)² / N. With the bins' means of p and y, p̄ and ȳ, and the share ȳ of all:
    reliability = Σ N_b (p̄_b - ȳ_b)² / N, resolution = Σ N_b (ȳ_b - ȳ)² / N, uncertainty = ȳ(1 - ȳ); what is left is
    the scores' variance within bins less twice their covariance with the outcome. The limits are those of logit B by
    the standard error of a mean.
    Assumes independent people, and scores that are probabilities.
    Fails: null without people; no interval for one person or where all are equally far off.

    References: Brier (1950), Monthly Weather Review 78, 1-3; Murphy (1973), Journal of Applied Meteorology 12, 595-600;
    Stephenson, Coelho and Jolliffe (2008), Weather and Forecasting 23, 752-757 (within bins).

    .2² and .4² of two people, one bin each: B = .1, reliability = B, and .25 - .25 = 0:

    >>> found = brier([0.2, 0.6], [False, True], bins=2)
    >>> [round(part, 6) for part in (found.estimate, found.reliability, found.resolution, found.uncertainty)]
    [0.1, 0.1, 0.25, 0.25]
    """
    p, y = np.asarray(score, dtype=np.float64), np.asarray(positive, dtype=np.bool_)
    weight = np.ones(p.size, dtype=np.int64) if n is None else np.asarray(n, dtype=np.int64)
    total = int(weight.sum())
    if not total:
        return Brier(
            estimate=None, low=None, high=None, standard_error=None, reliability=None, resolution=None,
            uncertainty=None, within=None, bins=(), confidence=confidence, n=0, influence=np.zeros(p.size),
            method="mean", reason="There is nobody with a score and an outcome.",
        )  # fmt: skip
    error = (p - y) ** 2
    estimate = float((weight * error).sum() / total)
    psi = (error - estimate) / total
    variance = total / (total - 1) * float((weight * psi * psi).sum()) if total > 1 else 0.0
    if np.ptp(error) <= 1e-12:  # what is left of equal errors is rounding
        variance = 0.0
    low, high = logit_limits(estimate, variance**0.5, normal_quantile(confidence))
    own = reliability_bins(p, y, weight, bins=bins, confidence=confidence)
    rate = float(weight[y].sum()) / total
    reliability = sum(each.n * (each.mean_score - each.share) ** 2 for each in own) / total
    resolution = sum(each.n * (each.share - rate) ** 2 for each in own) / total
    uncertainty = rate * (1 - rate)
    return Brier(
        estimate=estimate,
        low=low,
        high=high,
        standard_error=variance**0.5 if variance > 0 else None,
        reliability=float(reliability),
        resolution=float(resolution),
        uncertainty=uncertainty,
        within=float(estimate - reliability + resolution - uncertainty),
        bins=own,
        confidence=confidence,
        n=total,
        influence=psi,
        method="mean, logit",
        reason=None if low is not None else "All people are equally far off, which tells nothing of the spread.",
    )


def reliability_bins(
    score: Floats, positive: ArrayLike, n: Ints, *, bins: int = 10, confidence: float = 0.95
) -> tuple[ReliabilityBin, ...]:
    """Return up to `bins` bins of about equally many people, in order of their scores; equal scores stay together.

    >>> [each.n for each in reliability_bins(np.array([0.1, 0.1, 0.1, 0.9]), [0, 0, 1, 1], np.array([1, 1, 1, 1]))]
    [3, 1]
    """
    y = np.asarray(positive, dtype=np.bool_)
    order = np.argsort(score, kind="stable")
    p, held, hits = score[order], n[order], np.where(y[order], n[order], 0)
    starts = np.flatnonzero(np.concatenate(([True], p[1:] != p[:-1])))
    people = np.add.reduceat(held, starts)
    # The bin of a score is that of the middle of its people.
    middle = np.cumsum(people) - people / 2
    number = np.minimum((middle * bins / people.sum()).astype(np.int64), bins - 1)
    begins = starts[np.flatnonzero(np.concatenate(([True], number[1:] != number[:-1])))]
    size, with_it = np.add.reduceat(held, begins), np.add.reduceat(hits, begins)
    mean = np.add.reduceat(held * p, begins) / size
    low, high = wilson_limits(with_it.astype(np.float64), size.astype(np.float64), normal_quantile(confidence))
    return tuple(
        ReliabilityBin(mean_score=float(m), share=float(x / k), low=float(lo), high=float(hi), n=int(k))
        for m, x, k, lo, hi in zip(mean, with_it, size, low, high, strict=True)
    )
