"""How well a score ranks those with the outcome above those without it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Flags, Floats, Ints, normal_quantile
from evenhand.stats.scores.predictions.limits import logit_limits
from evenhand.stats.special import stdtrit

__all__ = ["AUC", "auc", "auc_covariance"]


@dataclass(frozen=True, kw_only=True)
class AUC:
    """The area under the ROC curve; `influence` has each row's part in the estimate's error, in the order given.

    `clusters` counts the clusters, None of independent rows.
    """

    estimate: float | None
    low: float | None
    high: float | None
    standard_error: float | None
    confidence: float
    n_positive: int
    n_negative: int
    clusters: int | None
    influence: Floats
    method: str
    reason: str | None


def auc(
    score: ArrayLike,
    positive: ArrayLike,
    *,
    n: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    confidence: float = 0.95,
) -> AUC:
    """Return the chance that somebody with the outcome is scored above somebody without it, ties counting half.

    `score` and `positive` have shape (rows,), `n` says how many people a row is (one each), `cluster` has a code per
    row. Formula: of each row the share V of the other class that it is ranked above (or below); θ is the mean of V
    over the positives. Var θ = S10/m + S01/n, the variances of V in both classes over their sizes m and n; with
    clusters Obuchowski's variance of the sums of V within them. Limits are those of logit θ ± z SE / (θ(1 - θ)), with
    t on one less than the clusters in place of z where there are any.
    Assumes that people, or with `cluster` clusters, are independent.
    Fails: null where one class is empty; no interval at 0 or 1, or with one person (or cluster) in a class.

    References: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845; Obuchowski (1997), Biometrics 53,
    567-578; Pepe (2003), The Statistical Evaluation of Medical Tests, p. 107 (the logit).

    Of 2 × 2 pairs three are in order: .75; V10 is (.5, 1), V01 is (1, .5), so Var = .125/2 + .125/2.

    >>> found = auc([0.3, 0.9, 0.1, 0.5], [True, True, False, False])
    >>> found.estimate, round(found.standard_error**2, 6), round(found.low, 3), round(found.high, 3)
    (0.75, 0.125, 0.069, 0.992)
    """
    scores, is_positive = np.asarray(score, dtype=np.float64), np.asarray(positive, dtype=np.bool_)
    weight = np.ones(scores.size, dtype=np.int64) if n is None else np.asarray(n, dtype=np.int64)
    m, others = int(weight[is_positive].sum()), int(weight[~is_positive].sum())
    place = _placements(scores, is_positive, weight, m, others)
    estimate = None if place is None else float((weight * place)[is_positive].sum() / m)
    influence = np.zeros(scores.size)
    if place is not None and estimate is not None:
        influence = (place - estimate) / np.where(is_positive, m, others)
    codes = None if cluster is None else np.asarray(cluster)
    variance, reason = None, "All people have the same outcome, so there are no pairs to rank."
    if estimate is not None:
        reason = ""
        variance = _variance(influence, is_positive, weight, codes)
        if variance is None:
            reason = f"A class has one {'person' if codes is None else 'cluster'}, which tells nothing of its spread."
        elif not 0 < estimate < 1:
            variance, reason = None, "The AUC is 0 or 1: the variance is 0 there, which would claim certainty."
    clusters = None if codes is None else int(np.unique(codes).size)
    quantile = normal_quantile(confidence) if clusters is None else float(stdtrit(clusters - 1, (1 + confidence) / 2))
    low, high = logit_limits(estimate, None if variance is None else variance**0.5, quantile)
    return AUC(
        estimate=estimate,
        low=low,
        high=high,
        standard_error=None if variance is None else float(variance**0.5),
        confidence=confidence,
        n_positive=m,
        n_negative=others,
        clusters=clusters,
        influence=influence,
        method="DeLong, logit" if codes is None else "Obuchowski, logit",
        reason=reason or None,
    )


def auc_covariance(
    influences: tuple[Floats, Floats], positive: ArrayLike, n: ArrayLike, cluster: ArrayLike | None = None
) -> float | None:
    """Return the covariance of two AUCs of the same rows (two versions of a score), from their influences.

    Formula: DeLong's, or Obuchowski's with clusters; that of an AUC with itself is its variance.
    Fails: None where a class has fewer than two people or clusters.

    >>> psi = auc([0.3, 0.9, 0.1, 0.5], [True, True, False, False]).influence
    >>> round(auc_covariance((psi, psi), [True, True, False, False], [1, 1, 1, 1]), 6)
    0.125
    """
    is_positive, weight = np.asarray(positive, dtype=np.bool_), np.asarray(n, dtype=np.int64)
    codes = None if cluster is None else np.asarray(cluster)
    # Polarisation: the variance is a quadratic form of influences.
    plus = _variance(influences[0] + influences[1], is_positive, weight, codes)
    minus = _variance(influences[0] - influences[1], is_positive, weight, codes)
    return None if plus is None or minus is None else (plus - minus) / 4


def _placements(score: Floats, positive: Flags, weight: Ints, m: int, n: int) -> Floats | None:
    """Return of each row the share of the other class that it is ranked rightly against; None without two classes."""
    if not m or not n:
        return None
    order = np.argsort(score, kind="stable")
    ranked = score[order]
    starts = np.flatnonzero(np.concatenate(([True], ranked[1:] != ranked[:-1])))
    held, own = weight[order], positive[order]
    with_it = np.add.reduceat(np.where(own, held, 0), starts)
    without = np.add.reduceat(np.where(own, 0, held), starts)
    below = np.cumsum(without) - without / 2
    above = m - np.cumsum(with_it) + with_it / 2
    sizes = np.diff(np.append(starts, ranked.size))
    placed = np.where(own, np.repeat(below / n, sizes), np.repeat(above / m, sizes))
    found = np.empty(score.size)
    found[order] = placed
    return found


def _variance(psi: Floats, positive: Flags, weight: Ints, cluster: Ints | None) -> float | None:
    """Return Obuchowski's variance; where each person is a cluster it is DeLong's."""
    if cluster is None:
        sizes = [int(weight[own].sum()) for own in (positive, ~positive)]
        if min(sizes) < 2:
            return None
        squares = weight * psi * psi
        return float(
            sum(size / (size - 1) * squares[own].sum() for size, own in zip(sizes, (positive, ~positive), strict=True))
        )
    codes = np.unique(cluster, return_inverse=True)[1]
    total = int(codes.max()) + 1
    sums, counts = [], []
    for own in (positive, ~positive):
        sums.append(np.bincount(codes[own], weights=(weight * psi)[own], minlength=total))
        counts.append(int(np.count_nonzero(np.bincount(codes[own], minlength=total))))
    if min(counts) < 2:
        return None
    squares = sum(count / (count - 1) * (each**2).sum() for each, count in zip(sums, counts, strict=True))
    return float(squares + 2 * total / (total - 1) * (sums[0] * sums[1]).sum())
