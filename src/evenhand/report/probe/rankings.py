"""What rankings show besides who wins: mean ranks, slots of the prompt, candidates left out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evenhand.report.charts import MarkedLine
from evenhand.report.page.parts import Column, Figure, Part, Section, Table, estimate_table
from evenhand.report.probe.interval_figure import interval_figure
from evenhand.report.words.numbers import ABSENT, p_text, scale_of
from evenhand.report.words.wording import capital, group_label, in_words
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.probe import SLOT, ProbeGroups

__all__ = ["ranking_section"]


def ranking_section(groups: ProbeGroups) -> Section | None:
    """Return how candidates fare by place in the prompt and by rank, or None where nothing is ranked."""
    parts = []
    if groups.slots:
        parts.append(Part(heading="By place in the prompt", figures=[_slots(groups.slots)]))
    if groups.ranges:
        parts.append(Part(heading="Tests over all groups and slots at once", tables=[_range_table(groups.ranges)]))
    for found, heading, note in (
        (groups.ranks, "Mean rank", "1 is the best rank. Only rankings that name every candidate are used."),
        (
            groups.unranked,
            "Candidates left out of rankings",
            "A candidate that an answer leaves out has no rank, not the last.",
        ),
    ):
        if found:
            parts.append(Part(heading=heading, text=[note], tables=[_groups(found, heading)]))
    if not parts:
        return None
    return Section(name="rankings", heading="Ranks and places", parts=parts)


def _slots(findings: Sequence[Finding]) -> Figure:
    labels = [f"Place {finding.slice[SLOT]}" for finding in findings]
    title = "Share of prompts won, by place in the prompt"
    chance = 1 / len(findings)
    return interval_figure(
        findings,
        title=title,
        note="The dashed line is an equal share. Where prompts are mirrored, both genders hold every place in turn, so "
        "an effect of the place does not pass for one of gender.",
        labels=labels,
        tables=[replace(estimate_table(findings, caption=title, first="Place", labels=labels), folded=True)],
        lines=[MarkedLine(value=scale_of(findings[0]).shown(chance))],
    )


def _range_table(findings: Sequence[Finding]) -> Table:
    lines = []
    for finding in findings:
        test = finding.tests[0] if finding.tests else None
        points = scale_of(finding).number(finding.estimate)
        said = f"{capital(_label(finding.focal))} {points} points above {_label(finding.reference)}"
        statistic = ABSENT if test is None or test.statistic is None else f"{test.statistic:.2f}"
        name = "" if test is None else test.name + (f" ({test.reason})" if test.reason else "")
        lines.append([said, name, statistic, p_text(test.p if test else None)])
    columns = [
        Column(label=label, numeric=label in {"F", "p"}) for label in ("Widest gap of win rates", "Test", "F", "p")
    ]
    return Table(
        caption="The largest difference was chosen post hoc; the test takes all differences at once",
        columns=columns,
        rows=lines,
    )


def _label(group: Mapping[str, str]) -> str:
    return f"place {group[SLOT]}" if SLOT in group else group_label(group)


def _groups(findings: Sequence[Finding], caption: str) -> Table:
    labels = [
        f"Difference, {group_label(finding.focal)} less {group_label(finding.reference)}"
        if finding.reference
        else capital(group_label(finding.focal) or in_words(finding.measure))
        for finding in findings
    ]
    return estimate_table(findings, caption=caption, first="Group", labels=labels)
