"""Findings about choices: win rates, ranks, slots, and candidates that answers leave out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from evenhand.comparisons.clusterings import rate_interval_of
from evenhand.comparisons.declared import Sequential, declared_findings, findings_without_answers
from evenhand.comparisons.group_rates import group_findings
from evenhand.comparisons.undetected import choice_undetected_findings, nothing_read, statuses_of_choices
from evenhand.comparisons.units import Choices, Draw, Mask, Units, choices_of
from evenhand.comparisons.weighted_sums import ResampledUnits, resampled_units
from evenhand.results.finding import Finding, Test, copied
from evenhand.results.measures import MEAN_RANK, UNRANKED_RATE, WIN_RATE, WIN_RATE_RANGE, MeasureSet
from evenhand.stats import wald_test


def choice_findings(
    outcomes: pl.LazyFrame,
    measured: MeasureSet,
    draw: Draw,
    *,
    sequential: Sequential | None = None,
) -> list[Finding]:
    """Return the findings of choices: declared measures first, then those of candidates."""
    choices = choices_of(outcomes, measured)
    confidence = draw.confidence
    statuses = statuses_of_choices(outcomes)
    items = choices.items.measured()
    if not len(items):
        findings = findings_without_answers(measured, reason=nothing_read(statuses), confidence=confidence)
    else:
        drawn = resampled_units(items, measured, draw, ballots=choices.ballots)
        findings = declared_findings(drawn, sequential=sequential)
        findings.append(_expected(choices, measured, confidence=confidence))
        columns = dict.fromkeys([*measured.groups, *(measured.choice or {}), measured.clusters[0]])
        candidates = _with_items(choices.candidates.measured(), tuple(columns))
        findings += _win_findings(candidates, choices, measured, draw)
        findings += _rank_findings(candidates, choices, measured, draw)
        findings += _position_findings(choices, measured, confidence=confidence)
        findings += _unranked_findings(candidates, choices, measured, draw)
    findings += choice_undetected_findings(choices.items, statuses, measured, draw)
    return findings


def observed_items(outcomes: pl.LazyFrame, measured: MeasureSet, draw: Draw) -> ResampledUnits | None:
    """Return the items whose choices were observed, with their resampled sums; None where there are none."""
    choices = choices_of(outcomes, measured)
    items = choices.items.measured()
    return resampled_units(items, measured, draw, ballots=choices.ballots) if len(items) else None


def _with_items(candidates: Units, columns: Sequence[str]) -> Units:
    """Return candidates with these columns only, their item as a cluster column like the name."""
    return replace(
        candidates,
        codes={**{name: candidates.codes[name] for name in columns}, "item": candidates.item},
        levels={**{name: candidates.levels[name] for name in columns}, "item": ()},
    )


def _expected(choices: Choices, measured: MeasureSet, *, confidence: float) -> Finding:
    """Return the share of candidates of the focal group: the chance value."""
    return Finding(
        name="focal_share_of_candidates",
        measure="focal_share_of_candidates",
        focal=dict(measured.choice or {}),
        estimate=choices.focal_share,
        confidence=confidence,
        n=choices.ballots.item.size,
        clusters={"item": len(choices.items)},
        method="count",
        role="descriptive",
        reason=None if choices.focal_share is not None else "No candidate's group is known.",
    )


def _of_candidates(measured: MeasureSet, groups: tuple[str, ...]) -> dict[str, Any]:
    """Return how the measures of single candidates differ: names and items are their crossed clusters."""
    return {"choice": None, "groups": groups, "clusters": (measured.clusters[0], "item")}


def _win_findings(candidates: Units, choices: Choices, measured: MeasureSet, draw: Draw) -> Iterator[Finding]:
    """Yield win rates and impact ratios of the groups that compete with each other.

    Within a prompt one candidate wins, so the groups are not independent: intervals
    cross names with items, the common test is Hotelling's on items, and no 2 × 2 table is tested.
    """
    if not choices.mixed:
        return
    own_measures = measured.of_groups(WIN_RATE, **_of_candidates(measured, choices.mixed))
    drawn = resampled_units(candidates, own_measures, draw)
    yield from group_findings(drawn, choice=choices.ballots.choice)
    groups = candidates.groups(choices.mixed)
    if len(groups) < 2:
        return
    masks = [candidates.where(group) for group in groups]
    rates = [float(candidates.score[mask].mean()) for mask in masks]
    yield _range(WIN_RATE_RANGE, f"all {len(groups)} groups", groups, rates, masks, choices, draw.confidence)


def _range(  # noqa: PLR0917 - who is compared, and on which ballots
    name: str,
    everyone: str,
    groups: Sequence[dict[str, str]],
    rates: Sequence[float],
    masks: Sequence[Mask],
    choices: Choices,
    confidence: float,
) -> Finding:
    """Return the highest minus the lowest win rate, with the test that all win equally often."""
    ballots = choices.ballots
    # Each candidate's part in its group's wins beyond an equal share of the prompt.
    psi = np.stack([np.where(mask, ballots.residual, 0.0) for mask in masks], axis=1)
    difference = psi.sum(axis=0)
    test = wald_test(difference, psi - difference / len(psi), ballots.item)
    called = f"{everyone} win equally often, Hotelling's T² on items"
    return Finding(
        name=name,
        measure=name,
        focal=groups[int(np.argmax(rates))],
        reference=groups[int(np.argmin(rates))],
        estimate=max(rates) - min(rates),
        confidence=confidence,
        n=ballots.item.size,
        clusters={"item": test.clusters},
        method="highest minus lowest win rate",
        role="exploratory",
        tests=(Test(name=called, **copied(test, "statistic p reason")),),
    )


def _rank_findings(candidates: Units, choices: Choices, measured: MeasureSet, draw: Draw) -> Iterator[Finding]:
    """Yield mean ranks per group and their difference, from complete rankings only.

    A candidate that an answer leaves out has no rank; rankings with gaps would compare
    the named ones of one group with the named ones of another.
    """
    ballots = choices.ballots
    rank = ballots.rank
    ranked = np.isfinite(rank).astype(np.float64)
    complete = np.bincount(ballots.choice, weights=ranked)[ballots.choice] == ballots.size
    focal, reference = _sides(choices, measured)
    changes = _of_candidates(measured, tuple(focal))
    own_measures = measured.of_groups(MEAN_RANK, focal, reference, measured_in="rank", **changes)
    if not complete.any():
        reason = f"No answer ranks all candidates; {int(ranked.sum()):,} of {ranked.size:,} candidates were named."
        yield from findings_without_answers(own_measures, reason=reason, confidence=draw.confidence)
        return
    chosen = replace(candidates, score=rank, successes=rank).take(complete)
    yield from declared_findings(resampled_units(chosen, own_measures, draw))


def _sides(choices: Choices, measured: MeasureSet) -> tuple[dict[str, str], dict[str, str]]:
    """Return the focal group and the one that it is compared with: the other level."""
    ((column, level),) = (measured.choice or {}).items()
    others = [other for other in choices.ballots.levels[column] if other != level]
    return {column: level}, {column: others[0] if others else f"not {level}"}


def _position_findings(choices: Choices, measured: MeasureSet, *, confidence: float) -> Iterator[Finding]:
    """Yield how often each slot of the prompt wins, with the test that all slots win alike."""
    ballots = choices.ballots
    if "slot" not in ballots.levels:
        return
    candidates = _with_items(choices.candidates.measured(), ("slot", measured.clusters[0]))
    slots = sorted((group["slot"] for group in candidates.groups(("slot",))), key=lambda slot: (len(slot), slot))
    masks = [candidates.where({"slot": slot}) for slot in slots]
    rates: list[float] = []
    by: dict[str, Any] = {"confidence": confidence, "clusters": (measured.clusters[0], "item")}
    for slot, mask in zip(slots, masks, strict=True):
        interval = rate_interval_of(candidates.take(mask), **by)
        rates.append(interval["estimate"])
        yield Finding(
            name=f"position_{slot}_{WIN_RATE}",
            measure=f"position_{WIN_RATE}",
            slice={"slot": slot},
            confidence=confidence,
            role="descriptive",
            **interval,
        )
    groups = [{"slot": slot} for slot in slots]
    yield _range(f"position_{WIN_RATE_RANGE}", f"all {len(slots)} slots", groups, rates, masks, choices, confidence)


def _unranked_findings(candidates: Units, choices: Choices, measured: MeasureSet, draw: Draw) -> Iterator[Finding]:
    """Yield how often candidates are left out of rankings that were read, per group, with a test."""
    focal, reference = _sides(choices, measured)
    own_measures = measured.of_groups(UNRANKED_RATE, focal, reference, **_of_candidates(measured, tuple(focal)))
    missing = np.isnan(choices.ballots.rank).astype(np.float64)
    chosen = replace(candidates, score=missing, successes=missing)
    yield from declared_findings(resampled_units(chosen, own_measures, draw))
