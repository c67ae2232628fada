"""The pages of one probe: asked, and measured from saved answers."""

from typing import Final

from evenhand.report.page.contents import Page
from evenhand.report.page.context import asked_rows
from evenhand.report.population.chapters import twins_shown
from evenhand.report.probe.card import card_html
from evenhand.report.probe.chapters import probe_chapters, probe_opening
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.grouped.probe import ProbeGroups

__all__ = ["PROBE", "SAVED"]


def _page(*, saved: bool) -> Page[ProbeAudit, ProbeGroups]:
    return Page(
        opening=probe_opening,
        chapters=lambda content: probe_chapters(content.groups, content.audit),
        asked=lambda content: asked_rows(content.audit, saved=saved),
        example=lambda content: content.audit.example,
        twins=lambda content: twins_shown(content.audit),
        card=lambda content: card_html(content.audit.card),
    )


PROBE: Final = _page(saved=False)
SAVED: Final = _page(saved=True)
