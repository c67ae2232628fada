"""What the page of one probe opens with, and its chapters."""

from evenhand.report.page.context import undetected_section
from evenhand.report.page.document import Document
from evenhand.report.page.parts import Section
from evenhand.report.population.chapters import population_sections
from evenhand.report.population.mixed import mixed_section
from evenhand.report.population.opening import population_opening
from evenhand.report.probe.documents import word_section
from evenhand.report.probe.groups import group_section
from evenhand.report.probe.headline import headline_rows, headline_section
from evenhand.report.probe.opening import opening_sentences
from evenhand.report.probe.rankings import ranking_section
from evenhand.report.probe.slices import instruction_section, slice_section
from evenhand.report.probe.trend import trend_section
from evenhand.tables.audit.probe import ProbeAudit

__all__ = ["probe_chapters", "probe_opening"]


def probe_opening(content: Document[ProbeAudit]) -> list[str]:
    """Return what was found, in sentences."""
    audit, rows = content.audit, content.rows
    return [*population_opening(rows, audit), *opening_sentences(headline_rows(rows, audit), audit)]


def probe_chapters(content: Document[ProbeAudit]) -> list[Section]:
    """Return the chapters that the findings give, in the order that one reads them."""
    audit, rows = content.audit, content.rows
    population = population_sections(rows, audit)
    if population:
        more = [mixed_section(rows), undetected_section(rows, audit)]
        return [*population, *(section for section in more if section is not None)]
    found = [
        headline_section(rows, audit),
        trend_section(rows, audit),
        group_section(rows),
        ranking_section(rows),
        slice_section(rows, audit),
        instruction_section(rows, audit),
        word_section(rows),
        undetected_section(rows, audit),
    ]
    return [section for section in found if section is not None]
