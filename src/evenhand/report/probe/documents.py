"""Documents: which words two groups' documents differ in, how long they are, how often none is written."""

from collections.abc import Sequence
from dataclasses import replace

from evenhand.report.charts import MarkedLine
from evenhand.report.page.parts import Figure, Part, Section, estimate_table
from evenhand.report.probe.interval_figure import interval_figure
from evenhand.report.words.numbers import count_text
from evenhand.report.words.wording import capital, group_label
from evenhand.tables.details import Word
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.probe import ProbeGroups

__all__ = ["word_section"]

WORD = "word"
#: Words drawn per direction; the table below the chart has all that are findings.
DRAWN = 15


def word_section(groups: ProbeGroups) -> Section | None:
    """Return which words carry the result, and length and refusals per group; None without documents."""
    words, coded = groups.words, groups.coded_words
    parts = []
    if words:
        parts.append(Part(heading="All words", figures=[_figure(_drawn(words), words, "Words that differ most")]))
        if coded:
            title = "Terms of the inventories that differ most"
            parts.append(Part(heading="Terms of the inventories", figures=[_figure(_drawn(coded), coded, title)]))
    for found, heading in ((groups.lengths, "Length in words"), (groups.refusals, "Refusals")):
        if found:
            labels = [
                f"Difference, {group_label(finding.focal)} less {group_label(finding.reference)}"
                if finding.reference
                else capital(group_label(finding.focal))
                for finding in found
            ]
            parts.append(Part(tables=[estimate_table(found, caption=heading, first="Documents of", labels=labels)]))
    if not parts:
        return None
    text = [
        "The log odds ratio tells how much more one group's documents use a word; it is drawn to 0 by what both use "
        "together (Monroe, Colaresi and Quinn 2008). Names and pronouns are left out, documents are resampled. The "
        "words were chosen post hoc; the adjusted p takes all words that were tested into account."
    ]
    return Section(name="words", heading="Words of the documents", text=text if words else [], parts=parts)


def _drawn(findings: Sequence[Finding]) -> list[Finding]:
    """Return the words farthest from 0 on each side, in the order of the table."""
    order = sorted(findings, key=lambda finding: finding.estimate or 0.0, reverse=True)
    if len(order) <= 2 * DRAWN:
        return order
    return [*order[:DRAWN], *order[-DRAWN:]]


def _figure(drawn: Sequence[Finding], findings: Sequence[Finding], title: str) -> Figure:
    focal, reference = group_label(drawn[0].focal), group_label(drawn[0].reference)
    full = sorted(findings, key=lambda finding: finding.estimate or 0.0, reverse=True)
    table = estimate_table(
        full,
        caption=title,
        first="Word",
        labels=[finding.slice[WORD] for finding in full],
        extra={
            f"In {focal} documents": [count_text(Word.of(finding).count_focal) for finding in full],
            f"In {reference} documents": [count_text(Word.of(finding).count_reference) for finding in full],
            "Coded": [Word.of(finding).coded or "" for finding in full],
        },
    )
    return interval_figure(
        drawn,
        title=title,
        note=f"Right of 0: more in documents for {focal} names; left: for {reference} names.",
        labels=[finding.slice[WORD] for finding in drawn],
        tables=[replace(table, folded=True)],
        lines=[MarkedLine(value=0.0)],
        axis="log odds ratio",
    )
