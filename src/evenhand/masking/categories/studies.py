"""What a line is about: a degree, a school, a job, a certificate, by its words."""

import re
from bisect import bisect_left
from functools import cache, lru_cache
from itertools import zip_longest
from typing import NamedTuple

from evenhand.masking.folded_text import FoldedText
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable, csv_rows

STUDY_WORDS = WordTable("evenhand.masking.categories", "study.toml")

#: Degrees that are words or places otherwise count in capitals or with dots: BEd, MArch, B.E.
_ABBREVIATION_LENGTH = 5
_ALSO_STATES = frozenset({"ma", "ms", "md", "bc"})
_IN_A_FIELD = lazy_re(r" ?(?:in|of|from|hons|\(hons)\b")
_DATED = lazy_re(r"[ ](?:\d|-|to\b)|[-/]\d")
#: Before a degree in a line of small letters: `, bs nursing`.
_PART_BEGINS = lazy_re(r"(?:^|\n|[-\u2013\u2014|,:(;][ ]?|[ ]{2})\Z")
#: Between a job and the certificate in it.
_CALLED = lazy_re(r"[a-z]+ (?:[a-z]+ )?")
#: Words that are a degree only before some others.
_BEFORE_A_FIELD = frozenset({"master", "masters", "major", "minor", "associate", "licence"})
_ENDINGS = {
    "school": ("universitat", "universitet", "universiteit", "gymnasium", "hochschule", "schule", "college"),
    "work": ("ologist", "ographer", "ician", "keeper", "smith", "monger", "wright", "woman"),
    "degree": ("studium", "abschluss", "diplom", "reife"),
}
PAST = lazy_re(r"[a-z]{3,}ed$")


class Cue(NamedTuple):
    """A cue, and its kind: degree, school, work, firm, certificate or other."""

    start: int
    kind: str


@cache
def _kinds() -> dict[str, str]:
    return dict(csv_rows("evenhand.masking.categories", "study.csv"))


def kind_of(word: str) -> str | None:
    """Return the kind of cue that a word in plain lower case is by itself, None for most.

    >>> kind_of("plumber"), kind_of("ltd"), kind_of("green")
    ('work', 'firm', None)
    """
    return _kinds().get(word)


def cues_of(folded: FoldedText, start: int, end: int) -> list[Cue]:
    """Return the cues of a line's subject; B.Sc. and Ph.D. are read as one word.

    >>> from evenhand.masking.folded_text import folded_text
    >>> cues_of(folded_text("B.Sc. nursing, later a nurse"), 0, 28)
    [Cue(start=0, kind='degree'), Cue(start=23, kind='work')]
    """
    kinds, cues = _kinds(), []
    text, low, words = folded.text, folded.low, folded.words
    small = text[start:end].islower()
    place, last = bisect_left(folded.starts, start), bisect_left(folded.starts, end)
    first = True
    while place < last:
        word, start, end = words[place]
        place += 1
        joined = word
        if len(word) <= 3 and low[end : end + 1] == ".":
            while place < last and (
                low[end : words[place][1]] == "."
                or (low[end : words[place][1]] == ". " and joined + words[place][0] in kinds)
            ):
                joined, end = joined + words[place][0], words[place][2]
                place += 1
        dotted, word = joined != word, joined
        kind = kinds.get(word) or _by_form(word)
        if kind == "degree" and not dotted and len(word) <= _ABBREVIATION_LENGTH:
            kind = kind if _is_written(text, low, start, end, word, small=small) else None
        if kind is None and first and PAST.match(word) is not None and word not in STUDY_WORDS.study_verbs:
            kind = "work"
        if kind == "work" and STUDY_WORDS.trade_learnt.search(low, max(0, start - 64), start) is not None:
            kind = None
        kind = _in_context(kind, word, low, start, end) if kind is not None else None
        if kind is not None:
            cues.append(Cue(start, kind))
        first = first and word.isdigit()
    return [
        cue
        for cue, after in zip_longest(cues, cues[1:])  # `Nursing aide certificate` is no job
        if not (
            cue.kind == "work"
            and after is not None
            and after.kind == "certificate"
            and _CALLED.fullmatch(low, cue.start, after.start)
        )
    ]


@lru_cache(maxsize=2**14)
def _by_form(word: str) -> str | None:
    return next((kind for kind, endings in _ENDINGS.items() if word.endswith(endings)), None)


def _is_written(text: str, low: str, start: int, end: int, word: str, *, small: bool) -> bool:
    """Say whether a short degree is written as one: BA and not Ba, History MA and not Boston, MA."""
    if word == "march" and _DATED.match(low, end) is not None:
        return False
    if sum(map(str.isupper, text[start:end])) < 2 and word not in STUDY_WORDS.in_any_case:
        if small and word not in STUDY_WORDS.also_words:
            return _PART_BEGINS.search(low, max(0, start - 2), start) is not None
        return len(word) == _ABBREVIATION_LENGTH and word != "march"
    if word in STUDY_WORDS.also_words or (word in _ALSO_STATES and low[max(0, start - 2) : start] == ", "):
        return _IN_A_FIELD.match(low, end) is not None
    return word != "ms" or STUDY_WORDS.product_after.match(low, end) is None


def _in_context(kind: str, word: str, low: str, start: int, end: int) -> str | None:
    """Return the kind of a cue in its context: graduate nurses and scrum masters are no studies."""
    if word in _BEFORE_A_FIELD:
        after: re.Pattern[str] = getattr(STUDY_WORDS, f"after_{word}")
        return "degree" if after.match(low, end) is not None else kind if kind == "work" else None
    if word == "network" and STUDY_WORDS.network_subject.match(low, end) is not None:
        return None
    if kind == "degree" and STUDY_WORDS.no_study_after.match(low, end) is not None:
        return "work"
    if kind == "certificate" and STUDY_WORDS.school_certificate.search(low, max(0, start - 20), end + 30) is not None:
        return "degree"
    return kind
