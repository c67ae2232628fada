"""What is left of a difference within positions: a reversal, nothing significant, or the same."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.report.impact.comparison import selected_by, significance
from evenhand.report.impact.views import (
    ODDS_APART,
    four_fifths_text,
    is_significant,
    named_group,
    p_told,
    share_text,
    short_ratio,
    test_p,
    unadjusted_p,
)
from evenhand.report.words.numbers import SIGNIFICANCE, counted
from evenhand.report.words.wording import capital, in_words, listing
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.details import ImpactRatio, PooledOdds
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.impact import Definition, ImpactGroups

__all__ = ["MANTEL_HAENSZEL", "Reversal", "reversal_sentences", "reversals", "within_sentence"]

MANTEL_HAENSZEL = "Mantel-Haenszel"
#: Groups named in a sentence.
MOST_NAMED = 3


@dataclass(frozen=True, kw_only=True)
class Reversal:
    """Groups of which all applicants together say another thing than the positions do.

    `compared` is the number of groups compared within positions, whose p is not adjusted.
    """

    definition: Definition
    whole: Finding
    within: Finding
    compared: int


def reversals(groups: ImpactGroups) -> list[Reversal]:
    """Return where positions contradict all applicants together, the largest contradiction first.

    They do where the other group is ahead within positions and one of both differences is significant, and where
    one of them is significant and the other is not. Within positions p is not adjusted: what only they show has to
    pass .05 divided by the number of groups compared.
    """
    found = [
        Reversal(definition=view.definition, whole=whole, within=within, compared=len(view.known))
        for view in groups.first_pooled
        for within in view.known
        for whole in groups.overall.get(within.name, ())
        if whole.reference == within.reference and _contradicts(whole, within, compared=len(view.known))
    ]
    return sorted(found, key=lambda each: (not PooledOdds.of(each.within).simpson, each.whole.p_adjusted or 1.0))


def _contradicts(whole: Finding, within: Finding, *, compared: int) -> bool:
    p = test_p(within, MANTEL_HAENSZEL)
    if whole.estimate is None or whole.p_adjusted is None or p is None:
        return False
    pooled, only_within = bool(is_significant(whole)), p < SIGNIFICANCE / compared
    if PooledOdds.of(within).simpson:
        return pooled or only_within
    hidden = only_within and (unadjusted_p(whole) or 0.0) >= SIGNIFICANCE
    return hidden or (pooled and p >= SIGNIFICANCE)


def _significant(within: Finding) -> bool:
    p = test_p(within, MANTEL_HAENSZEL)
    return p is not None and p < SIGNIFICANCE


def reversal_sentences(found: Reversal, audit: ImpactAudit) -> list[str]:
    """Return the reversal first, then the numbers of all applicants together and those within positions."""
    whole, within = found.whole, found.within
    details = ImpactRatio.of(whole)
    column = in_words(str(audit.parameters.get("position") or ""))
    strata = counted(PooledOdds.of(within).strata or 0, "position")
    of = f"{strata} ({column})" if column not in {"", "position"} else strata
    focal, reference = named_group(whole.focal), named_group(whole.reference)
    behind = (whole.estimate or 0.0) < 1
    opposite = bool(PooledOdds.of(within).simpson)
    often = "less" if behind else "more"
    start = capital(f"{selected_by(found.definition, audit)}pooled over {of}")
    if is_significant(whole):
        turn = _turn(behind, opposite=opposite, significant=_significant(within))
        first = f"{start}, {focal} was selected {often} often than {reference}; within positions {turn}"
    else:
        often = "less" if behind != opposite else "more"
        first = (
            f"{start}, there is no statistically significant difference between {focal} and {reference}; "
            f"within positions {focal} was selected {often} often"
        )
    rates = f"{share_text(details.rate_focal)} against {share_text(details.rate_reference)}"
    return [
        first + (" (Simpson's paradox)." if opposite else "."),
        f"Pooled: {rates}, impact ratio {short_ratio(whole, level=True)}, {four_fifths_text(details.four_fifths)}, "
        f"{significance(whole)}.",
        f"Within positions: {_odds(within, compared=found.compared)}.",
    ]


def _turn(behind: bool, *, opposite: bool, significant: bool) -> str:  # noqa: FBT001 - a direction
    if not significant:
        return "it was not" if opposite else "no statistically significant difference is left"
    return f"it was selected {'more' if behind else 'less'} often"


def _odds(within: Finding, *, compared: int) -> str:
    """Return the odds ratio over all positions with its test."""
    p = p_told(test_p(within, MANTEL_HAENSZEL)) + (", not adjusted" if compared > 1 else "")
    return (
        f"common odds ratio {short_ratio(within, ODDS_APART, level=True)}, {'' if _significant(within) else 'not '}"
        f"statistically significant ({MANTEL_HAENSZEL} {p})"
    )


def within_sentence(groups: ImpactGroups) -> str:
    """Return the common odds ratios of groups whose difference is significant both pooled and within positions."""
    kept = [
        within
        for view in groups.first_pooled
        for within in view.known
        for whole in groups.overall.get(within.name, ())
        if is_significant(whole) and _significant(within) and not PooledOdds.of(within).simpson
    ]
    if not kept:
        return ""
    return f"Within positions {_remaining(kept)}."


def _remaining(kept: Sequence[Finding]) -> str:
    named = [
        f"{short_ratio(each, ODDS_APART, level=place == 0)} for {named_group(each.focal)}"
        for place, each in enumerate(kept)
    ]
    said = "the difference remains" if len(kept) == 1 else "the differences remain"
    return f"{said}: common odds ratio {listing(named[:MOST_NAMED])}"
