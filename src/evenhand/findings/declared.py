"""The measures of a card, of all rows and of each slice, as findings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evenhand.findings.estimates import BOOTSTRAP, Estimated, contrast, summary
from evenhand.findings.pairing import with_pairing
from evenhand.findings.sample import Sample
from evenhand.findings.verdicts import is_detected, marked, verdict
from evenhand.measures import Alias, Contrast, MeasureSet, Summary
from evenhand.stats import benjamini_hochberg
from evenhand.tables.finding import Finding

__all__ = ["declared_findings", "findings_without_answers"]


def declared_findings(sample: Sample, declared: MeasureSet, *, confidence: float) -> list[Finding]:
    """Return every declared measure of all rows, then of each level of each slice.

    Slice contrasts are exploratory; their p-values are adjusted together per measure.
    """
    findings = [
        with_pairing(finding, sample, declared) for finding in _of_slice(sample, declared, {}, confidence=confidence)
    ]
    sliced: list[Finding] = []
    for column in declared.slices:
        for level in sample.units.levels[column]:
            sliced += _of_slice(sample, declared, {column: level}, confidence=confidence)
    return [
        *_with_aliases(findings, declared),
        *_intercepts(sample, declared, confidence=confidence),
        *_with_aliases(_adjusted(sliced, confidence=confidence), declared),
    ]


def findings_without_answers(declared: MeasureSet, *, reason: str, confidence: float) -> list[Finding]:
    """Return the declared measures of all rows as null, when no answer was observed."""
    nothing = Estimated(estimate=None, n=0, clusters=0, method=BOOTSTRAP, reason=reason)
    findings = [_finding(measure, nothing, declared, {}, confidence=confidence) for measure in _own(declared)]
    return _with_aliases(findings, declared)


def _own(declared: MeasureSet) -> list[Summary | Contrast]:
    """Return the measures that are no aliases."""
    return [measure for measure in declared.measures if not isinstance(measure, Alias)]


def _with_aliases(findings: Sequence[Finding], declared: MeasureSet) -> list[Finding]:
    """Return the findings, each followed by its copies under other names."""
    others: dict[str, list[str]] = {}
    for measure in declared.measures:
        if isinstance(measure, Alias):
            others.setdefault(measure.of, []).append(measure.name)
    result = []
    for finding in findings:
        result.append(finding)
        prefix = finding.name.removesuffix(finding.measure)
        result += [
            replace(finding, name=f"{prefix}{name}", role="descriptive") for name in others.get(finding.measure, [])
        ]
    return result


def _of_slice(
    sample: Sample, declared: MeasureSet, where: Mapping[str, str], *, confidence: float
) -> Iterator[Finding]:
    """Yield the declared measures within `where`, in the order of the card."""
    prefix = "".join(f"{column}_{level}_" for column, level in where.items())
    for measure in _own(declared):
        estimated = _estimated(sample, measure, where, declared, confidence=confidence)
        finding = _finding(measure, estimated, declared, where, confidence=confidence)
        yield replace(finding, name=f"{prefix}{measure.name}")


def _estimated(
    sample: Sample, measure: Summary | Contrast, where: Mapping[str, str], declared: MeasureSet, *, confidence: float
) -> Estimated:
    if isinstance(measure, Summary):
        return summary(sample, measure, where, clusters=declared.clusters, confidence=confidence)
    return contrast(sample, measure, where, clusters=declared.clusters, confidence=confidence)


def _finding(
    measure: Summary | Contrast,
    estimated: Estimated,
    declared: MeasureSet,
    where: Mapping[str, str],
    *,
    confidence: float,
) -> Finding:
    bands = declared.bands.get(measure.name)
    mark, touched = marked(estimated, bands)
    common: dict[str, Any] = {
        "name": measure.name,
        "measure": measure.name,
        "slice": dict(where),
        "estimate": estimated.estimate,
        "low": estimated.low,
        "high": estimated.high,
        "confidence": confidence,
        "unit": measure.unit,
        "n": estimated.n,
        "clusters": estimated.clusters,
        "method": estimated.method,
        "alternatives": estimated.alternatives,
        "tests": estimated.tests,
        "reason": estimated.reason,
        "mark": mark,
        "marks_touched": touched,
    }
    if isinstance(measure, Summary):
        return Finding(focal=dict(measure.group), role="descriptive", **common)
    margin = bands.edges[0] if bands is not None else None
    details: dict[str, Any] = {}
    if margin is not None and estimated.equivalence is not None:
        details = {
            "margin": margin,
            "equivalence_interval": list(estimated.equivalence),
            "difference_detected": is_detected(estimated, measure.null_value, confidence=confidence),
        }
    return Finding(
        focal=dict(measure.focal),
        reference=dict(measure.reference),
        role="planned" if measure.name in declared.headline and not where else "exploratory",
        null_value=measure.null_value,
        verdict=verdict(estimated, null_value=measure.null_value, margin=margin, confidence=confidence),
        details=details,
        **common,
    )


def _intercepts(sample: Sample, declared: MeasureSet, *, confidence: float) -> Iterator[Finding]:
    """Yield the intercept that belongs to each line, so that it can be drawn."""
    for measure in declared.measures:
        if isinstance(measure, Summary) and measure.statistic == "slope":
            line = replace(measure, name=f"{measure.name}_intercept", statistic="intercept", unit="share")
            estimated = summary(sample, line, {}, clusters=declared.clusters, confidence=confidence)
            yield _finding(line, estimated, declared, {}, confidence=confidence)


def _adjusted(findings: Sequence[Finding], *, confidence: float) -> list[Finding]:
    """Return the findings with p adjusted across the slices of each exploratory measure.

    A difference that does not survive the adjustment is inconclusive: with eight slices,
    one in three audits of an even-handed model would show one otherwise.
    """
    result = list(findings)
    for measure in dict.fromkeys(finding.measure for finding in findings if finding.role == "exploratory"):
        places = [
            place
            for place, finding in enumerate(findings)
            if finding.measure == measure and finding.role == "exploratory" and finding.tests
        ]
        if not places:
            continue
        adjusted = benjamini_hochberg([findings[place].tests[0].p for place in places]).p
        test = findings[places[0]].tests[0].name
        label = f"Benjamini–Hochberg over {len(places)} exploratory slices of {measure}, {test}"
        for place, value in zip(places, adjusted, strict=True):
            p = None if value is None or not np.isfinite(value) else float(value)
            survives = p is not None and p < 1 - confidence
            finding = findings[place]
            verdict_now = "inconclusive" if finding.verdict == "difference" and not survives else finding.verdict
            details = finding.details
            if "difference_detected" in details:
                details = {**details, "difference_detected": bool(details["difference_detected"]) and survives}
            result[place] = replace(finding, p_adjusted=p, adjustment=label, verdict=verdict_now, details=details)
    return result
