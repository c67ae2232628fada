"""All findings of one table of outcomes."""

from typing import Any

import polars as pl

from evenhand.findings.declared.covariate_bins import bin_findings
from evenhand.findings.declared.group_rates import group_findings
from evenhand.findings.declared.instructions import instruction_findings, template_findings
from evenhand.findings.declared.measures import declared_findings, findings_without_answers
from evenhand.findings.declared.resampled_units import ResampledUnits, resampled_units
from evenhand.findings.declared.undetected import nothing_read, statuses_of, undetected_findings
from evenhand.findings.documents.lengths import document_findings
from evenhand.findings.population.rates import population_findings
from evenhand.findings.rankings.choices import choices_of
from evenhand.findings.rankings.wins import choice_findings
from evenhand.findings.sequential import Sequential
from evenhand.findings.units import Units, units_of
from evenhand.measures import MeasureSet
from evenhand.tables.finding import Finding

__all__ = ["CONFIDENCE", "PERMUTATIONS", "RESAMPLES", "measure_outcomes", "prepared"]

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
) -> list[Finding]:
    """Return the findings of `outcomes`, headline measures first.

    `seed` fixes the resamples and permutations. If no answer was observed, the measures
    are null with that reason and the undetected rates remain. `sequential` is the
    interval of a measure that was watched while answers came.
    """
    if measured.choice is not None:
        return choice_findings(
            outcomes,
            measured,
            seed=seed,
            confidence=confidence,
            resamples=resamples,
            permutations=permutations,
            sequential=sequential,
        )
    if measured.population is not None:
        return population_findings(outcomes, measured, seed=seed, confidence=confidence, permutations=permutations)
    everyone = _everyone(outcomes, measured)
    statuses = statuses_of(outcomes, aspect=measured.aspect is not None)
    findings: list[Finding] = []
    units = everyone.measured()
    if len(units):
        drawn = resampled_units(units, measured, resamples=resamples, permutations=permutations, seed=seed)
        findings += declared_findings(drawn, measured, confidence=confidence, sequential=sequential)
        if measured.impact_ratios:
            findings += group_findings(drawn, measured, confidence=confidence)
        findings += instruction_findings(units, measured, confidence=confidence)
        findings += template_findings(drawn, measured, confidence=confidence)
        findings += bin_findings(units, measured, confidence=confidence)
    else:
        findings += findings_without_answers(measured, reason=nothing_read(statuses), confidence=confidence)
    if measured.aspect is not None:
        first = min(everyone.levels[measured.aspect])
        everyone = everyone.take(everyone.where({measured.aspect: first}))
        findings += document_findings(
            outcomes,
            everyone,
            measured,
            seed=seed,
            resamples=resamples,
            permutations=permutations,
            confidence=confidence,
        )
    findings += undetected_findings(
        everyone, statuses, measured, seed=seed, permutations=permutations, confidence=confidence
    )
    return findings


def prepared(
    outcomes: pl.LazyFrame,
    measured: MeasureSet,
    *,
    seed: int,
    resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS,
) -> ResampledUnits | None:
    """Return the units that were observed with their resampled sums; None where there are none."""
    draw: dict[str, Any] = {"resamples": resamples, "permutations": permutations, "seed": seed}
    if measured.choice is not None:
        choices = choices_of(outcomes, measured)
        items = choices.items.measured()
        return resampled_units(items, measured, ballots=choices.ballots, **draw) if len(items) else None
    units = _everyone(outcomes, measured).measured()
    return resampled_units(units, measured, **draw) if len(units) else None


def _everyone(outcomes: pl.LazyFrame, measured: MeasureSet) -> Units:
    return units_of(
        outcomes, columns=measured.columns(), against=measured.against, order=measured.order, aspect=measured.aspect
    )
