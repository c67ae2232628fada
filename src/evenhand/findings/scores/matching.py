"""How well scores of pairs rank and fit what happened, over all pairs and by group."""

import numpy as np
import polars as pl

from evenhand.stats import auc, brier
from evenhand.tables.audit.applicants.match import EvaluatedGroup
from evenhand.tables.schemas import PROTECTED

__all__ = ["evaluated_groups"]


def evaluated_groups(outcomes: pl.DataFrame, *, score: str, model: str) -> list[EvaluatedGroup]:
    """Return how the scores of a column do, over all pairs first, then for each group of each attribute.

    Outcomes have `item` (the person), `label` and columns of protected attributes; people are the clusters.
    """
    found = [_evaluated(outcomes, score, model=model, attribute="", group="")]
    for column in outcomes.columns:
        if column.startswith(PROTECTED):
            for group, own in sorted(outcomes.drop_nulls(column).partition_by(column, as_dict=True).items()):
                name = column.removeprefix(PROTECTED)
                found.append(_evaluated(own, score, model=model, attribute=name, group=str(group[0])))
    return found


def _evaluated(own: pl.DataFrame, column: str, *, model: str, attribute: str, group: str) -> EvaluatedGroup:
    score, label = own[column].to_numpy(), own["label"].to_numpy()
    person = own["item"].cast(pl.Categorical).to_physical().to_numpy()
    ranked = auc(score, label, cluster=person)
    return EvaluatedGroup(
        model=model,
        attribute=attribute,
        group=group,
        n=own.height,
        positive=int(np.count_nonzero(label)),
        people=own["item"].n_unique(),
        auc=ranked.estimate,
        auc_low=ranked.low,
        auc_high=ranked.high,
        mean_score=float(score.mean()),
        brier=brier(score, label).estimate,
        reason=ranked.reason,
        method=ranked.method,
    )
