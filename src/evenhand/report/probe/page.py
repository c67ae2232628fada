"""The pages of one probe: asked, and measured from saved answers."""

from typing import Final

from evenhand.report.page.contents import Page
from evenhand.report.page.context import asked_rows, other_parameters
from evenhand.report.page.text import MODEL, PageText
from evenhand.report.page.text import SAVED as OF_SAVED
from evenhand.report.population.chapters import twins_shown
from evenhand.report.probe.card import card_html
from evenhand.report.probe.chapters import probe_chapters, probe_opening
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.grouped.probe import ProbeGroups

__all__ = ["PROBE", "SAVED"]


def _page(text: PageText, *, saved: bool) -> Page[ProbeAudit, ProbeGroups]:
    return Page(
        opening=probe_opening,
        chapters=lambda content: probe_chapters(content.groups, content.audit),
        asked=lambda content: asked_rows(content.audit, saved=saved),
        other=lambda content: other_parameters(content.audit),
        example=lambda content: content.audit.example,
        twins=lambda content: twins_shown(content.audit),
        card=lambda content: card_html(content.audit.card),
        text=text,
    )


PROBE: Final = _page(MODEL, saved=False)
SAVED: Final = _page(OF_SAVED, saved=True)
