"""Criteria that cannot hold together: two groups of different base rates, with their numbers."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from evenhand.findings.impact.references import FLOOR_PEOPLE
from evenhand.findings.scores.evaluation.judged import Judged, Parts
from evenhand.findings.scores.evaluation.measured import Measured
from evenhand.stats import fisher_exact, rate_at_other_base, z_test
from evenhand.tables.audit.applicants.evaluate import Tension
from evenhand.tables.grouped.names import AUC, BASE_RATE, FNR, FPR, PRECISION, SELECTION_RATE, TPR

__all__ = ["tension"]

LEVEL = 0.05


def tension(parts: Parts, own: Sequence[Mapping[str, Measured]], *, probabilities: bool) -> Tension | None:
    """Return the two groups of 30 people or more whose base rates differ most surely; None where they may be alike.

    None, too, where the score makes no errors: then everything holds together.
    """
    large = [group for group, part in enumerate(parts.parts) if part.people >= FLOOR_PEOPLE]
    pairs = list(combinations(large, 2))
    if not pairs:
        return None
    counts = np.array([[(own[group][BASE_RATE].hits, own[group][BASE_RATE].of) for group in pair] for pair in pairs])
    compared = counts.transpose(1, 2, 0).reshape(4, -1)
    surest = int(np.argmax(np.abs(np.nan_to_num(z_test(*compared).statistic))))
    p = fisher_exact(*(int(count) for count in compared[:, surest])).p
    rates = {group: own[group][BASE_RATE].estimate or 0.0 for group in pairs[surest]}
    high, low = sorted(pairs[surest], key=lambda group: -rates[group])
    if p is None or p >= LEVEL or all(own[group][AUC].estimate == 1 for group in (high, low)):
        return None

    decided = any(own[group][SELECTION_RATE].hits for group in (high, low) if SELECTION_RATE in own[group])

    def value(measure: str, group: int) -> float | None:
        return own[group][measure].estimate if decided else None  # errors of nobody selected are alike, and say nothing

    precision, tpr = value(PRECISION, low), value(TPR, low)
    expected = None
    if precision is not None and tpr is not None:
        expected = rate_at_other_base(rates[high], precision, tpr)
    means = {group: _means(parts.parts[group]) if probabilities else (None, None) for group in (high, low)}
    return Tension(
        attribute=parts.attributes[0],
        group=parts.groups[high][0],
        reference=parts.groups[low][0],
        base_rate=rates[high],
        base_rate_reference=rates[low],
        precision=value(PRECISION, high),
        precision_reference=precision,
        fpr=value(FPR, high),
        fpr_reference=value(FPR, low),
        fnr=value(FNR, high),
        fnr_reference=value(FNR, low),
        fpr_if_equal=expected,
        mean_score_positive=means[high][0],
        mean_score_positive_reference=means[low][0],
        mean_score_negative=means[high][1],
        mean_score_negative_reference=means[low][1],
    )


def _means(part: Judged) -> tuple[float | None, float | None]:
    """Return the mean score of those with the outcome, and of those without it."""
    found = []
    for own in (part.label, ~part.label):
        n = part.n[own]
        found.append(float(np.average(part.score[own], weights=n)) if n.sum() else None)
    return found[0], found[1]
