"""How long the documents are, and how often none is written, per group."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from evenhand.findings.declared.measures import declared_findings
from evenhand.findings.declared.resampled_units import resampled_units
from evenhand.findings.units import Units
from evenhand.measures import Contrast, MeasureSet, Summary
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import DOCUMENT_LENGTH, REFUSED_RATE

__all__ = ["length_findings"]


def length_findings(
    outcomes: pl.LazyFrame,
    everyone: Units,
    measured: MeasureSet,
    *,
    seed: int,
    resamples: int,
    permutations: int,
    confidence: float,
) -> Iterator[Finding]:
    """Yield mean length in words and refusal rate per group, and their differences.

    `everyone` are the documents in the order of the outcomes, one unit each.
    """
    contrast = next((measure for measure in measured.measures if isinstance(measure, Contrast)), None)
    if contrast is None:
        return
    draw: dict[str, Any] = {"resamples": resamples, "permutations": permutations, "seed": seed}
    summed = (
        outcomes.filter(pl.col("aspect") == pl.col("aspect").min())
        .group_by("item", "unit", maintain_order=True)
        .agg(pl.col("score").mean(), (pl.col("status") == "refused").mean().alias("refused"))
        .collect()
    )
    for name, values, unit in (
        (DOCUMENT_LENGTH, summed["score"], "words"),
        (REFUSED_RATE, summed["refused"], "share"),
    ):
        score = values.fill_null(float("nan")).to_numpy()
        units = replace(everyone, score=score, successes=score, trials=np.ones(len(everyone)), aspects=1)
        units = units.take(np.isfinite(score))
        if len(units):
            own = _measured(measured, contrast, name, unit)
            yield from declared_findings(resampled_units(units, own, **draw), own, confidence=confidence)


def _measured(measured: MeasureSet, contrast: Contrast, name: str, unit: str) -> MeasureSet:
    sides = [
        Summary(name=f"{name}_{'_'.join(group.values())}", statistic="rate", group=group, measured_in=unit)
        for group in (contrast.focal, contrast.reference)
    ]
    difference = Contrast(
        name=f"{name}_diff", statistic="rate", focal=contrast.focal, reference=contrast.reference, measured_in=unit
    )
    return replace(
        measured,
        rate=name,
        measures=(*sides, difference),
        headline=(),
        overall=None,
        slices=(),
        bands={},
        pool="units",
        smoothing=0.0,
        aspect=None,
    )
