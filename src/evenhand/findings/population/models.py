"""How models differ in what groups get, compared with all groups: name by name."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.compare import AnsweredRun, Differences, between_models, of_two_models, own_finding
from evenhand.findings.declared.clusterings import Ways, clustered
from evenhand.findings.population.decisions import Decisions, decisions_of
from evenhand.measures import MeasureSet
from evenhand.tables.finding import Finding, Test
from evenhand.tables.grouped.names import AGAINST_POPULATION

__all__ = ["compared_populations"]

CONFIDENCE = 0.95

Floats = NDArray[np.float64]


def _headline(runs: Sequence[Mapping[str, Finding]]) -> list[str]:
    """Return the names of the groups' comparisons over all rows, in the order of the runs' findings."""
    names = [
        name
        for findings in runs
        for name, finding in findings.items()
        if finding.measure == AGAINST_POPULATION and finding.focal and not finding.slice
    ]
    return list(dict.fromkeys(names))


def compared_populations(
    runs: Sequence[AnsweredRun], measured: MeasureSet, *, prefix: str, **_prompts: object
) -> Differences:
    """Return, per group, a row per model and one per pair of models.

    The same names are put to all models whatever the prompts, so a name's influences on both are summed before
    they are squared. p is adjusted by Holm over all pairs and groups.
    """
    counted = [decisions_of(run.outcomes, measured) for run in runs]
    result: list[Finding] = []
    headline = _headline([run.findings for run in runs])
    for name in headline:
        rows = [replace(own_finding(run.label, run.findings, name, prefix), measure=name) for run in runs]
        result += rows
        group = next(run.findings[name].focal for run in runs if name in run.findings)
        for first, second in combinations(range(len(runs)), 2):
            pair = (rows[first], rows[second])
            psi = [_influence(counted[number], group) for number in (first, second)]
            result.append(_difference(*pair, *psi, confidence=CONFIDENCE))
    return Differences(findings=between_models(result, confidence=CONFIDENCE), headline=headline)


def _influence(decisions: Decisions, group: Mapping[str, str]) -> tuple[list[str], Floats] | None:
    """Return the names and each one's influence on the group's rate less that of all; None without a decision."""
    n, accepted = (counts[:, 0] for counts in decisions.by_carrier)
    member = decisions.group == next((k for k, known in enumerate(decisions.groups) if known == dict(group)), -1)
    own = float(n[member].sum())
    if not own:
        return None
    rate, own_rate = accepted.sum() / n.sum(), accepted[member].sum() / own
    psi = member * (accepted - own_rate * n) / own - (accepted - rate * n) / n.sum()
    labels = [f"{name} {number}" for name, number in zip(decisions.names, decisions.group, strict=True)]
    return labels, psi


def _difference(
    first: Finding,
    second: Finding,
    one: tuple[list[str], Floats] | None,
    other: tuple[list[str], Floats] | None,
    *,
    confidence: float,
) -> Finding:
    common = of_two_models(first, second, method="paired by name, t", role="planned", confidence=confidence)
    if one is None or other is None or first.estimate is None or second.estimate is None:
        lacking = first if one is None or first.estimate is None else second
        reason = f"{lacking.slice['model']} has no value for this group."
        return Finding(estimate=None, reason=reason, clusters={}, **common)
    estimate = first.estimate - second.estimate
    psi = np.concatenate([one[1], -other[1]])
    _, names = np.unique(np.array([*one[0], *other[0]]), return_inverse=True)
    (found,) = clustered(psi, Ways(codes={"name": names}), estimate, confidences=(confidence,))
    clear = found.low is not None and found.high is not None and not found.low <= 0 <= found.high
    return Finding(
        estimate=estimate,
        low=found.low,
        high=found.high,
        clusters=found.clusters,
        tests=(Test(name="t test on names", statistic=estimate, p=found.p),),
        reason=found.reason,
        verdict=None if found.low is None else "difference" if clear else "inconclusive",
        **common,
    )
