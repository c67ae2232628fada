"""The card of a matcher, after Mitchell et al. (2019): what it is, for what, trained and judged on what, and how."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from evenhand.matching.training.trained import Trained
from evenhand.runs.options.scores.match import TrainOptions
from evenhand.tables.audit.applicants.match import FeatureRow
from evenhand.tables.audit.written import as_json

__all__ = ["CARD_WORDS", "card_of"]

#: What bench/RESULTS.md has of masking, of 120 real résumés.
MISSED: Final = (
    "On 120 real résumés a part of the name was left in 0 of 111 where the name was given and in 8 of 111 where it was "
    "not; of 29 words that tell gender, ethnicity, religion, disability, marital status or orientation 4 were left; "
    "of 39 addresses 13, of 9 dates of birth 6."
)
CARD_WORDS: Final[Mapping[str, str]] = {
    "intended_use": "To order people for a position, or positions for a person, for somebody who decides. A reference "
    "to audit and to compare other scores with.",
    "not_intended": "To reject people without anybody looking, or to judge a person apart from a position.",
    "masking": f"All features are made of masked texts, every optional category masked. {MISSED}",
    "groups": "Groups enter training through the loss and through the rule that stops it; no score and no cut-off "
    "depends on a group. Choosing a penalty by group is a decision about groups all the same: it may be looked at as "
    "disparate treatment (42 U.S.C. 2000e-2(a), (l); Ricci v. DeStefano, 557 U.S. 557). Have counsel weigh it.",
}


def card_of(
    trained: Trained,
    options: TrainOptions,
    *,
    counts: Mapping[str, Any],
    evaluation: Sequence[Mapping[str, Any]],
    vetting: Sequence[Mapping[str, Any]],
    features: Sequence[FeatureRow],
) -> dict[str, Any]:
    """Return the card as plain values."""
    card = {
        "details": {
            "kind": "additive gradient-boosted trees, one feature each; isotonic or Platt calibration",
            "seed": options.seed,
            "fairness": options.fairness,
            "loss": "log loss + fairness × squared difference of mean scores between groups",
            "stopped_by": "AUC of the worst group on the validation pairs",
        },
        **CARD_WORDS,
        "data": counts,
        "features": features,
        "frontier": trained.frontier,
        "evaluation": evaluation,
        "vetting": vetting,
        "reference": "Mitchell et al. (2019), Model Cards for Model Reporting, FAT* '19, 220-229",
    }
    found: dict[str, Any] = as_json(card)
    return found
