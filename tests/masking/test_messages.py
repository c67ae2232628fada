"""Messages and notes: who opens or signs one, who is greeted, and the rest of a name that an address has."""

import pytest

from evenhand.masking.mask import mask_text
from marked_text import unmarked

MASKED = [
    "morning! it's [[Ifeoma]], asking about the nurse post",
    "Q: Full name?\nA: [[Chidi Okafor]]\nQ: Education?",
]
KEPT = [
    "Hello, nothing here yet.\nWe sell shoes.",
    "hi, new here, looking for a post as a cook",
    "hello, i'm a nurse from leeds.\nthanks all",
    "hey, mum here, back to work after six years.",
    "hello there, driver here with 12 years of hgv work",
    "Good morning, Spanish speaking carer here.",
    "hello, i'm frank and direct.",
    "Dear Hiring Manager,\n\nI write about the post.",
]


@pytest.mark.parametrize("marked", MASKED)
def test_names_in_messages_are_masked(marked):
    text, expected = unmarked(marked)
    spans = [(span.start, span.end) for span in mask_text(text).spans if span.category == "NAME"]
    assert spans == expected


@pytest.mark.parametrize("text", KEPT)
def test_openings_without_a_name_are_kept(text):
    assert not [text[span.start : span.end] for span in mask_text(text).spans if span.category == "NAME"]
