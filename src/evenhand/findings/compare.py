"""How models differ in the same measures: paired where they answered the same prompts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pkgutil import resolve_name
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import stdtr

from evenhand.findings.declared.closed_form import clustered_interval
from evenhand.findings.declared.estimates import Estimated, RowInfluence, row_influence
from evenhand.findings.declared.resampled_units import ResampledUnits
from evenhand.findings.measure import prepared
from evenhand.findings.verdicts import verdict
from evenhand.measures import Alias, Distance, MeasureSet
from evenhand.stats import benjamini_hochberg, holm
from evenhand.tables.finding import Finding, Role, Test

__all__ = [
    "AnsweredRun",
    "Differences",
    "ModelRun",
    "between_models",
    "compare_models",
    "compare_runs",
    "compared_models",
    "own_finding",
    "slug",
    "t_test_p",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CONFIDENCE = 0.95


@dataclass(frozen=True, kw_only=True)
class ModelRun:
    """One model's answers: its units (None where nothing was read) and its own findings."""

    label: str
    drawn: ResampledUnits | None
    findings: Mapping[str, Finding]


@dataclass(frozen=True, kw_only=True)
class AnsweredRun:
    """One model's outcomes and its own findings."""

    label: str
    outcomes: pl.LazyFrame
    findings: Mapping[str, Finding]


@dataclass(frozen=True, kw_only=True)
class Differences:
    """How models differ, and the measures that answer the question."""

    findings: Sequence[Finding]
    headline: Sequence[str]


def compare_models(
    runs: Sequence[AnsweredRun], measured: MeasureSet, *, prefix: str, paired: bool, seed: int
) -> Differences:
    """Return how models differ in what is measured; `paired` where they answered the same prompts."""
    models = resolve_name(measured.judgement.models)
    found: Differences = models(runs, measured, prefix=prefix, paired=paired, seed=seed)
    return found


def compared_models(
    runs: Sequence[AnsweredRun], measured: MeasureSet, *, prefix: str, paired: bool, seed: int
) -> Differences:
    """Return how models differ in the declared measures."""
    models = [
        ModelRun(
            label=run.label,
            drawn=prepared(run.outcomes, measured, seed=seed, resamples=1, permutations=1),
            findings=run.findings,
        )
        for run in runs
    ]
    found = compare_runs(models, measured, prefix=prefix, paired=paired)
    return Differences(findings=found, headline=measured.headline)


def compare_runs(
    runs: Sequence[ModelRun], measured: MeasureSet, *, prefix: str, paired: bool, confidence: float = CONFIDENCE
) -> list[Finding]:
    """Return, per measure over all rows, one row per model and one per pair of models.

    A difference resamples nothing: its variance is that of the summed influences of both
    models, by item. Paired, an item's influences on both models are summed before they are
    squared, so what both models make of the same prompts cancels. p is adjusted over all
    pairs and measures: Holm for the headline, Benjamini–Hochberg for the others.
    """
    result: list[Finding] = []
    for measure in measured.measures:
        if isinstance(measure, Alias) or (measured.overall is not None and measure.name not in measured.overall):
            continue
        rows = [own_finding(run.label, run.findings, measure.name, prefix) for run in runs]
        result += rows
        if isinstance(measure, Distance):
            continue
        influences = [
            row_influence(run.drawn, measure, measured) if run.drawn is not None and row.estimate is not None else None
            for run, row in zip(runs, rows, strict=True)
        ]
        role: Role = "planned" if measure.name in measured.headline else "exploratory"
        for first, second in combinations(range(len(runs)), 2):
            difference = _difference(
                rows[first],
                rows[second],
                influences[first],
                influences[second],
                measured,
                paired=paired,
                confidence=confidence,
            )
            result.append(replace(difference, role=role))
    return between_models(result, confidence=confidence)


def own_finding(label: str, findings: Mapping[str, Finding], name: str, prefix: str) -> Finding:
    """Return a run's own finding under the model's name."""
    found = findings.get(name)
    slice_ = {"model": label}
    if found is None:
        return Finding(
            name=_unique(prefix, label, name),
            measure=name,
            slice=slice_,
            role="descriptive",
            estimate=None,
            n=0,
            clusters=0,
            method="none",
            reason="The run has no such finding.",
        )
    return replace(found, probe=None, name=_unique(prefix, label, name), slice=slice_, role="descriptive")


def _unique(prefix: str, label: str, name: str) -> str:
    return f"{prefix}_{name}_{slug(label)}"


def slug(label: str) -> str:
    """Return a model's label as part of a finding's name."""
    return "_".join(re.findall(r"[^\W_]+", label.lower()))


def _difference(
    first: Finding,
    second: Finding,
    one: RowInfluence | None,
    other: RowInfluence | None,
    measured: MeasureSet,
    *,
    paired: bool,
    confidence: float,
) -> Finding:
    """Return the first model's value less the second's."""
    labels = (first.slice["model"], second.slice["model"])
    common: dict[str, Any] = {
        "name": f"{first.name}_minus_{slug(labels[1])}",
        "measure": first.measure,
        "focal": {"model": labels[0]},
        "reference": {"model": labels[1]},
        "confidence": confidence,
        "measured_in": first.measured_in,
        "null_value": 0.0,
        "method": "paired by item, t" if paired else "items of each run on their own, t",
        "role": "exploratory",
    }
    if one is None or other is None or first.estimate is None or second.estimate is None:
        lacking = labels[0] if one is None or first.estimate is None else labels[1]
        reason = f"{lacking} has no value for this measure."
        return Finding(estimate=None, reason=reason, n=first.n + second.n, clusters=0, **common)
    estimate = first.estimate - second.estimate
    psi = np.concatenate([one.psi, -other.psi])
    codes = {name: _codes(name, one, other, apart=name == "item" and not paired) for name in one.clusters}
    items = {"item": codes.pop("item")}
    if _is_same(psi, items["item"]):
        reason = "The two runs agree on every item, so nothing tells how far they could differ."
        n_same = int(np.unique(items["item"]).size)
        return Finding(estimate=estimate, reason=reason, n=first.n + second.n, clusters=n_same, **common)
    ways = {**codes, **(items if measured.judgement.whole_items else {})}
    found = _estimated(estimate, psi, items, ways, confidence=confidence)
    return Finding(
        estimate=estimate,
        low=found.low,
        high=found.high,
        n=first.n + second.n,
        clusters=found.clusters,
        alternatives=found.alternatives,
        tests=found.tests,
        reason=found.reason,
        verdict=verdict(found, null_value=0.0, margin=None, confidence=confidence),
        **common,
    )


def _estimated(
    estimate: float, psi: Floats, items: dict[str, Ints], ways: dict[str, Ints], *, confidence: float
) -> Estimated:
    """Return a difference with its interval over items, and the one that lets the clusters `ways` vary."""
    found = clustered_interval(psi, items, estimate, confidence=confidence)
    p = t_test_p(estimate, psi, items["item"])
    return Estimated(
        estimate=estimate,
        low=found.low,
        high=found.high,
        n=psi.size,
        clusters=int(np.unique(items["item"]).size),
        method=found.method,
        alternatives=(clustered_interval(psi, ways, estimate, confidence=confidence),),
        tests=(Test(name="t test on items", statistic=estimate, p=p),),
        reason=found.reason,
    )


def _codes(name: str, one: RowInfluence, other: RowInfluence, *, apart: bool) -> NDArray[np.int64]:
    """Return one numbering of a cluster's labels for the rows of both runs."""
    labels = np.concatenate([one.clusters[name], other.clusters[name]])
    _, codes = np.unique(labels.astype(str), return_inverse=True)
    if apart:
        codes = codes + (np.arange(codes.size) >= len(one.psi)) * (int(codes.max(initial=0)) + 1)
    return np.asarray(codes, dtype=np.int64)


def _is_same(psi: NDArray[np.float64], items: NDArray[np.int64]) -> bool:
    """Return whether the influences of both runs cancel in every item, but for rounding."""
    return bool(np.abs(np.bincount(items, weights=psi)).max(initial=0.0) <= 1e-12 * max(np.abs(psi).sum(), 1e-300))


def t_test_p(estimate: float, psi: NDArray[np.float64], items: NDArray[np.int64]) -> float | None:
    """Return the two-sided p of the t test of the item sums."""
    sums = np.bincount(items, weights=psi)
    clusters = int(np.unique(items).size)
    variance = clusters / max(clusters - 1, 1) * float((sums**2).sum())
    if clusters < 2 or not variance > 0:
        return None
    p = float(2 * stdtr(clusters - 1, -abs(estimate) / variance**0.5))
    return max(p, np.finfo(np.float64).tiny)  # a p that underflows is an upper bound, never 0


def between_models(findings: Sequence[Finding], *, confidence: float) -> list[Finding]:
    """Return the findings with adjusted p; what does not survive the adjustment is no difference."""
    result = list(findings)
    for role, adjust, label in (
        ("planned", holm, "Holm"),
        ("exploratory", benjamini_hochberg, "Benjamini–Hochberg"),
    ):
        places = [number for number, row in enumerate(findings) if row.role == role and row.reference and row.tests]
        known = [number for number in places if findings[number].tests[0].p is not None]
        if not known:
            continue
        adjusted = adjust([findings[number].tests[0].p for number in known]).p
        for number, value in zip(known, adjusted, strict=True):
            p = float(value)
            row = findings[number]
            now = "inconclusive" if row.verdict == "difference" and p >= 1 - confidence else row.verdict
            said = f"{label} over {len(known)} differences between models"
            result[number] = replace(row, p_adjusted=p, adjustment=said, verdict=now)
    return result
