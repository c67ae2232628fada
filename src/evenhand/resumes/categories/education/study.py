"""Words that tell what a line of a résumé is about: a degree, studying, a school, a job, a certificate."""

import csv
import re
from bisect import bisect_left
from functools import cache
from importlib import resources
from typing import NamedTuple

from evenhand.patterns import lazy_re
from evenhand.resumes.text.folded_text import FoldedText
from evenhand.word_tables import WordTable

__all__ = ["STUDY_WORDS", "Cue", "cues_of", "kind_of"]

STUDY_WORDS = WordTable("evenhand.resumes.categories.education", "study.toml")

#: Degrees that are words or places otherwise count in capitals or with dots: BEd, MArch, B.E.
_ABBREVIATION_LENGTH = 5
_ALSO_STATES = frozenset({"ma", "ms", "md", "bc"})
_IN_A_FIELD = lazy_re(r" ?(?:in|of|from|hons|\(hons)\b")
#: Before a subject, not an office: `Associate degree Network Technology`, `Diploma Teaching`.
_WITH_SUBJECT = frozenset({"degree", "diploma", "bachelor", "bachelors", "certificate"})
_ENDINGS = {
    "school": ("universitat", "universitet", "universiteit", "gymnasium", "hochschule", "schule", "college"),
    "work": ("ologist", "ographer", "ician", "keeper", "smith", "monger", "wright", "woman"),
    "degree": ("studium", "abschluss", "diplom", "reife"),
}
_PAST = lazy_re(r"[a-z]{3,}ed$")


class Cue(NamedTuple):
    """A word that tells, and what: degree, school, work, firm, certificate or other."""

    start: int
    kind: str


@cache
def _kinds() -> dict[str, str]:
    with (resources.files("evenhand.resumes.categories") / "study.csv").open("r", encoding="utf-8") as file:
        return {row["word"]: row["kind"] for row in csv.DictReader(file)}


def kind_of(word: str) -> str | None:
    """Return what a word in plain lower case tells by itself, None for most.

    >>> kind_of("plumber"), kind_of("ltd"), kind_of("green")
    ('work', 'firm', None)
    """
    return _kinds().get(word)


def cues_of(folded: FoldedText, starts: list[int], start: int, end: int) -> list[Cue]:
    """Return the words of a line that tell what it is about; B.Sc. and Ph.D. are read as one word.

    `starts` are the starts of the text's words.

    >>> from evenhand.resumes.text.folded_text import folded_text
    >>> seen = folded_text("B.Sc. nursing, later a nurse")
    >>> cues_of(seen, [start for _, start, _ in seen.words], 0, 28)
    [Cue(start=0, kind='degree'), Cue(start=23, kind='work')]
    """
    kinds, found = _kinds(), []
    text, low, words = folded.text, folded.low, folded.words
    place, last = bisect_left(starts, start), bisect_left(starts, end)
    first = True
    while place < last:
        word, start, end = words[place]
        place += 1
        if len(word) <= 3 and low[end : end + 1] == ".":
            joined = word
            while place < last and (
                low[end : words[place][1]] == "."
                or (low[end : words[place][1]] == ". " and joined + words[place][0] in kinds)
            ):
                joined, end = joined + words[place][0], words[place][2]
                place += 1
            dotted = joined != word or word in {"ing", "dipl"}
            word = joined
        else:
            dotted = False
        kind = kinds.get(word) or _by_form(word)
        if kind == "degree" and not dotted and len(word) <= _ABBREVIATION_LENGTH:
            kind = kind if _is_written(text, low, start, end, word) else None
        if kind is None and first and _PAST.match(word) is not None and word not in STUDY_WORDS.study_verbs:
            kind = "work"
        if kind is not None and not (
            kind == "work" and (STUDY_WORDS.trade_learnt.search(low, max(0, start - 64), start))
        ):
            kind = _in_context(kind, word, low, start, end)
        else:
            kind = None
        if kind is None and word == "level" and _LEVEL_IN.match(low, end) is not None:
            kind = "certificate"
        if kind is not None:
            found.append(Cue(start, kind))
        first = first and word.isdigit()
    return _without_subjects(low, found)


_LEVEL_IN = lazy_re(r" \d (?:award |certificate |diploma )?in\b")
#: Between a certificate and what it is in, and between what it is called after and it.
_IN = lazy_re(r"(?:certificate|level \d(?: award| certificate| diploma)?) in (?:[a-z]+ )?")
_CALLED = lazy_re(r"[a-z]+ (?:[a-z]+ )?")


def _without_subjects(low: str, found: list[Cue]) -> list[Cue]:
    """Return what tells without jobs and trades that a certificate is in: `Nursing aide certificate`."""
    if len(found) < _PAIR or all(cue.kind != "certificate" for cue in found):
        return found
    kept = []
    for place, cue in enumerate(found):
        before = found[place - 1] if place else None
        after = found[place + 1] if place + 1 < len(found) else None
        learnt = before is not None and before.kind == "certificate" and _IN.fullmatch(low, before.start, cue.start)
        called = after is not None and after.kind == "certificate" and _CALLED.fullmatch(low, cue.start, after.start)
        if not (cue.kind in {"work", "other", "firm"} and (learnt or (called and cue.kind == "work"))):
            kept.append(cue)
    return kept


_PAIR = 2


def _by_form(word: str) -> str | None:
    return next((kind for kind, endings in _ENDINGS.items() if word.endswith(endings)), None)


def _is_written(text: str, low: str, start: int, end: int, word: str) -> bool:
    """Say whether a short degree is written as one: BA and not Ba, History MA and not Boston, MA."""
    written = text[start:end]
    if word == "march" and _DATED.match(low, end) is not None:
        return False
    capitals = sum(letter.isupper() for letter in written)
    if capitals < 2 and word not in {"mba", "phd", "bsc", "msc", "ged", "gpa", "cgpa", "gcse", "hnd", "bac", "abi"}:
        return len(word) == _ABBREVIATION_LENGTH and word != "march"
    if word in STUDY_WORDS.also_words or (word in _ALSO_STATES and low[max(0, start - 2) : start] == ", "):
        return _IN_A_FIELD.match(low, end) is not None
    if word == "ms" and low[start - 1 : start] == "(" and low[max(0, start - 3) : start - 1].strip().isdigit():
        return False  # Nagpur 440 001 (MS)
    return word != "ms" or STUDY_WORDS.product_after.match(low, end) is None


def _in_context(kind: str, word: str, low: str, start: int, end: int) -> str | None:
    """Return what a word tells here: graduate nurses and scrum masters are no studies."""
    after = _degree_before().get(word)
    if after is not None:
        return "degree" if after.match(low, end) is not None else kind if kind == "work" else None
    if (word == "master's" and low.endswith("scrum ", 0, start)) or (
        word == "network" and STUDY_WORDS.network_subject.match(low, end) is not None
    ):
        return None
    subject = word in _WITH_SUBJECT and STUDY_WORDS.subject_after.match(low, end) is not None
    if (
        kind == "degree"
        and not subject
        and (
            STUDY_WORDS.no_study_after.match(low, end) is not None
            or (word == "graduate" and STUDY_WORDS.programme_after.match(low, end) is not None)
        )
    ):
        return "work"
    if word in _TESTS and STUDY_WORDS.prepares.match(low, end) is not None:
        return "certificate"
    if kind == "certificate" and STUDY_WORDS.school_certificate.search(low, max(0, start - 20), end + 30) is not None:
        return "degree"
    return kind


_TESTS = frozenset({"ielts", "toefl"})
_DATED = lazy_re(r"[ ](?:\d|-|to\b)|[-/]\d")
_FIELD = lazy_re(r" in\b|:|\(s\)")


# Words that are a degree only before these.
@cache
def _degree_before() -> dict[str, re.Pattern[str]]:
    return {
        "master": STUDY_WORDS.degree_before_master,
        "masters": STUDY_WORDS.master_after,
        "major": _FIELD,
        "minor": _FIELD,
        "associate": lazy_re(r"'?s?,?[ \n](?:of|in|degree|diploma)\b|'s|s'"),
        "licence": lazy_re(r" (?:de|en|d'|professionnelle|pro|es|\d)\b"),
    }
