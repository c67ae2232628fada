"""A run of one probe: outcomes from answers, and findings from outcomes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

from evenhand.collect.enough import Enough
from evenhand.collect.journal.index import journal_index
from evenhand.collect.outcomes import answered_stimuli, write_outcomes
from evenhand.collect.twins import Twins
from evenhand.errors import CheckFailed
from evenhand.evidence.recomputed import NotRecomputed, Recomputed
from evenhand.findings.sequential import Sequential
from evenhand.options import declared
from evenhand.probes.shared.probe import Probe
from evenhand.report.page.document import read_document
from evenhand.runs.asking.until_width import open_enough, sequential_of
from evenhand.runs.finish import measured_folder
from evenhand.runs.manifest import Manifest
from evenhand.runs.merge.parts import MergePlan, planned_again
from evenhand.runs.options.settings import configured, find_probe
from evenhand.runs.options.shards import Shards
from evenhand.tables.details import Judged, Word
from evenhand.tables.run_folder import RunFolder

__all__ = ["recomputed"]

#: Why a finding is not computed again.
WORDS = "the words of answers were taken away with their text"
SEQUENCE = "its interval is a confidence sequence, which follows from the order of the answers"


def recomputed(folder: Path, manifest: Manifest, *, beside: Sequence[Path]) -> Recomputed:  # noqa: ARG001
    """Return the findings of a run, from its outcomes; these are read again from the answers, where they are there.

    Raises
    ------
    CheckFailed
        The outcomes are not what is read in the answers, or answers are lacking.

    """
    saved = read_document(folder).findings
    probe = find_probe(manifest.probe)
    why = _why_not_at_all(probe, manifest)
    if why is not None:
        return Recomputed(findings=[], source="", without={finding.name: why for finding in saved})
    unread = _why_unread(manifest)
    sequential = _read_again(folder, manifest) if unread is None else None
    probe = configured(probe, _settings(manifest))
    measured = measured_folder(
        RunFolder(folder),
        probe,
        seed=manifest.parameters["seed"],
        compatible=None if manifest.compat is None else probe.compatible[manifest.compat],
        sequential=sequential,
    )
    without: dict[str, str] = {}
    if sequential is None:
        without |= {finding.name: SEQUENCE for finding in saved if Judged.of(finding).until_width is not None}
    if manifest.redacted:
        without |= {finding.name: WORDS for finding in saved if isinstance(finding.details, Word)}
    return Recomputed(
        findings=measured.findings,
        source="outcomes.parquet" if unread else "the answers",
        tables=measured.tables,
        without=without,
        besides=[] if unread is None else [NotRecomputed(what="the reading of answers", why=unread)],
    )


def _settings(manifest: Manifest) -> dict[str, Any]:
    """Return the probe's own settings but for files, which no bundle has."""
    return {name: value for name, value in manifest.settings.items() if not isinstance(value, Mapping)}


def _files(probe: Probe, manifest: Manifest, *, measuring: bool) -> Iterator[str]:
    """Yield what names a file that a run was asked with, all or those that change what is measured."""
    for each in declared(probe.settings):
        value = manifest.settings.get(each.name)
        if isinstance(value, Mapping) and (each.option.shared or not measuring):
            yield f"{each.flag} {value['file']}"


def _why_not_at_all(probe: Probe, manifest: Manifest) -> str | None:
    """Return why nothing of a run can be measured again; None where it can."""
    if probe.version != manifest.probe_version:
        return f"it is of version {manifest.probe_version} of {probe.name}, and this evenhand has {probe.version}"
    file = next(_files(probe, manifest, measuring=True), None)
    return None if file is None else f"it was measured with {file}, which is not in the bundle"


def _why_unread(manifest: Manifest) -> str | None:
    """Return why answers can't be read again; None where they can."""
    if manifest.design is None:
        return "the saved answers are not in the bundle"
    if manifest.redacted:
        return "their text was taken away"
    file = next(_files(find_probe(manifest.probe), manifest, measuring=False), None)
    return None if file is None else f"the prompts were made with {file}, which is not in the bundle"


def _read_again(folder: Path, manifest: Manifest) -> Sequential | None:
    """Hold the outcomes against what is read in the answers, all that were planned; return what was watched of them."""
    shard = None if manifest.shard is None else Shards.parse(manifest.shard)
    plan = planned_again(manifest, _settings(manifest), of=1 if shard is None else shard.of)
    number = 1 if shard is None else shard.number
    enough = _enough(folder, manifest, plan, number)
    ids = plan.ids(number)
    planned = np.sort(ids if enough is None or not enough.reached else ids[: enough.attempts])
    lacking = np.setdiff1d(planned, journal_index(folder).ids).size
    if lacking:
        raise CheckFailed(f"{lacking:,} of {planned.size:,} attempts have no answer in the journal.")
    with TemporaryDirectory(prefix="evenhand-") as temporary:
        again, own = RunFolder(Path(temporary)), RunFolder(folder)
        pieces = answered_stimuli(folder, plan.design, planned=planned)
        write_outcomes(pieces, plan.probe.read, again.outcomes, again.words, twins=Twins(()))
        for saved, read in ((own.outcomes, again.outcomes), (own.words, again.words)):
            if saved.is_file() != read.is_file():
                raise CheckFailed(f"{saved.name} is not what is read in the answers.")
            if saved.is_file():
                _compare(saved, read)
    return sequential_of(enough)


def _enough(folder: Path, manifest: Manifest, plan: MergePlan, number: int) -> Enough | None:
    """Return what was watched of the answers; None without --until-width."""
    if manifest.stopping is None:
        return None
    options = replace(plan.options, until_width=manifest.stopping.until_width)
    enough = open_enough(plan.probe, plan.design, options, sample=plan.sample)
    if enough is not None:
        enough.replay(folder, plan.attempts(number), np.sort(journal_index(folder).ids))
        enough.finish()
    return enough


def _compare(saved: Path, read: Path) -> None:
    """Raise CheckFailed where two tables have other rows; their order is not fixed."""
    one, other = (pl.read_parquet(path) for path in (saved, read))
    if one.schema != other.schema or one.height != other.height:
        raise CheckFailed(f"{saved.name} has {one.height:,} rows, and {other.height:,} are read in the answers.")
    one, other = (table.sort(table.columns) for table in (one, other))
    if not one.equals(other):
        pairs = zip(one.iter_rows(), other.iter_rows(), strict=True)
        row = next((mine for mine, theirs in pairs if mine != theirs), one.row(0))
        raise CheckFailed(f"{saved.name} is not what is read in the answers; the first other row is that of {row[0]}.")
