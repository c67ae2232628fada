"""The measures of a card, of all rows and of each slice, as findings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evenhand.findings.declared.estimates import BOOTSTRAP, Estimated, estimated
from evenhand.findings.declared.pairing import with_pairing
from evenhand.findings.declared.resampled_units import ResampledUnits
from evenhand.findings.rankings.choices import is_balanced
from evenhand.findings.sequential import Sequential, with_sequence
from evenhand.findings.verdicts import is_detected, marked, verdict
from evenhand.measures import Alias, Contrast, Distance, MeasureSet, Slice, Summary
from evenhand.stats import benjamini_hochberg
from evenhand.tables.details import Judged
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import INTERCEPT

__all__ = ["adjusted_slices", "declared_findings", "finding_of", "findings_without_answers", "measures_called"]

NO_MARK = (
    "The prompts offer more candidates of one group than of the other, so chance gives another value than the one "
    "that the marks are measured from."
)


def declared_findings(
    drawn: ResampledUnits, measured: MeasureSet, *, confidence: float, sequential: Sequential | None = None
) -> list[Finding]:
    """Return every declared measure of all rows, then of each level of each slice.

    Slice contrasts are exploratory; their p-values are adjusted together per measure.
    The measure of `sequential` gets that interval, of all rows.
    """
    whole = Slice(columns=(), prefix="", measures=measured.overall)
    findings = [
        with_pairing(finding, drawn, measured)
        for finding in _of_slice(drawn, measured, whole, {}, confidence=confidence, sequential=sequential)
    ]
    sliced: list[Finding] = []
    for cut in measured.slices:
        for levels in drawn.units.groups(cut.columns):
            sliced += _of_slice(drawn, measured, cut, levels, confidence=confidence)
    return [
        *_with_aliases(findings, measured),
        *_intercepts(drawn, measured, confidence=confidence),
        *_with_aliases(adjusted_slices(sliced, confidence=confidence), measured),
    ]


def findings_without_answers(measured: MeasureSet, *, reason: str, confidence: float) -> list[Finding]:
    """Return the declared measures of all rows as null, when no answer was observed."""
    nothing = Estimated(estimate=None, n=0, clusters={}, method=BOOTSTRAP, reason=reason)
    findings = []
    for measure in measures_called(measured, measured.overall):
        if isinstance(measure, Distance):
            measure = Summary(name=measure.name, statistic="rate")  # noqa: PLW2901 - null like the rest
        findings.append(finding_of(measure, nothing, measured, {}, confidence=confidence))
    return _with_aliases(findings, measured)


def measures_called(measured: MeasureSet, names: Sequence[str] | None) -> list[Summary | Contrast | Distance]:
    """Return the measures called `names` (None: all) that are no aliases."""
    return [
        measure
        for measure in measured.measures
        if not isinstance(measure, Alias) and (names is None or measure.name in names)
    ]


def _with_aliases(findings: Sequence[Finding], measured: MeasureSet) -> list[Finding]:
    """Return the findings, each followed by its copies under other names."""
    others: dict[str, list[str]] = {}
    for measure in measured.measures:
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
    drawn: ResampledUnits,
    measured: MeasureSet,
    cut: Slice,
    levels: Mapping[str, str],
    *,
    confidence: float,
    sequential: Sequential | None = None,
) -> Iterator[Finding]:
    """Yield the measures of `cut` within `levels`, in the order of the card."""
    found: dict[str, Estimated] = {}
    for measure in measures_called(measured, cut.measures):
        if isinstance(measure, Distance):
            if measure.of in found:
                finding = _distance(measure, found[measure.of], measured, levels, confidence=confidence)
                yield replace(finding, name=cut.name(levels, measure.name))
            continue
        found[measure.name] = estimated(drawn, measure, levels, measured, confidence=confidence)
        if sequential is not None and sequential.measure == measure.name:
            found[measure.name] = with_sequence(found[measure.name], sequential)
        finding = finding_of(measure, found[measure.name], measured, levels, confidence=confidence)
        yield replace(finding, name=cut.name(levels, measure.name))


def _distance(
    measure: Distance, of: Estimated, measured: MeasureSet, where: Mapping[str, str], *, confidence: float
) -> Finding:
    """Return |value − centre| with the interval folded over the centre.

    The folded limits belong to the same confidence: the distance lies within them
    whenever the value lies within its own. What chance gives is folded likewise.
    """
    alternatives = tuple(
        replace(other, low=folded[0], high=folded[1], method=f"{other.method}, folded")
        for other in of.alternatives
        for folded in [_folded(other.low, other.high, measure.centre)]
    )
    low, high = _folded(of.low, of.high, measure.centre)
    distance = replace(
        of,
        estimate=None if of.estimate is None else abs(of.estimate - measure.centre),
        low=low,
        high=high,
        equivalence=None,
        method=f"{of.method}, folded",
        alternatives=alternatives,
        tests=(),
        chance=None if of.chance is None else abs(of.chance - measure.centre),
    )
    return finding_of(Summary(name=measure.name, statistic="rate"), distance, measured, where, confidence=confidence)


def _is_elsewhere(chance: float | None, value: float) -> bool:
    """Return whether chance would give another value than this one."""
    return chance is not None and not is_balanced(chance, value)


def _folded(low: float | None, high: float | None, centre: float) -> tuple[float | None, float | None]:
    if low is None or high is None:
        return None, None
    ends = (abs(low - centre), abs(high - centre))
    return (0.0 if low <= centre <= high else min(ends)), max(ends)


def finding_of(
    measure: Summary | Contrast,
    found: Estimated,
    measured: MeasureSet,
    where: Mapping[str, str],
    *,
    confidence: float,
) -> Finding:
    """Return what was estimated of a measure as a finding, with its mark and verdict."""
    bands, null_value = measured.bands.get(measure.name), measure.null_value
    details = found.details
    if bands is not None and _is_elsewhere(found.chance, bands.centre):
        bands = None
        details = replace(details, chance=found.chance, no_mark=NO_MARK)
    if null_value is not None and _is_elsewhere(found.chance, null_value):
        null_value = found.chance  # what is expected by chance
        details = replace(details, chance=found.chance)
    mark, touched = marked(found, bands)
    common: dict[str, Any] = {
        "name": measure.name,
        "measure": measure.name,
        "slice": dict(where),
        "estimate": found.estimate,
        "low": found.low,
        "high": found.high,
        "confidence": confidence,
        "measured_in": measure.measured_in,
        "n": found.n,
        "clusters": found.clusters,
        "method": found.method,
        "alternatives": found.alternatives,
        "tests": found.tests,
        "reason": found.reason,
        "mark": mark,
        "marks_touched": touched,
    }
    focal = measure.focal if isinstance(measure, Contrast) else measure.group
    if null_value is None:
        return Finding(focal=dict(focal), role="descriptive", details=details, **common)
    margin = bands.edges[0] if bands is not None else None
    if margin is not None and found.equivalence is not None:
        details = replace(
            details,
            margin=margin,
            equivalence_interval=found.equivalence,
            difference_detected=is_detected(found, null_value),
        )
    return Finding(
        focal=dict(focal),
        reference=dict(measure.reference) if isinstance(measure, Contrast) else {},
        role="planned" if measure.name in measured.headline and not where else "exploratory",
        null_value=null_value,
        verdict=verdict(found, null_value=null_value, margin=margin),
        details=details,
        **common,
    )


def _intercepts(drawn: ResampledUnits, measured: MeasureSet, *, confidence: float) -> Iterator[Finding]:
    """Yield the intercept that belongs to each line, so that it can be drawn."""
    for measure in measured.measures:
        if isinstance(measure, Summary) and measure.statistic == "slope":
            line = replace(measure, name=f"{measure.name}{INTERCEPT}", statistic="intercept", measured_in="share")
            found = estimated(drawn, line, {}, measured, confidence=confidence)
            yield finding_of(line, found, measured, {}, confidence=confidence)


def adjusted_slices(findings: Sequence[Finding], *, confidence: float) -> list[Finding]:
    """Return the findings with p adjusted across the slices of each exploratory measure.

    A difference that does not survive the adjustment is inconclusive: with eight slices,
    one in three audits of an unbiased model would show one otherwise.
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
            if isinstance(details, Judged) and details.difference_detected is not None:
                details = replace(details, difference_detected=details.difference_detected and survives)
            result[place] = replace(finding, p_adjusted=p, adjustment=label, verdict=verdict_now, details=details)
    return result
