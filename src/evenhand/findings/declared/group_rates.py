"""Success rates of every combination of groups, and impact ratios against the highest."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.declared.closed_form import rate_interval_of
from evenhand.findings.declared.clusterings import Clustered, Ways, clustered, ways_of
from evenhand.findings.declared.estimates import FEWEST_ITEMS
from evenhand.findings.declared.resampled_units import ResampledUnits
from evenhand.findings.units import Units, distinct
from evenhand.measures import MeasureSet
from evenhand.stats import FOUR_FIFTHS, fisher_exact, four_fifths, impact_ratio
from evenhand.stats.clusters.bootstrap import percentile_interval
from evenhand.stats.clusters.moments import influence, statistic
from evenhand.stats.clusters.permutation import label_permutations, permutation_p
from evenhand.tables.details import GroupRatio
from evenhand.tables.finding import Alternative, Finding, Test
from evenhand.tables.grouped.names import IMPACT_RATIO

__all__ = ["group_findings"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Group = dict[str, str]

MAXIMUM_RANGE = "permutation over names, maximum range of the rates"


def group_findings(
    drawn: ResampledUnits, measured: MeasureSet, *, confidence: float, choice: Ints | None = None
) -> Iterator[Finding]:
    """Yield a rate per combination of groups, then its ratio to the highest rate.

    `choice` numbers the choice that each unit stands for election in; one of them wins it,
    so a group's rate is at most its choices over its candidates.
    Ties for the highest go to the larger group, then to the label. Since the reference
    is chosen by looking at the rates, the adjusted p compares each difference with the
    largest range among all groups under permuted names.
    """
    units = drawn.units
    groups = units.groups(measured.groups)
    for group in groups:
        mask = units.where(group)
        bound = 1.0 if choice is None else distinct(choice[mask]) / int(mask.sum())
        found: dict[str, Any] = dict(
            rate_interval_of(units.take(mask), confidence=confidence, clusters=measured.clusters, highest=bound)
        )
        yield Finding(
            name=f"{measured.rate}_{'_'.join(group.values())}",
            measure=measured.rate,
            focal=group,
            role="descriptive",
            confidence=confidence,
            **found,
        )
    if len(groups) < 2:
        return
    rates = [float(units.score[units.where(group)].mean()) for group in groups]
    sizes = [int(units.where(group).sum()) for group in groups]
    ranking = sorted(range(len(groups)), key=lambda place: (-rates[place], -sizes[place], *groups[place].values()))
    highest = groups[ranking[0]]
    null = _permuted_rates(drawn, groups)
    false_positives = _false_positive_rate(null)
    for place, group in enumerate(groups):
        if group != highest:
            difference = rates[place] - rates[ranking[0]]
            raw = permutation_p(difference, null[:, place] - null[:, ranking[0]])
            adjusted = permutation_p(difference, null.max(axis=1) - null.min(axis=1))
            test = Test(name="permutation over names", statistic=difference, p=raw)
            yield _ratio(
                drawn,
                measured,
                group,
                highest,
                test=test,
                adjusted=adjusted,
                false_positives=false_positives,
                confidence=confidence,
            )


def _permuted_rates(drawn: ResampledUnits, groups: list[Group]) -> Floats:
    """Return each group's rate with whole names shuffled over all groups, (permutations, groups)."""
    labels = np.full(len(drawn.carrier_groups), -1, dtype=np.int64)
    for number, group in enumerate(groups):
        codes = [drawn.units.levels[name].index(level) for name, level in group.items()]
        labels[(drawn.carrier_groups == codes).all(axis=1)] = number
    rng = np.random.default_rng([drawn.seed, 6])
    strata = np.where(labels < 0, -1, 0)
    shuffled = label_permutations(labels, strata, permutations=drawn.permutations, rng=rng)
    moments = np.stack(drawn.carrier_rates(), axis=1)
    sums = [(shuffled == number).astype(np.float64) @ moments for number in range(len(groups))]
    return np.stack([statistic(total, "rate") for total in sums], axis=1)


def _false_positive_rate(rates: Floats) -> float:
    """Return the false-positive rate of the four-fifths rule, over permutations of this table.

    The rule compares every group with the highest, so with several groups and few
    selections it flags a process that treats all alike.
    """
    highest, lowest = rates.max(axis=1), rates.min(axis=1)
    return float((lowest < float(FOUR_FIFTHS) * highest).mean())


def _ratio(
    drawn: ResampledUnits,
    measured: MeasureSet,
    group: Group,
    highest: Group,
    *,
    test: Test,
    adjusted: float | None,
    false_positives: float,
    confidence: float,
) -> Finding:
    units = drawn.units
    focal, reference = units.where(group), units.where(highest)
    totals = [(float(units.score[side].sum()), int(side.sum())) for side in (focal, reference)]
    (a, n_focal), (c, n_reference) = totals
    single = bool(np.isin(units.score[focal | reference], (0.0, 1.0)).all()) and len(units) == distinct(units.item)
    tests = [test]
    common: dict[str, Any] = {
        "name": f"{IMPACT_RATIO}_{'_'.join(group.values())}",
        "measure": IMPACT_RATIO,
        "focal": group,
        "reference": highest,
        "role": "exploratory",
        "confidence": confidence,
        "measured_in": "ratio",
        "null_value": 1.0,
        "n": n_focal + n_reference,
        "clusters": {"item": distinct(units.item[focal | reference])},
        "p_adjusted": adjusted,
        "adjustment": MAXIMUM_RANGE,
        "details": _beside(a, n_focal, c, n_reference, false_positives=false_positives),
    }
    if c == 0:
        nobody = "Nobody in the reference group was selected, so there is no ratio."
        return Finding(estimate=None, method="Koopman score", reason=nobody, tests=tuple(tests), **common)
    intervals = _ratio_intervals(drawn, measured, (group, highest), single=single, confidence=confidence)
    if single:
        fisher = fisher_exact(round(a), n_focal, round(c), n_reference)
        tests.append(Test(name="Fisher exact, answers taken as independent", statistic=None, p=fisher.p))
    main, *beside = intervals
    return Finding(
        estimate=(a / n_focal) / (c / n_reference),
        low=main.low,
        high=main.high,
        method=main.method,
        reason=main.reason,
        tests=tuple(tests),
        alternatives=tuple(beside),
        **(common | {"clusters": main.clusters or common["clusters"]}),
    )


def _ratio_intervals(
    drawn: ResampledUnits, measured: MeasureSet, sides: tuple[Group, Group], *, single: bool, confidence: float
) -> list[Alternative]:
    """Return the intervals of the ratio of two groups' rates, the one that all follows first.

    It is the cluster-robust one; where that can't be made, the one that takes answers, or items, as independent.
    """
    units = drawn.units
    focal, reference = (units.where(side) for side in sides)
    ways, robust = _robust_ratio(units, focal, reference, measured, confidence)
    beside: list[Alternative] = []
    if single:
        counts = [(round(units.score[side].sum()), int(side.sum())) for side in (focal, reference)]
        ratio = impact_ratio(*counts[0], *counts[1], confidence=confidence)
        main = Alternative(method="Koopman score", low=ratio.low, high=ratio.high)
        beside.append(
            Alternative(method="Katz log", low=ratio.katz_low, high=ratio.katz_high, reason=ratio.katz_reason)
        )
    else:
        items = distinct(units.item[focal | reference])
        main = _resampled_ratio(drawn, *sides, items=items, confidence=confidence)
    if robust.low is None:
        return [replace(main, method=main.method + ways.held_fixed), *beside]
    crossed = Alternative(method=robust.method, low=robust.low, high=robust.high, clusters=robust.clusters)
    return [crossed, main, *beside]


def _beside(a: float, n_focal: int, c: float, n_reference: int, *, false_positives: float) -> GroupRatio:
    """Return what is told beside a ratio: both rates, and the four-fifths rule."""
    return GroupRatio(
        rate_focal=a / n_focal,
        n_focal=n_focal,
        rate_reference=c / n_reference,
        n_reference=n_reference,
        four_fifths=_four_fifths(a, n_focal, c, n_reference),
        over_flagging_rate=false_positives,
    )


def _resampled_ratio(
    drawn: ResampledUnits, group: Group, highest: Group, *, items: int, confidence: float
) -> Alternative:
    """Return the interval of a ratio of rates over resampled items, or why there is none."""
    method = "item bootstrap, percentile"
    if items < FEWEST_ITEMS:
        reason = f"There are {items} items; resampling tells the uncertainty from {FEWEST_ITEMS} on."
        return Alternative(method=method, low=None, high=None, reason=reason)
    rates = [statistic(drawn.resampled_moments(side), "rate") for side in (group, highest)]
    with np.errstate(divide="ignore", invalid="ignore"):
        interval = percentile_interval(rates[0] / rates[1], confidence=confidence)
    if interval is None:
        reason = "A group without selections can't be resampled into a ratio."
        return Alternative(method=method, low=None, high=None, reason=reason)
    return Alternative(method=method, low=interval[0], high=interval[1])


def _four_fifths(a: float, n_focal: int, c: float, n_reference: int) -> str:
    """Return the rule's verdict; shares of repeated answers are compared in 2^-20 steps.

    The rule is defined on whole people. A score of 2 accepted answers of 3 is a share,
    so both sides are scaled by one power of two before integers are compared.
    """
    scale = 1 if a == round(a) and c == round(c) else 1 << 20
    return str(four_fifths(round(a * scale), n_focal * scale, round(c * scale), n_reference * scale).verdict)


def _robust_ratio(
    units: Units, focal: NDArray[np.bool_], reference: NDArray[np.bool_], measured: MeasureSet, confidence: float
) -> tuple[Ways, Clustered]:
    """Return the factors that vary, and exp of the cluster-robust interval of the log ratio (delta method)."""
    rates = [float(units.score[side].mean()) for side in (focal, reference)]
    either = focal | reference
    ways = ways_of({name: units.codes[name][either] for name in measured.clusters})
    if 0.0 in rates:
        return ways, Clustered(clusters={}, method=ways.method, reason="A rate of zero has no logarithm.")
    psi = np.zeros(len(units))
    psi[focal] = influence(units.score[focal], None, "rate") / rates[0]
    psi[reference] = -influence(units.score[reference], None, "rate") / rates[1]
    (log,) = clustered(psi[either], ways, float(np.log(rates[0] / rates[1])), confidences=(confidence,))
    if log.low is None or log.high is None:
        return ways, log
    return ways, replace(
        log, method=f"{log.method}, log scale", low=float(np.exp(log.low)), high=float(np.exp(log.high))
    )
