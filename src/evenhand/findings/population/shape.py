"""Beyond single groups: the widest gap, interaction, how effects differ between levels, what could be detected."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.population.decisions import Decisions, Permuted
from evenhand.findings.population.intervals import standard_errors
from evenhand.measures import MeasureSet
from evenhand.stats import t_interval, wald_test
from evenhand.stats.clusters.permutation import permutation_p
from evenhand.stats.special import stdtr, stdtrit
from evenhand.stats.strata.stratified import stratified_variance
from evenhand.tables.details import Details, Heterogeneity, WidestGap
from evenhand.tables.finding import Finding, Test
from evenhand.tables.grouped.names import DETECTABLE_DIFFERENCE, HETEROGENEITY, INTERACTION, MAX_DIFFERENCE

__all__ = ["shape_findings"]

Floats = NDArray[np.float64]

POWER = 0.8
#: A p that underflows is an upper bound, never 0.
TINY = float(np.finfo(np.float64).tiny)
BIASED = "the largest of several gaps; by chance alone it is above zero, so read it beside null_mean"


def shape_findings(
    decisions: Decisions, permuted: Permuted, measured: MeasureSet, *, confidence: float
) -> Iterator[Finding]:
    """Yield maximum differences, interactions, heterogeneity over levels, and the detectable difference."""
    yield from _maximum(decisions, permuted, confidence=confidence)
    yield from _interactions(decisions, measured, confidence=confidence)
    yield from _heterogeneity(decisions, permuted, confidence=confidence)
    yield _detectable(decisions, confidence=confidence)


def _maximum(decisions: Decisions, permuted: Permuted, *, confidence: float) -> Iterator[Finding]:
    n, accepted = decisions.by_group()
    for place, levels in enumerate(decisions.slices):
        observed, *rest = permuted.spread[:, place]
        null = np.array(rest)
        known = bool(np.isfinite(observed))
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = accepted[:, place] / n[:, place]
        prefix = "".join(f"{column}_{'_'.join(level.lower().split())}_" for column, level in levels.items())
        varied = known and 0 < accepted[:, place].sum() < n[:, place].sum()
        # The gap is never negative: only large ones are extreme.
        p = permutation_p(float(observed), null) if varied else None
        reason = None if known else "A group has no decision here."
        yield Finding(
            name=f"{prefix}max_difference",
            measure=MAX_DIFFERENCE,
            slice=dict(levels),
            focal=dict(decisions.groups[int(np.nanargmax(rates))]) if known else {},
            reference=dict(decisions.groups[int(np.nanargmin(rates))]) if known else {},
            role="exploratory",
            estimate=float(observed) if known else None,
            confidence=confidence,
            n=int(n[:, place].sum()),
            clusters={"name": decisions.group.size},
            method=f"highest less lowest acceptance rate: {BIASED}",
            tests=(
                Test(
                    name="permutation over names",
                    statistic=float(observed) if known else None,
                    p=p,
                    reason=reason if not known else None if varied else "All decisions were alike.",
                ),
            ),
            reason=reason,
            details=WidestGap(null_mean=float(np.nanmean(null)), null_95=float(np.nanquantile(null, 0.95)))
            if known and null.size
            else Details(),
        )


def _interactions(decisions: Decisions, measured: MeasureSet, *, confidence: float) -> Iterator[Finding]:
    """Yield, per pair of levels of the first attribute, the difference of the gaps in the second."""
    if len(measured.groups) != 2:
        return
    first, second = measured.groups
    rows = list(dict.fromkeys(group[first] for group in decisions.groups))
    columns = list(dict.fromkeys(group[second] for group in decisions.groups))
    n, accepted = decisions.by_carrier[0][:, 0], decisions.by_carrier[1][:, 0]
    own = np.array([n[decisions.group == number].sum() for number in range(len(decisions.groups))])
    if len(rows) < 2 or len(columns) != 2 or len(decisions.groups) != len(rows) * 2 or not own.all():
        return
    place = {(group[first], group[second]): number for number, group in enumerate(decisions.groups)}
    rates = np.array([accepted[decisions.group == number].sum() / own[number] for number in range(own.size)])
    psi = np.zeros((decisions.group.size, own.size))
    for number in range(own.size):
        member = decisions.group == number
        psi[member, number] = (accepted[member] - rates[number] * n[member]) / own[number]

    def gap(values: Floats, level: str) -> Floats:
        return np.asarray(values[..., place[level, columns[0]]] - values[..., place[level, columns[1]]])

    base = rows[0]
    together = wald_test(
        np.array([float(gap(rates, finding) - gap(rates, base)) for finding in rows[1:]]),
        np.stack([gap(psi, finding) - gap(psi, base) for finding in rows[1:]], axis=1),
        np.arange(decisions.group.size),
    )
    test = Test(
        name=f"{first} × {second}, Hotelling's T² on names",
        statistic=together.statistic,
        p=together.p,
        reason=together.reason,
    )
    for one, other in combinations(rows, 2):
        value = float(gap(rates, one) - gap(rates, other))
        found = stratified_variance((gap(psi, one) - gap(psi, other))[:, None], decisions.group)
        variance, df = float(found.variance[0]), float(found.df[0])
        interval = t_interval(value, variance, df, confidence=confidence)
        p = max(2 * float(stdtr(df, -abs(value) / variance**0.5)), TINY) if variance > 0 else None
        row_test = Test(name="t test on names", statistic=value, p=p, reason=interval.reason)
        yield Finding(
            name=f"{one}_{other}_{first}_{second}{INTERACTION}",
            measure=f"{first}_{second}{INTERACTION}",
            focal={first: one},
            reference={first: other},
            role="exploratory",
            estimate=value,
            low=interval.low,
            high=interval.high,
            confidence=confidence,
            null_value=0.0,
            n=int(n.sum()),
            clusters={"name": decisions.group.size},
            method=f"difference of the gaps {columns[0]} less {columns[1]}, cluster-robust name",
            tests=(row_test, test),
            reason=interval.reason,
        )


def _heterogeneity(decisions: Decisions, permuted: Permuted, *, confidence: float) -> Iterator[Finding]:
    """Yield, per column and group, whether the difference to the population changes with the level.

    The statistic is Σ n (d − d̄)² over the levels, its null the shuffles of the names.
    """
    n = decisions.by_carrier[0].sum(axis=0)
    for column, levels in decisions.levels.items():
        places = [place for place, cut in enumerate(decisions.slices) if column in cut]
        if len(levels) < 2:
            continue
        weights = n[places]
        for number, group in enumerate(decisions.groups):
            d = permuted.difference[number][:, places]
            if not np.isfinite(d[0]).all():
                continue
            mean = (d * weights).sum(axis=1) / weights.sum()
            statistic = (weights * (d - mean[:, None]) ** 2).sum(axis=1) / weights.sum()
            highest, lowest = int(d[0].argmax()), int(d[0].argmin())
            yield Finding(
                name=f"{'_'.join(group.values())}_{column}{HETEROGENEITY}",
                measure=f"{column}{HETEROGENEITY}",
                focal=group,
                reference={"population": "all"},
                role="exploratory",
                estimate=float(d[0].max() - d[0].min()),
                confidence=confidence,
                n=int(weights.sum()),
                clusters={"name": decisions.group.size},
                method=f"largest difference between two {column}s of the difference to the population; chosen post hoc",
                tests=(
                    Test(
                        name=f"permutation over names, weighted variance over {column}s",
                        statistic=float(statistic[0]),
                        p=permutation_p(float(statistic[0]), statistic[1:]),
                    ),
                ),
                details=Heterogeneity(highest=levels[highest], lowest=levels[lowest]),
            )


def _detectable(decisions: Decisions, *, confidence: float) -> Finding:
    """Return the smallest difference to all that would be called one with 80 % power, by the adjusted p.

    Bonferroni over the groups stands for the largest difference of permuted groups; it is the
    group with the widest error that counts.
    """
    errors, freedom, widened = standard_errors(decisions, confidence=confidence)
    known = bool(errors.size > 1 and np.isfinite(errors).all() and (errors > 0).all())
    value = None
    if known:
        level = 1 - (1 - confidence) / (2 * errors.size)
        # Both the adjusted p and the longest interval have to be clear.
        needed = np.maximum(stdtrit(freedom, level), widened * stdtrit(freedom, (1 + confidence) / 2))
        value = float(((needed + stdtrit(freedom, POWER)) * errors).max())
    reason = None if value is not None else "Nothing varies between the names of a group, or there are too few."
    if value is not None and value > 1:
        value, reason = None, "More than 100 points: these decisions are too few to detect anything."
    return Finding(
        name=DETECTABLE_DIFFERENCE,
        measure=DETECTABLE_DIFFERENCE,
        role="descriptive",
        estimate=value,
        confidence=confidence,
        n=int(decisions.whole.n.sum()),
        clusters={"name": decisions.group.size},
        method=f"{POWER:.0%} power, two-sided {1 - confidence:.0%} level over {errors.size} groups (Bonferroni), names",
        reason=reason,
    )
