"""What a label says of the number behind it: a total, a score, a part of a score, or the scale."""

from collections.abc import Sequence

from evenhand.patterns import lazy_re
from evenhand.probes.resume_score.reading.words import GIVING, NEUTRAL, NOUNS, OF_ASIDE, OF_SCALE, WHOLE

__all__ = [
    "ASIDE",
    "GIVING",
    "NOUNS",
    "PART",
    "QUALIFIED",
    "SCALE",
    "SCORE",
    "STANDING",
    "TOTAL",
    "WHOLE",
    "label_kind",
    "words_of",
]

TOTAL, SCORE, QUALIFIED, PART, SCALE, ASIDE = "total", "score", "qualified", "part", "scale", "aside"

_WORD = lazy_re(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def words_of(text: str) -> list[str]:
    """Return the words of a folded text.

    >>> words_of("emily's score (0-100):")
    ["emily's", 'score']
    """
    return _WORD.findall(text.replace("\u00e9", "e"))


def label_kind(words: Sequence[str]) -> str | None:
    """Return what the words of a label name, None where there are none.

    >>> [label_kind(each.split()) for each in ("overall score", "match score", "emily's score", "technical fit", "skills")]
    ['total', 'score', 'score', 'qualified', 'part']
    """
    if not words:
        return None
    if not OF_SCALE.isdisjoint(words):
        return SCALE
    if not OF_ASIDE.isdisjoint(words):
        return ASIDE
    places = [place for place, word in enumerate(words) if word in NOUNS]
    if not places:
        if WHOLE.isdisjoint(words):
            return PART
        return TOTAL if WHOLE.union(NEUTRAL).issuperset(words) else PART
    if not WHOLE.isdisjoint(words):
        return TOTAL
    # What follows the noun says of whom: 'score for Emily Walsh'.
    before = words[: places[-1]]
    if "for" in before or "of" in before:
        before = words[: places[0]]
    known = all(word in NOUNS or word in NEUTRAL or word in GIVING or word.endswith("'s") for word in before)
    return SCORE if known or (before and before[-1].endswith("'s")) else QUALIFIED
