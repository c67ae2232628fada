"""Names of other people in a document: referees, managers, relatives, anyone with a title."""

import re
from collections.abc import Callable

from evenhand.resumes.layout import Layout
from evenhand.resumes.names.lists import given_names, is_no_name, name_words, surnames
from evenhand.resumes.names.parts import PARTICLES, Name, name_of
from evenhand.resumes.names.shapes import NAME, inverted, looks_like_a_name, segments, uncredentialled
from evenhand.resumes.names.usage import VERB
from evenhand.resumes.plain import Plain

__all__ = ["other_people"]

_LABELS_LISTED = (
    "reference|references|referee|referees|supervisor|manager|line manager|reports to|reporting to|report to|"
    "contact person|contact|emergency contact|father's name|father name|mother's name|mother name|spouse name|"
    "spouse's name|name of spouse|husband's name|wife's name|guardian|next of kin|advisor|adviser|thesis advisor|"
    "thesis supervisor|research advisor|mentor|mentors|academic advisor|academic reference|"
    "professional reference|reference 1|reference 2|reference 3|referee 1|referee 2|interviewer|recruiter|"
    "dissertation advisor|phd advisor|principal investigator|pi|s/o|d/o|w/o|son of|daughter of|wife of|co-author|"
    "co-authors|authors|collaborators|father|mother|spouse|husband|wife"
)
_LABELS = frozenset(_LABELS_LISTED.split("|"))
_TITLE = re.compile(
    r"\b(?:Mr|Mrs|Ms|Mx|Miss|Dr|Prof|Professor|Sir|Dame|Madam|Rev|Reverend|Herr|Frau|Mme|Senor|"
    r"Senora|Shri|Smt|Sheikh|Imam|Rabbi|Pastor|Fr|Capt|Captain|Col|Colonel|Sgt|Judge|MR|MRS|"
    r"MS|DR|PROF)"
    r"(?:\.[ ]?|[ ])(?:(?:Dr|Prof|Ing|Dipl|h\.c)\.?[ -]){0,2}(?P<name>" + NAME + ")"
)
_ROLE = re.compile(
    r"\b(?:[Ss]upervis(?:ed by|or|ors)|[Rr]eport(?:s|ed|ing)? (?:directly )?to|[Mm]entor(?:ed "
    r"by)?|[Mm]anaged by|[Ll]ed by|[Aa]dvis(?:ed by|or|er)|[Rr]eferees?|[Rr]eferences?|[Rr]ecommended "
    r"by|"
    r"[Rr]eferred by|[Nn]ominated by|[Hh]ired by|[Mm]anager|[Cc]olleagues?|[Pp]artner|[Aa]longside|"
    r"[Tt]utor(?:ed by)?|[Tt]aught by|[Cc]oached by|[Cc]ontact|[Ss]igned by|[Aa]pproved by|[Ww]orked "
    r"with|[Ww]orking with|[Uu]nder|"
    r"[Hh]usband|[Ww]ife|[Ff]ather|[Mm]other|[Ss]pouse|[Ff]riend|[Ii]nterpreter|[Aa]ssistant "
    r"to|[Bb]rother|[Ss]ister|[Ss]on of|[Dd]aughter of|s/o|d/o|w/o)"
    r"[ ]?(?:,|:|is|was)?[ ]+(?:(?:my|our|the|a)[ ]+(?:\w+[ ]){1,3})?(?P<name>" + NAME + ")"
)
_ORGANISATION_AFTER = re.compile(
    r"[ ]?(?:&|and)[ ][A-Z]|[ ](?:Inc|LLC|Ltd|LLP|Corp|Co|GmbH|PLC|plc|AG|SA|BV|Group|Bank|Brothers|"
    r"Bros|Sons|Associates|Partners|Foundation|Institute|University|College|School|"
    r"Hospital|Clinic|Church|Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Park|Award|Prize|Scholarship|"
    r"Scholar|Fellow|Fellowship|Center|Centre|Library|Museum|Stadium|Airport|County|City|"
    r"Airlines|Motors|Stores|Media|Labs?|Laborator\w+|Consulting|Capital|Securities|Insurance|"
    r"Hotel|Memorial|Medical|Society|Academy|Trust|Fund|Theat(?:re|er)|Method|Model|Theorem|"
    r"Test|Effect|Distribution|Algorithm|Hall|House|Building|Tower|Bridge|River|Lake|Island|"
    r"Beach|Bay|Valley|Mountain|Port|Team|District|Elementary|Middle|High|Law|Health|Engineering|"
    r"Construction|Logistics|Energy|Foods?|Farms?|Press|Books|News|Times|Herald|Post)\b"
)
_ROLE_AFTER = re.compile(
    r"[ ]*[,(–-][ ]*(?:\w+[ ]){0,3}?(?:manager|director|professor|head|lead|supervisor|engineer|"
    r"ceo|cto|cfo|coo|vp|president|principal|dean|teacher|consultant|partner|owner|founder|chief|"
    r"coordinator|officer|doctor|nurse|colleague|mentor|advisor|lecturer|editor|pastor|captain|"
    r"chair\w*)\b",
    re.IGNORECASE,
)
_MOST = 40


def other_people(plain: Plain, layout: Layout) -> list[Name]:  # noqa: C901 - one loop per kind of evidence
    """Return the names of other people that titles, labels, roles, a references section or frequent names reveal."""
    found: dict[str, Name] = {}

    def add(text: str) -> None:
        text = text.strip(" ,.-–")
        if text and len(found) < _MOST:
            name = name_of(text)
            if name.tokens:
                found.setdefault(text, name)

    text = plain.text
    for match in _TITLE.finditer(text):
        add(_name_part(match.group("name"), least=1))
    for match in _ROLE.finditer(text):
        named = _name_part(match.group("name"), least=2)
        if named and _ORGANISATION_AFTER.match(text, match.start("name") + len(named)) is None and _is_person(named):
            add(named)
    for field in layout.fields:
        if field.label in _LABELS:
            for start, end in segments(text[field.start : field.end]):
                piece = uncredentialled(text[field.start : field.end][start:end])
                part = _name_part(piece.split(",")[0].split("(")[0], least=2)
                if part and (_is_person(part) or field.label not in {"contact", "manager", "reports to", "mentor"}):
                    add(part)
    _add_from_references(plain, layout, add)
    _add_frequent(plain, add)
    return list(found.values())


def _is_person(text: str) -> bool:
    """Say whether two words or more may be a person: none of them a tool or place alone."""
    tokens = name_of(text).tokens
    kinds = name_words()
    return any(
        token in given_names() or token in surnames() or kinds.get(token) in {None, "word"} for token in tokens
    ) and not all(kinds.get(token) in {"tool", "organisation", "place"} for token in tokens)


def _name_part(text: str, *, least: int) -> str:
    """Return the beginning of a text that is a name of so many words at least, else nothing."""
    words = text.strip(" \"'").split()
    while words and (not looks_like_a_name(" ".join(words)) or words[-1].lower().strip(".") in PARTICLES):
        words.pop()
    return " ".join(words) if len(words) >= least else ""


def _add_from_references(plain: Plain, layout: Layout, add: Callable[[str], None]) -> None:
    for line in layout.lines:
        if line.section != "references" or line.heading:
            continue
        text = plain.text[line.start : line.end].lstrip(" -•*0123456789.)")
        for start, end in segments(text):
            piece = uncredentialled(text[start:end])
            if inverted(piece) and len(piece.split()) < 5 and "," in piece and _all_names(piece):
                add(piece)
                continue
            for part in piece.split(","):
                named = part.split("(")[0].strip()
                if len(named.split()) > 1 and looks_like_a_name(named):
                    add(named)
                    break
                if ":" in named:
                    named = named.split(":", 1)[1].strip()
                    if len(named.split()) > 1 and looks_like_a_name(named):
                        add(named)
                        break


def _all_names(text: str) -> bool:
    return any(token in given_names() for token in name_of(text).tokens)


def _add_frequent(plain: Plain, add: Callable[[str], None]) -> None:
    """Add a frequent given name with what follows it, where that looks like a surname."""
    given, family, kinds = given_names(), surnames(), name_words()
    text, words = plain.text, plain.words
    for place in range(len(words) - 1):
        word, start, end = words[place]
        following = words[place + 1][0]
        if word not in given and following not in family:
            continue
        if not text[start].isupper() or (place and _joins(text, words[place - 1], start)):
            continue
        if word not in given and (is_no_name(word) or word in kinds or following in kinds or len(word) < 3):
            continue
        last = _surname_end(plain, place)
        if last <= end or _ORGANISATION_AFTER.match(text, last) is not None:
            continue
        named = text[start:last]
        done_by_a_person = VERB.match(text, last) is not None or _ROLE_AFTER.match(text, last) is not None
        listed = following in family and following not in kinds
        if word in given:
            if word not in kinds or listed or done_by_a_person:
                add(named)
        elif done_by_a_person:
            add(named)


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
