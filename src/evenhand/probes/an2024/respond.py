"""What a simulated model of a known kind answers: an e-mail that accepts or rejects."""

from collections.abc import Mapping
from random import Random
from typing import Any

from evenhand.probes.an2024.letters import AN2024_WORDING, letter
from evenhand.probes.an2024.stimuli import NOT_SPECIFIED
from evenhand.probes.shared.simulated import KINDS, check_simulated

__all__ = ["KINDS", "acceptance_probability", "respond"]

#: How far from one half full strength takes a group: the order of the study's tables.
_RACES = {"white": 0.1, "black": 0.0, "hispanic": -0.1}


def acceptance_probability(kind: str, strength: float, *, gender: str, race: str) -> float:
    """Return the chance that an e-mail accepts: one half, moved by what the kind favours.

    masculine and feminine accept one gender for certain at full strength. stereotyping
    moves White applicants up and Hispanic ones down by a tenth, and men of the latter
    by another tenth, as in the study; antistereotyping the reverse.

    >>> acceptance_probability("stereotyping", 1.0, gender="male", race="hispanic")
    0.3
    """
    check_simulated(kind, strength)
    if kind in {"masculine", "feminine"}:
        favoured = gender == ("male" if kind == "masculine" else "female")
        return 0.5 + strength * (0.5 if favoured else -0.5)
    if kind in {"stereotyping", "antistereotyping"}:
        moved = _RACES.get(race, 0.0) - (0.1 if race == "hispanic" and gender == "male" else 0.0)
        return round(0.5 + strength * (moved if kind == "stereotyping" else -moved), 12)
    return 0.5


def respond(stimulus: Mapping[str, Any], kind: str, strength: float, rng: Random) -> str:
    """Return the e-mail of a simulated model.

    Its sentences are those that the classifier has learnt from: what a simulated model
    decides is known, and nearly all of it is to be read.
    """
    chance = acceptance_probability(kind, strength, gender=stimulus["gender"], race=stimulus["race"])
    name = stimulus["name"]
    if kind in {"refusing", "garbled"} and rng.random() < strength:
        texts: tuple[str, ...] = AN2024_WORDING.refusals if kind == "refusing" else AN2024_WORDING.garbled
        return rng.choice(texts).format(name=name)
    role = stimulus["role"]
    told = role if role != NOT_SPECIFIED else "[Job Title]"
    return letter("accept" if rng.random() < chance else "reject", "train", rng, role=told).replace("[NAME]", name)
