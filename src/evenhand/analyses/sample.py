"""The prompts of a design that a run uses: design, sample, shard, order."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.analyses.options.probes import ProbeOptions, Shards, probe_settings
from evenhand.errors import InputError
from evenhand.models.cost import mean_prompt_tokens
from evenhand.models.order import OrderedPrompts, Planned, planned, shard_part
from evenhand.models.outcomes import texts_of
from evenhand.probes.probe import Design, Probe, shuffled_indices
from evenhand.results.messages import quoted

# Prompts whose mean stands for all if a server reports no usage.
_FEW = 100


def sample_size(probe: Probe, options: ProbeOptions) -> tuple[Design, int]:
    """Return the design and the number of its prompts in the sample.

    Raises
    ------
    InputError
        The design is unknown, or can't give such a sample or shard.

    """
    design = chosen_design(probe, options.design, named="--design")
    sample = design.size if options.everything else chosen_sample(probe, design, options.sample, named="--sample")
    _check_shard(options, design, sample)
    return design, sample


def chosen_design(probe: Probe, name: str | None, *, named: str = "design") -> Design:
    """Return the design called `name`, the probe's first for None; `named` is the option in messages.

    Raises
    ------
    InputError
        The probe has no such design.

    """
    chosen = next(iter(probe.designs)) if name is None else name
    if chosen not in probe.designs:
        known = ", ".join(probe.designs)
        file = ", or a file FILE.toml" if "design" in probe_settings(probe) else ""
        raise InputError(f"{named} {quoted(chosen)} is unknown to {probe.name}; expected one of {known}{file}.")
    return probe.designs[chosen]


def chosen_sample(probe: Probe, design: Design, sample: int | None, *, named: str = "sample") -> int:
    """Return the number of prompts in the sample, the default for None; `named` is the option in messages.

    Raises
    ------
    InputError
        The design can't give such a sample.

    """
    if sample is None:
        return design.size if probe.default_sample is None else min(probe.default_sample, design.size)
    if not 1 <= sample <= design.size:
        raise InputError(
            f"{named} is {sample}; {probe.name} with the design {design.name} has {design.size:,} prompts, "
            f"so expected a number from {design.block} to {design.size}."
        )
    if sample % design.block:
        raise InputError(
            f"{named} is {sample}; the design {design.name} has blocks of {design.block} prompts, so expected a "
            f"multiple, such as {max(1, sample // design.block) * design.block}."
        )
    return sample


def _check_shard(options: ProbeOptions, design: Design, sample: int) -> None:
    """Refuse more parts than blocks, and options that a part can't have."""
    if options.shard is None:
        return
    blocks = sample // design.block
    if options.shard.of > blocks:
        what = "prompts" if design.block == 1 else f"blocks of {design.block} prompts"
        raise InputError(
            f"--shard is {options.shard}; the sample has {blocks:,} {what}, so expected that many parts at most."
        )
    if options.redact_answers:
        raise InputError(
            "--redact-answers can't be given with --shard: the parts are joined from their answers. "
            "Give it to evenhand collect merge, and delete the parts."
        )
    if options.until_width is not None:
        raise InputError(
            "--until-width can't be given with --shard: no machine has all answers so far. Leave out one of them."
        )


def sampled_attempts(
    probe: Probe, design: Design, options: ProbeOptions, *, sample: int, model: str, folder: Path
) -> Iterator[list[Planned]]:
    """Yield the attempts of a machine, in the order of sending; later rounds follow the answers in `folder`."""
    seed = options.seed
    return planned(
        shuffled_indices(design.size, sample, seed=seed, block=design.block),
        stimuli=design.rows,
        asked=OrderedPrompts(
            probe=probe.name, version=probe.version, model=model, generation=options.generation, seed=seed
        ),
        order_seed=seed,
        repetitions=options.repetitions,
        part=sample_part(design, sample, shard=options.shard),
        follow=_following(design, folder),
    )


def _following(design: Design, folder: Path) -> Callable[[pl.DataFrame], pl.DataFrame] | None:
    """Return what builds later rounds from the answers in a folder; None where there is one round."""
    follow = design.follow
    if follow is None:
        return None
    texts = texts_of(folder)
    return lambda rows: follow(rows, texts)


def sample_part(design: Design, sample: int, *, shard: Shards | None) -> NDArray[np.bool_] | None:
    """Return the prompts of a sample that belong to a machine; None for all."""
    if shard is None:
        return None
    return shard_part(sample, block=design.block, number=shard.number, of=shard.of)


def prompt_tokens(design: Design, sample: int, *, seed: int) -> float:
    """Return the mean tokens of a prompt, estimated from a few prompts of the sample."""
    few = min(sample, _FEW // design.block * design.block)
    stimuli = design.rows(shuffled_indices(design.size, few, seed=seed, block=design.block))
    return mean_prompt_tokens(stimuli["prompt"].to_list())
