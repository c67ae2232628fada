"""Places of a given name that is also a word, month, town, firm or tool, as they stand in résumés, letters and reviews.

Each row: the name, and a text in which the person's own and other people's names stand in double brackets; the same
word elsewhere is used otherwise and stays, in braces unless the caller told the name.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from evenhand.resumes.mask import MaskOptions, mask_segments, mask_text
from evenhand.resumes.names.find import find_names
from marked_text import unmarked

ROWS = (Path(__file__).parent / "sentences" / "own_name.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("row", ROWS)
def test_a_given_name_is_masked_where_it_is_the_person(row):
    name, _, marked = row.partition(" | ")
    text, expected = unmarked(marked.replace("\\n", "\n"))
    spans = [(span.start, span.end) for span in mask_text(text, known_names=[name]).spans if span.category == "NAME"]
    assert spans == expected


@pytest.mark.parametrize("row", ROWS)
def test_a_name_that_was_found_is_masked_where_it_is_the_person(row):
    name, _, marked = row.partition(" | ")
    text, expected = unmarked(marked.replace("\\n", "\n"), told=False)
    found = replace(find_names(text, known_names=[name]), known=frozenset())
    spans = [(span.start, span.end) for span in mask_segments([text], found)[0].spans if span.category == "NAME"]
    assert spans == expected


@pytest.mark.parametrize(
    ("name", "text", "strict"),
    [
        ("Ruby Marsh", "Wrote Ruby, no ruby in sight.", "Wrote [NAME], no ruby in sight."),
        ("Jordan Ellis", "Opened the Amman office in Jordan.", "Opened the Amman office in [NAME]."),
        ("May Lin", "Sales rose in May and fell in May 2019.", "Sales rose in [NAME] and fell in May 2019."),
        ("Grace Bell", "Grace periods were cut.", "[NAME] periods were cut."),
    ],
)
def test_words_that_are_hardly_a_given_name_are_masked_in_strict_mode_only(name, text, strict):
    assert mask_text(text, known_names=[name]).text == text
    assert mask_text(text, known_names=[name], options=MaskOptions(strict=True)).text == strict


def test_strict_mode_masks_a_given_name_in_a_text_without_capitals_and_leaves_will():
    text = (
        "the marsh beside the plant was drained by us last year and we will dig there again in the spring of next year "
    )
    masked = mask_text(text * 3, known_names=["Will Marsh"], options=MaskOptions(strict=True)).text
    assert "marsh" not in masked
    assert "we will dig" in masked
