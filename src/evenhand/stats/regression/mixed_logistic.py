"""Odds ratios of groups where names differ within a group, and roles in how often they are accepted."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.stats._arrays import check_confidence, normal_quantile, positive_p
from evenhand.stats.clusters.cluster_robust import t_interval
from evenhand.stats.regression._crossed_laplace import CrossedTable, Mode
from evenhand.stats.regression._restricted_search import Logs, RestrictedSearch, sds_of
from evenhand.stats.special import expit, fdtrc, stdtr

__all__ = ["FEWEST_NAMES", "GroupOdds", "MixedLogistic", "Spread", "mixed_logistic"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Names that a group needs: with fewer their spread is a guess, and every interval rests on it.
FEWEST_NAMES = 5
METHOD = "mixed logistic regression, Laplace approximation, restricted likelihood"


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Standard deviation of a random intercept in log odds, with its profile interval."""

    sd: float | None
    low: float | None
    high: float | None
    levels: int
    reason: str | None


@dataclass(frozen=True, kw_only=True)
class GroupOdds:
    """A group's odds over the geometric mean of all groups' odds; the error is that of its logarithm."""

    odds_ratio: float
    low: float
    high: float
    standard_error: float
    t: float
    p: float


@dataclass(frozen=True, kw_only=True)
class MixedLogistic:
    """A fitted model; `groups` in the order of their codes, empty where there is a `reason`.

    `alike_p` belongs to the F test that all groups have the same odds. `dispersion` is
    Pearson's χ² per degree of freedom: clearly above 1, names fare differently in
    different roles, or the decisions of a cell hang together. `evaluations` counts how
    often the mode was sought.
    """

    groups: tuple[GroupOdds, ...]
    names: Spread
    roles: Spread
    alike_f: float | None
    alike_p: float | None
    df: int
    dispersion: float | None
    confidence: float
    n: int
    cells: int
    evaluations: int
    method: str
    reason: str | None


def mixed_logistic(
    accepted: ArrayLike,
    n: ArrayLike,
    *,
    group: ArrayLike,
    name: ArrayLike,
    role: ArrayLike,
    confidence: float = 0.95,
) -> MixedLogistic:
    """Return each group's odds ratio to the mean of all, with random names and roles.

    Formula: accepted ~ Bin(n, p), logit p = β_group + u_name + w_role with normal u and w of
    unknown SD. A name belongs to one group; roles are crossed with names. β, u and w are
    integrated out by Laplace's method and the SDs maximise what is left: the restricted
    likelihood, as else the groups' own means would make names look too alike. The log odds
    ratio is β_g less the mean of all β, unweighted. Its variance is that block of the
    inverse Hessian at the SDs found, its interval a t interval on names less groups.
    SDs have profile likelihood intervals.
    `accepted` and `n` are counts per cell; `group`, `name` and `role` integer codes. Rows of
    one name and role are added up.
    Assumes normal effects on the log odds, the same group effect in every role, and
    independent decisions within a cell. Where names fare differently in different roles,
    the SD of names takes that up; the intervals of groups stay right as long as names meet
    the same roles, the interval of the SD does not.
    Fails: null with fewer than two groups, where a group has one outcome only (its odds
    have no limit) or fewer than 5 names, where an SD has no limit, or Newton's method does
    not arrive. With one role there is no random intercept of roles. With less than some
    ten decisions per name Laplace's method makes SDs too small.

    Reference: Breslow and Clayton (1993), Journal of the American Statistical Association
    88, 9-25, section 2; Tierney and Kadane (1986), ibid. 81, 82-86.

    Five names with 4 of 8 each and five with 2 of 8: odds 1 and 1/3, whose ratios to their
    geometric mean are √3 and 1/√3.

    >>> fit = mixed_logistic(
    ...     [4] * 5 + [2] * 5, [8] * 10, group=[0] * 5 + [1] * 5, name=list(range(10)), role=[0] * 10
    ... )
    >>> [round(each.odds_ratio, 4) for each in fit.groups], fit.names.sd
    ([1.7321, 0.5774], 0.0)
    """
    check_confidence(confidence)
    table, of_name, roles = _table(accepted, n, group, name, role)
    reason = _unfit(table, of_name)
    alone = "Decisions of one role only: no random intercept of roles was fitted." if table.one_way else None
    df = max(len(of_name) - table.design.shape[1], 0)
    if reason is not None:
        return _unfitted(reason, table, roles, df=df, confidence=confidence, alone=alone)
    search = RestrictedSearch(table=table)
    logs = search.best()
    reason = search.failure(logs)
    if reason is not None:
        return _unfitted(
            reason, table, roles, df=df, confidence=confidence, alone=alone, evaluations=search.evaluations
        )
    mode = search.mode(logs)
    k = table.design.shape[1]
    contrast = np.eye(k) - 1.0 / k
    effects, covariance = contrast @ mode.point.fixed, contrast @ mode.covariance @ contrast.T
    # The deviations add up to 0, so all but one of them tell everything.
    f = float(effects[1:] @ np.linalg.solve(covariance[1:, 1:], effects[1:])) / (k - 1)
    z = normal_quantile(confidence)
    return MixedLogistic(
        groups=_groups(effects, np.diag(covariance), df, confidence=confidence),
        names=_spread(search, logs, 0, levels=len(of_name), z=z),
        roles=_spread(search, logs, 1, levels=roles, z=z)
        if alone is None
        else Spread(sd=None, low=None, high=None, levels=roles, reason=alone),
        alike_f=f,
        alike_p=float(positive_p(np.asarray(fdtrc(k - 1, df, f)))),
        df=df,
        dispersion=_dispersion(table, mode, sds_of(logs)),
        confidence=confidence,
        n=int(table.trials.sum()),
        cells=int((table.trials > 0).sum()),
        evaluations=search.evaluations,
        method=METHOD,
        reason=None,
    )


def _table(
    accepted: ArrayLike, n: ArrayLike, group: ArrayLike, name: ArrayLike, role: ArrayLike
) -> tuple[CrossedTable, Ints, int]:
    """Return names × roles, each name's group, and how many roles have a decision."""
    y, trials = np.asarray(accepted, dtype=np.float64), np.asarray(n, dtype=np.float64)
    if y.ndim != 1 or y.shape != trials.shape or not ((y >= 0) & (y <= trials)).all():
        message = "accepted and n must be lists of one length with 0 <= accepted <= n."
        raise ValueError(message)
    used = trials > 0
    groups, names, roles = (np.unique(np.asarray(codes)[used], return_inverse=True)[1] for codes in (group, name, role))
    shape = (int(names.max(initial=-1)) + 1, int(roles.max(initial=-1)) + 1)
    of_name = np.zeros(shape[0], dtype=np.int64)
    of_name[names] = groups
    if (of_name[names] != groups).any():
        message = "Each name must belong to one group; number a name anew in each of its groups."
        raise ValueError(message)
    cells = names * shape[1] + roles
    size = shape[0] * shape[1]
    sums = [
        np.asarray(np.bincount(cells, weights=values[used], minlength=size), dtype=np.float64).reshape(shape)
        for values in (y, trials)
    ]
    design = (of_name[:, None] == np.arange(int(groups.max(initial=-1)) + 1)).astype(np.float64)
    return CrossedTable(successes=sums[0], trials=sums[1], design=design, one_way=shape[1] < 2), of_name, shape[1]


def _unfit(table: CrossedTable, of_name: Ints) -> str | None:
    """Return why no model can be fitted."""
    groups = table.design.shape[1]
    if groups < 2:
        return f"A comparison of groups needs two of them; there are decisions about {groups}."
    n = table.design.T @ table.trials.sum(axis=1)
    accepted = table.design.T @ table.successes.sum(axis=1)
    if accepted.sum() in {0, n.sum()}:
        return "All decisions were alike."
    if ((accepted == 0) | (accepted == n)).any():
        return "All decisions about one group were alike, so its odds have no limit, and the mean of all has none."
    fewest = int(np.bincount(of_name).min())
    if fewest < FEWEST_NAMES:
        counted = f"{fewest} name{'' if fewest == 1 else 's'}"
        return f"A group has {counted}; how much names differ takes at least {FEWEST_NAMES} in each."
    return None


def _unfitted(
    reason: str,
    table: CrossedTable,
    roles: int,
    *,
    df: int,
    confidence: float,
    alone: str | None,
    evaluations: int = 0,
) -> MixedLogistic:
    return MixedLogistic(
        groups=(),
        names=Spread(sd=None, low=None, high=None, levels=table.trials.shape[0], reason=reason),
        roles=Spread(sd=None, low=None, high=None, levels=roles, reason=alone or reason),
        alike_f=None,
        alike_p=None,
        df=df,
        dispersion=None,
        confidence=confidence,
        n=int(table.trials.sum()),
        cells=int((table.trials > 0).sum()),
        evaluations=evaluations,
        method=METHOD,
        reason=reason,
    )


def _groups(effects: Floats, variance: Floats, df: int, *, confidence: float) -> tuple[GroupOdds, ...]:
    interval = t_interval(effects, variance, df, confidence=confidence)
    t = effects / interval.standard_error
    p = positive_p(2 * stdtr(df, -np.abs(t)))
    ends = zip(effects, interval.low, interval.high, interval.standard_error, t, p, strict=True)
    return tuple(
        GroupOdds(
            odds_ratio=float(np.exp(effect)),
            low=float(np.exp(low)),
            high=float(np.exp(high)),
            standard_error=float(error),
            t=float(statistic),
            p=float(own_p),
        )
        for effect, low, high, error, statistic, own_p in ends
    )


def _spread(search: RestrictedSearch, logs: Logs, which: int, *, levels: int, z: float) -> Spread:
    low, high = search.profile(logs, which, z=z)
    return Spread(sd=sds_of(logs)[which], low=low, high=high, levels=levels, reason=None)


def _dispersion(table: CrossedTable, mode: Mode, sds: tuple[float, float]) -> float | None:
    """Return Pearson's χ² per degree of freedom, every level of the random intercepts taken as a parameter."""
    used = table.trials > 0
    df = int(used.sum()) - sum(table.levels)
    if df < 1:
        return None
    mean = expit(table.log_odds(mode.point, sds))[used]
    y, n = table.successes[used], table.trials[used]
    return float(((y - n * mean) ** 2 / (n * mean * (1.0 - mean))).sum() / df)
