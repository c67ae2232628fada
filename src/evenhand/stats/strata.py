"""Two groups compared within strata or blocks, and variances of estimates from stratified samples."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats import _arrays
from evenhand.stats.cluster_robust import multiway_variance, t_interval
from evenhand.stats.special import chdtrc

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
            "No stratum has both somebody of the focal group not selected and somebody of the reference group "
            "selected, so the common odds ratio is not finite.",
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


def _read(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> _Strata:
    groups: _arrays.TwoGroups = _arrays.read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    if groups.a.ndim > 2:
        message = f"Counts must have the shape (strata,) or (m, strata), got {groups.a.shape}."
        raise ValueError(message)
    call = _arrays.Call(scalar=groups.a.ndim == 1)
    a, N1, c, N2 = (np.atleast_2d(counts) for counts in (groups.a, groups.N1, groups.c, groups.N2))
    selected = a + c
    informative = (N1 > 0) & (N2 > 0) & (selected > 0) & (selected < N1 + N2)
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
    """Focal minus reference, rates or means, within blocks; `blocks` and `n` count those with both groups."""

    estimate: float | None
    low: float | None
    high: float | None
    t: float | None
    df: int
    p: float | None
    blocks: int
    clusters: tuple[int, ...]
    n: int
    confidence: float
    method: str
    reason: str | None


def within_blocks(  # noqa: PLR0917 - two groups in the order of all two-group statistics
    sum_focal: ArrayLike,
    n_focal: ArrayLike,
    sum_reference: ArrayLike,
    n_reference: ArrayLike,
    blocks: ArrayLike,
    clusters: Sequence[ArrayLike] = (),
    *,
    confidence: float = 0.95,
) -> WithinBlocks:
    """Return the difference of two groups' rates or means with their block held fixed.

    Arrays have shape (m,): an entry is a part of a block with n people of each group and the sum of their values.
    `clusters` are one or two integer codes per entry; without them the blocks are the clusters.
    Formula: with d_b the difference in block b and w_b = n1 n2/(n1 + n2), the estimate is Σ w_b d_b/Σ w_b, which is
    that of least squares with a constant for each block (fixed effects), and of rates Mantel and Haenszel's. An
    entry's influence is x̃ (s - n(ȳ_b + x̃ d))/Σ w_b, x̃ being n2/(n1 + n2) of the focal and -n1/(n1 + n2) of the
    reference group; its variance is `multiway_variance`, its limits those of t on G - 1.
    Assumes independent clusters, many of them. A difference that changes with the block is averaged.
    Fails: null where no block has both groups; limits and test with fewer than two clusters, or where nothing varies.

    References: Mantel and Haenszel (1959), Journal of the National Cancer Institute 22, 719-748; Greenland and Robins
    (1985), Biometrics 41, 55-68 (the difference); Arellano (1987), Oxford Bulletin of Economics and Statistics 49,
    431-434 (its variance).

    In one block 1 of 2 against 2 of 2, in another 0 of 2 against 2 of 2: w = 1 and 1, d = -.5 and -1; ψ = ±.125,
    V = 2/1 · 2/64 = 1/16:

    >>> result = within_blocks([1, 0], [2, 2], [2, 2], [2, 2], [0, 1])
    >>> result.estimate, result.t, result.blocks
    (-0.75, -3.0, 2)
    """
    _arrays.check_confidence(confidence)
    s1, n1, s2, n2 = (
        np.asarray(values, dtype=np.float64) for values in (sum_focal, n_focal, sum_reference, n_reference)
    )
    codes = np.unique(np.asarray(blocks), return_inverse=True)[1]
    S1, N1, S2, N2 = (np.bincount(codes, weights=values) for values in (s1, n1, s2, n2))
    both = (N1 > 0) & (N2 > 0)
    n = int((N1 + N2)[both].sum())
    method = "fixed effects of blocks, cluster-robust"
    if not n:
        return WithinBlocks(
            estimate=None, low=None, high=None, t=None, df=0, p=None, blocks=0, clusters=(), n=0,
            confidence=confidence, method=method, reason=NO_BLOCK,
        )  # fmt: skip
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.where(both, N1 * N2 / (N1 + N2), 0.0)
        estimate = float(np.where(both, weight * (S1 / N1 - S2 / N2), 0.0).sum() / weight.sum())
        mean, share = (S1 + S2) / (N1 + N2), N1 / (N1 + N2)
    inside = both[codes]
    of_focal, of_reference = (1 - share)[codes][inside], -share[codes][inside]
    centre = mean[codes][inside]
    residuals = [
        x * (s[inside] - k[inside] * (centre + x * estimate))
        for x, s, k in ((of_focal, s1, n1), (of_reference, s2, n2))
    ]
    psi = (residuals[0] + residuals[1]) / weight.sum()
    ways = [np.asarray(codes_given)[inside] for codes_given in clusters] or [codes[inside]]
    variance = multiway_variance(psi, ways)
    scale = float(np.abs(np.concatenate([centre, [estimate]])).max())
    v = 0.0 if (variance.variance or 0.0) <= (ROUNDING * scale) ** 2 else variance.variance
    interval = t_interval(estimate, v, variance.df, confidence=confidence)
    t = None if interval.standard_error is None else estimate / interval.standard_error
    return WithinBlocks(
        estimate=estimate,
        low=interval.low,
        high=interval.high,
        t=t,
        df=variance.df,
        p=None if t is None else float(_arrays.t_p(t, variance.df)),
        blocks=int(both.sum()),
        clusters=variance.clusters,
        n=n,
        confidence=confidence,
        method=method,
        reason=variance.reason or interval.reason,
    )
