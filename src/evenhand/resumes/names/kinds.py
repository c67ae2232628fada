"""What a capitalised word is: part of a name, an ordinary word, a job, or the name of something else."""

from functools import cache, lru_cache

from evenhand.resumes.names.lists import (
    KIND_WORDS,
    given_names,
    is_no_name,
    name_words,
    no_names,
    ordinary_words,
    surnames,
)
from evenhand.resumes.names.parts import PARTICLES

__all__ = ["is_ordinary", "is_person_noun", "kind_of"]


@cache
def _suffixes() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(pair.split(":")) for pair in KIND_WORDS.kinds_suffixes)


_PREFIXES = (
    *("re", "un", "pre", "over", "under", "sub", "micro", "multi", "inter", "co", "non", "anti", "bio", "eco", "geo"),
    *("mega", "hyper", "super", "semi", "tele", "trans", "ultra", "neuro", "nano", "cyber", "dis", "mis", "out"),
)
_LONGEST_ENDING = 5
_SHORTEST_STEM = 3
_SHORT_PART = 3
#: From here on in the suffixes, stems of four letters at least: `Gamal` is no form of `game`.
_LONG_STEMS = frozenset({"al", "als", "ity", "ive", "ance", "y", "est"})
#: They begin names of places as often as names of people, and are no word of either.
_NO_WORDS = frozenset({"san", "santa", "santo", "sao", "abu", "bin"})


@lru_cache(maxsize=65536)
def kind_of(word: str) -> str:
    """Return what a word in plain lower case is: particle, job, ordinary, other (place, tool, …), word or name.

    A `word` is a name that is an ordinary word as well.

    >>> [kind_of(each) for each in ("nurse", "timber", "lisbon", "grace", "szczepanska", "von")]
    ['job', 'ordinary', 'ordinary', 'word', 'name', 'particle']
    """
    listed = word in given_names() or word in surnames()
    known = name_words().get(word)
    if word in _NO_WORDS or (word in PARTICLES and not listed):
        return "particle"
    if is_no_name(word):
        if listed or known in {"month", "place"}:
            return "other"
        return "job" if no_names().get(word) == "job" else "ordinary"
    if known is not None or listed:
        return "name" if known is None else "word" if known == "word" else "other"
    if is_person_noun(word):
        return "job"
    return "ordinary" if _is_made_of_ordinary(word) else "name"


def _is_made_of_ordinary(word: str) -> bool:
    """Say whether a word is ordinary, or made of an ordinary one: `recalibrators`, `waterproofing`.

    >>> [_is_made_of_ordinary(each) for each in ("recalibrators", "handcrafted", "okonjo", "back-office")]
    [True, True, False, True]
    """
    words = ordinary_words()
    if word in words or (len(word) > _LONGEST_ENDING and word.endswith(KIND_WORDS.endings)):
        return True
    if "-" in word:
        parts = word.split("-")
        if len(parts) == 2 and (parts[0] == parts[1] or parts[0] in {"al", "el", "ul"}):
            return False  # Jun-jun, Al-Farsi
        kinds = [kind_of(part) for part in parts if part]
        plain = [
            kind in {"ordinary", "job"} and (len(part) > _SHORT_PART or part in KIND_WORDS.small_parts)
            for kind, part in zip(kinds, filter(None, parts), strict=True)
        ]
        if "name" in kinds or not any(plain):
            return False
        return all(plain) or "ordinary" in kinds
    if _has_stem(word):
        return True
    return any(
        word.startswith(prefix) and len(word) - len(prefix) > _SHORTEST_STEM and _has_stem(word[len(prefix) :])
        for prefix in _PREFIXES
    )


def _has_stem(word: str) -> bool:
    words, others = ordinary_words(), no_names()
    if word in words:
        return True
    for suffix, instead in _suffixes():
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            if len(stem) < _SHORTEST_STEM + (suffix in _LONG_STEMS):
                continue
            whole = stem + instead
            if whole in words or others.get(whole) in {"job", "other", "section"}:
                return True
            if not instead and stem[-1] == stem[-2] and (stem[:-1] in words or stem[:-1] in others):
                return True  # 'planned', 'trimming'
    return False


@lru_cache(maxsize=65536)
def is_ordinary(word: str) -> bool:
    """Say whether a word in plain lower case is no name where it stands capitalised in a sentence.

    >>> is_ordinary("logistics"), is_ordinary("szczepanska")
    (True, False)
    """
    return kind_of(word) in {"ordinary", "job"}


@lru_cache(maxsize=8192)
def is_person_noun(word: str) -> bool:
    """Say whether a noun is for a person, in the singular or the plural.

    >>> [is_person_noun(each) for each in ("mentor", "mentees", "flautist", "reports", "server")]
    [True, True, True, False, False]
    """
    word = word.rpartition("-")[2]
    if word in KIND_WORDS.people or (word.endswith("s") and word[:-1] in KIND_WORDS.people):
        return word not in KIND_WORDS.no_people
    return (
        word.endswith(KIND_WORDS.person_endings)
        and not word.endswith(("vist", "uist"))
        and word not in KIND_WORDS.no_person
        and len(word) > _LONGEST_ENDING
    )
