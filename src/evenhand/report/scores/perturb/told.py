"""Arms, groups and differences of a perturbation test in words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import floor, log10
from typing import Final

from evenhand.report.words.numbers import MINUS, Scale, scale_of
from evenhand.report.words.wording import group_label
from evenhand.tables.audit.perturb import PLACEBO
from evenhand.tables.details import PerturbedScores
from evenhand.tables.finding import Finding

__all__ = [
    "ARMS",
    "comparison",
    "groups_told",
    "interval_of",
    "kind_of",
    "labelled",
    "margin_told",
    "measured",
    "scale_for",
    "sides",
    "verdict_words",
]

ARMS: Final = {
    "name": "Name",
    "name+pronouns": "Name and pronouns",
    "affinity": "Affinity",
    "combined": "Combined",
    PLACEBO: "Placebo",
}
_SIDES: Final = {
    "name": ("{} names", "{} names"),
    "name+pronouns": ("{} names and pronouns", "{} names and pronouns"),
    "affinity": ("a line of membership that tells {}", "a {} in its place"),
    "combined": ("{} names, pronouns and line of membership", "{} names and pronouns and a neutral line"),
    PLACEBO: ("other {} names", "{} names"),
}
_VERDICTS: Final = {
    "difference": "difference",
    "equivalent": "equivalent",
    "inconclusive": "no difference detected",
}


def kind_of(finding: Finding) -> str:
    """Return by what an arm shows its group."""
    return str(finding.slice.get("arm", ""))


def sides(finding: Finding) -> tuple[str, str]:
    """Return with what the résumés were shown on both sides.

    >>> from evenhand.tables.finding import Finding
    >>> given = dict(name="", measure="", role="planned", estimate=0.0, n=1, clusters={}, method="")
    >>> sides(Finding(slice={"arm": "name"}, focal={"race": "black"}, reference={"race": "white"}, **given))
    ('Black names', 'White names')
    """
    first, second = _SIDES.get(kind_of(finding), ("{}", "{}"))
    return first.format(group_label(finding.focal)), second.format(group_label(finding.reference))


def groups_told(finding: Finding) -> str:
    """Return which group is held against which, short."""
    focal, reference = group_label(finding.focal), group_label(finding.reference)
    if finding.slice.get("arm") == PLACEBO:
        return f"{focal}, other names"
    return f"{focal} {MINUS} {reference}"


def comparison(finding: Finding) -> str:
    """Return the arm and its groups, as rows and legends name them."""
    return f"{ARMS.get(kind_of(finding), kind_of(finding))}: {groups_told(finding)}"


def labelled(values: Mapping[str, str], label: str) -> str:
    """Return a group's label as the block of the audit has it, in words: 'female × black' as 'female Black'."""
    parts = label.split(" × ")
    names = [*values, *("group" for _ in parts)]
    return group_label({f"{place}{name}": part for place, (name, part) in enumerate(zip(names, parts, strict=False))})


def scale_for(findings: Sequence[Finding]) -> Scale:
    """Return how differences are printed: with two places that the narrowest interval tells apart."""
    widths = [each.high - each.low for each in findings if each.low is not None and each.high is not None]
    sizes = [abs(each.estimate) for each in findings if each.estimate]
    least = min([width for width in widths if width > 0] or sizes or [1.0])
    unit = " places" if any(each.measured_in == "places" for each in findings) else " points"
    own = scale_of(findings[0]) if findings else Scale()
    decimals = max(1, min(5, 1 - floor(log10(least))))
    return replace(own, decimals=decimals, suffix=unit, long_suffix=unit, signed=True)


def interval_of(finding: Finding, scale: Scale) -> str:
    """Return the confidence interval without its unit."""
    return scale.interval(finding.low, finding.high, apart=(0.0,))


def measured(scale: Scale) -> str:
    """Return what differs, by the unit of differences: scores or ranks."""
    return "ranks" if scale.long_suffix.strip() == "places" else "scores"


def margin_told(margin: float, scale: Scale) -> str:
    """Return a margin without places that say nothing.

    >>> margin_told(2.0, Scale(decimals=2)), margin_told(2.4837, Scale(decimals=2))
    ('±2', '±2.48')
    """
    text = scale.number(margin, signed=False)
    return f"±{text.rstrip('0').rstrip('.') if '.' in text else text}"


def verdict_words(finding: Finding) -> str:
    """Return the verdict in words."""
    if finding.verdict is None:
        return "not computed"
    told = _VERDICTS[finding.verdict]
    if finding.verdict == "equivalent" and PerturbedScores.of(finding).difference_detected:
        return f"difference, {told}"
    return told
