"""Differences between models in the same measures, paired where they answered the same prompts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from pkgutil import resolve_name
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.comparisons.claims import uncorrected
from evenhand.comparisons.clusterings import ClusterFactors, cluster_factors, clustered
from evenhand.comparisons.declared import Estimated, RowInfluence, influence_of_rows
from evenhand.comparisons.measure import prepared
from evenhand.comparisons.units import Draw, Floats, Ints
from evenhand.comparisons.weighted_sums import ResampledUnits
from evenhand.results.finding import Alternative, Finding, Role, Test, copied
from evenhand.results.measures import Alias, Distance, MeasureSet

CONFIDENCE = 0.95
#: A difference of shares or scores that is none but for rounding.
ROUNDING = 1e-12
PAIRED = "paired by item"
APART = "items of each run on their own"
#: The family of differences in measures that are no headline.
OTHER_MEASURES = "other measures of the models"


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
    """Return how models differ in the measures; `paired` where they answered the same prompts."""
    models = resolve_name(measured.judgement.models)
    result: Differences = models(runs, measured, prefix=prefix, paired=paired, seed=seed)
    return result


def model_differences(
    runs: Sequence[AnsweredRun], measured: MeasureSet, *, prefix: str, paired: bool, seed: int
) -> Differences:
    """Return how models differ in the declared measures."""
    models = [
        ModelRun(
            label=run.label,
            drawn=prepared(run.outcomes, measured, Draw(seed=seed, resamples=1, permutations=1)),
            findings=run.findings,
        )
        for run in runs
    ]
    findings = compare_runs(models, measured, prefix=prefix, paired=paired)
    return Differences(findings=findings, headline=measured.headline)


def compare_runs(
    runs: Sequence[ModelRun], measured: MeasureSet, *, prefix: str, paired: bool, confidence: float = CONFIDENCE
) -> list[Finding]:
    """Return, per measure over all rows, one row per model and one per pair of models.

    A difference resamples nothing: its variance is that of the influences on both models, summed within
    names and roles, or within items. Paired, an item's influences on both models are summed before
    they are squared, so effects that both models share on a prompt cancel. The differences in headline measures are
    planned; nothing is corrected yet, as other probes of the same comparison belong to the family.
    """
    result: list[Finding] = []
    for measure in measured.measures:
        if isinstance(measure, Alias) or (measured.overall is not None and measure.name not in measured.overall):
            continue
        rows = [model_finding(run.label, run.findings, measure.name, prefix) for run in runs]
        result += rows
        if isinstance(measure, Distance):
            continue
        influences = [
            influence_of_rows(run.drawn, measure, measured)
            if run.drawn is not None and row.estimate is not None
            else None
            for run, row in zip(runs, rows, strict=True)
        ]
        role: Role = "planned" if measure.name in measured.headline else "exploratory"
        for first, second in combinations(range(len(runs)), 2):
            of_both = (rows[first], rows[second], influences[first], influences[second])
            result.append(_difference(*of_both, measured, role=role, paired=paired, confidence=confidence))
    return result


def model_finding(label: str, findings: Mapping[str, Finding], name: str, prefix: str) -> Finding:
    """Return a run's own finding under the model's name."""
    finding = findings.get(name)
    slice_ = {"model": label}
    if finding is None:
        return Finding(
            name=f"{prefix}_{name}_{_slug(label)}",
            measure=name,
            slice=slice_,
            role="descriptive",
            estimate=None,
            n=0,
            clusters={},
            method="none",
            reason="The run has no such finding.",
        )
    claim = None if finding.claim is None else replace(finding.claim, planned=False)
    return replace(
        finding, probe=None, name=f"{prefix}_{name}_{_slug(label)}", slice=slice_, role="descriptive", claim=claim
    )


def _slug(label: str) -> str:
    """Return a model's label as part of a finding's name."""
    return "_".join(re.findall(r"[^\W_]+", label.lower()))


def of_two_models(first: Finding, second: Finding, *, method: str, role: Role, confidence: float) -> dict[str, Any]:
    """Return the fields that every difference between two models' findings has."""
    return {
        "name": f"{first.name}_minus_{_slug(second.slice['model'])}",
        "measure": first.measure,
        "focal": first.slice,
        "reference": second.slice,
        "role": role,
        "confidence": confidence,
        "null_value": 0.0,
        "n": first.n + second.n,
        "method": method,
    }


def _difference(
    first: Finding,
    second: Finding,
    one: RowInfluence | None,
    other: RowInfluence | None,
    measured: MeasureSet,
    *,
    role: Role,
    paired: bool,
    confidence: float,
) -> Finding:
    """Return the first model's value less the second's."""
    design = PAIRED if paired else APART
    common = of_two_models(first, second, method=design, role=role, confidence=confidence)
    common["measured_in"] = first.measured_in

    n, test = (first.n, second.n), Test(name="t test", statistic=None, p=None)
    claim = partial(uncorrected, planned=role == "planned", family=OTHER_MEASURES, n=n)
    if one is None or other is None or first.estimate is None or second.estimate is None:
        lacking = first if one is None or first.estimate is None else second
        reason = f"{lacking.slice['model']} has no value for this measure."
        return Finding(estimate=None, reason=reason, clusters={}, claim=claim(test, reason=reason), **common)
    estimate = first.estimate - second.estimate
    # What doesn't vary in a run, as a line through answers that are all alike, has no interval there: no certainty.
    certain = next((run for run in (first, second) if run.low is None and run.measured_in != "share"), None)
    if certain is not None:
        reason = f"{certain.slice['model']} has no interval. {certain.reason or ''}".rstrip()
        clusters = {"item": min(first.clusters.get("item", 0), second.clusters.get("item", 0))}
        return Finding(estimate=estimate, reason=reason, clusters=clusters, claim=claim(test, reason=reason), **common)
    psi = np.concatenate([one.psi, -other.psi])
    codes = {name: _codes(name, one, other, apart=name == "item" and not paired) for name in one.clusters}
    items = {"item": codes.pop("item")}
    if _influences_cancel(psi, items["item"]):
        reason = "The difference is the same on every item, so nothing tells how uncertain it is."
        if abs(estimate) <= ROUNDING:
            reason = "The two runs agree on every item, so nothing tells how far they could differ."
        n_same = int(np.unique(items["item"]).size)
        unjudged = claim(test, reason=reason)
        return Finding(estimate=estimate, reason=reason, clusters={"item": n_same}, claim=unjudged, **common)
    ways = {**codes, **(items if measured.judgement.whole_items else {})}
    estimated = _estimated(estimate, psi, items, ways, design=design, confidence=confidence)
    return Finding(
        claim=claim(estimated.tests[0], df=estimated.df, reason=estimated.reason),
        **(common | copied(estimated, "estimate low high clusters alternatives tests reason method")),
    )


def _estimated(
    estimate: float, psi: Floats, items: dict[str, Ints], codes: dict[str, Ints], *, design: str, confidence: float
) -> Estimated:
    """Return a difference with an interval robust to the clusters `codes`; the one over items is the alternative.

    Where no cluster has enough levels, the latter stands alone. The test is that of the same variance.
    """
    ways = cluster_factors(codes)
    over_items = clustered(psi, ClusterFactors(codes=items), estimate)(confidence)
    interval = clustered(psi, ways, estimate)(confidence)
    alternatives: tuple[Alternative, ...] = ()
    if interval.low is None:
        interval = replace(over_items, method=f"{over_items.method}{ways.held_fixed}")
    else:
        alternatives = (
            Alternative(method=f"{design}, {over_items.method}", **copied(over_items, "low high clusters reason")),
        )
    return Estimated(
        estimate=estimate,
        n=psi.size,
        method=f"{design}, {interval.method}",
        alternatives=alternatives,
        tests=(Test(name=f"t test, {' × '.join(interval.clusters)}", statistic=interval.t, p=interval.p),),
        **copied(interval, "low high clusters df reason"),
    )


def _codes(name: str, one: RowInfluence, other: RowInfluence, *, apart: bool) -> NDArray[np.int64]:
    """Return one numbering of a cluster's labels for the rows of both runs."""
    labels = np.concatenate([one.clusters[name], other.clusters[name]])
    _, codes = np.unique(labels.astype(str), return_inverse=True)
    if apart:
        codes = codes + (np.arange(codes.size) >= len(one.psi)) * (int(codes.max(initial=0)) + 1)
    return np.asarray(codes, dtype=np.int64)


def _influences_cancel(psi: NDArray[np.float64], items: NDArray[np.int64]) -> bool:
    """Return whether the influences of both runs cancel in every item, but for rounding."""
    return bool(np.abs(np.bincount(items, weights=psi)).max(initial=0.0) <= max(1e-12 * np.abs(psi).sum(), 1e-15))
