"""What may stand between the words of a phrase without changing it.

'You, Emily, have now been carefully selected' is the phrase 'you have been selected'.
"""

from collections.abc import Collection, Sequence

from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

__all__ = ["ENDERS", "LETTER_WORDS", "TOKEN", "gap", "may_stand"]

#: What decisions are read by.
LETTER_WORDS = WordTable("evenhand.probes.hiring_an", "reader.toml")


TOKEN = lazy_re(r"\w+(?:'\w+)?|\.{2,}|\S")
_CLOSERS = {",": ",", "(": ")", "[": "]", "{": "}", "-": "-", "<": ">"}
ENDERS = frozenset({".", "!", "?", ";", ":", "/", "|"})


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
        if word in LETTER_WORDS.negations:
            if position + 1 < len(words) and words[position + 1] in LETTER_WORDS.only:
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
    return word.endswith("ly") or word in LETTER_WORDS.adverbs or word in LETTER_WORDS.negations or word in names


def _ends_a_sentence(words: Sequence[str]) -> bool:
    return any(
        word in {"!", "?", ";"}
        or (word == "." and words[place - 1] not in LETTER_WORDS.abbreviations and len(words[place - 1]) > 1)
        for place, word in enumerate(words)
    )
