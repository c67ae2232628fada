"""A simulated scorer whose effect is known: so many standard deviations for each group."""

from collections.abc import Collection, Mapping
from functools import cache
from math import isfinite, sqrt
from random import Random
from typing import Any, Final, Self
from urllib.parse import parse_qsl

from evenhand.errors import InputError
from evenhand.models.model import Answer, Request
from evenhand.tables.messages.quoting import listed, quoted
from evenhand.tables.schemas import PROTECTED

__all__ = ["SPREAD", "ShiftedScorer", "open_shifted"]

#: The standard deviation of scores within one arm, as a share of the range.
SPREAD: Final = 0.125
#: What a score is made of, in standard deviations: their squares add up to 1.
_PARTS: Final = {"resume": 0.6, "position": 0.3, "fit": 0.7, "name": 0.1}
_NOISE: Final = sqrt(1 - sum(part**2 for part in _PARTS.values()))
_LARGEST: Final = 4.0
_RANGE: Final = (0.0, 100.0)


class ShiftedScorer:
    """Gives normal scores to which each group that a résumé shows adds what `shifts` says, in standard deviations.

    A score is made of the résumé, the position, how they fit, the name, and noise that differs from attempt to attempt.
    It depends on `seed`, the stimulus and the attempt, on nothing else.
    """

    simulated = True

    def __init__(self, name: str, *, shifts: Mapping[str, float], seed: int) -> None:
        self.name = name
        self._shifts = shifts
        self._seed = seed

    async def __aenter__(self) -> Self:
        """Return the scorer; nothing has to be opened."""
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close nothing."""

    async def answer(self, request: Request) -> Answer:
        """Return a score of a stimulus, whose protected columns are the groups that it shows."""
        stimulus, seed = request.stimulus, self._seed
        labels = {
            "resume": stimulus["person"],
            "position": stimulus["position"],
            "fit": f"{stimulus['person']}/{stimulus['position']}",
            "name": stimulus["name"],
        }
        deviations = sum(part * _effect(f"{seed}/{kind}/{labels[kind]}") for kind, part in _PARTS.items())
        rng = Random(f"{seed}/{stimulus['index']}/{request.attempt}")  # noqa: S311 - no secret
        deviations += _NOISE * rng.gauss(0.0, 1.0) + self._shift(stimulus)
        low, high = (
            end if stimulus[name] is None else stimulus[name] for name, end in zip(("low", "high"), _RANGE, strict=True)
        )
        score = (low + high) / 2 + SPREAD * (high - low) * deviations
        return Answer(text=f"{min(max(score, low), high):.6g}", returned_model=self.name)

    def _shift(self, stimulus: Mapping[str, Any]) -> float:
        groups = [value for name, value in stimulus.items() if name.startswith(PROTECTED)]
        return sum(self._shifts.get(group, 0.0) for group in groups)


@cache
def _effect(label: str) -> float:
    return Random(label).gauss(0.0, 1.0)  # noqa: S311 - no secret


def open_shifted(spec: str, query: str, *, groups: Collection[str], seed: int) -> ShiftedScorer:
    """Return the scorer of `sim:shift?GROUP=DEVIATIONS&…`; `seed` is the run's, unless the query names one.

    Raises
    ------
    InputError
        A group is none that is shown, or a shift or the seed is no number.

    """
    shifts: dict[str, float] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name == "seed":
            seed = _seed(spec, value)
        elif name in groups:
            shifts[name] = _shift(spec, name, value)
        else:
            raise InputError(
                f"--scorer {quoted(spec)}: {quoted(name)} is no group that is shown; expected "
                f"{listed(sorted(groups))}, or seed."
            )
    if not shifts:
        first = next(iter(sorted(groups)), "female")
        raise InputError(f"--scorer {quoted(spec)} shifts no group; expected for instance sim:shift?{first}=-0.3.")
    return ShiftedScorer(spec, shifts=shifts, seed=seed)


def _shift(spec: str, name: str, value: str) -> float:
    try:
        shift = float(value)
    except ValueError:
        shift = float("nan")
    if not isfinite(shift) or abs(shift) > _LARGEST:
        raise InputError(
            f"--scorer {quoted(spec)}: {name} is {quoted(value)}; expected standard deviations from -4 to 4."
        )
    return shift


def _seed(spec: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise InputError(f"--scorer {quoted(spec)}: seed is {quoted(value)}; expected a whole number.") from None
