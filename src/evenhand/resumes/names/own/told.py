"""Places that tell a name: fields, table cells, elements."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import itemgetter

from evenhand.patterns import lazy_re
from evenhand.resumes.names.lists import name_words, no_names
from evenhand.resumes.names.own.candidates import Candidate, is_clean, unprefixed
from evenhand.resumes.names.parts import name_of
from evenhand.resumes.names.shapes import inverted, looks_like_a_name, uncredentialled
from evenhand.resumes.text.folded_text import FoldedText, word_list
from evenhand.resumes.text.layout import Field, Layout

__all__ = ["is_own_label", "labelled"]

_OWN_LABELS_LISTED = (
    "name|full name|candidate|candidate name|applicant|applicant name|first name|given name|given names|"
    "last name|surname|family name|middle name|middle names|preferred name|preferred first name|known as|"
    "nickname|maiden name|former name|previous name|former names|previous names|also known as|aka|a.k.a.|"
    "former name on file|previous name on file|name on file|"
    "previous surname|former surname|birth surname|maiden surname|previous last name|former last name|other names used|"
    "birthname|maidenname|candidatename|candidate_name|applicantname|applicant_name|personname|displayname|"
    "legal_name|full_name|preferred_name|preferredname|formername|previousname|previoussurname|middlename|legalname|othernames|knownas|"
    "name on badge|badge name|name on certificates|name on older certificates|name on passport|"
    "formerly|alias|aliases|legal name|name of candidate|name of applicant|candidate's name|applicant's name|"
    "nombre|nombres|nombre completo|nombres y apellidos|nombre y apellidos|nombre y apellido|apellidos y nombres|"
    "primer nombre|segundo nombre|primer apellido|segundo apellido|nombre del candidato|nom et prenom|prenom et nom|"
    "vor- und nachname|vor- und zuname|nome completo|nome e cognome|nome e sobrenome|apellido|"
    "firstname|lastname|givenname|familyname|fullname|photo|"
    "apellidos|nom|prenom|name in full|vorname|nachname|naam|voornaam|achternaam|"
    "nome|cognome|sobrenome|imie i nazwisko|ho ten|ho va ten|birth name|other names|first names|forename|"
    "forenames|name (first, last)|other name|resume|cv|curriculum vitae|resume of|cv of|signature|signed|"
    "declared by|deponent|yours|my name|employee name|employee|professional name|stage name|chinese name|"
    "english name|nee|née|nominee|speaker|presenter|bearer|holder|trainee|student name|name of student|"
    "name of employee|name of nurse|fn|contact name|signed electronically|electronically signed|digitally signed|"
    "signed digitally|electronic signature|digital signature|e-signature|signed by|signature of applicant"
)
OWN_LABELS = frozenset(_OWN_LABELS_LISTED.split("|"))
_VALUE_END = lazy_re(
    r"[|;\n\t•<]|\((?![A-Z][\w' -]{1,20}\) [A-Z])|[ ]{2,}|\d|,(?=[^,]*,)|[ ][-–][ ]|\b(?:Date|Gender|DOB|Email|E-mail|"
    r"Phone|Tel|Age|Sex)\b|(?<=\w\w)\.[ ]"
)


#: Labels that other things have too: their value must be two words or more.
_WEAK_LISTED = (
    "photo|nominee|speaker|presenter|bearer|holder|trainee|fn|contact name|resume|cv|curriculum vitae|employee|"
    "candidate|applicant|yours|signed|signature|resume of|alias"
)
_WEAK = frozenset(_WEAK_LISTED.split("|"))
#: What a label is found by: its last words, those that others stand before left out.
_LABEL_WORDS = word_list(
    {label.split()[-1] for label in _OWN_LABELS_LISTED.split("|")} - {"as", "of", "by", "passport", "full"}
)
_WHOSE = lazy_re(
    r"^(?:(?:full|legal|official|registered|current|primary|preferred|your|my|applicant(?:'s)?|candidate(?:'s)?|employee(?:'s)?|"
    r"student(?:'s)?|worker(?:'s)?|member(?:'s)?|passport|local|latin)[ ])+(?=\w)"
)
_BRACKETED = lazy_re(
    r"\([^)]*\)?|\b(?:as (?:per|in|on)|in (?:full|block|capital)s?|of(?: the)? (?:candidate|applicant))\b.*"
)
#: Keys of JSON and YAML that stand beside the name of a firm, a project or a skill.
_KEYS_OF_THINGS = lazy_re(
    r"[\"'\n -](?:position|startdate|start_date|enddate|company|keywords|highlights|institution|issuer|publisher|"
    r"fluency|level|employer|description|technologies|releasedate|awarder|roles|entity|dates?)[\"']?[ ]?:"
)
_OBJECT_END = lazy_re(r"[{}]|\n[ ]*-[ ]|\n\n")


def is_own_label(label: str) -> bool:
    """Say whether a label is a name's, or made of such: `First name(s) / Surname(s)`.

    >>> is_own_label("surname"), is_own_label("first name(s) / surname(s)"), is_own_label("company name")
    (True, True, False)
    """
    if label in OWN_LABELS:
        return True
    if "name" not in label:
        return False
    label = _WHOSE.sub("", label)
    bare = _BRACKETED.sub("", label.replace("(s)", "")).strip(" .-")
    parts = [part.strip() for part in re.split(r"[/&,]| and | or ", bare)]
    return all(part in OWN_LABELS or part.removesuffix("s") in OWN_LABELS for part in parts)


def labelled(folded: FoldedText, layout: Layout) -> list[Candidate]:
    """Return the values of fields such as Name, Surname, Maiden name, also of table cells and lines under a label."""
    found = []
    fields = [
        (field.label, field.start, field.end)
        for field in layout.fields
        if is_own_label(field.label) and not _is_head(folded.low, field)
    ]
    parts: dict[str, str] = {}
    for said, start, end in [*fields, *_cells(folded, layout), *_elements(folded)]:
        if _names_a_thing(folded, start, end):
            continue
        label, value = _WHOSE.sub("", said).replace("(s)", ""), folded.text[start : min(end, start + _LONGEST_FIELD)]
        stop = _VALUE_END.search(value)
        value = unprefixed(value[: stop.start()] if stop is not None else value).strip(" .,;-*_")
        value = uncredentialled(value)
        if not inverted(value):
            value = value.split(",")[0]
        if "/" in label:
            value = value.replace(" / ", " ")  # First name(s) / Surname(s)
        weak = label in _WEAK
        lower = not weak and len(value.split()) < 4
        told = looks_like_a_name(value, lower=lower, loose=not weak) or _is_told(value) or _is_part(said, value)
        if is_own_label(value.lower()):
            continue  # a label under another: `Legal name` and `Given name` below
        if value and told and (not weak or len(value.split()) > 1 or (label in _OF_PEOPLE and is_clean(value.lower()))):
            name = name_of(value)
            if name.tokens:
                found.append(Candidate(name=name, score=8, sure=True))
                if label in _PARTS:
                    parts.setdefault(_PARTS[label], value)
    if len(parts) > 1:
        found.insert(0, Candidate(name=name_of(f"{parts['given']} {parts['family']}"), score=8, sure=True))
    return found


def _is_told(value: str) -> bool:
    """Say whether capitalised words after a label are a name, one of which is a job as well: `Owen Major`."""
    words = value.split()
    kinds = [None if word.lower() in name_words() else no_names().get(word.lower()) for word in words]
    return (
        1 < len(words) < _LONGEST_VALUE
        and all(word[0].isupper() and word.replace("-", "").replace("'", "").isalpha() for word in words)
        and None in kinds
        and not {"organisation", "section", "degree"} & set(kinds)
    )


def _is_part(label: str, value: str) -> bool:
    """Say whether the value of `Last name`, `Legal name` or the like is one, whatever else the words are: `Rust`."""
    return (
        any(part in label for part in _OF_PERSONS_ONLY)
        and len(value.split()) < _LONGEST_VALUE
        and all(word[0].isupper() and word.replace("-", "").replace("'", "").isalpha() for word in value.split())
        and value.lower() not in _NO_ANSWER
    )


_OF_PERSONS_ONLY = (
    "surname", "last name", "family name", "first name", "given name", "full name", "legal name", "name in full"
)  # fmt: skip
_NO_ANSWER = frozenset({"none", "same", "same as above", "not applicable", "not given", "unknown", "yes", "no", "nil"})
#: So many words a name has, so many characters a field for one.
_LONGEST_VALUE, _LONGEST_FIELD = 5, 200
_GIVEN_LISTED = (
    "first name|given name|given names|forename|forenames|first names|firstname|givenname|vorname|prenom|nombre"
)
_FAMILY_LISTED = "surname|last name|family name|lastname|familyname|nachname|apellido|apellidos|nom|achternaam|cognome"
_OF_PEOPLE = frozenset({"employee", "candidate", "applicant", "nominee", "speaker", "trainee", "signed"})
_PARTS = dict.fromkeys(_GIVEN_LISTED.split("|"), "given") | dict.fromkeys(_FAMILY_LISTED.split("|"), "family")


def _names_a_thing(folded: FoldedText, start: int, end: int) -> bool:
    """Say whether a value in JSON or YAML is the name of a firm, project or skill: by the keys beside it."""
    low = folded.low
    line = low[low.rfind("\n", 0, start) + 1 : start]
    if low[end : end + 1] != '"' and line.lstrip(" ")[:2] != "- " and line[:2] != "  ":
        return False
    after = _OBJECT_END.search(low, end)
    beside = low[end : min(end + 200, after.start() if after is not None else len(low))]
    before = low[max(0, start - 120) : start]
    before = before[max(before.rfind("{"), before.rfind("\n- "), before.rfind("\n\n")) + 1 :]
    return _KEYS_OF_THINGS.search(beside) is not None or _KEYS_OF_THINGS.search(before) is not None


def _cells(folded: FoldedText, layout: Layout) -> Iterator[tuple[str, int, int]]:
    """Yield labels that stand in a table's cell or on a line of their own, and where their values stand."""
    low, lines = folded.low, layout.lines
    heads: set[int] = set()
    for place in folded.places(_LABEL_WORDS):
        word_start = folded.words[place][1]
        begin = max(low.rfind("\n", 0, word_start), low.rfind("|", 0, word_start)) + 1
        stop = min(found for found in (low.find("\n", word_start), low.find("|", word_start), len(low)) if found >= 0)
        label = low[begin:stop].strip(" \t*_#:.")
        head = low.rfind("\n", 0, word_start) + 1
        if head not in heads:
            heads.add(head)
        if len(label) > _LONGEST_LABEL or not is_own_label(label):
            continue
        if low[stop : stop + 1] == "|":
            yield label, *_cell_after(folded.text, begin, stop)
        elif low[begin - 1 : begin] != "|":
            first = begin + len(low[begin:stop]) - len(low[begin:stop].lstrip())
            line = bisect_left(lines, first, key=itemgetter(0)) if label not in _WEAK_HEADINGS else len(lines)
            if line + 1 < len(lines) and lines[line].start == first and low[stop - 1] != ":":
                yield label, lines[line + 1].start, lines[line + 1].end


def _elements(folded: FoldedText) -> Iterator[tuple[str, int, int]]:
    """Yield the contents of elements such as `<name>`, but not of those inside `<employer>` and the like."""
    if "name>" not in folded.low:
        return
    for match in _ELEMENT.finditer(folded.low):
        before = _TAG.findall(folded.low, max(0, match.start() - 80), match.start())
        if not before or before[-1] not in _THINGS:
            yield match.group(1).replace("_", " "), *match.span(2)


_ELEMENT = lazy_re(r"<([a-z_:-]*name)(?:[ ][^<>]*)?>[ ]*([^<>\n]{2,60}?)[ ]*</")
_TAG = lazy_re(r"<([a-z_:-]+)[^<>]*>")
_THINGS = frozenset(
    ("employer", "company", "organization", "organisation", "job", "position", "project", "skill", "school", "language")
)


def _cell_after(text: str, begin: int, stop: int) -> tuple[int, int]:
    """Return the cell to the right of one, or the one under it where a table's head ends with a line of dashes."""
    first, last = text.rfind("\n", 0, begin) + 1, text.find("\n", stop)
    end = text.find("|", stop + 1)
    end_of_line = last if last >= 0 else len(text)
    right = stop + 1, end if 0 <= end < end_of_line else end_of_line
    if not _is_ruled(text, last):
        return right
    column = text.count("|", first, begin)
    start = text.find("\n", last + 1) + 1
    if text[begin - 1 : begin] != "|" or column == 0:
        column = 0
    for _ in range(column):
        start = text.find("|", start) + 1
    ends = [found for found in (text.find("|", start), text.find("\n", start)) if found >= 0]
    return start, min(ends) if ends else len(text)


def _is_ruled(text: str, line_end: int) -> bool:
    """Say whether a table's head ends here: a line of dashes is under it."""
    under = text[line_end + 1 : text.find("\n", line_end + 1)] if line_end >= 0 else ""
    return "--" in under and not under.strip(" |:-+")


def _is_head(low: str, field: Field) -> bool:
    """Say whether a field's label is in the head of a table: what is its value is found with the cells."""
    return "|" in low[field.label_start : field.start] and _is_ruled(low, low.find("\n", field.start))


_LONGEST_LABEL = 40
#: Words that are headings more often than labels.
_HEADINGS_LISTED = "resume|cv|curriculum vitae|yours|signed|signature|employee|formerly|applicant|candidate"
_WEAK_HEADINGS = frozenset(_HEADINGS_LISTED.split("|"))
