"""Which prompts of a design a run asks."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from evenhand.collect.cost.tokens import mean_prompt_tokens
from evenhand.collect.order import Asked, Planned, planned, shard_part
from evenhand.probes import Design, Probe, shuffled_indices
from evenhand.runs.options import ProbeOptions, Shards

__all__ = ["prompt_tokens", "sample_part", "sampled_attempts"]

# Prompts that stand for all where a server tells no usage.
_FEW = 100


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
