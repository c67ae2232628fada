"""The smallest effect that a sample can be expected to detect."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.special import ndtr, ndtri


@dataclass(frozen=True, kw_only=True)
class DetectableDifference:
    """The difference that a two-sided test finds with the power given."""

    estimate: _arrays.Value
    standard_error: _arrays.Value
    power: float
    confidence: float
    method: str
    reason: _arrays.Words


def detectable_difference(
    standard_error: ArrayLike, *, power: float = 0.8, confidence: float = 0.95
) -> DetectableDifference:
    """Return the smallest true difference that is detected with this power.

    Formula: the δ > 0 with Φ(δ/SE - z) + Φ(-δ/SE - z) = power, z the normal quantile of the
    two-sided level 1 - confidence. At 95 % and 80 % that is (1.960 + 0.842) SE = 2.802 SE.
    Units: those of the standard error. For two groups of n1 and n2 independent decisions with
    the rate p, SE = sqrt(p(1 - p)(1/n1 + 1/n2)), largest at p = .5.
    Assumes a normal estimate and a standard error that is known beforehand and stays the same
    under the effect. With few clusters (t instead of z), or where names differ among
    themselves, the effect must be larger.
    Fails: null where the standard error is 0 or not finite.

    Reference: Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2nd ed.,
    chapter 6; Julious (2004), Statistics in Medicine 23, 1921-1986, section 2.

    5,000 decisions per group at p = .5 have SE = sqrt(.25 · 2/5000) = .01:

    >>> round(detectable_difference(0.01).estimate, 6)
    0.028016
    """
    _arrays.check_confidence(confidence)
    if not 1 - confidence < power < 1:
        message = f"power must lie between 1 - confidence and 1, got {power!r}. Write 80 % as 0.8."
        raise ValueError(message)
    errors = np.asarray(standard_error, dtype=np.float64)
    call = _arrays.Call(scalar=errors.ndim == 0)
    error = np.atleast_1d(errors)
    z = _arrays.normal_quantile(confidence)
    # The power grows with δ/SE, from 1 - confidence at 0 to 1; 40 standard errors are beyond any power below 1.
    units = _arrays.bracketed_root(
        lambda shift: ndtr(shift - z) + ndtr(-shift - z) - power, np.zeros(1), np.full(1, z + 40.0)
    )[0]
    known = np.isfinite(error) & (error > 0)
    reason = _arrays.reasons((~known, "The standard error is not known, or nothing varies."))
    return DetectableDifference(
        estimate=call.value(np.where(known, units * error, np.nan)),
        standard_error=call.value(np.where(known, error, np.nan)),
        power=power,
        confidence=confidence,
        method="two-sided normal test, standard error known beforehand",
        reason=call.words(reason),
    )


@dataclass(frozen=True, kw_only=True)
class DetectableRatio:
    """The impact ratio nearest to 1, from below, that the Z test finds with the power given."""

    estimate: _arrays.Value
    power: float
    confidence: float
    n: _arrays.Count
    method: str
    reason: _arrays.Words


def detectable_ratio(
    n_focal: ArrayLike,
    n_reference: ArrayLike,
    rate_reference: ArrayLike,
    *,
    power: float = 0.8,
    confidence: float = 0.95,
) -> DetectableRatio:
    """Return the largest impact ratio below 1 that is detected with this power.

    Formula: the r < 1 with p2 - r p2 = z S0 + z_power S1, where p2 is `rate_reference`, p1 = r p2,
    S0² = P(1 - P)(1/N1 + 1/N2) with P = (N1 p1 + N2 p2)/(N1 + N2) is the pooled variance of the
    test, S1² = p1(1 - p1)/N1 + p2(1 - p2)/N2 the true one. A ratio further from 1 is found
    more often. A significant result on the wrong side is no detection.
    Assumes two independent groups of independent people, and numbers large enough for the Z
    test. `rate_reference` is taken as known; where it was observed, so is the answer.
    Fails: null where a group is empty, where the rate is not known or 0, and where not even a
    ratio of 0 is found with this power.

    Reference: Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions,
    3rd edition, chapter 4.

    >>> result = detectable_ratio(100, 100, 0.5)
    >>> round(result.estimate, 4)
    0.6135
    >>> detectable_ratio(5, 5, 0.1).reason
    'Even if nobody of the focal group were selected, this test would find it too rarely at these numbers.'
    """
    _arrays.check_confidence(confidence)
    if not 0.5 <= power < 1:
        message = f"power must be at least 0.5 and below 1, got {power!r}. Write 80 % as 0.8."
        raise ValueError(message)
    counts_call, (N1, N2) = _arrays.read_counts(n_focal=n_focal, n_reference=n_reference)
    rates = np.asarray(rate_reference, dtype=np.float64)  # None becomes NaN
    if ((rates < 0) | (rates > 1)).any():
        message = f"rate_reference must lie between 0 and 1, got {float(rates[(rates < 0) | (rates > 1)][0])!r}."
        raise ValueError(message)
    call = _arrays.Call(scalar=counts_call.scalar and rates.ndim == 0)
    N1, N2, rate = np.broadcast_arrays(N1, N2, np.atleast_1d(rates))
    reason = _arrays.reasons(
        (N1 == 0, "The focal group has nobody in it."),
        (N2 == 0, "The reference group has nobody in it."),
        (np.isnan(rate), "The rate of the reference group is not known."),
        (rate == 0, "Nobody in the reference group was selected, so no rate can be lower."),
    )
    solvable = reason == ""
    n1, n2, p2 = N1[solvable].astype(np.float64), N2[solvable].astype(np.float64), rate[solvable]
    z, z_power = _arrays.normal_quantile(confidence), float(ndtri(power))

    def lacking(r: _arrays.Floats) -> _arrays.Floats:
        p1 = r * p2
        pooled, rest = (n1 * p1 + n2 * p2) / (n1 + n2), (n1 * (1 - p1) + n2 * (1 - p2)) / (n1 + n2)
        null = np.sqrt(pooled * rest * (1 / n1 + 1 / n2))
        true = np.sqrt(p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2)
        return np.asarray((1 - r) * p2 - z * null - z_power * true)

    # Both standard errors are concave in r, so `lacking` is convex; at 1 it is negative. It has one root or none.
    # Where everybody is selected in both groups it is 0 at 1, which is no ratio below 1.
    root = _arrays.bracketed_root(lacking, np.zeros_like(p2), np.full_like(p2, 1.0 - 1e-12))
    estimate = np.full(rate.shape, np.nan)
    estimate[solvable] = root
    return DetectableRatio(
        estimate=call.value(estimate),
        power=power,
        confidence=confidence,
        n=call.count(N1 + N2),
        method="two-sided pooled Z, true rates under the alternative",
        reason=call.words(
            np.where(
                solvable & np.isnan(estimate),
                "Even if nobody of the focal group were selected, this test would find it too rarely at these numbers.",
                reason,
            )
        ),
    )


@dataclass(frozen=True, kw_only=True)
class DecisionsNeeded:
    """How many decisions per group the Z test needs to find an impact ratio with the power given."""

    estimate: _arrays.Value
    power: float
    confidence: float
    method: str
    reason: _arrays.Words


def decisions_needed(
    rate_reference: ArrayLike, ratio: ArrayLike, *, power: float = 0.8, confidence: float = 0.95
) -> DecisionsNeeded:
    """Return the smallest whole number of decisions in each of two groups that detects this impact ratio.

    Formula: n = (z √(2 P(1 - P)) + z_power √(p1(1 - p1) + p2(1 - p2)))²/(p2 - p1)², rounded up, with p2 the rate of the
    reference group, p1 = ratio · p2 and P = (p1 + p2)/2: `detectable_ratio` solved for n, and R's power.prop.test.
    For k comparisons of which each is tested at .05/k give confidence = 1 - .05/k.
    Assumes what `detectable_ratio` does, and two groups of the same size.
    Fails: ValueError for a rate that is not above 0 and at most 1, and for a ratio that is not in [0, 1).

    Reference: Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, 3rd edition, chapter 4.

    The example of R's power.prop.test: 76.7 per group for .5 against .75 with a power of .9.

    >>> decisions_needed(0.75, 0.5 / 0.75, power=0.9).estimate
    77
    """
    _arrays.check_confidence(confidence)
    if not 0.5 <= power < 1:
        message = f"power must be at least 0.5 and below 1, got {power!r}. Write 80 % as 0.8."
        raise ValueError(message)
    rates, ratios = (np.asarray(values, dtype=np.float64) for values in (rate_reference, ratio))
    if not ((rates > 0) & (rates <= 1)).all() or not ((ratios >= 0) & (ratios < 1)).all():
        message = (
            f"rate_reference must be above 0 and at most 1, ratio in [0, 1), got {rate_reference!r} and {ratio!r}."
        )
        raise ValueError(message)
    call = _arrays.Call(scalar=rates.ndim == 0 and ratios.ndim == 0)
    p2, r = (np.atleast_1d(values) for values in np.broadcast_arrays(rates, ratios))
    p1 = r * p2
    middle = (p1 + p2) / 2
    null, true = np.sqrt(2 * middle * (1 - middle)), np.sqrt(p1 * (1 - p1) + p2 * (1 - p2))
    n = ((_arrays.normal_quantile(confidence) * null + float(ndtri(power)) * true) / (p2 - p1)) ** 2
    # A whole number that rounding puts a little above itself stays that number.
    whole = np.ceil(n - 1e-9 * n).astype(np.int64)
    return DecisionsNeeded(
        estimate=call.count(np.maximum(whole, 1)),
        power=power,
        confidence=confidence,
        method="two-sided pooled Z, true rates under the alternative",
        reason=call.words(np.zeros(n.shape, dtype=np.str_)),
    )
