"""Scores that were not read, by arm, and résumés that were left out, by group: either may be the finding."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from evenhand.findings.scores.perturbation.arms import Pairs, ScoredArms
from evenhand.findings.scores.perturbation.beside import finding_beside
from evenhand.findings.scores.perturbation.differences import Asked
from evenhand.stats import chi_square_homogeneity, selection_rate
from evenhand.tables.audit.perturb import Experiment, group_label
from evenhand.tables.details import LeftOutReasons, Statuses
from evenhand.tables.finding import Finding, Test
from evenhand.tables.grouped.names import DIFFERENCE, LEFT_OUT, UNDETECTED_ATTEMPTS

__all__ = ["left_out_findings", "unread_difference", "unread_findings"]


def unread_findings(outcomes: pl.LazyFrame, scored: ScoredArms, *, confidence: float) -> Iterator[Finding]:
    """Yield the share of attempts without a score, of all and of each arm, with how many have which status.

    Attempts at one résumé are not independent, so the tests stand with `unread_difference`.
    """
    counts = outcomes.group_by("arm", "status").agg(pl.len().alias("n")).sort("arm", "status").collect()
    for arm in (None, *scored.arms):
        own = counts if arm is None else counts.filter(pl.col("arm") == arm)
        statuses = Counter[str]()
        for _, status, n in own.iter_rows():
            statuses[str(status)] += int(n)
        total = statuses.total()
        yield Finding(
            name=UNDETECTED_ATTEMPTS if arm is None else f"{'_'.join(arm.split())}_{UNDETECTED_ATTEMPTS}",
            measure=UNDETECTED_ATTEMPTS,
            slice={} if arm is None else {"arm": arm},
            role="descriptive",
            estimate=1 - statuses["observed"] / total,
            confidence=confidence,
            n=total,
            clusters={"resume": len(scored.people)},
            method="counted",
            details=Statuses(statuses={name: n for name, n in statuses.items() if name != "observed"}),
        )


def unread_difference(pairs: Pairs, asked: Asked) -> Finding:
    """Return the share of attempts without a score as the group less that as the reference, with its tests."""
    read = not (pairs.unread_focal.any() or pairs.unread_other.any())
    return finding_beside(
        pairs,
        pairs.unread_focal - pairs.unread_other,
        asked,
        measure=f"{DIFFERENCE}{UNDETECTED_ATTEMPTS}",
        reason="Every score was read." if read else None,
    )


def left_out_findings(scored: ScoredArms, experiment: Experiment, *, confidence: float) -> Iterator[Finding]:
    """Yield the share of résumés that were left out, of all and of each group, and whether groups differ in it."""
    person = np.zeros(len(scored.people), dtype=np.int64)
    person[scored.person] = scored.own
    groups: dict[str | None, dict[str, str]] = {
        group_label(group): dict(zip(experiment.by, group, strict=True)) for group in experiment.groups
    }
    kept = Counter(None if code < 0 else scored.groups[code] for code in person.tolist())
    reasons: dict[str | None, Counter[str]] = {}
    for each in experiment.left_out:
        reasons.setdefault(each.own, Counter())[each.reason] += each.n
    known = [own for own in groups if kept[own] or own in reasons]
    table = [[reasons.get(own, Counter()).total(), kept[own]] for own in known]
    test = chi_square_homogeneity(table) if table else None
    tests = (
        ()
        if test is None
        else (Test(name="chi-square, groups", statistic=test.statistic, p=test.p, reason=test.reason),)
    )
    every = Counter[str]()
    for own_reasons in reasons.values():
        every += own_reasons
    yield _left_out(every, kept.total(), name=LEFT_OUT, focal={}, tests=tests, confidence=confidence)
    for own in known:
        found = reasons.get(own, Counter())
        name = "_".join([*str(own).split(), LEFT_OUT])
        yield _left_out(found, kept[own], name=name, focal=groups[own], tests=(), confidence=confidence)


def _left_out(reasons: Counter[str], kept: int, *, confidence: float, **given: Any) -> Finding:
    rate = selection_rate(reasons.total(), reasons.total() + kept, confidence=confidence)
    return Finding(
        measure=LEFT_OUT,
        role="descriptive",
        estimate=rate.estimate,
        low=rate.low,
        high=rate.high,
        confidence=confidence,
        n=rate.n,
        clusters={},
        method=rate.method,
        reason=rate.reason,
        details=LeftOutReasons(reasons=dict(reasons)),
        **given,
    )
