"""The parts of a run that several machines asked, and the whole run that they belong to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.collect.journal.attempt_ids import attempt_ids
from evenhand.collect.order import Planned
from evenhand.errors import InputError
from evenhand.models.model import Generation
from evenhand.probes.shared.probe import Design, Probe
from evenhand.runs.manifest import Manifest, read_manifest
from evenhand.runs.options.probe import ProbeOptions
from evenhand.runs.options.settings import configured, find_probe, settings_again
from evenhand.runs.options.shards import Shards
from evenhand.runs.sample import chosen_design, chosen_sample, sampled_attempts

__all__ = ["Machine", "MergePlan", "merge_plan", "open_part", "planned_again"]


@dataclass(frozen=True, kw_only=True)
class Machine:
    """The folder of one part, and what was asked there."""

    path: Path
    manifest: Manifest

    @property
    def shard(self) -> Shards:
        """Return which part it is."""
        return Shards.parse(self.manifest.shard or "")

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
        Shards.parse(manifest.shard)
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
    options: ProbeOptions
    model: str
    sample: int
    of: int

    def ids(self, number: int) -> NDArray[np.uint64]:
        """Return the ids of all attempts of one part."""
        return np.concatenate([np.empty(0, dtype=np.uint64), *map(attempt_ids, self.attempts(number))])

    def attempts(self, number: int) -> Iterator[list[Planned]]:
        """Return all attempts of one part, in the order of sending."""
        options = self.options if self.of == 1 else replace(self.options, shard=Shards(number=number, of=self.of))
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
    plan = planned_again(
        manifest,
        settings_again(manifest.settings, files, asked="the parts were"),
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


def planned_again(
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
    probe = configured(find_probe(manifest.probe), settings)
    design = chosen_design(probe, manifest.design)
    sample = chosen_sample(probe, design, parameters["sample"])
    options = ProbeOptions(
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
