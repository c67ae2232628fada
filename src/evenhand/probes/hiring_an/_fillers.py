"""What may stand between the words of a phrase without changing it.

'You, Emily, have now been carefully selected' is the phrase 'you have been selected'.
"""

from collections.abc import Collection, Sequence

from evenhand.patterns import lazy_re

__all__ = ["ABBREVIATIONS", "ADVERBS", "ENDERS", "NEGATIONS", "TOKEN", "gap", "may_stand", "word_set"]


def word_set(words: str) -> frozenset[str]:
    """Return the words of a line."""
    return frozenset(words.split())


TOKEN = lazy_re(r"\w+(?:'\w+)?|\.{2,}|\S")
ADVERBS = word_set(
    """now also just already indeed hereby since once again in fact therefore thus ever so very much well hand too both
    all yet still the end at last of course today then this time with deep great sincere having as here"""
)
NEGATIONS = frozenset({"not", "never", "no", "nor", "neither", "without", "hardly", "cannot"})
_ONLY = frozenset({"only", "just", "merely", "simply"})
_CLOSERS = {",": ",", "(": ")", "[": "]", "{": "}", "-": "-", "<": ">"}
ENDERS = frozenset({".", "!", "?", ";", ":", "/", "|"})
ABBREVIATIONS = word_set("mr mrs ms mx dr prof st jr sr rev hon no inc ltd co corp dept")


def gap(words: Sequence[str], names: Collection[str], *, participles: bool = False) -> str | None:
    """Say what stands between two words of a phrase: plain, negated, or None: something else.

    Adverbs, the candidate's name and anything in brackets, dashes or a pair of commas
    may stand there; with `participles` also 'shortlisted and'.
    """
    joined = participles and not {"and", "but"}.isdisjoint(words)
    negated = delayed = False
    position = 0
    while position < len(words):
        word = words[position]
        after = _after_insertion(words, position, names)
        if after is not None:
            position = after
            continue
        if word in NEGATIONS:
            if position + 1 < len(words) and words[position + 1] in _ONLY:
                position += 1  # 'not only selected' is no negation
            else:
                negated = True
        elif not may_stand(word, names) and not (joined and _is_participle(word)):
            return None
        delayed = delayed or word == "yet"
        position += 1
    # 'Not yet' decides nothing.
    if negated and delayed:
        return None
    return "negated" if negated else "plain"


def _after_insertion(words: Sequence[str], position: int, names: Collection[str]) -> int | None:
    """Return where the words go on after an insertion that begins here, if one does."""
    closer = _CLOSERS.get(words[position])
    if closer is None or closer not in words[position + 1 :]:
        return None
    end = words.index(closer, position + 1)
    # A comma may close one insertion and open the next: 'you, Emily, our best candidate, have'.
    while closer == "," and "," in words[end + 1 :] and not may_stand(words[end + 1], names):
        end = words.index(",", end + 1)
    return None if _ends_a_sentence(words[position:end]) else end + 1


def _is_participle(word: str) -> bool:
    return word in {"and", "but"} or word.endswith(("ed", "en"))


def may_stand(word: str, names: Collection[str]) -> bool:
    """Tell whether a single word or mark may stand inside a phrase."""
    if not word[0].isalnum():
        return word not in ENDERS
    return word.endswith("ly") or word in ADVERBS or word in NEGATIONS or word in names


def _ends_a_sentence(words: Sequence[str]) -> bool:
    return any(
        word in {"!", "?", ";"} or (word == "." and words[place - 1] not in ABBREVIATIONS and len(words[place - 1]) > 1)
        for place, word in enumerate(words)
    )
