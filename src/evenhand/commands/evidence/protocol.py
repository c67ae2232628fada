"""The audit protocol of a run that is bundled, from its manifest and its findings."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evenhand.commands.evidence.asked import AskedRun
from evenhand.commands.evidence.runs import BundledFolder
from evenhand.evidence.contents import BundledRun, Protocol
from evenhand.report.page.contents import page_of
from evenhand.report.page.document import read_document
from evenhand.runs.manifest import Manifest
from evenhand.tables.audit.kinds import Audit
from evenhand.tables.audit.reading import read_found

__all__ = ["bundled_run"]

#: A record of the names that a test shows; the manifest has it.
_LONG = "names"
#: So many sentences of a report say what was found.
SENTENCES = 2


def bundled_run(folder: BundledFolder, *, given: Mapping[str, Path], asked_by: str | None) -> BundledRun:
    """Return what bundle.json says of a run; `given` is what the bundle holds of what runs were made from."""
    manifest, content = folder.manifest, read_found(folder.path)
    audit = content.audit
    settings = {name: value for name, value in manifest.settings.items() if name != _LONG}
    decided = dict(audit.parameters) | dict(manifest.parameters) | settings
    data = _named(decided, manifest.fingerprints)
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
        versions=dict(manifest.versions) | dict(audit.versions),
        found=tuple(page_of(shown).opening(shown).sentences[:SENTENCES]),
        protocol=Protocol(
            question=audit.question or _asked_below(manifest),
            asked_by=asked_by or manifest.asked_by,
            data=data,
            input=dict(manifest.input) | _counted(audit),
            decided=decided,
            planned=tuple(planned),
            warnings=tuple(audit.warnings),
            limits=tuple(audit.limits),
            command=audit.reproduce,
        ),
        not_inside=tuple(_not_inside(AskedRun(manifest=manifest, given=given), data)),
    )


def _asked_below(manifest: Manifest) -> str | None:
    """Return what a suite asks; None of other runs."""
    return f"What its probes ask: {', '.join(manifest.probes)}." if manifest.run_kind.probes_below else None


def _named(decided: Mapping[str, Any], read: Mapping[str, str]) -> dict[str, str]:
    """Return the sha256 of all files that were read, and of those that options named besides."""
    named = [each for each in decided.values() if isinstance(each, Mapping) and "file" in each]
    known = set(read.values())
    return {**read, **{each["file"]: each["sha256"] for each in named if each["sha256"] not in known}}


def _counted(audit: Audit) -> dict[str, int]:
    """Return how many people and positions a run read, as far as its block says so."""
    found = {name: getattr(audit, name, None) for name in ("people", "positions")}
    return {name: number for name, number in found.items() if isinstance(number, int)}


def _not_inside(asked: AskedRun, data: Mapping[str, str]) -> Iterator[str]:
    """Yield what an auditor may look for and does not find."""
    kind = asked.manifest.run_kind
    own = {sha for name, sha in data.items() if "/" not in name and not name.startswith("matcher")}
    counts_given = bool(asked.manifest.parameters.get("counts"))
    if kind.outside is not None and not counts_given and not (own and own <= asked.given.keys()):
        yield kind.outside
    if kind.asks and not asked.has_prompts:
        yield f"the prompts, as {asked.why_no_prompts}"
    if asked.manifest.redacted:
        yield "the text of answers, and the words in it"
