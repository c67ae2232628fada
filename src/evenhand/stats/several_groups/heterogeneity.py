"""How much true values differ between groups, beyond the error of their estimates."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from evenhand.stats._arrays import Floats, check_confidence, positive_p
from evenhand.stats.regression._roots import bracketed_root
from evenhand.stats.special import chdtrc, chdtri

__all__ = ["BetweenGroupVariance", "between_group_variance"]


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
    check_confidence(confidence)
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
        p = float(positive_p(np.asarray(chdtrc(df, q))))
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


def _q(tau2: float, y: Floats, v: Floats) -> float:
    w = 1 / (v + tau2)
    return float(w @ (y - (w @ y) / w.sum()) ** 2)


def _solve(target: float, y: Floats, v: Floats) -> float | None:
    """Return the t ≥ 0 with Q(t) = target, None where Q(0) is below it."""
    if _q(0.0, y, v) < target:
        return None
    # Q(t) ≤ Σ(y - ȳ)²/t, so the root is not beyond Σ(y - ȳ)²/target.
    end = float(((y - y.mean()) ** 2).sum()) / target
    root = bracketed_root(
        lambda t: np.array([_q(float(t[0]), y, v) - target]), np.zeros(1), np.array([end * (1 + 1e-9)])
    )
    return float(root[0])
