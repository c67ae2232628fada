"""`evenhand collect merge`: join the parts of a run that several machines asked."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.collect.batches.log import refuse_open_batches
from evenhand.collect.journal.file import Journal
from evenhand.collect.journal.index import journal_index
from evenhand.collect.journal.joined import Joined, Part, join_journals, missing
from evenhand.collect.outcomes import answered_stimuli
from evenhand.errors import Incomplete, InputError
from evenhand.runs.adapted import adaptation_warnings
from evenhand.runs.finish import Answered, answer_warnings, finish_run
from evenhand.runs.finished_run import ProbeRun, Run
from evenhand.runs.manifest import Manifest, read_manifest
from evenhand.runs.merge.account import Paying, merged_account
from evenhand.runs.merge.manifests import leave_incomplete, merged_manifest, merged_suite_manifest
from evenhand.runs.merge.parts import Machine, MergePlan, merge_plan, open_part
from evenhand.runs.merge.target import merge_target, merged_probe, take_over
from evenhand.runs.options.again import reproduce_line, resume_words
from evenhand.runs.options.probe import MergeOptions
from evenhand.runs.options.settings import find_probe, own_settings
from evenhand.runs.progress import Notices
from evenhand.runs.records.asked import SAME_IN_PARTS
from evenhand.runs.records.suite import finish_suite
from evenhand.runs.sample import prompt_tokens
from evenhand.tables.run_folder import RunFolder

__all__ = ["merge_runs"]

#: What parts must have in common; they differ in the shard, and may in how the server was reached.
AGREE = ("kind", "probe_version", *SAME_IN_PARTS, "sample", "population", "repetitions")
SUITE_AGREE = ("kind", "suite", "model")


def merge_runs(
    folders: Sequence[Path],
    options: MergeOptions,
    *,
    files: Mapping[str, Path],
    notice: Notices,
) -> Run:
    """Join parts of one run or of one suite, measure and report; return the whole run.

    `files` are those that the parts were asked with (`corpus`, `templates`, `labels`): a
    manifest holds their fingerprints only.

    Raises
    ------
    InputError
        A folder is no part of a run, or the parts are not of one run; nothing was written.
    Incomplete
        Parts are lacking or unfinished; what there is has been joined.

    """
    out, force = options.out, options.force
    machines = [open_part(path) for path in {path.resolve(): path for path in reversed(folders)}.values()][::-1]
    _check_apart(machines, out)
    if machines[0].is_suite:
        return _merge_suite(machines, out, force=force, notice=notice, settings=files, redact=options.redact_answers)
    _check_agreement(machines, AGREE)
    plan = merge_plan(machines, files, redact=options.redact_answers)
    with merge_target(out, force=force) as (folder, beside):
        merging = _joined(plan, machines, folder.path, beside)
        take_over(folder, merging.manifest, beside)
        attempts = _attempts(merging, folder, notice=notice)
        if not attempts.lacking:
            return _finished(merging, attempts, folder, notice=notice)
        again = resume_words(out, redact=merging.plan.options.redact_answers)
        told = f"{attempts.counted} attempts are lacking, {attempts.where}."
        raise Incomplete(f"{told} {_how(f'evenhand probe {plan.probe.name} … {again}')}")


def _check_apart(machines: Sequence[Machine], out: Path) -> None:
    """Refuse to write where the parts are: --force would remove them."""
    target = out.resolve()
    for machine in machines:
        part = machine.path.resolve()
        if part == target or target in part.parents or part in target.parents:
            raise InputError(f"--out {out} holds, or lies in, the part {machine.path}; choose another --out.")


def _check_agreement(machines: Sequence[Machine], names: Sequence[str]) -> None:
    """Refuse parts of different runs; the first thing that differs is named."""
    first = machines[0]
    for other in machines[1:]:
        before, now = (each.manifest.requested for each in (first, other))
        for name in names:
            if before.get(name) != now.get(name):
                raise InputError(
                    f"{first.path} and {other.path} are parts of different runs: {name.replace('_', '-')} is "
                    f"{before.get(name)!r} in one and {now.get(name)!r} in the other."
                )
        if first.manifest.shard is not None and first.shard.of != other.shard.of:
            raise InputError(
                f"{first.path} is part {first.shard} and {other.path} part {other.shard}; expected parts of one "
                "division."
            )


@dataclass(frozen=True, kw_only=True)
class _Merging:
    """A run whose parts have been joined, beside the folder that it goes to."""

    plan: MergePlan
    manifest: dict[str, Any]
    joined: Joined
    #: Lines that only the target of an earlier merge had.
    kept: int


@dataclass(frozen=True, kw_only=True)
class _Attempts:
    """All attempts of a run by the number of its part, and how many of each part have no answer."""

    plan: MergePlan
    ids: Sequence[NDArray[np.uint64]]
    lacking: Mapping[int, int]

    @property
    def counted(self) -> str:
        """Return how many of how many are lacking."""
        return f"{sum(self.lacking.values()):,} of {self.plan.sample * self.plan.options.repetitions:,}"

    @property
    def where(self) -> str:
        """Return in which parts, with the number in each."""
        parts = ", ".join(f"{number}/{self.plan.of} ({count:,})" for number, count in self.lacking.items())
        return f"in part {parts}"


def _joined(plan: MergePlan, machines: Sequence[Machine], out: Path, beside: Path) -> _Merging:
    """Join the journals of all parts, and what `out` holds of the same run, into `beside`; nothing else is written."""
    earlier = _earlier(machines[0], out)
    kept = 0
    redact = plan.options.redact_answers or any(each.manifest.redact_answers for each in machines)
    sources = [Part(folder=each.path, finished=each.manifest.is_finished) for each in machines]
    paying = [Paying(folder=each.path, manifest=each.manifest) for each in machines]
    if earlier is not None:
        kept = _only_there(out, [each.path for each in machines])
        if kept and earlier.redacted:
            raise InputError(
                f"{out} holds {kept:,} answers that no part has, and their text was taken away, so they can't be "
                "joined. Choose another --out."
            )
        refuse_open_batches(out)
        redact = redact or earlier.redact_answers
        if not earlier.redacted:
            sources.append(Part(folder=out, finished=earlier.is_finished))
            paying.append(Paying(folder=out, manifest=earlier, joined=True))
    plan = replace(plan, options=replace(plan.options, redact_answers=redact))
    with Journal(beside) as journal:
        joined = join_journals(sources, journal)
    parts = Joined(
        lines=joined.lines,
        # What the target holds of the parts, it holds by an earlier merge.
        overlaps=joined.overlaps if len(sources) == len(machines) else _overlaps([each.path for each in machines]),
        conflicts=joined.conflicts,
    )
    account = partial(
        merged_account,
        overlaps=joined.overlaps > 0,
        prompt=lambda: prompt_tokens(plan.design, plan.sample, seed=plan.options.seed),
    )
    paid = account(paying)
    own = account(paying[: len(machines)]) if len(paying) > len(machines) else paid
    manifest = merged_manifest(plan, machines, parts, paid=paid, own=own)
    return _Merging(plan=plan, manifest=manifest, joined=parts, kept=kept)


def _earlier(part: Machine, out: Path) -> Manifest | None:
    """Return the manifest of the same run in the target; None where there is none, or another run."""
    manifest = read_manifest(out)
    if manifest is None or not manifest.run_kind.asks or manifest.shard is not None:
        return None
    before, now = (each.requested for each in (manifest, part.manifest))
    return manifest if all(before.get(name) == now.get(name) for name in AGREE) else None


def _only_there(out: Path, parts: Sequence[Path]) -> int:
    """Return how many attempts only the target has."""
    known = np.concatenate([journal_index(path).ids for path in parts])
    return int(np.setdiff1d(journal_index(out).ids, known).size)


def _overlaps(parts: Sequence[Path]) -> int:
    """Return how many attempts several parts have."""
    _, counts = np.unique(np.concatenate([journal_index(path).ids for path in parts]), return_counts=True)
    return int((counts > 1).sum())


def _attempts(merging: _Merging, folder: RunFolder, *, notice: Notices) -> _Attempts:
    """Return which attempts have an answer in a folder; where some have none, its manifest says so."""
    plan, joined = merging.plan, merging.joined
    if joined.overlaps:
        notice(f"{joined.overlaps:,} attempts were in several parts; each is counted once.")
    if merging.kept:
        notice(f"{merging.kept:,} attempts that only {folder.path} held are kept.")
    with Journal(folder.path) as journal:
        answered = journal.answered()
    ids = [plan.ids(number) for number in range(1, plan.of + 1)]
    counts = {number: missing(each, answered) for number, each in enumerate(ids, 1)}
    lacking = {number: count for number, count in counts.items() if count}
    if lacking:
        for line in _conflicts(joined):
            notice(f"Warning: {line}")
        leave_incomplete(folder, merging.manifest)
    return _Attempts(plan=plan, ids=ids, lacking=lacking)


def _finished(merging: _Merging, attempts: _Attempts, folder: RunFolder, *, notice: Notices) -> ProbeRun:
    """Finish a run that lacks nothing."""
    plan, manifest = merging.plan, merging.manifest
    run = Answered(
        probe=plan.probe,
        folder=folder,
        manifest=manifest,
        design=plan.design,
        warnings=[
            *adaptation_warnings(manifest),
            *answer_warnings(folder, plan.probe, plan.options),
            *_conflicts(merging.joined),
        ],
        reproduce=reproduce_line(plan.probe, plan.design, plan.options),
        redact=plan.options.redact_answers,
    )
    planned = np.sort(np.concatenate(attempts.ids))
    return finish_run(run, answered_stimuli(folder.path, plan.design, planned=planned), notice=notice)


def _how(command: str) -> str:
    """Return what brings the attempts that are lacking."""
    return f"Run what is lacking with --shard and merge again with --force, or let one machine ask it: {command}."


def _conflicts(joined: Joined) -> list[str]:
    if not joined.conflicts:
        return []
    return [
        f"{len(joined.conflicts):,} attempts were answered with different texts on several machines; "
        f"the earlier answer counts. The first is {joined.conflicts[0]}."
    ]


def _merge_suite(
    machines: Sequence[Machine],
    out: Path,
    *,
    force: bool,
    notice: Notices,
    settings: Mapping[str, Any],
    redact: bool,
) -> Run:
    """Join the parts of each probe of a suite, and summarise."""
    _check_agreement(machines, SUITE_AGREE)
    plans: dict[str, tuple[MergePlan, list[Machine]]] = {}
    for name in machines[0].manifest.probes:
        parts = list(_parts_of(machines, name))
        _check_agreement(parts, AGREE)
        own = {key: value for key, value in settings.items() if key in own_settings(find_probe(name))}
        plans[name] = merge_plan(parts, own, redact=redact), parts
    with merge_target(out, force=force) as (folder, beside):
        earlier = read_manifest(out)
        merging = {name: _joined(plan, parts, out / name, beside / name) for name, (plan, parts) in plans.items()}
        asked_before = [each.manifest for each in machines]
        if earlier is not None and _same_suite(earlier, asked_before[0]):
            asked_before.append(earlier)
        redact = redact or any(each.redact_answers for each in asked_before)
        manifest = merged_suite_manifest(machines, [plan for plan, _ in plans.values()], redact=redact)
        take_over(folder, manifest, None, kept=merging)
        runs: dict[str, ProbeRun] = {}
        unfinished: dict[str, _Attempts] = {}
        for name, joined in merging.items():
            each = _redacting(joined) if redact else joined
            with merged_probe(out / name) as below:
                take_over(below, each.manifest, beside / name)
                attempts = _attempts(each, below, notice=notice)
                if attempts.lacking:
                    unfinished[name] = attempts
                else:
                    runs[name] = _finished(each, attempts, below, notice=notice)
        if unfinished:
            leave_incomplete(folder, manifest)
            again = f"{shlex.quote(machines[0].manifest.model)} … {resume_words(out, redact=redact)}"
            told = "; ".join(f"{name}: {each.counted}, {each.where}" for name, each in unfinished.items())
            raise Incomplete(f"Attempts are lacking. {told}. {_how(f'evenhand audit --model {again}')}")
        return finish_suite(folder, manifest, runs)


def _same_suite(one: Manifest, other: Manifest) -> bool:
    return all(one.requested.get(name) == other.requested.get(name) for name in SUITE_AGREE)


def _redacting(merging: _Merging) -> _Merging:
    """Return a probe of a suite of which no text is to stay."""
    options = replace(merging.plan.options, redact_answers=True)
    return replace(
        merging,
        plan=replace(merging.plan, options=options),
        manifest={**merging.manifest, "redact_answers": True},
    )


def _parts_of(machines: Sequence[Machine], name: str) -> Iterator[Machine]:
    """Yield the parts of one probe; a machine that has not come to it yet has none."""
    found = [each.path / name for each in machines if (each.path / name / "manifest.json").is_file()]
    if not found:
        raise InputError(f"None of the folders holds answers of {name}.")
    for path in found:
        yield open_part(path)
