"""Intervals of groups against the population: whole names vary within their group, and roles beside them."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.declared.clusterings import FEWEST_LEVELS
from evenhand.findings.population.decisions import Decisions
from evenhand.stats import clustered_difference, clustered_rate, multiway_variance
from evenhand.stats.special import stdtrit
from evenhand.stats.strata.stratified import stratified_variance
from evenhand.tables.finding import Alternative

__all__ = [
    "METHOD",
    "RATE_METHOD",
    "GroupInterval",
    "GroupRates",
    "group_intervals",
    "group_rates",
    "rate_interval",
    "standard_errors",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

METHOD = "names within groups, t"
RATE_METHOD = "names within groups, Wilson on effective n"
#: So many names have to have got each decision for a t interval.
RARE = 10
FEW = "A group of one name has no spread."
ALONE = "There is no other group."


@dataclass(frozen=True, kw_only=True)
class GroupInterval:
    """The interval of one group's difference, and how many clusters vary: its names, and the roles if they do."""

    low: float | None
    high: float | None
    method: str
    reason: str | None
    clusters: dict[str, int]
    alternatives: tuple[Alternative, ...] = ()


@dataclass(frozen=True, kw_only=True)
class GroupRates:
    """Of every group and of all others: rate, variance from names, names. Arrays of length groups.

    `share` is what each group has of all decisions, `variance` and `df` those of the
    difference to all; NaN where there is no decision.
    """

    own: Floats
    own_variance: Floats
    own_names: Ints
    others: Floats
    others_variance: Floats
    others_names: Ints
    share: Floats
    variance: Floats
    df: Floats


def group_rates(n: Floats, accepted: Floats, group: Ints, *, groups: int) -> GroupRates:
    """Return the rates of names that are sampled within fixed groups; a name of 0 decisions is none."""
    inside = n > 0
    n, accepted, group = n[inside], accepted[inside], group[inside]
    own_n, own = (np.bincount(group, weights=values, minlength=groups).astype(float) for values in (n, accepted))
    names = np.bincount(group, minlength=groups)
    total, all_accepted = own_n.sum(), own.sum()
    with np.errstate(invalid="ignore", divide="ignore"):
        rates, others = own / own_n, (all_accepted - own) / (total - own_n)
    # What a name was accepted beyond its group; the only one of a group differs from all instead.
    base = np.where(names == 1, all_accepted / max(total, 1.0), np.nan_to_num(rates))
    beyond = accepted - base[group] * n
    member = group[:, None] == np.arange(groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        of_own = np.where(member, beyond[:, None] / own_n, 0.0)
        of_others = np.where(member, 0.0, beyond[:, None] / (total - own_n))
        share = own_n / total
    found = [stratified_variance(np.nan_to_num(psi), group) for psi in (of_own, of_others)]
    both = stratified_variance(np.nan_to_num((1 - share) * (of_own - of_others)), group)
    return GroupRates(
        own=rates,
        own_variance=np.where(names > 1, found[0].variance, np.nan),
        own_names=names,
        others=others,
        others_variance=found[1].variance,
        others_names=names.sum() - names,
        share=share,
        variance=np.where(names > 1, both.variance, np.nan),
        df=np.minimum(both.df, np.maximum(names - 1, 1)),
    )


def group_intervals(decisions: Decisions, place: int, *, confidence: float) -> list[GroupInterval]:
    """Return the intervals of every group's rate less that of all, in the slice `place`.

    The difference to all is the share of the others times the difference to the others. Its
    interval is ± t standard errors; where hardly any name of the group, or of the others, got
    the rarer decision, it is Newcombe's from clustered Wilson limits, as t is then too certain. With
    `FEWEST_LEVELS` roles or more they vary too, and the interval over names alone stands beside it.
    """
    n, accepted = (counts[:, place] for counts in decisions.by_carrier)
    found = group_rates(n, accepted, decisions.group, groups=len(decisions.groups))
    with np.errstate(invalid="ignore"):
        between = clustered_difference(
            found.own,
            found.others,
            variances=(found.own_variance, found.others_variance),
            clusters=(found.own_names, found.others_names),
            confidence=confidence,
        )
    widened, roles = _widened(decisions, place, found, confidence=confidence)
    lows, highs = np.asarray(between.low) * (1 - found.share), np.asarray(between.high) * (1 - found.share)
    regular = ~_is_rare(n, accepted, decisions.group, groups=len(decisions.groups)) & (found.variance > 0)
    with np.errstate(invalid="ignore"):
        estimates = (1 - found.share) * (found.own - found.others)
        half = stdtrit(np.maximum(found.df, 1), (1 + confidence) / 2) * np.sqrt(found.variance)
    lows, highs = np.where(regular, estimates - half, lows), np.where(regular, estimates + half, highs)
    result = []
    for number, names in enumerate(found.own_names.tolist()):
        ends = (float(lows[number]), float(highs[number]))
        alone = found.share[number] == 1
        reason = (
            None if np.isfinite(ends).all() else FEW if names == 1 else ALONE if alone else "There are too few names."
        )
        of_names = _within_bounds(ends, METHOD, {"name": names}, reason)
        if roles < FEWEST_LEVELS:
            fixed = (
                f"; {decisions.second} held fixed, {roles} level{'s' if roles != 1 else ''}" if decisions.second else ""
            )
            result.append(replace(of_names, method=METHOD + fixed))
            continue
        estimate, factor = float(estimates[number]), float(widened[number])
        wide = (estimate - factor * (estimate - ends[0]), estimate + factor * (ends[1] - estimate))
        crossed = _within_bounds(
            wide, f"{METHOD} × {decisions.second}", {"name": names, decisions.second: roles}, reason
        )
        beside = Alternative(
            method=METHOD, low=of_names.low, high=of_names.high, clusters=of_names.clusters, reason=reason
        )
        result.append(replace(crossed, alternatives=(beside,)))
    return result


def _within_bounds(
    ends: tuple[float, float], method: str, clusters: dict[str, int], reason: str | None
) -> GroupInterval:
    """Return the interval cut to what a difference of shares can be."""
    low, high = (max(ends[0], -1.0), min(ends[1], 1.0)) if reason is None else (None, None)
    return GroupInterval(low=low, high=high, method=method, reason=reason, clusters=clusters)


def standard_errors(decisions: Decisions, *, confidence: float) -> tuple[Floats, Floats, Floats]:
    """Return the standard error of each group's difference over all rows, its degrees of freedom, and a factor.

    The factor is how much longer the interval is that crosses names with roles.
    """
    n, accepted = (counts[:, 0] for counts in decisions.by_carrier)
    found = group_rates(n, accepted, decisions.group, groups=len(decisions.groups))
    with np.errstate(invalid="ignore"):
        return np.sqrt(found.variance), found.df, _widened(decisions, 0, found, confidence=confidence)[0]


def rate_interval(n: Floats, accepted: Floats, group: Ints, *, confidence: float) -> GroupInterval:
    """Return the interval of the pooled rate of some names, sampled within their groups."""
    inside = n > 0
    n, accepted, group = n[inside], accepted[inside], group[inside]
    _, group = np.unique(group, return_inverse=True)
    rates = np.bincount(group, weights=accepted) / np.bincount(group, weights=n)
    psi = ((accepted - rates[group] * n) / n.sum())[:, None]
    variance = float(stratified_variance(psi, group).variance[0])
    found = clustered_rate(float(accepted.sum() / n.sum()), variance, int(n.size), confidence=confidence)
    reason = FEW if n.size == 1 else found.reason
    return GroupInterval(
        low=found.low, high=found.high, method=RATE_METHOD, reason=reason, clusters={"name": int(n.size)}
    )


def _is_rare(n: Floats, accepted: Floats, group: Ints, *, groups: int) -> NDArray[np.bool_]:
    """Return for which groups fewer than `RARE` names of their own, or of the others, got one of the decisions.

    Groups of fewer names need but half of them.
    """
    names = np.bincount(group[n > 0], minlength=groups)
    least = np.full(groups, np.inf)
    for got in (accepted > 0, accepted < n):
        own = np.bincount(group[got & (n > 0)], minlength=groups)
        needed = np.minimum(RARE, np.maximum(names / 2, 2))
        others = own.sum() - own
        least = np.minimum(
            least, np.minimum(own / needed, others / np.minimum(RARE, np.maximum(names.sum() - names, 2)))
        )
    return least < 1


def _widened(decisions: Decisions, place: int, found: GroupRates, *, confidence: float) -> tuple[Floats, int]:
    """Return by how much the interval is longer where roles are sampled too, and how many there are."""
    cells = decisions.cells[place]
    group = decisions.group[cells.carrier]
    roles = int(np.unique(cells.second).size)
    one = np.ones(len(decisions.groups))
    if roles < FEWEST_LEVELS:
        return one, roles
    with np.errstate(invalid="ignore", divide="ignore"):
        beyond = cells.accepted - np.nan_to_num(found.own)[group] * cells.n
        own_n = np.bincount(group, weights=cells.n, minlength=one.size)
        weights = np.where(own_n > 0, 1 / own_n, 0.0)
    psi = beyond[:, None] * ((group[:, None] == np.arange(one.size)) * weights - 1 / cells.n.sum())
    codes = [np.unique(each, return_inverse=True)[1] for each in (cells.carrier, cells.second)]
    crossed = np.asarray(multiway_variance(psi, codes).variance)
    level = (1 + confidence) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.sqrt(crossed / found.variance) * stdtrit(roles - 1, level) / stdtrit(np.maximum(found.df, 1), level)
    return np.maximum(np.nan_to_num(ratio, nan=1.0, posinf=1.0), one), roles
