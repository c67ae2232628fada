"""The findings of a perturbation test as its page tells them."""

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.tables.audit.perturb import PLACEBO, PerturbAudit
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import (
    CUTOFF,
    DIFFERENCE,
    LEFT_OUT,
    RANK_CHANGE,
    SCORE_DIFFERENCE,
    SELECTION_RATE,
    UNDETECTED_ATTEMPTS,
)

__all__ = ["PerturbGroups", "perturb_groups"]


@dataclass(frozen=True, kw_only=True)
class PerturbGroups:
    """Differences over all positions and in each, the placebo apart; decisions, ranks, and what is lacking.

    Differences are in the order of the kinds of arms. `left_out` and `unread` begin with those of all.
    """

    differences: tuple[Finding, ...]
    placebos: tuple[Finding, ...]
    single: tuple[Finding, ...]
    cutoff: Finding | None
    flips: tuple[Finding, ...]
    moves: tuple[Finding, ...]
    unread: tuple[Finding, ...]
    unread_differences: tuple[Finding, ...]
    left_out: tuple[Finding, ...]

    @property
    def whole(self) -> tuple[Finding, ...]:
        """Return all differences over all positions, the placebos last."""
        return (*self.differences, *self.placebos)


def perturb_groups(findings: Sequence[Finding], audit: PerturbAudit) -> PerturbGroups:
    """Return the findings of a perturbation test by what they tell."""
    kinds = {kind: place for place, kind in enumerate(audit.arms)}
    ordered = sorted(findings, key=lambda each: kinds.get(each.slice.get("arm", ""), len(kinds)))

    def of(measure: str) -> tuple[Finding, ...]:
        return tuple(each for each in ordered if each.measure == measure)

    def told(measure: str) -> tuple[Finding, ...]:
        return tuple(each for each in findings if each.measure == measure)

    scores = of(SCORE_DIFFERENCE)
    whole = [each for each in scores if "position" not in each.slice]
    return PerturbGroups(
        differences=tuple(each for each in whole if each.slice.get("arm") != PLACEBO),
        placebos=tuple(each for each in whole if each.slice.get("arm") == PLACEBO),
        single=tuple(each for each in scores if "position" in each.slice),
        cutoff=next(iter(of(CUTOFF)), None),
        flips=of(f"{DIFFERENCE}{SELECTION_RATE}"),
        moves=of(RANK_CHANGE),
        unread=told(UNDETECTED_ATTEMPTS),
        unread_differences=of(f"{DIFFERENCE}{UNDETECTED_ATTEMPTS}"),
        left_out=told(LEFT_OUT),
    )
