"""The opening of a probe: headline measures in a table and a chart, and what they say in a few sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.report.charts import IntervalRow, MarkedLine, interval_chart
from evenhand.report.page.parts import Column, Figure, Table
from evenhand.report.words.numbers import ABSENT, confidence_text, count_text, p_equals, scale_of
from evenhand.report.words.results import (
    bracket,
    heading_of,
    is_significant,
    p_told,
    points_interval,
    points_scale,
    points_text,
    result_sentences,
    significance,
    statement,
    units_of,
    wording_of,
)
from evenhand.report.words.wording import capital, group_label, in_words, listing, sentence_case
from evenhand.tables.audit.measured import Measured
from evenhand.tables.details import GroupRatio
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.exploratory import RACE, distance
from evenhand.tables.grouped.probe import Headline

__all__ = [
    "NOTED_SHARE",
    "LargestPart",
    "Told",
    "exploratory_sentences",
    "headline_figure",
    "headline_table",
    "largest_part",
    "opening_sentences",
    "unknown_sentences",
    "unread_sentence",
    "unreadable_sentence",
]

#: From this share of unreadable answers on, the opening says how many there are.
NOTED_SHARE = 0.05
#: From which p on groups are not said to differ in unreadable answers.
LEVEL = 0.05
#: The most exploratory differences of one sort that the opening names.
NAMED = 2

OBSERVED = "observed"

# Every answer of the run went this way: 'All 200 answers …'.
ALL_WERE = {
    "refused": "declined the task",
    "undetected": "state no decision that could be read",
    "ambiguous": "state both decisions",
    "truncated": "were cut off before a decision",
    "error": "never came, because the requests failed",
    "missing": "are missing",
}


#: What a number of unreadable answers are.
UNREADABLE = {
    "undetected": "without a readable decision",
    "ambiguous": "with both decisions",
    "truncated": "cut off",
    "error": "failed",
}


@dataclass(frozen=True, kw_only=True)
class Told:
    """A headline finding with the block that says how it is told; `heading` instead of its own."""

    headline: Headline
    audit: Measured
    heading: str = ""


def headline_table(rows: Sequence[Told]) -> Table:
    """Return one line per headline measure: both groups, estimate, interval, mark, significance."""
    findings = [each.headline.finding for each in rows]
    level = {confidence_text(each.confidence) for each in findings}
    groups = _group_columns(rows)
    counts = {count_text(each.n) for each in findings}
    columns = {
        "Measure": [_heading(each) for each in rows],
        **groups,
        "Estimate" if not groups else "Difference": [_without_unit(each) for each in findings],
        f"{level.pop()} CI" if len(level) == 1 else "CI": [points_interval(each) for each in findings],
        "n": [count_text(each.n) for each in findings],
        "Mark": [each.mark or ABSENT for each in findings],
        "Statistically significant?": [_significant(each) for each in findings],
    }
    if len(counts) == 1:
        del columns["n"]
    if not any(each.mark for each in findings):
        del columns["Mark"]
    words = {"Measure", "Mark", "Statistically significant?"}
    return Table(
        caption=f"Headline measures; differences in {units_of(findings)}"
        + (f" (n = {counts.pop()})" if len(counts) == 1 else ""),
        columns=[Column(label=label, numeric=label not in words) for label in columns],
        rows=list(zip(*columns.values(), strict=True)),
    )


def _heading(told: Told) -> str:
    return told.heading or heading_of(told.headline.finding, told.audit)


def _group_columns(rows: Sequence[Told]) -> dict[str, list[str]]:
    """Return a column per group, where all measures are of the same two groups."""
    labels = {tuple(capital(group_label(each.focal)) for each in row.headline.groups) for row in rows}
    names = labels.pop() if len(labels) == 1 else ()
    return {
        name: [_without_unit(row.headline.groups[place]) for row in rows]
        for place, name in enumerate(names)
        if len(names) == 2
    }


def _without_unit(finding: Finding) -> str:
    return points_text(finding).removesuffix(" points")


def _significant(finding: Finding) -> str:
    if finding.estimate is None or finding.low is None:
        return "no interval" if finding.estimate is not None else "not computed"
    if finding.verdict is None:
        return ABSENT
    return "yes" if is_significant(finding) else "no"


def headline_figure(rows: Sequence[Told], table: Table) -> Figure | None:
    """Return headline measures as distances from no difference, with their table; None where none can be drawn."""
    known = [each for each in rows if each.headline.finding.estimate is not None]
    unit = units_of([each.headline.finding for each in known][:1])
    drawn = [each for each in known if units_of([each.headline.finding]) == unit]
    if not drawn or not unit:
        return None
    plotted = [_row(each) for each in drawn]
    meanings = [wording_of(each.headline.finding, each.audit).larger for each in drawn]
    told = "; ".join(meanings) if len(meanings) <= NAMED and all(meanings) else ""
    return Figure(
        title="Distance from no difference, with confidence interval",
        note=f"Right of 0: {told}." if told else "",
        chart=lambda width: interval_chart(plotted, title=unit, width=width, lines=[MarkedLine(value=0.0)]),
        tables=[table],
    )


def _row(told: Told) -> IntervalRow:
    finding, name = told.headline.finding, _heading(told)
    null = finding.null_value or 0.0
    values = (finding.estimate, finding.low, finding.high)
    factor = points_scale(finding).factor
    estimate, low, high = (None if value is None else factor * (value - null) for value in values)
    return IntervalRow(
        label=f"{name} ({finding.mark})" if finding.mark else name,
        estimate=estimate,
        low=low,
        high=high,
        text=f"{name}: {points_text(finding)}, {points_interval(finding)}",
    )


def opening_sentences(headline: Sequence[Headline], audit: Measured) -> list[str]:
    """Return what the run says; many unreadable answers are told, a majority first."""
    known = [row for row in headline if row.finding.estimate is not None]
    told = result_sentences([(row.finding, row.groups) for row in known], audit)
    unknown = [row.finding for row in headline if row.finding.estimate is None]
    lacking, leads = unreadable_sentence(audit, [wording_of(finding, audit).topic for finding in unknown])
    # The reason behind every measure would only repeat that there are no answers.
    told += [] if _all_lack(audit) else unknown_sentences(unknown, audit)
    if not lacking or not headline:
        return told
    return [lacking, *told] if leads else [*told, lacking]


def unknown_sentences(findings: Sequence[Finding], audit: Measured) -> list[str]:
    """Return what nothing can be said about, a sentence per reason."""
    topics: dict[str, list[str]] = {}
    for finding in findings:
        topics.setdefault(sentence_case(finding.reason or "not computed").rstrip(". "), []).append(
            wording_of(finding, audit).topic
        )
    return [f"Nothing can be said about {' or '.join(about)} ({reason})." for reason, about in topics.items()]


def _all_lack(audit: Measured) -> bool:
    counts = _counts(audit)
    return bool(counts) and OBSERVED not in counts


def unreadable_sentence(audit: Measured, topics: Sequence[str]) -> tuple[str, bool]:
    """Return how many answers are unreadable, '' for a few, and whether it comes first."""
    counts = _counts(audit)
    asked, lacking = sum(counts.values()), sum(n for status, n in counts.items() if status != OBSERVED)
    if asked and lacking == asked:
        return _nothing(counts, asked, " or ".join(topics)), True
    if not asked or lacking <= NOTED_SHARE * asked:
        return "", False
    return _some(counts, asked, lacking), 2 * lacking >= asked


def unread_sentence(overall: Sequence[Finding], groups: Sequence[Finding]) -> str:
    """Return whose answers were unreadable most often, '' where groups do not differ significantly in it."""
    test = next((test for each in overall for test in each.tests if test.p is not None and test.p < LEVEL), None)
    finest = max((len(each.focal) for each in groups), default=0)
    known = [each for each in groups if len(each.focal) == finest and each.estimate is not None]
    if test is None or len(known) < 2:
        return ""
    most, least = (pick(known, key=lambda each: each.estimate or 0.0) for pick in (max, min))
    told = [f"{scale_of(each).text(each.estimate)} under {group_label(each.focal)} names" for each in (most, least)]
    return (
        f"Unreadable answers differ between groups: {told[0]}, {told[1]}, statistically significant "
        f"(p {p_equals(test.p)}, permutation over names)."
    )


def exploratory_sentences(
    race: Sequence[Finding], parts: Sequence[Finding], headline: Sequence[Headline], audit: Measured
) -> list[str]:
    """Return the differences between races, and those within parts of the run that the headline doesn't have."""
    news = [each for each in parts if not _known(each, headline)]
    sentences = [_race(each, audit) for each in race[:NAMED]]
    return sentences + [_part(each, audit) for each in news[:NAMED]]


def _known(part: Finding, headline: Sequence[Headline]) -> bool:
    """Return whether the whole run has a difference in the same direction."""
    whole = next((row.finding for row in headline if row.finding.measure == part.measure), None)
    if whole is None or not is_significant(whole):
        return False
    return _direction(whole) == _direction(part)


def _direction(finding: Finding) -> bool:
    return (finding.estimate or 0.0) > (finding.null_value or 0.0)


def _race(finding: Finding, audit: Measured) -> str:
    ratio = GroupRatio.of(finding)
    rates = [f"{100 * rate:.1f} %" for rate in (ratio.rate_focal, ratio.rate_reference) if rate is not None]
    scale = scale_of(finding)
    who = [capital(group_label(group)) for group in (finding.focal, finding.reference)]
    interval = f"{confidence_text(finding.confidence)} CI {scale.interval(finding.low, finding.high, apart=(1.0,))}"
    four_fifths = f"{in_words(ratio.four_fifths)} four-fifths, " if ratio.four_fifths in {"below", "not_below"} else ""
    return (
        f"{who[0]} {audit.subject} were {audit.success or 'selected'} at a rate of {rates[0]}, {who[1]} "
        f"{audit.subject} at {rates[1]}: impact ratio "
        f"{scale.text(finding.estimate, apart=(0.8, 1.0))} ({interval}), {four_fifths}statistically significant "
        f"({p_told(finding)})."
    )


def _part(finding: Finding, audit: Measured) -> str:
    where = [
        f"{group_label({key: level})} names" if key == RACE else f"prompts of {in_words(key)} {in_words(level)}"
        for key, level in finding.slice.items()
    ]
    return f"Among {listing(where)}, {statement(finding, audit)} ({bracket(finding, audit)}){significance(finding)}."


@dataclass(frozen=True, kw_only=True)
class LargestPart:
    """The part of a run that has most of a difference, and the whole run's."""

    part: Finding
    whole: Finding


def largest_part(parts: Sequence[Finding], headline: Sequence[Headline]) -> LargestPart | None:
    """Return the part with the largest difference whose interval leaves out the smaller one of the whole run."""
    wholes = {row.finding.measure: row.finding for row in headline}
    found = [
        LargestPart(part=each, whole=wholes[each.measure])
        for each in parts
        if len(each.slice) == 1 and _known(each, headline) and _beyond(each, wholes[each.measure])
    ]
    return max(found, key=lambda each: distance(each.part), default=None)


def _beyond(part: Finding, whole: Finding) -> bool:
    if part.low is None or part.high is None or whole.estimate is None:
        return False
    return part.low > whole.estimate if _direction(whole) else part.high < whole.estimate


def _counts(audit: Measured) -> dict[str, int]:
    return {status: n for status, n in audit.statuses.items() if n > 0}


def _nothing(counts: Mapping[str, int], asked: int, topics: str) -> str:
    about = f"nothing can be said about {topics}" if topics else "nothing can be said"
    of = f"{count_text(asked)} of {count_text(asked)} answers"
    if len(counts) == 1:
        (status,) = counts
        return f"{of} {ALL_WERE.get(status, f'are unreadable ({status})')}, so {about}."
    return f"{of} are unreadable ({_kinds(counts)}), so {about}."


def _some(counts: Mapping[str, int], asked: int, lacking: int) -> str:
    share = f"{100 * lacking / asked:.1f} %"
    return (
        f"{count_text(lacking)} of {count_text(asked)} answers ({share}) {'is' if lacking == 1 else 'are'} unreadable: "
        f"{_kinds(counts)}. "
        f"The rates rest on the other {count_text(asked - lacking)}."
    )


def _kinds(counts: Mapping[str, int]) -> str:
    kinds = sorted(((n, status) for status, n in counts.items() if status != OBSERVED), key=lambda kind: -kind[0])
    return listing([f"{count_text(n)} {UNREADABLE.get(status, status)}" for n, status in kinds])
