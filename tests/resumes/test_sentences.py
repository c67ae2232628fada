"""Sentences as they stand in résumés, a file per category.

What tells the category stands in double brackets; a sentence without brackets is ordinary, and none of its words tells
anything about a person's gender, family, orientation, health, origin or faith.
"""

from pathlib import Path

import pytest

from evenhand.resumes.mask import mask_text
from marked_text import unmarked

OF_A_PERSON = {"GENDER", "MARITAL", "ORIENTATION", "DISABILITY", "ETHNICITY", "RELIGION"}
SENTENCES = [
    sentence
    for category in ("gender", "marital", "orientation", "disability", "ethnicity", "religion")
    for sentence in (Path(__file__).parent / "sentences" / f"{category}.txt").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("marked", [each for each in SENTENCES if "[[" in each])
def test_what_tells_is_masked(marked):
    text, expected = unmarked(marked)
    masked = set()
    for span in mask_text(text).spans:
        masked.update(range(span.start, span.end))
    left = [text[start:end] for start, end in expected if not {*range(start, end)} <= masked]
    assert left == []


@pytest.mark.parametrize("text", [each for each in SENTENCES if "[[" not in each])
def test_ordinary_words_stay(text):
    needless = [text[span.start : span.end] for span in mask_text(text).spans if span.category in OF_A_PERSON]
    assert needless == []
