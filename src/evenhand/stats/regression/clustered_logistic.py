"""Odds ratios of groups without an assumption about how names differ: fitted by statsmodels, an extra."""

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats._arrays import check_confidence
from evenhand.stats.clusters.cluster_robust import multiway_variance, t_interval

__all__ = ["ClusteredLogistic", "clustered_logistic"]

Floats = NDArray[np.float64]

METHOD = "logistic regression with each role's own intercept, cluster-robust name (statsmodels)"


@dataclass(frozen=True, kw_only=True)
class ClusteredLogistic:
    """Per group in the order of the codes: odds over the geometric mean of all groups' odds, with interval.

    All three are empty where there is a `reason`.
    """

    odds_ratio: Floats
    low: Floats
    high: Floats
    df: int
    method: str
    reason: str | None


def clustered_logistic(
    accepted: ArrayLike,
    n: ArrayLike,
    *,
    group: ArrayLike,
    name: ArrayLike,
    role: ArrayLike,
    confidence: float = 0.95,
) -> ClusteredLogistic:
    """Return each group's odds ratio to the mean of all, from a regression without random effects.

    Formula: logit p = β_group + c_role, fitted by maximum likelihood to groups × roles (names
    of a group and role have one p, so nothing is lost); the variance is the sandwich with
    scores summed by name, times G/(G - 1) for G names; log odds ratio = β_g less the mean of
    all β; t on names less groups.
    `accepted` and `n` are counts per cell; `group`, `name` and `role` integer codes.
    Assumes independent names, and some ten of them per group: with fewer the intervals
    are too short. Says nothing about how far names differ. Averaged over names, log odds
    ratios are smaller than at one name: by 1.5 % at an SD of names of .3, by 14 % at 1.
    Fails: null where a group has one outcome only, or statsmodels does not converge. Roles
    with one outcome only tell nothing about groups and are left out.

    Reference: Liang and Zeger (1986), Biometrika 73, 13-22; for the attenuation Zeger,
    Liang and Albert (1988), Biometrics 44, 1049-1060, section 3.
    """
    # The extra brings pandas along; nothing else of evenhand needs either.
    import statsmodels.api as sm  # noqa: PLC0415

    check_confidence(confidence)
    y, trials = np.asarray(accepted, dtype=np.float64), np.asarray(n, dtype=np.float64)
    roles = np.unique(np.asarray(role), return_inverse=True)[1]
    of_role, won = (np.bincount(roles, weights=values) for values in (trials, y))
    kept = ((won > 0) & (won < of_role))[roles] & (trials > 0)
    size = np.unique(np.asarray(group)[trials > 0]).size
    y, trials = y[kept], trials[kept]
    present, groups = np.unique(np.asarray(group)[kept], return_inverse=True)
    levels, roles = np.unique(roles[kept], return_inverse=True)
    names = np.unique(np.asarray(name)[kept], return_inverse=True)[1]
    in_group, accepted_in = (np.bincount(groups, weights=values, minlength=size) for values in (trials, y))
    df = int(names.max(initial=-1)) + 1 - size
    if present.size < max(size, 2) or df < 1 or ((accepted_in == 0) | (accepted_in == in_group)).any():
        return _nothing(df, "A group has one outcome only in the roles that have both.")
    cell = groups * levels.size + roles
    cells = np.unique(cell)
    of_group, at = cells // levels.size, cells % levels.size
    design = np.concatenate([of_group[:, None] == np.arange(size), at[:, None] == np.arange(1, levels.size)], axis=1)
    counts = np.stack([np.bincount(cell, weights=values)[cells] for values in (y, trials - y)], axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what statsmodels warns of is checked below
        fitted = sm.GLM(counts, design.astype(np.float64), family=sm.families.Binomial()).fit(maxiter=100)
    # Each cell's influence on the coefficients: inverse information times its score.
    place = np.searchsorted(cells, cell)
    residual = y - trials * np.asarray(fitted.fittedvalues)[place]
    contrast = np.eye(size) - 1.0 / size
    influence = residual[:, None] * (design @ np.asarray(fitted.cov_params())[:, :size] @ contrast)[place]
    effects = contrast @ np.asarray(fitted.params)[:size]
    variance = multiway_variance(influence, [names]).variance
    if not fitted.converged or not np.isfinite(effects).all() or not (variance > 0).all():
        return _nothing(df, "The regression without random effects did not converge, or nothing varies.")
    interval = t_interval(effects, variance, df, confidence=confidence)
    return ClusteredLogistic(
        odds_ratio=np.exp(effects),
        low=np.exp(interval.low),
        high=np.exp(interval.high),
        df=df,
        method=METHOD,
        reason=None,
    )


def _nothing(df: int, reason: str) -> ClusteredLogistic:
    none = np.zeros(0)
    return ClusteredLogistic(odds_ratio=none, low=none, high=none, df=max(df, 0), method=METHOD, reason=reason)
