"""Whether probabilities mean what they say: the logistic recalibration of a score."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Flags, Floats, normal_quantile
from evenhand.stats.special import expit

__all__ = ["Calibration", "CalibrationTerm", "calibration"]

ITERATIONS = 50
ARRIVED = 1e-12
#: More different scores than this are joined in bins of the logit, each with its mean: the fit errs by less than 1e-8.
MOST_SCORES, BINS = 1 << 17, 1 << 16


@dataclass(frozen=True, kw_only=True)
class CalibrationTerm:
    """A coefficient with Wald's interval; `influence` has each row's part in its error."""

    estimate: float | None
    low: float | None
    high: float | None
    standard_error: float | None
    influence: Floats
    reason: str | None


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

    >>> found = calibration([0.5, 0.5, 0.75, 0.75], [0, 1, 0, 1], n=[1, 1, 1, 3])
    >>> round(abs(found.intercept.estimate), 9), round(found.slope.estimate, 9)
    (0.0, 1.0)
    """
    p, y = np.asarray(score, dtype=np.float64), np.asarray(positive, dtype=np.bool_)
    weight = np.ones(p.size, dtype=np.float64) if n is None else np.asarray(n, dtype=np.float64)
    z = normal_quantile(confidence)
    reason = _reason(p, y)
    if reason:
        nothing = _nothing(p.size, reason)
        terms = (nothing, nothing)
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
        return "All people have the same outcome, so probabilities can't be held against it."
    if not ((p > 0) & (p < 1)).all():
        return "A score is 0 or 1, which has no logit."
    return ""


def _nothing(rows: int, reason: str) -> CalibrationTerm:
    return CalibrationTerm(
        estimate=None, low=None, high=None, standard_error=None, influence=np.zeros(rows), reason=reason
    )


def _joined(logit: Floats, y: Flags, weight: Floats) -> tuple[Floats, Floats, Floats]:
    """Return different logits with how many people there are and how many have the outcome."""
    if logit.size <= MOST_SCORES:
        return logit, weight, weight * y
    low, high = float(logit.min()), float(logit.max())
    number = np.minimum(((logit - low) * (BINS / max(high - low, 1e-300))).astype(np.int64), BINS - 1)
    people = np.bincount(number, weights=weight, minlength=BINS)
    held = people > 0
    mean = np.bincount(number, weights=weight * logit, minlength=BINS)[held] / people[held]
    hits = np.bincount(number, weights=weight * y, minlength=BINS)[held]
    return mean, np.asarray(people[held], dtype=np.float64), np.asarray(hits, dtype=np.float64)


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
        reason=None,
    )


def _slope(logit: Floats, y: Flags, weight: Floats, z: float) -> CalibrationTerm:
    if logit.min() == logit.max():
        return _nothing(logit.size, "All scores are equal, so there is no slope.")
    if logit[y].min() >= logit[~y].max() or logit[y].max() <= logit[~y].min():
        return _nothing(logit.size, "The score tells both outcomes apart without an error, so the slope has no limit.")
    x, people, hits = _joined(logit, y, weight)
    found = np.array([0.0, 1.0])
    covariance = np.full((2, 2), np.nan)
    likelihood, last = -np.inf, np.zeros(2)
    for _ in range(ITERATIONS):
        step, covariance, now = _newton(x, people, hits, found)
        scale = 1.0
        while now < likelihood - 1e-9 * abs(likelihood) and scale > 1e-6:
            scale /= 2
            found = found - scale * last
            step, covariance, now = _newton(x, people, hits, found)
        likelihood, last = now, step
        found = found + step
        if np.abs(step).max() < ARRIVED * (1 + np.abs(found).max()):
            break
    error = float(covariance[1, 1]) ** 0.5
    slope = float(found[1])
    residual = y - expit(found[0] + found[1] * logit)
    return CalibrationTerm(
        estimate=slope,
        low=slope - z * error,
        high=slope + z * error,
        standard_error=error,
        influence=residual * (covariance[1, 0] + covariance[1, 1] * logit),
        reason=None,
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
