"""Places that tell a name: fields, table cells, elements."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from operator import itemgetter

from evenhand.patterns import lazy_re
from evenhand.resumes.names.lists import name_words, no_names
from evenhand.resumes.names.own.candidates import Candidate, is_clean, unprefixed
from evenhand.resumes.names.own.evidence import OWN_NAME_WORDS
from evenhand.resumes.names.parts import name_of
from evenhand.resumes.names.shapes import inverted, looks_like_a_name, uncredentialled
from evenhand.resumes.text.folded_text import FoldedText, word_list
from evenhand.resumes.text.layout import Field, Layout

__all__ = ["is_own_label", "labelled"]


# What a label is found by: its last words, those that others stand before left out.
@cache
def _label_words() -> frozenset[str]:
    return word_list(
        {label.split()[-1] for label in OWN_NAME_WORDS.own_labels} - {"as", "of", "by", "passport", "full"}
    )


_OBJECT_END = lazy_re(r"[{}]|\n[ ]*-[ ]|\n\n")


def is_own_label(label: str) -> bool:
    """Say whether a label is a name's, or made of such: `First name(s) / Surname(s)`.

    >>> is_own_label("surname"), is_own_label("first name(s) / surname(s)"), is_own_label("company name")
    (True, True, False)
    """
    if label in OWN_NAME_WORDS.own_labels:
        return True
    if "name" not in label:
        return False
    label = OWN_NAME_WORDS.whose.sub("", label)
    bare = OWN_NAME_WORDS.bracketed.sub("", label.replace("(s)", "")).strip(" .-")
    parts = [part.strip() for part in re.split(r"[/&,]| and | or ", bare)]
    return all(
        part in OWN_NAME_WORDS.own_labels or part.removesuffix("s") in OWN_NAME_WORDS.own_labels for part in parts
    )


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
        label, value = (
            OWN_NAME_WORDS.whose.sub("", said).replace("(s)", ""),
            folded.text[start : min(end, start + _LONGEST_FIELD)],
        )
        stop = OWN_NAME_WORDS.value_end.search(value)
        value = unprefixed(value[: stop.start()] if stop is not None else value).strip(" .,;-*_")
        value = uncredentialled(value)
        if not inverted(value):
            value = value.split(",")[0]
        if "/" in label:
            value = value.replace(" / ", " ")  # First name(s) / Surname(s)
        weak = label in OWN_NAME_WORDS.weak
        lower = not weak and len(value.split()) < 4
        told = looks_like_a_name(value, lower=lower, loose=not weak) or _is_told(value) or _is_part(said, value)
        if is_own_label(value.lower()):
            continue  # a label under another: `Legal name` and `Given name` below
        if (
            value
            and told
            and (not weak or len(value.split()) > 1 or (label in OWN_NAME_WORDS.of_people and is_clean(value.lower())))
        ):
            name = name_of(value)
            if name.tokens:
                found.append(Candidate(name=name, score=8, sure=True))
                if label in _parts():
                    parts.setdefault(_parts()[label], value)
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
        any(part in label for part in OWN_NAME_WORDS.of_persons_only)
        and len(value.split()) < _LONGEST_VALUE
        and all(word[0].isupper() and word.replace("-", "").replace("'", "").isalpha() for word in value.split())
        and value.lower() not in OWN_NAME_WORDS.no_answer
    )


#: So many words a name has, so many characters a field for one.
_LONGEST_VALUE, _LONGEST_FIELD = 5, 200


@cache
def _parts() -> dict[str, str]:
    return dict.fromkeys(OWN_NAME_WORDS.given, "given") | dict.fromkeys(OWN_NAME_WORDS.family, "family")


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
    return (
        OWN_NAME_WORDS.keys_of_things.search(beside) is not None
        or OWN_NAME_WORDS.keys_of_things.search(before) is not None
    )


def _cells(folded: FoldedText, layout: Layout) -> Iterator[tuple[str, int, int]]:
    """Yield labels that stand in a table's cell or on a line of their own, and where their values stand."""
    low, lines = folded.low, layout.lines
    heads: set[int] = set()
    for place in folded.places(_label_words()):
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
            line = (
                bisect_left(lines, first, key=itemgetter(0))
                if label not in OWN_NAME_WORDS.weak_headings
                else len(lines)
            )
            if line + 1 < len(lines) and lines[line].start == first and low[stop - 1] != ":":
                yield label, lines[line + 1].start, lines[line + 1].end


def _elements(folded: FoldedText) -> Iterator[tuple[str, int, int]]:
    """Yield the contents of elements such as `<name>`, but not of those inside `<employer>` and the like."""
    if "name>" not in folded.low:
        return
    for match in _ELEMENT.finditer(folded.low):
        before = _TAG.findall(folded.low, max(0, match.start() - 80), match.start())
        if not before or before[-1] not in OWN_NAME_WORDS.things:
            yield match.group(1).replace("_", " "), *match.span(2)


_ELEMENT = lazy_re(r"<([a-z_:-]*name)(?:[ ][^<>]*)?>[ ]*([^<>\n]{2,60}?)[ ]*</")
_TAG = lazy_re(r"<([a-z_:-]+)[^<>]*>")


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
