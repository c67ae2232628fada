"""Differences between models in the same measures, paired where they answered the same prompts."""

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
from evenhand.comparisons.league import FEWEST, Contrast, Standings, slug
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
    """How models differ, the measures that answer the question, and how three or more stand in these."""

    findings: Sequence[Finding]
    headline: Sequence[str]
    standings: Sequence[Standings] = ()


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
    return compare_runs(models, measured, prefix=prefix, paired=paired)


def compare_runs(
    runs: Sequence[ModelRun], measured: MeasureSet, *, prefix: str, paired: bool, confidence: float = CONFIDENCE
) -> Differences:
    """Return, per measure over all rows, one row per model and one per pair of models.

    A difference resamples nothing: its variance is that of the influences on both models, summed within
    names and roles, or within items. Paired, an item's influences on both models are summed before
    they are squared, so effects that both models share on a prompt cancel. The differences in headline measures are
    planned; nothing is corrected yet, as other probes of the same comparison belong to the family.
    """
    result, standings = list[Finding](), list[Standings]()
    for measure in measured.measures:
        if isinstance(measure, Alias) or (measured.overall is not None and measure.name not in measured.overall):
            continue
        rows = [model_finding(run.label, run.findings, measure.name, prefix) for run in runs]
        result += rows
        if isinstance(measure, Distance):
            continue
        influences = [
            influence_of_rows(run.drawn, measure) if run.drawn is not None and row.estimate is not None else None
            for run, row in zip(runs, rows, strict=True)
        ]
        role: Role = "planned" if measure.name in measured.headline else "exploratory"
        for first, second in combinations(range(len(runs)), 2):
            of_both = (rows[first], rows[second], influences[first], influences[second])
            result.append(_difference(*of_both, measured, role=role, paired=paired, confidence=confidence))
        if role == "planned" and len(runs) >= FEWEST:
            standings.append(_standings(rows, influences, measured, prefix=prefix, paired=paired))
    return Differences(findings=result, headline=measured.headline, standings=standings)


def _standings(
    rows: Sequence[Finding],
    influences: Sequence[RowInfluence | None],
    measured: MeasureSet,
    *,
    prefix: str,
    paired: bool,
) -> Standings:
    """Return the values of models minus that of no difference, and the difference and sum of each two."""
    measure, labels = rows[0].measure, [row.slice["model"] for row in rows]
    bands = measured.bands.get(measure)
    centre = bands.centre if bands is not None else rows[0].null_value or 0.0
    values = [
        (row.estimate - centre, influence)
        if row.estimate is not None and influence is not None and (row.low is not None or row.measured_in == "share")
        else None
        for row, influence in zip(rows, influences, strict=True)
    ]

    def contrast(*signed: tuple[int, int]) -> Contrast | None:
        """Return the sum of some models' values, each with a sign."""
        known = [(sign, *value) for sign, place in signed if (value := values[place]) is not None]
        if len(known) < len(signed):
            return None
        psi, items, codes = _joined([(sign, influence) for sign, _, influence in known], paired=paired)
        ways = cluster_factors({**codes, **(items if measured.judgement.whole_items else {})})
        estimate = sum(sign * value for sign, value, _ in known)
        limits = clustered(psi, ways, estimate)
        if limits(CONFIDENCE).low is None:
            limits = clustered(psi, ClusterFactors(codes=items), estimate)
        return Contrast(estimate=estimate, limits=limits)

    pairs = combinations(range(len(rows)), 2)
    return Standings(
        prefix=prefix,
        measure=measure,
        rows=dict(zip(labels, rows, strict=True)),
        own={label: contrast((1, place)) for place, label in enumerate(labels)},
        pairs={
            (labels[first], labels[second]): (contrast((1, first), (-1, second)), contrast((1, first), (1, second)))
            for first, second in pairs
        },
        largest=None if bands is None else bands.edges[-1],
    )


def model_finding(label: str, findings: Mapping[str, Finding], name: str, prefix: str) -> Finding:
    """Return a run's own finding under the model's name."""
    finding = findings.get(name)
    slice_ = {"model": label}
    if finding is None:
        return Finding(
            name=f"{prefix}_{name}_{slug(label)}",
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
        finding, probe=None, name=f"{prefix}_{name}_{slug(label)}", slice=slice_, role="descriptive", claim=claim
    )


def of_two_models(first: Finding, second: Finding, *, method: str, role: Role, confidence: float) -> dict[str, Any]:
    """Return the fields that every difference between two models' findings has."""
    return {
        "name": f"{first.name}_minus_{slug(second.slice['model'])}",
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
    """Return the first model's value minus the second's."""
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
    psi, items, codes = _joined([(1, one), (-1, other)], paired=paired)
    if _influences_cancel(psi, items["item"]):
        reason = "The difference is the same on every item, so its uncertainty can't be estimated."
        if abs(estimate) <= ROUNDING:
            reason = "The two runs agree on every item, so the uncertainty of their difference can't be estimated."
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


def _joined(
    runs: Sequence[tuple[int, RowInfluence]], *, paired: bool
) -> tuple[Floats, dict[str, Ints], dict[str, Ints]]:
    """Return the influences of several runs, each with a sign, and the codes of items and of the other clusters."""
    psi = np.concatenate([sign * influence.psi for sign, influence in runs])
    run = np.repeat(np.arange(len(runs)), [len(influence.psi) for _, influence in runs])
    codes = {}
    for name in runs[0][1].clusters:
        labels = np.concatenate([influence.clusters[name] for _, influence in runs])
        _, numbers = np.unique(labels.astype(str), return_inverse=True)
        if name == "item" and not paired:
            numbers = numbers + run * (int(numbers.max(initial=0)) + 1)
        codes[name] = np.asarray(numbers, dtype=np.int64)
    return psi, {"item": codes.pop("item")}, codes


def _influences_cancel(psi: NDArray[np.float64], items: NDArray[np.int64]) -> bool:
    """Return whether the influences of both runs cancel in every item, but for rounding."""
    return bool(np.abs(np.bincount(items, weights=psi)).max(initial=0.0) <= max(1e-12 * np.abs(psi).sum(), 1e-15))
