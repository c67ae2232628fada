"""Which prompts of a design a run asks."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from evenhand.collect.cost.tokens import mean_prompt_tokens
from evenhand.collect.order import Asked, Planned, planned, shard_part
from evenhand.errors import InputError
from evenhand.probes.shared.probe import Design, Probe
from evenhand.probes.shared.sampling import shuffled_indices
from evenhand.runs.options.probe import ProbeOptions
from evenhand.runs.options.shards import Shards
from evenhand.tables.messages.quoting import quoted

__all__ = ["prompt_tokens", "sample_part", "sample_size", "sampled_attempts"]

# Prompts that stand for all where a server tells no usage.
_FEW = 100


def sample_size(probe: Probe, options: ProbeOptions) -> tuple[Design, int]:
    """Return the design and how many of its prompts are asked.

    Raises
    ------
    InputError
        An unknown design, or a sample that the design can't give.

    """
    name = options.design if options.design is not None else next(iter(probe.designs))
    if name not in probe.designs:
        message = f"--design {quoted(name)} is unknown to {probe.name}; expected one of {', '.join(probe.designs)}."
        raise InputError(message)
    design = probe.designs[name]
    if options.everything:
        _check_shard(options, design, design.size)
        return design, design.size
    default = probe.default_sample if probe.default_sample is not None else design.size
    sample = options.sample if options.sample is not None else min(default, design.size)
    if not 1 <= sample <= design.size:
        message = (
            f"--sample is {sample}; {probe.name} with the design {name} has {design.size:,} prompts, "
            f"so expected a number from {design.block} to {design.size}."
        )
        raise InputError(message)
    if sample % design.block:
        message = f"--sample is {sample}; the design {name} asks in blocks of {design.block}, so expected a multiple."
        raise InputError(message)
    _check_shard(options, design, sample)
    return design, sample


def _check_shard(options: ProbeOptions, design: Design, sample: int) -> None:
    """Refuse more parts than there are blocks to share out, and what a part can't do."""
    if options.shard is None:
        return
    blocks = sample // design.block
    if options.shard.of > blocks:
        what = "prompts" if design.block == 1 else f"blocks of {design.block} prompts"
        raise InputError(f"--shard is {options.shard}; the sample has {blocks:,} {what}, so expected as many at most.")
    if options.redact_answers:
        raise InputError(
            "--redact-answers can't be given with --shard: the parts are joined from their answers. "
            "Give it to evenhand collect merge, and delete the parts."
        )
    if options.until_width is not None:
        raise InputError(
            "--until-width can't be given with --shard: no machine sees the answers that come first. "
            "Leave out one of them."
        )


def sampled_attempts(
    probe: Probe, design: Design, options: ProbeOptions, *, sample: int, model: str
) -> Iterator[list[Planned]]:
    """Return all that a machine asks of a sample, in the order of sending."""
    seed = options.seed
    return planned(
        shuffled_indices(design.size, sample, seed=seed, block=design.block),
        stimuli=design.stimuli,
        asked=Asked(probe=probe.name, version=probe.version, model=model, generation=options.generation, seed=seed),
        order_seed=seed,
        repetitions=options.repetitions,
        part=sample_part(design, sample, shard=options.shard),
    )


def sample_part(design: Design, sample: int, *, shard: Shards | None) -> NDArray[np.bool_] | None:
    """Return which prompts of a sample a machine asks; None for all."""
    if shard is None:
        return None
    return shard_part(sample, block=design.block, number=shard.number, of=shard.of)


def prompt_tokens(design: Design, sample: int, *, seed: int) -> float:
    """Return the tokens of a prompt, estimated from a few of those that are asked."""
    few = min(sample, _FEW // design.block * design.block)
    stimuli = design.stimuli(shuffled_indices(design.size, few, seed=seed, block=design.block))
    return mean_prompt_tokens(stimuli["prompt"].to_list())
