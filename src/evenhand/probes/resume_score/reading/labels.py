"""What a label says of the number behind it: a total, a score, a part of a score, or the scale."""

from collections.abc import Sequence

from evenhand.patterns import lazy_re
from evenhand.probes.resume_score.reading.numbers import SCORE_WORDS

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
    whole, nouns = not SCORE_WORDS.whole.isdisjoint(words), SCORE_WORDS.nouns
    places = [place for place, word in enumerate(words) if word in nouns]
    if not places:
        if SCORE_WORDS.only_scale.issuperset(words) and not SCORE_WORDS.of_scale.isdisjoint(words):
            return SCALE
        if SCORE_WORDS.of_aside.issuperset(words):
            return ASIDE
        # 'Total: 72', but not 'Total experience: 12'.
        return TOTAL if whole and SCORE_WORDS.beside.issuperset(words) else PART
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
    if before and words[noun] != "scores" and before[-1] in SCORE_WORDS.of_no_score:
        return SCALE if before[-1] in SCORE_WORDS.of_scale else ASIDE
    if all(words[place] in SCORE_WORDS.weak for place in places):
        # 'Final answer', but not 'job number', 'points to consider'.
        plain = SCORE_WORDS.plain.issuperset(before)
        return SCORE if plain and behind[:1] in ([], ["is"], ["would"], ["i"], ["i'd"]) else PART
    if behind and behind[0] not in SCORE_WORDS.after_noun:
        return QUALIFIED if behind[0] in {"in", "on"} and not SCORE_WORDS.together.isdisjoint(behind) else PART
    if all(word in SCORE_WORDS.beside or word.endswith("'s") for word in before) or before[-1].endswith("'s"):
        return SCORE
    return PART if words[noun] not in SCORE_WORDS.fitting and _is_of_else(before) else QUALIFIED


def _is_of_else(before: Sequence[str]) -> bool:
    """Return whether the words right before 'score' say that it is that of something else, such as an exam."""
    # 'Skills assessment score'
    fitting, nouns = SCORE_WORDS.fitting, SCORE_WORDS.nouns
    named = [word for word in before if word in fitting or word not in nouns]
    return bool(named) and not (named[-1] in fitting or named[-1] in SCORE_WORDS.beside or named[-1].endswith("'s"))
