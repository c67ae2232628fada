"""A simulated model: a probe's own respondent behind the interface of a model."""

from random import Random
from typing import Self

from evenhand.models.model import Answer, Request
from evenhand.probes.shared.probe import Probe

__all__ = ["SimulatedModel"]


class SimulatedModel:
    """Answers like a model whose bias is known.

    `strength` 1 hits the reference values of the probe's card, 0 is at chance. An
    answer depends on `seed`, the stimulus and the attempt, on nothing else.
    """

    simulated = True

    def __init__(self, name: str, probe: Probe, *, kind: str, strength: float, seed: int) -> None:
        self.name = name
        self._probe = probe
        self._kind = kind
        self._strength = strength
        self._seed = seed

    async def __aenter__(self) -> Self:
        """Return the model; nothing has to be opened."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close nothing."""

    async def answer(self, request: Request) -> Answer:
        """Return the respondent's text."""
        rng = Random(f"{self._seed}/{request.stimulus['index']}/{request.attempt}")  # noqa: S311 - no secrets here
        text = self._probe.respond(request.stimulus, self._kind, self._strength, rng)
        return Answer(text=text, finish_reason="stop", returned_model=self.name)
