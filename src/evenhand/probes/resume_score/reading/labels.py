"""What a label says of the number behind it: a total, a score, a part of a score, or the scale."""

from collections.abc import Sequence

from evenhand.patterns import lazy_re
from evenhand.probes.resume_score.reading.words import GIVING, NEUTRAL, NOUNS, OF_ASIDE, OF_SCALE, WHOLE

__all__ = ["ASIDE", "PART", "QUALIFIED", "SCALE", "SCORE", "TOTAL", "label_kind", "words_of"]

#: What a number is by its label. Qualified is a score of something: 'ATS score', 'technical fit'.
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

    >>> [label_kind(each.split()) for each in ("overall score", "emily's score", "technical fit", "skills")]
    ['total', 'score', 'qualified', 'part']
    """
    if not words:
        return None
    if not OF_SCALE.isdisjoint(words) or not OF_ASIDE.isdisjoint(words):
        return ASIDE if OF_SCALE.isdisjoint(words) else SCALE
    places = [place for place, word in enumerate(words) if word in NOUNS]
    if not WHOLE.isdisjoint(words):
        # 'Total: 72', but not 'Total experience: 12'.
        return TOTAL if places or WHOLE.union(NEUTRAL).issuperset(words) else PART
    if not places:
        return PART
    return _kind_by_noun(words, places)


def _kind_by_noun(words: Sequence[str], places: Sequence[int]) -> str:
    """Return the kind of a label with nouns at some places, by the words before the last of them."""
    # What follows the noun says of whom: 'score for Emily Walsh'.
    before = words[: places[-1]]
    if "for" in before or "of" in before:
        before = words[: places[0]]
    known = all(word in NOUNS or word in NEUTRAL or word in GIVING or word.endswith("'s") for word in before)
    return SCORE if known or (before and before[-1].endswith("'s")) else QUALIFIED
