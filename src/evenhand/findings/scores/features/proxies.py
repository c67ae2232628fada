"""How well a feature tells a protected attribute: AUC from counts."""

from collections.abc import Sequence
from dataclasses import replace
from math import log

import numpy as np

from evenhand.stats import auc, cross_fitted_auc, holm, normal_p, normal_quantile
from evenhand.stats.scores.predictions.auc import AUC
from evenhand.tables.audit.features.counts import Crossed, FeatureCounts
from evenhand.tables.audit.features.details import Proxy
from evenhand.tables.finding import Finding, Test
from evenhand.tables.grouped.names import JOINT_PROXY, LABEL_POWER, PROXY

__all__ = ["FEWEST", "label_finding", "proxy_findings", "told_of", "with_tests"]

#: Groups, and rests, of fewer people are not told by a feature here.
FEWEST = 10


def proxy_findings(feature: FeatureCounts, attribute: str, *, confidence: float, seed: int) -> list[Finding]:
    """Return how well a feature tells each group of an attribute from the rest, the group told best first.

    Of two groups it is told once: which of them has the higher values.
    """
    crossed = feature.by[attribute]
    places = range(len(crossed.groups)) if len(crossed.groups) > 2 else range(1)
    found = [
        told_of(
            _area(crossed, place, ordered=feature.row.numeric, confidence=confidence, seed=seed),
            measure=PROXY,
            feature=feature.row.feature,
            attribute=attribute,
            groups=crossed.groups,
            place=place,
            ordered=feature.row.numeric,
        )
        for place in places
    ]
    found.sort(key=lambda each: -(each[0].estimate or 0.0))
    return [
        _with_rank(finding, details, largest=rank == 0, groups=len(crossed.groups))
        for rank, (finding, details) in enumerate(found)
    ]


def with_tests(findings: Sequence[Finding]) -> list[Finding]:
    """Return proxies with the test that each AUC is a half, adjusted for all features and groups of its attribute.

    The test is that of the interval: on the logit, by DeLong's standard error.
    """
    families: dict[tuple[str, str], list[int]] = {}
    for place, each in enumerate(findings):
        if each.measure in {PROXY, JOINT_PROXY}:
            families.setdefault((each.measure, next(iter(each.focal))), []).append(place)
    found = list(findings)
    for places in families.values():
        tests = [_test(findings[place]) for place in places]
        adjusted = holm([None if each is None else each.p for each in tests]).p
        for place, test, p in zip(places, tests, adjusted, strict=True):
            if test is not None:
                found[place] = replace(found[place], tests=(test,), p_adjusted=float(p), adjustment="Holm")
    return found


def _test(proxy: Finding) -> Test | None:
    if proxy.estimate is None or proxy.low is None or proxy.high is None or not proxy.low < proxy.high:
        return None
    low, middle, high = (log(each / (1 - each)) for each in (proxy.low, proxy.estimate, proxy.high))
    z = 2 * normal_quantile(proxy.confidence) * middle / (high - low)
    return Test(name="DeLong, logit", statistic=z, p=float(normal_p(z)))


def label_finding(feature: FeatureCounts, label: str, *, confidence: float, seed: int) -> Finding | None:
    """Return how well a feature tells the label's classes, the one told best; None without two classes."""
    crossed = feature.by.get(label)
    if crossed is None or len(crossed.groups) < 2:
        return None
    found = proxy_findings(feature, label, confidence=confidence, seed=seed)[0]
    details = Proxy.of(found)
    return Finding(
        name=found.name.replace(PROXY, LABEL_POWER, 1),
        measure=LABEL_POWER,
        slice=found.slice,
        focal=found.focal,
        role="descriptive",
        estimate=found.estimate,
        low=found.low,
        high=found.high,
        confidence=confidence,
        measured_in="AUC",
        null_value=0.5,
        n=found.n,
        clusters={},
        method=found.method,
        reason=found.reason,
        details=details,
    )


def _area(crossed: Crossed, place: int, *, ordered: bool, confidence: float, seed: int) -> AUC:
    positive = crossed.counts[:, place]
    negative = crossed.counts.sum(axis=1) - positive
    if not ordered:
        return cross_fitted_auc(positive, negative, seed=seed, confidence=confidence)
    level = np.tile(np.arange(len(positive)), 2)
    which = np.repeat([True, False], len(positive))
    return auc(level, which, n=np.concatenate([positive, negative]), confidence=confidence)


def told_of(
    found: AUC, *, measure: str, feature: str, attribute: str, groups: tuple[str, ...], place: int, ordered: bool
) -> tuple[Finding, Proxy]:
    """Return an AUC as a finding: never below a half where values have an order, as low values tell as well."""
    estimate, low, high = found.estimate, found.low, found.high
    group, direction = groups[place], "higher" if ordered else ""
    reason = found.reason
    if min(found.n_positive, found.n_negative) < FEWEST:
        estimate = low = high = None
        reason = f"Fewer than {FEWEST} people are in the group, or out of it."
    if ordered and estimate is not None and estimate < 0.5:
        estimate, low, high = 1 - estimate, None if high is None else 1 - high, None if low is None else 1 - low
        if len(groups) == 2:
            group = groups[1 - place]
        else:
            direction = "lower"
    finding = Finding(
        name=f"{measure}_{feature}_{attribute}_{group}" if feature else f"{measure}_{attribute}_{group}",
        measure=measure,
        slice={"feature": feature} if feature else {},
        focal={attribute: group},
        role="exploratory" if feature else "planned",
        estimate=estimate,
        low=low,
        high=high,
        confidence=found.confidence,
        measured_in="AUC",
        null_value=0.5,
        n=found.n_positive + found.n_negative,
        clusters={},
        method=found.method,
        reason=reason,
    )
    own = found.n_positive if group == groups[place] else found.n_negative
    details = Proxy(direction=direction, n_group=own, n_rest=finding.n - own, groups=len(groups))
    return finding, details


def _with_rank(finding: Finding, details: Proxy, *, largest: bool, groups: int) -> Finding:
    return replace(finding, details=replace(details, largest=largest, groups=groups))
