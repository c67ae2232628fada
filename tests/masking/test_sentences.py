"""Sentences as they stand in résumés, a file per category: `sentences/*.txt`.

What is masked stands in double brackets, a line's end is written \\n; a sentence without brackets is ordinary, and
nothing of the category is masked in it. Where a line begins with `name | `, that name is known. In the files of
`exact` nothing but what is marked is masked. A test fails with the lines that are masked wrongly.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from evenhand.masking.mask import mask_segments, mask_text
from evenhand.masking.names.find import find_names
from evenhand.masking.pronouns import CATEGORIES, OPTIONAL, MaskOptions
from marked_text import unmarked

EVERY = MaskOptions(optional=tuple(OPTIONAL))
OF_A_PERSON = frozenset({"GENDER", "MARITAL", "ORIENTATION", "DISABILITY", "ETHNICITY", "RELIGION"})
ESCAPED = re.compile(r"\\(n|\\|u[0-9a-f]{4})")
#: Above the texts about a name that was told.
ABOVE = "Ran the desk of a mill and taught two clerks. " * 6 + "\n"
DETAILS = {"dob": "DOB", "graduation_year": "GRADYEAR", "school": "SCHOOL", "url": "URL", "address": "ADDRESS"}


def lines(name):
    text = (Path(__file__).parent / "sentences" / f"{name}.txt").read_text("utf-8")
    return [ESCAPED.sub(shown, line) for line in text.splitlines()]


def shown(escaped):
    return {"n": "\n", "\\": "\\"}.get(escaped[1]) or chr(int(escaped[1][1:], 16))


def is_masked(text, expected, options, categories):
    """All letters that are marked are masked; in a text without marks nothing of the categories is."""
    spans = mask_text(text, options=options).spans
    if not expected:
        return not any(span.category in categories for span in spans)
    hidden = {place for span in spans for place in range(span.start, span.end)}
    return all(place in hidden for start, end in expected for place in range(start, end) if text[place].isalnum())


def names_in(spans, offset=0):
    found = sorted((span.start - offset, span.end - offset) for span in spans if span.category == "NAME")
    return [place for place in found if place[0] >= 0]


def of_a_person(line):
    return is_masked(*unmarked(line), MaskOptions(), OF_A_PERSON)


def detail(category):
    return lambda line: is_masked(*unmarked(line), EVERY, {category})


def exact(*categories):
    def is_right(line):
        text, expected = unmarked(line)
        spans = mask_text(text, options=EVERY).spans
        return [(span.start, span.end) for span in spans if span.category in categories] == expected

    return is_right


def other_people(line):
    text, expected = unmarked(line)
    return names_in(mask_text(text).spans) == expected


def known(line):
    name, _, marked = line.partition(" | ")
    text, expected = unmarked(marked)
    return names_in(mask_text(text, known_names=[name]).spans) == expected


def found(line):
    name, _, marked = line.partition(" | ")
    text, expected = unmarked(marked, told=False)
    names = replace(find_names(text, known_names=[name]), known=frozenset(), given=())
    return names_in(mask_segments([text], names)[0].spans) == expected


def called(line):
    name, _, marked = line.partition(" | ")
    text, expected = unmarked(marked)
    above = "" if text.startswith(("Hi all", "hello")) else ABOVE.lower() if text.islower() else ABOVE
    return names_in(mask_text(above + text, known_names=[name]).spans, len(above)) == expected


CHECKS = [
    *((category.lower(), of_a_person) for category in sorted(OF_A_PERSON)),
    *((name, detail(category)) for name, category in DETAILS.items()),
    *((f"exact/{name.lower()}", exact(name)) for name in (*CATEGORIES[1:], *OPTIONAL.values())),
    ("exact/kept", exact(*CATEGORIES, *OPTIONAL.values())),
    ("exact/kept_contacts", exact("ADDRESS", "DOB", "PHONE", "EMAIL", "URL")),
    ("exact/kept_education", exact("GRADYEAR", "SCHOOL")),
    ("other_people", other_people),
    ("spellings", known),
    ("own_name", known),
    ("own_name", found),
    ("other_forms", called),
]


@pytest.mark.parametrize(("name", "is_right"), CHECKS)
def test_every_sentence_is_masked_as_marked(name, is_right):
    assert [line for line in lines(name) if not is_right(line)] == []
