"""Where a text is about studies: under a heading, on a line with a degree, after a verb of studying.

Also the words of school names (kinds of school, links, subjects, campuses), and school names in texts
without capitals or after labels: `mba @ lehigh university`, `School: X`.
"""

import csv
import re
from bisect import bisect_left
from functools import cache
from importlib import resources
from typing import NamedTuple

from evenhand.masking.folded_text import FoldedText, folded_text, folded_word
from evenhand.masking.layout import Layout
from evenhand.masking.rules import phrases_of
from evenhand.patterns import lazy_re
from evenhand.word_tables import WordTable

SCHOOL_WORDS = WordTable("evenhand.masking.categories", "school.toml")

GAPS = frozenset({" ", "-", ". ", ".  ", ".", " & ", "&", "' ", "'"})


@cache
def links_before() -> frozenset[str]:
    """Return links before a head; `at` and `in` end a degree: Business Administration at X College."""
    words: frozenset[str] = SCHOOL_WORDS.links - {"at", "in", "for", "im", "am", "na", "su", "pa"}
    return words


#: What follows a part of a line.
PART_AFTER = lazy_re(r"[ ]*(?:[,;.|)(\n\t:<>/-]|$|and\b|in\b|with\b|from\b|where\b|\d|'\d)|[ ]{2,}")
CITIES = frozenset({"london", "dublin", "cork", "galway", "maynooth"})


@cache
def public() -> frozenset[str]:
    """Return PUBLIC."""
    words: frozenset[str] = SCHOOL_WORDS.generic | {
        "govt",
        "government",
        "municipal",
        "higher",
        "senior",
        "govt.",
        "district",
    }
    return words


@cache
def listed(rule: str) -> frozenset[str]:
    """Return the phrases of a rule of school.csv."""
    return frozenset(phrases_of("school")[rule])


@cache
def heads() -> frozenset[str]:
    """Return kinds of school in lower case.

    >>> "university" in heads() and "lycee" in heads()
    True
    """
    return frozenset(folded_word(word) for word in listed("head") | listed("first"))


STUDY_WORDS = WordTable("evenhand.masking.categories", "study.toml")

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
    """A cue, and its kind: degree, school, work, firm, certificate or other."""

    start: int
    kind: str


@cache
def _kinds() -> dict[str, str]:
    with (resources.files("evenhand.masking.categories") / "study.csv").open("r", encoding="utf-8") as file:
        return {row["word"]: row["kind"] for row in csv.DictReader(file)}


def kind_of(word: str) -> str | None:
    """Return the kind of cue that a word in plain lower case is by itself, None for most.

    >>> kind_of("plumber"), kind_of("ltd"), kind_of("green")
    ('work', 'firm', None)
    """
    return _kinds().get(word)


def cues_of(folded: FoldedText, starts: list[int], start: int, end: int) -> list[Cue]:
    """Return the cues of a line's subject; B.Sc. and Ph.D. are read as one word.

    `starts` are the starts of the text's words.

    >>> seen = folded_text("B.Sc. nursing, later a nurse")
    >>> cues_of(seen, [start for _, start, _ in seen.words], 0, 28)
    [Cue(start=0, kind='degree'), Cue(start=23, kind='work')]
    """
    kinds, cues = _kinds(), []
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
            cues.append(Cue(start, kind))
        first = first and word.isdigit()
    return _without_subjects(low, cues)


_LEVEL_IN = lazy_re(r" \d (?:award |certificate |diploma )?in\b")
#: Between a certificate and its subject, and between the name of an issuer and it.
_IN = lazy_re(r"(?:certificate|level \d(?: award| certificate| diploma)?) in (?:[a-z]+ )?")
_CALLED = lazy_re(r"[a-z]+ (?:[a-z]+ )?")


def _without_subjects(low: str, cues: list[Cue]) -> list[Cue]:
    """Return cues without the jobs and trades that a certificate is in: `Nursing aide certificate`."""
    if len(cues) < _PAIR or all(cue.kind != "certificate" for cue in cues):
        return cues
    result = []
    for place, cue in enumerate(cues):
        before = cues[place - 1] if place else None
        after = cues[place + 1] if place + 1 < len(cues) else None
        learnt = before is not None and before.kind == "certificate" and _IN.fullmatch(low, before.start, cue.start)
        called = after is not None and after.kind == "certificate" and _CALLED.fullmatch(low, cue.start, after.start)
        if not (cue.kind in {"work", "other", "firm"} and (learnt or (called and cue.kind == "work"))):
            result.append(cue)
    return result


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
    """Return the kind of a cue in its context: graduate nurses and scrum masters are no studies."""
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


@cache
def _small_words() -> frozenset[str]:
    words: frozenset[str] = SCHOOL_WORDS.links | frozenset(
        {
            "with",
            "from",
            "first",
            "second",
            "class",
            "passed",
            "out",
            "completed",
            "expected",
            "graduated",
            "since",
            "to",
            "until",
            "now",
            "present",
            "grade",
            "distinction",
            "merit",
            "upper",
            "lower",
            "then",
            "by",
            "on",
            "or",
            "that",
            "was",
            "it",
            "is",
            "i",
            "my",
            "a",
            "an",
            "went",
            "where",
            "which",
            "as",
            "after",
        }
    )
    return words


_ANY_WORD = lazy_re(r"[^\W\d_][\w']*")
_ABBREVIATION = 5


@cache
def letters() -> dict[str, str]:
    """Return names in short that are capitals, by how they read in small letters: mit, ucla."""
    names = [name for rule in ("known", "bare") for name in listed(rule) if name.isupper()]
    names += [name for name in listed("prefix") if name.isupper() and name.isalpha() and len(name) == _ABBREVIATION - 1]
    first = [name.split(" ")[0] for name in listed("known") if " " in name]
    names += [name for name in first if name.isupper() and name.isalpha() and 1 < len(name) < _ABBREVIATION]
    return {name.lower(): name for name in names}


def in_capitals(folded: FoldedText, spans: list[tuple[int, int]]) -> FoldedText | None:
    """Return a text with capitals in lines without any or with all, as another writer has them, if it can be.

    >>> seen = folded_text("bsc nursing, university of leeds with merit, later ucla")
    >>> in_capitals(seen, [(0, len(seen.text))]).text
    'BSC Nursing, University of Leeds with merit, Later UCLA'
    """
    pieces, done = [], 0
    for start, end in spans:
        pieces += [folded.text[done:start], _ANY_WORD.sub(_capital, folded.text[start:end])]
        done = end
    written = folded_text("".join([*pieces, folded.text[done:]]))
    return written if len(written.text) == len(folded.text) else None


def _capital(word: re.Match[str]) -> str:
    small = word.group().lower()
    if small in _small_words():
        return "A" if small == "a" and word.string.startswith("&", word.end()) else small  # North Carolina A&T
    if len(small) <= _ABBREVIATION and kind_of(small) == "degree":
        return small.upper()
    return letters().get(small) or small[0].upper() + small[1:]


class Studies:
    """Answers for places in a text; lines are read once."""

    def __init__(self, folded: FoldedText, layout: Layout | None) -> None:
        self._folded = folded
        self._lines = layout.lines if layout is not None else []
        self._starts = [line.start for line in self._lines]
        self._words: list[int] = []
        self._by_line: dict[int, bool] = {}
        self._of_studies: list[tuple[int, int]] | None = None

    def is_studying(self, start: int) -> bool:
        r"""Say whether the text at a place is about studies.

        >>> from evenhand.masking.layout import layout_of
        >>> seen = folded_text("Studied law at Oxford.\nMoved to Oxford.")
        >>> [Studies(seen, layout_of(seen)).is_studying(place) for place in (15, 32)]
        [True, False]
        """
        folded = self._folded
        if STUDY_WORDS.study_before.search(folded.low, max(0, start - 100), start) is not None:
            return True
        if not self._lines:
            return False
        number = bisect_left(self._starts, start + 1) - 1
        about_studies = self._by_line.get(number)
        if about_studies is None:
            line = self._lines[number]
            self._words = self._words or [first for _, first, _ in folded.words]
            about_studies = self._by_line[number] = (line.section == "education" and not line.heading) or any(
                cue.kind == "degree" for cue in cues_of(folded, self._words, line.start, line.end)
            )
        return about_studies

    def lines(self) -> list[tuple[int, int]]:
        """Return where the lines under headings for education begin and end."""
        if self._of_studies is None:
            self._of_studies = [
                (line.start, line.end)
                for number, line in enumerate(self._lines)
                if (line.section == "education" and not line.heading)
            ]
        return self._of_studies

    def lists(self, place: int) -> bool:
        """Say whether a place is in one of these lines."""
        return any(start <= place < end for start, end in self.lines())

    def _with(self, listed: frozenset[str]) -> frozenset[int]:
        words = self._folded.words
        if not self._lines:
            return frozenset()
        return frozenset(bisect_left(self._starts, words[place][1] + 1) - 1 for place in self._folded.places(listed))

    def has_degree(self, start: int, end: int, *, certified: bool = True) -> bool:
        """Say whether there is a degree or a certificate in a stretch."""
        self._words = self._words or [first for _, first, _ in self._folded.words]
        kinds = {"degree", "certificate"} if certified else {"degree"}
        return any(cue.kind in kinds for cue in cues_of(self._folded, self._words, start, end))

    def small_lines(self) -> list[tuple[int, int]]:
        """Return those of these lines that have no capital or all, and others without any that name a degree."""
        text, lines = self._folded.text, set(self.lines())
        named = [self._lines[number] for number in self._with(heads())]
        small = [(line.start, line.end) for line in named if text[line.start : line.end].islower()]
        small += [
            (line.start, line.end)
            for line in (self._lines[number] for number in self._with(frozenset(letters())))
            if text[line.start : line.end].islower()
            and STUDY_WORDS.small_degree.search(text, max(0, line.start - 1), line.end) is not None
        ]
        lines.update(
            span
            for span in small
            if span not in lines
            and (
                STUDY_WORDS.small_degree.search(text, max(0, span[0] - 1), span[1]) is not None
                or self.has_degree(*span)
            )
        )
        return sorted(span for span in lines if text[slice(*span)].islower() or text[slice(*span)].isupper())
