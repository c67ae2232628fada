"""How much the answer depends on the wording of the instruction."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.declared.closed_form import difference_interval_of, rate_interval_of
from evenhand.findings.declared.resampled_units import ResampledUnits
from evenhand.findings.declared.weighted_sums import point, terms_of, unit_influence
from evenhand.findings.units import Units, distinct
from evenhand.measures import Contrast, MeasureSet
from evenhand.stats import between_group_variance
from evenhand.tables.details import TemplateSpread
from evenhand.tables.finding import Finding, Test
from evenhand.tables.grouped.names import VARIANCE

__all__ = ["between_levels", "instruction_findings", "template_findings"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: With fewer answers per instruction the chi-square of Q is no guide.
FEWEST_PER_INSTRUCTION = 20


def instruction_findings(units: Units, measured: MeasureSet, *, confidence: float) -> Iterator[Finding]:
    """Yield rate and difference per instruction, and their variance between instructions.

    The variance is Paule and Mandel's: what remains of the spread between instructions
    when the sampling error of each is taken off.
    """
    if measured.instruction is None or measured.pool == "trials":
        return
    contrast = next((measure for measure in measured.measures if isinstance(measure, Contrast)), None)
    groups = [contrast.focal, contrast.reference] if contrast is not None else []
    rates, differences = [], []
    for level in units.levels[measured.instruction]:
        where = {measured.instruction: level}
        chosen = units.take(units.where(where))
        common: dict[str, Any] = {"slice": where, "confidence": confidence}
        prefix = f"{measured.instruction}_{level}"
        found: dict[str, Any] = dict(rate_interval_of(chosen, confidence=confidence, clusters=measured.clusters))
        rates.append(
            Finding(name=f"{prefix}_{measured.rate}", measure=measured.rate, role="descriptive", **common, **found)
        )
        yield rates[-1]
        if contrast is None:
            continue
        found = dict(
            difference_interval_of(
                chosen,
                chosen.where(contrast.focal),
                chosen.where(contrast.reference),
                confidence=confidence,
                clusters=measured.clusters,
            )
        )
        differences.append(
            Finding(
                name=f"{prefix}_{contrast.name}",
                measure=contrast.name,
                focal=dict(contrast.focal),
                reference=dict(contrast.reference),
                role="descriptive",
                null_value=contrast.null_value,
                **common,
                **found,
            )
        )
        yield differences[-1]
    yield _variance(units, measured, measured.rate, rates, [{}], confidence=confidence)
    if contrast is not None:
        yield _variance(units, measured, contrast.name, differences, groups, confidence=confidence)


def _variance(
    units: Units,
    measured: MeasureSet,
    name: str,
    findings: list[Finding],
    groups: Sequence[Mapping[str, str]],
    *,
    confidence: float,
) -> Finding:
    """Return the variance of one measure between instructions.

    The sampling variance of an instruction is the variance within instructions, pooled
    over all of them, over its n (a difference adds those of its two groups): with each
    instruction's own variance, small samples would reject far too often.
    """
    assert measured.instruction is not None
    codes = units.codes[measured.instruction]
    size = len(units.levels[measured.instruction])
    errors = np.zeros(size)
    fewest = np.inf
    for group in groups:
        mask = units.where(group) & (codes >= 0)
        n = np.bincount(codes[mask], minlength=size)
        fewest = min(fewest, float(n.min())) if n.size else 0.0
        errors += _pooled_variance(units.score[mask], codes[mask], n) / np.maximum(n, 1)
    common: dict[str, Any] = {
        "name": f"{measured.instruction}{VARIANCE}{name}",
        "measure": f"{measured.instruction}{VARIANCE}{name}",
        "role": "descriptive",
        "confidence": confidence,
        "measured_in": "share squared",
        "n": sum(finding.n for finding in findings),
        "clusters": {measured.instruction: size},
        "method": "Paule–Mandel, Q-profile interval",
    }
    estimates = [finding.estimate for finding in findings]
    if size < 2 or None in estimates or fewest < FEWEST_PER_INSTRUCTION:
        reason = (
            f"It takes two instructions with {FEWEST_PER_INSTRUCTION} answers each (of each group); "
            f"here {size} instructions have {int(fewest)} or more."
        )
        return Finding(estimate=None, reason=reason, **common)
    if not (errors > 0).all():
        return Finding(estimate=None, reason="The answers to all instructions were alike.", **common)
    known = [estimate for estimate in estimates if estimate is not None]
    return between_levels(known, errors.tolist(), common, confidence=confidence)


def _pooled_variance(score: Floats, codes: Ints, n: Ints) -> float:
    """Return the variance of scores within instructions, on n − k degrees of freedom."""
    means = np.bincount(codes, weights=score, minlength=n.size) / np.maximum(n, 1)
    freedom = score.size - int((n > 0).sum())
    return float(((score - means[codes]) ** 2).sum() / freedom) if freedom > 0 else 0.0


def template_findings(drawn: ResampledUnits, measured: MeasureSet, *, confidence: float) -> Iterator[Finding]:
    """Yield the variance of each headline contrast between templates, where trials are pooled.

    The contrast of each template stands among the slices; its sampling variance here is
    the sum of its documents' squared influences.
    """
    if measured.instruction is None or measured.pool != "trials":
        return
    for measure in measured.measures:
        if isinstance(measure, Contrast) and measure.name in measured.headline:
            yield _variance_of_contrast(drawn, measure, measured.instruction, confidence=confidence)


def _variance_of_contrast(drawn: ResampledUnits, measure: Contrast, column: str, *, confidence: float) -> Finding:
    estimates: list[float] = []
    errors: list[float] = []
    n = 0
    levels = drawn.units.levels[column]
    for level in levels:
        found = terms_of(drawn, measure, {column: level}, choice=None)
        if found.terms:
            value = point(drawn, found.terms, found.statistic)
            psi = np.bincount(drawn.units.item, weights=unit_influence(drawn, found.terms, found.statistic))
            estimates.append(float("nan") if value is None else value)
            errors.append(float((psi**2).sum()))
            n += distinct(drawn.units.number[drawn.units.where({column: level})])
    name = f"{column}{VARIANCE}{measure.name}"
    common: dict[str, Any] = {
        "name": name,
        "measure": name,
        "role": "descriptive",
        "confidence": confidence,
        "measured_in": "share squared",
        "n": n,
        "clusters": {column: len(levels)},
        "method": "Paule–Mandel, Q-profile interval",
    }
    if len(estimates) < 2 or not all(error > 0 for error in errors):
        reason = "It takes two templates whose documents vary."
        return Finding(estimate=None, reason=reason, **common)
    return between_levels(estimates, errors, common, confidence=confidence)


def between_levels(
    estimates: Sequence[float], errors: Sequence[float], common: dict[str, Any], *, confidence: float
) -> Finding:
    """Return the variance of true values behind estimates with squared errors; `common` is the rest of the finding."""
    result = between_group_variance(list(estimates), list(errors), confidence=confidence)
    if result.estimate is None:
        return Finding(estimate=None, reason=result.reason or "The variance can't be computed.", **common)
    return Finding(
        estimate=result.estimate,
        low=result.low if result.high is not None else None,  # half an interval is none
        high=result.high,
        tests=(Test(name="Cochran's Q", statistic=result.q, p=result.p),),
        reason=result.reason if result.reason is not None else result.high_reason,
        details=TemplateSpread(sd=result.estimate**0.5),
        **common,
    )
