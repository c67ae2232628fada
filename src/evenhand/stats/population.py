"""A group compared with the population: its acceptance rate, and its number against a stated share."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.association import log_pmf, tail_ratio
from evenhand.stats.rates import wilson_limits
from evenhand.stats.special import bdtr, bdtrc, chdtrc, gammaln, xlogy


@dataclass(frozen=True, kw_only=True)
class PermutationExact:
    """The difference to the population's rate and three one-sided p-values, in the tail of its sign.

    `strict` leaves out outcomes as extreme as the observed one. It is not a valid p: it
    can be 0, which is then given as null (NaN in an array).
    """

    difference: _arrays.Value
    strict: _arrays.Value
    inclusive: _arrays.Value
    mid_p: _arrays.Value
    n: _arrays.Count
    method: str
    reason: _arrays.Words


def permutation_exact(accepted: ArrayLike, n: ArrayLike, accepted_all: ArrayLike, n_all: ArrayLike) -> PermutationExact:
    """Return the permutation test of a group's rate against the population's, in closed form.

    Formula: permuting the labels of all N decisions, K of them accepted, gives a group of
    n a hypergeometric number X of acceptances. With d = x/n - K/N, for d > 0:
    strict = P(X > x), inclusive = P(X ≥ x), mid-p = P(X > x) + ½ P(X = x); for d < 0 the
    same in the other tail; d = 0 takes the upper one.
    `accepted` of `n` belong to the group, `accepted_all` of `n_all` to the population that
    contains it.
    Assumes exchangeable decisions: where names differ within a group it rejects too often.
    Fails: null when a group is empty or is the whole population, and when all or none
    were accepted: then only one table is possible, and no p says anything.

    References: An et al. (2024), appendix C.3, which simulates the strict p; Lancaster
    (1961), Journal of the American Statistical Association 56, 223-234, for mid-p.

    Three of three against none of three: C(6, 3) = 20 equally likely tables.

    >>> test = permutation_exact(3, 3, 3, 6)
    >>> test.difference, test.strict, round(test.inclusive, 12), round(test.mid_p, 12)
    (0.5, None, 0.05, 0.025)
    """
    call, (x, group, selected, total) = _arrays.read_counts(
        accepted=accepted, n=n, accepted_all=accepted_all, n_all=n_all
    )
    rest = total - group
    if ((x > group) | (x > selected) | (group > total) | (selected - x > rest)).any():
        message = "The group must be part of the population: accepted ≤ n, and the others no fewer than their accepted."
        raise ValueError(message)
    reason = _arrays.reasons(
        (group == 0, "The group has no people."),
        (rest == 0, "The group is the whole population."),
        (selected == 0, "Nobody was accepted."),
        (selected == total, "Everybody was accepted."),
    )
    known = reason == ""
    difference = np.full(x.shape, np.nan)
    some = (group > 0) & (total > 0)
    difference[some] = x[some] / group[some] - selected[some] / total[some]
    strict, inclusive = np.full(x.shape, np.nan), np.full(x.shape, np.nan)
    above = x[known] * total[known] >= selected[known] * group[known]
    # The upper tail is the lower tail of those who were not accepted.
    k = np.where(above, group[known] - x[known], x[known])
    K = np.where(above, total[known] - selected[known], selected[known])
    at, below = _lower(k, group[known], rest[known], K)
    strict[known], inclusive[known] = below, at + below
    mid_p = _arrays.positive_p((strict + inclusive) / 2)
    return PermutationExact(
        difference=call.value(difference),
        strict=call.value(np.where(strict > 0, strict, np.nan)),
        inclusive=call.value(_arrays.positive_p(inclusive)),
        mid_p=call.value(mid_p),
        n=call.count(group),
        method="hypergeometric, one-sided",
        reason=call.words(reason),
    )


def _lower(
    k: _arrays.Ints, N1: _arrays.Ints, N2: _arrays.Ints, K: _arrays.Ints
) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return P(X = k) and P(X < k), for k below or at the mean."""
    at = np.exp(log_pmf(k, N1, N2, K))
    below = np.zeros(k.shape)
    lowest = np.maximum(0, K - N2)
    inside = k > lowest
    j, n1, n2, kk = k[inside] - 1, N1[inside], N2[inside], K[inside]
    # A whole number below the mean is at most the mode.
    below[inside] = np.exp(log_pmf(j, n1, n2, kk)) * tail_ratio(j, n1, n2, kk)
    return at, np.minimum(below, 1.0 - at)


@dataclass(frozen=True, kw_only=True)
class CombinedP:
    """One p from several independent ones."""

    statistic: float | None
    p: float | None
    df: int
    method: str
    reason: str | None


def fishers_method(p: ArrayLike) -> CombinedP:
    """Return the p of several independent p-values together.

    Formula: -2 Σ log p is χ² on 2m degrees of freedom. `p` has shape (m,); NaN is left out.
    Assumes independent and continuous p-values. Strict or inclusive p of counts reject
    too often or too seldom together; mid-p is nearly right.
    Fails: null without a p-value, or with a p of 0.

    Reference: Fisher (1932), Statistical Methods for Research Workers, 4th ed., section 21.1.

    Two p-values of ½: -4 log ½ = 2.77 on 4; the survival function is ¼ (1 + log 4).

    >>> round(fishers_method([0.5, 0.5]).p, 4)
    0.5966
    """
    values = np.asarray(p, dtype=np.float64).ravel()
    values = values[np.isfinite(values)]
    reason = None if values.size else "There is no p-value to combine."
    if (values <= 0).any() or (values > 1).any():
        reason = "A p of 0 or outside (0, 1] can't be combined."
    statistic = combined = None
    if reason is None:
        statistic = float(-2.0 * np.log(values).sum())
        combined = float(_arrays.positive_p(np.atleast_1d(chdtrc(2 * values.size, statistic)))[0])
    return CombinedP(statistic=statistic, p=combined, df=2 * values.size, method="Fisher's method", reason=reason)


@dataclass(frozen=True, kw_only=True)
class SimulatedP:
    """One-sided p of both tails, from simulated permutations; never 0."""

    upper: float
    lower: float
    permutations: int


def permutation_monte_carlo(
    accepted: int, n: int, accepted_all: int, n_all: int, *, permutations: int = 5000, rng: np.random.Generator
) -> SimulatedP | None:
    """Return the simulated p of `permutation_exact`'s inclusive test, (b + 1) / (B + 1), in both tails.

    Each permutation draws the group's acceptances at once, instead of shuffling N labels.
    None where `permutation_exact` is null: one table is all there can be.

    >>> result = permutation_monte_carlo(3, 3, 3, 6, permutations=99, rng=np.random.default_rng(1))
    >>> result.upper < 0.15, result.lower
    (True, 1.0)
    """
    if not (0 < n < n_all and 0 < accepted_all < n_all):
        return None
    drawn = rng.hypergeometric(accepted_all, n_all - accepted_all, n, size=permutations)
    upper, lower = (float((out.sum() + 1) / (permutations + 1)) for out in (drawn >= accepted, drawn <= accepted))
    return SimulatedP(upper=upper, lower=lower, permutations=permutations)


#: Probabilities nearer to each other than this, relatively, are equal (as in R's binom.test).
TIE = 1e-7


@dataclass(frozen=True, kw_only=True)
class Availability:
    """The share of a group, and how far its number is from what the stated share gives.

    `statistic` is Z; `p` that of the exact binomial test, `p_z` that of Z. `shortfall` is positive where fewer are
    there than expected.
    """

    estimate: _arrays.Value
    low: _arrays.Value
    high: _arrays.Value
    expected: _arrays.Value
    shortfall: _arrays.Value
    statistic: _arrays.Value
    p_z: _arrays.Value
    p: _arrays.Value
    confidence: float
    n: _arrays.Count
    method: str
    reason: _arrays.Words


def availability(x: ArrayLike, n: ArrayLike, share: ArrayLike, *, confidence: float = 0.95) -> Availability:
    """Return how x of n people compare with a share that is stated, such as that of the labour market.

    Formula: expected n·share, Z = (x - n·share)/√(n·share·(1 - share)); p is the probability of all numbers of the
    group that are not likelier than x under the binomial distribution; the share x/n has Wilson's limits.
    Assumes people who are drawn independently, and a stated share without an error of its own.
    Fails: null when n is 0.

    References: Castaneda v. Partida, 430 U.S. 482, 496 n.17 (1977); Hazelwood School District v. United States, 433
    U.S. 299, 308 n.14 and 311 n.17 (1977).

    Of 405 teachers 15 were black, of those in the area 5.7 % or 15.4 %: Hazelwood, notes 14 and 17.

    >>> result = availability(15, 405, [0.057, 0.154])
    >>> result.expected.round(1).tolist(), result.statistic.round(2).tolist(), result.p.round(3).tolist()
    ([23.1, 62.4], [-1.73, -6.52], [0.086, 0.0])
    """
    _arrays.check_confidence(confidence)
    counted, (count, size) = _arrays.read_counts(x=x, n=n)
    _arrays.check_selected(count, size, "x", "n")
    shares = np.asarray(share, dtype=np.float64)
    if not ((shares > 0) & (shares < 1)).all():
        message = f"share must lie between 0 and 1, got {share!r}. Write 42 % as 0.42."
        raise ValueError(message)
    call = _arrays.Call(scalar=counted.scalar and shares.ndim == 0)
    k, m, p = (np.atleast_1d(array) for array in np.broadcast_arrays(count, size, shares))
    reason = _arrays.reasons((m == 0, "There is nobody to compare."))
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate, expected = k / m, np.where(m > 0, m * p, np.nan)
        z = (k - expected) / np.sqrt(expected * (1 - p))
        low, high = wilson_limits(k.astype(np.float64), m.astype(np.float64), _arrays.normal_quantile(confidence))
    return Availability(
        estimate=call.value(estimate),
        low=call.value(low),
        high=call.value(high),
        expected=call.value(expected),
        shortfall=call.value(expected - k),
        statistic=call.value(z),
        p_z=call.value(_arrays.normal_p(z)),
        p=call.value(np.where(m > 0, _two_sided(k, m, p), np.nan)),
        confidence=confidence,
        n=call.count(m),
        method="exact binomial test, by point probability; share with Wilson's interval",
        reason=call.words(reason),
    )


def _two_sided(x: _arrays.Ints, n: _arrays.Ints, p: _arrays.Floats) -> _arrays.Floats:
    """Return the probability of all counts that are not likelier than x."""
    observed, mode = _log_pmf(x, n, p), np.floor((n + 1) * p).astype(np.int64)
    below = x < mode
    # On the other side of the mode the probabilities fall: the first count that is not likelier than x.
    low, high = np.where(below, mode, -1), np.where(below, n + 1, mode)
    while (high - low > 1).any():
        middle = (low + high) // 2
        rare = _log_pmf(np.clip(middle, 0, n), n, p) <= observed + TIE
        apart = high - low > 1
        # Below the mode counts are rare up to a place, above it from a place on.
        high = np.where(apart & (rare == below), middle, high)
        low = np.where(apart & (rare != below), middle, low)
    lower, upper = np.where(below, x, low), np.where(below, high, x)
    tails = _at_most(lower, n, p) + _at_least(upper, n, p)
    return np.where(observed >= _log_pmf(mode, n, p) - TIE, 1.0, _arrays.positive_p(tails))


def _at_most(k: _arrays.Ints, n: _arrays.Ints, p: _arrays.Floats) -> _arrays.Floats:
    return np.where(k < 0, 0.0, np.where(k >= n, 1.0, bdtr(np.clip(k, 0, n).astype(np.float64), n, p)))


def _at_least(k: _arrays.Ints, n: _arrays.Ints, p: _arrays.Floats) -> _arrays.Floats:
    inside = np.clip(k - 1, 0, n).astype(np.float64)
    return np.where(k <= 0, 1.0, np.where(k > n, 0.0, bdtrc(inside, n, p)))


def _log_pmf(k: _arrays.Ints, n: _arrays.Ints, p: _arrays.Floats) -> _arrays.Floats:
    ways = gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)
    return np.asarray(ways + xlogy(k, p) + (n - k) * np.log1p(-p))
