"""What `evenhand evaluate` finds of a matcher's test pairs."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from evenhand.findings.impact.references import REFERENCE_FLOOR, References
from evenhand.findings.scores.evaluation.compared import Choices
from evenhand.findings.scores.evaluation.findings import Asked, evaluate
from evenhand.hiring.predictions import PredictionQuery, read_predictions
from evenhand.intake.tables import open_table
from evenhand.tables.finding import Finding
from evenhand.tables.schemas import PROTECTED

__all__ = ["evaluated", "told_in_card"]

_LABEL, _SCORE, _PERSON = "label ", "score ", "person "  # as no column of a user's is called


def evaluated(outcomes: pl.DataFrame) -> list[Finding]:
    """Return the findings of test pairs by group: ranking, calibration, differences; people are the clusters."""
    attributes = [name for name in outcomes.columns if name.startswith(PROTECTED)]
    bare = {name: name.removeprefix(PROTECTED) for name in attributes}
    frame = outcomes.select("label", "score", "item", *attributes).rename(
        {"label": _LABEL, "score": _SCORE, "item": _PERSON, **bare}
    )
    query = PredictionQuery(label=_LABEL, score=_SCORE, protected=tuple(bare.values()), cluster=_PERSON)
    with open_table(frame) as table:
        predictions = read_predictions(table, query)
    asked = Asked(
        attributes=predictions.attributes,
        by=(),
        levels=predictions.levels,
        choices=Choices(references=References(floor=REFERENCE_FLOOR)),
        probabilities=True,
        ranked=False,
        at_least=False,
    )
    return evaluate(predictions.rows, asked).findings


def told_in_card(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return findings as the card keeps them."""
    return [
        {
            "name": each.name,
            "estimate": each.estimate,
            "low": each.low,
            "high": each.high,
            "n": each.n,
            "method": each.method,
            "reason": each.reason,
        }
        for each in findings
    ]
