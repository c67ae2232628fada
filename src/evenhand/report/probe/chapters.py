"""What the page of one probe opens with, and its chapters."""

from collections.abc import Sequence

from evenhand.report.page.context import undetected_section
from evenhand.report.page.document import Document
from evenhand.report.page.parts import CLUSTERS, Opening, Section, estimate_table
from evenhand.report.population.chapters import population_sections
from evenhand.report.population.mixed import mixed_section
from evenhand.report.population.opening import population_figure, population_opening
from evenhand.report.probe.documents import word_section
from evenhand.report.probe.groups import group_section
from evenhand.report.probe.headline import headline_section
from evenhand.report.probe.opening import (
    Told,
    exploratory_sentences,
    headline_figure,
    headline_table,
    opening_sentences,
    unread_sentence,
)
from evenhand.report.probe.rankings import ranking_section
from evenhand.report.probe.slices import instruction_section, slice_section
from evenhand.report.probe.steps import probe_steps
from evenhand.report.probe.trend import trend_section
from evenhand.report.scores.section import score_section
from evenhand.report.words.numbers import count_text
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.probe import ProbeGroups

__all__ = ["probe_chapters", "probe_opening"]


def _compatible_opening(findings: Sequence[Finding], package: str) -> Opening:
    """Return the measures of the whole run under the names that another package gives them."""
    whole = [finding for finding in findings if not finding.slice]
    left = len(findings) - len(whole)
    table = estimate_table(
        whole,
        caption=f"By the definitions of {package}",
        first="Measure",
        labels=[finding.name for finding in whole],
        without={"p", "p, adjusted", CLUSTERS},
    )
    more = [f"{count_text(left)} more, of parts of the run, are in findings.json."] if left else []
    return Opening(sentences=more, tables=[table])


def probe_opening(content: Document[ProbeAudit, ProbeGroups]) -> Opening:
    """Return what was found: figures, sentences, and what to look at next."""
    groups, audit = content.groups, content.audit
    if audit.compat:
        return _compatible_opening(content.findings, audit.compat)
    steps = probe_steps(groups, audit)
    if groups.population:
        against = groups.population
        figure = population_figure(against)
        return Opening(
            sentences=population_opening(against, audit),
            figures=[figure] if figure else [],
            steps=steps,
        )
    rows = [Told(headline=each, audit=audit) for each in groups.headline]
    known = [each for each in rows if each.headline.finding.estimate is not None]
    table = headline_table(rows)
    figure = headline_figure(rows, table)
    return Opening(
        sentences=[
            *opening_sentences(groups.headline, audit),
            *([unread] if (unread := unread_sentence(groups.undetected, groups.undetected_groups)) and known else []),
            *exploratory_sentences(groups.race, groups.parts, groups.headline, audit),
        ],
        tables=[table] if known and not figure else [],
        figures=[figure] if figure else [],
        steps=steps,
    )


def probe_chapters(groups: ProbeGroups, audit: ProbeAudit) -> list[Section]:
    """Return the chapters that the findings give, in the order that one reads them."""
    if groups.population:
        more = [mixed_section(groups), undetected_section(groups, audit)]
        return [*population_sections(groups.population, audit), *(section for section in more if section is not None)]
    found = [
        headline_section(groups, audit),
        trend_section(groups, audit),
        group_section(groups),
        ranking_section(groups),
        score_section(groups),
        slice_section(groups.slices, audit),
        instruction_section(groups, audit),
        word_section(groups),
        undetected_section(groups, audit),
    ]
    return [section for section in found if section is not None]
