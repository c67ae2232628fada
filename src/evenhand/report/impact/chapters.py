"""The page of an analysis of applicants, and its chapters."""

from typing import Final

from evenhand.report.impact.beside import block_section, bound_section, given_section
from evenhand.report.impact.counted import counted_section, impact_asked, impact_limits
from evenhand.report.impact.cutoffs import cutoff_section
from evenhand.report.impact.definitions import impact_definitions
from evenhand.report.impact.groups import attribute_section
from evenhand.report.impact.opening.screen import MOST_TABLES, impact_opening, led_by
from evenhand.report.impact.positions import pooled_section, position_section
from evenhand.report.impact.stages import stage_section
from evenhand.report.impact.tests import agreement_section, flip_flop_section, z_curve_section
from evenhand.report.impact.views import columns_table
from evenhand.report.page.contents import Page
from evenhand.report.page.parts import Part, Section
from evenhand.report.page.text import APPLICANTS
from evenhand.report.words.numbers import ABSENT
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.grouped.impact import ImpactGroups

__all__ = ["PAGE"]


def _chapters(groups: ImpactGroups, audit: ImpactAudit) -> list[Section]:
    """Return the chapters in the order that one reads them."""
    found: list[Section | None] = [counted_section(audit.accounting)]
    led = led_by(groups)[:MOST_TABLES]
    for number, each in enumerate(groups.attributes, start=1):
        if each.views:
            found.append(attribute_section(each.views, number, audit, led=led))
    found += [
        stage_section(groups, audit),
        cutoff_section(groups, audit),
        position_section(groups, audit),
        pooled_section(groups, audit),
        block_section(groups, audit),
        given_section(groups),
        bound_section(groups, audit),
        agreement_section(groups, audit),
        flip_flop_section(groups.views, audit),
        z_curve_section(groups, audit),
        _ll144(audit),
        _rules(audit),
    ]
    return [section for section in found if section is not None]


def _ll144(audit: ImpactAudit) -> Section | None:
    if audit.ll144 is None:
        return None
    text = [
        "The tables that New York's Local Law 144 asks for are on a page of their own, without a verdict, and in "
        "ll144.csv. They are calculations for a bias audit; the audit must be made by an independent auditor."
    ]
    return Section(
        name="ll144",
        heading="Local Law 144",
        text=text,
        parts=[Part(link="ll144.html", link_text="The page with the tables and the fields to be published")],
    )


def _rules(audit: ImpactAudit) -> Section | None:
    """Return the rules that the analysis rests on, as the audit block carries them."""
    found = audit.rules
    if not found:
        return None
    table = columns_table(
        {
            "Citation": [rule.citation for rule in found],
            "In our words": [rule.words for rule in found],
            "In force from": [rule.in_force or ABSENT for rule in found],
            "Checked on": [rule.checked or "not yet" for rule in found],
        },
        caption="Thresholds and rules used here",
        first="Rule",
        labels=[rule.title for rule in found],
        words=["Citation", "In our words"],
        folded=True,
    )
    text = [
        "The figures describe a selection. Whether it is lawful is for lawyers and courts; none of this is legal "
        "advice."
    ]
    return Section(name="rules", heading="Rules and where they stand", text=text, parts=[Part(tables=[table])])


PAGE: Final[Page[ImpactAudit, ImpactGroups]] = Page(
    opening=lambda content: impact_opening(content.groups, content.audit),
    chapters=lambda content: _chapters(content.groups, content.audit),
    asked=lambda content: impact_asked(content.audit),
    limits=lambda content: impact_limits(content.groups, content.audit),
    definitions=lambda content: impact_definitions(
        {finding.measure for finding in content.findings}, clustered=bool(content.audit.parameters.get("cluster"))
    ),
    text=APPLICANTS,
)
