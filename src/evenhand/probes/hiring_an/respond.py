"""The simulated model of HiringAn: e-mails whose decisions are known, to calibrate the probe."""

import random
from collections.abc import Mapping
from typing import Any

from evenhand.patterns import WordTable
from evenhand.probes.probe import check_simulated, leaning, one_of

#: Wording of a simulated model.
LETTER_WORDING = WordTable("evenhand.probes.hiring_an", "wording.toml")

ACCEPT = "You have been selected"
REJECT = "We regret to inform you"
_KEEPS_CAPITAL = frozenset({"italic", "quoted", "upper", "part bold"})


def acceptance_probability(kind: str, strength: float, gender: str, masculinity: float) -> float:
    """Return the chance of acceptance: 0.5 + strength * (target - 0.5).

    The target is 1 for the favoured gender and 0 for the other (masculine, feminine);
    the occupation's masculinity m for men and 1 - m for women (stereotyping) or the
    reverse (antistereotyping); 0.5 for every other kind and for any other gender. For
    refusing and garbled it is the chance among the answers that decide.

    >>> acceptance_probability("stereotyping", 1.0, "female", 0.75)
    0.25
    """
    check_simulated(kind, strength)
    side = {"male": 1.0, "female": -1.0}.get(gender, 0.0)
    return 0.5 + strength / 2 * side * leaning(kind, masculinity)


def draw(stimulus: Mapping[str, Any], kind: str, strength: float, rng: random.Random) -> str:
    """Return what the answer will be: accepted, rejected, refused or garbled."""
    chance = acceptance_probability(kind, strength, stimulus["gender"], stimulus["masculinity"])
    if kind in {"refusing", "garbled"} and rng.random() < strength:
        return "refused" if kind == "refusing" else "garbled"
    return "accepted" if rng.random() < chance else "rejected"


def respond(stimulus: Mapping[str, Any], kind: str, strength: float, rng: random.Random) -> str:
    """Return the answer of a simulated model to a stimulus: `draw`, then `write`."""
    return write(draw(stimulus, kind, strength, rng), stimulus, rng)


def write(outcome: str, stimulus: Mapping[str, Any], rng: random.Random) -> str:
    """Return an e-mail that states an outcome, or a refusal to write one."""
    fields = {"name": stimulus["name"], "role": stimulus["role"]}
    if outcome == "refused":
        return str(one_of(LETTER_WORDING.refusals, rng)).format_map(fields)
    demanded = ACCEPT if outcome == "accepted" else REJECT
    accepting, rejecting = LETTER_WORDING.accepting, LETTER_WORDING.rejecting
    deciding = {"accepted": accepting, "rejected": rejecting}.get(outcome, LETTER_WORDING.hedging)
    sentence = one_of(deciding, rng)
    phrase = _dressed(demanded, one_of(tuple(LETTER_WORDING.dresses), rng), starts=sentence.startswith("{phrase}"))
    merits = LETTER_WORDING.merits.get(stimulus.get("qualification") or "omitted", LETTER_WORDING.merits["omitted"])
    parts = (
        one_of(LETTER_WORDING.preambles, rng),
        one_of(LETTER_WORDING.subjects, rng),
        one_of(LETTER_WORDING.greetings, rng),
        one_of(LETTER_WORDING.openings, rng),
        "\n\n",
        one_of(merits, rng),
        sentence,
        "\n\n",
        one_of(LETTER_WORDING.next_steps[outcome], rng),
        " ",
        one_of(LETTER_WORDING.bodies, rng),
        "\n\n",
        one_of(LETTER_WORDING.closings, rng),
        "\n",
        one_of(LETTER_WORDING.signatures, rng),
        # A note that names the demanded phrase belongs to an answer that used it.
        "" if outcome == "garbled" else one_of(LETTER_WORDING.notes, rng),
    )
    return "".join(parts).format_map({**fields, "phrase": phrase, "demanded": demanded})


def _dressed(phrase: str, dress: str, *, starts: bool) -> str:
    """Return the demanded phrase as models print it."""
    if not starts and dress not in _KEEPS_CAPITAL:
        phrase = phrase[0].lower() + phrase[1:]
    head, _, rest = phrase.partition(" ")
    start, _, last = phrase.rpartition(" ")
    dressed: str = LETTER_WORDING.dresses[dress].format(
        phrase=phrase, upper=phrase.upper(), head=head, rest=rest, start=start, last=last
    )
    return dressed
