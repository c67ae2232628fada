"""The beginnings of the words at which a pattern can fit."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evenhand.resumes.beginnings import LETTERS, beginnings
from evenhand.resumes.categories.told import told_phrases
from evenhand.resumes.plain import plain_text

PATTERNS = (
    r"\b(?:i|we) (?:have )?kids",
    r"\b(?:very |quite )*(?:new|first[- ]time) mother",
    r"\bd[ae]?' ?origine",
    r"\b(?:[a-c]x?){1,2}y\b",
    r"\b(?!no\b)(?:n|o)\d{2,3}%",
    r"\bmarr(?:y|ied)\w*",
)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (r"\b(?:one|two)? ?cats", {"one", "two", "cat"}),
        (r"\bM[rs]\.? [A-Z]", {"mr", "ms"}),
        (r"\bo'clock|\bno\b", {"o", "no"}),
        (r"\b[45]\d%", {f"{ten}{digit}" for ten in "45" for digit in range(10)}),
        (r"\b(?:\w+ )?cats", None),
        (r"\bof", None),
    ],
)
def test_beginnings_of_a_pattern(expression, expected):
    assert beginnings(expression) == expected


@pytest.mark.parametrize("expression", PATTERNS)
@given(data=st.data())
def test_what_fits_begins_with_a_beginning(expression, data):
    text = data.draw(st.from_regex(re.compile(expression, re.ASCII)).filter(str.isascii))
    found = re.search(expression, text)
    assume(found is not None)
    first = re.match(r"[^\W_]*", found.group().lower())
    assert first[0][:LETTERS] in beginnings(expression)


@pytest.mark.parametrize(
    ("text", "told"),
    [("Former soldier, \u0667\u0660% VA rating.", "\u0667\u0660% VA rating"), ("I'm bi, married to a man", "bi")],
)
def test_words_in_other_digits_and_behind_an_apostrophe_begin_a_telling(text, told):
    plain = plain_text(text)
    assert told in {plain.text[found.start : found.end] for found in told_phrases(plain)}
