"""`evenhand collect merge`: join the parts of a run that several machines asked.

The parts of a run that several machines asked, and the whole run that they belong to.
The manifests of a run or a suite whose parts are joined.
What the joined parts of a run cost together; nothing that several folders hold is counted twice.
The folder that parts are joined into: what it holds already, and taking its new journal over.
"""

import shlex
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.analyses.asking import adaptation_warnings
from evenhand.analyses.finish import Answered, answer_warnings, finish_run
from evenhand.analyses.manifest import Manifest, lexicon_fingerprints, package_versions, read_manifest
from evenhand.analyses.options import probes
from evenhand.analyses.options.reproduce import reproduce_line, resume_words
from evenhand.analyses.progress import Notices
from evenhand.analyses.records import MERGE_KEYS, finish_suite
from evenhand.analyses.run import ProbeRun, Run
from evenhand.analyses.sample import chosen_design, chosen_sample, prompt_tokens, sampled_attempts
from evenhand.errors import Incomplete, InputError
from evenhand.models import journal as models_journal
from evenhand.models.batch_log import refuse_open_batches
from evenhand.models.cost import Share, journaled_shares
from evenhand.models.model import Generation
from evenhand.models.order import Planned
from evenhand.models.outcomes import answered_stimuli
from evenhand.options import words
from evenhand.probes.probe import Design, Probe
from evenhand.results.audit import Usage
from evenhand.results.run_folder import RunFolder, manifest_files, prepare_run_folder


@dataclass(frozen=True, kw_only=True)
class Machine:
    """The folder of one part, and what was asked there."""

    path: Path
    manifest: Manifest

    @property
    def shard(self) -> probes.Shards:
        """Return which part it is."""
        return probes.Shards.parse(self.manifest.shard or "")

    @property
    def is_suite(self) -> bool:
        """Return whether it is a part of a suite, with the parts of its probes below it."""
        return self.manifest.run_kind.probes_below


def open_part(path: Path) -> Machine:
    """Return the part of a run, or of a suite, that a folder holds.

    Raises
    ------
    InputError
        It holds none, or one whose answers are gone.

    """
    manifest = read_manifest(path) if path.is_dir() else None
    if manifest is None:
        raise InputError(f"{path} holds no run; expected the folder of a run with --shard.")
    found = Machine(path=path, manifest=manifest)
    if found.is_suite:
        return found
    if not manifest.run_kind.asks or manifest.shard is None:
        other = "" if manifest.shard is None else ", or not by a probe: evenhand perturb joins its parts with --join"
        raise InputError(f"{path} is no part of a run: it was made without --shard{other}.")
    try:
        probes.Shards.parse(manifest.shard)
    except InputError:
        raise InputError(
            f"{path / 'manifest.json'} names the part {manifest.shard!r}; expected its number and how many parts "
            "there are, as in 1/4."
        ) from None
    if manifest.redacted:
        raise InputError(f"The text of the answers in {path} was taken away, so they can't be joined any more.")
    return found


@dataclass(frozen=True, kw_only=True)
class MergePlan:
    """The whole run that the parts belong to."""

    probe: Probe
    design: Design
    options: probes.ProbeOptions
    model: str
    sample: int
    of: int

    def ids(self, number: int) -> NDArray[np.uint64]:
        """Return the ids of all attempts of one part."""
        return np.concatenate([np.empty(0, dtype=np.uint64), *map(models_journal.attempt_ids, self.attempts(number))])

    def attempts(self, number: int) -> Iterator[list[Planned]]:
        """Return all attempts of one part, in the order of sending."""
        options = (
            self.options if self.of == 1 else replace(self.options, shard=probes.Shards(number=number, of=self.of))
        )
        return sampled_attempts(self.probe, self.design, options, sample=self.sample, model=self.model)


def merge_plan(machines: Sequence[Machine], files: Mapping[str, Path], *, redact: bool) -> MergePlan:
    """Return the run that was planned, rebuilt from the manifest of a part; `files` are those given again.

    Raises
    ------
    InputError
        The probe has changed since, or a file that the parts were asked with is not given.

    """
    manifest = machines[0].manifest
    addresses = [machine.manifest.parameters["base_url"] for machine in machines]
    plan = replanned_run(
        manifest,
        probes.manifest_settings(manifest.settings, files, asked="the parts were"),
        of=machines[0].shard.of,
        base_url=tuple(dict.fromkeys(address for address in addresses if address is not None)),
        redact=redact,
    )
    if plan.probe.version != manifest.probe_version:
        raise InputError(
            f"The parts were asked by version {manifest.probe_version} of {plan.probe.name}; this is "
            f"{plan.probe.version}. Join them with the evenhand that asked them."
        )
    return plan


def replanned_run(
    manifest: Manifest,
    settings: Mapping[str, Any],
    *,
    of: int = 1,
    base_url: tuple[str, ...] = (),
    redact: bool = False,
) -> MergePlan:
    """Return the run that a manifest tells of, as this version would plan it with the probe's own `settings`.

    Raises
    ------
    InputError
        The probe has no such design, or can't give such a sample.

    """
    parameters = manifest.requested_parameters
    probe = probes.configured(probes.find_probe(manifest.probe), settings)
    design = chosen_design(probe, manifest.design)
    sample = chosen_sample(probe, design, parameters["sample"])
    options = probes.ProbeOptions(
        model=manifest.model,
        sample=sample,
        design=design.name,
        repetitions=parameters["repetitions"],
        seed=parameters["seed"],
        generation=Generation(
            **{each.name: parameters[each.name] for each in fields(Generation)},
        ),
        base_url=base_url,
        settings=settings,
        redact_answers=redact,
    )
    return MergePlan(probe=probe, design=design, options=options, model=manifest.model, sample=sample, of=of)


#: Ids of answers that contradict each other, as many as the manifest lists.
LISTED = 100


def merged_manifest(
    plan: MergePlan,
    machines: Sequence[Machine],
    joined: models_journal.Joined,
    *,
    paid: Mapping[str, Any],
    own: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the manifest of the whole run: that of a part, but for what is of a part only.

    `paid` is the account of all that was asked, `own` that of the parts alone.
    """
    first = machines[0].manifest.as_written
    adaptations: list[Mapping[str, Any]] = []
    for each in machines:
        adaptations += [row for row in each.manifest.adaptations if row not in adaptations]
    return {
        **first,
        "shard": None,
        "parameters": {**first["parameters"], "base_url": ", ".join(plan.options.base_url) or None},
        "adaptations": adaptations,
        "redact_answers": plan.options.redact_answers,
        "versions": package_versions(),
        "fingerprints": lexicon_fingerprints(),
        "merged": {
            "parts": [{"shard": str(each.shard), "folder": each.path.name} for each in machines],
            "answers": joined.lines,
            "overlaps": joined.overlaps,
            "conflicts": len(joined.conflicts),
            "conflicting_ids": list(joined.conflicts[:LISTED]),
            "requests": own["requests"],
            "cost_uncertain": own["cost_uncertain"],
        },
        "status": "running",
        "started": _earliest(machines),
        "finished": None,
        **paid,
    }


def merged_suite_manifest(machines: Sequence[Machine], plans: Sequence[MergePlan], *, redact: bool) -> dict[str, Any]:
    """Return the manifest of the whole suite: that of a part, but for what is of a part only."""
    first = machines[0].manifest
    addresses = dict.fromkeys(address for plan in plans for address in plan.options.base_url)
    own = probes.ProbeOptions(model=first.model, base_url=tuple(addresses), redact_answers=redact)
    return {
        **first.as_written,
        "redact_answers": redact,
        "reproduce": shlex.join(
            [*(first.asked or ("evenhand", "audit", "--model", first.model)), *words(own, without=("model",))]
        ),
        "versions": package_versions(),
        "status": "running",
        "started": _earliest(machines),
    }


def _earliest(machines: Sequence[Machine]) -> str:
    return min(each.manifest.started or "" for each in machines)


def leave_incomplete(folder: RunFolder, manifest: Mapping[str, Any]) -> None:
    """Say in the manifest that answers are lacking."""
    folder.write_manifest({**manifest, "status": "incomplete"})


@dataclass(frozen=True, kw_only=True)
class Paying:
    """A folder whose answers are joined, and what its manifest says of their cost.

    `joined` is true of the target of an earlier merge, whose manifest counts the parts
    of that merge as well.
    """

    folder: Path
    manifest: Manifest
    joined: bool = False


def merged_account(folders: Sequence[Paying], *, overlaps: bool, prompt: Callable[[], float]) -> dict[str, Any]:
    """Return the account of all folders; the cost is known only where that of every one is.

    A line that several folders hold (the same attempt, at the same time) was paid once:
    with `overlaps` a later folder brings what its own lines show. `prompt` gives the
    tokens of a prompt, estimated, for answers without usage.
    """
    told: list[_Paid] = [_whole(each.manifest) for each in folders]
    if overlaps:
        shares = journaled_shares([each.folder for each in folders])
        told = [
            own for each, share in zip(folders, shares, strict=True) for own in _added_costs(each, share, prompt=prompt)
        ]
    costs = [each.cost for each in told]
    currencies = {each.currency for each in told}
    known = None not in costs and len(currencies) == 1
    reasons = [each.cost_reason for each in told if each.cost_reason]
    other = "The parts were paid in different currencies." if None not in costs else "A part does not say what it cost."
    uncertain = [each.cost_uncertain for each in told]
    usages = [each.usage for each in told if each.usage is not None]
    return {
        "requests": sum(each.requests for each in told),
        "cost": sum(cost for cost in costs if cost is not None) if known else None,
        "currency": currencies.pop() if known else None,
        "cost_reason": None if known else next(iter(reasons), other),
        "cost_uncertain": None if None in uncertain else sum(each for each in uncertain if each is not None),
        "usage": {each.name: sum(getattr(usage, each.name) for usage in usages) for each in fields(Usage)}
        if usages and len(usages) == len(told)
        else None,
    }


@dataclass(frozen=True, kw_only=True)
class _Paid:
    """What one folder adds to the account."""

    requests: int
    cost: float | None
    currency: str | None
    cost_reason: str | None
    cost_uncertain: float | None
    usage: Usage | None


def _whole(manifest: Manifest) -> _Paid:
    """Return all that a manifest accounts for."""
    return _Paid(
        requests=manifest.requests or 0,
        cost=manifest.cost,
        currency=manifest.currency,
        cost_reason=manifest.cost_reason,
        cost_uncertain=manifest.cost_uncertain,
        usage=manifest.usage,
    )


def _added_costs(paying: Paying, share: Share, *, prompt: Callable[[], float]) -> list[_Paid]:
    """Return what a folder adds; nothing where it is a copy of those before it."""
    manifest = paying.manifest
    if not share.copied and not paying.joined:
        return [_whole(manifest)]
    before = manifest.merged
    requests, uncertain = manifest.requests or 0, manifest.cost_uncertain
    if paying.joined and before is not None and before.requests is not None:
        requests -= before.requests
        counted = before.cost_uncertain
        uncertain = None if uncertain is None or counted is None else max(0.0, uncertain - counted)
    else:
        requests -= share.copied_tries
    if not share.lines and (requests <= 0 or not paying.joined):
        return []
    used, price = share.usage, manifest.price
    return [
        _Paid(
            requests=max(requests, share.tries),
            cost=None if price is None else used.cost(price, prompt=prompt() if used.uncounted else 0.0),
            currency=None if price is None else price.currency,
            cost_reason=manifest.cost_reason,
            cost_uncertain=uncertain,
            usage=None
            if manifest.usage is None
            else Usage(
                input_tokens=used.input_tokens,
                output_tokens=used.output_tokens,
                answers=used.answers,
                answers_without_usage=used.uncounted,
            ),
        )
    ]


@contextmanager
def merge_target(out: Path, *, force: bool) -> Iterator[tuple[RunFolder, Path]]:
    """Yield the locked folder of the whole run, and an empty one beside it to write journals in.

    Where an error comes before anything was taken over, no trace of either is left.
    """
    existed = out.exists()
    folder = prepare_run_folder(out, force=force)
    resolved = out.resolve()
    beside = resolved.with_name(f".{resolved.name}.joining")
    try:
        with models_journal.RunLock(folder.path):
            shutil.rmtree(beside, ignore_errors=True)
            try:
                yield folder, beside
            finally:
                shutil.rmtree(beside, ignore_errors=True)
    finally:
        if not existed and {entry.name for entry in folder.path.iterdir()} == {models_journal.LOCK_FILE}:
            (folder.path / models_journal.LOCK_FILE).unlink()
            folder.path.rmdir()


@contextmanager
def merged_probe(out: Path) -> Iterator[RunFolder]:
    """Yield the locked folder of one probe of a suite; what it holds stays until it is taken over."""
    folder = prepare_run_folder(out, force=True)
    with models_journal.RunLock(folder.path):
        yield folder


def take_over(folder: RunFolder, manifest: dict[str, Any], journal: Path | None, *, kept: Collection[str] = ()) -> None:
    """Replace a run by a manifest and a journal; folders in it with names in `kept` stay.

    The new lines are there before the old ones go, so that a crash in between loses no answer.
    """
    old = manifest_files(folder.path)
    before = models_journal.journal_files(folder.path)
    files = [] if journal is None else models_journal.journal_files(journal)
    first = before[-1].number + 1 if before else 0
    new = [folder.path / models_journal.journal_name(number) for number, _ in enumerate(files, first)]
    for file, path in zip(files, new, strict=True):
        shutil.move(file.path, path)
    folder.write_manifest(manifest)
    for earlier in old:
        if earlier != folder.path / "manifest.json" and earlier.relative_to(folder.path).parts[0] not in kept:
            earlier.unlink(missing_ok=True)
    for number, path in enumerate(new):
        path.replace(folder.path / models_journal.journal_name(number))


#: What parts must have in common; they differ in the shard, and may in how the server was reached.
AGREE = ("kind", "probe_version", *MERGE_KEYS, "sample", "population", "repetitions")
SUITE_AGREE = ("kind", "suite", "model")


def merge_runs(
    folders: Sequence[Path],
    options: probes.MergeOptions,
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
    joined: models_journal.Joined
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
    sources = [models_journal.Part(folder=each.path, finished=each.manifest.is_finished) for each in machines]
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
            sources.append(models_journal.Part(folder=out, finished=earlier.is_finished))
            paying.append(Paying(folder=out, manifest=earlier, joined=True))
    plan = replace(plan, options=replace(plan.options, redact_answers=redact))
    with models_journal.Journal(beside) as journal:
        joined = models_journal.join_journals(sources, journal)
    parts = models_journal.Joined(
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
    known = np.concatenate([models_journal.journal_index(path).ids for path in parts])
    return int(np.setdiff1d(models_journal.journal_index(out).ids, known).size)


def _overlaps(parts: Sequence[Path]) -> int:
    """Return how many attempts several parts have."""
    _, counts = np.unique(
        np.concatenate([models_journal.journal_index(path).ids for path in parts]), return_counts=True
    )
    return int((counts > 1).sum())


def _attempts(merging: _Merging, folder: RunFolder, *, notice: Notices) -> _Attempts:
    """Return which attempts have an answer in a folder; where some have none, its manifest says so."""
    plan, joined = merging.plan, merging.joined
    if joined.overlaps:
        notice(f"{joined.overlaps:,} attempts were in several parts; each is counted once.")
    if merging.kept:
        notice(f"{merging.kept:,} attempts that only {folder.path} held are kept.")
    with models_journal.Journal(folder.path) as journal:
        answered = journal.answered()
    ids = [plan.ids(number) for number in range(1, plan.of + 1)]
    counts = {number: models_journal.missing(each, answered) for number, each in enumerate(ids, 1)}
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


def _conflicts(joined: models_journal.Joined) -> list[str]:
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
        own = {key: value for key, value in settings.items() if key in probes.probe_settings(probes.find_probe(name))}
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
