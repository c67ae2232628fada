"""How well scores rank people and fit outcomes: AUC, Brier score, calibration, and differences of estimates."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Call, Flags, Floats, Ints, Value, Words, normal_quantile, reasons
from evenhand.stats.rates import wilson_limits
from evenhand.stats.special import expit, stdtrit


@dataclass(frozen=True, kw_only=True)
class HybridDifference:
    """Focal estimate minus reference estimate, with limits recovered from those of both."""

    estimate: Value
    low: Value
    high: Value
    method: str
    reason: Words


def logit_limits(estimate: float | None, error: float | None, quantile: float) -> tuple[float | None, float | None]:
    """Return limits within 0 and 1: those of logit(estimate) ± quantile · error / (estimate (1 - estimate)).

    None where there is no error, or the estimate is 0 or 1.

    >>> [round(end, 4) for end in logit_limits(0.9, 0.05, 1.96)]
    [0.7518, 0.9639]
    """
    if estimate is None or error is None or not error > 0 or not 0 < estimate < 1:
        return None, None
    centre, width = np.log(estimate / (1 - estimate)), quantile * error / (estimate * (1 - estimate))
    low, high = (1 / (1 + np.exp(-(centre + side * width))) for side in (-1, 1))
    return float(low), float(high)


def hybrid_difference(
    focal: tuple[ArrayLike, ArrayLike, ArrayLike],
    reference: tuple[ArrayLike, ArrayLike, ArrayLike],
    *,
    correlation: ArrayLike = 0.0,
) -> HybridDifference:
    """Return focal minus reference; both are given as estimate, low and high.

    Formula: with d = e1 - e2 and r the correlation of the estimates,
    low = d - sqrt((e1 - l1)² + (u2 - e2)² - 2r (e1 - l1)(u2 - e2)),
    high = d + sqrt((u1 - e1)² + (e2 - l2)² - 2r (u1 - e1)(e2 - l2)).
    With Wilson's limits of independent rates it is Newcombe's interval.
    Assumes limits of one confidence level, which the difference then has.
    Fails: null where an estimate or a limit is null.

    Reference: Zou and Donner (2008), Statistics in Medicine 27, 1693-1702 (method of variance estimates recovery);
    Newcombe (1998), Statistics in Medicine 17, 873-890 and 2635-2650.

    56 of 70 against 48 of 80 with Wilson's limits:

    >>> result = hybrid_difference((0.8, 0.6918, 0.8772), (0.6, 0.4904, 0.7004))
    >>> round(result.estimate, 4), round(result.low, 3), round(result.high, 3)
    (0.2, 0.052, 0.334)
    """
    arrays = [np.asarray(part, dtype=np.float64) for part in (*focal, *reference, correlation)]
    call = Call(scalar=all(array.ndim == 0 for array in arrays))
    e1, l1, u1, e2, l2, u2, r = (np.atleast_1d(array) for array in np.broadcast_arrays(*arrays))
    reason = reasons(
        (np.isnan(e1) | np.isnan(e2), "One of the two estimates is not known."),
        (np.isnan(l1) | np.isnan(u1) | np.isnan(l2) | np.isnan(u2), "One of the two estimates has no interval."),
    )
    d = e1 - e2
    below, above = e1 - l1, u1 - e1
    low = d - np.sqrt(np.maximum(below**2 + (u2 - e2) ** 2 - 2 * r * below * (u2 - e2), 0.0))
    high = d + np.sqrt(np.maximum(above**2 + (e2 - l2) ** 2 - 2 * r * above * (e2 - l2), 0.0))
    return HybridDifference(
        estimate=call.value(d),
        low=call.value(low),
        high=call.value(high),
        method="hybrid of both intervals (Newcombe; Zou and Donner)",
        reason=call.words(reason),
    )


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

    >>> result = auc([0.3, 0.9, 0.1, 0.5], [True, True, False, False])
    >>> result.estimate, round(result.standard_error**2, 6), round(result.low, 3), round(result.high, 3)
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
            reason = f"A class has one {'person' if codes is None else 'cluster'}, so its variance can't be estimated."
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
    people, with_outcome = weight[order], positive[order]
    with_it = np.add.reduceat(np.where(with_outcome, people, 0), starts)
    without = np.add.reduceat(np.where(with_outcome, 0, people), starts)
    below = np.cumsum(without) - without / 2
    above = m - np.cumsum(with_it) + with_it / 2
    sizes = np.diff(np.append(starts, ranked.size))
    placements = np.where(with_outcome, np.repeat(below / n, sizes), np.repeat(above / m, sizes))
    result = np.empty(score.size)
    result[order] = placements
    return result


def _variance(psi: Floats, positive: Flags, weight: Ints, cluster: Ints | None) -> float | None:
    """Return Obuchowski's variance; where each person is a cluster it is DeLong's."""
    if cluster is None:
        sizes = [int(weight[members].sum()) for members in (positive, ~positive)]
        if min(sizes) < 2:
            return None
        squares = weight * psi * psi
        return float(
            sum(
                size / (size - 1) * squares[members].sum()
                for size, members in zip(sizes, (positive, ~positive), strict=True)
            )
        )
    codes = np.unique(cluster, return_inverse=True)[1]
    total = int(codes.max()) + 1
    sums, counts = [], []
    for members in (positive, ~positive):
        sums.append(np.bincount(codes[members], weights=(weight * psi)[members], minlength=total))
        counts.append(int(np.count_nonzero(np.bincount(codes[members], minlength=total))))
    if min(counts) < 2:
        return None
    squares = sum(count / (count - 1) * (class_sums**2).sum() for class_sums, count in zip(sums, counts, strict=True))
    return float(squares + 2 * total / (total - 1) * (sums[0] * sums[1]).sum())


FOLDS = 5
#: A category's rate counts as if so many people of the overall rate were in it.
_PRIOR = 10.0


def cross_fitted_auc(positive: ArrayLike, negative: ArrayLike, *, seed: int, confidence: float = 0.95) -> AUC:
    """Return the AUC of categories, each scored by its rate of positives among the people of the other folds.

    `positive` and `negative` hold how many people of each group have each category, shape (categories,). People are
    spread at random over 5 folds, category by category and group by group, which needs their counts only. In each fold
    a category is scored (positives + 10 p) / (people + 10), counted in the other folds, p the rate of all there. So a
    category of one person tells nothing, and many categories are not overstated.
    Assumes independent people.
    Fails: as `pooled_auc`.

    Reference: Kohavi (1995), IJCAI 14, 1137-1143 (cross-validation); Micci-Barreca (2001), SIGKDD Explorations 3(1),
    27-32 (smoothed rates).

    As many categories as people tell nothing about others:

    >>> cross_fitted_auc([1] * 50 + [0] * 50, [0] * 50 + [1] * 50, seed=0).estimate
    0.5
    """
    counts = np.stack([np.asarray(positive, dtype=np.int64), np.asarray(negative, dtype=np.int64)])
    spread = np.random.default_rng(seed).multinomial(counts, [1 / FOLDS] * FOLDS)
    parts = []
    for fold in range(FOLDS):
        inside = spread[:, :, fold]
        others = counts - inside
        people = others.sum()
        rate = others[0].sum() / people if people else 0.5
        scores = (others[0] + _PRIOR * rate) / (others.sum(axis=0) + _PRIOR)
        which = np.repeat([True, False], counts.shape[1])
        parts.append(auc(np.tile(scores, 2), which, n=inside.ravel(), confidence=confidence))
    return pooled_auc(parts, confidence=confidence)


def pooled_auc(parts: Sequence[AUC], *, confidence: float = 0.95) -> AUC:
    """Return the AUC within folds, each weighted by its pairs; scores of different folds are not compared.

    Formula: Σ w A, with w the share of the pairs of a positive and a negative person, and var = (1 + k/(k - 1)) Σ w²
    var A, as the scores of k folds are each learnt from the k - 1 others, which share their people.
    Assumes folds of different people.
    A fold of an AUC of 0 or 1 shows no variance; it gets the largest of the others.
    Fails: null where no fold has both groups; without an interval where no fold has a variance.

    References: DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44, 837-845; Nadeau and Bengio (2003), Machine
    Learning 52, 239-281 (the factor).

    >>> fold = auc([0.3, 0.9, 0.1, 0.5], [True, True, False, False])
    >>> pooled = pooled_auc([fold, fold])
    >>> pooled.estimate, round(pooled.standard_error / fold.standard_error, 4)  # the root of 3/2
    (0.75, 1.2247)
    """
    known = [part for part in parts if part.estimate is not None]
    positive, negative = (sum(getattr(part, name) for part in parts) for name in ("n_positive", "n_negative"))
    pairs = np.array([part.n_positive * part.n_negative for part in known], dtype=np.float64)
    estimate = error = None
    reason: str | None = "No fold has people of both groups."
    if known:
        weights = pairs / pairs.sum()
        estimate, reason = float((weights * np.array([part.estimate for part in known])).sum()), None
        largest = max((part.standard_error for part in known if part.standard_error is not None), default=None)
        if largest is None:
            reason = known[0].reason
        else:
            errors = [largest if part.standard_error is None else part.standard_error for part in known]
            factor = 1 + len(parts) / (len(parts) - 1) if len(parts) > 1 else 1.0
            error = float(np.sqrt(factor * (weights**2 * np.array(errors, dtype=np.float64) ** 2).sum()))
    low, high = logit_limits(estimate, error, normal_quantile(confidence))
    return AUC(
        estimate=estimate,
        low=low,
        high=high,
        standard_error=error,
        confidence=confidence,
        n_positive=positive,
        n_negative=negative,
        clusters=None,
        influence=np.zeros(0),
        method=f"DeLong in {FOLDS} folds, Nadeau and Bengio, logit",
        reason=reason,
    )


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

    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    reliability: float | None = None
    resolution: float | None = None
    uncertainty: float | None = None
    within: float | None = None
    bins: tuple[ReliabilityBin, ...] = ()
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

    >>> result = brier([0.2, 0.6], [False, True], bins=2)
    >>> [round(part, 6) for part in (result.estimate, result.reliability, result.resolution, result.uncertainty)]
    [0.1, 0.1, 0.25, 0.25]
    """
    p, y = np.asarray(score, dtype=np.float64), np.asarray(positive, dtype=np.bool_)
    weight = np.ones(p.size, dtype=np.int64) if n is None else np.asarray(n, dtype=np.int64)
    total = int(weight.sum())
    if not total:
        nobody = "There is nobody with a score and an outcome."
        return Brier(confidence=confidence, n=0, influence=np.zeros(p.size), method="mean", reason=nobody)
    error = (p - y) ** 2
    estimate = float((weight * error).sum() / total)
    psi = (error - estimate) / total
    variance = total / (total - 1) * float((weight * psi * psi).sum()) if total > 1 else 0.0
    if np.ptp(error) <= 1e-12:  # what is left of equal errors is rounding
        variance = 0.0
    low, high = logit_limits(estimate, variance**0.5, normal_quantile(confidence))
    calibration_bins = reliability_bins(p, y, weight, bins=bins, confidence=confidence)
    rate = float(weight[y].sum()) / total
    reliability = sum(one_bin.n * (one_bin.mean_score - one_bin.share) ** 2 for one_bin in calibration_bins) / total
    resolution = sum(one_bin.n * (one_bin.share - rate) ** 2 for one_bin in calibration_bins) / total
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
        bins=calibration_bins,
        confidence=confidence,
        n=total,
        influence=psi,
        method="mean, logit",
        reason=None if low is not None else "All people have the same error, so its variance can't be estimated.",
    )


def reliability_bins(
    score: Floats, positive: ArrayLike, n: Ints, *, bins: int = 10, confidence: float = 0.95
) -> tuple[ReliabilityBin, ...]:
    """Return up to `bins` bins of about equally many people, in order of their scores; equal scores stay together.

    >>> [part.n for part in reliability_bins(np.array([0.1, 0.1, 0.1, 0.9]), [0, 0, 1, 1], np.array([1, 1, 1, 1]))]
    [3, 1]
    """
    y = np.asarray(positive, dtype=np.bool_)
    order = np.argsort(score, kind="stable")
    p, weights, hits = score[order], n[order], np.where(y[order], n[order], 0)
    starts = np.flatnonzero(np.concatenate(([True], p[1:] != p[:-1])))
    people = np.add.reduceat(weights, starts)
    # The bin of a score is that of the middle of its people.
    middle = np.cumsum(people) - people / 2
    number = np.minimum((middle * bins / people.sum()).astype(np.int64), bins - 1)
    begins = starts[np.flatnonzero(np.concatenate(([True], number[1:] != number[:-1])))]
    size, with_it = np.add.reduceat(weights, begins), np.add.reduceat(hits, begins)
    mean = np.add.reduceat(weights * p, begins) / size
    low, high = wilson_limits(with_it.astype(np.float64), size.astype(np.float64), normal_quantile(confidence))
    return tuple(
        ReliabilityBin(mean_score=float(m), share=float(x / k), low=float(lo), high=float(hi), n=int(k))
        for m, x, k, lo, hi in zip(mean, with_it, size, low, high, strict=True)
    )


ITERATIONS = 50
ARRIVED = 1e-12
#: More different scores than this are joined in bins of the logit, each with its mean: the fit errs by less than 1e-8.
MOST_SCORES, BINS = 1 << 17, 1 << 16


@dataclass(frozen=True, kw_only=True)
class CalibrationTerm:
    """A coefficient with Wald's interval; `influence` has each row's part in its error."""

    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    influence: Floats
    reason: str | None = None


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """Intercept (0 where probabilities are right on the whole) and slope (below 1 where they are too extreme)."""

    intercept: CalibrationTerm
    slope: CalibrationTerm
    confidence: float
    n: int
    method: str


def calibration(
    score: ArrayLike, positive: ArrayLike, *, n: ArrayLike | None = None, confidence: float = 0.95
) -> Calibration:
    """Return calibration intercept and slope of probabilities.

    Formula: logit P(y = 1) = a + b logit p by maximum likelihood; b is the slope. The intercept is a with b fixed to 1
    (calibration in the large), in log odds. Intervals are Wald's: ± z SE.
    Assumes independent people.
    Fails: null where all have the same outcome, or a score is 0 or 1, which has no logit; the slope also where all
    scores are equal, or the score tells both outcomes apart without an error.

    References: Cox (1958), Biometrika 45, 562-565; Van Calster et al. (2016), Journal of Clinical Epidemiology 74,
    167-176 (intercept and slope as here).

    Half of those scored .5 and 3 of 4 scored .75: right on the whole and in slope.

    >>> result = calibration([0.5, 0.5, 0.75, 0.75], [0, 1, 0, 1], n=[1, 1, 1, 3])
    >>> round(abs(result.intercept.estimate), 9), round(result.slope.estimate, 9)
    (0.0, 1.0)
    """
    p, y = np.asarray(score, dtype=np.float64), np.asarray(positive, dtype=np.bool_)
    weight = np.ones(p.size, dtype=np.float64) if n is None else np.asarray(n, dtype=np.float64)
    z = normal_quantile(confidence)
    reason = _reason(p, y)
    if reason:
        terms = (CalibrationTerm(influence=np.zeros(p.size), reason=reason),) * 2
    else:
        logit = np.log(p / (1 - p))
        terms = (_intercept(logit, y, weight, z), _slope(logit, y, weight, z))
    return Calibration(
        intercept=terms[0],
        slope=terms[1],
        confidence=confidence,
        n=int(weight.sum()),
        method="logistic recalibration, Wald",
    )


def _reason(p: Floats, y: Flags) -> str:
    if not p.size or y.all() or not y.any():
        return "All people have the same outcome, so probabilities can't be compared with it."
    if not ((p > 0) & (p < 1)).all():
        return "A score is 0 or 1, which has no logit."
    return ""


def _joined(logit: Floats, y: Flags, weight: Floats) -> tuple[Floats, Floats, Floats]:
    """Return different logits with how many people there are and how many have the outcome."""
    if logit.size <= MOST_SCORES:
        return logit, weight, weight * y
    low, high = float(logit.min()), float(logit.max())
    number = np.minimum(((logit - low) * (BINS / max(high - low, 1e-300))).astype(np.int64), BINS - 1)
    people = np.bincount(number, weights=weight, minlength=BINS)
    occupied = people > 0
    mean = np.bincount(number, weights=weight * logit, minlength=BINS)[occupied] / people[occupied]
    hits = np.bincount(number, weights=weight * y, minlength=BINS)[occupied]
    return mean, np.asarray(people[occupied], dtype=np.float64), np.asarray(hits, dtype=np.float64)


def _intercept(logit: Floats, y: Flags, weight: Floats, z: float) -> CalibrationTerm:
    x, people, hits = _joined(logit, y, weight)
    a = 0.0
    for _ in range(ITERATIONS):
        fitted = expit(a + x)
        step = float((hits - people * fitted).sum() / (people * fitted * (1 - fitted)).sum())
        a += float(np.clip(step, -3.0, 3.0))
        if abs(step) < ARRIVED * (1 + abs(a)):
            break
    fitted = expit(a + x)
    information = float((people * fitted * (1 - fitted)).sum())
    error = information**-0.5
    return CalibrationTerm(
        estimate=a,
        low=a - z * error,
        high=a + z * error,
        standard_error=error,
        influence=(y - expit(a + logit)) / information,
    )


def _slope(logit: Floats, y: Flags, weight: Floats, z: float) -> CalibrationTerm:
    if logit.min() == logit.max():
        equal = "All scores are equal, so there is no slope."
        return CalibrationTerm(influence=np.zeros(logit.size), reason=equal)
    if logit[y].min() >= logit[~y].max() or logit[y].max() <= logit[~y].min():
        separated = "The score separates the two outcomes without an error, so the slope is not finite."
        return CalibrationTerm(influence=np.zeros(logit.size), reason=separated)
    x, people, hits = _joined(logit, y, weight)
    coefficients = np.array([0.0, 1.0])
    covariance = np.full((2, 2), np.nan)
    likelihood, last = -np.inf, np.zeros(2)
    for _ in range(ITERATIONS):
        step, covariance, now = _newton(x, people, hits, coefficients)
        scale = 1.0
        while now < likelihood - 1e-9 * abs(likelihood) and scale > 1e-6:
            scale /= 2
            coefficients = coefficients - scale * last
            step, covariance, now = _newton(x, people, hits, coefficients)
        likelihood, last = now, step
        coefficients = coefficients + step
        if np.abs(step).max() < ARRIVED * (1 + np.abs(coefficients).max()):
            break
    error = float(covariance[1, 1]) ** 0.5
    slope = float(coefficients[1])
    residual = y - expit(coefficients[0] + coefficients[1] * logit)
    return CalibrationTerm(
        estimate=slope,
        low=slope - z * error,
        high=slope + z * error,
        standard_error=error,
        influence=residual * (covariance[1, 0] + covariance[1, 1] * logit),
    )


def _newton(x: Floats, people: Floats, hits: Floats, at: Floats) -> tuple[Floats, Floats, float]:
    """Return Newton's step, the inverse information and the log likelihood."""
    eta = at[0] + at[1] * x
    fitted = expit(eta)
    spread = people * fitted * (1 - fitted)
    rest = hits - people * fitted
    information = np.array([[spread.sum(), (spread * x).sum()], [(spread * x).sum(), (spread * x * x).sum()]])
    covariance = np.linalg.pinv(information, hermitian=True)
    likelihood = float((hits * eta - people * np.logaddexp(0.0, eta)).sum())
    return covariance @ np.array([rest.sum(), (rest * x).sum()]), covariance, likelihood
