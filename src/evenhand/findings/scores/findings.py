"""All findings of scores: declared measures, groups, what they are held against, and unreadable answers."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from evenhand.findings.declared.estimates import Estimated
from evenhand.findings.declared.measures import (
    adjusted_slices,
    finding_of,
    findings_without_answers,
    measures_called,
)
from evenhand.findings.declared.undetected import nothing_read, statuses_of, undetected_findings
from evenhand.findings.measure import everyone_of
from evenhand.findings.scores.differences import group_mean, score_difference
from evenhand.findings.scores.selected import rank_findings, selection_findings
from evenhand.findings.scores.spreads import spread_findings
from evenhand.findings.sequential import Sequential, with_sequence
from evenhand.findings.units import Units
from evenhand.measures import Contrast, MeasureSet, Slice, Summary
from evenhand.tables.finding import Finding

__all__ = ["score_findings"]


def score_findings(
    outcomes: pl.LazyFrame,
    measured: MeasureSet,
    *,
    seed: int,
    confidence: float,
    resamples: int,
    permutations: int,
    sequential: Sequential | None = None,
) -> list[Finding]:
    """Return the findings of scores: declared measures first."""
    everyone, statuses = everyone_of(outcomes, measured), statuses_of(outcomes)
    units = everyone.measured()
    draw: dict[str, Any] = {"permutations": permutations, "seed": seed, "confidence": confidence}
    found: list[Finding]
    if not len(units):
        found = findings_without_answers(measured, reason=nothing_read(statuses), confidence=confidence)
    else:
        selected = {**draw, "resamples": resamples}
        found = [
            *_declared(units, measured, draw, sequential=sequential),
            *_means(units, measured, confidence=confidence),
            *selection_findings(outcomes, measured, **selected),
            *rank_findings(outcomes, measured, **draw),
            *spread_findings(outcomes, units, measured, confidence=confidence),
        ]
    return [
        *found,
        *undetected_findings(everyone, statuses, measured, seed=seed, permutations=permutations, confidence=confidence),
    ]


def _declared(
    units: Units, measured: MeasureSet, draw: Mapping[str, Any], *, sequential: Sequential | None
) -> list[Finding]:
    """Return the measures of the whole, then those of each level of each slice, whose p are adjusted."""
    whole = Slice(columns=(), prefix="", measures=measured.overall)
    sliced = [
        finding
        for cut in measured.slices
        for levels in units.groups(cut.columns)
        for finding in _of_slice(units, measured, cut, levels, draw)
    ]
    return [
        *_of_slice(units, measured, whole, {}, draw, sequential=sequential),
        *adjusted_slices(sliced, confidence=draw["confidence"]),
    ]


def _of_slice(
    units: Units,
    measured: MeasureSet,
    cut: Slice,
    levels: Mapping[str, str],
    draw: Mapping[str, Any],
    *,
    sequential: Sequential | None = None,
) -> Iterator[Finding]:
    for measure in measures_called(measured, cut.measures):
        if isinstance(measure, Contrast):
            found = score_difference(units, measure, levels, measured, **draw)
        elif isinstance(measure, Summary):
            found = group_mean(units, measure, levels, measured, confidence=draw["confidence"])
        else:
            continue
        if sequential is not None and sequential.measure == measure.name:
            found = with_sequence(found, sequential)
        finding = finding_of(measure, found, measured, levels, confidence=draw["confidence"])
        yield replace(finding, name=cut.name(levels, measure.name))


def _means(units: Units, measured: MeasureSet, *, confidence: float) -> Iterator[Finding]:
    """Yield the mean score of every combination of groups."""
    for group in units.groups(measured.groups):
        measure = Summary(name=measured.rate, statistic="rate", group=group, measured_in="points")
        found: Estimated = group_mean(units, measure, {}, measured, confidence=confidence)
        finding = finding_of(measure, found, measured, {}, confidence=confidence)
        yield replace(finding, name=f"{measured.rate}_{'_'.join(group.values())}")
