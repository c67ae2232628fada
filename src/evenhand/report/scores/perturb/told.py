"""Arms, groups and differences of a perturbation test in words, and as rows of a table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import floor, log10
from typing import Any, Final

from evenhand.report.page.parts import Column, Table
from evenhand.report.words.numbers import MINUS, Scale, confidence_text, scale_of
from evenhand.report.words.wording import group_label
from evenhand.tables.audit.perturb import PLACEBO
from evenhand.tables.details import PerturbedScores
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.perturb import PerturbGroups

__all__ = [
    "ARMS",
    "comparison",
    "differences",
    "kind_of",
    "labelled",
    "largest",
    "margin_told",
    "measured",
    "scale_for",
    "sides",
    "table_of",
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
_TEXTS: Final = frozenset(
    {"Arm", "Comparison", "Group", "Names", "Note", "Position", "Reasons", "Test", "Verdict", "Why"}
)
#: Comparisons of arms, and of placebos, that tables and charts show: those with the largest differences.
_MOST, _MOST_PLACEBOS = 12, 4


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


def comparison(finding: Finding) -> str:
    """Return the arm and its groups, as rows and legends name them."""
    focal, reference = group_label(finding.focal), group_label(finding.reference)
    groups = f"{focal}, other names" if kind_of(finding) == PLACEBO else f"{focal} {MINUS} {reference}"
    return f"{ARMS.get(kind_of(finding), kind_of(finding))}: {groups}"


def labelled(label: str) -> str:
    """Return a group's label as the block of the audit has it, in words: 'female × black' as 'female Black'."""
    return group_label({part: part for part in label.split(" × ")})


def largest(groups: PerturbGroups) -> PerturbGroups:
    """Return the findings of those comparisons whose differences are the largest, if there are too many to show."""

    def size(finding: Finding) -> float:
        return -abs(finding.estimate or 0.0)

    def compared(finding: Finding) -> tuple[Any, ...]:
        return kind_of(finding), *finding.focal.values(), "−", *finding.reference.values()

    shown = sorted(groups.differences, key=size)[:_MOST] + sorted(groups.placebos, key=size)[:_MOST_PLACEBOS]
    chosen = {compared(each) for each in shown}

    def kept(findings: Sequence[Finding]) -> tuple[Finding, ...]:
        return tuple(each for each in findings if compared(each) in chosen)

    return replace(
        groups,
        differences=kept(groups.differences),
        placebos=kept(groups.placebos),
        single=kept(groups.single),
        flips=kept(groups.flips),
        moves=kept(groups.moves),
        unread_differences=kept(groups.unread_differences),
    )


def table_of(
    caption: str, rows: Sequence[Any], columns: Mapping[str, Callable[[Any], str]], *, folded: bool = False
) -> Table:
    """Return a table with a row of each of `rows`; columns are told by their headings, the first one names the row."""
    heads = [Column(label=name, numeric=place > 0 and name not in _TEXTS) for place, name in enumerate(columns)]
    cells = [[told(each) for told in columns.values()] for each in rows]
    return Table(caption=caption, columns=heads, rows=cells, folded=folded)


def differences(rows: Sequence[Finding], scale: Scale, heading: str) -> dict[str, Callable[[Finding], str]]:
    """Return the columns that a table of comparisons begins with: what is compared, the estimate, its interval."""
    return {
        "Comparison": comparison,
        heading: lambda each: scale.number(each.estimate, apart=(0.0,)),
        f"{confidence_text(rows[0].confidence)} CI": lambda each: scale.interval(each.low, each.high, apart=(0.0,)),
    }


def scale_for(findings: Sequence[Finding]) -> Scale:
    """Return how differences are printed: with two places that the narrowest interval tells apart."""
    widths = [each.high - each.low for each in findings if each.low is not None and each.high is not None]
    sizes = [abs(each.estimate) for each in findings if each.estimate]
    least = min([width for width in widths if width > 0] or sizes or [1.0])
    unit = " places" if any(each.measured_in == "places" for each in findings) else " points"
    own = scale_of(findings[0]) if findings else Scale()
    decimals = max(1, min(5, 1 - floor(log10(least))))
    return replace(own, decimals=decimals, suffix=unit, long_suffix=unit, signed=True)


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
