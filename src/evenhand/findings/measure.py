"""All findings of one table of outcomes."""

import polars as pl

from evenhand.findings.bins import bin_findings
from evenhand.findings.declared import declared_findings, findings_without_answers
from evenhand.findings.group_rates import group_findings
from evenhand.findings.instructions import instruction_findings
from evenhand.findings.sample import draw_sample
from evenhand.findings.undetected import statuses_of, undetected_findings
from evenhand.findings.units import units_of
from evenhand.measures import MeasureSet
from evenhand.tables.finding import Finding

__all__ = ["CONFIDENCE", "PERMUTATIONS", "RESAMPLES", "measure_outcomes"]

CONFIDENCE = 0.95
RESAMPLES = 1000
PERMUTATIONS = 999


def measure_outcomes(
    outcomes: pl.LazyFrame,
    declared: MeasureSet,
    *,
    seed: int,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS,
) -> list[Finding]:
    """Return the findings of `outcomes`, headline measures first.

    `seed` fixes the resamples and permutations. If no answer was observed, the measures
    are null with that reason and the undetected rates remain.
    """
    columns = tuple(
        dict.fromkeys(
            [
                *declared.groups,
                *declared.slices,
                *declared.clusters,
                *([declared.instruction] if declared.instruction else []),
            ]
        )
    )
    everyone = units_of(outcomes, columns=columns, against=declared.against, order=declared.order)
    units = everyone.measured()
    statuses = statuses_of(outcomes)
    findings: list[Finding] = []
    if len(units):
        sample = draw_sample(
            units,
            groups=declared.groups,
            slices=declared.slices,
            carrier=declared.clusters[0],
            resamples=resamples,
            permutations=permutations,
            seed=seed,
        )
        findings += declared_findings(sample, declared, confidence=confidence)
        findings += group_findings(sample, declared, confidence=confidence)
        findings += instruction_findings(units, declared, confidence=confidence)
        findings += bin_findings(units, declared, confidence=confidence)
    else:
        findings += findings_without_answers(declared, reason=_nothing_read(statuses), confidence=confidence)
    findings += undetected_findings(
        everyone, statuses, declared, seed=seed, permutations=permutations, confidence=confidence
    )
    return findings


def _nothing_read(statuses: pl.DataFrame) -> str:
    """Return why nothing was measured: what the answers were instead."""
    counts = statuses.group_by("status").agg(pl.col("n").sum()).sort("status")
    kinds = ", ".join(f"{n:,} {status}" for status, n in counts.iter_rows())
    return f"None of the {counts['n'].sum():,} answers states a decision: {kinds}."
