"""What `evenhand probe` asks, and what a log of inspect_ai shows."""

from evenhand.models.model import Generation
from evenhand.models.order import OrderedPrompts, planned
from evenhand.probes import PROBES
from evenhand.probes.probe import shuffled_indices


def asked_by_us(name, *, sample, seed=0, design=None, repetitions=1, **settings):
    """Return the attempts that `evenhand probe` makes, in its order."""
    probe = PROBES[name].with_settings(settings)
    layout = probe.designs[design or next(iter(probe.designs))]
    chunks = planned(
        shuffled_indices(layout.size, sample, seed=seed, block=layout.block),
        stimuli=layout.stimuli,
        asked=OrderedPrompts(probe=probe.name, version=probe.version, model="m", generation=Generation(), seed=seed),
        order_seed=seed,
        repetitions=repetitions,
    )
    return [attempt for chunk in chunks for attempt in chunk]


def call(attempt):
    """Return prompt and seed of an attempt."""
    return [attempt.request.messages[0]["content"], attempt.request.seed]


def shown(log):
    """Return the metrics of a log by name."""
    return {name: metric["value"] for score in log["results"]["scores"] for name, metric in score["metrics"].items()}
