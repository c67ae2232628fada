"""The mean scores of two groups: their ratio, their difference, and its standardised size."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import (
    Call,
    Count,
    Flags,
    Floats,
    Ints,
    Value,
    Words,
    check_confidence,
    normal_quantile,
    positive_p,
    read_counts,
    reasons,
)
from evenhand.stats.special import gammaln, stdtr, stdtrit

__all__ = ["MeanRatio", "mean_ratio"]

#: A standard deviation below this share of the mean is what rounding leaves of equal scores.
ROUNDING = 1e-12

#: Where something can't be computed, and why.
Case: TypeAlias = tuple[Flags, str]


@dataclass(frozen=True)
class _Sample:
    """Size, mean and Σ(x - mean)² of a group, as floats."""

    n: Floats
    mean: Floats
    squares: Floats

    @property
    def variance(self) -> Floats:
        """The variance of the mean; NaN for fewer than two people."""
        return np.where(self.n > 1, self.squares / self.n / (self.n - 1), np.nan)


@dataclass(frozen=True, kw_only=True)
class MeanRatio:
    """Focal mean over reference mean, focal mean minus reference mean, and that in standard deviations.

    `reason` and `interval_reason` belong to the ratio; `difference` is known wherever both
    groups have somebody in them; `test_reason` says why t, p and the limits of the
    difference are null, `g_reason` why Hedges' g is.
    """

    estimate: Value
    low: Value
    high: Value
    interval_reason: Words
    difference: Value
    difference_low: Value
    difference_high: Value
    t: Value
    df: Value
    p: Value
    test_reason: Words
    hedges_g: Value
    g_low: Value
    g_high: Value
    g_reason: Words
    confidence: float
    n: Count
    method: str
    reason: Words


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
    added to all scores moves it to 1. Read g beside it. g's limits are rough below ten people
    in a group or where the groups' spreads differ much.
    Fails: the ratio is null for an empty group, where the reference mean is not positive or the
    focal mean negative (scores below 0 have no ratio); its limits also where the reference mean
    is not clearly above 0 at this confidence. Tests are null with fewer than two people
    in a group, or where no score varies.

    References: Fieller (1954), Journal of the Royal Statistical Society B 16, 175-185; Welch
    (1947), Biometrika 34, 28-35; Hedges and Olkin (1985), Statistical Methods for
    Meta-Analysis, pp. 81 and 86.

    Scores 1, 2, 3 against 2, 3, 4: v = 1/3 in both, t = -1/√(2/3).

    >>> found = mean_ratio(3, 2.0, 2.0, 3, 3.0, 2.0)
    >>> round(found.estimate, 4), found.difference, round(found.t, 4), round(found.df, 4)
    (0.6667, -1.0, -1.2247, 4.0)
    """
    check_confidence(confidence)
    counted, sizes = read_counts(n_focal=n_focal, n_reference=n_reference)
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
        (focal.n == 0, "The focal group has nobody in it."),
        (reference.n == 0, "The reference group has nobody in it."),
    )


def _alone(focal: _Sample, reference: _Sample) -> Case:
    return (focal.n < 2) | (reference.n < 2), "A group has one person only, so its spread is not known."


def _fixed(focal: _Sample, reference: _Sample) -> Case:
    return (focal.squares == 0) & (reference.squares == 0), "The scores do not vary within the groups."


def _ratio(call: Call, focal: _Sample, reference: _Sample, confidence: float) -> dict[str, Any]:
    """Return the ratio of the means and Fieller's limits."""
    reason = reasons(
        *_empty(focal, reference),
        (reference.mean <= 0, "The mean score of the reference group is not positive, so a ratio to it says nothing."),
        (focal.mean < 0, "The mean score of the focal group is negative, so a ratio says nothing."),
    )
    low, high, unclear = _fieller(focal, reference, confidence)
    zeros = (focal.mean == 0) & (focal.squares == 0)
    interval_reason = reasons(
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


def _test(call: Call, focal: _Sample, reference: _Sample, confidence: float) -> dict[str, Any]:
    """Return the difference of the means, its limits and Welch's test."""
    reason = reasons(*_empty(focal, reference), _alone(focal, reference), _fixed(focal, reference))
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
        "p": call.value(positive_p(np.where(tested, 2 * stdtr(df, -np.abs(t)), np.nan))),
        "test_reason": call.words(reason),
    }


def _standardised(call: Call, focal: _Sample, reference: _Sample, confidence: float) -> dict[str, Any]:
    """Return Hedges' g and its limits."""
    few = focal.n + reference.n < 4, "With fewer than four people Hedges' g is not defined."
    reason = reasons(*_empty(focal, reference), few, _fixed(focal, reference))
    g, spread = (np.where(reason == "", value, np.nan) for value in _hedges(focal, reference, confidence))
    return {
        "hedges_g": call.value(g),
        "g_low": call.value(g - spread),
        "g_high": call.value(g + spread),
        "g_reason": call.words(reason),
    }


def _read(call: Call, sizes: list[Ints], means: list[Floats], squares: list[Floats]) -> tuple[Call, _Sample, _Sample]:
    """Return both groups as floats of one shape; an empty group needs no numbers."""
    sums = [*means, *squares]
    call = Call(scalar=call.scalar and all(values.ndim == 0 for values in sums))
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


def _satterthwaite(focal: _Sample, reference: _Sample, theta: Floats | float) -> Floats:
    """Return the degrees of freedom of m1 - θ m2, from shares of its variance so that nothing underflows."""
    v1, v2 = focal.variance, theta**2 * reference.variance
    share = v1 / (v1 + v2)
    return np.asarray(1 / (share**2 / (focal.n - 1) + (1 - share) ** 2 / (reference.n - 1)))


def _fieller(focal: _Sample, reference: _Sample, confidence: float) -> tuple[Floats, Floats, Flags]:
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


def _hedges(focal: _Sample, reference: _Sample, confidence: float) -> tuple[Floats, Floats]:
    """Return g and half the width of its interval."""
    n = focal.n + reference.n
    df = n - 2
    # From here on the common approximation errs by less than the logarithms of the gamma function do.
    near = df >= 1e4
    exact = np.exp(gammaln(df / 2) - gammaln((df - 1) / 2)) / np.sqrt(df / 2)
    pooled = np.sqrt((focal.squares + reference.squares) / df)
    g = np.where(near, 1 - 3 / (4 * df - 1), exact) * (focal.mean - reference.mean) / pooled
    return g, normal_quantile(confidence) * np.sqrt(1 / focal.n + 1 / reference.n + g**2 / (2 * n))
