"""`evenhand collect merge`: join the parts of a run that several machines asked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.collect.joined import Joined, Part, join_journals, missing
from evenhand.collect.journal import Journal
from evenhand.collect.lock import RunLock
from evenhand.collect.order import planned, shard_part
from evenhand.collect.outcomes import answered_stimuli
from evenhand.commands._adapted import adaptation_warnings, requested_parameters
from evenhand.commands._audit_block import package_versions
from evenhand.commands._finish import Notices, finish_run, lexicon_fingerprints
from evenhand.commands._plan import (
    ProbeOptions,
    Service,
    Shards,
    configured,
    find_probe,
    reproduce_line,
    settings_block,
)
from evenhand.commands._run import Run
from evenhand.commands.audit import finish_suite
from evenhand.commands.probe import SAME, answer_warnings
from evenhand.errors import Incomplete, InputError
from evenhand.models._model import Generation
from evenhand.probes import Design, Probe, shuffled_indices
from evenhand.tables.run_folder import RunFolder, prepare_run_folder, read_manifest

__all__ = ["merge_runs"]

#: What parts must have in common; they differ in the shard, and may in how the server was reached.
AGREE = ("kind", "probe_version", *(name for name in SAME if name != "shard"), "sample", "population", "repetitions")
SUITE_AGREE = ("kind", "suite", "model")
#: Ids of conflicting answers that the manifest lists.
LISTED = 100


@dataclass(frozen=True, kw_only=True)
class _Machine:
    """The folder of one part, and what was asked there."""

    path: Path
    manifest: Mapping[str, Any]

    @property
    def shard(self) -> Shards:
        return Shards.parse(str(self.manifest["shard"]))


def merge_runs(
    folders: Sequence[Path],
    *,
    out: Path,
    force: bool,
    notice: Notices,
    settings: Mapping[str, Any] | None = None,
    redact_answers: bool = False,
) -> Run:
    """Join parts of one run or of one suite, measure and report; return the whole run.

    `settings` are the files that the parts were asked with (`corpus`, `templates`,
    `labels`): a manifest holds their fingerprints only.

    Raises
    ------
    InputError
        A folder is no part of a run, or the parts are not of one run; nothing was written.
    Incomplete
        Parts are lacking or unfinished; what there is has been joined.

    """
    given = {name: value for name, value in (settings or {}).items() if value is not None}
    machines = [_machine(path) for path in dict.fromkeys(folders)]
    _check_apart(machines, out)
    if machines[0].manifest["kind"] == "suite":
        return _merge_suite(machines, out, force=force, notice=notice, settings=given, redact=redact_answers)
    _check_agreement(machines, AGREE)
    plan = _planned(machines, given, redact=redact_answers)
    folder = prepare_run_folder(out, force=force)
    with RunLock(folder.path):
        if force:
            folder.clear()
        return _merged(plan, machines, folder, resume_out=out, notice=notice)


def _machine(path: Path) -> _Machine:
    manifest = read_manifest(path) if path.is_dir() else None
    if manifest is None:
        raise InputError(f"{path} holds no run; expected the folder of a run with --shard.")
    if manifest["kind"] == "suite":
        return _Machine(path=path, manifest=manifest)
    if manifest["kind"] != "probe" or manifest.get("shard") is None:
        raise InputError(f"{path} is no part of a run: it was made without --shard.")
    return _Machine(path=path, manifest=manifest)


def _check_apart(machines: Sequence[_Machine], out: Path) -> None:
    """Refuse to write where the parts are: --force would remove them."""
    target = out.resolve()
    for machine in machines:
        part = machine.path.resolve()
        if part == target or target in part.parents or part in target.parents:
            raise InputError(f"--out {out} holds, or lies in, the part {machine.path}; choose another --out.")


def _check_agreement(machines: Sequence[_Machine], names: Sequence[str]) -> None:
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
class _Plan:
    """The whole run that the parts belong to."""

    probe: Probe
    design: Design
    options: ProbeOptions
    model: str
    sample: int
    of: int

    def ids(self, number: int) -> NDArray[np.uint64]:
        """Return the ids of all attempts of one part."""
        seed = self.options.seed
        chunks = planned(
            shuffled_indices(self.design.size, self.sample, seed=seed, block=self.design.block),
            stimuli=self.design.stimuli,
            probe=self.probe.name,
            version=self.probe.version,
            model=self.model,
            generation=self.options.generation,
            seed=seed,
            order_seed=seed,
            repetitions=self.options.repetitions,
            part=shard_part(self.sample, block=self.design.block, number=number, of=self.of),
        )
        return np.array([int(each.request.id, 16) for chunk in chunks for each in chunk], dtype=np.uint64)


def _planned(machines: Sequence[_Machine], settings: Mapping[str, Any], *, redact: bool) -> _Plan:
    """Return the run that was planned, rebuilt from the manifest of a part."""
    manifest = machines[0].manifest
    parameters = requested_parameters(manifest)
    asked = _settings(manifest["settings"], settings)
    probe = configured(find_probe(manifest["probe"]), asked)
    if probe.version != manifest["probe_version"]:
        raise InputError(
            f"The parts were asked by version {manifest['probe_version']} of {probe.name}; this is {probe.version}. "
            "Join them with the evenhand that asked them."
        )
    design = probe.designs[manifest["design"]]
    addresses = [machine.manifest["parameters"]["base_url"] for machine in machines]
    options = ProbeOptions(
        model=manifest["model"],
        sample=parameters["sample"],
        design=design.name,
        repetitions=parameters["repetitions"],
        seed=parameters["seed"],
        generation=Generation(
            **{
                name: parameters[name]
                for name in ("temperature", "max_tokens", "top_p", "frequency_penalty", "presence_penalty")
            }
        ),
        service=Service(base_urls=tuple(dict.fromkeys(address for address in addresses if address is not None))),
        settings=asked,
        redact_answers=redact,
    )
    return _Plan(
        probe=probe,
        design=design,
        options=options,
        model=manifest["model"],
        sample=parameters["sample"],
        of=machines[0].shard.of,
    )


def _settings(asked: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of the parts, files as those that are given now.

    Raises
    ------
    InputError
        A file is not given, or it is another one than the parts were asked with.

    """
    result: dict[str, Any] = {}
    for name, value in asked.items():
        option = f"--{name.replace('_', '-')}"
        if not isinstance(value, Mapping):
            result[name] = value
            continue
        if name not in given:
            raise InputError(f"The parts were asked with {option} {value['file']}; give that file again.")
        if settings_block({name: given[name]})[name]["sha256"] != value["sha256"]:
            raise InputError(f"{option} {given[name]} is not the file that the parts were asked with.")
        result[name] = given[name]
    for name in given:
        if name not in asked:
            raise InputError(f"The parts were asked without --{name.replace('_', '-')}; leave it out.")
    return result


def _merged(plan: _Plan, machines: Sequence[_Machine], folder: RunFolder, *, resume_out: Path, notice: Notices) -> Run:
    """Join, and finish the run if nothing is lacking."""
    manifest = _manifest(plan, machines)
    folder.write_manifest(manifest)
    parts = [Part(folder=each.path, finished=each.manifest["status"] == "finished") for each in machines]
    with Journal(folder.path) as journal:
        joined = join_journals(parts, journal)
    warnings = _conflicts(joined)
    manifest["merged"] |= {
        "answers": joined.lines,
        "overlaps": joined.overlaps,
        "conflicts": len(joined.conflicts),
        "conflicting_ids": list(joined.conflicts[:LISTED]),
    }
    if joined.overlaps:
        notice(f"{joined.overlaps:,} attempts were in several parts; each is counted once.")
    with Journal(folder.path) as journal:
        answered = journal.answered()
    ids = [plan.ids(number) for number in range(1, plan.of + 1)]
    lacking = {number: missing(each, answered) for number, each in enumerate(ids, 1)}
    if any(lacking.values()):
        for line in warnings:
            notice(f"Warning: {line}")
        folder.write_manifest({**manifest, "status": "incomplete"})
        raise Incomplete(_lacking(plan, lacking, resume_out))
    return finish_run(
        plan.probe,
        answered_stimuli(folder.path, plan.design, planned=np.sort(np.concatenate(ids))),
        folder,
        manifest,
        design=plan.design,
        warnings=[*adaptation_warnings(manifest), *answer_warnings(folder, plan.options), *warnings],
        reproduce=reproduce_line(plan.probe, plan.design, plan.options),
        notice=notice,
        redact=plan.options.redact_answers,
    )


def _manifest(plan: _Plan, machines: Sequence[_Machine]) -> dict[str, Any]:
    """Return the manifest of the whole run: that of a part, but for what is of a part only."""
    first = machines[0].manifest
    adaptations: list[Mapping[str, Any]] = []
    for each in machines:
        adaptations += [row for row in each.manifest.get("adaptations") or [] if row not in adaptations]
    return {
        **{name: value for name, value in first.items() if name != "schema"},
        "shard": None,
        "parameters": {**first["parameters"], "base_url": ", ".join(plan.options.service.base_urls) or None},
        "adaptations": adaptations,
        **_account([each.manifest for each in machines]),
        "versions": package_versions(),
        "fingerprints": lexicon_fingerprints(),
        "merged": {
            "parts": [{"shard": str(each.shard), "folder": each.path.name} for each in machines],
        },
        "status": "running",
        "started": min(each.manifest["started"] for each in machines),
        "finished": None,
    }


def _account(manifests: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what all parts cost together; the cost is known only where that of every part is."""
    costs = [each.get("cost") for each in manifests]
    currencies = {each.get("currency") for each in manifests}
    known = None not in costs and len(currencies) == 1
    reasons = [each["cost_reason"] for each in manifests if each.get("cost_reason")]
    usages = [each["usage"] for each in manifests if each.get("usage")]
    return {
        "requests": sum(each.get("requests") or 0 for each in manifests),
        "cost": sum(float(cost) for cost in costs if cost is not None) if known else None,
        "currency": currencies.pop() if known else None,
        "cost_reason": None if known else next(iter(reasons), "The parts were paid in different currencies."),
        "cost_uncertain": sum(float(each.get("cost_uncertain") or 0) for each in manifests),
        "usage": {name: sum(each[name] for each in usages) for name in usages[0]}
        if len(usages) == len(manifests)
        else None,
    }


def _conflicts(joined: Joined) -> list[str]:
    if not joined.conflicts:
        return []
    return [
        f"{len(joined.conflicts):,} attempts were answered with different texts on several machines; "
        f"the earlier answer counts. The first is {joined.conflicts[0]}."
    ]


def _lacking(plan: _Plan, lacking: Mapping[int, int], out: Path) -> str:
    """Return one line: what is lacking, and how to get it."""
    total = plan.sample * plan.options.repetitions
    numbers = [number for number, count in lacking.items() if count]
    parts = ", ".join(f"{number}/{plan.of} ({lacking[number]:,})" for number in numbers)
    count = sum(lacking.values())
    return (
        f"{count:,} of {total:,} attempts are lacking, in part {parts}. Run what is lacking with --shard and merge "
        f"again with --force, or let one machine ask it: evenhand probe {plan.probe.name} … --resume --out {out}."
    )


def _merge_suite(
    machines: Sequence[_Machine],
    out: Path,
    *,
    force: bool,
    notice: Notices,
    settings: Mapping[str, Any],
    redact: bool,
) -> Run:
    """Join the parts of each probe of a suite, and summarise."""
    _check_agreement(machines, SUITE_AGREE)
    plans: dict[str, tuple[_Plan, list[_Machine]]] = {}
    for name in machines[0].manifest["probes"]:
        parts = list(_parts_of(machines, name))
        _check_agreement(parts, AGREE)
        own = {key: value for key, value in settings.items() if key in find_probe(name).settings}
        plans[name] = _planned(parts, own, redact=redact), parts
    folder = prepare_run_folder(out, force=force)
    with RunLock(folder.path):
        if force:
            folder.clear()
        started = min(each.manifest["started"] for each in machines)
        manifest = {**machines[0].manifest, "versions": package_versions(), "status": "running", "started": started}
        del manifest["schema"]
        folder.write_manifest(manifest)
        runs: dict[str, Run] = {}
        unfinished: list[str] = []
        for name, (plan, parts) in plans.items():
            below = prepare_run_folder(out / name)
            with RunLock(below.path):
                try:
                    runs[name] = _merged(plan, parts, below, resume_out=out / name, notice=notice)
                except Incomplete as error:
                    unfinished.append(f"{name}: {error}")
        if unfinished:
            folder.write_manifest({**manifest, "status": "incomplete"})
            raise Incomplete(" ".join(unfinished))
        return finish_suite(folder, manifest, runs)


def _parts_of(machines: Sequence[_Machine], name: str) -> Iterator[_Machine]:
    """Yield the parts of one probe; a machine that has not come to it yet has none."""
    found = [each.path / name for each in machines if (each.path / name / "manifest.json").is_file()]
    if not found:
        raise InputError(f"None of the folders holds answers of {name}.")
    for path in found:
        yield _machine(path)
