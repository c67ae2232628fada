"""Sentences with dates of birth, years of study, schools, handles and addresses, a file per category.

What is masked stands in double brackets, a line's end is written ⏎; in a sentence without brackets nothing of the
category is.
"""

from pathlib import Path

import pytest

from evenhand.resumes.mask import MaskOptions, mask_text
from evenhand.resumes.spans import OPTIONAL
from marked_text import unmarked

ALL = MaskOptions(optional=frozenset(OPTIONAL))
FILES = {"dob": "DOB", "graduation_year": "GRADYEAR", "school": "SCHOOL", "url": "URL", "address": "ADDRESS"}
SENTENCES = [
    (category, sentence.replace("⏎", "\n"))
    for name, category in FILES.items()
    for sentence in (Path(__file__).parent / "sentences" / f"{name}.txt").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize(("category", "marked"), [each for each in SENTENCES if "[[" in each[1]])
def test_what_tells_is_masked(category, marked):  # noqa: ARG001 - it names the case
    text, expected = unmarked(marked)
    masked = set()
    for span in mask_text(text, options=ALL).spans:
        masked.update(range(span.start, span.end))
    letters = {place for place, letter in enumerate(text) if letter.isalnum()}
    left = [text[start:end] for start, end in expected if not letters & {*range(start, end)} <= masked]
    assert left == []


@pytest.mark.parametrize(("category", "text"), [each for each in SENTENCES if "[[" not in each[1]])
def test_what_looks_alike_stays(category, text):
    needless = [text[span.start : span.end] for span in mask_text(text, options=ALL).spans if span.category == category]
    assert needless == []
