"""The audit protocol of a run that is bundled, from its manifest and its findings."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from evenhand.commands.evidence.asked import AskedRun
from evenhand.commands.evidence.runs import BundledFolder
from evenhand.evidence.contents import BundledRun, Protocol
from evenhand.report.page.contents import page_of
from evenhand.report.page.document import read_document
from evenhand.tables.audit.reading import read_found

__all__ = ["bundled_run"]

#: A record of the names that a test shows; the manifest has it.
_LONG = "names"
#: So many sentences of a report say what was found.
SENTENCES = 2


def bundled_run(folder: BundledFolder, *, given: Mapping[str, Path], asked_by: str | None) -> BundledRun:
    """Return what bundle.json says of a run."""
    manifest, content = folder.manifest, read_found(folder.path)
    audit = content.audit
    settings = {name: value for name, value in manifest.settings.items() if name != _LONG}
    decided = dict(audit.parameters) | dict(manifest.parameters) | settings
    shown = read_document(folder.path)
    planned = dict.fromkeys(finding.measure for finding in content.findings if finding.role == "planned")
    return BundledRun(
        folder=folder.name,
        kind=audit.kind,
        title=audit.title,
        model=audit.model,
        simulated=audit.simulated,
        started=manifest.started,
        finished=manifest.finished,
        versions=dict(audit.versions),
        found=tuple(page_of(shown).opening(shown).sentences[:SENTENCES]),
        protocol=Protocol(
            question=audit.question,
            asked_by=asked_by,
            data=dict(manifest.fingerprints),
            input=dict(manifest.input),
            decided=decided,
            planned=tuple(planned),
            warnings=tuple(audit.warnings),
            limits=tuple(audit.limits),
            command=audit.reproduce,
        ),
        not_inside=tuple(_not_inside(AskedRun(manifest=manifest, given=given))),
    )


def _not_inside(asked: AskedRun) -> Iterator[str]:
    """Yield what an auditor may look for and does not find."""
    kind = asked.manifest.run_kind
    if kind.outside is not None and asked.source is None:
        yield kind.outside
    if kind.asks and not asked.has_prompts:
        yield f"the prompts, as {asked.why_no_prompts}"
    if asked.manifest.redacted:
        yield "the text of answers, and the words in it"
