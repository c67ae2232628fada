"""What `evenhand evaluate` finds of a matcher's test pairs, and `evenhand features` of the features of its pairs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from evenhand.commands.features.run import vetted
from evenhand.commands.match.labelled import Labelled
from evenhand.findings.impact.references import REFERENCE_FLOOR, References
from evenhand.findings.scores.evaluation.compared import Choices
from evenhand.findings.scores.evaluation.findings import Asked, evaluate
from evenhand.findings.scores.features.rules import Rule
from evenhand.hiring.predictions import PredictionQuery, read_predictions
from evenhand.intake.tables import open_table
from evenhand.matching.features.declared import FEATURES, NAMES
from evenhand.matching.training.trained import Trained
from evenhand.runs.options.scores.features import FeatureOptions
from evenhand.runs.options.scores.match import TrainOptions
from evenhand.runs.records.scores.features import Vetted
from evenhand.tables.finding import Finding
from evenhand.tables.schemas import PROTECTED

__all__ = ["evaluated", "told_in_card", "vetted_pairs"]

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


def vetted_pairs(trained: Trained, labelled: Labelled, options: TrainOptions) -> Vetted:
    """Return the vetting of the features that training uses, of one pair per person, drawn, so that rows are people."""
    pairs = labelled.pairs
    drawn = np.random.default_rng(options.seed).permutation(len(pairs.people))
    rows = np.sort(drawn[np.unique(pairs.people[drawn], return_index=True)[1]])
    used = [each for each in FEATURES if each.name not in options.without]
    groups = {
        name: [None if group < 0 else labelled.levels[name][group] for group in own[rows]]
        for name, own in pairs.groups.items()
    }
    frame = pl.DataFrame(
        {
            **{each.name: trained.features[rows, NAMES.index(each.name)] for each in used},
            **{name: pl.Series(own, dtype=pl.String) for name, own in groups.items()},
            options.label: pairs.label[rows] > 0,
        }
    ).with_columns(pl.col(pl.Float32).fill_nan(None))
    rules = tuple(Rule(feature=each.name, name="monotone", rising=each.monotone > 0) for each in used if each.monotone)
    asked = FeatureOptions(protected=tuple(groups), label=options.label, seed=options.seed)
    return vetted(frame, asked, rules=rules)[0]


def told_in_card(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return findings as the card keeps them."""
    kept = ("name", "estimate", "low", "high", "n", "method", "reason")
    return [{name: getattr(each, name) for name in kept} for each in findings]
