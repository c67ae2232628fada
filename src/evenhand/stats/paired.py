"""Paired differences: t test, Wilcoxon's signed ranks, McNemar's test of flips, and equivalence within a margin."""

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats import _arrays
from evenhand.stats.cluster_robust import t_interval
from evenhand.stats.special import bdtr, gammaln, ndtri, stdtr, stdtrit


@dataclass(frozen=True, kw_only=True)
class PairedT:
    """The mean difference of pairs with its interval and test; `n` counts pairs."""

    estimate: float | None
    low: float | None
    high: float | None
    standard_error: float | None
    t: float | None
    df: int
    p: float | None
    confidence: float
    n: int
    method: str
    reason: str | None


def paired_t(differences: ArrayLike, *, confidence: float = 0.95) -> PairedT:
    """Return the mean of differences of shape (n,), one for each pair, in their own unit.

    Formula: t = d̄ / (s / sqrt(n)) with s² = Σ (d - d̄)² / (n - 1), on n - 1 degrees of freedom.
    Assumes that the differences are independent and their mean is nearly normal. Where one résumé was scored many
    times, give its mean difference: single scores of it are not independent.
    Fails: no estimate without values, or of values that are not finite; no interval with one, or where all are alike.

    Reference: Student (1908), Biometrika 6, 1-25; the sleep data, table on p. 20, mean 1.58.

    >>> sleep = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    >>> result = paired_t(sleep)
    >>> round(result.estimate, 2), round(result.t, 3), result.df, round(result.p, 4)
    (1.58, 4.062, 9, 0.0028)
    """
    _arrays.check_confidence(confidence)
    d = np.asarray(differences, dtype=np.float64)
    if d.ndim != 1:
        message = f"paired_t takes differences of one dimension, got shape {d.shape}."
        raise ValueError(message)
    reason, estimate = None, None
    if not d.size:
        reason = "There are no pairs."
    elif not np.isfinite(d).all():
        reason = "A difference is missing or not finite."
    else:
        estimate = float(d.mean())
        if d.size < 2:
            reason = "With one pair the variance of differences can't be estimated."
        elif np.ptp(d) == 0.0:
            reason = "The differences are all the same."
    error = t = p = width = None
    if reason is None:
        assert estimate is not None
        error = float(d.std(ddof=1)) / d.size**0.5
        t = estimate / error
        p = float(_arrays.t_p(t, d.size - 1))
        width = float(stdtrit(d.size - 1, (1 + confidence) / 2)) * error
    return PairedT(
        estimate=estimate,
        low=None if width is None or estimate is None else estimate - width,
        high=None if width is None or estimate is None else estimate + width,
        standard_error=error,
        t=t,
        df=max(d.size - 1, 0),
        p=p,
        confidence=confidence,
        n=d.size,
        method="paired t",
        reason=reason,
    )


Zeros = Literal["pratt", "wilcoxon"]

#: Up to so many pairs without ties and zeros p is exact.
MOST_EXACT: Final = 50


@dataclass(frozen=True, kw_only=True)
class SignedRank:
    """The sum of the ranks of positive differences, and its two-sided p; `n` counts pairs, `zeros` those alike.

    `method` says whether p is exact or normal, and what was done with zeros.
    """

    statistic: float | None
    p: float | None
    n: int
    zeros: int
    method: str
    reason: str | None


def signed_rank(differences: ArrayLike, *, zeros: Zeros = "pratt") -> SignedRank:
    """Return Wilcoxon's test that differences of shape (n,) lie as far above zero as below.

    Formula: W = Σ of the ranks of |d| over d > 0, ties sharing their mean rank. `pratt` ranks zeros with the others
    and then drops their ranks; `wilcoxon` drops them first. Without ties and zeros and up to 50 pairs p counts the
    2ⁿ signs; else z = (W - E) / sqrt(V) without correction for continuity, E = (n(n + 1) - z(z + 1)) / 4,
    V = (n(n + 1)(2n + 1) - z(z + 1)(2z + 1)) / 24 - Σ (t³ - t) / 48 over ties of t, z being the zeros (0 with
    `wilcoxon`, whose n leaves them out).
    Assumes independent differences that are distributed symmetrically. The normal p is rough with fewer than about
    10 that are not zero.
    Fails: null where every difference is zero, with no pairs, or with values that are not finite.

    Reference: Wilcoxon (1945), Biometrics Bulletin 1, 80-83; Pratt (1959), Journal of the American Statistical
    Association 54, 655-667.

    All of four are positive: two of 16 ways are as extreme.

    >>> result = signed_rank([1.0, 2.0, 3.0, 4.0])
    >>> result.statistic, result.p, result.method
    (10.0, 0.125, 'exact')
    """
    d = np.asarray(differences, dtype=np.float64)
    if d.ndim != 1 or zeros not in {"pratt", "wilcoxon"}:
        message = f"signed_rank takes one dimension and zeros pratt or wilcoxon, got shape {d.shape}, {zeros!r}."
        raise ValueError(message)
    zero_count = int(np.count_nonzero(d == 0))
    nothing = SignedRank(statistic=None, p=None, n=d.size, zeros=zero_count, method="none", reason=None)
    if not np.isfinite(d).all():
        return _lacking(nothing, "A difference is missing or not finite.")
    if zero_count == d.size:
        return _lacking(nothing, "No difference differs from zero." if d.size else "There are no pairs.")
    if zeros == "wilcoxon":
        d = d[d != 0]
    ranks, ties = _mean_ranks(np.abs(d))
    statistic = float(ranks[d > 0].sum())
    ranked_zeros = int(np.count_nonzero(d == 0))
    if not ranked_zeros and (ties == 1).all() and d.size <= MOST_EXACT:
        p, method = _exact(statistic, d.size), "exact"
    else:
        n, z = float(d.size), float(ranked_zeros)
        # The zeros' tie, the first of all, has no ranks that count.
        t = ties[1 if ranked_zeros else 0 :].astype(np.float64)
        mean = (n * (n + 1) - z * (z + 1)) / 4
        variance = (n * (n + 1) * (2 * n + 1) - z * (z + 1) * (2 * z + 1)) / 24 - float((t**3 - t).sum()) / 48
        p, method = float(_arrays.normal_p(np.array((statistic - mean) / variance**0.5))), "normal"
    if zero_count:
        method += ", Pratt zeros" if zeros == "pratt" else ", Wilcoxon zeros"
    return SignedRank(statistic=statistic, p=p, n=nothing.n, zeros=zero_count, method=method, reason=None)


def _lacking(result: SignedRank, reason: str) -> SignedRank:
    return SignedRank(**{**vars(result), "reason": reason})


def _mean_ranks(sizes: _arrays.Floats) -> tuple[_arrays.Floats, NDArray[np.int64]]:
    """Return ranks from 1, equal values sharing their mean, and how many share each."""
    _, place, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[place], counts


def _exact(statistic: float, n: int) -> float:
    below = _cumulated(n)
    w = round(min(statistic, n * (n + 1) / 2 - statistic))
    return float(_arrays.positive_p(np.array(2 * below[w])))


@cache
def _cumulated(n: int) -> _arrays.Floats:
    """Return the chance of each sum of signed ranks, or less, when signs are drawn."""
    chance = np.ones(1)
    for rank in range(1, n + 1):
        moved = np.zeros(chance.size + rank)
        moved[: chance.size] += chance / 2
        moved[rank:] += chance / 2
        chance = moved
    return np.cumsum(chance)


@dataclass(frozen=True, kw_only=True)
class McNemar:
    """Pairs that were decided differently.

    `flip_rate` is their share, `difference` focal minus reference rate with its limits; p is two-sided, `p_mid` by
    Lancaster.
    """

    only_focal: _arrays.Count
    only_reference: _arrays.Count
    flip_rate: _arrays.Value
    difference: _arrays.Value
    low: _arrays.Value
    high: _arrays.Value
    p: _arrays.Value
    p_mid: _arrays.Value
    n: _arrays.Count
    confidence: float
    method: str
    reason: _arrays.Words


def mcnemar(only_focal: ArrayLike, only_reference: ArrayLike, n: ArrayLike, *, confidence: float = 0.95) -> McNemar:
    """Return McNemar's exact test of `n` pairs, from those in which only one side was selected.

    Formula: b and c of m = b + c discordant pairs; p = min(1, 2 P(X ≤ min(b, c))) with X binomial (m, 1/2); the
    mid-p takes half of the chance of what was seen: Σ pmf(k) over pmf(k) < pmf(b), and half of those equal.
    The flip rate is m / n, the difference (b - c) / n. Its limits add one pair of each kind (Bonett and Price): with
    x = (b + 1)/(n + 2) and y = (c + 1)/(n + 2) they are x - y ± z √((x + y - (x - y)²)/(n + 2)), within ±1.
    Assumes independent pairs: of many decisions about one résumé p is far too small.
    Fails: p is null where no pair was decided differently; all is without pairs.

    Reference: McNemar (1947), Psychometrika 12, 153-157; mid-p: Fagerland, Lydersen and Laake (2013), BMC Medical
    Research Methodology 13:91, equations 3 and 5; limits: Bonett and Price (2012), Statistical Methods in Medical
    Research 21, 479-488.

    1 against 5: 2 · (1 + 6) / 64.

    >>> result = mcnemar(1, 5, 20)
    >>> round(result.p, 6), round(result.p_mid, 6), result.flip_rate, result.difference
    (0.21875, 0.125, 0.3, -0.2)
    >>> round(result.low, 3), round(result.high, 3)  # 2/22 - 6/22 ± 1.96 √((8/22 - (4/22)²)/22)
    (-0.422, 0.058)
    """
    _arrays.check_confidence(confidence)
    call, (b, c, total) = _arrays.read_counts(only_focal=only_focal, only_reference=only_reference, n=n)
    _arrays.check_selected(b + c, total, "only_focal and only_reference together", "n")
    m = b + c
    fewer = np.minimum(b, c)
    reason = _arrays.reasons(
        (total == 0, "There are no pairs."),
        (m == 0, "No pair was decided differently."),
    )
    known = m > 0
    log_pmf = gammaln(m + 1.0) - gammaln(fewer + 1.0) - gammaln(m - fewer + 1.0) - m * np.log(2.0)
    pmf = np.exp(log_pmf)
    exact = np.minimum(2 * bdtr(fewer, np.maximum(m, 1), 0.5), 1.0)
    mid = np.where(b == c, 1 - pmf / 2, exact - pmf)
    with np.errstate(invalid="ignore", divide="ignore"):
        flips, difference = m / total, (b - c) / total
    x, y = (b + 1) / (total + 2), (c + 1) / (total + 2)
    width = ndtri((1 + confidence) / 2) * np.sqrt((x + y - (x - y) ** 2) / (total + 2))
    return McNemar(
        only_focal=call.count(b),
        only_reference=call.count(c),
        flip_rate=call.value(np.asarray(flips, dtype=np.float64)),
        difference=call.value(np.asarray(difference, dtype=np.float64)),
        low=call.value(np.where(total > 0, np.maximum(x - y - width, -1.0), np.nan)),
        high=call.value(np.where(total > 0, np.minimum(x - y + width, 1.0), np.nan)),
        p=call.value(np.where(known, _arrays.positive_p(exact), np.nan)),
        p_mid=call.value(np.where(known, _arrays.positive_p(mid), np.nan)),
        n=call.count(total),
        confidence=confidence,
        method="McNemar, exact",
        reason=call.words(reason),
    )


@dataclass(frozen=True, kw_only=True)
class Equivalence:
    """Two one-sided tests at 1 - `confidence` each; `low` to `high` is the interval that says the same.

    `p_low` tests that the difference is -margin or less, `p_high` that it is margin or more; `p` is the larger.
    """

    estimate: _arrays.Value
    low: _arrays.Value
    high: _arrays.Value
    margin: _arrays.Value
    p_low: _arrays.Value
    p_high: _arrays.Value
    p: _arrays.Value
    equivalent: _arrays.Flag
    confidence: float
    method: str
    reason: _arrays.Words


def equivalence(
    estimate: ArrayLike, variance: ArrayLike, df: ArrayLike, *, margin: ArrayLike, confidence: float = 0.95
) -> Equivalence:
    """Return whether a difference lies within ± `margin`, in the unit of the estimate, from its variance.

    Formula: with s = sqrt(variance), p_low = 1 - cdf((estimate + margin) / s) and p_high = cdf((estimate - margin) / s)
    of t with `df` degrees of freedom. Equivalent if both are below 1 - confidence, that is if the interval of level
    2 · confidence - 1 (90 % for .95) lies within the margin.
    Assumes a nearly normal estimate, and a margin that was chosen before the data were seen.
    Fails: null where the estimate or its variance is null, the variance is 0, or df < 1.

    Reference: Schuirmann (1987), Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680.

    With estimate 0 and s = 1 on 1 degree of freedom, and a margin of 1: 1 - cdf(1) = 1/4 both ways.

    >>> result = equivalence(0.0, 1.0, 1, margin=1.0)
    >>> round(result.p_low, 6), round(result.p_high, 6), result.equivalent
    (0.25, 0.25, False)
    """
    _arrays.check_confidence(confidence)
    edge = np.asarray(margin, dtype=np.float64)
    if not (edge > 0).all():
        message = f"margin must be above 0, got {float(edge[~(edge > 0)].flat[0])!r}."
        raise ValueError(message)
    arrays = [np.asarray(values, dtype=np.float64) for values in (estimate, variance, df)]
    call = _arrays.Call(scalar=all(array.ndim == 0 for array in (*arrays, edge)))
    centre, v, freedom, edge = (np.atleast_1d(array) for array in np.broadcast_arrays(*arrays, edge))
    interval = t_interval(centre, v, freedom, confidence=2 * confidence - 1)
    reason = _arrays.reasons((interval.reason != "", "There is no interval."))
    reason = np.where(interval.reason == "", reason, interval.reason)
    known = reason == ""
    error, freedom = np.where(known, interval.standard_error, np.nan), np.where(known, freedom, 1.0)
    p_low = _arrays.positive_p(stdtr(freedom, -(centre + edge) / error))
    p_high = _arrays.positive_p(stdtr(freedom, (centre - edge) / error))
    with np.errstate(invalid="ignore"):
        equivalent = (interval.low > -edge) & (interval.high < edge)
    return Equivalence(
        estimate=call.value(np.where(np.isfinite(centre), centre, np.nan)),
        low=call.value(interval.low),
        high=call.value(interval.high),
        margin=call.value(edge),
        p_low=call.value(p_low),
        p_high=call.value(p_high),
        p=call.value(np.maximum(p_low, p_high)),
        equivalent=call.flag(equivalent, reason),
        confidence=confidence,
        method="two one-sided tests",
        reason=call.words(reason),
    )
