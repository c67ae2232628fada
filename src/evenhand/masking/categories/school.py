"""SCHOOL: whole names of universities, colleges and schools (optional category).

A word such as university is found, then the capitalised words around it that belong to its name. Institutes and
academies, short names (UCLA, IIT Bombay) and towns that are also schools (Oxford) count where the line is
about studies.

Kept: degrees and subjects, `school` and `university` without a name, job titles such as
college administrator, business units called academy, professional bodies.
"""

import re
from functools import cache

from evenhand.masking.categories import studies as categories_studies
from evenhand.masking.categories.fields import parts_in_lines
from evenhand.masking.folded_text import FoldedText, folded_text
from evenhand.masking.layout import Layout
from evenhand.masking.rules import RuleMatch
from evenhand.patterns import lazy_re

#: A measure next to a fraction: `0.81 AUC`, `an AUC of 0.84`; a licence: `(c) 2024 Jo Lee. MIT.`
_FRACTION_BEFORE = lazy_re(r"[a-z,(=:] ?\d?\.\d+ $", re.IGNORECASE)
_NO_SCHOOL_HERE = lazy_re(r"(?:[ ]?(?:of|[=:>]|score of|above|around|at)[ ]?\d?\.\d)")
_COPYRIGHT = lazy_re(r"(?:\u00a9|\([cC]\)|[Cc]opyright)[^\n]{0,60}$")
#: Text before a town that is a school: the beginning of a part of its line.
_PART_BEFORE = lazy_re(r"(?:^|[,|(\n\t:;•\"-]|[ ]{2}|\b(?:at|from|of|and|[Tt]he))[ ]*$")


@cache
def _short() -> dict[str, list[tuple[str, str]]]:
    """Return names in short and their rule by their first word in lower case, the longest first."""
    names: dict[str, list[tuple[str, str]]] = {}
    for rule in ("known", "prefix", "bare", "context"):
        for phrase in categories_studies.listed(rule):
            written = folded_text(phrase).text
            names.setdefault(_WORD.findall(written.lower())[0], []).append((written, rule))
    for phrases in names.values():
        phrases.sort(key=lambda phrase: (-len(phrase[0]), phrase[1] != "prefix"))
    return names


@cache
def _first_words() -> frozenset[str]:
    return frozenset(_short())


_WORD = lazy_re(r"[^\W_]+(?:'[^\W_]+)*")
#: A `_` after a blank is a sign of emphasis.
_SIGN_BEFORE_SHORT_NAME = lazy_re(r"[-.@/]\Z|(?<=[^\s*(])_\Z")
_BRIEF = 4
_PLACE = lazy_re(
    r"(?:[ -]|, (?=[A-Z]))(?:No\. ?|(?:w|we|v|ve|di|de|do|da|na) )?(?:[A-Z][\w'-]*|\d{1,3})"
    r"(?:[ -](?:de[ ]|of[ ])?[A-Z][\w'-]+){0,2}"
)


def names_in_short(
    folded: FoldedText, studies: categories_studies.Studies, named: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the spans of short names; `named` are the names that were found in full.

    >>> seen = folded_text("IIT Bombay, MIT; under an MIT licence")
    >>> [seen.text[start:end] for start, end in names_in_short(seen, categories_studies.Studies(seen, None), [])]
    ['IIT Bombay', 'MIT']
    """
    spans: list[tuple[int, int]] = []
    text, table = folded.text, _short()
    done = 0
    for place in folded.places(_first_words()):
        start = folded.words[place][1]
        if start < done or _SIGN_BEFORE_SHORT_NAME.search(text, max(0, start - 2), start) is not None:
            continue
        for phrase, rule in table[folded.words[place][0]]:
            end = start + len(phrase)
            if not _is_written(text, start, phrase, rule) or (
                text[end : end + 1].isalnum() or text[end : end + 1] == "@"
            ):
                continue
            last = _end(text, (start, end), rule, studies, named)
            if last:
                spans.append((start, last))
                done = last
                break
    return spans


def _is_written(text: str, start: int, phrase: str, rule: str) -> bool:
    """Say whether a name has its usual capitals here, or is in a line that is all capitals: PUC-RIO."""
    if text.startswith(phrase, start):
        return True
    loud = phrase.upper()
    return rule == "known" and len(phrase) > _BRIEF and text.startswith(loud, start) and _is_loud(text, start)


def _end(
    text: str, span: tuple[int, int], rule: str, studies: categories_studies.Studies, named: list[tuple[int, int]]
) -> int:
    """Return where a name in short ends, 0 where it is none."""
    start, end = span
    if (
        _FRACTION_BEFORE.search(text, max(0, start - 9), start) is not None
        or (rule in {"prefix", "context"} and _is_loud(text, start))
        or (rule != "prefix" and categories_studies.SCHOOL_WORDS.no_name_after.match(text, end) is not None)
        or _NO_SCHOOL_HERE.match(text, end) is not None
        or (rule == "bare" and _COPYRIGHT.search(text, max(0, start - 64), start) is not None)
    ):
        return 0
    if rule == "context":
        line = text.rfind("\n", 0, start), text.find("\n", end) % (len(text) + 1)
        adjacent = any(line[0] < first < line[1] for first, _ in named)
        alone = _PART_BEFORE.search(text, max(0, start - 12), start) and categories_studies.PART_AFTER.match(text, end)
        return end if alone and not adjacent and studies.is_studying(start) else 0
    kind: re.Match[str] | None = categories_studies.SCHOOL_WORDS.kind_after.match(text, end)
    if kind is not None and rule != "prefix":
        return kind.end()
    place = _PLACE.match(text, end) if rule != "bare" and not (rule == "known" and _is_loud(text, start)) else None
    if place is None:
        return 0 if rule == "prefix" else end
    if rule == "prefix":
        return place.end()
    goes_on = (
        text[end] == " "
        and categories_studies.PART_AFTER.match(text, place.end()) is not None
        and studies.is_studying(start)
    )
    return place.end() if goes_on else end


def _is_loud(text: str, start: int) -> bool:
    """Say whether a line is all capitals: UP is a word there."""
    last = text.find("\n", start)
    return text[text.rfind("\n", 0, start) + 1 : last if last >= 0 else len(text)].isupper()


#: The last words of a line begin after one of these.
_TAIL = lazy_re(r"(,|-|\||\(|:|\bat|\bfrom|\bfor|\bto) (?:(?:[A-Z][\w'.-]*|of|the|de|and) ?){1,4}$")
_JOINING = frozenset({"-", "(", "at", "from", "for", "to"})
_SHORT_LINE = 40
_LONG_LINE = 45
#: Kinds of school that a town identifies where the name is common: Government Polytechnic, Nagpur.
_TOWNED = frozenset({"school", "college", "polytechnic", "academy"})
#: Parts of a country after `University` that belong to its name.
_SAINTS = frozenset({"st", "saint", "punjab"})
_ROMAN = lazy_re(r" (?:[IVX]{1,5})(?=[ ]*(?:[,;:|()\n\t]|$|\d| -)| [a-z])")
_SIGN_BEFORE_NAME = lazy_re(r"[/@:]\Z|(?<=[^\s*(])_\Z")
_CAPITAL_LINKS = frozenset({"la", "le", "los", "las", "el", "de"})
#: Heads after which a small word may be part of the name: Ecole normale superieure.
_WITH_SMALL = ("ecole", "universi", "instit", "szk", "lyc")
#: Text before a school's name in small letters.
_BEGINS = lazy_re(r"(?:^|[\n,;:|(@-][ ]*|\d[ ]{2,}|\b(?:from|at|by|of|to) (?:the )?)$")
_HYPHENED = frozenset({"on", "upon", "le", "by", "under", "next"})
_MOST_WORDS = 8
_GAP = 6  # as many blanks about a line's end are those of another column
_ABBREVIATION = 4


def schools(folded: FoldedText, layout: Layout | None = None) -> list[RuleMatch]:
    """Return whole names of schools.

    >>> seen = folded_text("BA, University of Texas at Austin; the school district; MIT")
    >>> [seen.text[match.start:match.end] for match in schools(seen)]
    ['University of Texas at Austin', 'MIT']
    """
    matches = _Reader(folded, layout).matches()
    studies = categories_studies.Studies(folded, layout)
    small = studies.small_lines()
    written = categories_studies.in_capitals(folded, small) if small else None
    if written is not None:
        inside = [
            match
            for match in _Reader(written, layout).matches()
            if any(start <= match.start < end for start, end in small)
            and categories_studies.SCHOOL_WORDS.no_name.search(folded.low, max(0, match.start - 8), match.end) is None
            and (studies.lists(match.start) or _BEGINS.search(folded.low, max(0, match.start - 12), match.start))
        ]
        matches = [old for old in matches if not any(new.start <= old.start and old.end <= new.end for new in inside)]
        matches += [new for new in inside if not any(new.start < old.end and old.start < new.end for old in matches)]
    return matches


class _Reader:
    def __init__(self, folded: FoldedText, layout: Layout | None) -> None:
        self._folded = folded
        self._layout = layout
        self._studies = categories_studies.Studies(folded, layout)

    def matches(self) -> list[RuleMatch]:
        folded, kinds = self._folded, categories_studies.heads()
        spans: list[tuple[int, int]] = []
        places = folded.places(
            frozenset(
                word for word in folded.where if word in kinds or word.endswith(categories_studies.SCHOOL_WORDS.endings)
            )
        )
        done = -1
        for place in places:
            if folded.words[place][1] < done:
                continue
            span = self._around(place)
            if span is not None:
                spans.append(span)
                done = span[1]
        short = names_in_short(folded, self._studies, spans)
        if not folded.text.isascii():
            spans += [match.span() for match in categories_studies.SCHOOL_WORDS.asian.finditer(folded.text)]
        return [
            RuleMatch(start=start, end=end, category="SCHOOL", rule=rule, confidence=0.92)
            for rule, rule_spans in (("named", spans), ("short", short))
            for span in rule_spans
            for start, end in parts_in_lines(folded.text, *span)
        ]

    def _around(self, place: int) -> tuple[int, int] | None:
        """Return where the name around a word such as University begins and ends, None where there is no name."""
        words = self._folded.words
        text, (word, start, end) = self._folded.text, words[place]
        small = text[start].islower() and not (
            word in categories_studies.SCHOOL_WORDS.small and self._named_before(place)
        )
        apart = "\n" in text[words[place - 1][2] : start] if place else True
        colon = text[end : end + 2].strip()[:1] == ":" and (apart or not self._named_before(place))
        if (
            small
            or colon
            or categories_studies.SCHOOL_WORDS.no_school.match(text, end)
            or _SIGN_BEFORE_NAME.search(text, max(0, start - 2), start)
        ):
            return None
        first = self._first(place, bare=self._last(place, proper=False) == place)
        before = [words[number][0] for number in range(first, place)]
        proper = any(
            span not in categories_studies.SCHOOL_WORDS.generic and span not in categories_studies.SCHOOL_WORDS.links
            for span in before
        )
        last = self._last(place, proper=proper)
        if last == place and (
            not proper or (len(before) < 2 and categories_studies.SCHOOL_WORDS.soft.match(text, end) is not None)
        ):
            return None
        if (
            not proper
            and word not in categories_studies.listed("first")
            and last > place
            and words[place + 1][0] in {"at", "in"}
        ):
            return None
        sure = not (word in categories_studies.SCHOOL_WORDS.members and self._is_body(first, last)) and self._is_sure(
            word, before, text[end : words[last][2]]
        )
        if not sure and not self._studies.is_studying(start):
            return None
        begin, finish = words[first][1], words[last][2]
        if text.startswith(("The State", "University of London"), begin):
            owner = categories_studies.SCHOOL_WORDS.owner.search(text, max(0, begin - 24), begin)
            begin = owner.start(1) if owner is not None else begin  # Rutgers, The State University of New Jersey
        faculty = categories_studies.SCHOOL_WORDS.faculty.match(text, finish) if proper else None
        finish = faculty.end() if faculty is not None else finish
        town = categories_studies.SCHOOL_WORDS.campus.match(text, finish)
        if (
            town is None
            and (word in _TOWNED or before in (["anna"], ["punjab"]))
            and last == place
            and (
                (categories_studies.public() | categories_studies.SCHOOL_WORDS.common).issuperset(before)
                or before[0] in _SAINTS
                or self._is_owned(before, start)
            )
        ):
            town = categories_studies.SCHOOL_WORDS.town.match(text, finish)  # a town identifies a public school
        numeral = _ROMAN.match(text, finish) if town is None and last > place else None
        finish = numeral.end() if numeral is not None else finish
        return begin, town.end() if town is not None else finish

    def _is_owned(self, before: list[str], start: int) -> bool:
        """Say whether a name is a title's alone: Queen's College, Yaba."""
        return (
            len(before) == 1
            and before[0] in categories_studies.SCHOOL_WORDS.owners
            and self._studies.is_studying(start)
        )

    def _named_before(self, place: int) -> bool:
        """Say whether a capitalised word precedes a lower-case head, or the lower-case word before it."""
        words, text = self._folded.words, self._folded.text
        near = words[max(0, place - 2) : place]
        return bool(near) and (
            text[near[-1][1]].isupper()
            or (text[near[0][1]].isupper() and near[-1][0] not in categories_studies.SCHOOL_WORDS.links)
        )

    def _first(self, place: int, *, bare: bool) -> int:
        """Return the place of the first capitalised word of a name, going back from its head."""
        folded, words = self._folded, self._folded.words
        text, first, number = folded.text, place, place - 1
        while number >= 0 and place - number <= _MOST_WORDS:
            word, start, end = words[number]
            gap = text[end : words[number + 1][1]]
            if gap not in categories_studies.GAPS and not (
                first == number + 1 and self._is_wrapped(number, bare=bare and first == place)
            ):
                break
            if gap.startswith(".") and len(word) > _ABBREVIATION and word != "saint":
                break
            if text[start].isupper() or (word.isdigit() and number and words[number - 1][0] in {"no", "nr", "ps"}):
                if self._is_other(number, word, gap):
                    break
                first = number
            elif (
                number == place - 1
                and words[place][0] in categories_studies.SCHOOL_WORDS.small
                and text[words[place][1]].islower()
            ):
                pass  # Norges arktiske universitet
            elif (gap == "-" and word in _HYPHENED) or (
                text[start - 1] == "-" and word not in categories_studies.SCHOOL_WORDS.links
            ):
                pass  # Stoke-on-Trent, Sun Yat-sen
            elif word not in categories_studies.links_before() or (
                word == "and" and words[number - 1][0] in categories_studies.heads()
            ):
                break
            number -= 1
        return first

    def _is_wrapped(self, number: int, *, bare: bool) -> bool:
        """Say whether a name goes on over a line's end: its first words end the line, after a dash or `at`."""
        text, words = self._folded.text, self._folded.words
        end, start = words[number][2], words[number + 1][1]
        if text[end:start].strip(" >") != "\n" or not text[words[number][1]].isupper():
            return False
        in_column = text[end:start].count(" ") > _GAP
        begin = text.rfind("\n", 0, end) + 1
        tail = _TAIL.search(text, begin, end)
        if in_column and not bare and self._studies.is_studying(words[number][1]):
            named = (
                words[number + 1][0] not in categories_studies.heads()
                and tail is not None
                and tail.group(1) in {",", "-", "("}
            )
            unsure = (
                categories_studies.kind_of(words[number][0]) is not None
                or self._is_subject(number)
                or words[number][0] in categories_studies.SCHOOL_WORDS.months
            )
            return words[number][0] in categories_studies.SCHOOL_WORDS.adjectives or (named and not unsure)
        if tail is None:
            return bare and end - begin < _SHORT_LINE and text[begin:end].count(":") == 0
        if tail.group(1) in {"|", ":"}:
            return False
        return (
            bare
            or (words[number + 1][0] == "state" and not self._is_subject(number))  # North Carolina / State University
            or tail.group(1) in _JOINING
            or tail.group().startswith(", The ")
            or (end - begin > _LONG_LINE and not self._is_subject(number))
        )

    def _is_subject(self, number: int) -> bool:
        """Say whether a word is a subject of study rather than a school's name."""
        word, start, _ = self._folded.words[number]
        return (
            word in categories_studies.SCHOOL_WORDS.subjects
            or categories_studies.SCHOOL_WORDS.learning.match(self._folded.text, start) is not None
        )

    def _is_other(self, number: int, word: str, gap: str) -> bool:
        """Say whether a capitalised word before a head is no part of the name: a degree, a job, a verb."""
        if word in categories_studies.SCHOOL_WORDS.not_first and gap != "-":
            return (word, self._folded.words[number + 1][0]) != ("our", "lady") and not (
                word in {"senior", "junior"} and self._folded.words[number + 1][0] in {"high", "secondary", "college"}
            )
        kind = categories_studies.kind_of(word)
        linked = (
            self._folded.words[number + 1][0] in categories_studies.SCHOOL_WORDS.links
        )  # Graduate of the X Institute
        if (
            kind in {"degree", "work"}
            and gap != "-"
            and (linked or word not in categories_studies.SCHOOL_WORDS.in_names)
        ):
            written = self._folded.text[slice(*self._folded.words[number][1:])]
            return len(word) > _ABBREVIATION or sum(map(str.isupper, written)) > 1 or kind != "degree"
        if not word.endswith("ed") or len(word) < 5 or word in categories_studies.SCHOOL_WORDS.no_verbs:
            return False
        start = self._folded.words[number][1]
        return not self._folded.text[self._folded.text.rfind("\n", 0, start) + 1 : start].strip(" -*•·>\t")

    def _last(self, place: int, *, proper: bool) -> int:
        """Return the place of the last word of a name, going on from its head."""
        words, text = self._folded.words, self._folded.text
        last, number = place, place + 1
        head = words[place][0]
        foreign = head in categories_studies.listed("first") or head not in categories_studies.heads()
        while number < len(words) and number - place <= _MOST_WORDS + 2:
            word, start, _ = words[number]
            before = words[number - 1][0]
            gap = text[words[number - 1][2] : start]
            if gap not in categories_studies.GAPS and not self._wraps(place, number, gap, foreign=foreign, last=last):
                break
            if (gap.startswith(". ") and len(before) > _ABBREVIATION) or (word == "and" and last == place):
                break
            if word not in categories_studies.SCHOOL_WORDS.links or (text[start].isupper() and word in _CAPITAL_LINKS):
                named = text[start].isupper() or (word[1:2] == "'" and text[start + 2 : start + 3].isupper())
                numbered = word.isdigit() and (before in {"no", "nr", "negeri"} or (foreign and len(word) < 3))
                if numbered or (named and self._goes_on(place, number, foreign=foreign, last=last)):
                    last = number
                elif word in {"nr", "no"} and number + 1 < len(words) and words[number + 1][0].isdigit():
                    pass
                elif named or word.isdigit() or not (foreign and number - place <= 2 and head.startswith(_WITH_SMALL)):
                    break
            number += 1
        return last if last > place or not proper else self._with_town(place)

    def _with_town(self, place: int) -> int:
        """Return the place of a town after an English name, where a mark follows: Harris Academy Peckham."""
        words, text = self._folded.words, self._folded.text
        number = place + 1
        if (
            number >= len(words)
            or text[words[place][2] : words[number][1]] != " "
            or not text[words[number][1]].isupper()
        ):
            return place
        word, start, end = words[number]
        if (
            categories_studies.kind_of(word) is not None
            or word in categories_studies.SCHOOL_WORDS.months
            or self._is_subject(number)
        ):
            return place
        if word in categories_studies.SCHOOL_WORDS.parts and words[place][0] in {"university", "college"}:
            return number
        closed = categories_studies.PART_AFTER.match(
            self._folded.low, end
        ) or categories_studies.SCHOOL_WORDS.study_after.match(self._folded.low, end)
        return number if closed is not None and self._studies.is_studying(start) else place

    def _wraps(self, place: int, number: int, gap: str, *, foreign: bool, last: int) -> bool:
        """Say whether a name that is not complete goes on in the next line."""
        if gap.strip(" >") != "\n":
            return False
        words, text = self._folded.words, self._folded.text
        word, start, end = words[number]
        if word in {"no", "nr"} and number + 1 < len(words) and words[number + 1][0].isdigit():
            return True
        before = words[number - 1][0]
        if before in categories_studies.SCHOOL_WORDS.links or before in categories_studies.SCHOOL_WORDS.open:
            return text[start].isupper() or word in categories_studies.SCHOOL_WORDS.links
        if word in {"of", "de", "del", "di", "da", "do", "della", "at"} and number + 1 < len(words):
            return text[words[number + 1][1]].isupper()
        if foreign and last == place:
            return (
                len(word) > 2
                and categories_studies.kind_of(word) is None
                and text[start].isupper()
                and categories_studies.PART_AFTER.match(text, end) is not None
            )
        return word in categories_studies.CITIES and words[place][0] == "college"

    def _goes_on(self, place: int, number: int, *, foreign: bool, last: int) -> bool:
        """Say whether a capitalised word after a head belongs to its name."""
        words = self._folded.words
        gap = self._folded.text[words[number - 1][2] : words[number][1]]
        word, before = words[number][0], words[number - 1][0]
        kind = categories_studies.kind_of(word)
        if word in categories_studies.SCHOOL_WORDS.goes_on:
            return False
        if word in categories_studies.SCHOOL_WORDS.months or (
            kind in {"degree", "work", "other"} and word not in categories_studies.SCHOOL_WORDS.in_names
        ):
            written = self._folded.text[words[number][1] : words[number][2]]
            return foreign and kind == "degree" and not written.isupper()
        if before in {"and", "&", "et", "y", "und", "e"} or gap == " & ":
            return last > place and not self._has_own_head(number)
        if last == place and number == place + 1 and not foreign and gap != "-":  # an English head
            if word in categories_studies.CITIES and words[place][0] == "college":
                return True
            return (
                word in categories_studies.heads()
                or words[place][0] in {"vidyalaya", "vidyalayam"}
                or word in {"no", "online"}
            )
        return True

    def _has_own_head(self, number: int) -> bool:
        """Say whether another school's name begins after `and`: Eton College and Balliol College."""
        return any(word in categories_studies.heads() for word, _, _ in self._folded.words[number : number + 3])

    def _is_body(self, first: int, last: int) -> bool:
        """Say whether a name is that of a professional body: Royal College of Nursing."""
        words = {word for word, _, _ in self._folded.words[first : last + 1]}
        return not words.isdisjoint(categories_studies.listed("body")) and "university" not in words

    def _is_sure(self, word: str, before: list[str], after: str) -> bool:
        """Say whether a name is one of a school without more: not so for institutes and academies of all kinds."""
        if word == "academy":
            return categories_studies.SCHOOL_WORDS.firm_academy.isdisjoint(before) and not after.startswith(" of ")
        return (
            word not in categories_studies.SCHOOL_WORDS.weak
            or not categories_studies.SCHOOL_WORDS.learned.isdisjoint(before)
            or categories_studies.SCHOOL_WORDS.learning.match(after.strip()) is not None
            or categories_studies.SCHOOL_WORDS.learning.match(" ".join(before)) is not None
        )
