"""The simulated models of screening: what they select, ask, score, decide and write follows known chances.

Strength 1 moves the chance of a shortlist, of an unlawful question and of an offer by 20 percentage points between the
two genders, and a score by 10 points; the chance that a reason or an e-mail praises twice, and that praise is
male-coded, by 40 percentage points. The instruction not to discriminate halves that. Masked applications show no
name, so it is 0 there.
"""

import json
from collections.abc import Mapping
from random import Random
from typing import Any, Final

from evenhand.errors import InputError
from evenhand.probes.screening.piles import INSTRUCTED, MASKED, WORDING

_WHOLE: Final = ("unbiased", "random", "masculine", "feminine", "refusing", "garbled")
#: How far the genders lie apart at full strength: in the steps, in how long texts are and in their words.
SHIFTS: Final = {"shortlist": 0.2, "questions": 0.2, "scores": 10.0, "decision": 0.2, "length": 0.4, "words": 0.4}
#: The kinds: of all steps, and with a bias in one step, in the length or in the words of texts only.
KINDS: Final = (*_WHOLE, *(f"{side}-{part}" for part in SHIFTS for side in ("masculine", "feminine")))
#: The chance, or the mean score, of applications by their quality.
MEANS: Final[Mapping[str, Mapping[str | None, float]]] = {
    "shortlist": {"clear": 0.8, "borderline": 0.5, "none": 0.2, None: 0.5},
    "questions": dict.fromkeys(("clear", "borderline", "none", None), 0.15),
    "scores": {"clear": 68.0, "borderline": 54.0, "none": 40.0, None: 54.0},
    "decision": {"clear": 0.8, "borderline": 0.5, "none": 0.2, None: 0.5},
}
SPREAD: Final = 10.0


def shift_of(kind: str, strength: float, *, step: str, gender: str, arm: str) -> float:
    """Return what the gender adds to a chance or a score.

    >>> shift_of("feminine-scores", 0.9, step="scores", gender="male", arm="plain")
    -4.5
    >>> shift_of("feminine-scores", 0.9, step="decision", gender="male", arm="plain")
    0.0
    """
    side, _, only = kind.partition("-")
    toward = {"masculine": 1.0, "feminine": -1.0}.get(side, 0.0) * (only in {"", step})
    # More unlawful questions are no favour.
    toward *= -1.0 if step == "questions" else 1.0
    seen = {INSTRUCTED: 0.5, MASKED: 0.0}.get(arm, 1.0)
    return SHIFTS[step] / 2 * strength * toward * seen * {"male": 1.0, "female": -1.0}.get(gender, 0.0) + 0.0


def respond(stimulus: Mapping[str, Any], kind: str, strength: float, rng: Random) -> str:
    """Return the answer of a model of this kind about those who are shown.

    The refusing and the garbled kind decide nothing with probability `strength`, and are unbiased otherwise.

    Raises
    ------
    InputError
        An unknown kind.

    """
    if kind not in KINDS:
        raise InputError(f"No simulated model '{kind}'. Kinds: {', '.join(KINDS)}.")
    step = str(stimulus["step"])
    if kind in {"refusing", "garbled"} and rng.random() < strength:
        texts: tuple[str, ...] = WORDING.refusals if kind == "refusing" else WORDING.garbled
        return rng.choice(texts)
    offered = set(stimulus["offered"].split())
    shown = [one for one in stimulus["candidates"] if one["number"] in offered]
    values = {}
    for one in shown:
        mean = MEANS[step][None if kind == "random" else one["quality"]]
        mean += shift_of(kind, strength, step=step, gender=one["gender"], arm=str(stimulus["arm"]))
        values[one["number"]] = round(min(max(rng.gauss(mean, SPREAD), 0.0), 100.0)) if step == "scores" else (
            rng.random() < mean
        )  # fmt: skip
    masked, praise = stimulus["arm"] == MASKED, dict[str, str]()
    for one in shown if step in {"shortlist", "decision"} else ():
        chances = {
            part: 0.5 + shift_of(kind, strength, step=part, gender=one["gender"], arm=str(stimulus["arm"]))
            for part in ("length", "words")
        }
        coded = [
            rng.choice(WORDING.male_coded if rng.random() < chances["words"] else WORDING.female_coded)
            for _ in range(1 + (rng.random() < chances["length"]))
        ]
        praise[one["number"]] = " and ".join(coded)
    names = {one["number"]: "candidate" if masked else one["name"] for one in shown}
    return _written(step, values, names, praise, rng, structured=stimulus.get("schema") is not None)


def _written(
    step: str,
    values: Mapping[str, float],
    names: Mapping[str, str],
    praise: Mapping[str, str],
    rng: Random,
    *,
    structured: bool,
) -> str:
    """Return the answer as a JSON object, or as lines, as often; always as an object where it is `structured`."""
    as_json = rng.random() < 0.5 or structured
    if step == "shortlist":
        chosen = [number for number, value in values.items() if value]
        reasons = {number: f"{rng.choice(WORDING.reasons)} and is {praise[number]}" for number in chosen}
        if as_json:
            rows = [{"candidate": number, "reason": reason} for number, reason in reasons.items()]
            return json.dumps({"shortlist": rows}, ensure_ascii=False)
        lines = [f"- Candidate {number}: {reason}" for number, reason in reasons.items()]
        return "\n".join(["Shortlist:", *lines]) if lines else "None of the candidates meets the requirements."
    said: dict[str, Any] = {}
    for number, value in values.items():
        if step == "scores":
            said[number] = value
        elif step == "questions":
            said[number] = [*rng.sample(WORDING.lawful, 2), *([rng.choice(WORDING.unlawful)] if value else [])]
        else:
            texts = WORDING.offers if value else WORDING.rejections
            said[number] = rng.choice(texts).format(name=names[number], praise=praise[number])
    key = {"scores": "score", "questions": "questions", "decision": "email"}[step]
    if as_json:
        decides = structured and step == "decision"
        decided = {n: {"decision": "offer" if values[n] else "rejection"} if decides else {} for n in said}
        rows = [{"candidate": number, **decided[number], key: what} for number, what in said.items()]
        return json.dumps({step: rows}, ensure_ascii=False)
    if step == "scores":
        return "\n".join(f"Candidate {number}: {what}" for number, what in said.items())
    texts = {
        number: "\n".join(f"- {one}" for one in what) if step == "questions" else what for number, what in said.items()
    }
    return "\n\n".join(f"Candidate {number}:\n{text}" for number, text in texts.items())
