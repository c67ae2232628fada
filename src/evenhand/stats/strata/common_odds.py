"""Two groups over many strata: the common odds ratio, its test, and whether strata differ."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import (
    Call,
    Count,
    Flags,
    Floats,
    Ints,
    TwoGroups,
    Value,
    Words,
    exact_products,
    normal_quantile,
    positive_p,
    read_two_groups,
    reasons,
)
from evenhand.stats.special import chdtrc

__all__ = ["BreslowDay", "MantelHaenszel", "breslow_day", "mantel_haenszel"]

#: Subtracted from |Σ(a - E)| in the corrected test: half the step between two tables.
CONTINUITY = 0.5

NO_STRATUM = "In no stratum are there people of both groups, some selected and some not."


@dataclass(frozen=True, kw_only=True)
class MantelHaenszel:
    """Focal odds over reference odds, common to all strata, and the test that they are equal.

    `strata` and `n` count the informative strata and the people in them. Where `reason`
    is given all else is null; the estimate and the interval may also fail alone.
    """

    estimate: Value
    low: Value
    high: Value
    estimate_reason: Words
    interval_reason: Words
    chi2: Value
    p: Value
    chi2_corrected: Value
    p_corrected: Value
    strata: Count
    confidence: float
    n: Count
    method: str
    reason: Words


@dataclass(frozen=True, kw_only=True)
class BreslowDay:
    """The test that all strata have the same odds ratio; Tarone's version is the one to read."""

    chi2: Value
    p: Value
    chi2_tarone: Value
    p_tarone: Value
    df: Count
    strata: Count
    n: Count
    method: str
    reason: Words


@dataclass(frozen=True)
class _Strata:
    """Cells of shape (results, strata), 0 in strata without information."""

    call: Call
    a: Ints
    b: Ints
    c: Ints
    d: Ints
    informative: Flags

    @property
    def floats(self) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """The four cells and their sum as floats; the sum is 1 where a stratum says nothing."""
        a, b, c, d = (cell.astype(np.float64) for cell in (self.a, self.b, self.c, self.d))
        return a, b, c, d, np.where(self.informative, a + b + c + d, 1.0)

    @property
    def n(self) -> Ints:
        """People in informative strata."""
        return np.asarray((self.a + self.b + self.c + self.d).sum(axis=1))

    @property
    def concordant(self) -> tuple[Floats, Floats]:
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
    z = normal_quantile(confidence)
    strata = _read(selected_focal, n_focal, selected_reference, n_reference)
    call = strata.call
    with_both, against = strata.concordant
    count = strata.informative.sum(axis=1)
    reason = reasons((count == 0, NO_STRATUM))
    own = reasons(
        (count == 0, NO_STRATUM),
        (
            against == 0,
            "No stratum has both somebody of the focal group not selected and somebody of the reference group "
            "selected, so the common odds ratio is not finite.",
        ),
    )
    of_interval = reasons(
        (own != "", "The common odds ratio can't be computed, so it has no interval."),
        (with_both == 0, "The common odds ratio is 0 and has no logarithm, so it has no interval."),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = np.where(own == "", with_both / against, np.nan)
        spread = z * _log_error(strata, with_both, against)
        low, high = (np.where(of_interval == "", estimate * np.exp(side), np.nan) for side in (-spread, spread))
    chi2, corrected = _chi_squares(strata)
    return MantelHaenszel(
        estimate=call.value(estimate),
        low=call.value(low),
        high=call.value(high),
        estimate_reason=call.words(own),
        interval_reason=call.words(np.where(reason == "", of_interval, reason)),
        chi2=call.value(chi2),
        p=call.value(positive_p(chdtrc(1, chi2))),
        chi2_corrected=call.value(corrected),
        p_corrected=call.value(positive_p(chdtrc(1, corrected))),
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
    reason = reasons(
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
        p=call.value(positive_p(chdtrc(np.maximum(df, 1), chi2))),
        chi2_tarone=call.value(tarone),
        p_tarone=call.value(positive_p(chdtrc(np.maximum(df, 1), tarone))),
        df=call.count(df),
        strata=call.count(count),
        n=call.count(strata.n),
        method="Breslow-Day",
        reason=call.words(reason),
    )


def _read(
    selected_focal: ArrayLike, n_focal: ArrayLike, selected_reference: ArrayLike, n_reference: ArrayLike
) -> _Strata:
    groups: TwoGroups = read_two_groups(selected_focal, n_focal, selected_reference, n_reference)
    if groups.a.ndim > 2:
        message = f"Counts must have the shape (strata,) or (m, strata), got {groups.a.shape}."
        raise ValueError(message)
    call = Call(scalar=groups.a.ndim == 1)
    a, N1, c, N2 = (np.atleast_2d(counts) for counts in (groups.a, groups.N1, groups.c, groups.N2))
    selected = a + c
    informative = (N1 > 0) & (N2 > 0) & (selected > 0) & (selected < N1 + N2)
    a, b, c, d = (np.where(informative, cell, 0) for cell in (a, N1 - a, c, N2 - c))
    return _Strata(call, a, b, c, d, informative)


def _log_error(strata: _Strata, with_both: Floats, against: Floats) -> Floats:
    """Return Robins, Breslow and Greenland's standard error of the log odds ratio."""
    a, b, c, d, M = strata.floats
    R, S = a * d / M, b * c / M
    P, Q = (a + d) / M, (b + c) / M
    mixed = (P * S + Q * R).sum(axis=1) / (with_both * against)
    return np.asarray(np.sqrt(((P * R).sum(axis=1) / with_both**2 + mixed + (Q * S).sum(axis=1) / against**2) / 2))


def _chi_squares(strata: _Strata) -> tuple[Floats, Floats]:
    """Return χ² without and with the correction, NaN where no stratum informs."""
    a, b, c, d, M = strata.floats
    # a - E = (ad - bc)/M: whole numbers until the division, so equal rates give 0 exactly.
    excess = np.asarray(exact_products(strata.a, strata.d) - exact_products(strata.b, strata.c), dtype=np.float64)
    gap = np.abs((excess / M).sum(axis=1))
    variance = ((a + b) / M * ((c + d) / M) * (a + c) * ((b + d) / np.maximum(M - 1, 1))).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return gap**2 / variance, np.maximum(gap - CONTINUITY, 0.0) ** 2 / variance


def _move(a: Floats, b: Floats, c: Floats, d: Floats, common: Floats) -> Floats:
    """Return t with (a + t)(d + t) = OR (b - t)(c - t): how far the common odds ratio moves the table.

    The root of (1 - OR)t² + linear·t + constant nearest to 0, in the form that also holds at OR = 1. The
    discriminant is written out as a sum of positive terms, so nothing cancels at large counts.
    """
    linear = a + d + common * (b + c)
    constant = a * d - common * b * c
    root = np.sqrt((a - d) ** 2 + (common * (b - c)) ** 2 + 2 * common * ((a + d) * (b + c) + 2 * (a * d + b * c)))
    return np.asarray(-2 * constant / (linear + root))
