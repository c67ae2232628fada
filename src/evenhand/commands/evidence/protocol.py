"""The audit protocol of a run that is bundled, from its manifest and its findings."""

from evenhand.commands.evidence.runs import BundledFolder
from evenhand.evidence.contents import BundledRun, Protocol
from evenhand.report.page.document import read_document

__all__ = ["bundled_run"]

#: A record of the names that a test shows; the manifest has it.
_LONG = "names"


def bundled_run(folder: BundledFolder, *, asked_by: str | None) -> BundledRun:
    """Return what bundle.json says of a run."""
    manifest, content = folder.manifest, read_document(folder.path)
    audit = content.audit
    settings = {name: value for name, value in manifest.settings.items() if name != _LONG}
    decided = dict(manifest.parameters) | settings
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
    )
