"""All findings of one table of outcomes."""

from pkgutil import resolve_name

import polars as pl

from evenhand.comparisons.claims import in_families
from evenhand.comparisons.declared import Sequential, declared_findings, findings_without_answers
from evenhand.comparisons.group_rates import bin_findings, group_findings, instruction_findings, template_findings
from evenhand.comparisons.undetected import JudgedAnswers, nothing_read, statuses_of, undetected_findings
from evenhand.comparisons.units import Draw, Units, units_of
from evenhand.comparisons.weighted_sums import ResampledUnits, resampled_units
from evenhand.results.finding import Finding
from evenhand.results.measures import MeasureSet

CONFIDENCE = 0.95
RESAMPLES = 1000
PERMUTATIONS = 999


def measure_outcomes(
    outcomes: pl.LazyFrame,
    measured: MeasureSet,
    *,
    seed: int,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS,
    sequential: Sequential | None = None,
    judged: JudgedAnswers | None = None,
) -> list[Finding]:
    """Return the findings of `outcomes`, headline measures first, their claims corrected within their families.

    `seed` fixes the resamples and permutations. If no answer was observed, the measures
    are null with that reason and the rates of unreadable answers remain. `sequential` is the
    interval of a measure that decided when sampling stopped, `judged` what a judge reads in unread answers: the
    findings on these follow all others and change none.
    """
    draw = Draw(seed=seed, confidence=confidence, resamples=resamples, permutations=permutations)
    judge = resolve_name(measured.judgement.findings)
    findings = in_families(judge(outcomes, measured, draw, sequential=sequential))
    unread = resolve_name(measured.judgement.unread)
    return [*findings, *unread(outcomes, measured, findings, judged, draw)]


def decision_findings(
    outcomes: pl.LazyFrame,
    measured: MeasureSet,
    draw: Draw,
    *,
    sequential: Sequential | None = None,
) -> list[Finding]:
    """Return the findings of decisions about one person each: declared measures first."""
    everyone, statuses = everyone_of(outcomes, measured), statuses_of(outcomes)
    return [
        *observed_findings(everyone, statuses, measured, draw, sequential=sequential),
        *undetected_findings(everyone, statuses, measured, draw),
    ]


def observed_findings(
    everyone: Units,
    statuses: pl.DataFrame,
    measured: MeasureSet,
    draw: Draw,
    *,
    sequential: Sequential | None,
) -> list[Finding]:
    """Return the findings of observed answers; without any the measures are null with that reason."""
    units, confidence = everyone.measured(), draw.confidence
    if not len(units):
        return findings_without_answers(measured, reason=nothing_read(statuses), confidence=confidence)
    drawn = resampled_units(units, measured, draw)
    return [
        *declared_findings(drawn, sequential=sequential),
        *(group_findings(drawn) if measured.impact_ratios else ()),
        *instruction_findings(units, measured, confidence=confidence),
        *template_findings(drawn),
        *bin_findings(units, measured, confidence=confidence),
    ]


def drawn_findings(outcomes: pl.LazyFrame, measured: MeasureSet, draw: Draw) -> list[Finding]:
    """Return the declared measures alone; none where nothing was read."""
    drawn = prepared(outcomes, measured, draw)
    return [] if drawn is None else declared_findings(drawn)


def prepared(outcomes: pl.LazyFrame, measured: MeasureSet, draw: Draw) -> ResampledUnits | None:
    """Return the units that were observed with their resampled sums; None where there are none."""
    units = resolve_name(measured.judgement.units)
    drawn: ResampledUnits | None = units(outcomes, measured, draw)
    return drawn


def observed_units(outcomes: pl.LazyFrame, measured: MeasureSet, draw: Draw) -> ResampledUnits | None:
    """Return the units that were observed, each judged by itself, with their resampled sums."""
    units = everyone_of(outcomes, measured).measured()
    return resampled_units(units, measured, draw) if len(units) else None


def everyone_of(outcomes: pl.LazyFrame, measured: MeasureSet) -> Units:
    """Return all units, with or without a judgement."""
    return units_of(
        outcomes,
        columns=measured.columns(),
        against=measured.against,
        order=measured.order,
        aspect=measured.aspect,
        scored=measured.scored is not None,
    )
