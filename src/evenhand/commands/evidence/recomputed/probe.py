"""A run of one probe: outcomes from answers, and findings from outcomes."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from evenhand.collect.enough import Enough
from evenhand.collect.journal.index import journal_index
from evenhand.collect.outcomes import OutcomeSummary, answered_stimuli, write_outcomes
from evenhand.collect.twins import Twins
from evenhand.commands.evidence.asked import STIMULI, AskedRun, given_below, write_stimuli
from evenhand.commands.measure import joined_answers
from evenhand.errors import CheckFailed
from evenhand.evidence.recomputed import NotRecomputed, Recomputed
from evenhand.findings.sequential import Sequential
from evenhand.intake.saved_answers import read_saved_answers
from evenhand.probes.shared.probe import ReadAnswers
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
    content, asked = read_found(folder), AskedRun(manifest=manifest, given=given_below(folder))
    saved, why = content.findings, asked.why_unmeasured
    if why is not None:
        return Recomputed(findings=[], source="", without={finding.name: why for finding in saved})
    if asked.has_prompts:
        _check_prompts(folder, asked)
    unread = asked.why_unread
    answered = None
    if unread is None and manifest.design is None:
        _read_saved_again(folder, asked)
    elif unread is None:
        answered = _read_again(folder, asked)
    sequential = None if answered is None else answered.sequential
    probe = configured(find_probe(manifest.probe), asked.settings)
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
        audit=None if answered is None or asked.given else _block(content.audit, answered, measured.findings, manifest),
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


def _block(saved: Audit, answered: _Answered, findings: Sequence[Finding], manifest: Manifest) -> Audit:
    """Return the audit block made again, with what is told of asking and of two answers as it was saved."""
    plan = answered.plan
    again = probe_block(plan.probe, plan.design, manifest, answered.summary, findings)
    assert isinstance(saved, ProbeAudit)
    return replace(again, warnings=saved.warnings, reproduce=saved.reproduce, twins=saved.twins)


def _check_prompts(folder: Path, asked: AskedRun) -> None:
    """Hold the prompts against those that the probe makes."""
    with TemporaryDirectory(prefix="evenhand-") as temporary:
        again = Path(temporary) / STIMULI
        write_stimuli(folder, asked.plan.design, again)
        saved = folder / STIMULI
        if not saved.is_file() or saved.read_bytes() != again.read_bytes():
            raise CheckFailed(f"{STIMULI} is not what the probe asks.")


def _read_again(folder: Path, asked: AskedRun) -> _Answered:
    """Hold the outcomes against what is read in the answers, all that were planned; return what that was."""
    plan, number, manifest = asked.plan, asked.number, asked.manifest
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
    summary = _hold_outcomes(folder, answered_stimuli(folder, plan.design, planned=planned), plan.probe.read)
    return _Answered(plan=plan, summary=summary, sequential=sequential_of(enough))


def _read_saved_again(folder: Path, asked: AskedRun) -> None:
    """Hold the outcomes against what is read in the saved answers that were measured."""
    manifest, path = asked.manifest, asked.source
    assert path is not None
    probe = configured(find_probe(manifest.probe), asked.settings, command="measure")
    saved = read_saved_answers(path, maps=tuple(manifest.parameters.get("map_values", ())))
    read = probe.read if manifest.compat is None else probe.compatible[manifest.compat].read
    _hold_outcomes(folder, [joined_answers(saved, probe.saved(saved))], read)


def _hold_outcomes(
    folder: Path, pieces: Iterable[pl.DataFrame], read: Callable[[pl.DataFrame], ReadAnswers]
) -> OutcomeSummary:
    """Hold outcomes against what is read in answers, joined with their stimuli; return the summary of these."""
    with TemporaryDirectory(prefix="evenhand-") as temporary:
        again, own = RunFolder(Path(temporary)), RunFolder(folder)
        summary = write_outcomes(pieces, read, again.outcomes, again.words, twins=Twins(()))
        for saved, other in ((own.outcomes, again.outcomes), (own.words, again.words)):
            if saved.is_file() != other.is_file():
                raise CheckFailed(f"{saved.name} is not what is read in the answers.")
            if saved.is_file():
                _compare(saved, other)
    return summary


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
