"""`evenhand collect merge`: join the parts of a run (--shard) from several machines.

The journals of all parts are joined in a folder next to the target and moved in at the end. Answers and costs that
several folders hold are counted once.
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
from evenhand.results.audit import Paid, Usage
from evenhand.results.finding import as_json, copied, shared
from evenhand.results.messages import Notices
from evenhand.results.result import LOCK_FILE, RunFolder, RunLock, manifest_files, prepare_run_folder


@dataclass(frozen=True, kw_only=True)
class Machine:
    """The folder and manifest of one part."""

    path: Path
    manifest: Manifest

    @property
    def shard(self) -> probes.Shards:
        """Return the number of the part, and of how many."""
        return probes.Shards.parse(self.manifest.shard or "")

    @property
    def is_suite(self) -> bool:
        """Return whether this is a part of a suite, with a folder for each probe."""
        return self.manifest.run_kind.probes_below


def open_part(path: Path) -> Machine:
    """Return the part of a run or a suite in a folder.

    Raises
    ------
    InputError
        There is none, or its answers were redacted.

    """
    manifest = read_manifest(path) if path.is_dir() else None
    if manifest is None:
        raise InputError(f"{path} holds no run; expected the folder of a run with --shard.")
    machine = Machine(path=path, manifest=manifest)
    if machine.is_suite:
        return machine
    if not manifest.run_kind.asks or manifest.shard is None:
        other = "" if manifest.shard is None else ", or not by a probe: evenhand perturb joins its parts with --join"
        raise InputError(f"{path} is not part of a run: it was made without --shard{other}.")
    try:
        probes.Shards.parse(manifest.shard)
    except InputError:
        raise InputError(
            f"{path / 'manifest.json'} names the part {manifest.shard!r}; expected its number and how many parts "
            "there are, as in 1/4."
        ) from None
    if manifest.redacted:
        raise InputError(f"The text of the answers in {path} was deleted, so they can't be joined.")
    return machine


@dataclass(frozen=True, kw_only=True)
class MergePlan:
    """The whole run, planned anew; `of` is the number of parts."""

    probe: Probe
    design: Design
    options: probes.ProbeOptions
    model: str
    sample: int
    of: int

    def ids(self, number: int, folder: Path) -> NDArray[np.uint64]:
        """Return the ids of all attempts of one part."""
        ids = map(models_journal.attempt_ids, self.attempts(number, folder))
        return np.concatenate([np.empty(0, dtype=np.uint64), *ids])

    def attempts(self, number: int, folder: Path) -> Iterator[list[Planned]]:
        """Return all attempts of one part, in the order of sending; later rounds follow the answers in a folder."""
        options = (
            self.options if self.of == 1 else replace(self.options, shard=probes.Shards(number=number, of=self.of))
        )
        return sampled_attempts(self.probe, self.design, options, sample=self.sample, model=self.model, folder=folder)


def merge_plan(machines: Sequence[Machine], files: Mapping[str, Path], *, redact: bool) -> MergePlan:
    """Return the whole run, rebuilt from the manifest of a part; `files` are the user's, given once more.

    Raises
    ------
    InputError
        The probe has changed since, or a file is not given.

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
            f"The parts were made with version {manifest.probe_version} of {plan.probe.name}; this is "
            f"{plan.probe.version}. Join them with the version of evenhand that made them."
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
    """Return the run of a manifest as this version plans it, with the probe's `settings`.

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
        generation=Generation(**{field.name: parameters[field.name] for field in fields(Generation)}),
        base_url=base_url,
        settings=settings,
        redact_answers=redact,
    )
    return MergePlan(probe=probe, design=design, options=options, model=manifest.model, sample=sample, of=of)


#: The most ids of conflicting answers that the manifest lists.
LISTED = 100


def merged_manifest(
    plan: MergePlan,
    machines: Sequence[Machine],
    joined: models_journal.Joined,
    *,
    paid: Mapping[str, Any],
    parts_paid: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the manifest of the whole run, from that of a part.

    `paid` is the account of all answers, `parts_paid` that of the parts alone.
    """
    first = machines[0].manifest.as_written
    adaptations: list[Mapping[str, Any]] = []
    for machine in machines:
        adaptations += [row for row in machine.manifest.adaptations if row not in adaptations]
    return {
        **first,
        "shard": None,
        "parameters": {**first["parameters"], "base_url": ", ".join(plan.options.base_url) or None},
        "adaptations": adaptations,
        "redact_answers": plan.options.redact_answers,
        "versions": package_versions(),
        "fingerprints": lexicon_fingerprints(),
        "merged": {
            "parts": [{"shard": str(machine.shard), "folder": machine.path.name} for machine in machines],
            "answers": joined.lines,
            "overlaps": joined.overlaps,
            "conflicts": len(joined.conflicts),
            "conflicting_ids": list(joined.conflicts[:LISTED]),
            "requests": parts_paid["requests"],
            "cost_uncertain": parts_paid["cost_uncertain"],
        },
        "status": "running",
        "started": _earliest(machines),
        "finished": None,
        **paid,
    }


def merged_suite_manifest(machines: Sequence[Machine], plans: Sequence[MergePlan], *, redact: bool) -> dict[str, Any]:
    """Return the manifest of the whole suite, from that of a part."""
    first = machines[0].manifest
    addresses = dict.fromkeys(address for plan in plans for address in plan.options.base_url)
    options = probes.ProbeOptions(model=first.model, base_url=tuple(addresses), redact_answers=redact)
    return {
        **first.as_written,
        "redact_answers": redact,
        "reproduce": shlex.join(
            [*(first.asked or ("evenhand", "audit", "--model", first.model)), *words(options, without=("model",))]
        ),
        "versions": package_versions(),
        "status": "running",
        "started": _earliest(machines),
    }


def _earliest(machines: Sequence[Machine]) -> str:
    return min(machine.manifest.started or "" for machine in machines)


@dataclass(frozen=True, kw_only=True)
class Paying:
    """A folder whose answers are joined, with its manifest.

    `joined` marks the target of an earlier merge, whose manifest counts the parts of that merge as well.
    """

    folder: Path
    manifest: Manifest
    joined: bool = False


def merged_account(folders: Sequence[Paying], *, overlaps: bool, prompt: Callable[[], float]) -> dict[str, Any]:
    """Return the account of all folders; the cost is known only where every folder's is.

    A line in several folders (the same attempt, at the same time) was paid once: with `overlaps` a later folder adds
    only the lines that are new. `prompt` estimates the tokens of a prompt, for answers without usage.
    """
    payments = [Paid(**shared(folder.manifest, Paid)) for folder in folders]
    if overlaps:
        shares = journaled_shares([folder.folder for folder in folders])
        payments = [
            payment
            for folder, share in zip(folders, shares, strict=True)
            for payment in _added_costs(folder, share, prompt=prompt)
        ]
    return dict(as_json(Paid.together(payments)))


def _added_costs(paying: Paying, share: Share, *, prompt: Callable[[], float]) -> list[Paid]:
    """Return what a folder adds: nothing, if it is a copy of those before it."""
    manifest = paying.manifest
    if not share.copied and not paying.joined:
        return [Paid(**shared(manifest, Paid))]
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
        Paid(
            requests=max(requests, share.tries),
            cost=None if price is None else used.cost(price, prompt=prompt() if used.uncounted else 0.0),
            currency=None if price is None else price.currency,
            cost_reason=manifest.cost_reason,
            cost_uncertain=uncertain,
            usage=None
            if manifest.usage is None
            else Usage(**copied(used, "input_tokens output_tokens answers"), answers_without_usage=used.uncounted),
        )
    ]


@contextmanager
def merge_target(out: Path, *, force: bool) -> Iterator[tuple[RunFolder, Path]]:
    """Yield the locked folder of the whole run, and a sibling for new journals.

    An error before the take-over leaves no trace of either.
    """
    existed = out.exists()
    folder = prepare_run_folder(out, force=force)
    resolved = out.resolve()
    joining = resolved.with_name(f".{resolved.name}.joining")
    try:
        with RunLock(folder.path):
            shutil.rmtree(joining, ignore_errors=True)
            try:
                yield folder, joining
            finally:
                shutil.rmtree(joining, ignore_errors=True)
    finally:
        if not existed and {entry.name for entry in folder.path.iterdir()} == {LOCK_FILE}:
            (folder.path / LOCK_FILE).unlink()
            folder.path.rmdir()


def take_over(folder: RunFolder, manifest: dict[str, Any], journal: Path | None, *, keep: Collection[str] = ()) -> None:
    """Replace a run by a manifest and a journal; subfolders named in `keep` stay.

    The new lines are there before the old ones go, so that a crash in between loses no answer.
    """
    old = manifest_files(folder.path)
    before = models_journal.journal_files(folder.path)
    files = [] if journal is None else models_journal.journal_files(journal)
    first = before[-1].number + 1 if before else 0
    new = [folder.path / models_journal.journal_name(number) for number, _ in enumerate(files, first)]
    if not old:
        folder.write_manifest(manifest)  # without one the folder would be nobody's
    for file, path in zip(files, new, strict=True):
        shutil.move(file.path, path)
    folder.write_manifest(manifest)
    for earlier in old:
        if earlier != folder.path / "manifest.json" and earlier.relative_to(folder.path).parts[0] not in keep:
            earlier.unlink(missing_ok=True)
    for number, path in enumerate(new):
        path.replace(folder.path / models_journal.journal_name(number))


#: What parts must share; they differ in the shard, and may differ in the server's address.
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

    `files` are those of the probe's settings (`corpus`, `templates`, `labels`): a manifest holds their fingerprints
    only.

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
    with merge_target(out, force=force) as (folder, joining):
        merging = _joined(plan, machines, folder.path, joining)
        take_over(folder, merging.manifest, joining)
        attempts = _attempts(merging, folder, notice=notice)
        if not attempts.lacking:
            return _finished(merging, attempts, folder, notice=notice)
        resume_options = resume_words(out, redact=merging.plan.options.redact_answers)
        lacking = f"{attempts.counted} attempts are lacking, {attempts.where}."
        raise Incomplete(f"{lacking} {_how(f'evenhand probe {plan.probe.name} … {resume_options}')}")


def _check_apart(machines: Sequence[Machine], out: Path) -> None:
    """Refuse to write where the parts are: --force would remove them."""
    target = out.resolve()
    for machine in machines:
        part = machine.path.resolve()
        if part == target or target in part.parents or part in target.parents:
            raise InputError(f"--out {out} contains, or lies in, the part {machine.path}; choose another --out.")


def _check_agreement(machines: Sequence[Machine], names: Sequence[str]) -> None:
    """Refuse parts of different runs, naming the first difference."""
    first = machines[0]
    for other in machines[1:]:
        before, now = (machine.manifest.requested for machine in (first, other))
        for name in names:
            if before.get(name) != now.get(name):
                raise InputError(
                    f"{first.path} and {other.path} are parts of different runs: {name.replace('_', '-')} is "
                    f"{before.get(name)!r} in one and {now.get(name)!r} in the other."
                )
        if first.manifest.shard is not None and first.shard.of != other.shard.of:
            raise InputError(
                f"{first.path} is part {first.shard} and {other.path} part {other.shard}; expected parts with the same "
                f"total."
            )


@dataclass(frozen=True, kw_only=True)
class _Merging:
    """A run whose parts have been joined, not yet in its target folder."""

    plan: MergePlan
    manifest: dict[str, Any]
    joined: models_journal.Joined
    #: Attempts that only the target of an earlier merge had.
    target_only: int


@dataclass(frozen=True, kw_only=True)
class _Attempts:
    """The ids of all attempts by part, and how many of each part have no answer."""

    plan: MergePlan
    ids: Sequence[NDArray[np.uint64]]
    lacking: Mapping[int, int]

    @property
    def counted(self) -> str:
        """Return the number of attempts without an answer, of how many."""
        return f"{sum(self.lacking.values()):,} of {self.plan.sample * self.plan.options.repetitions:,}"

    @property
    def where(self) -> str:
        """Return the parts with such attempts, and how many in each."""
        parts = ", ".join(f"{number}/{self.plan.of} ({count:,})" for number, count in self.lacking.items())
        return f"in part {parts}"


def _joined(plan: MergePlan, machines: Sequence[Machine], out: Path, joining: Path) -> _Merging:
    """Join the journals of all parts, and of an earlier merge in `out`, into `joining`; nothing else is written."""
    earlier, parts = _earlier(machines[0], out), [machine.path for machine in machines]
    target_only = 0
    redact = plan.options.redact_answers or any(machine.manifest.redact_answers for machine in machines)
    sources = [models_journal.Part(folder=machine.path, finished=machine.manifest.is_finished) for machine in machines]
    paying = [Paying(folder=machine.path, manifest=machine.manifest) for machine in machines]
    if earlier is not None:
        target_only = int(np.setdiff1d(_ids([out]), _ids(parts)).size)
        if target_only and earlier.redacted:
            raise InputError(
                f"{out} holds {target_only:,} answers that no part has, and their text was deleted, so they "
                "can't be joined. Choose another --out."
            )
        refuse_open_batches(out)
        redact = redact or earlier.redact_answers
        if not earlier.redacted and models_journal.journal_files(out):  # none where a process was killed before them
            sources.append(models_journal.Part(folder=out, finished=earlier.is_finished))
            paying.append(Paying(folder=out, manifest=earlier, joined=True))
    plan = replace(plan, options=replace(plan.options, redact_answers=redact))
    repair = "Nothing was joined; make room, and join the parts again."
    with models_journal.Journal(joining, repair=repair) as journal:
        joined = models_journal.join_journals(sources, journal)
    of_parts = models_journal.Joined(
        lines=joined.lines,
        # Overlaps with the target come from the earlier merge.
        overlaps=joined.overlaps
        if len(sources) == len(machines)
        else int((np.unique(_ids(parts), return_counts=True)[1] > 1).sum()),
        conflicts=joined.conflicts,
    )
    account = partial(
        merged_account,
        overlaps=joined.overlaps > 0,
        prompt=lambda: prompt_tokens(plan.design, plan.sample, seed=plan.options.seed),
    )
    paid = account(paying)
    parts_paid = account(paying[: len(machines)]) if len(paying) > len(machines) else paid
    manifest = merged_manifest(plan, machines, of_parts, paid=paid, parts_paid=parts_paid)
    return _Merging(plan=plan, manifest=manifest, joined=of_parts, target_only=target_only)


def _earlier(part: Machine, out: Path) -> Manifest | None:
    """Return the target's manifest if it is of the same run, else None."""
    manifest = read_manifest(out)
    if manifest is None or not manifest.run_kind.asks or manifest.shard is not None:
        return None
    return manifest if _agrees(manifest, part.manifest, AGREE) else None


def _ids(folders: Sequence[Path]) -> NDArray[np.uint64]:
    """Return the ids of the attempts in the journals of folders."""
    return np.concatenate([models_journal.journal_index(path).ids for path in folders])


def _attempts(merging: _Merging, folder: RunFolder, *, notice: Notices) -> _Attempts:
    """Return the attempts without an answer in a folder; if there are any, its manifest becomes incomplete."""
    plan, joined = merging.plan, merging.joined
    if joined.overlaps:
        notice(f"{joined.overlaps:,} answers were in several parts; each is counted once.")
    if merging.target_only:
        notice(f"{merging.target_only:,} attempts that only {folder.path} has are kept.")
    with models_journal.Journal(folder.path) as journal:
        answered = journal.answered()
    ids = [plan.ids(number, folder.path) for number in range(1, plan.of + 1)]
    counts = {number: models_journal.missing(part_ids, answered) for number, part_ids in enumerate(ids, 1)}
    lacking = {number: count for number, count in counts.items() if count}
    if lacking:
        for line in _conflicts(joined):
            notice(f"Warning: {line}")
        folder.write_manifest({**merging.manifest, "status": "incomplete"})
    return _Attempts(plan=plan, ids=ids, lacking=lacking)


def _finished(merging: _Merging, attempts: _Attempts, folder: RunFolder, *, notice: Notices) -> ProbeRun:
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
    """Return the advice for lacking attempts."""
    return f"Run what is lacking with --shard and merge again with --force, or run it on one machine: {command}."


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
    _check_agreement(machines, SUITE_AGREE)
    plans: dict[str, tuple[MergePlan, list[Machine]]] = {}
    for name in machines[0].manifest.probes:
        parts = list(_parts_of(machines, name))
        _check_agreement(parts, AGREE)
        probe_settings = {
            key: value for key, value in settings.items() if key in probes.probe_settings(probes.find_probe(name))
        }
        plans[name] = merge_plan(parts, probe_settings, redact=redact), parts
    with merge_target(out, force=force) as (folder, joining):
        earlier = read_manifest(out)
        merging = {name: _joined(plan, parts, out / name, joining / name) for name, (plan, parts) in plans.items()}
        manifests = [machine.manifest for machine in machines]
        if earlier is not None and _agrees(earlier, manifests[0], SUITE_AGREE):
            manifests.append(earlier)
        redact = redact or any(run.redact_answers for run in manifests)
        manifest = merged_suite_manifest(machines, [plan for plan, _ in plans.values()], redact=redact)
        take_over(folder, manifest, None, keep=merging)
        runs: dict[str, ProbeRun] = {}
        unfinished: dict[str, _Attempts] = {}
        for name, joined in merging.items():
            if redact:
                plan = replace(joined.plan, options=replace(joined.plan.options, redact_answers=True))
                joined = replace(joined, plan=plan, manifest={**joined.manifest, "redact_answers": True})  # noqa: PLW2901 - as the suite
            below = prepare_run_folder(out / name, force=True)
            with RunLock(below.path):
                take_over(below, joined.manifest, joining / name)
                attempts = _attempts(joined, below, notice=notice)
                if attempts.lacking:
                    unfinished[name] = attempts
                else:
                    runs[name] = _finished(joined, attempts, below, notice=notice)
        if unfinished:
            folder.write_manifest({**manifest, "status": "incomplete"})
            command = f"{shlex.quote(machines[0].manifest.model)} … {resume_words(out, redact=redact)}"
            lacking = "; ".join(
                f"{name}: {attempts.counted}, {attempts.where}" for name, attempts in unfinished.items()
            )
            raise Incomplete(f"Answers are missing. {lacking}. {_how(f'evenhand audit --model {command}')}")
        return finish_suite(folder, manifest, runs)


def _agrees(first: Manifest, other: Manifest, names: Sequence[str]) -> bool:
    before, now = first.requested, other.requested
    return all(before.get(name) == now.get(name) for name in names)


def _parts_of(machines: Sequence[Machine], name: str) -> Iterator[Machine]:
    """Yield the parts of one probe; a machine that has not reached it has none."""
    paths = [machine.path / name for machine in machines if (machine.path / name / "manifest.json").is_file()]
    if not paths:
        raise InputError(f"None of the folders holds answers of {name}.")
    for path in paths:
        yield open_part(path)
