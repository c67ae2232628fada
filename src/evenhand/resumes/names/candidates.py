"""Where a document tells its person's name: header, labels, phrases, sign-off, footers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evenhand.resumes.layout import Layout, Line
from evenhand.resumes.names.lists import given_names, name_words, no_names, surnames
from evenhand.resumes.names.parts import Name, name_of
from evenhand.resumes.names.shapes import NAME, inverted, looks_like_a_name, segments, uncredentialled
from evenhand.resumes.plain import Plain

__all__ = [
    "Candidate",
    "in_blocks",
    "in_own_script",
    "is_own_label",
    "labelled",
    "near_the_top",
    "phrased",
    "signed",
]

_OWN_LABELS_LISTED = (
    "name|full name|candidate|candidate name|applicant|applicant name|first name|given name|given names|"
    "last name|surname|family name|middle name|middle names|preferred name|preferred first name|known as|"
    "nickname|maiden name|former name|previous name|former names|previous names|also known as|aka|a.k.a.|"
    "formerly|alias|aliases|legal name|name of candidate|name of applicant|candidate's name|applicant's name|"
    "nombre|nombres|nombre completo|nombres y apellidos|nombre y apellidos|nombre y apellido|apellidos y nombres|"
    "primer nombre|segundo nombre|primer apellido|segundo apellido|nombre del candidato|nom et prenom|prenom et nom|"
    "vor- und nachname|vor- und zuname|nome completo|nome e cognome|nome e sobrenome|apellido|"
    "apellidos|nom|prenom|name in full|vorname|nachname|naam|voornaam|achternaam|"
    "nome|cognome|sobrenome|imie i nazwisko|ho ten|ho va ten|birth name|other names|first names|forename|"
    "forenames|name (first, last)|other name|resume|cv|curriculum vitae|resume of|cv of|signature|signed|"
    "declared by|deponent|yours|my name|employee name|employee|professional name|stage name|chinese name|"
    "english name|nee|née"
)
OWN_LABELS = frozenset(_OWN_LABELS_LISTED.split("|"))
_PREFIX = re.compile(
    r"^(?:(?:the )?(?:resume|cv|curriculum vitae|profile|bio(?:graphy)?|personal profile|vita|"
    r"biodata)(?: of| for)?[ ]*[:|–—-]*[ ]+(?=\S)|(?:full )?name[ ]*[:–-]*[ ]+|(?:mr|mrs|ms|"
    r"mx|miss|dr|prof|sir|dame|er|ar|adv)\.?[ ]+)+",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:[Cc][Vv]|[Rr](?:esume|ESUME)|[Cc](?:urriculum [Vv]itae|URRICULUM VITAE)|[Pp]rofile|"
    r"[Bb]iography|[Aa]pplication|[Cc]over [Ll]etter|[Vv]ita) (?:of|for|from|by)[ ]+(?:Mr\.?|"
    r"Mrs\.?|Ms\.?|Dr\.?)?[ ]*(?P<a>"
    + NAME
    + r"(?:,[ ]"
    + NAME
    + r")?)|\b(?:[Mm]y (?:full )?name is|[Ii] am called|[Cc]all me|[Pp]lease call me|[Ii] go by|[Gg]oes by)[ ]+(?P<b>"
    + NAME
    + (
        r")|\b(?:[Ff]ormerly(?: known as)?|[Pp]reviously(?: known as)?|[Nn]ee|[Bb]orn as|[Aa]lso "
        r"known as|[Aa]\.?k\.?a\.?|[Mm]aiden name|[Kk]nown as|[Pp]referred name|[Nn]ow known as|"
        r"[Pp]reviously published as|[Pp]ublished as|[Pp]ublishes as|[Gg]eb\.|[Gg]eborene)[ ]*:?[ "
        r"]+(?P<c>"
    )
    + NAME
    + r")|(?:^|\n|[.!,][ ])(?:[Hh]i,? |[Hh]ello,? )?(?:[Ii] am|[Ii]'m)[ ]+(?P<d>"
    + NAME
    + r")(?=[,.!]| and I\b)"
)
_CLOSING = re.compile(
    r"^(?:yours (?:sincerely|faithfully|truly)|sincerely(?: yours)?|(?:kind|best|warm|kindest|"
    r"warmest|with (?:kind|best|warm))(?:est)? regards|regards|respectfully(?: (?:yours|submitted))?|"
    r"signature|signed|thank you(?: for your (?:time|consideration).*)?|thanks|best|cheers|cordially|"
    r"best wishes|with appreciation|mit freundlichen gru(?:ss|ß)en|cordialement|atentamente|"
    r"saludos)[,.:!]?$"
)
_CLOSING_LETTERS = frozenset("ysrkbwtcma")
_PAGE_WORDS = re.compile(
    r"(?:\bpage\b|\bp\.)?[ ]*\d+(?:[ ]*(?:/|of)[ ]*\d+)?|\bcontinued\b|\bconfidential\b|\bresume\b|"
    r"\bcv\b|\bcurriculum vitae\b|\bpage\b",
    re.IGNORECASE,
)
_PAGE_HINTS = ("page", "continued", "confidential", "p. ")
_FIRST_LINES = 12
_VALUE_END = re.compile(
    r"[|;(\n\t•]|[ ]{2,}|\d|,(?=[^,]*,)|[ ][-–][ ]|\b(?:Date|Gender|DOB|Email|E-mail|Phone|Tel|"
    r"Age|Sex)\b|(?<=\w\w)\.[ ]"
)


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A name somewhere, and how strongly the place speaks for it; `sure`: the place says that it is a name."""

    name: Name
    score: int
    sure: bool = False


def near_the_top(plain: Plain, layout: Layout) -> list[Candidate]:
    """Return what looks like a name in the block before the first section, the first line most."""
    found: list[Candidate] = []
    seen = 0
    spaced = {start: (word, end) for word, start, end in layout.spaced}
    for number, line in enumerate(layout.lines):
        if line.heading:
            if seen:
                break
            continue
        if seen >= _FIRST_LINES or line.section in {"education", "languages"}:
            break
        text = plain.text[line.start : line.end]
        joined = [(word, end) for start, (word, end) in spaced.items() if line.start <= start < line.end]
        pieces = [" ".join(word.title() for word, _ in joined)] if joined else []
        pieces += [text[start:end] for start, end in segments(text)] if not joined else []
        if len(pieces) == 1 and " " not in text and not joined:
            pieces = [_stacked(plain, layout.lines, number)[1]]
        for place, piece in enumerate(pieces):
            candidate = _in_header(piece, line=seen, piece=place)
            if candidate is not None:
                found.append(candidate)
        if _is_title_line(text):
            continue
        seen += 1
    return found


def _is_title_line(text: str) -> bool:
    """Say whether a line only says what the document is."""
    words = text.lower().strip(" :.-_*#").split()
    return all(no_names().get(word) == "section" for word in words) if words else True


def _in_header(text: str, *, line: int, piece: int) -> Candidate | None:
    text = _PREFIX.sub("", text.strip(" *#_=-.:\t"))
    text = uncredentialled(text)
    last_first = inverted(text)
    if not last_first:
        text, comma, after = text.partition(",")
        if comma and _is_place(after):
            return None
    lower = text.islower()
    plausible = last_first or looks_like_a_name(text, lower=lower)
    # A word of résumés may be a surname (Grace Major): then an address or the like has to agree.
    if not plausible and not (len(text.split()) > 1 and _has_another_word(text)):
        return None
    name = name_of(text)
    if not name.tokens:
        return None
    score = 0 if plausible else -3
    score += (3 if line == 0 else 2 if line == 1 else 1) - (1 if piece else 0)
    score += listed_score(name)
    if len(name.tokens) == 1 and not name.particles and _WITH_INITIALS.match(text) is None:
        score -= 2
    if lower:
        score -= 3
    kinds = [name_words().get(token) for token in name.tokens]
    if all(kind in {"place", "tool", "organisation", "month"} for kind in kinds):
        score -= 2
    if text.isupper() and line < 3 and len(name.tokens) > 1:
        score += 1
    return Candidate(name=name, score=score)


_WITH_INITIALS = re.compile(r"[A-Z]\.[ ]?")


def _is_place(text: str) -> bool:
    words = text.split()
    return bool(words) and all(
        no_names().get(word.lower().strip(".")) == "place" or (len(word) == 2 and word.isupper()) for word in words[:2]
    )


def _has_another_word(text: str) -> bool:
    words = text.lower().split()
    return (len(words) < 4 and looks_like_a_name(text, loose=True)) or (
        len(words) == 2 and any(looks_like_a_name(word) for word in text.split()) and text.replace(" ", "").isalpha()
    )


def listed_score(name: Name) -> int:
    """Return 2 for a frequent given name and 1 for a frequent surname: a list only ever adds."""
    words = name_words()
    given = any(token in given_names() and token not in words for token in name.tokens)
    family = any(token in surnames() and token not in words for token in name.tokens)
    return (2 if given else 0) + (1 if family else 0)


def is_own_label(label: str) -> bool:
    """Say whether a label is a name's, or made of such: `First name(s) / Surname(s)`.

    >>> is_own_label("surname"), is_own_label("first name(s) / surname(s)"), is_own_label("company name")
    (True, True, False)
    """
    if label in OWN_LABELS:
        return True
    if "name" not in label:
        return False
    parts = [part.strip() for part in re.split(r"[/&,]| and | or ", label.replace("(s)", ""))]
    return all(part in OWN_LABELS or part.removesuffix("s") in OWN_LABELS for part in parts)


def in_blocks(plain: Plain, layout: Layout) -> list[Candidate]:
    """Return what looks like a name above contact details or a job title: columns and footers end up anywhere."""
    found: list[Candidate] = []
    lines = layout.lines
    for place, line in enumerate(lines):
        length = line.end - line.start
        if line.heading or length > _LONGEST_LINE or place + 1 >= len(lines):
            continue
        before = lines[place - 1] if place else None
        if before is not None and not before.heading and line.number - before.number < 2:
            continue
        last, text = _stacked(plain, lines, place)
        around = _below(plain, lines, last)
        if around:
            candidate = _in_header(text, line=1, piece=0)
            if candidate is not None:
                found.append(Candidate(name=candidate.name, score=candidate.score + around))
    return found


def _stacked(plain: Plain, lines: list[Line], place: int) -> tuple[int, str]:
    """Return a line, with those under it where each holds one word of a name; and the last of them."""
    text = plain.text[lines[place].start : lines[place].end]
    last = place
    while (
        " " not in plain.text[lines[last].start : lines[last].end]
        and last + 1 < len(lines)
        and last - place < _STACKED
        and lines[last + 1].number - lines[last].number == 1
        and not lines[last + 1].heading
        and " " not in (word := plain.text[lines[last + 1].start : lines[last + 1].end])
        and (looks_like_a_name(word) or _INITIAL.fullmatch(word) is not None)
    ):
        last += 1
        text = f"{text} {word}"
    return last, text


def _below(plain: Plain, lines: list[Line], place: int) -> int:
    """Return 1 for a job title under a line and 1 for contact details in the next ones."""
    score = 0
    for step, line in enumerate(lines[place + 1 : place + 5]):
        low = plain.low[line.start : line.end]
        first = low.split(" ", 2)[:2] if low else []
        if step == 0 and len(low) < _LONGEST_LINE and any(no_names().get(word) == "job" for word in first):
            score += 1
        if "@" in low or _CONTACT.search(low) is not None:
            return score + 1
    return score


_LONGEST_LINE = 60
_STACKED = 4
_INITIAL = re.compile(r"[A-Z]\.?")
_CONTACT = re.compile(r"\+?\(?\d{2,4}[) ./-]{1,2}\d{2,4}[ ./-]\d{2}|linkedin|\bp\.?o\.? box\b|\d{5}")


def labelled(plain: Plain, layout: Layout) -> list[Candidate]:
    """Return the values of fields such as Name, Surname, Maiden name."""
    found = []
    for field in layout.fields:
        if not is_own_label(field.label):
            continue
        value = plain.text[field.start : field.end]
        end = _VALUE_END.search(value)
        value = _PREFIX.sub("", value[: end.start()] if end is not None else value).strip(" .,;-")
        value = uncredentialled(value)
        if not inverted(value):
            value = value.split(",")[0]
        weak = field.label in {
            "resume",
            "cv",
            "curriculum vitae",
            "employee",
            "candidate",
            "applicant",
            "yours",
            "signed",
            "signature",
            "resume of",
            "alias",
        }
        if (
            value
            and looks_like_a_name(value, lower=not weak and len(value.split()) < 4, loose=not weak)
            and (not weak or len(value.split()) > 1)
        ):
            name = name_of(value)
            if name.tokens:
                found.append(Candidate(name=name, score=8, sure=True))
    return found


_OWN_HINTS = (
    *(
        "cv ",
        "resume ",
        "vitae ",
        "profile ",
        "biography ",
        "application ",
        "cover letter ",
        "name is",
        "called ",
        "call me",
    ),
    *(
        "i go by",
        "goes by",
        "formerly",
        "previously",
        "nee ",
        "born as",
        "known as",
        "a.k.a",
        "aka ",
        "maiden",
        "preferred",
    ),
    *("published as", "publishes as", "geb.", "geborene", "i am ", "i'm "),
)


def phrased(plain: Plain) -> list[Candidate]:
    """Return names in phrases that only a person's own name follows: CV of, my name is, formerly."""
    found = []
    for match in _own_phrases(plain):
        group = next(key for key in "abcd" if match.group(key) is not None)
        text = match.group(group)
        if group == "a" and "," in text and not inverted(text):
            text = text.split(",")[0]
        text = _upto_no_name(text)
        if not text or (
            group == "d"
            and len(text.split()) < 2
            and name_of(text).tokens[:1]
            and name_of(text).tokens[0] not in given_names()
        ):
            continue
        name = name_of(text)
        if name.tokens:
            found.append(Candidate(name=name, score=6 if group != "d" else 4, sure=True))
    return found


#: A name in its own script, beside its Latin form or on a line near the top.
_OWN_SCRIPT = re.compile(
    r"[A-Za-z.'][ ]?[(|/][ ]?((?:[\u0370-\ud7ff]+[ ]?){1,4})[ ]?[)|/\n]|(?:^|\n)[ ]*((?:[\u0370-\u1dff\u"
    r"3040-\ud7ff]+[ ]?){1,4})(?=\n|$|[|(])"
)


def in_own_script(plain: Plain) -> list[Candidate]:
    """Return names in scripts other than Latin."""
    if plain.starts is None or max(plain.text) < "\u0370":
        return []
    names = [name_of(match.group(1) or match.group(2)) for match in _OWN_SCRIPT.finditer(plain.text)]
    return [Candidate(name=name, score=4, sure=True) for name in names if name.tokens]


def _own_phrases(plain: Plain) -> Iterator[re.Match[str]]:
    """Yield the phrases, looked for only around the words that begin them."""
    places: set[int] = set()
    for hint in _OWN_HINTS:
        place = plain.low.find(hint)
        while place >= 0:
            places.add(place)
            place = plain.low.find(hint, place + 1)
    last = 0
    for place in sorted(places):
        match = _OWN.search(plain.text, max(last, place - 3), min(len(plain.text), place + 140))
        if match is not None and match.start() <= place + 3:
            last = match.end()
            yield match


def _upto_no_name(text: str) -> str:
    """Return the beginning of a text that looks like a name."""
    words = text.split(" ")
    while words and not looks_like_a_name(" ".join(words)):
        words.pop()
    return " ".join(words)


def signed(plain: Plain, layout: Layout) -> list[Candidate]:
    """Return names under a letter's closing, and in page footers."""
    found = []
    lines = layout.lines
    for place, line in enumerate(lines):
        low = plain.low[line.start : line.end]
        if len(low) < 60 and low[0] in _CLOSING_LETTERS and _CLOSING.match(low) is not None:
            for following in lines[place + 1 : place + 3]:
                text = uncredentialled(plain.text[following.start : following.end].strip(" *_-/"))
                if looks_like_a_name(text):
                    found.append(Candidate(name=name_of(text), score=4, sure=len(text.split()) > 1))
                    break
        elif place > 2 and len(low) < 90 and any(word in low for word in _PAGE_HINTS):
            for start, end in segments(_PAGE_WORDS.sub("|", plain.text[line.start : line.end])):
                text = _PAGE_WORDS.sub("|", plain.text[line.start : line.end])[start:end].strip(" ,.-–:()")
                if len(text.split()) > 1 and (inverted(text) or looks_like_a_name(text)):
                    found.append(Candidate(name=name_of(text), score=3))
    return [candidate for candidate in found if candidate.name.tokens]
