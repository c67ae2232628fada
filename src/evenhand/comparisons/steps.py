"""Findings of a process in steps: whom each step favours, among the whole pile and among the survivors of the first.

Each step's judgements are compared as scores are (`comparisons/scores.py`): within applications that stand at the same
place of a pile under names of both groups, with names and piles as clusters. Claims are of the whole pile. The
difference that an arm makes, such as masking, is that between two runs of the same piles (`comparisons/models.py`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import polars as pl

from evenhand.comparisons import clusterings, declared
from evenhand.comparisons.claims import HOLM, in_families, with_detectable
from evenhand.comparisons.declared import Estimated
from evenhand.comparisons.detectable import DetectableEffect, declared_effects
from evenhand.comparisons.group_rates import group_findings
from evenhand.comparisons.measure import everyone_of
from evenhand.comparisons.models import AnsweredRun, Differences, model_differences
from evenhand.comparisons.scores import declared_scores, repetition_finding, score_findings
from evenhand.comparisons.undetected import (
    JudgedAnswers,
    nothing_read,
    statuses_of,
    undetected_findings,
    unread_findings,
)
from evenhand.comparisons.units import Draw, Floats, Mask, Units, distinct
from evenhand.comparisons.weighted_sums import resampled_units
from evenhand.results.finding import Finding, Test
from evenhand.results.measures import (
    ARM,
    DECIDED,
    IMPACT_RATIO,
    QUALITY_AUC,
    QUALITY_SLOPE,
    SHOWN,
    STEP,
    UNDETECTED_RATE,
    Contrast,
    MeasureSet,
    Summary,
)
from evenhand.results.schemas import CONTEXT
from evenhand.stats import auc

PILE, SURVIVORS = "pile", "survivors"
#: The family of comparisons of what is written of candidates.
TEXTS: Final = "texts of the steps"


def step_findings(
    outcomes: pl.LazyFrame,
    measured: MeasureSet,
    draw: Draw,
    *,
    sequential: object = None,  # noqa: ARG001 - steps are never watched
) -> list[Finding]:
    """Return the findings of all steps: the headline, then what belongs to one step, then unread answers."""
    assert measured.steps is not None
    first, *arms = measured.steps.arms
    headline: list[Finding] = []
    rest: list[Finding] = []
    for step, of_step in _asked(outcomes, measured):
        rows = _rows(outcomes, step, PILE, first)
        own = list(_of_step(rows, of_step, measured.steps.merit, draw))
        whole = {measure.name for measure in of_step.measures}
        headline += [finding for finding in own if finding.name in whole]
        rest += [_within(finding, {STEP: step}, f"{step}_") for finding in own if finding.name not in whole]
        among = replace(of_step, headline=(), slices=())
        survivors = _rows(outcomes, step, SURVIVORS, first)
        if _has_rows(survivors):
            rest += [
                _within(finding, {STEP: step, SHOWN: SURVIVORS}, f"{step}_{SURVIVORS}_")
                for finding in _declared(survivors, among, draw)
            ]
        for counted, of_text in measured.steps.texts.get(step, {}).items():
            rest += _text_findings(rows, counted, of_text, step, draw)
        for arm in arms:
            rest += list(_arm_findings(outcomes, of_step, measured.steps.merit, (step, first, arm), draw))
    rest = _with_detectable(rest, {_changes(arm) for arm in arms})
    everyone, statuses = everyone_of(outcomes, measured), statuses_of(outcomes)
    return [*headline, *rest, *undetected_findings(everyone, statuses, measured, draw)]


def _asked(outcomes: pl.LazyFrame, measured: MeasureSet) -> list[tuple[str, MeasureSet]]:
    """Return the measures of the steps that were asked."""
    assert measured.steps is not None
    asked = set(outcomes.select(pl.col(CONTEXT + STEP).unique()).collect().to_series())
    return [(step, of_step) for step, of_step in measured.steps.measures.items() if step in asked]


def _rows(outcomes: pl.LazyFrame, step: str, shown: str, arm: str) -> pl.LazyFrame:
    where = [pl.col(CONTEXT + STEP) == step, pl.col(CONTEXT + SHOWN) == shown, pl.col(ARM) == arm]
    return outcomes.filter(pl.all_horizontal(where))


def _has_rows(rows: pl.LazyFrame) -> bool:
    return bool(rows.select(pl.len()).collect().item())


def _within(finding: Finding, where: Mapping[str, str], prefix: str) -> Finding:
    """Return a finding as that of a part of the run, under a name of its own."""
    return replace(finding, name=f"{prefix}{finding.name}", slice={**where, **finding.slice})


def _declared(rows: pl.LazyFrame, of_step: MeasureSet, draw: Draw) -> list[Finding]:
    """Return the declared measures; null with the reason where nothing was read."""
    if not _has_rows(rows.filter(pl.col("status") == "observed")):
        reason = (
            nothing_read(statuses_of(rows), counted="answers on single applications")
            if _has_rows(rows)
            else "Nobody was shown."
        )
        return declared.findings_without_answers(of_step, reason=reason, confidence=draw.confidence)
    return declared_scores(rows, of_step, draw)


def _of_step(rows: pl.LazyFrame, of_step: MeasureSet, merit: str, draw: Draw) -> Iterator[Finding]:
    """Yield the findings of one step: its measures, selection rates with impact ratios or scores, and known quality."""
    observed = rows.filter(pl.col("status") == "observed")
    if not _has_rows(observed):
        yield from _declared(rows, of_step, draw)
        return
    if _is_share(of_step):
        yield from declared_scores(rows, of_step, draw)
        units = everyone_of(rows, of_step).measured()
        for finding in group_findings(resampled_units(units, of_step, draw)):
            if of_step.impact_ratios or finding.measure != IMPACT_RATIO:
                yield finding
        yield repetition_finding(rows, of_step, confidence=draw.confidence)
    else:
        for finding in score_findings(rows, of_step, draw):
            if UNDETECTED_RATE not in finding.measure:
                yield finding
    yield from quality_findings(_graded(rows, of_step, merit), of_step, confidence=draw.confidence)


def _text_findings(rows: pl.LazyFrame, counted: str, of_text: MeasureSet, step: str, draw: Draw) -> list[Finding]:
    """Return what is counted in the texts of a step, compared among those of the same decision; texts are a family."""
    values = rows.filter(pl.col(CONTEXT + counted).is_not_null()).with_columns(
        pl.col(CONTEXT + counted).alias("score"), pl.col("successes").cast(pl.String).alias(CONTEXT + DECIDED)
    )
    findings = [_within(finding, {STEP: step}, "") for finding in _declared(values, of_text, draw)]
    return [
        finding
        if finding.claim is None
        else replace(finding, claim=replace(finding.claim, family=TEXTS, correction=HOLM))
        for finding in findings
    ]


def _graded(rows: pl.LazyFrame, of_step: MeasureSet, merit: str) -> Units:
    """Return the judged candidates with their known quality."""
    return everyone_of(rows, replace(of_step, against=merit)).measured()


def _is_share(of_step: MeasureSet) -> bool:
    return of_step.scored is not None and of_step.scored.high == 1.0


@dataclass(frozen=True, kw_only=True)
class _Recognised:
    """How a group's judgements follow known quality, with the influence of each unit on it."""

    estimate: float | None
    influence: Floats
    side: Mask


def quality_findings(everyone: Units, of_step: MeasureSet, *, confidence: float) -> Iterator[Finding]:
    """Yield, by group and as differences, the slope of judgements on known quality and the AUC of clear above none.

    Names and piles vary in the intervals. The AUC leaves borderline applications out. Where nobody stated the quality,
    or one only, and of a step that selects and scores nobody, there is nothing to yield.
    """
    assert everyone.x is not None
    if not of_step.impact_ratios:
        return
    units = everyone.take(np.isfinite(everyone.x))
    if units.x is None or not len(units) or np.ptp(units.x) == 0.0:
        return
    points = "share" if _is_share(of_step) else "points"
    for name, unit, statistic in ((QUALITY_SLOPE, points, _slope), (QUALITY_AUC, "area", _ranked)):
        for contrast in (measure for measure in of_step.measures if isinstance(measure, Contrast)):
            sides = [statistic(units, units.where(group)) for group in (contrast.focal, contrast.reference)]
            if contrast.name == of_step.headline[0]:
                for group, side in zip((contrast.focal, contrast.reference), sides, strict=True):
                    label = f"{'_'.join(group.values())}_{name}"
                    summary = Summary(name=label, statistic="rate", group=group, measured_in=unit)
                    value = _estimated(units, of_step, [side], confidence=confidence)
                    yield declared.finding_of(summary, value, of_step, {}, confidence=confidence)
            label = contrast.name.replace(of_step.rate, name)
            difference = replace(contrast, name=label, measured_in=unit)
            value = _estimated(units, of_step, sides, confidence=confidence)
            yield declared.finding_of(difference, value, of_step, {}, confidence=confidence)


def _slope(units: Units, side: Mask) -> _Recognised:
    """Return the least-squares slope of a group's judgements on known quality."""
    psi = np.zeros(len(units))
    assert units.x is not None
    x, y = units.x[side], units.score[side]
    spread = float(((x - x.mean()) ** 2).sum()) if x.size else 0.0
    if not spread:
        return _Recognised(estimate=None, influence=psi, side=side)
    slope = float(((x - x.mean()) * y).sum()) / spread
    psi[side] = (x - x.mean()) * (y - y.mean() - slope * (x - x.mean())) / spread
    return _Recognised(estimate=slope, influence=psi, side=side)


def _ranked(units: Units, side: Mask) -> _Recognised:
    """Return the AUC of a group's judgements: clear against unqualified applications."""
    psi = np.zeros(len(units))
    assert units.x is not None
    ends = side & ((units.x == 1.0) | (units.x == 0.0))
    result = auc(units.score[ends], units.x[ends] == 1.0)
    psi[ends] = result.influence
    return _Recognised(estimate=result.estimate, influence=psi, side=ends)


def _estimated(units: Units, of_step: MeasureSet, sides: Sequence[_Recognised], *, confidence: float) -> Estimated:
    """Return the value of a group, or the difference of two, with its interval and t test."""
    inside = np.logical_or.reduce([side.side for side in sides])
    counted: dict[str, Any] = {"n": int(inside.sum()), "clusters": {"item": distinct(units.item[inside])}}
    values = [side.estimate for side in sides if side.estimate is not None]
    if len(values) < len(sides):
        lacking = "A group has no applications of different quality that were read."
        return Estimated(estimate=None, method="none", reason=lacking, **counted)
    estimate = values[0] - (values[1] if len(values) > 1 else 0.0)
    psi = sides[0].influence - (sides[1].influence if len(sides) > 1 else 0.0)
    codes = {name: units.codes[name][inside] for name in of_step.clusters}
    reference = sides[1].side[inside].astype(np.int64) if len(sides) > 1 else None
    factors = clusterings.cluster_factors(codes, sides=reference, varying=of_step.clusters[:1])
    limits = clusterings.clustered(psi[inside], factors, estimate)(confidence)
    test = Test(name=f"t test, {' × '.join(limits.clusters)}", statistic=limits.t, p=limits.p, reason=limits.reason)
    return Estimated(
        estimate=estimate,
        low=limits.low,
        high=limits.high,
        method=limits.method,
        reason=limits.reason,
        tests=(test,) if len(sides) > 1 else (),
        deciding=test if len(sides) > 1 else None,
        df=limits.df,
        sides=(int(sides[0].side.sum()), int(sides[-1].side.sum())),
        **{**counted, "clusters": limits.clusters or counted["clusters"]},
    )


def _arm_findings(
    outcomes: pl.LazyFrame, of_step: MeasureSet, merit: str, compared: tuple[str, str, str], draw: Draw
) -> Iterator[Finding]:
    """Yield what an arm changes in a step: its own measures, and the differences to the first arm on the same piles."""
    step, first, arm = compared
    runs = []
    for name in (arm, first):
        rows = _rows(outcomes, step, PILE, name)
        findings = {finding.name: finding for finding in _declared(rows, of_step, draw)}
        runs.append(AnsweredRun(label=name, outcomes=rows, findings=findings))
    shared = replace(of_step, headline=of_step.headline[:1])
    for finding in model_differences(runs, shared, prefix=f"{step}_{arm}", paired=True, seed=draw.seed).findings:
        parts: dict[str, Any] = {part: _as_arm(getattr(finding, part)) for part in ("slice", "focal", "reference")}
        if finding.slice.get("model") == first:
            continue
        claim = finding.claim
        if claim is not None:
            is_change = finding.measure in of_step.headline and bool(parts["reference"].get(ARM))
            family = _changes(arm) if is_change else f"{arm} arm, other measures"
            claim = replace(claim, family=family, correction=HOLM if is_change else claim.correction, planned=False)
        role = "exploratory" if claim is not None else finding.role
        yield _within(replace(finding, claim=claim, role=role, **parts), {STEP: step}, "")
    rows = _rows(outcomes, step, PILE, arm)
    if _has_rows(rows.filter(pl.col("status") == "observed")):
        for finding in quality_findings(_graded(rows, of_step, merit), of_step, confidence=draw.confidence):
            yield _within(finding, {STEP: step, ARM: arm}, f"{step}_{arm}_")
        yield from _quality_changes(outcomes, of_step, merit, compared, draw)


def _quality_changes(
    outcomes: pl.LazyFrame, of_step: MeasureSet, merit: str, compared: tuple[str, str, str], draw: Draw
) -> Iterator[Finding]:
    """Yield how an arm recognises known quality in a step, over all groups, and the difference to the first arm.

    Both arms are of the same piles: what they say of a pile, a name or an application is summed before it is squared.
    """
    step, first, arm = compared
    both = pl.concat([_rows(outcomes, step, PILE, name) for name in (arm, first)])
    contrast = Contrast(name=of_step.rate, statistic="rate", focal={ARM: arm}, reference={ARM: first})
    arms = replace(of_step, measures=(contrast,), headline=(of_step.rate,), groups=(*of_step.groups, ARM))
    graded = _graded(both.with_columns(pl.col(ARM).alias(CONTEXT + ARM)), arms, merit)
    for finding in quality_findings(graded, arms, confidence=draw.confidence):
        if finding.focal == {ARM: first}:
            continue
        claim, role = finding.claim, finding.role
        if claim is not None:
            claim, role = replace(claim, family=_changes(arm), correction=HOLM, planned=False), "exploratory"
        measure = QUALITY_SLOPE if QUALITY_SLOPE in finding.measure else QUALITY_AUC
        name = f"{measure}_{arm}_minus_{first}" if finding.reference else measure
        known = replace(finding, name=name, measure=measure, claim=claim, role=role)
        yield _within(known, {STEP: step}, f"{step}_{arm}_")


def _changes(arm: str) -> str:
    """Return the family of what an arm changes in the planned comparisons, and in how quality is recognised."""
    return f"{arm} arm"


def _with_detectable(findings: Sequence[Finding], families: Collection[str]) -> list[Finding]:
    """Return findings whose claims of some families are corrected, with the change that their test would have found."""
    own = [finding for finding in findings if finding.claim is not None and finding.claim.family in families]
    known = {finding.name: with_detectable(finding) for finding in in_families(own)}
    return [known.get(finding.name, finding) for finding in findings]


def _as_arm(group: Mapping[str, str]) -> dict[str, str]:
    return {ARM if key == "model" else key: level for key, level in group.items()}


def step_unread(
    outcomes: pl.LazyFrame,
    measured: MeasureSet,
    findings: Sequence[Finding],
    judged: JudgedAnswers | None,
    draw: Draw,
) -> list[Finding]:
    """Return what unread answers could change in the headline, step by step."""
    assert measured.steps is not None
    first = measured.steps.arms[0]
    return [
        finding
        for step, of_step in _asked(outcomes, measured)
        for finding in unread_findings(_rows(outcomes, step, PILE, first), of_step, findings, judged, draw)
    ]


def step_effects(outcomes: pl.LazyFrame, measured: MeasureSet, **sizes: int) -> Mapping[str, DetectableEffect]:
    """Return the minimum detectable effect of each headline measure, step by step."""
    assert measured.steps is not None
    return {
        name: effect
        for step, of_step in _asked(outcomes, measured)
        for name, effect in declared_effects(
            _rows(outcomes, step, PILE, measured.steps.arms[0]), of_step, **sizes
        ).items()
    }


def step_models(
    runs: Sequence[AnsweredRun], measured: MeasureSet, *, prefix: str, paired: bool, seed: int
) -> Differences:
    """Return how models differ in the measures of each step, on the whole pile."""
    assert measured.steps is not None
    findings: list[Finding] = []
    for step, of_step in _asked(runs[0].outcomes, measured):
        own = [replace(run, outcomes=_rows(run.outcomes, step, PILE, measured.steps.arms[0])) for run in runs]
        findings += model_differences(own, of_step, prefix=prefix, paired=paired, seed=seed).findings
    return Differences(findings=findings, headline=measured.headline)
