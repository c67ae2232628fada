"""Whom scores select: above a cut-off, and ahead of others for the same position."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from evenhand.findings.declared.group_rates import group_findings
from evenhand.findings.declared.measures import declared_findings, finding_of
from evenhand.findings.declared.resampled_units import resampled_units
from evenhand.findings.measure import everyone_of
from evenhand.findings.scores.differences import group_mean, score_difference
from evenhand.measures import Contrast, MeasureSet, Summary
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import CUTOFF, DIFFERENCE, OUTRANKED, SELECTION_RATE
from evenhand.tables.schemas import CONTEXT

__all__ = ["rank_findings", "selection_findings"]

OBSERVED = pl.col("status") == "observed"


def selection_findings(
    outcomes: pl.LazyFrame, measured: MeasureSet, *, seed: int, resamples: int, permutations: int, confidence: float
) -> Iterator[Finding]:
    """Yield the cut-off, how often each group scores above it, and the impact ratios.

    Without a cut-off of the user's it is the median of all scores, strictly above it: the scoring rate of
    New York's Local Law 144.
    """
    assert measured.scored is not None
    scores = outcomes.filter(OBSERVED).select("score").collect()["score"].to_numpy()
    given = measured.scored.cutoff
    cutoff = float(np.median(scores)) if given is None else given
    yield Finding(
        name=CUTOFF,
        measure=CUTOFF,
        role="descriptive",
        estimate=cutoff,
        confidence=confidence,
        measured_in="points",
        n=scores.size,
        clusters={},
        method="median of all scores" if given is None else "as given",
    )
    judged = outcomes.with_columns(
        pl.when(OBSERVED).then((pl.col("score") > cutoff).cast(pl.Int32)).alias("successes"),
        pl.when(OBSERVED).then(pl.lit(1, pl.Int32)).alias("trials"),
    )
    own = _selecting(measured)
    units = everyone_of(judged, own).measured()
    drawn = resampled_units(units, own, resamples=resamples, permutations=permutations, seed=seed)
    yield from declared_findings(drawn, own, confidence=confidence)
    yield from group_findings(drawn, own, confidence=confidence)


def rank_findings(
    outcomes: pl.LazyFrame, measured: MeasureSet, *, seed: int, permutations: int, confidence: float
) -> Iterator[Finding]:
    """Yield which share of a position's other candidates each group is scored above, ties counting half."""
    assert measured.scored is not None
    contrast = _first_contrast(measured)
    if contrast is None:
        return
    position = CONTEXT + measured.scored.ranked_within
    n = pl.len().over(position)
    ahead = (pl.col("score").rank("average").over(position) - 1) / (n - 1)
    ranked = outcomes.filter(OBSERVED).with_columns(pl.when(n > 1).then(ahead).alias("score"))
    ranked = ranked.filter(pl.col("score").is_not_null())
    if not ranked.select(pl.len()).collect().item():
        return
    units = everyone_of(ranked, measured).measured()
    for group in (contrast.focal, contrast.reference):
        name = f"{OUTRANKED}_{'_'.join(group.values())}"
        summary = Summary(name=name, statistic="rate", group=group)
        found = group_mean(units, summary, {}, measured, confidence=confidence)
        yield finding_of(summary, found, measured, {}, confidence=confidence)
    difference = replace(contrast, name=f"{DIFFERENCE}{OUTRANKED}", measured_in="share")
    found = score_difference(
        units, difference, {}, measured, seed=seed, permutations=permutations, confidence=confidence
    )
    yield finding_of(difference, found, measured, {}, confidence=confidence)


def _first_contrast(measured: MeasureSet) -> Contrast | None:
    return next((measure for measure in measured.measures if isinstance(measure, Contrast)), None)


def _selecting(measured: MeasureSet) -> MeasureSet:
    """Return what is measured of decisions: the share above the cut-off, of each group and as a difference."""
    contrast = _first_contrast(measured)
    sides = () if contrast is None else (contrast.focal, contrast.reference)
    measures = (
        *(Summary(name=f"{SELECTION_RATE}_{'_'.join(side.values())}", statistic="rate", group=side) for side in sides),
        *((replace(contrast, name=f"{DIFFERENCE}{SELECTION_RATE}", measured_in="share"),) if contrast else ()),
    )
    return replace(
        measured, rate=SELECTION_RATE, measures=measures, headline=(), overall=None, slices=(), bands={}, scored=None
    )
