"""The summary of a suite: a sentence and a chapter per probe, and the way to its own report."""

from urllib.parse import quote

from evenhand.report.page.document import REPORT, Document
from evenhand.report.page.parts import Part, Section
from evenhand.report.probe.headline import headline_part, headline_rows
from evenhand.report.probe.opening import opening_sentences

__all__ = ["suite_chapters", "suite_opening"]


def suite_opening(content: Document) -> list[str]:
    """Return the opening sentences of every probe, each behind the probe's title."""
    return [
        f"{entry.get('title') or entry.get('probe')}: {sentence}"
        for entry in content.audit.get("probes") or ()
        for audit in [{**content.audit, "statuses": None, **entry}]
        for sentence in opening_sentences(headline_rows(content.of_probe(str(entry.get("probe"))), audit), audit)
    ]


def suite_chapters(content: Document) -> list[Section]:
    """Return one chapter per probe: its headline findings, and the way to its report."""
    sections = []
    for number, entry in enumerate(content.audit.get("probes") or ()):
        audit = {**content.audit, **entry}
        rows = content.of_probe(str(entry.get("probe")))
        headline = headline_rows(rows, audit) or list(rows)
        folder = str(entry.get("folder") or "")
        sections.append(
            Section(
                name=f"probe-{number + 1}",
                heading=str(entry.get("title") or entry.get("probe") or folder),
                text=[str(entry["question"])] if entry.get("question") else [],
                parts=[
                    Part(link=quote(f"{folder}/{REPORT}") if folder else None),
                    *(headline_part(row, rows, audit) for row in headline),
                ],
            )
        )
    return sections
