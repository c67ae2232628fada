"""Findings about documents: their terms, how long they are, and how often none is written."""

import polars as pl

from evenhand.findings.declared.undetected import statuses_of, undetected_findings
from evenhand.findings.documents.lengths import length_findings
from evenhand.findings.measure import everyone_of, judged_findings
from evenhand.findings.sequential import Sequential
from evenhand.measures import MeasureSet
from evenhand.tables.finding import Finding

__all__ = ["document_findings"]


def document_findings(
    outcomes: pl.LazyFrame,
    measured: MeasureSet,
    *,
    seed: int,
    confidence: float,
    resamples: int,
    permutations: int,
    sequential: Sequential | None = None,
) -> list[Finding]:
    """Return the findings of documents, which have a row for each aspect: declared measures first."""
    aspects, statuses = everyone_of(outcomes, measured), statuses_of(outcomes, aspect=True)
    draw = {"resamples": resamples, "permutations": permutations, "seed": seed}
    column = measured.aspect or ""
    documents = aspects.take(aspects.where({column: min(aspects.levels[column])}))
    return [
        *judged_findings(aspects, statuses, measured, draw, confidence=confidence, sequential=sequential),
        *length_findings(outcomes, documents, measured, confidence=confidence, **draw),
        *undetected_findings(
            documents, statuses, measured, seed=seed, permutations=permutations, confidence=confidence
        ),
    ]
