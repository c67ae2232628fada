"""What a label says of the number behind it: a total, a score, a part of a score, or the scale."""

from collections.abc import Sequence

from evenhand.patterns import lazy_re
from evenhand.probes.resume_score.reading.words import (
    AFTER_NOUN,
    ARTICLES,
    FITTING,
    GIVEN,
    GIVING,
    LEADING,
    NEUTRAL,
    NOUNS,
    OF_ASIDE,
    OF_SCALE,
    WEAK,
    WHOLE,
)

__all__ = ["ASIDE", "PART", "QUALIFIED", "SCALE", "SCORE", "TOTAL", "label_kind", "words_of"]

#: What a number is by its label. Qualified is a score of something: 'ATS score', 'technical fit'.
TOTAL, SCORE, QUALIFIED, PART, SCALE, ASIDE = "total", "score", "qualified", "part", "scale", "aside"

_PLAIN = WHOLE | ARTICLES | LEADING | {"here", "here's", "numeric", "numerical", "single", "is", "s"} | (NOUNS - WEAK)
_BESIDE = NEUTRAL | WHOLE | NOUNS | GIVING | GIVEN
#: Behind 'score in' these are the whole, not a part.
_TOGETHER = WHOLE | OF_SCALE | FITTING
_ONLY_SCALE = OF_SCALE | _BESIDE
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
    whole = not WHOLE.isdisjoint(words)
    places = [place for place, word in enumerate(words) if word in NOUNS]
    if not places:
        if _ONLY_SCALE.issuperset(words) and not OF_SCALE.isdisjoint(words):
            return SCALE
        if OF_ASIDE.issuperset(words):
            return ASIDE
        # 'Total: 72', but not 'Total experience: 12'.
        return TOTAL if whole and _BESIDE.issuperset(words) else PART
    kind = _kind_by_noun(words, places)
    return TOTAL if whole and kind == SCORE else kind


def _kind_by_noun(words: Sequence[str], places: Sequence[int]) -> str:
    """Return the kind of a label with nouns at some places, by the words before and behind them."""
    # 'The score for this candidate's fit': what follows the noun says of whom.
    of_whom = not {"for", "of"}.isdisjoint(words[: places[-1]]) or not {"on", "in"}.isdisjoint(
        words[places[0] + 1 : places[0] + 2]
    )
    noun = places[0] if of_whom else places[-1]
    before, behind = words[:noun], words[noun + 1 :]
    # 'Max score', but not 'Max scores 72' nor 'Max Lee's score': it is a name, too.
    if before and words[noun] != "scores" and before[-1] in OF_SCALE | OF_ASIDE:
        return SCALE if before[-1] in OF_SCALE else ASIDE
    if all(words[place] in WEAK for place in places):
        # 'Final answer', but not 'job number', 'points to consider'.
        return SCORE if _PLAIN.issuperset(before) and behind[:1] in ([], ["is"], ["would"], ["i"], ["i'd"]) else PART
    if behind and behind[0] not in AFTER_NOUN:
        return QUALIFIED if behind[0] in {"in", "on"} and not _TOGETHER.isdisjoint(behind) else PART
    if all(word in _BESIDE or word.endswith("'s") for word in before) or before[-1].endswith("'s"):
        return SCORE
    return PART if words[noun] not in FITTING and _is_of_else(before) else QUALIFIED


def _is_of_else(before: Sequence[str]) -> bool:
    """Return whether the words right before 'score' say that it is that of something else, such as an exam."""
    # 'Skills assessment score'
    named = [word for word in before if word in FITTING or word not in NOUNS]
    return bool(named) and not (named[-1] in FITTING or named[-1] in _BESIDE or named[-1].endswith("'s"))
