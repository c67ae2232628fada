"""Scores: whom they select, and what their differences are held against."""

from collections.abc import Sequence

from evenhand.report.page.parts import Part, Section, Table, estimate_table
from evenhand.report.words.numbers import scale_of
from evenhand.report.words.wording import capital, group_label
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.probe import ProbeGroups, Scores

__all__ = ["cutoff_sentence", "score_section"]

STANDARDISED = (
    "A difference over the standard deviation of the scores within the groups; by Cohen's convention .2 is small, "
    ".5 medium and .8 large."
)
INTERACTION = (
    "The difference among the best qualified résumés less that among the least qualified: where it is not 0, the name "
    "counts more for some applicants than for others."
)
RANKS = (
    "Of the other scores given for the same position, the share that is lower; ties count half. Without a difference "
    "both groups have one half."
)
NOISE = (
    "The standard deviation of the scores that one and the same prompt got. A difference of that size is what a single "
    "score varies by."
)


def score_section(groups: ProbeGroups) -> Section | None:
    """Return the chapter, or None where nothing is scored."""
    scores = groups.scores
    if scores is None:
        return None
    parts = [
        _part("Standardised differences", STANDARDISED, scores.standardized),
        _part("Rank within the position", RANKS, scores.outranked),
        _part("By qualification", INTERACTION, scores.interactions),
        _part("Repetitions", NOISE, scores.repetitions),
    ]
    return Section(
        name="scores",
        heading="What the differences are held against",
        parts=[part for part in parts if part is not None],
    )


def cutoff_sentence(scores: Scores) -> list[str]:
    """Return what a score must exceed to count as selected."""
    if scores.cutoff is None:
        return []
    value = scale_of(scores.cutoff).text(scores.cutoff.estimate)
    return [f"Counted as selected: a score above {value} ({scores.cutoff.method})."]


def _part(heading: str, text: str, findings: Sequence[Finding]) -> Part | None:
    return Part(heading=heading, text=[text], tables=[_table(findings, heading)], folded=True) if findings else None


def _table(findings: Sequence[Finding], caption: str) -> Table:
    labels = [
        capital(
            f"{group_label(each.focal)} less {group_label(each.reference)}"
            if each.reference
            else group_label(each.focal) or "all"
        )
        for each in findings
    ]
    return estimate_table(findings, caption=caption, first="Names", labels=labels)
