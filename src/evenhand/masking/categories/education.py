"""SCHOOL and GRADYEAR (optional categories); what a line is about, by its words.

SCHOOL are whole names of universities, colleges and schools. A word such as university is found, then the capitalised
words around it that belong to its name. Institutes and academies, short names (UCLA, IIT Bombay) and towns that are
also schools (Oxford) count where the line is about studies. Kept: degrees and subjects, `school` and `university`
without a name, job titles such as college administrator, business units called academy, professional bodies.

GRADYEAR are years of study and graduation, which reveal age. A year is classified by the nearest cue before it in its
clause: a degree or a verb of studying, a job, or something else (a certificate, an award, a membership); else by the
one after it; else by neighbouring lines. Under an education heading a year counts unless a cue says otherwise;
elsewhere it needs a degree, a verb of studying, or a school that nobody works for. Whole dates and both ends of a
range are masked. Kept: years of jobs, of courses, certificates, awards and publications.
"""

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from itertools import zip_longest
from operator import attrgetter, methodcaller
from typing import NamedTuple

from evenhand.masking.layout import FoldedText, Layout, Line, folded_text, folded_word, parts_in_lines
from evenhand.masking.names.word_kinds import is_ordinary
from evenhand.masking.pronouns import Span
from evenhand.patterns import WordTable, csv_rows, lazy_re

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

    >>> from evenhand.masking.layout import folded_text
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


SCHOOL_WORDS = WordTable("evenhand.masking.categories", "school.toml")

#: What follows a part of a line.
_PART_AFTER = lazy_re(r"[ ]*(?:[,;.|)(\n\t:<>/-]|$|and\b|in\b|with\b|from\b|where\b|\d|'\d)|[ ]{2,}")
#: Text before a town that is a school: the beginning of a part of its line.
_PART_BEFORE = lazy_re(r"(?:^|[,|(\n\t:;•\"-]|[ ]{2}|\b(?:at|from|of|and|[Tt]he))[ ]*$")
_PLACE = lazy_re(
    r"(?:[ -]|, (?=[A-Z]))(?:No\. ?|(?:w|we|v|ve|di|de|do|da|na) )?(?:[A-Z][\w'-]*|\d{1,3})"
    r"(?:[ -](?:de[ ]|of[ ])?[A-Z][\w'-]+){0,2}"
)
_WORD = lazy_re(r"[^\W_]+(?:'[^\W_]+)*")
_ANY_WORD = lazy_re(r"[^\W\d_][\w']*")
_GAPS = frozenset({" ", "-", ". ", ".  ", ".", " & ", "&", "' ", "'"})
_CITIES = frozenset({"london", "dublin", "cork", "galway", "maynooth"})
#: Links that go on in the next line, and those that end a degree: Business Administration at X College.
_OF = frozenset({"of", "de", "di"})
_END_OF_DEGREE = frozenset({"at", "in", "for", "im", "am", "na", "su", "pa"})
#: A `_` after a blank is a sign of emphasis.
_SIGN_BEFORE = lazy_re(r"[-.@/]\Z|(?<=[^\s*(])_\Z")
_MOST_WORDS = 8
_ABBREVIATION = 4


@cache
def listed(rule: str) -> frozenset[str]:
    """Return the phrases of a rule of school.csv."""
    return _listed()[rule]


@cache
def _listed() -> dict[str, frozenset[str]]:
    rows = csv_rows("evenhand.masking.categories", "school.csv")
    return {rule: frozenset(phrase for phrase, of in rows if of == rule) for rule in {rule for _, rule in rows}}


@cache
def heads() -> frozenset[str]:
    """Return kinds of school in lower case.

    >>> "university" in heads() and "lycee" in heads()
    True
    """
    return frozenset(folded_word(word) for word in listed("head") | listed("first"))


def schools(folded: FoldedText, layout: Layout) -> list[Span]:
    """Return whole names of schools.

    >>> from evenhand.masking.layout import layout_of
    >>> seen = folded_text("BA, University of Texas at Austin; the school district; MIT")
    >>> [seen.text[match.start:match.end] for match in schools(seen, layout_of(seen))]
    ['University of Texas at Austin', 'MIT']
    """
    small = _Studies(folded, layout).small_lines()
    return _Reader(_in_capitals(folded, small) if small else folded, layout).matches()


class _Studies:
    """Answers for places in a text; lines are read once."""

    def __init__(self, folded: FoldedText, layout: Layout) -> None:
        self._folded = folded
        self._lines = layout.lines
        self._by_line: dict[int, bool] = {}

    def is_studying(self, start: int) -> bool:
        r"""Say whether the text at a place is about studies.

        >>> from evenhand.masking.layout import layout_of
        >>> seen = folded_text("Studied law at Oxford.\nMoved to Oxford.")
        >>> [_Studies(seen, layout_of(seen)).is_studying(place) for place in (15, 32)]
        [True, False]
        """
        if STUDY_WORDS.study_before.search(self._folded.low, max(0, start - 100), start) is not None:
            return True
        return self._is_of_studies(bisect_left(self._lines, (start + 1,)) - 1)

    def _is_of_studies(self, number: int) -> bool:
        """Say whether a line is under a heading for education, or names a degree."""
        if number not in self._by_line:
            line = self._lines[number]
            self._by_line[number] = (line.section == "education" and not line.heading) or any(
                cue.kind == "degree" for cue in cues_of(self._folded, line.start, line.end)
            )
        return self._by_line[number]

    def small_lines(self) -> list[tuple[int, int]]:
        """Return where the lines of studies are that have no capital or all."""
        text = self._folded.text
        return [
            (line.start, line.end)
            for number, line in enumerate(self._lines)
            if (text[line.start : line.end].islower() or text[line.start : line.end].isupper())
            and self._is_of_studies(number)
        ]


def _in_capitals(folded: FoldedText, spans: list[tuple[int, int]]) -> FoldedText:
    """Return a text with capitals in lines without any or with all, as another writer has them.

    >>> seen = folded_text("bsc nursing, university of leeds with merit, later ucla")
    >>> _in_capitals(seen, [(0, len(seen.text))]).text
    'BSC Nursing, University of Leeds with merit, Later UCLA'
    """
    pieces, done = [], 0
    for start, end in spans:
        pieces += [folded.text[done:start], _ANY_WORD.sub(_capital, folded.text[start:end])]
        done = end
    text = "".join(pieces) + folded.text[done:]
    return replace(folded, text=text) if len(text) == len(folded.text) else folded


def _capital(word: re.Match[str]) -> str:
    small = word.group().lower()
    if small in SCHOOL_WORDS.links or small in SCHOOL_WORDS.small_words:
        return small
    if len(small) <= _ABBREVIATION + 1 and kind_of(small) == "degree":
        return small.upper()
    return _letters().get(small) or small[0].upper() + small[1:]


@cache
def _letters() -> dict[str, str]:
    """Return names in short that are capitals, by how they read in small letters: mit, ucla."""
    names = [name for rule in ("known", "bare") for name in listed(rule)]
    names += [name for name in listed("prefix") if len(name) == _ABBREVIATION]
    first = (name.partition(" ")[0] for name in listed("known"))
    names += [name for name in first if len(name) <= _ABBREVIATION]
    return {name.lower(): name for name in names if name.isupper()}


@cache
def _short() -> dict[str, list[tuple[str, str]]]:
    """Return names in short and their rule by their first word in lower case, the longest first."""
    names: dict[str, list[tuple[str, str]]] = {}
    for rule in ("known", "prefix", "bare", "context"):
        for phrase in listed(rule):
            written = phrase if phrase.isascii() else folded_text(phrase).text
            names.setdefault(_WORD.findall(written.lower())[0], []).append((written, rule))
    for phrases in names.values():
        phrases.sort(key=lambda phrase: (-len(phrase[0]), phrase[1] != "prefix"))
    return names


@cache
def _first_words() -> frozenset[str]:
    return frozenset(_short())


def _is_loud(text: str, start: int) -> bool:
    """Say whether a line is all capitals: UP is a word there."""
    last = text.find("\n", start)
    return text[text.rfind("\n", 0, start) + 1 : last if last >= 0 else len(text)].isupper()


class _Reader:
    def __init__(self, folded: FoldedText, layout: Layout) -> None:
        self._folded = folded
        self._studies = _Studies(folded, layout)

    def matches(self) -> list[Span]:
        folded, kinds, endings = self._folded, heads(), SCHOOL_WORDS.endings
        spans: list[tuple[int, int]] = []
        done = -1
        for place in folded.places(frozenset(word for word in folded.where if word in kinds or word.endswith(endings))):
            span = self._around(place) if folded.words[place][1] >= done else None
            if span is not None:
                spans.append(span)
                done = span[1]
        short = self._in_short(spans)
        if not folded.text.isascii():
            spans += [match.span() for match in SCHOOL_WORDS.asian.finditer(folded.text)]
        return [
            Span(start=start, end=end, category="SCHOOL", rule=rule, confidence=0.92)
            for rule, rule_spans in (("named", spans), ("short", short))
            for span in rule_spans
            for start, end in parts_in_lines(folded.text, *span)
        ]

    def _in_short(self, named: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the spans of short names; `named` are the names that were found in full."""
        spans: list[tuple[int, int]] = []
        text, words = self._folded.text, self._folded.words
        done = 0
        for place in self._folded.places(_first_words()):
            word, start, _ = words[place]
            if start < done or _SIGN_BEFORE.search(text, max(0, start - 2), start) is not None:
                continue
            for phrase, rule in _short()[word]:
                loud = rule == "known" and len(phrase) > _ABBREVIATION and _is_loud(text, start)
                end = start + len(phrase)
                if (
                    text[start:end] in {phrase, phrase.upper() if loud else phrase}
                    and not text[end : end + 1].isalnum()
                ):
                    last = self._end(start, end, rule, named)
                    if last:
                        spans.append((start, last))
                        done = last
                        break
        return spans

    def _end(self, start: int, end: int, rule: str, named: list[tuple[int, int]]) -> int:
        """Return where a name in short ends, 0 where it is none."""
        text = self._folded.text
        if (rule in {"prefix", "context"} and _is_loud(text, start)) or (
            rule != "prefix" and SCHOOL_WORDS.no_name_after.match(text, end) is not None
        ):
            return 0
        if rule == "context":
            line = text.rfind("\n", 0, start), text.find("\n", end) % (len(text) + 1)
            alone = _PART_BEFORE.search(text, max(0, start - 12), start) and _PART_AFTER.match(text, end)
            if not alone or any(line[0] < first < line[1] for first, _ in named):
                return 0
            return end if self._studies.is_studying(start) else 0
        kind: re.Match[str] | None = SCHOOL_WORDS.kind_after.match(text, end)
        if kind is not None:
            return kind.end()
        place = _PLACE.match(text, end) if rule != "bare" else None
        if rule == "prefix":
            return place.end() if place is not None else 0
        return place.end() if place is not None and text[end] == " " and self._studies.is_studying(start) else end

    def _around(self, place: int) -> tuple[int, int] | None:
        """Return where the name around a word such as University begins and ends, None where there is no name."""
        words = self._folded.words
        text, (word, start, end) = self._folded.text, words[place]
        named_before = self._named_before(place)
        if (
            (text[start].islower() and not (word in SCHOOL_WORDS.small and named_before))
            or (text[end : end + 2].strip()[:1] == ":" and not named_before)
            or SCHOOL_WORDS.no_school.match(text, end)
        ):
            return None
        first = self._first(place)
        before = [words[number][0] for number in range(first, place)]
        proper = any(word not in SCHOOL_WORDS.generic and word not in SCHOOL_WORDS.links for word in before)
        last = self._last(place, proper=proper)
        if last == place and (not proper or (len(before) < 2 and SCHOOL_WORDS.soft.match(text, end) is not None)):
            return None
        begin, finish = words[first][1], words[last][2]
        sure = (
            word not in SCHOOL_WORDS.weak
            or not SCHOOL_WORDS.learned.isdisjoint(before)
            or SCHOOL_WORDS.learning.match(text[end:finish].strip()) is not None
        )
        body = word in SCHOOL_WORDS.members and any(word in listed("body") for word, _, _ in words[first : last + 1])
        if (body or not sure) and not self._studies.is_studying(start):
            return None
        town = SCHOOL_WORDS.campus.match(text, finish)
        if town is None and last == place and SCHOOL_WORDS.common.issuperset(before):
            town = SCHOOL_WORDS.town.match(text, finish)  # a town identifies a public school
        return begin, town.end() if town is not None else finish

    def _named_before(self, place: int) -> bool:
        """Say whether the word before a head, in its line, has a capital."""
        text, words = self._folded.text, self._folded.words
        return place > 0 and text[words[place - 1][1]].isupper() and "\n" not in self._gap(place)

    def _gap(self, number: int) -> str:
        """Return what is between a word and the one before."""
        return self._folded.text[self._folded.words[number - 1][2] : self._folded.words[number][1]]

    def _first(self, place: int) -> int:
        """Return the place of the first capitalised word of a name, going back from its head."""
        text, words = self._folded.text, self._folded.words
        first = place
        for number in range(place - 1, max(-1, place - 1 - _MOST_WORDS), -1):
            word, start, _ = words[number]
            gap = self._gap(number + 1)
            if gap not in _GAPS or (gap.startswith(".") and len(word) > _ABBREVIATION):
                break
            if text[start].isupper():
                if self._is_other(number):
                    break
                first = number
            elif "-" in {gap, text[start - 1]}:
                pass  # Stoke-on-Trent, Sun Yat-sen
            elif word not in SCHOOL_WORDS.links or word in _END_OF_DEGREE:
                break
        return first

    def _is_other(self, number: int) -> bool:
        """Say whether a capitalised word before a head is no part of the name: a degree, a job, a verb."""
        word = self._folded.words[number][0]
        if word in SCHOOL_WORDS.not_first or (
            kind_of(word) in {"degree", "work"} and word not in SCHOOL_WORDS.in_names
        ):
            return True
        return PAST.match(word) is not None and is_ordinary(word) and word != "united"

    def _last(self, place: int, *, proper: bool) -> int:
        """Return the place of the last word of a name, going on from its head."""
        words, text = self._folded.words, self._folded.text
        last, head = place, words[place][0]
        foreign = head in listed("first") or head not in heads()
        for number in range(place + 1, min(len(words), place + _MOST_WORDS + 3)):
            word, start, _ = words[number]
            before = words[number - 1][0]
            gap = self._gap(number)
            if (gap not in _GAPS and not (gap == "\n" and not _OF.isdisjoint({word, before}))) or (
                gap.startswith(". ") and len(before) > _ABBREVIATION
            ):
                break
            if word == "and" and last == place:
                break
            if word in SCHOOL_WORDS.links:
                continue
            named = any(map(str.isupper, text[start : start + 3]))  # d'Orleans too
            numbered = word.isdigit() and foreign and len(word) < 3
            if numbered or (named and self._goes_on(place, number, foreign=foreign, last=last)):
                last = number
            elif named or word.isdigit() or not foreign or number > place + 2:
                break
        return last if last > place or not proper else self._with_town(place)

    def _with_town(self, place: int) -> int:
        """Return the place of a town after an English name, where a mark follows: Harris Academy Peckham."""
        words, text = self._folded.words, self._folded.text
        number = place + 1
        if number >= len(words) or self._gap(number) != " " or not text[words[number][1]].isupper():
            return place
        word, start, end = words[number]
        learnt = SCHOOL_WORDS.learning.match(text, start) is not None
        if learnt or word in SCHOOL_WORDS.goes_on or kind_of(word) is not None:
            return place
        return number if _PART_AFTER.match(self._folded.low, end) and self._studies.is_studying(start) else place

    def _goes_on(self, place: int, number: int, *, foreign: bool, last: int) -> bool:
        """Say whether a capitalised word after a head belongs to its name."""
        words = self._folded.words
        gap, word, before = self._gap(number), words[number][0], words[number - 1][0]
        kind = kind_of(word)
        # Ecole des Hautes Etudes; a degree after an English name is no part of it.
        if word in SCHOOL_WORDS.goes_on or kind in {"work", "other"} or (kind == "degree" and not foreign):
            return False
        if before in {"and", "et", "y", "und", "e"} or gap == " & ":  # Eton College and Balliol College
            return last > place and heads().isdisjoint(word for word, _, _ in words[number : number + 3])
        if number == place + 1 and not foreign and gap != "-":  # an English head
            return word in _CITIES or word in heads()
        return True


GRADUATION_WORDS = WordTable("evenhand.masking.categories", "graduation.toml")

_AFTER = lazy_re(r"[./][01]\d(?:[./][0-3]\d)?(?![\w./])|-[01]\d(?:-[0-3]\d)?(?![\w-])")
#: Between the ends of a range.
_UNTIL_DATE = lazy_re(r"\s*(?:-|/|\bto\b|\btill?\b|\buntil\b|\bbis\b|\ba\b|\bau\b|\bal\b|\bdo\b)\s*")
_UNTIL_YEAR = lazy_re(r"\s*(?:[-/\u2013\u2014]|to|until|till|and)\s*(?:[a-z]{3,9}\.? |\d\d?[/.])?")
_NUMBERS = frozenset(str(year) for year in range(1940, 2050)) | frozenset(f"{year:02d}" for year in range(100))
_AMOUNT_BEFORE = lazy_re(
    r"[$€£#]\s?$|\d,$|\b(?:no|nr|usd|eur|gbp|inr|rs)\.?\s?$|(?<!\d)\d{3}[-/]$|\d{5}-$|\bfy ?$|\d:$"
)
_GOES_ON = lazy_re(r"[/.]\w|/")
#: After the day of a month: `June 28, 2010`, `May 19-21, 2010`.
_YEAR_AFTER = lazy_re(r"(?:st|nd|rd|th)?(?:[ ]?[-/][ ]?\d\d?)?,?[ ](?:19|20)\d\d\b")
_RANGE_TAIL = lazy_re(r"[ ]?[-/][ ]?'?$")
#: Characters before a date's year, before a year in which a cue of study may begin, and around one in a long line.
_LONGEST, _FAR, _FAR_AROUND = 40, 80, 1000
#: The most blanks of a sentence that goes with the one before.
_BRIEF = 4
#: Lines of one block that are read for where it begins.
_LONGEST_BLOCK = 30
_START, _BEGIN = attrgetter("start"), methodcaller("start")


def graduation_years(folded: FoldedText, layout: Layout, named: list[Span] | None = None) -> list[Span]:
    r"""Return years in lines about degrees, and next to words for graduating; `named` are the schools found.

    >>> from evenhand.masking.layout import layout_of
    >>> from evenhand.masking.layout import folded_text
    >>> seen = folded_text("Education\nBSc Physics, Leeds, 2004-2008\nExperience\nAcme, 2009")
    >>> [seen.text[match.start:match.end] for match in graduation_years(seen, layout_of(seen))]
    ['2004-2008']
    """
    return whole_dates(folded, _years(folded, _Years(folded, layout, named or []).rule))


def years_in(folded: FoldedText) -> list[Span]:
    """Return all years of a text, whatever they are about: of four digits, and of two where a date has them so.

    >>> from evenhand.masking.layout import folded_text
    >>> seen = folded_text("Acme, May 04 - 2012, 2,000 clients, $2000")
    >>> [seen.text[match.start : match.end] for match in years_in(seen)]
    ['04', '2012']
    """
    return _years(folded, lambda _: "year")


def _years(folded: FoldedText, rule_of: Callable[[int], str]) -> list[Span]:
    """Return the years that count by a rule; the end of a range has that of its beginning."""
    matches: list[Span] = []
    for word, start, end in (folded.words[place] for place in folded.places(_NUMBERS)):
        if _is_year(folded.low, word, start, end, matches):
            goes_on = bool(matches) and _UNTIL_YEAR.fullmatch(folded.low, matches[-1].end, start) is not None
            rule = matches[-1].rule if goes_on else rule_of(start)
            if rule:
                matches.append(Span(start=start, end=end, category="GRADYEAR", rule=rule, confidence=0.9))
    return matches


def whole_dates(folded: FoldedText, years: list[Span]) -> list[Span]:
    """Return the whole dates of years: with their months and days, a range as one.

    >>> from evenhand.masking.layout import folded_text
    >>> seen = folded_text("from Sept 2003 to June 2005, 10/2009")
    >>> years = [Span(place, place + 4, "GRADYEAR", "said", 0.9) for place in (10, 23, 32)]
    >>> [seen.text[match.start : match.end] for match in whole_dates(seen, years)]
    ['Sept 2003 to June 2005', '10/2009']
    """
    low = folded.low
    dates: list[Span] = []
    for year in years:
        floor = dates[-1].end if dates else 0
        if year.start < floor:
            continue
        before = GRADUATION_WORDS.before.search(low, max(floor, year.start - _LONGEST), year.start)
        start = before.start() if before is not None else year.start
        after = _AFTER.match(low, year.end)
        end = after.end() if after is not None else year.end
        if dates and _UNTIL_DATE.fullmatch(low, floor, start) is not None:
            dates[-1] = dates[-1]._replace(end=end)
        else:
            dates.append(year._replace(start=start, end=end))
    return [
        date._replace(start=start, end=end)
        for date in dates
        for start, end in parts_in_lines(low, date.start, date.end)
    ]


def _is_year(low: str, word: str, start: int, end: int, matches: list[Span]) -> bool:
    """Say whether a number can be a year; two digits after an apostrophe, a month, or a year and a dash."""
    before = low[max(0, start - 24) : start]
    if GRADUATION_WORDS.amount_after.match(low, end) is not None:
        return False
    if len(word) == 4:
        return _AMOUNT_BEFORE.search(before) is None
    if _YEAR_AFTER.match(low, end) is not None:
        return False
    follows = bool(matches) and _RANGE_TAIL.fullmatch(low, matches[-1].end, start) is not None  # 2004-08
    return (
        before.endswith("'")
        or (follows and _GOES_ON.match(low, end) is None)
        or GRADUATION_WORDS.month_before.search(before) is not None
    )


class _Years:
    """Classifies the years of a text; each line is parsed once."""

    def __init__(self, folded: FoldedText, layout: Layout, named: list[Span]) -> None:
        self._folded = folded
        self._lines = layout.lines
        self._named = sorted((match.start, match.end) for match in named)
        self._by_line: dict[int, list[Cue]] = {}
        self._ends: dict[int, list[re.Match[str]]] = {}

    def rule(self, year: int) -> str:
        """Return the rule by which a year counts, "" where it doesn't."""
        low = self._folded.low
        number = bisect_left(self._lines, (year + 1,)) - 1
        line = self._lines[number]
        if (
            GRADUATION_WORDS.says.search(low, max(line.start, year - _FAR), year) is not None
            or GRADUATION_WORDS.labelled.search(low, max(0, year - 2 * _FAR), year) is not None
        ):
            return "said"
        kind = self._kind_at(number, year)
        if line.section == "education":
            return "" if kind in {"work", "other", "certificate"} else "education"
        return kind if kind in {"degree", "school"} else ""

    def _clause_ends(self, line: Line) -> list[re.Match[str]]:
        if line.start not in self._ends:
            self._ends[line.start] = list(GRADUATION_WORDS.clause_end.finditer(self._folded.text, line.start, line.end))
        return self._ends[line.start]

    def _clause(self, line: Line, year: int) -> tuple[int, int]:
        """Return where a year's clause begins and ends: with the one before, where it only adds to that."""
        low = self._folded.low
        start, end = max(line.start, year - _FAR_AROUND), min(line.end, year + _FAR_AROUND)
        before = start
        ends = self._clause_ends(line)
        for place in range(bisect_left(ends, start, key=_BEGIN), bisect_left(ends, end, key=_BEGIN)):
            match = ends[place]
            if match.start() < year:
                before, start = start, match.end()
            elif GRADUATION_WORDS.dates_only.fullmatch(low, start, match.start()) is None:
                end = match.start()
                break
        return (before if GRADUATION_WORDS.continues.fullmatch(low, start, end) is not None else start), end

    def _kind_at(self, number: int, year: int) -> str:
        """Return the subject of a year's clause: the last cue before it, else the first after it."""
        line = self._lines[number]
        start, end = self._clause(line, year)
        of_line = self._cues_of_line(number)
        cues = of_line[bisect_left(of_line, start, key=_START) : bisect_left(of_line, end, key=_START)]
        kinds = {cue.kind for cue in cues}
        studies = line.section == "education"
        if (studies and not kinds.isdisjoint({"degree", "school"})) or (
            kinds >= {"school", "certificate"} and kinds.isdisjoint({"work", "other"})
        ):
            return "degree"
        strong = [cue for cue in cues if cue.kind not in {"school", "firm"}]
        if strong:
            before = [cue.kind for cue in strong if cue.start < year]
            side = before or [cue.kind for cue in strong]
            if "degree" in side:
                side = [kind for kind in side if kind != "certificate"]
            kind = side[-1] if before else side[0]
            return "degree" if kind == "certificate" and studies and self._is_at_school(number) else kind
        if kinds:
            return "school" if "school" in kinds else ""
        return self._kind_of_neighbour(number, start, end)

    def _is_at_school(self, number: int) -> bool:
        """Say whether a school's name is above or below a line."""
        return any(_kind(self._cues_of_line(place)) == "school" for place in self._neighbours(number))

    def _neighbours(self, number: int) -> list[int]:
        """Return which lines of a line's block are above and below it; headings are not."""
        lines = self._lines
        return [
            place
            for place in (number - 1, number + 1)
            if 0 <= place < len(lines)
            and abs(lines[place].number - lines[number].number) == 1
            and not lines[place].heading
        ]

    def _kind_of_neighbour(self, number: int, start: int, end: int) -> str:
        """Return the subject of the line that a line of dates belongs to in its block."""
        lines, low = self._lines, self._folded.low
        if start > lines[number].start:  # a short sentence goes with those before it
            cues = self._cues_of_line(number)
            brief = low.count(" ", start, end) <= _BRIEF
            before = range(bisect_left(cues, start, key=_START) - 1, -1, -1) if brief else ()
            return next((cues[place].kind for place in before if cues[place].kind != "firm"), "")
        near = self._neighbours(number)
        if self._is_dates(number):
            if self._dates_come_first(number):
                near.reverse()
            return next(filter(None, (_kind(self._cues_of_line(place)) for place in near)), "")
        if lines[number].section == "education" or not near or near[0] > number:
            return ""
        goes_on = low[lines[number - 1].end - 1] not in ".:;!?|}" and low[lines[number].start].isalnum()
        return _kind(self._cues_of_line(number - 1)) if goes_on else ""

    def _dates_come_first(self, number: int) -> bool:
        """Say whether the block of lines around begins with dates."""
        first = number
        while number - first < _LONGEST_BLOCK and first - 1 in self._neighbours(first):
            first -= 1
        return self._is_dates(first)

    def _is_dates(self, number: int) -> bool:
        line = self._lines[number]
        brief = line.end - line.start < _FAR_AROUND
        return brief and GRADUATION_WORDS.dates_only.fullmatch(self._folded.low, line.start, line.end) is not None

    def _cues_of_line(self, number: int) -> list[Cue]:
        """Return a line's cues, and names of schools without such a word: KU Leuven."""
        if number not in self._by_line:
            line = self._lines[number]
            cues = cues_of(self._folded, line.start, line.end)
            schools = [cue.start for cue in cues if cue.kind == "school"]
            first, last = bisect_left(self._named, (line.start,)), bisect_left(self._named, (line.end,))
            for start, end in self._named[first:last]:
                if bisect_left(schools, start) == bisect_left(schools, end):
                    cues.append(Cue(start, "school"))
            self._by_line[number] = sorted(cues)
        return self._by_line[number]


def _kind(cues: list[Cue]) -> str:
    """Return the subject of a whole line: a degree before a job, a job before a school."""
    kinds = {cue.kind for cue in cues}
    return next((kind for kind in ("degree", "work", "other", "certificate", "school") if kind in kinds), "")
