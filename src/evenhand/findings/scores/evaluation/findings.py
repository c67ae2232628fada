"""All findings of scores beside what happened."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import polars as pl

from evenhand.findings.impact.analysis import uniquely_named
from evenhand.findings.impact.references import FLOOR_PEOPLE, HIGHEST
from evenhand.findings.scores.evaluation.alike import Alike, similar_findings
from evenhand.findings.scores.evaluation.compared import LEVEL, Choices, Compared, Gap, compared
from evenhand.findings.scores.evaluation.cutoffs import cutoff_rates, cutoffs_of
from evenhand.findings.scores.evaluation.judged import Judged, Parts, judged_of, parts_of, slices_of
from evenhand.findings.scores.evaluation.measured import Measured, measured
from evenhand.findings.scores.evaluation.ratios import ratio_findings
from evenhand.findings.scores.evaluation.tension import tension
from evenhand.findings.scores.evaluation.versions import Change, changes
from evenhand.stats import benjamini_hochberg, holm
from evenhand.tables.audit.applicants.evaluate import CutoffRates, Tension
from evenhand.tables.audit.applicants.predictions import BothErrors, GroupGap, VersionChange
from evenhand.tables.audit.impact import FloorNote
from evenhand.tables.finding import Finding, Test, Verdict
from evenhand.tables.grouped.names import (
    AUC,
    BRIER,
    CALIBRATION_INTERCEPT,
    CALIBRATION_SLOPE,
    CHANGE,
    DIFFERENCE,
    EQUALISED_ODDS,
    F1,
    FPR,
    TPR,
    TREATMENT_EQUALITY,
)
from evenhand.tables.messages.quoting import shortened

__all__ = ["Asked", "Evaluation", "evaluate"]

#: In what measures are told that are no shares.
_UNITS: Final = {
    AUC: "area",
    BRIER: "squared distance",
    F1: "harmonic mean",
    CALIBRATION_INTERCEPT: "log odds",
    CALIBRATION_SLOPE: "ratio",
    TREATMENT_EQUALITY: "ratio",
}
#: How much wider an interval is that holds two differences together: z at the root of the level over z at the level.
_JOINTLY: Final = 2.2364774 / 1.9599640
_SHOWN: Final = 4


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked of predictions: the attributes, the slices, and what scores are.

    `levels` has the groups of each column of `Predictions.rows`, by code.
    """

    attributes: Sequence[str]
    by: Sequence[str]
    levels: Mapping[str, tuple[str, ...]]
    choices: Choices
    probabilities: bool
    ranked: bool
    at_least: bool
    alike: Alike | None = None


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """The findings, and what the page draws besides."""

    findings: list[Finding]
    cutoffs: tuple[CutoffRates, ...]
    tensions: tuple[Tension, ...]
    floor_notes: tuple[FloorNote, ...]


@dataclass(frozen=True, kw_only=True)
class _View:
    """The groups of one view with their measures, and those of the previous version."""

    parts: Parts
    own: tuple[dict[str, Measured], ...]
    previous: tuple[dict[str, Measured], ...]
    found: tuple[Compared, ...] = ()


def evaluate(rows: pl.DataFrame, asked: Asked) -> Evaluation:
    """Return how well a score serves each group, slice by slice.

    `rows` are as those of `Predictions`: outcome, score, decision, groups, people.

    Raises
    ------
    InputError
        A reference was named that does not occur.

    """
    findings: list[Finding] = []
    cutoffs: list[CutoffRates] = []
    tensions: list[Tension] = []
    notes: list[FloorNote] = []
    slices: list[_View] = []
    for where, own_rows in slices_of(rows, asked.by, asked.levels):
        everybody = Parts(slice=where, attributes=(), groups=((),), parts=(judged_of(own_rows),))
        findings += _groups(_viewed(everybody, asked), asked)
        tried = cutoffs_of(everybody.parts[0])
        for parts in parts_of(own_rows, where, asked.attributes, asked.levels, crossed=asked.choices.intersectional):
            if not parts.groups:
                continue
            view = _viewed(parts, asked)
            view = replace(view, found=tuple(compared(parts, view.own, asked.choices)))
            findings += _groups(view, asked)
            if where:
                slices.append(view)
                continue
            findings += [*_gaps(view, asked), *_odds(view, asked)]
            findings += ratio_findings(parts, view.own, view.found, confidence=asked.choices.confidence)
            if len(parts.attributes) == 1:
                turned = {"at_least": asked.at_least, "ranked": asked.ranked}
                cutoffs += cutoff_rates(parts, tried, asked.choices, **turned)
                found = tension(parts, view.own, probabilities=asked.probabilities)
                tensions += [] if found is None else [found]
            notes += _floor_notes(parts, asked.choices)
    findings += _gaps_in_slices(slices, asked)
    if asked.alike is not None:
        findings += similar_findings(asked.alike, asked.attributes, confidence=asked.choices.confidence)
    return Evaluation(
        findings=uniquely_named(findings), cutoffs=tuple(cutoffs), tensions=tuple(tensions), floor_notes=tuple(notes)
    )


def _viewed(parts: Parts, asked: Asked) -> _View:
    """Return the groups with what is measured of them."""

    def of(part: Judged, *, paired: bool) -> dict[str, Measured]:
        return measured(part, probabilities=asked.probabilities, influences=paired, confidence=asked.choices.confidence)

    return _View(
        parts=parts,
        own=tuple(of(part, paired=part.against is not None) for part in parts.parts),
        previous=tuple(of(part.previous, paired=True) for part in parts.parts if part.against is not None),
    )


def _groups(view: _View, asked: Asked) -> Iterator[Finding]:
    """Yield every measure of every group, and what changed from the previous version."""
    for group, own in enumerate(view.own):
        for each in own.values():
            yield Finding(
                name=_name(each.measure, view.parts, group),
                measure=each.measure,
                slice=dict(view.parts.slice),
                focal=view.parts.named(group),
                role="descriptive",
                estimate=each.estimate,
                low=each.low,
                high=each.high,
                confidence=asked.choices.confidence,
                measured_in=_UNITS.get(each.measure, "share"),
                n=each.n,
                clusters=_clusters(each.clusters, each.n),
                method=each.method,
                reason=each.reason,
                details=each.details,
            )
    if view.previous:
        yield from _changes(view, asked)


def _changes(view: _View, asked: Asked) -> Iterator[Finding]:
    """Yield new less previous version; p is adjusted over the groups of a view."""
    of_groups = [
        changes(part, new, old) for part, new, old in zip(view.parts.parts, view.own, view.previous, strict=True)
    ]
    together: dict[str, list[tuple[int, Change]]] = defaultdict(list)
    for group, found in enumerate(of_groups):
        for each in found:
            together[each.measure].append((group, each))
    for measure, found_of in together.items():
        family = holm([each.p for _, each in found_of])
        for (group, each), adjusted in zip(found_of, np.atleast_1d(family.p), strict=True):
            p = None if np.isnan(adjusted) else float(adjusted)
            yield Finding(
                name=_name(f"{CHANGE}{measure}", view.parts, group),
                measure=f"{CHANGE}{measure}",
                slice=dict(view.parts.slice),
                focal=view.parts.named(group),
                role="planned" if not view.parts.slice and len(view.parts.attributes) < 2 else "exploratory",
                estimate=each.estimate,
                low=each.low,
                high=each.high,
                confidence=asked.choices.confidence,
                measured_in=_UNITS.get(measure, "share"),
                null_value=0.0,
                n=each.n,
                clusters=_clusters(each.clusters, each.n),
                method="hybrid of both intervals, paired",
                tests=(Test(name=each.test, statistic=None, p=each.p),) if each.test else (),
                p_adjusted=p,
                adjustment=None if p is None else f"{each.test}, Holm over {family.family} groups",
                verdict=_verdict(p),
                reason=each.reason,
                details=VersionChange(
                    value_new=each.value_new, value_previous=each.value_previous, worse_by=each.worse_by
                ),
            )


def _gaps(view: _View, asked: Asked) -> Iterator[Finding]:
    for each in view.found:
        for gap in each.gaps:
            adjustment = each.adjustment if gap.p_adjusted is not None else None
            yield _gap(view, each, gap, asked, adjusted=gap.p_adjusted, adjustment=adjustment)


def _gaps_in_slices(views: Sequence[_View], asked: Asked) -> Iterator[Finding]:
    """Yield the differences within slices; p is adjusted over all pairs of groups in all slices of one column."""
    families: dict[tuple[object, ...], list[tuple[int, tuple[int, int], float]]] = defaultdict(list)
    for place, view in enumerate(views):
        for each in view.found:
            family_of: tuple[object, ...] = (tuple(view.parts.slice), view.parts.attributes, each.measure)
            families[family_of] += [(place, pair, p) for pair, p in each.pairs.items()]
    adjusted: dict[tuple[object, ...], tuple[dict[tuple[int, tuple[int, int]], float], int]] = {}
    for key, held in families.items():
        found = benjamini_hochberg([p for _, _, p in held])
        of = {(place, pair): float(p) for (place, pair, _), p in zip(held, np.atleast_1d(found.p), strict=True)}
        adjusted[key] = (of, found.family)
    for place, view in enumerate(views):
        for each in view.found:
            ps, family = adjusted[tuple(view.parts.slice), view.parts.attributes, each.measure]
            for gap in each.gaps:
                pair = tuple(sorted((gap.focal, gap.reference if gap.reference is not None else gap.focal)))
                p = ps.get((place, (pair[0], pair[1])))
                p = None if p is None or np.isnan(p) else p
                told = None if p is None else f"{each.test}, Benjamini-Hochberg over {family} pairs in all slices"
                yield _gap(view, each, gap, asked, adjusted=p, adjustment=told)


def _gap(
    view: _View, of: Compared, gap: Gap, asked: Asked, *, adjusted: float | None, adjustment: str | None
) -> Finding:
    """Return the difference of a group and its reference as a finding."""
    parts = view.parts
    mine = view.own[gap.focal].get(of.measure)
    theirs = None if gap.reference is None else view.own[gap.reference].get(of.measure)
    known = [each for each in (mine, theirs) if each is not None]
    clusters = [each.clusters for each in known if each.clusters is not None]
    n = sum(each.n for each in known)
    planned = not parts.slice and len(parts.attributes) == 1
    return Finding(
        name=_name(f"{DIFFERENCE}{of.measure}", parts, gap.focal),
        measure=f"{DIFFERENCE}{of.measure}",
        slice=dict(parts.slice),
        focal=parts.named(gap.focal),
        reference={} if gap.reference is None else parts.named(gap.reference),
        role="planned" if planned else "exploratory",
        estimate=gap.estimate,
        low=gap.low,
        high=gap.high,
        confidence=asked.choices.confidence,
        measured_in=_UNITS.get(of.measure, "share"),
        null_value=0.0,
        n=n,
        clusters=_clusters(min(clusters) if clusters else None, n),
        method="hybrid of both intervals (Newcombe; Zou and Donner)",
        tests=() if gap.p is None else (Test(name=of.test, statistic=None, p=gap.p),),
        p_adjusted=adjusted,
        adjustment=adjustment,
        verdict=_verdict(adjusted),
        reason=gap.why,
        details=GroupGap(
            value_focal=None if mine is None else mine.estimate,
            value_reference=None if theirs is None else theirs.estimate,
            n_value_focal=None if mine is None else mine.n,
            n_value_reference=None if theirs is None else theirs.n,
        ),
    )


def _odds(view: _View, asked: Asked) -> Iterator[Finding]:
    """Yield equalised odds: the larger of both rates' differences, with an interval that holds both together."""
    found = {each.measure: {gap.focal: gap for gap in each.gaps} for each in view.found}
    if TPR not in found or FPR not in found:
        return
    for group in sorted({*found[TPR], *found[FPR]}):
        both = [found[name].get(group, Gap(focal=group, reference=None, estimate=0.0)) for name in (TPR, FPR)]
        why = next((each.why for each in both if each.estimate is None), None)
        sizes = [abs(each.estimate) for each in both if each.estimate is not None]
        larger = both[int(np.argmax(sizes))] if len(sizes) == 2 else both[0]
        ends = [_size(each) for each in both if each.low is not None] if why is None else []
        ps = [each.p for each in both if each.p is not None]
        yield Finding(
            name=_name(EQUALISED_ODDS, view.parts, group),
            measure=EQUALISED_ODDS,
            slice=dict(view.parts.slice),
            focal=view.parts.named(group),
            reference={} if larger.reference is None else view.parts.named(larger.reference),
            role="descriptive",
            estimate=max(sizes) if why is None else None,
            low=max((low for low, _ in ends), default=None),
            high=max((high for _, high in ends), default=None),
            confidence=asked.choices.confidence,
            n=view.parts.parts[group].people,
            clusters=_clusters(None, view.parts.parts[group].people),
            method="larger of both differences, their intervals widened to hold together",
            tests=(Test(name="Bonferroni of both", statistic=None, p=min(1.0, 2 * min(ps))),) if ps else (),
            reason=why,
            details=BothErrors(difference_tpr=both[0].estimate, difference_fpr=both[1].estimate),
        )


def _size(gap: Gap) -> tuple[float, float]:
    """Return the limits of a difference's size, widened."""
    assert gap.estimate is not None
    assert gap.low is not None
    assert gap.high is not None
    low = gap.estimate - _JOINTLY * (gap.estimate - gap.low)
    high = gap.estimate + _JOINTLY * (gap.high - gap.estimate)
    return (0.0 if low <= 0 <= high else min(abs(low), abs(high))), min(max(abs(low), abs(high)), 1.0)


def _floor_notes(parts: Parts, choices: Choices) -> Iterator[FloorNote]:
    """Yield which groups are too small to be the reference."""
    named = all(name in choices.references.named for name in parts.attributes)
    if choices.references.rule != HIGHEST or not choices.references.floor or named:
        return
    people = [part.people for part in parts.parts]
    least = max(choices.references.floor * sum(people), FLOOR_PEOPLE)
    small = [group for group, n in enumerate(people) if n < least]
    limit = f"under {100 * choices.references.floor:g} % of the people or under {FLOOR_PEOPLE}"
    if small and len(small) == len(people):
        yield FloorNote(
            attributes=parts.attributes, text=f"Every group is {limit}, so any of them may be the reference."
        )
    elif small:
        told = [f"{shortened(' × '.join(parts.groups[group]))} (n = {people[group]:,})" for group in small[:_SHOWN]]
        more = f" and {len(small) - _SHOWN} more" if len(small) > _SHOWN else ""
        are = "is" if len(small) == 1 else "are"
        yield FloorNote(
            attributes=parts.attributes,
            text=f"{', '.join(told)}{more} {are} too small to be the reference ({limit}), and {are} compared with it.",
        )


def _verdict(p: float | None) -> Verdict | None:
    return None if p is None else "difference" if p < LEVEL else "inconclusive"


def _clusters(clusters: int | None, n: int) -> dict[str, int]:
    return {"person": n} if clusters is None else {"cluster": clusters}


def _name(measure: str, parts: Parts, group: int) -> str:
    words = [measure, *parts.attributes, *parts.groups[group]]
    words += [word for pair in parts.slice.items() for word in pair]
    return "_".join("_".join(word.split()) for word in words)
