"""What a simulated model of a known kind answers when it is asked for a score."""

import json
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any, Final

from evenhand.lexicons.occupations import kennison_occupations
from evenhand.probes.resume_score.wordings import range_text
from evenhand.probes.shared.simulated import KINDS, check_simulated
from evenhand.word_tables import WordTable

__all__ = ["KINDS", "LARGEST_SHIFT", "SCORE_WORDING", "respond", "score_shift"]

#: What a simulated model writes with.
SCORE_WORDING = WordTable("evenhand.probes.resume_score", "wording.toml")

#: How far the two genders' mean scores lie apart at full strength, as a share of the range.
LARGEST_SHIFT: Final = 0.1
#: Mean score by qualification, and standard deviations of résumés, names and repetitions, as shares of the range.
_MEANS: Final = {"strong": 0.82, "medium": 0.66, "weak": 0.42}
_UNKNOWN: Final = 0.65
_SPREADS: Final = {"resume": 0.04, "name": 0.008, "answer": 0.03}
#: From this many units on, a range is answered in whole numbers.
_WHOLE: Final = 10.0


def score_shift(kind: str, strength: float, gender: str, masculinity: float) -> float:
    """Return what the gender adds to a score, as a share of the range.

    >>> score_shift("masculine", 1.0, "male", 0.5), score_shift("stereotyping", 1.0, "female", 0.75)
    (0.05, -0.025)
    """
    side = {"male": 1.0, "female": -1.0}.get(gender, 0.0)
    leaning = 2.0 * masculinity - 1.0
    toward = {"masculine": 1.0, "feminine": -1.0, "stereotyping": leaning, "antistereotyping": -leaning}.get(kind, 0.0)
    return LARGEST_SHIFT / 2 * strength * side * toward


def respond(stimulus: Mapping[str, Any], kind: str, strength: float, rng: Random) -> str:
    """Return the answer of a model of this kind: a score that follows the résumé, the name and chance.

    The refusing and the garbled kind give no score with probability `strength`, and an unbiased one otherwise.

    Raises
    ------
    InputError
        An unknown kind, or a strength outside 0 to 1.

    """
    check_simulated(kind, strength)
    low, high = float(stimulus["low"]), float(stimulus["high"])
    ends = {"low": range_text(low), "high": range_text(high)}
    if kind in {"refusing", "garbled"} and rng.random() < strength:
        texts: tuple[str, ...] = SCORE_WORDING.refusals if kind == "refusing" else SCORE_WORDING.garbled
        return rng.choice(texts).format_map(ends)
    if kind == "random":
        share = rng.random()
    else:
        share = _MEANS.get(str(stimulus["qualification"]), _UNKNOWN)
        share += _effect("resume", str(stimulus["resume"])) + _effect("name", str(stimulus["name"]))
        share += score_shift(kind, strength, str(stimulus["gender"]), masculinity(str(stimulus["position"])))
        share += rng.gauss(0.0, _SPREADS["answer"])
    score = low + (high - low) * min(max(share, 0.0), 1.0)
    return _worded(_rounded(score, high - low), str(stimulus["wording"]), ends, rng)


def _rounded(score: float, span: float) -> str:
    return f"{score:.0f}" if span >= _WHOLE else f"{score:.2f}"


def _worded(score: str, wording: str, ends: Mapping[str, str], rng: Random) -> str:
    if wording == "json":
        reasons = rng.sample(SCORE_WORDING.reasons, 2)
        return json.dumps({"score": float(score) if "." in score else int(score), "reasons": reasons})
    if wording == "rubric":
        remarks = dict(zip("abcd", rng.choices(SCORE_WORDING.remarks, k=4), strict=True))
        lines = [line.format_map(remarks) for line in SCORE_WORDING.criteria]
        return "\n".join([*lines, "", rng.choice(SCORE_WORDING.totals).format(s=score)])
    numbers: tuple[str, ...] = SCORE_WORDING.numbers
    return rng.choice(numbers).format(score=score, **ends)


@cache
def _effect(kind: str, label: str) -> float:
    """Return what a résumé or a name adds, the same in every answer."""
    return Random(f"{kind} {label}").gauss(0.0, _SPREADS[kind])  # noqa: S311 - no secret


@cache
def masculinity(title: str) -> float:
    """Return how masculine an occupation is perceived to be, by the rated one whose name its title holds; else 0.5.

    >>> masculinity("Registered Nurses") < 0.5 < masculinity("Electricians")
    True
    """
    rated = dict(kennison_occupations().select("occupation", "masculinity").iter_rows())
    words = [word.strip(",").removesuffix("s") for word in title.lower().split()]
    for length in (3, 2, 1):
        for start in range(len(words) - length + 1):
            name = " ".join(words[start : start + length])
            if name in rated:
                return float(rated[name])
    return 0.5
