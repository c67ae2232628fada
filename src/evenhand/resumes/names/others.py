"""Names of other people in a document: referees, managers, relatives, anyone with a title."""

import re
from collections.abc import Callable
from functools import cache

from evenhand.resumes.layout import Layout
from evenhand.resumes.names.around import KINDS_OF_PEOPLE, LABELS, ORGANISATION_AFTER, ROLE_AFTER
from evenhand.resumes.names.authors import authors
from evenhand.resumes.names.lists import given_names, is_no_name, name_words, no_names, surnames
from evenhand.resumes.names.parts import PARTICLES, Name, name_of
from evenhand.resumes.names.prose import in_prose, is_ordinary
from evenhand.resumes.names.shapes import NAME, inverted, looks_like_a_name, segments, uncredentialled
from evenhand.resumes.names.usage import VERB
from evenhand.resumes.plain import Plain

__all__ = ["other_people"]

_MOST = 40
_TITLES = frozenset(
    (
        *(
            "mr",
            "mrs",
            "ms",
            "mx",
            "miss",
            "dr",
            "prof",
            "professor",
            "sir",
            "dame",
            "madam",
            "rev",
            "reverend",
            "herr",
        ),
        *(
            "frau",
            "mme",
            "senor",
            "senora",
            "shri",
            "smt",
            "sheikh",
            "imam",
            "rabbi",
            "pastor",
            "capt",
            "captain",
            "col",
        ),
        *("colonel", "sgt", "judge"),
    )
)
#: The last word before a name, and the words one of which stands before it; empty: any.
_CUES: dict[str, frozenset[str]] = {
    "by": frozenset(
        (
            *("supervised", "mentored", "managed", "recommended", "referred", "nominated", "led", "advised", "taught"),
            *(
                "coached",
                "hired",
                "signed",
                "approved",
                "trained",
                "tutored",
                "introduced",
                "chaired",
                "endorsed",
                "edited",
            ),
        )
    ),
    "to": frozenset({"reported", "reporting", "reports", "report", "assistant", "directly", "thanks", "successor"}),
    "with": frozenset({"closely", "code", "paired", "pairing", "prize", "together", "jointly", "award", "co-authored"}),
    "under": frozenset({"worked", "trained", "studied", "served", "directly", "thesis", "research"}),
    **dict.fromkeys(
        ("mentored", "tutored", "coached", "supervised", "onboarded", "succeeded", "alongside", "dear"), frozenset()
    ),
    **dict.fromkeys(("mentoring", "coaching", "supervising", "tutoring", "succeeding"), frozenset()),
}
#: People, right before their name: `my manager, Tom Field`, `her mentor Ana Ruiz`.
_PEOPLE_LISTED = (
    "manager supervisor colleague mentor advisor adviser tutor referee reference references "
    "referees husband wife father mother spouse "
    "friend brother sister boss interpreter partner contact professor coach guardian predecessor successor"
)
_PEOPLE = frozenset(_PEOPLE_LISTED.split())
#: Words of résumés that are surnames as well, after a title.
_SURNAMES_TOO = frozenset(
    {"head", "page", "case", "day", "house", "court", "major", "best", "good", "coach", "law", "strong"}
)
_WEAK = frozenset(
    {
        "with",
        "by",
        "to",
        "and",
        "from",
        "met",
        "thank",
        "told",
        "under",
        "helped",
        "replaced",
        "replacing",
        "covering",
        "for",
    }
)
_OF_A_PERSON = frozenset({"my", "our", "his", "her", "their", "former", "line", "direct", "late", "the"})
_NAME = re.compile(NAME)
_LEADING_PARTICLES = re.compile(
    r"(?:(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|el|al|bin|ibn|ter|ten)[ ]){1,3}(?=[A-Z])"
)
_GAP_TO_NAME = re.compile(r"\.?[ ]{1,2}|,[ ]|:[ ]{1,2}")
_AND = re.compile(r",?[ ](?:and|&|AND|y|und)[ ]")
_HALF_DOZEN = 6


def other_people(plain: Plain, layout: Layout) -> list[Name]:
    """Return the names of other people that titles, labels, roles, references, authors or frequent names reveal."""
    found: dict[str, Name] = {}

    def add(text: str) -> None:
        text = text.strip(" ,.-–")
        if text and len(found) < _MOST:
            name = name_of(text)
            if name.tokens:
                found.setdefault(text, name)

    text = plain.text
    _add_from_words(plain, add)
    for field in layout.fields:
        if field.label in LABELS or KINDS_OF_PEOPLE.search(field.label) is not None:
            value = text[field.start : field.end]
            for start, end in segments(value):
                part = _name_part(uncredentialled(value[start:end]).split(",")[0].split("(")[0], least=2)
                if part and (_is_person(part) or field.label not in {"contact", "manager", "reports to", "mentor"}):
                    add(part)
    _add_from_references(plain, layout, add)
    _add_initialled(plain, add)
    for named in in_prose(plain):
        add(named)
    for author in authors(plain):
        add(author)
    return list(found.values())


@cache
def _keys() -> frozenset[str]:
    """Return all words at which something is looked for."""
    return _TITLES | frozenset(_CUES) | _PEOPLE | _WEAK | given_names() | surnames()


def _add_from_words(plain: Plain, add: Callable[[str], None]) -> None:  # noqa: C901, PLR0912 - one branch per kind of cue
    """Add the names after titles, people's roles and what is done with people, and frequent names."""
    words, text = plain.words, plain.text
    given, family = given_names(), surnames()
    keys = _keys()
    done = 0
    for place in plain.places(keys):
        word, start, end = words[place]
        if word in _TITLES:
            if text[start].isupper() and text[end : end + 1] in {".", " "}:
                named, _ = _name_after(plain, end, least=1)
                if not named and (text[end : end + 2] in {". ", " H"} or text[start:end].istitle()):
                    following = _NAME.match(text, end + (2 if text[end : end + 1] == "." else 1))
                    named = following.group().split(" ")[0] if following is not None else ""
                    kind = no_names().get(named.lower(), "other" if named else "section")
                    named = "" if kind != "other" and named.lower() not in _SURNAMES_TOO else named
                if named:
                    add(named)
            continue
        before = words[place - 1][0] if place else ""
        if word in _CUES and (not _CUES[word] or before in _CUES[word]):
            done = _add_run(plain, end, least=1, add=add)
        elif word in _PEOPLE:
            comma = text[end : end + 1] == ","
            if before in _OF_A_PERSON or not comma:
                done = _add_run(plain, end, least=2, add=add)
                if before in _OF_A_PERSON and place + 1 < len(words) and words[place + 1][0] in given:
                    _add_listed(plain, end, add)
        elif word in _WEAK:
            if place + 1 < len(words) and words[place + 1][0] in given:
                _add_listed(plain, end, add)
        elif start < done or not text[start].isupper():
            continue
        elif word in given and place + 1 < len(words):
            _add_frequent(plain, place, add)
        elif word in family and place and before not in given:
            _add_frequent(plain, place - 1, add)


def _add_run(plain: Plain, end: int, *, least: int, add: Callable[[str], None]) -> int:
    """Add a name and those joined to it by `and`; return where they end."""
    for _ in range(_HALF_DOZEN):
        named, last = _name_after(plain, end, least=least)
        if not named or not _may_be_a_person(plain, named, last, least=least):
            break
        add(named)
        joined = _AND.match(plain.text, last)
        end = last
        if joined is None:
            break
        end = joined.end() - 1
    return end


def _may_be_a_person(plain: Plain, named: str, last: int, *, least: int) -> bool:
    if plain.text[max(0, last - len(named) - 6) : last].isupper() and not _is_listed(named):
        return False  # all capitals: 'REVIEWED THE TUTORING ROTA'
    if ORGANISATION_AFTER.match(plain.text, last) is not None and _AND.match(plain.text, last) is None:
        return False
    tokens = name_of(named).tokens
    if len(tokens) > 1:
        return _is_person(named) and not all(is_ordinary(token) for token in tokens)
    return least == 1 and name_words().get(tokens[0] if tokens else "") not in {
        "tool",
        "organisation",
        "place",
        "month",
    }


def _is_listed(named: str) -> bool:
    return any(token in given_names() or token in surnames() for token in name_of(named).tokens)


def _name_after(plain: Plain, end: int, *, least: int) -> tuple[str, int]:
    """Return the name that follows a place, and where it ends; empty where none does."""
    text = plain.text
    gap = _GAP_TO_NAME.match(text, end)
    if gap is None:
        return "", end
    start = gap.end()
    particles = _LEADING_PARTICLES.match(text, start)
    first = particles.end() if particles is not None else start
    match = _NAME.match(text, first)
    if match is None:
        return "", end
    loose = least == 1 and not match.group().isupper()
    named = _name_part(match.group(), least=1 if particles is not None else least, loose=loose)
    return (text[start : first + len(named)], first + len(named)) if named else ("", end)


def _add_initialled(plain: Plain, add: Callable[[str], None]) -> None:
    """Add surnames with dotted initials before them; organisations are hardly written so."""
    for match in _INITIALLED.finditer(plain.text):
        surname = match.group(1).lower()
        if not is_ordinary(surname) and ORGANISATION_AFTER.match(plain.text, match.end()) is None:
            add(match.group())


_INITIALLED = re.compile(
    r"(?<![\w.])(?:[A-Z]\.[ ]?){1,3}(?:(?:van|von|de|der|den|del|da|di|al|bin)[ ])*([A-Z][\w'-]+)(?![\w.])"
)


def _add_listed(plain: Plain, end: int, add: Callable[[str], None]) -> None:
    """Add a frequent given name that stands alone after `with`, `by`, `for`."""
    named, last = _name_after(plain, end, least=1)
    tokens = name_of(named).tokens if named else ()
    if tokens and tokens[0] not in name_words() and ORGANISATION_AFTER.match(plain.text, last) is None:
        add(named)


def _is_person(text: str) -> bool:
    """Say whether two words or more may be a person: none of them a tool or place alone."""
    tokens = name_of(text).tokens
    kinds = name_words()
    return any(
        token in given_names() or token in surnames() or kinds.get(token) in {None, "word"} for token in tokens
    ) and not all(kinds.get(token) in {"tool", "organisation", "place"} for token in tokens)


def _name_part(text: str, *, least: int, loose: bool = False) -> str:
    """Return the beginning of a text that is a name of so many words at least, else nothing."""
    words = text.strip(" \"'").split()
    while words and (not looks_like_a_name(" ".join(words), loose=loose) or words[-1].strip(".") in PARTICLES):
        words.pop()
    return " ".join(words) if len(words) >= least else ""


def _add_from_references(plain: Plain, layout: Layout, add: Callable[[str], None]) -> None:
    for line in layout.lines:
        if line.section != "references" or line.heading:
            continue
        text = plain.text[line.start : line.end].lstrip(" -•*0123456789.)")
        for start, end in segments(text)[:_FIRST_SEGMENTS]:
            piece = _TITLED.sub("", uncredentialled(text[start:end]))
            if inverted(piece) and len(piece.split()) < 5 and _all_names(piece):
                add(piece)
                break
            named = piece.split(",")[0].split("(")[0].rpartition(":")[2].strip()
            if len(named.split()) > 1 and looks_like_a_name(named, loose=True):
                add(named)
                break


_FIRST_SEGMENTS = 2
_TITLED = re.compile(r"^(?:(?:Mr|Mrs|Ms|Mx|Miss|Dr|Prof|Professor|MR|MRS|MS|DR|PROF)\.?[ ]+)+")


def _all_names(text: str) -> bool:
    return any(token in given_names() for token in name_of(text).tokens)


def _add_frequent(plain: Plain, place: int, add: Callable[[str], None]) -> None:
    """Add a frequent given name with what follows it, where that looks like a surname, or the other way about."""
    given, family, kinds = given_names(), surnames(), name_words()
    text, words = plain.text, plain.words
    word, start, end = words[place]
    following = words[place + 1][0]
    if not text[start].isupper() or (place and _joins(text, words[place - 1], start)):
        return
    if word not in given and (is_no_name(word) or word in kinds or following in kinds or len(word) < 3):
        return
    last = _surname_end(plain, place)
    if last <= end or ORGANISATION_AFTER.match(text, last) is not None:
        return
    done_by_a_person = VERB.match(text, last) is not None or ROLE_AFTER.match(text, last) is not None
    listed = following in family and following not in kinds
    cued = bool(place) and words[place - 1][0] in _WEAK and text[words[place - 1][1]].islower()
    if done_by_a_person or (cued and listed) or (word in given and (word not in kinds or listed)):
        add(text[start:last])


def _joins(text: str, previous: tuple[str, int, int], start: int) -> bool:
    """Say whether a capitalised word stands right before: the name would begin there, or it is no name."""
    gap = text[previous[2] : start]
    return gap in {" ", "-", "'", "&", " & ", "/"} and (
        (text[previous[1]].isupper() and not is_no_name(previous[0])) or gap in {"-", " & "}
    )


def _surname_end(plain: Plain, place: int) -> int:
    """Return where the surname after a given name ends; the given name's end where none follows."""
    text, words = plain.text, plain.words
    last = words[place][2]
    taken = 0
    for step in range(place + 1, min(place + 6, len(words))):
        word, start, end = words[step]
        gap = text[words[step - 1][2] : start]
        if gap not in {" ", "-", ". ", "'"} or (gap == ". " and len(words[step - 1][0]) > 1):
            break
        if word in PARTICLES and text[start].islower():
            continue
        if not text[start].isupper() or is_no_name(word) or any(letter.isdigit() for letter in word):
            break
        if len(word) > 1 and text[start:end].isupper() and not text[words[place][1] : words[place][2]].isupper():
            break
        if taken > 2:
            break
        taken += len(word) > 1
        last = end - 2 if word.endswith("'s") else end
        if word.endswith("'s"):
            break
    return last if taken else words[place][2]
