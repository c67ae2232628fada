"""A group's acceptance rate against that of the whole population it belongs to."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Count, Floats, Ints, Value, Words, positive_p, read_counts, reasons
from evenhand.stats.special import chdtrc
from evenhand.stats.two_groups._hypergeometric import log_pmf, tail_ratio

__all__ = [
    "CombinedP",
    "PermutationExact",
    "SimulatedP",
    "fishers_method",
    "permutation_exact",
    "permutation_monte_carlo",
]


@dataclass(frozen=True, kw_only=True)
class PermutationExact:
    """The difference to the population's rate and three one-sided p-values, in the tail of its sign.

    `strict` leaves out outcomes as extreme as the observed one. It is not a valid p: it
    can be 0, which is then given as null (NaN in an array).
    """

    difference: Value
    strict: Value
    inclusive: Value
    mid_p: Value
    n: Count
    method: str
    reason: Words


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
    call, (x, group, selected, total) = read_counts(accepted=accepted, n=n, accepted_all=accepted_all, n_all=n_all)
    rest = total - group
    if ((x > group) | (x > selected) | (group > total) | (selected - x > rest)).any():
        message = "The group must be part of the population: accepted ≤ n, and the others no fewer than their accepted."
        raise ValueError(message)
    reason = reasons(
        (group == 0, "The group has nobody in it."),
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
    mid_p = positive_p((strict + inclusive) / 2)
    return PermutationExact(
        difference=call.value(difference),
        strict=call.value(np.where(strict > 0, strict, np.nan)),
        inclusive=call.value(positive_p(inclusive)),
        mid_p=call.value(mid_p),
        n=call.count(group),
        method="hypergeometric, one-sided",
        reason=call.words(reason),
    )


def _lower(k: Ints, N1: Ints, N2: Ints, K: Ints) -> tuple[Floats, Floats]:
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
        combined = float(positive_p(np.atleast_1d(chdtrc(2 * values.size, statistic)))[0])
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

    >>> found = permutation_monte_carlo(3, 3, 3, 6, permutations=99, rng=np.random.default_rng(1))
    >>> found.upper < 0.15, found.lower
    (True, 1.0)
    """
    if not (0 < n < n_all and 0 < accepted_all < n_all):
        return None
    drawn = rng.hypergeometric(accepted_all, n_all - accepted_all, n, size=permutations)
    upper, lower = (float((out.sum() + 1) / (permutations + 1)) for out in (drawn >= accepted, drawn <= accepted))
    return SimulatedP(upper=upper, lower=lower, permutations=permutations)
