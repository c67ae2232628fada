"""`evenhand collect merge`: join the parts of a run that several machines asked."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from evenhand.collect.batches.log import refuse_open_batches
from evenhand.collect.journal.file import Journal
from evenhand.collect.journal.index import journal_index
from evenhand.collect.journal.joined import Joined, Part, join_journals, missing
from evenhand.collect.outcomes import answered_stimuli
from evenhand.errors import Incomplete, InputError
from evenhand.runs.adapted import adaptation_warnings, requested_parameters
from evenhand.runs.finish import Answered, Notices, answer_warnings, finish_run
from evenhand.runs.finished_run import ProbeRun, Run
from evenhand.runs.manifest import SAME_IN_PARTS
from evenhand.runs.merge.account import Paying, merged_account
from evenhand.runs.merge.manifests import leave_incomplete, merged_manifest, merged_suite_manifest
from evenhand.runs.merge.parts import Machine, MergePlan, asks, merge_plan, open_part
from evenhand.runs.merge.target import merge_target, merged_probe, take_over
from evenhand.runs.options.again import reproduce_line, resume_words
from evenhand.runs.options.probe import MergeOptions
from evenhand.runs.options.settings import find_probe, own_settings
from evenhand.runs.records.suite import finish_suite
from evenhand.runs.sample import prompt_tokens
from evenhand.tables.run_folder import RunFolder, read_manifest

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
        run = _finished(merging, folder, notice=notice)
        if isinstance(run, ProbeRun):
            return run
        again = resume_words(out, redact=merging.plan.options.redact_answers)
        raise Incomplete(f"{run.sentence} {_how(f'evenhand probe {plan.probe.name} … {again}')}")


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
        before, now = ({**each.manifest, **requested_parameters(each.manifest)} for each in (first, other))
        for name in names:
            if before.get(name) != now.get(name):
                raise InputError(
                    f"{first.path} and {other.path} are parts of different runs: {name.replace('_', '-')} is "
                    f"{before.get(name)!r} in one and {now.get(name)!r} in the other."
                )
        if "shard" in first.manifest and first.shard.of != other.shard.of:
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
class _Lacking:
    """How many attempts a run lacks, and in which parts."""

    attempts: int
    total: int
    parts: str

    @property
    def sentence(self) -> str:
        return f"{self.attempts:,} of {self.total:,} attempts are lacking, in part {self.parts}."


def _joined(plan: MergePlan, machines: Sequence[Machine], out: Path, beside: Path) -> _Merging:
    """Join the journals of all parts, and what `out` holds of the same run, into `beside`; nothing else is written."""
    earlier = _earlier(machines[0], out)
    kept = 0
    redact = plan.options.redact_answers or any(each.manifest.get("redact_answers") for each in machines)
    sources = [Part(folder=each.path, finished=each.manifest["status"] == "finished") for each in machines]
    paying = [Paying(folder=each.path, manifest=each.manifest) for each in machines]
    if earlier is not None:
        kept = _only_there(out, [each.path for each in machines])
        if kept and earlier.get("redacted"):
            raise InputError(
                f"{out} holds {kept:,} answers that no part has, and their text was taken away, so they can't be "
                "joined. Choose another --out."
            )
        refuse_open_batches(out)
        redact = redact or bool(earlier.get("redact_answers"))
        if not earlier.get("redacted"):
            sources.append(Part(folder=out, finished=earlier["status"] == "finished"))
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


def _earlier(part: Machine, out: Path) -> dict[str, Any] | None:
    """Return the manifest of the same run in the target; None where there is none, or another run."""
    manifest = read_manifest(out)
    if manifest is None or not asks(manifest) or manifest.get("shard") is not None:
        return None
    before, now = ({**each, **requested_parameters(each)} for each in (manifest, part.manifest))
    return manifest if all(before.get(name) == now.get(name) for name in AGREE) else None


def _only_there(out: Path, parts: Sequence[Path]) -> int:
    """Return how many attempts only the target has."""
    known = np.concatenate([journal_index(path).ids for path in parts])
    return int(np.setdiff1d(journal_index(out).ids, known).size)


def _overlaps(parts: Sequence[Path]) -> int:
    """Return how many attempts several parts have."""
    _, counts = np.unique(np.concatenate([journal_index(path).ids for path in parts]), return_counts=True)
    return int((counts > 1).sum())


def _finished(merging: _Merging, folder: RunFolder, *, notice: Notices) -> ProbeRun | _Lacking:
    """Finish the run if nothing is lacking."""
    plan, joined, manifest = merging.plan, merging.joined, merging.manifest
    warnings = _conflicts(joined)
    if joined.overlaps:
        notice(f"{joined.overlaps:,} attempts were in several parts; each is counted once.")
    if merging.kept:
        notice(f"{merging.kept:,} attempts that only {folder.path} held are kept.")
    with Journal(folder.path) as journal:
        answered = journal.answered()
    ids = [plan.ids(number) for number in range(1, plan.of + 1)]
    lacking = {number: missing(each, answered) for number, each in enumerate(ids, 1)}
    if any(lacking.values()):
        for line in warnings:
            notice(f"Warning: {line}")
        leave_incomplete(folder, manifest)
        parts = ", ".join(f"{number}/{plan.of} ({count:,})" for number, count in lacking.items() if count)
        total = plan.sample * plan.options.repetitions
        return _Lacking(attempts=sum(lacking.values()), total=total, parts=parts)
    run = Answered(
        probe=plan.probe,
        folder=folder,
        manifest=manifest,
        design=plan.design,
        warnings=[*adaptation_warnings(manifest), *answer_warnings(folder, plan.options), *warnings],
        reproduce=reproduce_line(plan.probe, plan.design, plan.options),
        redact=plan.options.redact_answers,
    )
    return finish_run(
        run, answered_stimuli(folder.path, plan.design, planned=np.sort(np.concatenate(ids))), notice=notice
    )


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
    for name in machines[0].manifest["probes"]:
        parts = list(_parts_of(machines, name))
        _check_agreement(parts, AGREE)
        own = {key: value for key, value in settings.items() if key in own_settings(find_probe(name))}
        plans[name] = merge_plan(parts, own, redact=redact), parts
    with merge_target(out, force=force) as (folder, beside):
        earlier = read_manifest(out) or {}
        merging = {name: _joined(plan, parts, out / name, beside / name) for name, (plan, parts) in plans.items()}
        same = all(earlier.get(name) == machines[0].manifest[name] for name in SUITE_AGREE)
        asked_before = [each.manifest for each in machines] + ([earlier] if same else [])
        redact = redact or any(each.get("redact_answers") for each in asked_before)
        manifest = merged_suite_manifest(machines, [plan for plan, _ in plans.values()], redact=redact)
        take_over(folder, manifest, None, kept=merging)
        runs: dict[str, ProbeRun] = {}
        unfinished: dict[str, _Lacking] = {}
        for name, joined in merging.items():
            each = _redacting(joined) if redact else joined
            with merged_probe(out / name) as below:
                take_over(below, each.manifest, beside / name)
                run = _finished(each, below, notice=notice)
            if isinstance(run, ProbeRun):
                runs[name] = run
            else:
                unfinished[name] = run
        if unfinished:
            leave_incomplete(folder, manifest)
            raise Incomplete(_lacking_of_suite(manifest, unfinished, out))
        return finish_suite(folder, manifest, runs)


def _redacting(merging: _Merging) -> _Merging:
    """Return a probe of a suite of which no text is to stay."""
    options = replace(merging.plan.options, redact_answers=True)
    return replace(
        merging,
        plan=replace(merging.plan, options=options),
        manifest={**merging.manifest, "redact_answers": True},
    )


def _lacking_of_suite(manifest: Mapping[str, Any], unfinished: Mapping[str, _Lacking], out: Path) -> str:
    """Return one line: what each probe lacks, and how to get all of it."""
    counts = "; ".join(
        f"{name}: {each.attempts:,} of {each.total:,}, in part {each.parts}" for name, each in unfinished.items()
    )
    again = resume_words(out, redact=manifest["redact_answers"])
    command = f"evenhand audit --model {shlex.quote(manifest['model'])} … {again}"
    return f"Attempts are lacking. {counts}. {_how(command)}"


def _parts_of(machines: Sequence[Machine], name: str) -> Iterator[Machine]:
    """Yield the parts of one probe; a machine that has not come to it yet has none."""
    found = [each.path / name for each in machines if (each.path / name / "manifest.json").is_file()]
    if not found:
        raise InputError(f"None of the folders holds answers of {name}.")
    for path in found:
        yield open_part(path)
