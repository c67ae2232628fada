"""Two groups compared within strata or blocks, and variances of estimates from stratified samples."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats import _arrays
from evenhand.stats.association import log_pmf
from evenhand.stats.cluster_comparisons import CR2, FIXED, ONE_CLUSTER, REVERSED, TOGETHER
from evenhand.stats.rates import informative_strata
from evenhand.stats.special import chdtrc, gammaln, stdtrit

#: Subtracted from |Σ(a - E)| in the corrected test: half the step between two tables.
CONTINUITY = 0.5

NO_STRATUM = "In no stratum are there people of both groups, some selected and some not."


@dataclass(frozen=True, kw_only=True)
class MantelHaenszel:
    """Focal odds over reference odds, common to all strata, and the test that they are equal.

    `strata` and `n` count the informative strata and the people in them. Where `reason`
    is given all else is null; the estimate and the interval may also fail alone.
    """

    estimate: _arrays.Value
    low: _arrays.Value
    high: _arrays.Value
    estimate_reason: _arrays.Words
    interval_reason: _arrays.Words
    chi2: _arrays.Value
    p: _arrays.Value
    chi2_corrected: _arrays.Value
    p_corrected: _arrays.Value
    strata: _arrays.Count
    confidence: float
    n: _arrays.Count
    method: str
    reason: _arrays.Words


@dataclass(frozen=True, kw_only=True)
class BreslowDay:
    """The test that all strata have the same odds ratio; Tarone's version is the one to read."""

    chi2: _arrays.Value
    p: _arrays.Value
    chi2_tarone: _arrays.Value
    p_tarone: _arrays.Value
    df: _arrays.Count
    strata: _arrays.Count
    n: _arrays.Count
    method: str
    reason: _arrays.Words


@dataclass(frozen=True)
class _Strata:
    """Cells of shape (results, strata), 0 in strata without information."""

    call: _arrays.Call
    a: _arrays.Ints
    b: _arrays.Ints
    c: _arrays.Ints
    d: _arrays.Ints
    informative: _arrays.Flags

    @property
    def floats(self) -> tuple[_arrays.Floats, _arrays.Floats, _arrays.Floats, _arrays.Floats, _arrays.Floats]:
        """The four cells and their sum as floats; the sum is 1 where a stratum says nothing."""
        a, b, c, d = (cell.astype(np.float64) for cell in (self.a, self.b, self.c, self.d))
        return a, b, c, d, np.where(self.informative, a + b + c + d, 1.0)

    @property
    def n(self) -> _arrays.Ints:
        """People in informative strata."""
        return np.asarray((self.a + self.b + self.c + self.d).sum(axis=1))

    @property
    def concordant(self) -> tuple[_arrays.Floats, _arrays.Floats]:
        """Σ a·d/M and Σ b·c/M; with an informative stratum at least one of them is positive."""
        a, b, c, d, M = self.floats
        return np.asarray((a * d / M).sum(axis=1)), np.asarray((b * c / M).sum(axis=1))


def mantel_haenszel(
    selected_focal: ArrayLike,
    n_focal: ArrayLike,
    selected_reference: ArrayLike,
    n_reference: ArrayLike,
    *,
    confidence: float = 0.95,
) -> MantelHaenszel:
    """Return the odds ratio that two groups have in common over strata, and its test.

    The last axis holds the strata (positions, say): lists give one result, arrays of shape
    (m, strata) give m. A stratum informs if both groups are in it and some but not all
    were selected; the others add nothing and are not counted.
    Formula: with a selected and b not of the focal group, c and d of the reference group,
    M = a + b + c + d per stratum: OR = Σ(ad/M) / Σ(bc/M), and exp(log OR ± z s) with
    Robins, Breslow and Greenland's s. Test: χ² = (Σ(a - E))² / ΣV on 1 degree of freedom,
    E = N1·K/M, V = N1·N2·K(M - K)/(M²(M - 1)); corrected: (|Σ(a - E)| - ½)², not below 0.
    Assumes independent people, and one odds ratio in all strata: see `breslow_day`. Right for
    few large strata and for many small ones.
    Fails: null without an informative stratum. The odds ratio is null where Σ(bc/M) = 0
    and 0 without an interval where Σ(ad/M) = 0; the tests stand. R applies no correction
    where |Σ(a - E)| < ½, so its corrected χ² is then the larger one.

    References: Mantel and Haenszel (1959), Journal of the National Cancer Institute 22,
    719-748; Robins, Breslow and Greenland (1986), Biometrics 42, 311-323.

    Two strata, 1/2 against 1/2 and 2/3 against 1/3: OR = (1·1/4 + 2·2/6)/(1·1/4 + 1·1/6) = 11/5.

    >>> pooled = mantel_haenszel([1, 2], [2, 3], [1, 1], [2, 3])
    >>> round(pooled.estimate, 12), pooled.strata, pooled.n
    (2.2, 2, 10)
    """
    z = _arrays.normal_quantile(confidence)
    strata = _read(selected_focal, n_focal, selected_reference, n_reference)
    call = strata.call
    with_both, against = strata.concordant
    count = strata.informative.sum(axis=1)
    reason = _arrays.reasons((count == 0, NO_STRATUM))
    own_reason = _arrays.reasons(
        (count == 0, NO_STRATUM),
        (
            against == 0,
            "In no stratum was a person of the focal group rejected and a person of the reference group selected, so "
            "the common odds ratio is not finite.",
        ),
    )
    of_interval = _arrays.reasons(
        (own_reason != "", "The common odds ratio can't be computed, so it has no interval."),
        (with_both == 0, "The common odds ratio is 0 and has no logarithm, so it has no interval."),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = np.where(own_reason == "", with_both / against, np.nan)
        spread = z * _log_error(strata, with_both, against)
        low, high = (np.where(of_interval == "", estimate * np.exp(side), np.nan) for side in (-spread, spread))
    chi2, corrected = _chi_squares(strata)
    return MantelHaenszel(
        estimate=call.value(estimate),
        low=call.value(low),
        high=call.value(high),
        estimate_reason=call.words(own_reason),
        interval_reason=call.words(np.where(reason == "", of_interval, reason)),
        chi2=call.value(chi2),
        p=call.value(_arrays.positive_p(chdtrc(1, chi2))),
        chi2_corrected=call.value(corrected),
        p_corrected=call.value(_arrays.positive_p(chdtrc(1, corrected))),
        strata=call.count(count),
        confidence=confidence,
        n=call.count(strata.n),
        method="Mantel-Haenszel, Robins-Breslow-Greenland interval",
        reason=call.words(reason),
    )


def breslow_day(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> BreslowDay:
    """Return the test that the odds ratio of two groups is the same in all strata.

    Shapes and informative strata as in `mantel_haenszel`.
    Formula: A is the count that the stratum's margins and the Mantel-Haenszel odds ratio
    imply, W = 1/(1/A + 1/(N1 - A) + 1/(K - A) + 1/(N2 - K + A)): χ² = Σ(a - A)²/W on
    strata - 1 degrees of freedom; Tarone subtracts (Σ(a - A))²/ΣW, without which the
    statistic is a little too large.
    Assumes independent people and large strata (expected cells of 5 or more); with many
    small ones a high p says nothing.
    Fails: null with fewer than two informative strata, or where the common odds ratio is
    0 or not finite.

    References: Breslow and Day (1980), Statistical Methods in Cancer Research 1, section
    4.4; Tarone (1985), Biometrika 72, 91-95.

    Odds ratios of 9 and 1/9 in strata of equal size have 1 in common: A = 10 and W = 2.5 in
    both, so χ² = 2 · 5²/2.5 = 20; the signs are opposite, so Tarone subtracts nothing.

    >>> test = breslow_day([15, 5], [20, 20], [5, 15], [20, 20])
    >>> round(test.chi2, 9), round(test.chi2_tarone, 9), test.df
    (20.0, 20.0, 1)
    """
    strata = _read(selected_focal, n_focal, selected_reference, n_reference)
    call = strata.call
    with_both, against = strata.concordant
    count = strata.informative.sum(axis=1)
    reason = _arrays.reasons(
        (count == 0, NO_STRATUM),
        (count < 2, "Only one stratum has people of both groups, some selected and some not."),
        (against == 0, "The common odds ratio is not finite."),
        (with_both == 0, "The common odds ratio is 0."),
    )
    known = (reason == "")[:, None]
    a, b, c, d, _ = strata.floats
    with np.errstate(divide="ignore", invalid="ignore"):
        common = np.where(known, (with_both / against)[:, None], 1.0)
        move = _move(a, b, c, d, common)
        used = strata.informative & known
        parts = [np.where(used, cell, 1.0) for cell in (a + move, b - move, c - move, d + move)]
        variance = np.where(used, 1 / sum(1 / cell for cell in parts), 0.0)
        chi2 = np.where(used, move * move / variance, 0.0).sum(axis=1)
        tarone = chi2 - np.where(used, move, 0.0).sum(axis=1) ** 2 / variance.sum(axis=1)
    df = np.maximum(count - 1, 0)
    chi2, tarone = (np.where(reason == "", value, np.nan) for value in (chi2, np.maximum(tarone, 0.0)))
    return BreslowDay(
        chi2=call.value(chi2),
        p=call.value(_arrays.positive_p(chdtrc(np.maximum(df, 1), chi2))),
        chi2_tarone=call.value(tarone),
        p_tarone=call.value(_arrays.positive_p(chdtrc(np.maximum(df, 1), tarone))),
        df=call.count(df),
        strata=call.count(count),
        n=call.count(strata.n),
        method="Breslow-Day",
        reason=call.words(reason),
    )


#: Multiplications of a convolution; more people are for the normal approximation.
MOST_PRODUCTS = 3e9
#: Two numbers of selected people this near in probability are equally likely.
TIED = 1e-9
SAME_IN_ALL = "In every pool there are people of one group only, or everybody or nobody was selected."


@dataclass(frozen=True, kw_only=True)
class MultiplePools:
    """How many of the focal group were selected over all pools, against how many one rate in each pool would give.

    `z` is the distance in standard deviations, below 0 where too few were selected; `p` is the exact two-sided one,
    `p_lower` that of so few or fewer, `p_upper` that of so many or more.
    """

    observed: int
    expected: float
    shortfall: float
    z: float | None
    p: float | None
    p_lower: float | None
    pools: int
    n: int
    method: str
    reason: str | None


def multiple_pools(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> MultiplePools:
    """Return the exact test that two groups were selected alike in each of several pools of applicants.

    Counts have an entry per pool (position, requisition, year).
    Formula: given how many of a pool were selected, the focal number is hypergeometric, and their sum is the
    convolution over pools: p = Σ P(j) over all j with P(j) ≤ P(observed). Z = Σ(a - E)/√ΣV, with
    E = N1·K/M and V = N1·N2·K(M - K)/(M²(M - 1)): the number of standard deviations that courts quote, and the signed
    root of Mantel and Haenszel's χ². Pools of one group, or where all or none were selected, add as many to the
    observed number as to the expected one.
    Assumes independent people, who had the same chance within a pool.
    Fails: null where no pool says anything. The exact p is null where there are too many people to enumerate.

    References: Gastwirth (1984), Statistical methods for analyzing claims of employment discrimination, Industrial and
    Labor Relations Review 38, 75-86; Hazelwood, 433 U.S. 299, 308 n.14 (1977).

    Two pools of two and two people of whom one was selected, none of the focal group: P(0) = 1/4 and P(2) = 1/4.

    >>> test = multiple_pools([0, 0], [2, 2], [1, 1], [2, 2])
    >>> test.observed, test.expected, round(test.p, 12), round(test.p_lower, 12), round(test.z, 4)
    (0, 1.0, 0.5, 0.25, -1.4142)
    """
    groups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    a, N1, c, N2 = (np.atleast_1d(counts) for counts in (groups.a, groups.N1, groups.c, groups.N2))
    if a.ndim > 1:
        raise ValueError(f"Counts must have one entry per pool, got {a.shape}.")
    used = N1 + N2 > 0
    a, N1, c, N2 = a[used], N1[used], c[used], N2[used]
    K, M = a + c, N1 + N2
    n1, n2, k, m = (count.astype(np.float64) for count in (N1, N2, K, M))
    expected = float((n1 * k / m).sum())
    variance = float((n1 / m * (n2 / m) * k * (m - k) / np.maximum(m - 1, 1)).sum())
    informative = informative_strata(a, N1, c, N2)
    z = (float(a.sum()) - expected) / sqrt(variance) if variance > 0 else None
    p: tuple[float | None, ...] = (None, None, None)
    reason = None if informative.any() else SAME_IN_ALL
    if reason is None:
        low, high = np.maximum(K - N2, 0)[informative], np.minimum(K, N1)[informative]
        order = np.argsort(high - low)
        width = (high - low + 1)[order].astype(np.float64)
        if float((np.cumsum(width) * width).sum()) > MOST_PRODUCTS:
            reason = "There are too many people to enumerate; with so many, Z is as good."
        else:
            p = _convolved([each[informative][order] for each in (a, N1, N2, K)], low[order], high[order])
    return MultiplePools(
        observed=int(a.sum()),
        expected=expected,
        shortfall=expected - int(a.sum()),
        z=z,
        p=p[0],
        p_lower=p[1],
        pools=int(informative.sum()),
        n=int(m.sum()),
        method="multiple pools, convolution of hypergeometric distributions",
        reason=reason,
    )


def _convolved(counts: Sequence[_arrays.Ints], low: _arrays.Ints, high: _arrays.Ints) -> tuple[float, float, float]:
    """Return the two-sided, the lower and the upper p of the sum over pools, which lies from `low` to `high`."""
    a, N1, N2, K = counts
    probability = np.ones(1)
    for pool in range(a.size):
        j = np.arange(low[pool], high[pool] + 1)
        margins = (np.full(j.size, count[pool]) for count in (N1, N2, K))
        probability = np.convolve(probability, np.exp(log_pmf(j, *margins)))
    at = int((a - low).sum())
    unlikely = probability[probability <= probability[at] * (1 + TIED)].sum()
    tails = np.minimum([unlikely, probability[: at + 1].sum(), probability[at:].sum()], 1.0)
    two_sided, lower, upper = _arrays.positive_p(tails).tolist()
    return two_sided, lower, upper


@dataclass(frozen=True, kw_only=True)
class GailSimon:
    """The test that a difference has one direction in all strata: Q+, Q- and the strata above and below 0."""

    statistic: float | None
    p: float | None
    above: float
    below: float
    strata: int
    method: str
    reason: str | None


def gail_simon(difference: ArrayLike, standard_error: ArrayLike) -> GailSimon:
    """Return the test that two groups' difference has the same direction in all strata: no crossing interaction.

    `difference` and `standard_error` have one entry per stratum, on any scale on which no difference is 0: of rates,
    log odds or means. Strata without either, or with an error of 0, are left out.
    Formula: Q+ and Q- are the sums of (d/s)² where d is above and below 0; the statistic is the smaller one, and
    p = Σ C(K - 1, h)/2^(K - 1) P(χ²_h ≥ statistic) over h = 1 … K - 1 of K strata.
    Assumes independent strata and nearly normal differences. It has little power: a high p says nothing, and a
    difference in one direction that varies is for `breslow_day`.
    Fails: null with fewer than two strata. Without strata of both directions p is 1.

    Reference: Gail and Simon (1985), Biometrics 41, 361-372.

    Q+ = 2.5², Q- = 2² of two strata: p = ½ P(χ²₁ ≥ 4) = .0228.

    >>> test = gail_simon([0.25, -0.2], [0.1, 0.1])
    >>> round(test.statistic, 9), round(test.p, 4)
    (4.0, 0.0228)
    """
    d, s = (np.asarray(values, dtype=np.float64) for values in (difference, standard_error))
    if d.ndim != 1 or d.shape != s.shape:
        message = f"difference and standard_error must have one entry per stratum, got {d.shape} and {s.shape}."
        raise ValueError(message)
    used = np.isfinite(d) & np.isfinite(s) & (s > 0)
    z = d[used] / s[used]
    above, below = (float((z[side] ** 2).sum()) for side in (z > 0, z < 0))
    known = z.size >= 2
    h = np.arange(z.size)
    # log C(K - 1, h)/2^(K - 1); χ² on 0 degrees of freedom is 0, and so at least the statistic only where that is 0.
    weights = np.exp(gammaln(z.size) - gammaln(h + 1) - gammaln(z.size - h) - (z.size - 1) * np.log(2))
    statistic = min(above, below)
    tails = np.where(h > 0, chdtrc(np.maximum(h, 1), statistic), float(statistic == 0))
    return GailSimon(
        statistic=statistic if known else None,
        p=float(_arrays.positive_p(np.asarray((weights * tails).sum()))) if known else None,
        above=above,
        below=below,
        strata=z.size,
        method="Gail-Simon",
        reason=None if known else "Fewer than two strata have a difference with a standard error.",
    )


def _read(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> _Strata:
    groups: _arrays.TwoGroups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    if groups.a.ndim > 2:
        message = f"Counts must have the shape (strata,) or (m, strata), got {groups.a.shape}."
        raise ValueError(message)
    call = _arrays.Call(scalar=groups.a.ndim == 1)
    a, N1, c, N2 = (np.atleast_2d(counts) for counts in (groups.a, groups.N1, groups.c, groups.N2))
    informative = informative_strata(a, N1, c, N2)
    a, b, c, d = (np.where(informative, cell, 0) for cell in (a, N1 - a, c, N2 - c))
    return _Strata(call, a, b, c, d, informative)


def _log_error(strata: _Strata, with_both: _arrays.Floats, against: _arrays.Floats) -> _arrays.Floats:
    """Return Robins, Breslow and Greenland's standard error of the log odds ratio."""
    a, b, c, d, M = strata.floats
    R, S = a * d / M, b * c / M
    P, Q = (a + d) / M, (b + c) / M
    mixed = (P * S + Q * R).sum(axis=1) / (with_both * against)
    return np.asarray(np.sqrt(((P * R).sum(axis=1) / with_both**2 + mixed + (Q * S).sum(axis=1) / against**2) / 2))


def _chi_squares(strata: _Strata) -> tuple[_arrays.Floats, _arrays.Floats]:
    """Return χ² without and with the correction, NaN where no stratum informs."""
    a, b, c, d, M = strata.floats
    # a - E = (ad - bc)/M: whole numbers until the division, so equal rates give 0 exactly.
    excess = np.asarray(
        _arrays.exact_products(strata.a, strata.d) - _arrays.exact_products(strata.b, strata.c), dtype=np.float64
    )
    gap = np.abs((excess / M).sum(axis=1))
    variance = ((a + b) / M * ((c + d) / M) * (a + c) * ((b + d) / np.maximum(M - 1, 1))).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return gap**2 / variance, np.maximum(gap - CONTINUITY, 0.0) ** 2 / variance


def _move(
    a: _arrays.Floats, b: _arrays.Floats, c: _arrays.Floats, d: _arrays.Floats, common: _arrays.Floats
) -> _arrays.Floats:
    """Return t with (a + t)(d + t) = OR (b - t)(c - t): how far the common odds ratio moves the table.

    The root of (1 - OR)t² + linear·t + constant nearest to 0, in the form that also holds at OR = 1. The
    discriminant is written out as a sum of positive terms, so nothing cancels at large counts.
    """
    linear = a + d + common * (b + c)
    constant = a * d - common * b * c
    root = np.sqrt((a - d) ** 2 + (common * (b - c)) ** 2 + 2 * common * ((a + d) * (b + c) + 2 * (a * d + b * c)))
    return np.asarray(-2 * constant / (linear + root))


@dataclass(frozen=True, kw_only=True)
class ClusteredMantelHaenszel:
    """Focal odds over reference odds, common to all strata, with the test and the interval that clusters allow.

    `t`, `df` and `p` are those of `test`. The strata, the people and the clusters of each group are those of the
    informative strata.
    """

    estimate: float | None
    low: float | None
    high: float | None
    log_standard_error: float | None
    t: float | None
    df: float | None
    p: float | None
    test: str | None
    strata: int
    n: int
    clusters_focal: int
    clusters_reference: int
    confidence: float
    method: str
    reason: str | None
    interval_reason: str | None


CR2_ODDS = "CR2 t of the common log odds ratio"
REVERSED_ODDS = f"{CR2_ODDS}, one decision reversed"
NO_LOG_ODDS = "The common odds ratio is 0 or not finite and has no logarithm, so it has no interval."


def clustered_mantel_haenszel(
    stratum: ArrayLike,
    cluster: ArrayLike,
    focal: ArrayLike,
    selected: ArrayLike,
    n: ArrayLike,
    *,
    confidence: float = 0.95,
) -> ClusteredMantelHaenszel:
    """Return the odds ratio that two groups have in common over strata, with the variance that clusters show.

    Every array has shape (entries,): an entry is n people of one group in one stratum and cluster, `selected` of them
    selected (or sums of weights with a mean near 1); strata and clusters are integer codes.
    Formula: `mantel_haenszel`'s OR = R/S, with a and b, c and d selected or not of the focal and of the reference group
    in a stratum of M. One more of a moves log OR by (d/M - ad/M²)/R + (bc/M²)/S, and so on; ψ_gk is the sum over the
    people of group k in cluster g, h_gk their share of group k's Σ x², x = N2/M of the focal people and -N1/M of the
    others. V = Σ_g (Σ_k a_gk ψ_gk)², a_gk = 1/√(1 - h_gk): CR2. t on Satterthwaite's degrees of freedom of the
    difference that least squares with an intercept per stratum has: (tr M)²/‖M‖² of M = D - UU', D_g = Σ a²x² and
    U_gs = Σ a x/√M_s in stratum s, with a last column Σ a x²/√(Σ x²). In one stratum they are those of
    `compare_clusters`.
    Where OR is 0 or not finite, one decision is reversed (in the stratum and cluster where that changes least), so that
    nobody selected is no weaker evidence than one selected.
    Assumes independent clusters, and one odds ratio in all strata. With 2 or 3 clusters of one group it rejects too
    seldom; with rates of .05 whose log odds vary with an SD of 1.5, 8 and 8 clusters of equal groups in 8 %.
    Fails: null without an informative stratum, where a group is in one cluster only, and where nothing varies.

    References: Mantel and Haenszel (1959), Journal of the National Cancer Institute 22, 719-748; Donald and Donner
    (1987), Statistics in Medicine 6, 491-499 (clusters); Bell and McCaffrey (2002), Survey Methodology 28, 169-181.

    One stratum, of 10 each in two and two clusters 2, 4 and 5, 7 are selected: OR = (6·8)/(14·12) = 2/7. One more of a,
    b, c, d moves log OR by 1/6, -1/14, -1/12, 1/8: ψ = 2/6 - 8/14 = -.238, .238, .208, -.208, V = (Σ ψ²)/(1 - ½) = .4.

    >>> result = clustered_mantel_haenszel([0] * 4, [0, 1, 2, 3], [1, 1, 0, 0], [2, 4, 5, 7], [10] * 4)
    >>> round(result.estimate, 4), round(result.log_standard_error**2, 3), round(result.df, 6)
    (0.2857, 0.4, 2.0)
    """
    _arrays.check_confidence(confidence)
    s, people = _arrays.read_sums(selected=selected, n=n)
    cells = _cluster_cells(stratum, cluster, np.asarray(focal, dtype=np.bool_), s, people, varying=True)
    result: dict[str, Any] = dict.fromkeys(("estimate", "low", "high", "log_standard_error", "t", "df", "p", "test"))
    sums = _stratum_sums(cells)
    numbers = _clusters_of(cells)
    result |= {"strata": sums.shape[1], "n": int(sums.sum())}
    result |= {"clusters_focal": numbers[0], "clusters_reference": numbers[1], "confidence": confidence}
    result |= {"method": "Mantel-Haenszel, cluster-robust", "reason": None, "interval_reason": None}
    if not sums.size or min(numbers) < 2:
        reason = ONE_CLUSTER if sums.size else NO_STRATUM
        return ClusteredMantelHaenszel(**result | {"reason": reason, "interval_reason": reason})
    information = _information(cells, sums)
    a = 1 / np.sqrt(1 - information.shares)
    estimate, test = _odds_parts(sums).sum(axis=1), CR2_ODDS
    result["estimate"] = float(estimate[0] / estimate[1]) if estimate[1] > 0 else None
    if not estimate.all():
        cells = _one_reversed(cells, a)
        result["interval_reason"], test = NO_LOG_ODDS, REVERSED_ODDS
        if not _odds_parts(_stratum_sums(cells)).sum(axis=1).all():
            return ClusteredMantelHaenszel(**result | {"reason": NO_LOG_ODDS})
    theta, psi, _ = _log_odds(cells, _stratum_sums(cells))
    error = float(np.sqrt(((a * psi).sum(axis=0) ** 2).sum()))
    if not error > ROUNDING:
        return ClusteredMantelHaenszel(**result | {"reason": TOGETHER, "interval_reason": TOGETHER})
    df = _contrast_df(cells, information)
    t = theta / error
    result |= {"t": t, "df": df, "p": float(_arrays.t_p(t, df)), "test": test}
    if result["interval_reason"] is None:
        factor = float(np.exp(stdtrit(df, (1 + confidence) / 2) * error))
        result |= {"low": result["estimate"] / factor, "high": result["estimate"] * factor, "log_standard_error": error}
    return ClusteredMantelHaenszel(**result)


@dataclass(frozen=True)
class _ClusterCells:
    """Selected or not, focal then reference (four rows), of each part of an informative stratum in a cluster."""

    cluster: _arrays.Ints
    stratum: _arrays.Ints
    counts: _arrays.Floats


def _cluster_cells(
    stratum: ArrayLike,
    cluster: ArrayLike,
    focal: _arrays.Flags,
    selected: NDArray[Any],
    n: NDArray[Any],
    *,
    varying: bool,
) -> _ClusterCells:
    """Return the cells of strata with people of both groups and, where they must be `varying`, with both outcomes."""
    codes, clusters = (np.unique(np.asarray(each), return_inverse=True)[1] for each in (stratum, cluster))
    by_group = [np.where(side, count, 0) for side in (focal, ~focal) for count in (selected, n - selected)]
    a, b, c, d = (np.bincount(codes, weights=count) for count in by_group)
    both = (a + b > 0) & (c + d > 0)
    used = (both & (a + c > 0) & (b + d > 0) if varying else both)[codes] & (n > 0)
    codes, clusters = (np.unique(each[used], return_inverse=True)[1].astype(np.int64) for each in (codes, clusters))
    width = int(codes.max(initial=0)) + 1
    keys, place = np.unique(clusters * width + codes, return_inverse=True)
    counts = np.stack([np.bincount(place, weights=count[used], minlength=keys.size) for count in by_group])
    return _ClusterCells(keys // width, keys % width, counts.astype(np.float64))


def _clusters_of(cells: _ClusterCells) -> tuple[int, int]:
    """Return how many clusters hold anybody of the focal and of the reference group."""
    focal, reference = (np.unique(cells.cluster[count.sum(axis=0) > 0]).size for count in np.split(cells.counts, 2))
    return focal, reference


def _stratum_sums(cells: _ClusterCells) -> _arrays.Floats:
    return np.stack([np.bincount(cells.stratum, weights=count) for count in cells.counts]).astype(np.float64)


def _odds_parts(counts: _arrays.Floats) -> _arrays.Floats:
    a, b, c, d = counts
    return np.asarray(np.stack([a * d, b * c]) / counts.sum(axis=0))


def _log_odds(cells: _ClusterCells, sums: _arrays.Floats) -> tuple[float, _arrays.Floats, _arrays.Floats]:
    """Return the common log odds ratio, how much each cluster's focal and reference people move it, and one of each."""
    a, b, c, d = sums / sums.sum(axis=0)
    R, S = _odds_parts(sums).sum(axis=1)
    move = np.stack([d - a * d, -a * d, -a * d, a - a * d]) / R - np.stack([-b * c, c - b * c, b - b * c, -b * c]) / S
    moved = cells.counts * move[:, cells.stratum]
    by_group = (moved[0] + moved[1], moved[2] + moved[3])
    psi = np.stack([np.bincount(cells.cluster, weights=row) for row in by_group])
    return float(np.log(R / S)), psi.astype(np.float64), move


def _one_reversed(cells: _ClusterCells, a: _arrays.Floats) -> _ClusterCells:
    """Return the counts with one decision reversed so that R, or S, is positive; of 0 and 100 %, one of each.

    It is in the stratum that makes it positive by the least, and in the cluster that then leaves the least variance.
    """
    counts = cells.counts.copy()
    for _ in range(2):
        sums = _stratum_sums(replace(cells, counts=counts))
        parts = _odds_parts(sums)
        if parts.sum(axis=1).all():
            break
        # From which count to which, and the count in whose product it then stands.
        moves = ((1, 0, 3), (2, 3, 0)) if not parts[0].any() else ((0, 1, 2), (3, 2, 1))
        gains = np.stack([sums[gain] / sums.sum(axis=0) for _, _, gain in moves])
        possible = np.stack([sums[source] > 0 for source, _, _ in moves])
        useful = possible & (gains > 0) if (possible & (gains > 0)).any() else possible
        best = int(np.argmin(np.where(useful, gains, np.inf)))
        (source, target, _), stratum = moves[best // sums.shape[1]], best % sums.shape[1]
        after = sums.copy()
        after[[source, target], stratum] += [-1, 1]
        places = np.flatnonzero((cells.stratum == stratum) & (counts[source] > 0))
        people = counts[[source, target]][:, places].sum(axis=0)
        spread = -people
        if _odds_parts(after).sum(axis=1).all():
            _, psi, move = _log_odds(replace(cells, counts=counts), after)
            pull = (move[target] - move[source])[stratum] * a[int(source > 1)][cells.cluster[places]]
            spread = pull * (pull + 2 * (a * psi).sum(axis=0)[cells.cluster[places]])
        place = places[np.argmin(spread)]
        counts[[source, target], place] += [-1, 1]
    return replace(cells, counts=counts)


@dataclass(frozen=True)
class _Information:
    """What the people of each cell say of the common difference; rows are the focal and the reference group.

    `x` is a person's regressor minus its mean in the stratum, `squares` their sum of squares, and `shares` those of the
    clusters in their group's.
    """

    n: _arrays.Floats
    x: _arrays.Floats
    squares: _arrays.Floats
    shares: _arrays.Floats
    stratum_sizes: _arrays.Floats


def _information(cells: _ClusterCells, sums: _arrays.Floats) -> _Information:
    n = np.stack([cells.counts[:2].sum(axis=0), cells.counts[2:].sum(axis=0)])
    sizes = np.stack([sums[:2].sum(axis=0), sums[2:].sum(axis=0)])
    M = sizes.sum(axis=0)[cells.stratum]
    x = np.stack([sizes[1], -sizes[0]])[:, cells.stratum] / M
    squares = n * x**2
    by_cluster = np.stack([np.bincount(cells.cluster, weights=row) for row in squares])
    return _Information(n, x, squares, by_cluster / by_cluster.sum(axis=1, keepdims=True), M)


def _contrast_df(cells: _ClusterCells, information: _Information) -> float:
    """Return Satterthwaite's degrees of freedom of the common difference."""
    from scipy.sparse import coo_array  # noqa: PLC0415 - takes a while to load

    a = (1 / np.sqrt(1 - information.shares))[:, cells.cluster]
    x, squares = a * information.x, a * information.squares
    D = np.bincount(cells.cluster, weights=(a * squares).sum(axis=0))
    entries = (information.n * x).sum(axis=0) / np.sqrt(information.stratum_sizes)
    U = coo_array((entries, (cells.cluster, cells.stratum))).tocsr()
    last = np.bincount(cells.cluster, weights=squares.sum(axis=0)) / np.sqrt(information.squares.sum())
    lengths = np.asarray(U.multiply(U).sum(axis=1)).ravel() + last**2
    gram = U.T @ U if U.shape[1] < U.shape[0] else U @ U.T
    inner = float((gram.data**2).sum() + 2 * ((U.T @ last) ** 2).sum() + (last @ last) ** 2)
    return float((D - lengths).sum() ** 2 / ((D * (D - 2 * lengths)).sum() + inner))


@dataclass(frozen=True, kw_only=True)
class StratifiedVariance:
    """Variances and degrees of freedom, one of each per estimate; NaN where they can't be had."""

    variance: _arrays.Floats
    df: _arrays.Floats
    clusters: tuple[int, ...]
    method: str


def stratified_variance(influence: ArrayLike, strata: ArrayLike) -> StratifiedVariance:
    """Return the variance of estimates from the influence of each cluster, sampled within strata.

    Formula: V = Σ_h V_h with V_h = G_h/(G_h - 1) Σ_c (ψ_c - ψ̄_h)² over the G_h clusters c of
    stratum h; degrees of freedom V² / Σ_h V_h²/(G_h - 1).
    `influence` has shape (clusters, m) for m estimates, `strata` the codes of the clusters.
    Assumes that clusters are independent, and the strata fixed: how much they differ among
    themselves is part of the estimate and not of its error. A stratum of one cluster has no
    spread of its own; ψ² stands for it, which errs to the wide side.
    Fails: NaN with fewer than two clusters in every stratum.

    References: Cochran (1977), Sampling Techniques, 3rd ed., section 5.4 (variance) and
    5.16 in his notation (degrees of freedom); Satterthwaite (1946), Biometrics Bulletin 2, 110-114.

    Two strata of two: 2 · (.5² + .5²) + 2 · (.1² + .1²) = 1.04; 1.04²/(1 + .0016) = 1.08.

    >>> result = stratified_variance([[0.5], [-0.5], [0.1], [-0.1]], [0, 0, 1, 1])
    >>> round(float(result.variance[0]), 4), round(float(result.df[0]), 2)
    (1.04, 1.08)
    """
    psi = np.asarray(influence, dtype=np.float64)
    codes = np.asarray(strata, dtype=np.int64)
    if psi.ndim != 2 or codes.shape != psi.shape[:1]:
        message = f"influence must be (clusters, m) with a stratum per cluster, got {psi.shape} and {codes.shape}."
        raise ValueError(message)
    variance, below = np.zeros(psi.shape[1]), np.zeros(psi.shape[1])
    sizes = np.bincount(codes) if codes.size else np.zeros(0, dtype=np.int64)
    for stratum in np.flatnonzero(sizes):
        stratum_psi, size = psi[codes == stratum], int(sizes[stratum])
        centre = stratum_psi.mean(axis=0) if size > 1 else 0.0
        part = size / max(size - 1, 1) * ((stratum_psi - centre) ** 2).sum(axis=0)
        variance += part
        below += part**2 / max(size - 1, 1)
    known = (sizes > 1).any()
    with np.errstate(invalid="ignore", divide="ignore"):
        df = variance**2 / below
    return StratifiedVariance(
        variance=np.where(known, variance, np.nan),
        df=np.where(known & (below > 0), df, np.nan),
        clusters=tuple(sizes.tolist()),
        method="cluster-robust within strata",
    )


def combined_interval(
    weights: Sequence[float], estimates: Sequence[float], lows: Sequence[float], highs: Sequence[float]
) -> tuple[float, float]:
    """Return low and high of Σ weight · estimate.

    Formula (method of variance estimates recovery): each estimate is taken as far as its
    own limit that pulls the sum the same way; low = Σ w e - sqrt(Σ (w e - l)²) with
    l the smaller of w·low and w·high, and high accordingly.
    Assumes independent estimates; keeps the asymmetry of their intervals, and so does not
    shrink to nothing where all observations agree. For two rates with weights 1 and -1 and
    Wilson's limits it is Newcombe's interval.

    Reference: Zou and Donner (2008), Statistics in Medicine 27, 1693-1702.

    >>> low, high = combined_interval([0.5, 0.5], [1.0, 0.0], [0.8, 0.0], [1.0, 0.2])
    >>> round(low, 3), round(high, 3)  # .5 ± .1, since only one of the two can go each way
    (0.4, 0.6)
    """
    total = sum(weight * estimate for weight, estimate in zip(weights, estimates, strict=True))
    below = above = 0.0
    for weight, estimate, low, high in zip(weights, estimates, lows, highs, strict=True):
        ends = (weight * low, weight * high)
        below += (weight * estimate - min(ends)) ** 2
        above += (max(ends) - weight * estimate) ** 2
    return total - sqrt(below), total + sqrt(above)


NO_BLOCK = "In no block are there people of both groups."
#: A standard error below this share of the largest values is what rounding leaves of none.
ROUNDING = 1e-10


@dataclass(frozen=True, kw_only=True)
class WithinBlocks:
    """Focal minus reference, rates or means, within blocks; blocks, clusters and n are of those with both groups."""

    estimate: float | None
    low: float | None
    high: float | None
    t: float | None
    df: float | None
    p: float | None
    blocks: int
    clusters: int
    clusters_focal: int
    clusters_reference: int
    n: int
    confidence: float
    test: str
    method: str
    reason: str | None


def within_blocks(
    block: ArrayLike,
    cluster: ArrayLike,
    focal: ArrayLike,
    total: ArrayLike,
    n: ArrayLike,
    *,
    binary: bool,
    confidence: float = 0.95,
) -> WithinBlocks:
    """Return the difference of two groups' rates or means with their block held fixed.

    Every array has shape (entries,): an entry is n people of one group in one block and cluster, `total` the sum of
    their values; blocks and clusters are integer codes (blocks can be the clusters). `binary` says that values are
    decisions.
    Formula: with d_b the difference in block b and w_b = n1 n2/(n1 + n2), the estimate is Σ w_b d_b/Σ w_b, which is
    that of least squares with a constant for each block (fixed effects), and of rates Mantel and Haenszel's. An
    entry's influence is x(s - n(ȳ_b + x d))/Σ w_b, x being n2/(n1 + n2) of the focal and -n1/(n1 + n2) of the
    reference group. The variance (CR2) and the degrees of freedom are those of `clustered_mantel_haenszel`. Where
    nobody or everybody of a group was selected, or the difference is the same in every cluster, one decision of that
    group (of the focal one) is reversed, in the largest cell, and the t of the changed data decides; there is no
    interval then.
    Assumes independent clusters. A difference that changes with the block is averaged.
    Fails: null where no block has both groups; limits and test where a group is in one cluster only, and where means
    don't vary.

    References: Mantel and Haenszel (1959), Journal of the National Cancer Institute 22, 719-748; Greenland and Robins
    (1985), Biometrics 41, 55-68 (the difference); Bell and McCaffrey (2002), Survey Methodology 28, 169-181.

    In one block 1 of 2 against 2 of 2, in another 0 of 2 against 2 of 2: w = 1 and 1, d = -.5 and -1; ψ = ±.125, each
    block has half of the information, V = (Σ ψ²)/(1 - ½) = 1/16:

    >>> result = within_blocks([0, 0, 1, 1], [0, 0, 1, 1], [1, 0, 1, 0], [1, 2, 0, 2], [2] * 4, binary=False)
    >>> result.estimate, round(result.t, 6), round(result.df, 6), result.blocks
    (-0.75, -3.0, 1.0, 2)
    """
    _arrays.check_confidence(confidence)
    values, people = (np.asarray(each, dtype=np.float64) for each in (total, n))
    cells = _cluster_cells(block, cluster, np.asarray(focal, dtype=np.bool_), values, people, varying=False)
    sums = _stratum_sums(cells)
    numbers = _clusters_of(cells)
    result: dict[str, Any] = dict.fromkeys(("estimate", "low", "high", "t", "df", "p", "reason"))
    result |= {"blocks": sums.shape[1], "n": int(sums.sum()), "test": "", "confidence": confidence}
    result |= {"clusters_focal": numbers[0], "clusters_reference": numbers[1]}
    result |= {"clusters": np.unique(cells.cluster).size, "method": "fixed effects of blocks, cluster-robust"}
    if not sums.size:
        return WithinBlocks(**result | {"reason": NO_BLOCK})
    information = _information(cells, sums)
    result["estimate"], error = _block_difference(cells, information)
    if min(numbers) < 2:
        return WithinBlocks(**result | {"reason": ONE_CLUSTER})
    df, test, estimate = _contrast_df(cells, information), CR2, result["estimate"]
    selected, people = cells.counts[[0, 2]].sum(axis=1), information.n.sum(axis=1)
    fixed = np.flatnonzero((selected == 0) | (selected == people)) if binary else np.arange(0)
    if error is None or fixed.size:
        result["reason"], test = FIXED if fixed.size else TOGETHER, REVERSED
        if not binary or not estimate:
            return WithinBlocks(**result)
        changed = cells.counts.copy()
        for group in fixed if fixed.size else (0,):
            place, nearer = int(np.argmax(information.n[group])), -np.sign(estimate) * (1 - 2 * group)
            changed[2 * group : 2 * group + 2, place] += np.array([nearer, -nearer])
        estimate, error = _block_difference(replace(cells, counts=changed), information)
        if error is None and abs(estimate) > ROUNDING:
            return WithinBlocks(**result)
    t = estimate / error if error else 0.0
    result |= {"t": t, "df": df, "p": float(_arrays.t_p(t, df)), "test": test}
    if error is not None and test == CR2:
        width = float(stdtrit(df, (1 + confidence) / 2)) * error
        most = 1.0 if binary else np.inf
        result |= {"low": max(estimate - width, -most), "high": min(estimate + width, most)}
    return WithinBlocks(**result)


def _block_difference(cells: _ClusterCells, information: _Information) -> tuple[float, float | None]:
    """Return the difference within blocks, and its standard error, None where it is the same in every cluster."""
    sums = _stratum_sums(cells)
    n1, n2 = sums[:2].sum(axis=0), sums[2:].sum(axis=0)
    weight = n1 * n2 / (n1 + n2)
    estimate = float((weight * (sums[0] / n1 - sums[2] / n2)).sum() / weight.sum())
    centre = ((sums[0] + sums[2]) / (n1 + n2))[cells.stratum]
    fitted = information.n * (centre + information.x * estimate)
    moved = information.x * (cells.counts[[0, 2]] - fitted) / weight.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        a = 1 / np.sqrt(1 - information.shares)
        psi = a * np.stack([np.bincount(cells.cluster, weights=row) for row in moved])
    error = float(np.sqrt((psi.sum(axis=0) ** 2).sum()))
    scale = max(float(np.abs(centre).max()), abs(estimate))
    return estimate, error if error > ROUNDING * scale else None
