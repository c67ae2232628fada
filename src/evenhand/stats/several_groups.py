"""Tests of several groups at once: one common rate, variance between groups, stated shares, adjusted p-values.

Permuted selections show what chance alone does to several groups: how often the four-fifths rule flags one of them, and
how large the largest difference of two rates gets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats import _arrays
from evenhand.stats.rates import FOUR_FIFTHS, selection_rate
from evenhand.stats.special import bdtr, chdtrc, chdtri, fdtrc, gammaln


@dataclass(frozen=True, kw_only=True)
class Homogeneity:
    """Pearson's chi-square test that groups share one rate.

    `groups` counts the groups that have anybody in them. `smallest_expected` is the
    smallest expected cell; below 5 the p-value is rough.
    """

    statistic: _arrays.Value
    df: _arrays.Count
    p: _arrays.Value
    smallest_expected: _arrays.Value
    groups: _arrays.Count
    n: _arrays.Count
    method: str
    reason: _arrays.Words


def chi_square_homogeneity(counts: ArrayLike) -> Homogeneity:
    """Return Pearson's test that k groups have one rate.

    `counts` has one row per group: how many had the outcome, how many had not; shape
    (k, 2), or (tables, k, 2) for many tables at once.
    Formula: Σ (observed - expected)² / expected over the 2k cells, expected = row sum
    times column sum / total; χ² with k - 1 degrees of freedom, no continuity correction.
    Groups with nobody in them are left out.
    Assumes independent observations; with repeated answers to one item p is too small.
    Fails: null with fewer than two groups, or when all or none had the outcome.

    Reference: Agresti (2013), Categorical Data Analysis, 3rd edition, section 3.2.1.

    10 of 20 against 5 of 20: expected 7.5 and 12.5, so 2 · 2.5²/7.5 + 2 · 2.5²/12.5 = 8/3.

    >>> test = chi_square_homogeneity([[10, 10], [5, 15]])
    >>> round(test.statistic, 4), test.df, round(test.p, 4), test.smallest_expected
    (2.6667, 1, 0.1025, 7.5)
    """
    _, (table,) = _arrays.read_counts(counts=counts)
    if table.ndim not in {2, 3} or table.shape[-1] != 2:
        message = f"counts must have two columns, shape (k, 2) or (tables, k, 2), got shape {np.shape(counts)}."
        raise ValueError(message)
    call = _arrays.Call(scalar=table.ndim == 2)
    table = table.reshape(-1, *table.shape[-2:])
    rows = table.sum(axis=2).astype(np.float64)
    columns = table.sum(axis=1).astype(np.float64)
    total = table.sum(axis=(1, 2))
    groups = (rows > 0).sum(axis=1)
    reason = _arrays.reasons(
        (groups < 2, "Fewer than two groups have anybody in them."),
        (columns[:, 0] == 0, "No group had the outcome, so the rates do not vary."),
        (columns[:, 1] == 0, "Everybody had the outcome, so the rates do not vary."),
    )
    known = reason == ""
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = rows[:, :, None] * (columns / total[:, None])[:, None, :]
        parts = np.where(rows[:, :, None] > 0, (table - expected) ** 2 / expected, 0.0)
        statistic = np.where(known, parts.sum(axis=(1, 2)), np.nan)
    smallest = np.where(rows[:, :, None] > 0, expected, np.inf).min(axis=(1, 2), initial=np.inf)
    df = np.maximum(groups - 1, 0)
    return Homogeneity(
        statistic=call.value(statistic),
        df=call.count(df),
        p=call.value(_arrays.positive_p(chdtrc(np.maximum(df, 1), statistic))),
        smallest_expected=call.value(np.where(known, smallest, np.nan)),
        groups=call.count(groups),
        n=call.count(total),
        method="Pearson chi-square",
        reason=call.words(reason),
    )


@dataclass(frozen=True, kw_only=True)
class BetweenGroupVariance:
    """Paule-Mandel τ², its Q-profile interval, and Cochran's Q test.

    `groups` counts the groups used, `left_out` those without an estimate or without a
    positive variance. `high` may be null with `high_reason` although the rest is known.
    """

    estimate: float | None
    low: float | None
    high: float | None
    high_reason: str | None
    confidence: float
    q: float | None
    df: int
    p: float | None
    groups: int
    left_out: int
    method: str
    reason: str | None


def between_group_variance(
    estimates: ArrayLike | Sequence[float | None],
    variances: ArrayLike | Sequence[float | None],
    *,
    confidence: float = 0.95,
) -> BetweenGroupVariance:
    """Return the variance of true values between groups, with interval and test.

    Formula: Q(t) = Σ w_i (y_i - ȳ_w)², w_i = 1/(v_i + t), k groups. τ² solves
    Q(τ²) = k - 1. The limits solve Q(low) = χ²(k - 1, (1 + confidence)/2) and
    Q(high) = χ²(k - 1, (1 - confidence)/2). Cochran's test compares Q(0) with χ²(k - 1).
    τ² and low are 0 where Q(0) is already smaller: a variance can't be negative, so 0
    is the value there, not a stand-in. In the squared unit of the estimates.
    Assumes independent, nearly normal estimates whose variances are known; with rates
    near 0 or 1 from few observations they are not.
    Fails: null with fewer than two usable groups. The high limit is null where Q(0) is
    below its quantile: the estimates differ less than their variances let expect.

    References: Paule and Mandel (1982), Journal of Research of the National Bureau of
    Standards 87, 377-385; Viechtbauer (2007), Statistics in Medicine 26, 37-52, section
    2.2; Cochran (1954), Biometrics 10, 101-129.

    Two groups: (y1 - y2)² / (v1 + v2 + 2τ²) = 1, so τ² = (4² - 2)/2 = 7.

    >>> result = between_group_variance([0.0, 4.0], [1.0, 1.0])
    >>> round(result.estimate, 9), result.q, round(result.p, 6)
    (7.0, 8.0, 0.004678)
    """
    _arrays.check_confidence(confidence)
    y, v = np.asarray(estimates, dtype=np.float64), np.asarray(variances, dtype=np.float64)
    if y.ndim != 1 or y.shape != v.shape:
        message = f"estimates and variances must be two lists of one length, got shapes {y.shape} and {v.shape}."
        raise ValueError(message)
    usable = np.isfinite(y) & np.isfinite(v) & (v > 0)
    y, v = y[usable], v[usable]
    df = max(y.size - 1, 0)
    q = tau2 = low = high = p = None
    reason = high_reason = None
    if df < 1:
        reason = high_reason = "Fewer than two groups have an estimate with a positive variance."
    else:
        q = _q(0.0, y, v)
        p = float(_arrays.positive_p(np.asarray(chdtrc(df, q))))
        tau2 = _solve(float(df), y, v) or 0.0
        low = _solve(float(chdtri(df, (1 - confidence) / 2)), y, v) or 0.0
        high = _solve(float(chdtri(df, (1 + confidence) / 2)), y, v)
        if high is None:
            high_reason = "The estimates differ less than their variances let expect, so there is no high limit."
    return BetweenGroupVariance(
        estimate=tau2,
        low=low,
        high=high,
        high_reason=high_reason,
        confidence=confidence,
        q=q,
        df=df,
        p=p,
        groups=y.size,
        left_out=int(usable.size - y.size),
        method="Paule-Mandel, Q-profile",
        reason=reason,
    )


def _q(tau2: float, y: _arrays.Floats, v: _arrays.Floats) -> float:
    w = 1 / (v + tau2)
    return float(w @ (y - (w @ y) / w.sum()) ** 2)


def _solve(target: float, y: _arrays.Floats, v: _arrays.Floats) -> float | None:
    """Return the t ≥ 0 with Q(t) = target, None where Q(0) is below it."""
    if _q(0.0, y, v) < target:
        return None
    # Q(t) ≤ Σ(y - ȳ)²/t, so the root is not beyond Σ(y - ȳ)²/target.
    end = float(((y - y.mean()) ** 2).sum()) / target
    root = _arrays.bracketed_root(
        lambda t: np.array([_q(float(t[0]), y, v) - target]), np.zeros(1), np.array([end * (1 + 1e-9)])
    )
    return float(root[0])


#: Directions whose variance is below this share of the largest carry no information (shares sum to 1).
NEGLIGIBLE = 1e-9


@dataclass(frozen=True, kw_only=True)
class WaldTest:
    """Whether several estimates differ from their null values together."""

    statistic: float | None
    p: float | None
    df: int
    clusters: int
    method: str
    reason: str | None


def wald_test(difference: ArrayLike, influence: ArrayLike, cluster: ArrayLike) -> WaldTest:
    """Return the test that all entries of `difference` are zero.

    Formula: with ψ_g the influences summed within cluster g of G, V = G/(G - 1) Σ ψ_g ψ_g',
    W = d' V⁺ d, and F = W (G - q)/((G - 1) q) on q and G - q degrees of freedom, q the rank
    of V. For one observation per cluster this is Hotelling's T².
    `difference` has shape (m,), `influence` (n, m), `cluster` n integer codes.
    Assumes independent clusters and sums that are nearly normal: some 10 clusters per
    estimate. Shares that add up to 1 may all be given; V then has rank m - 1.
    Fails: null when nothing varies, or G ≤ q.

    Reference: Hotelling (1931), Annals of Mathematical Statistics 2, 360-378; for clusters
    Liang and Zeger (1986), Biometrika 73, 13-22.

    Two clusters, one estimate: V = 2/1 · (.25 + .25) = 1, so W = d² = 4, F = 4 on 1 and 1.

    >>> result = wald_test([2.0], [[0.5], [-0.5]], [0, 1])
    >>> result.statistic, round(result.p, 4)  # p = 1 - 2 arctan(2)/π
    (4.0, 0.2952)
    """
    d = np.asarray(difference, dtype=np.float64)
    psi = np.asarray(influence, dtype=np.float64)
    _, codes = np.unique(np.asarray(cluster), return_inverse=True)
    if psi.ndim != 2 or psi.shape != (codes.size, d.size):
        message = f"influence must be ({codes.size}, {d.size}), got {psi.shape}."
        raise ValueError(message)
    clusters = int(codes.max()) + 1 if codes.size else 0
    sums = np.zeros((clusters, d.size))
    for place, column in enumerate(psi.T):
        sums[:, place] = np.bincount(codes, weights=column, minlength=clusters)
    values, vectors = np.linalg.eigh(_variance(sums, clusters))
    informative = values > NEGLIGIBLE * max(float(values.max(initial=0.0)), 1e-300)
    rank = int(informative.sum())
    common = {"df": rank, "clusters": clusters, "method": "Wald, clustered (Hotelling's T²)"}
    if rank == 0 or not np.isfinite(d).all():
        return WaldTest(statistic=None, p=None, reason="The observations do not vary.", **common)  # type: ignore[arg-type]
    if clusters <= rank:
        reason = f"{rank} estimates need more than {rank} clusters; there are {clusters}."
        return WaldTest(statistic=None, p=None, reason=reason, **common)  # type: ignore[arg-type]
    along = vectors[:, informative].T @ d
    wald = float((along**2 / values[informative]).sum())
    f = wald * (clusters - rank) / ((clusters - 1) * rank)
    return WaldTest(statistic=f, p=float(fdtrc(rank, clusters - rank, f)), reason=None, **common)  # type: ignore[arg-type]


def _variance(sums: NDArray[np.float64], clusters: int) -> NDArray[np.float64]:
    if clusters < 2:
        return np.zeros((sums.shape[1], sums.shape[1]))
    variance: NDArray[np.float64] = clusters / (clusters - 1) * sums.T @ sums
    return variance


#: The χ² is read where at least so many people are expected in each group.
FEWEST_EXPECTED_PEOPLE = 5.0
DRAWS = 9_999


@dataclass(frozen=True, kw_only=True)
class GoodnessOfFit:
    """A test of all groups together, and an exact one of each (`p_each`)."""

    statistic: float | None
    df: int
    p: float | None
    p_each: tuple[float, ...]
    n: int
    method: str
    reason: str | None


def goodness_of_fit(counts: ArrayLike, shares: ArrayLike, *, seed: int = 0) -> GoodnessOfFit:
    """Return the test that people come from groups of these shares, and the exact binomial test of each group.

    Formula: Σ (observed - expected)² / expected, χ² with k - 1 degrees of freedom. Where fewer than 5 people are
    expected in a group, p is that of 9,999 multinomial draws, (1 + as extreme) / 10,000. A group's own p is twice the
    smaller tail of the binomial distribution, at most 1.
    Assumes independent people.
    Fails: null without people, or where a share is 0 or the shares don't add up to 1.

    Reference: Agresti (2013), Categorical Data Analysis, 3rd edition, sections 1.5 and 16.6.

    60 and 40 of 100 at equal shares: 10²/50 + 10²/50 = 4.

    >>> result = goodness_of_fit([60, 40], [0.5, 0.5])
    >>> result.statistic, round(result.p, 4), round(result.p_each[0], 4)
    (4.0, 0.0455, 0.0569)
    """
    k, q = np.asarray(counts, dtype=np.float64), np.asarray(shares, dtype=np.float64)
    n, df = float(k.sum()), len(k) - 1
    reason = None
    if not n or df < 1:
        reason = "There are no people in two groups."
    elif (q <= 0).any() or abs(q.sum() - 1) > 1e-6:
        reason = "The shares must be above 0 and add up to 1."
    if reason is not None:
        return GoodnessOfFit(statistic=None, df=df, p=None, p_each=(), n=int(n), method="", reason=reason)
    expected = n * q
    statistic = float(((k - expected) ** 2 / expected).sum())
    if expected.min() >= FEWEST_EXPECTED_PEOPLE:
        p, method = chdtrc(df, statistic), "Pearson chi-square"
    else:
        drawn = np.random.default_rng(seed).multinomial(int(n), q, size=DRAWS)
        extreme = ((drawn - expected) ** 2 / expected).sum(axis=1) >= statistic * (1 - 1e-12)
        p, method = (1 + extreme.sum()) / (DRAWS + 1), f"exact multinomial, {DRAWS:,} draws"
    # As the lower tail of the others, since one minus a tail near 1 is noise.
    upper = bdtr(n - k, int(n), 1 - q)
    p_groups = _arrays.positive_p(np.minimum(1.0, 2 * np.minimum(bdtr(k, int(n), q), upper)))
    return GoodnessOfFit(
        statistic=statistic,
        df=df,
        p=float(_arrays.positive_p(np.asarray([p]))[0]),
        p_each=tuple(p_groups.tolist()),
        n=int(n),
        method=method,
        reason=None,
    )


def effective_sample_size(counts: ArrayLike, shares: ArrayLike) -> float | None:
    """Return how many people the table is worth once its groups are weighted to shares.

    Formula: (Σ w)² / Σ w² over people, w = share / observed share of the person's group; groups without people are
    left out of both.
    Fails: None without people.

    Reference: Kish (1965), Survey Sampling, section 11.7.

    90 and 10 people weighted to halves: 1 / (.25 / 90 + .25 / 10).

    >>> effective_sample_size([90, 10], [0.5, 0.5])
    36.0
    """
    k, q = np.asarray(counts, dtype=np.float64), np.asarray(shares, dtype=np.float64)
    occupied = k > 0
    if not occupied.any() or not q[occupied].sum():
        return None
    q = q[occupied] / q[occupied].sum()
    return float(1 / (q**2 / k[occupied]).sum())


#: Tables that are enumerated; of more so many are drawn.
MOST_TABLES, TABLES_DRAWN = 1_000_000, 99_999


@dataclass(frozen=True, kw_only=True)
class ExactHomogeneity:
    """The exact test that several groups have one rate; the p of draws has its Monte Carlo error."""

    p: float | None
    groups: int
    n: int
    method: str
    reason: str | None


def exact_homogeneity(selected: ArrayLike, n_groups: ArrayLike, *, seed: int = 0) -> ExactHomogeneity:
    """Return Fisher's exact test of all groups together (Freeman and Halton).

    `selected` and `n_groups` have an entry per group.
    Formula: given how many were selected in all, the groups' numbers are multivariate hypergeometric;
    p = Σ P(table) over all tables with P ≤ P(observed). Of more than a million possible tables 99,999 are drawn:
    p = (1 + as unlikely ones) / 100,000.
    Assumes independent people. Fails: null with fewer than two groups, and where nobody or everybody was selected.

    Reference: Freeman and Halton (1951), Biometrika 38, 141-149.

    Three groups of two people of whom two were selected: in 3 of the 15 ways both are of one group.

    >>> exact_homogeneity([2, 0, 0], [2, 2, 2]).p
    0.2
    """
    _, (chosen, people) = _arrays.read_counts(selected=selected, n_groups=n_groups)
    _arrays.check_selected(chosen, people, "selected", "n_groups")
    total = int(chosen.sum())
    sizes, size, reason = _groups(n_groups, total, 1)
    method, p = "Fisher-Freeman-Halton", None
    if reason is None:
        k = chosen[people > 0]
        here = _log_ways(k[None], sizes)[0]
        if np.prod(np.minimum(sizes, total)[:-1] + 1.0) <= MOST_TABLES:
            possible = tuple((np.minimum(sizes, total)[:-1] + 1).tolist())
            tables = np.indices(possible).reshape(sizes.size - 1, -1).T
            last = total - tables.sum(axis=1)
            tables = np.column_stack([tables, last])[(last >= 0) & (last <= sizes[-1])]
            logs = _log_ways(tables, sizes)
            weights = np.exp(logs - logs.max())
            p = float(weights[logs <= here + SAME].sum() / weights.sum())
        else:
            as_unlikely = sum(
                int((_log_ways(drawn, sizes) <= here + SAME).sum())
                for drawn in _permuted(sizes, total, TABLES_DRAWN, seed)
            )
            p, method = (1 + as_unlikely) / (TABLES_DRAWN + 1), f"{method}, {TABLES_DRAWN:,} draws"
    return ExactHomogeneity(p=p, groups=sizes.size, n=size, method=method, reason=reason)


#: Log probabilities this near are ties.
SAME = 1e-7


def _log_ways(tables: _arrays.Ints, sizes: _arrays.Ints) -> _arrays.Floats:
    """Return the log of in how many ways each group's people can be selected, summed over groups; a row per table."""
    k, n = tables.astype(np.float64), sizes.astype(np.float64)
    return np.asarray((gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)).sum(axis=1))


@dataclass(frozen=True, kw_only=True)
class AdjustedP:
    """Adjusted p-values in the order given, and the size of the family they belong to.

    A null p stays null and is not counted in `family`.
    """

    p: _arrays.Value
    family: int
    method: str
    reason: _arrays.Words


def holm(p: ArrayLike | Sequence[float | None]) -> AdjustedP:
    """Return p-values adjusted by Holm's step-down method.

    Formula: with the p sorted, adjusted(i) = max over j ≤ i of min(1, (m - j + 1) p(j)).
    Holds the chance of any false finding in the family, whatever the dependence.
    Assumes that the family was fixed before the data were seen; comparisons against the
    observed best group are not such a family.

    Reference: Holm (1979), Scandinavian Journal of Statistics 6, 65-70.

    >>> holm([0.01, 0.04, None, 0.03]).p.round(4).tolist()  # .01·3, then .03·2, then max(.04, .06)
    [0.03, 0.06, nan, 0.06]
    """
    return _adjusted(p, method="Holm")


def benjamini_hochberg(p: ArrayLike | Sequence[float | None]) -> AdjustedP:
    """Return p-values adjusted by Benjamini and Hochberg's step-up method.

    Formula: with the p sorted, adjusted(i) = min over j ≥ i of min(1, m p(j) / j).
    Holds the expected share of false findings among the findings.
    Assumes independent tests, or positively dependent ones.

    Reference: Benjamini and Hochberg (1995), Journal of the Royal Statistical Society B
    57, 289-300.

    >>> benjamini_hochberg([0.01, 0.04, None, 0.03]).p.round(4).tolist()  # .01·3/1, .04·3/3, .04 ≤ .03·3/2
    [0.03, 0.04, nan, 0.04]
    """
    return _adjusted(p, method="Benjamini-Hochberg")


def _adjusted(p_values: ArrayLike | Sequence[float | None], *, method: str) -> AdjustedP:
    values = np.asarray(p_values, dtype=np.float64)  # None becomes NaN
    if values.ndim > 1:
        message = f"p must be one number or one list of them, got shape {values.shape}."
        raise ValueError(message)
    call, p = _arrays.Call(scalar=values.ndim == 0), np.atleast_1d(values)
    if ((p < 0) | (p > 1)).any():
        message = f"p must lie between 0 and 1, got {float(p[(p < 0) | (p > 1)][0])!r}."
        raise ValueError(message)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    adjusted = np.full(p.shape, np.nan)
    adjusted[order] = _step_down(p[order]) if method == "Holm" else _step_up(p[order])
    return AdjustedP(
        p=call.value(adjusted),
        family=known.size,
        method=method,
        reason=call.words(_arrays.reasons((np.isnan(p), "There is no p-value to adjust."))),
    )


def _step_down(p: _arrays.Floats) -> _arrays.Floats:
    return np.minimum(np.maximum.accumulate(p * np.arange(p.size, 0, -1)), 1.0)


def _step_up(p: _arrays.Floats) -> _arrays.Floats:
    scaled = p * (p.size / np.arange(1, p.size + 1))  # not below p by rounding: the factor is 1 or more
    return np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)


PERMUTATION_DRAWS = 10_000
#: Draws are made and looked at in blocks of about this many numbers.
BLOCK = 1 << 20
#: NumPy's hypergeometric generator takes fewer people than this in each of its two kinds.
MOST_PEOPLE = 10**9


@dataclass(frozen=True, kw_only=True)
class FourFifthsFalsePositives:
    """The false-positive rate of the four-fifths rule; the limits are those of the simulation."""

    estimate: float | None
    low: float | None
    high: float | None
    draws: int
    seed: int
    groups: int
    n: int
    method: str
    reason: str | None


def four_fifths_false_positives(
    n_groups: ArrayLike,
    selected: int,
    *,
    references: ArrayLike | None = None,
    either: bool = False,
    draws: int = PERMUTATION_DRAWS,
    seed: int = 0,
) -> FourFifthsFalsePositives:
    """Return the false-positive rate of the four-fifths rule: how often chance puts some group below it.

    Formula: the share of draws in which 5·a_g·n_h < 4·a_h·n_g, h the group with the highest rate
    and g the one with the lowest. With `references`, a flag per group, h is the highest of
    those only; with `either` h below four-fifths of any group counts, too. Each draw permutes
    `selected` selections over all people, so that the groups' counts are multivariate
    hypergeometric. Whole numbers decide.
    Assumes that everybody has the same chance. Empty groups are left out.
    Fails: null with fewer than two groups, where nobody or everybody is selected, and with a
    thousand million people or more.

    Reference: Roth, Bobko and Switzer (2006), Journal of Applied Psychology 91, 507-522.

    Two people, one selected: the other's group always has a ratio of 0.

    >>> four_fifths_false_positives([1, 1], 1, draws=100).estimate
    1.0
    """
    sizes, total, reason = _groups(n_groups, selected, draws)
    _, (group_sizes,) = _arrays.read_counts(n_groups=n_groups)
    may_be = (
        np.ones(group_sizes.shape, dtype=np.bool_) if references is None else np.asarray(references, dtype=np.bool_)
    )
    if may_be.shape != group_sizes.shape:
        message = f"references must have a flag per group, got shape {may_be.shape} for {group_sizes.shape}."
        raise ValueError(message)
    may_be = may_be[group_sizes > 0]
    if reason is None and not may_be.any():
        reason = "No group that has anybody in it may be the reference."
    estimate = low = high = None
    if reason is None:
        permuted = _permuted(sizes, selected, draws, seed)
        flagged = sum(int(_flagged(drawn, sizes, may_be, either=either).sum()) for drawn in permuted)
        rate = selection_rate(flagged, draws)
        estimate, low, high = rate.estimate, rate.low, rate.high
    return FourFifthsFalsePositives(
        estimate=estimate,
        low=low,
        high=high,
        draws=draws,
        seed=seed,
        groups=sizes.size,
        n=total,
        method="permuted selections, Wilson limits of the simulation",
        reason=reason,
    )


def _groups(n_groups: ArrayLike, selected: int, draws: int) -> tuple[_arrays.Ints, int, str | None]:
    """Return the sizes of the groups that have anybody in them, how many that are, and why nothing can be drawn."""
    _, (sizes,) = _arrays.read_counts(n_groups=n_groups)
    if sizes.ndim > 1 or draws < 1:
        message = f"n_groups must be one list and draws at least 1, got shape {sizes.shape} and {draws}."
        raise ValueError(message)
    sizes = sizes[sizes > 0]
    total = int(sizes.sum())
    if not 0 <= selected <= total:
        message = f"selected must lie between 0 and the {total} people there are, got {selected}."
        raise ValueError(message)
    if sizes.size < 2:
        return sizes, total, "Fewer than two groups have anybody in them."
    if selected in {0, total}:
        return sizes, total, f"{'Nobody' if selected == 0 else 'Everybody'} was selected, so the rates do not vary."
    if total >= MOST_PEOPLE:
        return sizes, total, "There are too many people to simulate: a thousand million or more."
    return sizes, total, None


def _permuted(sizes: _arrays.Ints, selected: int, draws: int, seed: int) -> Iterator[_arrays.Ints]:
    """Yield blocks of shape (some draws, groups): how many of each group were selected."""
    rng = np.random.default_rng(seed)
    at_once = max(BLOCK // sizes.size, 1)
    for start in range(0, draws, at_once):
        yield rng.multivariate_hypergeometric(sizes, selected, size=min(at_once, draws - start), method="marginals")


def _flagged(drawn: _arrays.Ints, sizes: _arrays.Ints, may_be: NDArray[np.bool_], *, either: bool) -> NDArray[np.bool_]:
    """Return in which draws a rate is below four-fifths of the highest reference's, or with `either` that one below it.

    Products stay below 2^63.
    """
    everybody = np.ones_like(may_be)
    reference = _highest(drawn, sizes, may_be)
    unselected, n_low = _highest(sizes - drawn, sizes, everybody)
    flagged = _is_below((n_low - unselected, n_low), reference)
    return flagged | _is_below(reference, _highest(drawn, sizes, everybody)) if either else flagged


def _highest(counts: _arrays.Ints, sizes: _arrays.Ints, among: NDArray[np.bool_]) -> tuple[_arrays.Ints, _arrays.Ints]:
    """Return, for each draw, the count and the size of the group with the highest share of some groups."""
    first = int(np.flatnonzero(among)[0])
    high, n = counts[:, first], np.full(counts.shape[0], sizes[first])
    for count, size, is_one in zip(counts.T, sizes, among, strict=True):
        above = is_one & (count * n > high * size)
        high, n = np.where(above, count, high), np.where(above, size, n)
    return high, n


def _is_below(low: tuple[_arrays.Ints, _arrays.Ints], high: tuple[_arrays.Ints, _arrays.Ints]) -> NDArray[np.bool_]:
    top, bottom = FOUR_FIFTHS.numerator, FOUR_FIFTHS.denominator
    return np.asarray(bottom * low[0] * high[1] < top * high[0] * low[1], dtype=np.bool_)
