"""Exploratory findings that hold after adjustment: parts of the run, and groups that differ in race only."""

from collections.abc import Sequence

from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import IMPACT_RATIO

__all__ = ["RACE", "distance", "race_differences", "surviving_parts"]

RACE = "race"
#: From which adjusted p on a ratio counts as a difference.
LEVEL = 0.05


def race_differences(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the ratios of rates of two groups that differ in race only: differences, the surest first."""
    found = [
        each
        for each in findings
        if each.measure == IMPACT_RATIO
        and not each.slice
        and each.p_adjusted is not None
        and each.p_adjusted < LEVEL
        and _differing(each) == {RACE}
        and not _holds_one(each)
    ]
    return tuple(sorted(found, key=lambda each: (each.p_adjusted or 0.0, each.estimate or 0.0)))


def _holds_one(finding: Finding) -> bool:
    """Return whether the confidence interval of a ratio holds equal rates."""
    return finding.low is None or finding.high is None or finding.low <= 1.0 <= finding.high


def _differing(finding: Finding) -> set[str]:
    columns = {*finding.focal, *finding.reference}
    return {column for column in columns if finding.focal.get(column) != finding.reference.get(column)}


def surviving_parts(findings: Sequence[Finding], headline: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the headline measures within parts of the run that are differences, the surest and largest first."""
    measures = {each.measure for each in headline}
    found: dict[tuple[object, ...], Finding] = {}
    for each in findings:
        if each.slice and each.role == "exploratory" and each.verdict == "difference" and each.measure in measures:
            found.setdefault((each.measure, *each.slice.items()), each)
    return tuple(sorted(found.values(), key=lambda each: (each.p_adjusted or 0.0, -distance(each))))


def distance(finding: Finding) -> float:
    """Return how far an estimate lies from no difference."""
    return abs((finding.estimate or 0.0) - (finding.null_value or 0.0))
