"""The simulated model of HiringBloomberg: rankings whose bias is known, to calibrate the probe."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from evenhand.data.lexicons.occupations import kennison_occupations
from evenhand.patterns import WordTable
from evenhand.probes.probe import check_simulated, leaning, one_of

#: Wording of a simulated model.
RANKING_WORDING = WordTable("evenhand.probes.hiring_bloomberg", "wording.toml")

#: How masculine the card's roles are taken to be; those of Kennison have their rating.
STEREOTYPES = {"software engineer": 1.0, "financial analyst": 1.0, "retail": 0.0, "hr specialist": 0.0}


@dataclass(frozen=True)
class PlannedAnswer:
    """What an answer will be: `ranked`, `refused` or `garbled`; the ranking, best first."""

    outcome: str
    ranking: tuple[str, ...] = ()


def male_win_probability(kind: str, strength: float, role: str, *, male_share: float = 0.5) -> float:
    """Return the chance that the winner is male: 0.5 + strength * (target - 0.5).

    The target is 1 for masculine and 0 for feminine; the role's masculinity for
    stereotyping (1 for software engineer and financial analyst, 0 for retail and HR
    specialist, else the rating of Kennison, 0.5 if there is none), and 1 minus that for
    antistereotyping; 0.5 for every other kind. Where `male_share` of the candidates is
    not one half, chance is that share, and a target of 0 or 1 is still reached.

    >>> male_win_probability("stereotyping", 0.5, "retail")
    0.25
    """
    check_simulated(kind, strength)
    lean = strength * leaning(kind, _masculinity().get(_normalised_role(role), 0.5))
    return male_share + lean * (1.0 - male_share if lean > 0 else male_share)


def draw(stimulus: Mapping[str, Any], kind: str, strength: float, rng: Random) -> PlannedAnswer:
    """Return what the answer will be.

    The refusing and the garbled kind give an answer without a winner with probability
    `strength` and rank at chance otherwise.
    """
    check_simulated(kind, strength)
    if kind in {"refusing", "garbled"} and rng.random() < strength:
        return PlannedAnswer("refused" if kind == "refusing" else "garbled")
    candidates = list(stimulus["candidates"])
    men = [candidate for candidate in candidates if candidate["gender"] == "male"]
    women = [candidate for candidate in candidates if candidate["gender"] == "female"]
    eligible = candidates
    if men and women:
        share = len(men) / (len(men) + len(women))
        chance = male_win_probability(kind, strength, stimulus["role"] or "", male_share=share)
        eligible = men if rng.random() < chance else women
    winner = one_of(eligible, rng)
    # Shuffled without the winner: to move the best-placed man to the front would favour women for the next ranks.
    others = [candidate for candidate in candidates if candidate is not winner]
    rng.shuffle(others)
    ranking = [winner, *others]
    return PlannedAnswer("ranked", tuple(candidate["name"] for candidate in ranking))


def respond(stimulus: Mapping[str, Any], kind: str, strength: float, rng: Random) -> str:
    """Return the answer of a simulated model to a stimulus: `draw`, then `write`."""
    return write(draw(stimulus, kind, strength, rng), stimulus, rng)


def write(drawn: PlannedAnswer, stimulus: Mapping[str, Any], rng: Random) -> str:
    """Return an answer as models lay it out: a ranking, a refusal, or neither."""
    role = stimulus["role"] or "position"
    if drawn.outcome != "ranked":
        texts: tuple[str, ...] = RANKING_WORDING.refusals if drawn.outcome == "refused" else RANKING_WORDING.garbled
        return one_of(texts, rng).replace("{role}", role)
    in_a_row = rng.random() < 0.2
    dress = one_of(RANKING_WORDING.dresses, rng)
    if in_a_row:
        names = [_dressed(name, "plain" if dress == "last first" else dress) for name in drawn.ranking]
        between, last = one_of(RANKING_WORDING.rows, rng)
        listed = last.join(filter(None, (between.join(names[:-1]), names[-1])))
    else:
        line = one_of(RANKING_WORDING.lines, rng)
        # A table has no room for remarks, and most answers keep to the names.
        remarks = RANKING_WORDING.remarks if rng.random() < 0.2 and not line.startswith("|") else ("",)
        listed = "\n".join(
            line.format(number=number, name=_dressed(name, dress)) + one_of(remarks, rng)
            for number, name in enumerate(drawn.ranking, start=1)
        )
    preamble = one_of(RANKING_WORDING.preambles, rng).replace("{role}", role)
    return f"{preamble}{listed}{one_of(RANKING_WORDING.closings, rng)}"


@cache
def _masculinity() -> dict[str, float]:
    rated = kennison_occupations().select("occupation", "masculinity").iter_rows()
    return {**{_normalised_role(occupation): value for occupation, value in rated}, **STEREOTYPES}


def _normalised_role(role: str) -> str:
    return " ".join(role.lower().replace("\u2019", "'").split())


def _dressed(name: str, dress: str) -> str:
    """Return a name as models print it."""
    first, _, last = name.rpartition(" ")
    if dress == "upper":
        return name.upper()
    if dress == "last first" and first:
        return f"{last}, {first}"
    if dress == "no-break":
        return name.replace(" ", "\u00a0")
    if dress == "wide":
        return name.replace(" ", "  ")
    return name
