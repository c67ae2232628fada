"""A run of one probe: outcomes from answers, and findings from outcomes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from evenhand.collect.enough import Enough
from evenhand.collect.journal.index import journal_index
from evenhand.collect.outcomes import OutcomeSummary, answered_stimuli, write_outcomes
from evenhand.collect.twins import Twins
from evenhand.commands.evidence.asked import (
    STIMULI,
    file_of_settings,
    part_of,
    plan_of,
    settings_of,
    why_no_prompts,
    why_other_version,
    write_stimuli,
)
from evenhand.errors import CheckFailed
from evenhand.evidence.recomputed import NotRecomputed, Recomputed
from evenhand.findings.sequential import Sequential
from evenhand.runs.asking.until_width import open_enough, sequential_of
from evenhand.runs.finish import measured_folder
from evenhand.runs.manifest import Manifest
from evenhand.runs.merge.parts import MergePlan
from evenhand.runs.options.settings import configured, find_probe
from evenhand.runs.records.probe import probe_block
from evenhand.tables.audit.kinds import Audit
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.audit.reading import read_found
from evenhand.tables.details import Judged, Word
from evenhand.tables.finding import Finding
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
    content = read_found(folder)
    saved = content.findings
    probe = find_probe(manifest.probe)
    why = _why_not_at_all(manifest)
    if why is not None:
        return Recomputed(findings=[], source="", without={finding.name: why for finding in saved})
    _check_prompts(folder, manifest)
    unread = _why_unread(manifest)
    answered = _read_again(folder, manifest) if unread is None else None
    sequential = None if answered is None else answered.sequential
    probe = configured(probe, settings_of(manifest))
    measured = measured_folder(
        RunFolder(folder),
        probe,
        seed=manifest.parameters["seed"],
        compatible=None if manifest.compat is None else probe.compatible[manifest.compat],
        sequential=sequential,
    )
    without: dict[str, str] = {}
    if sequential is None and manifest.stopping is not None:
        without |= {finding.name: SEQUENCE for finding in saved if Judged.of(finding).until_width is not None}
    if manifest.redacted:
        there = {finding.name for finding in measured.findings}
        words = [finding.name for finding in saved if isinstance(finding.details, Word)]
        without |= {name: WORDS for name in words if name not in there}
    return Recomputed(
        findings=measured.findings,
        source="outcomes.parquet" if unread else "the answers",
        audit=None if answered is None else _block(content.audit, manifest, answered, measured.findings),
        tables=measured.tables,
        without=without,
        besides=[] if unread is None else [NotRecomputed(what="the reading of answers", why=unread)],
    )


@dataclass(frozen=True, kw_only=True)
class _Answered:
    """What was read in the answers of a run: its plan, their summary, and what was watched of them."""

    plan: MergePlan
    summary: OutcomeSummary
    sequential: Sequential | None


def _block(saved: Audit, manifest: Manifest, answered: _Answered, findings: Sequence[Finding]) -> Audit:
    """Return the audit block made again, with what is told of asking and of two answers as it was saved."""
    plan = answered.plan
    again = probe_block(plan.probe, plan.design, manifest, answered.summary, findings)
    assert isinstance(saved, ProbeAudit)
    return replace(again, warnings=saved.warnings, reproduce=saved.reproduce, twins=saved.twins)


def _why_not_at_all(manifest: Manifest) -> str | None:
    """Return why nothing of a run can be measured again; None where it can."""
    file = file_of_settings(manifest, lambda option: option.shared)
    return why_other_version(manifest) or (
        None if file is None else f"it was measured with {file}, which is not in the bundle"
    )


def _why_unread(manifest: Manifest) -> str | None:
    """Return why answers can't be read again; None where they can."""
    if manifest.redacted:
        return "their text was taken away"
    file = file_of_settings(manifest, lambda option: option.changes == "reading")
    return why_no_prompts(manifest) or (
        None if file is None else f"they were read with {file}, which is not in the bundle"
    )


def _check_prompts(folder: Path, manifest: Manifest) -> None:
    """Hold the prompts against those that the probe makes."""
    if why_no_prompts(manifest) is not None:
        return
    with TemporaryDirectory(prefix="evenhand-") as temporary:
        again = Path(temporary) / STIMULI
        write_stimuli(folder, plan_of(manifest).design, again)
        saved = folder / STIMULI
        if not saved.is_file() or saved.read_bytes() != again.read_bytes():
            raise CheckFailed(f"{STIMULI} is not what the probe asks.")


def _read_again(folder: Path, manifest: Manifest) -> _Answered:
    """Hold the outcomes against what is read in the answers, all that were planned; return what that was."""
    plan, number = plan_of(manifest), part_of(manifest)
    journaled = journal_index(folder).ids
    attempts, slack = plan.sample * plan.options.repetitions, plan.design.block * plan.options.repetitions
    if manifest.stopping is None and attempts // plan.of > journaled.size + slack:
        raise CheckFailed(f"{attempts:,} attempts were planned, and the journal has {journaled.size:,}.")
    enough = _enough(folder, manifest, plan, number)
    ids = plan.ids(number)
    planned = np.sort(ids if enough is None or not enough.reached else ids[: enough.attempts])
    lacking = np.setdiff1d(planned, journaled).size
    if lacking:
        raise CheckFailed(f"{lacking:,} of {planned.size:,} attempts have no answer in the journal.")
    with TemporaryDirectory(prefix="evenhand-") as temporary:
        again, own = RunFolder(Path(temporary)), RunFolder(folder)
        pieces = answered_stimuli(folder, plan.design, planned=planned)
        summary = write_outcomes(pieces, plan.probe.read, again.outcomes, again.words, twins=Twins(()))
        for saved, read in ((own.outcomes, again.outcomes), (own.words, again.words)):
            if saved.is_file() != read.is_file():
                raise CheckFailed(f"{saved.name} is not what is read in the answers.")
            if saved.is_file():
                _compare(saved, read)
    return _Answered(plan=plan, summary=summary, sequential=sequential_of(enough))


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
