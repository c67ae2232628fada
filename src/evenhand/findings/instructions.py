"""How much the answer depends on the wording of the instruction."""

from collections.abc import Iterator
from typing import Any

from evenhand.findings.plain import plain_difference, plain_rate
from evenhand.findings.units import Units
from evenhand.measures import Contrast, MeasureSet
from evenhand.stats import between_group_variance, normal_quantile
from evenhand.tables.finding import Finding, Test

__all__ = ["instruction_findings"]


def instruction_findings(units: Units, declared: MeasureSet, *, confidence: float) -> Iterator[Finding]:
    """Yield rate and difference per instruction, and their variance between instructions.

    The variance is Paule and Mandel's: what remains of the spread between instructions
    when the sampling error of each is taken off.
    """
    if declared.instruction is None:
        return
    contrast = next((measure for measure in declared.measures if isinstance(measure, Contrast)), None)
    rates, differences = [], []
    for level in units.levels[declared.instruction]:
        where = {declared.instruction: level}
        chosen = units.take(units.where(where))
        common: dict[str, Any] = {"slice": where, "confidence": confidence}
        prefix = f"{declared.instruction}_{level}"
        found: dict[str, Any] = dict(plain_rate(chosen, confidence=confidence, clusters=declared.clusters))
        rates.append(
            Finding(name=f"{prefix}_{declared.rate}", measure=declared.rate, role="descriptive", **common, **found)
        )
        yield rates[-1]
        if contrast is None:
            continue
        found = dict(
            plain_difference(
                chosen,
                chosen.where(contrast.focal),
                chosen.where(contrast.reference),
                confidence=confidence,
                clusters=declared.clusters,
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
    yield _variance(declared, declared.rate, rates, confidence)
    if contrast is not None:
        yield _variance(declared, contrast.name, differences, confidence)


def _variance(declared: MeasureSet, name: str, findings: list[Finding], confidence: float) -> Finding:
    """Return the variance of one measure between instructions."""
    known = [
        (row.estimate, _sampling_variance(row, confidence))
        for row in findings
        if row.estimate is not None and row.low is not None and row.high is not None and row.high > row.low
    ]
    common: dict[str, Any] = {
        "name": f"{declared.instruction}_variance_{name}",
        "measure": f"{declared.instruction}_variance_{name}",
        "role": "descriptive",
        "confidence": confidence,
        "unit": "share squared",
        "n": sum(row.n for row in findings),
        "clusters": len(known),
        "method": "Paule–Mandel, Q-profile interval",
    }
    if len(known) < 2:
        return Finding(estimate=None, reason=f"Only {len(known)} instructions have an estimate.", **common)
    result = between_group_variance([value for value, _ in known], [error for _, error in known], confidence=confidence)
    if result.estimate is None:
        return Finding(estimate=None, reason=result.reason or "The variance can't be computed.", **common)
    return Finding(
        estimate=result.estimate,
        low=result.low if result.high is not None else None,  # half an interval is none
        high=result.high,
        tests=(Test(name="Cochran's Q", statistic=result.q, p=result.p),),
        reason=result.reason if result.reason is not None else result.high_reason,
        details={"sd": result.estimate**0.5},
        **common,
    )


def _sampling_variance(row: Finding, confidence: float) -> float:
    """Return the sampling variance that an interval's width stands for, on the normal scale."""
    low, high = row.low, row.high
    assert low is not None
    assert high is not None
    return float(((high - low) / (2 * normal_quantile(confidence))) ** 2)
