"""Names of other people in a document: referees, managers, relatives, authors, anyone with a title.

This module finds them in lines of their own: labelled fields, references, lists under a heading, contacts.
Running text is in `prose`.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache

from evenhand.masking.folded_text import FoldedText, word_list
from evenhand.masking.layout import Layout
from evenhand.masking.names import word_kinds
from evenhand.masking.names.own import is_clean
from evenhand.masking.names.parts import AROUND_WORDS, PARTICLES, Name, name_of
from evenhand.masking.names.prose import OTHER_NAME_WORDS, before_score, in_prose, label_score, single_places, speakers
from evenhand.patterns import lazy_re

_NUMBER = lazy_re(r"\d[\d ().-]{6,}\d")
_MARKS = " \t#*_=-:•|.~>▪◦●→–➢·"
_BETWEEN_NAMES = lazy_re(r",[ ]|;[ ]|[ ](?:and|&|y|und|et)[ ]|[ ]/[ ]")
_GOES_ON = lazy_re(r"\w|[ ][a-z]")
_LONGEST_TITLE, _SHORT_TITLE, _FEW = 45, 25, 5


def in_blocks(folded: FoldedText, layout: Layout, add: Callable[[str], None]) -> set[int]:
    """Add names of lines and fields; return where lines begin that a person begins."""
    _add_fields(folded, layout, add)
    lines = _listed(folded, layout)
    _add_addressee(folded, layout, lines)
    _add_speakers(folded, add)
    _add_family_first(folded, lines, add)
    return lines


def _add_fields(folded: FoldedText, layout: Layout, add: Callable[[str], None]) -> None:
    """Add the names after labels of people, also single ones: `Line manager: May`, `Team: Zola, Bo`."""
    for field in layout.fields:
        score = label_score(field.label)
        if score < 2:
            continue
        value = folded.text[field.start : field.end]
        sure = score == 3
        labelled = sure or folded.text[: field.start].rstrip(" *")[-1:] == ":"
        for start, end in word_kinds.segments(value)[:1]:
            for part in _BETWEEN_NAMES.split(value[start:end])[:_FEW]:
                bare = OTHER_NAME_WORDS.titled.sub("", part.strip(" \"'*_"))
                match = _NAME.match(bare)
                if match is None:
                    break
                words = match.group().split()
                while words and word_kinds.is_ordinary(words[-1].lower().strip(".'")):
                    words.pop()
                alone = _GOES_ON.match(bare, match.end()) is None
                if not (len(words) > 1 or (labelled and alone)) or not _may_be(" ".join(words), sure=sure):
                    break
                add(" ".join(words))


def _may_be(named: str, *, sure: bool) -> bool:
    """Say whether a label's value may be a name, none of its words a job; `sure`: only one person's name follows."""
    tokens = name_of(named).tokens
    kinds = [word_kinds.kind_of(token) for token in tokens]
    listed = bool(tokens) and tokens[0] in word_kinds.given_names()
    if len(tokens) == 1:
        allowed = {"name"} if not sure else {"name", "word"} if not listed else {"name", "word", "other"}
        return kinds[0] in allowed and not named.isupper()
    if "job" in kinds or kinds.count("ordinary") > sure:
        return False
    return "name" in kinds or listed or (sure and "word" in kinds)


def _listed(folded: FoldedText, layout: Layout) -> set[int]:
    """Return where the lines below a heading for people begin."""
    low = folded.low
    lines: set[int] = set()
    under, before = False, 0
    for start, end, number, section, heading in layout.lines:
        short = heading or end - start < _LONGEST_TITLE
        bare = low[start:end].strip(_MARKS).lstrip("0123456789.) ") if short else ""
        apart, before = number - before > 1, number
        if short and OTHER_NAME_WORDS.people_heading.match(bare) is not None:
            under = True
        elif heading or (under and apart and 0 < len(bare) < _SHORT_TITLE and _is_title(bare)):
            under = heading and section == "references"
        elif under:
            lines.add(low.rfind("\n", 0, start) + 1)
    return lines


def _is_title(bare: str) -> bool:
    return all(word_kinds.is_ordinary(word.strip(",&")) or word in {"and", "&", "of"} for word in bare.split())


def _is_reached(low: str) -> bool:
    """Say whether a line in small letters has an address, a telephone number or a word for one, or begins a role."""
    return (
        "@" in low
        or _NUMBER.search(low) is not None
        or OTHER_NAME_WORDS.contact_word.search(low) is not None
        or any(word_kinds.is_person_noun(word.strip(",;()")) for word in low.split()[:_FEW])
    )


def _add_addressee(folded: FoldedText, layout: Layout, lines: set[int]) -> None:
    """Add the addressee in the lines above a letter's `Dear`, who begins a block or has a role below."""
    if "dear" not in folded.where:
        return
    for place, line in enumerate(layout.lines):
        if folded.low.startswith("dear ", line.start):
            for above in range(max(1, place - _MOST_ABOVE), place - 1):
                before, first, second = layout.lines[above - 1 : above + 2]
                words = folded.low[second.start : second.end].split()
                role = any(word_kinds.is_person_noun(word.strip(",.")) for word in words[:3])
                begins = first.number - before.number > 1 and _is_plain_name(folded.text[first.start : first.end])
                if second.number - first.number == 1 and (role or begins):
                    lines.add(folded.low.rfind("\n", 0, first.start) + 1)


_MOST_ABOVE = 9


def _is_plain_name(text: str) -> bool:
    words = text.split()
    return 1 < len(words) < _FEW and all(
        word_kinds.kind_of(word.lower().strip(".")) in {"name", "word"} for word in words
    )


def _add_speakers(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add speakers of a chat: names after times, twice or more."""
    for name in {folded.text[start:end]: None for start, end in speakers(folded)}:
        if " " in name or word_kinds.looks_like_a_name(name, loose=True):
            add(name)


def _add_family_first(folded: FoldedText, lines: set[int], add: Callable[[str], None]) -> None:
    """Add names with the surname first: among people, after a label, before a role, an address or a number."""
    text, low = folded.text, folded.low
    for given in _GIVEN.finditer(text):
        place, first = given.start(), given.group(1).lower()
        listed, clean = first in word_kinds.given_names(), word_kinds.kind_of(first) == "name"
        if not listed and not (clean and text[place - 1].islower()):
            continue
        family = _FAMILY.search(text, max(0, place - _LONGEST_FAMILY), place)
        if family is None:
            continue
        named = f"{family.group(1)}, {given.group(1)}"
        begin = family.start(1)
        if text.rfind("\n", 0, begin) + 1 in lines or before_score(folded, begin) == 3:
            if word_kinds.inverted(named):
                add(named)
        elif listed and clean and not any(map(word_kinds.is_ordinary, _PARTS.split(family.group(1).lower()))):
            behind = given.end(1) + len(given.group(2))
            if _is_reached(low[behind : behind + _LONGEST_CONTACT].partition("\n")[0]):
                add(named)


_LONGEST_CONTACT, _LONGEST_FAMILY = 120, 40
_FAMILY = lazy_re(
    r"(?:(?<=[\n\t>\"])|(?<=[:;*\u2022-] ))((?:(?:de|van|von|al|el|da|der|den)[ -])?[A-Z][\w']+(?:[ -][A-Z][\w']+)?)$"
)
_PARTS = lazy_re(r"[ -]")
_GIVEN = lazy_re(r", (?=([A-Z][\w']+)((?:-\w+)?)(?=[ ]?[,;(|/\n<-]|\.[ ]|$))")


_MOST = 150
_NEAR = 40
_NAME = lazy_re(word_kinds.NAME)
_WORDS = lazy_re(r"\S+")
_GAP = lazy_re(r"\.?(?:[ ]{1,2}|[ ]?\n[ \t>]*)(?:Dr\.?[ ]|Prof\.?[ ]|Mrs?\.?[ ]){0,2}")
#: Titles after which a trade is a surname.
_OF_ANYBODY = frozenset({"mr", "mrs", "ms", "miss", "mx"})
_OF_SEVERAL = frozenset({"drs", "messrs", "profs", "professors"})


@cache
def _titles() -> frozenset[str]:
    return word_list(OTHER_NAME_WORDS.titles)


def other_people(folded: FoldedText, layout: Layout) -> list[Name]:
    """Return the names of other people that titles, labels, references, lists of authors or their places reveal."""
    people: dict[str, Name] = {}

    def add(text: str) -> None:
        first, apart, _ = text.partition("  ")  # two blanks part the lines of a text without line breaks
        text = (first if apart and " " in first.strip() else text).strip(" ,.-–")
        if text and len(people) < _MOST and text not in people:
            name = name_of(text)
            if name.tokens:
                people[text] = name

    _add_titled(folded, add)
    lines = in_blocks(folded, layout, add)
    _add_initialled(folded, add)
    for named in in_prose(folded, lines):
        add(named)
    for start, end in single_places(folded):
        add(folded.text[start:end].removesuffix("'s"))
    return [name for text, name in people.items() if not _is_of_a_thing(folded.text, text, name)]


def _is_of_a_thing(text: str, named: str, name: Name) -> bool:
    """Say whether a name is a firm's, a school's or a place's: a word of theirs is near it, or all are words."""
    if len(name.tokens) > 1 and not any(is_clean(token) or token in word_kinds.given_names() for token in name.tokens):
        return True
    if OTHER_NAME_WORDS.body_after.search(named) is not None:
        return True
    place = text.find(named)
    while place >= 0:
        before = OTHER_NAME_WORDS.thing_before.search(text, max(0, place - _NEAR), place)
        if before is not None or OTHER_NAME_WORDS.body_after.match(text, place + len(named)) is not None:
            return True
        place = text.find(named, place + 1)
    return False


def _add_titled(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add the names after titles, and those joined to them: `Drs. Okafor and Lee`, `Mr. and Mrs. Iqbal`."""
    text = folded.text
    for place in folded.places(_titles()):
        title, start, end = folded.words[place]
        mark = text[end : end + 1]
        written = text[start].isupper() and (title in OTHER_NAME_WORDS.abbreviated if mark == "." else mark in " \n")
        if not written or (text[start:end].isupper() and mark != "." and title in OTHER_NAME_WORDS.degrees_too):
            continue
        for _ in range(_FEW):
            named, end = _after_title(folded, end, title)
            if not named or word_kinds.is_no_person(f"{title} {named.lower()}"):
                break
            add(named)
            joined = OTHER_NAME_WORDS.and_another.match(text, end)
            if joined is None or title not in _OF_SEVERAL:
                break
            end = joined.end() - 1


def _after_title(folded: FoldedText, end: int, title: str) -> tuple[str, int]:
    """Return the name that follows a title, and where it ends; empty where none does."""
    text, job, person = folded.text, title in OTHER_NAME_WORDS.jobs, title in _OF_ANYBODY
    gap = _GAP.match(text, end)
    if gap is None:
        return "", end
    particles = OTHER_NAME_WORDS.leading_particles.match(text, gap.end())
    match = _NAME.match(text, gap.end() if particles is None else particles.end())
    if match is None:
        return "", end
    words = list(_WORDS.finditer(text, *match.span()))
    low = [word.group().lower().strip(".'").removesuffix("'s") for word in words]
    kinds = [word_kinds.kind_of(word) for word in low]
    listed = low[0] in word_kinds.given_names()
    if ("\n" in gap.group() and kinds[0] == "ordinary") or (person and low[0] in OTHER_NAME_WORDS.no_person):
        return "", end
    count = int(not job and (kinds[0] != "job" or person))
    while count < len(words) and (
        len(low[count]) == 1
        or kinds[count] in {"name", "word", "particle"}
        or (kinds[count] == "other" and not job)
        or (count and low[count - 1] in PARTICLES)
        or (listed and count == 1 == len(words) - 1)
    ):
        count += 1
    while count > 1 and low[count - 1] in PARTICLES:
        count -= 1
    if job or title in OTHER_NAME_WORDS.loose:
        is_surname = kinds[0] == "name" and (title not in OTHER_NAME_WORDS.loose or _is_listed(low[0]))
    else:
        is_surname = len(low[0]) > 1 and (person or word_kinds.no_names().get(low[0], "other") == "other")
    if not count or not (count > 1 or particles is not None or is_surname):
        return "", end
    last = words[count - 1].end()
    return text[gap.end() : last].removesuffix("'s"), last


def _is_listed(word: str) -> bool:
    return word in word_kinds.surnames() or word in word_kinds.given_names()


def _add_initialled(folded: FoldedText, add: Callable[[str], None]) -> None:
    """Add surnames with dotted initials before or after them; organisations are hardly written so."""
    for match in _initialled(folded.text):
        after = match.group("after")
        low = (after or match.group("before")).lower().removesuffix("'s")
        initials, kind = "".join(_DOTTED.findall(match.group())), word_kinds.kind_of(low)
        if kind == "particle" or initials in OTHER_NAME_WORDS.no_initials or low in OTHER_NAME_WORDS.degrees:
            continue
        if after and kind in {"other", "ordinary", "job"}:
            continue  # Portland, O.R.
        if kind in {"ordinary", "job"} and before_score(folded, match.start()) < 2:
            continue
        if AROUND_WORDS.organisation_after.match(folded.text, match.end()) is None:
            add(match.group().removesuffix("'s"))


def _initialled(text: str) -> Iterator[re.Match[str]]:
    """Yield surnames with initials; the search starts from the dots, which are few."""
    done = 0
    for dot in _INITIAL.finditer(text):
        begin = dot.start() - 1
        surname = _SURNAME_BEFORE.search(text, max(done, begin - _LONGEST_SURNAME), begin)
        match = None if surname is None else _INITIALLED.match(text, surname.start())
        match = match or _INITIALLED.match(text, begin)
        if match is not None and begin >= done:
            done = match.end()
            yield match


_INITIAL = lazy_re(r"\.(?<=[A-Z]\.)(?<![\w.'&/-]..)")
_SURNAME_BEFORE = lazy_re(r"[A-Z][\w'-]+, $")
_LONGEST_SURNAME = 32
_DOTTED = lazy_re(r"([A-Z])\.")
_PARTICLE = r"(?:(?:van|von|de|der|den|da|di|del|della|dos|du|la|le|al|bin|bint|ibn|ter|zu)[ ]){0,3}"
_INITIALLED = lazy_re(
    rf"(?<![\w.'&/-])(?:(?:[A-Z]\.[ -]{{0,2}}){{1,3}}{_PARTICLE}(?P<before>(?:al-|el-)?[A-Z][\w'-]+)"
    r"(?:[ ](?!(?:I|The|He|She|They|We|It|A|In|An)\b)[A-Z][a-z'-]+)?(?![\w@])"
    rf"|(?P<after>[A-Z][\w'-]+),[ ](?:[A-Z]\.[ -]?){{1,3}}(?![\w.]))"
)
