"""The opening of a run that compares every group with all: a sentence per group that stands out."""

from collections.abc import Sequence

from evenhand.report.words.numbers import count_text, p_text, scale_of
from evenhand.report.words.wording import capital, group_label, listing
from evenhand.tables.details import Against
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.population import Population

__all__ = ["population_opening"]


def population_opening(against: Population) -> list[str]:
    """Return what was found of the groups over all roles, then what was not detected and could have been."""
    groups = [finding for finding in against.whole.cells if finding.focal]
    found = [finding for finding in groups if finding.verdict == "difference"]
    sentences = [_found(finding) for finding in sorted(found, key=lambda finding: -abs(finding.estimate or 0.0))]
    unknown = [finding for finding in groups if finding.estimate is None]
    quiet = [finding for finding in groups if finding.verdict != "difference" and finding.estimate is not None]
    if quiet:
        who = listing([capital(group_label(finding.focal)) for finding in quiet])
        smallest, largest = min(finding.n for finding in quiet), max(finding.n for finding in quiet)
        counts = count_text(smallest) if smallest == largest else f"{count_text(smallest)} to {count_text(largest)}"
        decisions = "decision" if largest == 1 else "decisions"
        sentences.append(
            f"No difference from all groups together was detected for {who} names, at {counts} {decisions} per group."
            f"{_detectable(against.detectable)}"
        )
    sentences += [
        f"{capital(group_label(finding.focal))} names: not computed. {finding.reason or ''}".strip()
        for finding in unknown
    ]
    return sentences


def _found(finding: Finding) -> str:
    scale, value = scale_of(finding), finding.estimate or 0.0
    size = scale.number(abs(value), signed=False, apart=(0.0,)) + scale.long_suffix
    told = []
    if finding.low is not None and finding.high is not None:
        ends = " to ".join(scale.number(end, apart=(0.0,)) for end in (finding.low, finding.high))
        told.append(f"{finding.confidence:.0%} interval {ends}".replace("%", " %", 1))
    told += (
        [f"p {_equals(finding.p_adjusted)}, names permuted, adjusted for all groups"]
        if finding.p_adjusted is not None
        else []
    )
    own, whole = Against.of(finding).rate, Against.of(finding).population_rate
    known = f": {100 * own:.1f} % against {100 * whole:.1f} %" if own is not None and whole is not None else ""
    who, way = capital(group_label(finding.focal)), "more" if value > 0 else "less"
    return f"{who} names were accepted {size} {way} often than all groups together{known} ({'; '.join(told)})."


def _equals(p: float) -> str:
    text = p_text(p)
    return text if text.startswith("<") else f"= {text}"


def _detectable(findings: Sequence[Finding]) -> str:
    found = next((finding for finding in findings if finding.estimate is not None), None)
    if found is None or found.estimate is None:
        return ""
    return (
        f" With this many names and decisions, a difference of {100 * found.estimate:.1f} percentage points would be "
        "detected in four of five runs."
    )
