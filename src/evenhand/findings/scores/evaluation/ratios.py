"""Ratios of rates: a group's over its reference's, and over that of all people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from evenhand.findings.scores.evaluation.compared import Compared
from evenhand.findings.scores.evaluation.judged import Parts
from evenhand.findings.scores.evaluation.measured import Measured
from evenhand.stats import four_fifths, impact_ratio, multiway_variance, ratio_to_all, t_interval
from evenhand.tables.audit.applicants.predictions import GroupGap
from evenhand.tables.details import Details, ImpactRatio
from evenhand.tables.finding import Finding, Test
from evenhand.tables.grouped.names import (
    DEMOGRAPHIC_PARITY,
    EQUAL_OPPORTUNITY,
    FPR,
    IMPACT_RATIO,
    PRECISION,
    RATIO,
    SELECTION_RATE,
    TPR,
)

__all__ = ["ratio_findings"]

#: Rates whose ratio to the reference is told.
_OF_GROUPS: Final = {
    SELECTION_RATE: IMPACT_RATIO,
    TPR: f"{RATIO}{TPR}",
    FPR: f"{RATIO}{FPR}",
    PRECISION: f"{RATIO}{PRECISION}",
}
_TO_ALL: Final = {SELECTION_RATE: DEMOGRAPHIC_PARITY, TPR: EQUAL_OPPORTUNITY}
LEVEL: Final = 0.05
CLUSTERED: Final = "linearised log ratio, clustered"


def ratio_findings(
    parts: Parts, own: Sequence[Mapping[str, Measured]], found: Sequence[Compared], *, confidence: float
) -> Iterator[Finding]:
    """Yield impact ratio, ratios of error rates, demographic parity and equal opportunity."""
    for each in found:
        if each.measure in _OF_GROUPS:
            for gap in each.gaps:
                yield _of_groups(parts, own, each, gap.focal, gap.reference, confidence)
    for measure, name in _TO_ALL.items():
        if own and measure in own[0] and len(own) > 1:
            for group in range(len(own)):
                yield _to_all(parts, own, measure, name, group, confidence)


def _of_groups(  # noqa: PLR0917 - what a ratio is made of
    parts: Parts,
    own: Sequence[Mapping[str, Measured]],
    of: Compared,
    group: int,
    reference: int | None,
    confidence: float,
) -> Finding:
    name = _OF_GROUPS[of.measure]
    mine, theirs = own[group][of.measure], None if reference is None else own[reference][of.measure]
    gap = next(each for each in of.gaps if each.focal == group)
    counts = [value or 0 for value in (mine.hits, mine.of, theirs and theirs.hits, theirs and theirs.of)]
    ratio = impact_ratio(*counts, confidence=confidence)
    low, high, method, why = ratio.low, ratio.high, ratio.method, gap.why if gap.estimate is None else ratio.reason
    estimate = ratio.estimate if gap.estimate is not None else None
    if estimate is None:
        low = high = None
    elif mine.clusters is not None and reference is not None:
        low, high, why = _clustered(parts, [(group, 1.0), (reference, -1.0)], own, of.measure, estimate, confidence)
        method = CLUSTERED
    n = counts[1] + counts[3]
    p = gap.p_adjusted
    return Finding(
        name="_".join("_".join(word.split()) for word in (name, *parts.attributes, *parts.groups[group])),
        measure=name,
        focal=parts.named(group),
        reference={} if reference is None else parts.named(reference),
        role="planned" if len(parts.attributes) == 1 and name == IMPACT_RATIO else "descriptive",
        estimate=estimate,
        low=low,
        high=high,
        confidence=confidence,
        measured_in="ratio",
        null_value=1.0,
        n=n,
        clusters={"person": n} if mine.clusters is None else {"cluster": mine.clusters},
        method=method,
        tests=() if gap.p is None else (Test(name=of.test, statistic=None, p=gap.p),),
        p_adjusted=p,
        adjustment=of.adjustment if p is not None else None,
        verdict=None if p is None else "difference" if p < LEVEL else "inconclusive",
        reason=why,
        details=_details(name, mine, theirs, judged=estimate is not None),
    )


def _details(name: str, mine: Measured, theirs: Measured | None, *, judged: bool) -> Details:
    """Return both rates; of an impact ratio with the four-fifths rule, where it was judged."""
    rate, n, hits = (None, None, None) if theirs is None else (theirs.estimate, theirs.of, theirs.hits)
    if name != IMPACT_RATIO:
        return GroupGap(value_focal=mine.estimate, value_reference=rate, n_value_focal=mine.of, n_value_reference=n)
    return ImpactRatio(
        n_focal=mine.of,
        n_reference=n,
        selected_focal=mine.hits,
        selected_reference=hits,
        rate_focal=mine.estimate,
        rate_reference=rate,
        four_fifths=four_fifths(mine.hits or 0, mine.of or 0, hits or 0, n or 0).verdict if judged else None,
    )


def _to_all(  # noqa: PLR0917 - what a ratio is made of
    parts: Parts, own: Sequence[Mapping[str, Measured]], measure: str, name: str, group: int, confidence: float
) -> Finding:
    """Return a group's rate over that of all people whose group is known."""
    mine = own[group][measure]
    nobody = mine.reason if mine.estimate is None else None
    others = [each[measure] for place, each in enumerate(own) if place != group]
    rest = [sum(value or 0 for value in values) for values in zip(*((e.hits, e.of) for e in others), strict=True)]
    found = ratio_to_all(mine.hits or 0, mine.of or 0, rest[0], rest[1], confidence=confidence)
    low, high, method, why = found.low, found.high, found.method, found.reason
    if found.estimate is not None and mine.clusters is not None:
        total, hits = (mine.of or 0) + rest[1], (mine.hits or 0) + rest[0]
        weights = [(place, -(each[measure].hits or 0) / hits) for place, each in enumerate(own)]
        weights[group] = (group, 1.0 + weights[group][1])
        assert total
        low, high, why = _clustered(parts, weights, own, measure, found.estimate, confidence)
        method = CLUSTERED
    return Finding(
        name="_".join("_".join(word.split()) for word in (name, *parts.attributes, *parts.groups[group])),
        measure=name,
        focal=parts.named(group),
        role="descriptive",
        estimate=found.estimate,
        low=low,
        high=high,
        confidence=confidence,
        measured_in="ratio",
        null_value=1.0,
        n=found.n,
        clusters={"person": found.n} if mine.clusters is None else {"cluster": mine.clusters},
        method=method,
        reason=nobody or why,
        details=GroupGap(value_focal=mine.estimate, n_value_focal=mine.of),
    )


def _clustered(  # noqa: PLR0917 - what a ratio is made of
    parts: Parts,
    weights: Sequence[tuple[int, float]],
    own: Sequence[Mapping[str, Measured]],
    measure: str,
    ratio: float,
    confidence: float,
) -> tuple[float | None, float | None, str | None]:
    """Return the limits of a ratio whose logarithm is a sum of log rates of groups, by their weights."""
    influences, codes = [], []
    for group, weight in weights:
        each, part = own[group][measure], parts.parts[group]
        if not each.estimate:
            if weight and each.of:
                return None, None, "A rate is 0, so the ratio has no logarithm."
            continue
        assert part.cluster is not None
        influences.append(weight * part.n * np.asarray(each.influence) / each.estimate)
        codes.append(part.cluster)
    found = multiway_variance(np.concatenate(influences), [np.concatenate(codes)])
    interval = t_interval(float(np.log(ratio)), found.variance, found.df, confidence=confidence)
    if interval.low is None:
        return None, None, interval.reason
    return float(np.exp(interval.low)), float(np.exp(interval.high)), None
