"""Optional categories, proxies and values of forms; examples of each category stand in sentences/exact."""

import pytest

from evenhand.masking.mask import mask_text
from evenhand.masking.pronouns import MaskOptions
from marked_text import unmarked


def test_optional_categories_are_masked_when_asked_for_only():
    text = "Tel. +44 20 7946 0958, born on 3 May 1988, 12 Elm Road, Leeds LS6 2AB, BA, University of Lagos"
    assert mask_text(text).text == text
    assert mask_text(text, options=MaskOptions(optional=("dob",))).text.count("[DOB]") == 1


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Native speaker of Korean.", "ETHNICITY"),
        ("Sings in a mariachi band.", "ETHNICITY"),
        ("BA, Wellesley College", "GENDER"),
        ("BA, Brigham Young University", "RELIGION"),
    ],
)
def test_proxies_are_masked_in_strict_mode_only(text, category):
    assert mask_text(text).spans == ()
    assert [span.category for span in mask_text(text, options=MaskOptions(strict=True)).spans] == [category]


@pytest.mark.parametrize(
    "form",
    [
        "Civil status: [[widowed]]\nMother tongue: Vietnamese",
        "Marital status: [[single]]\nFather's occupation: farmer",
        "Marital status\t[[single]]\nMother tongue\tThai",
        "[[Permanent resident]]: yes, [[Indefinite Leave to\nRemain]]",
    ],
)
def test_a_value_ends_before_the_next_label(form):
    text, expected = unmarked(f"Devon Hartley\n\nPersonal\n{form}\n")
    told = {"MARITAL", "RELIGION", "ETHNICITY"}
    assert [(span.start, span.end) for span in mask_text(text).spans if span.category in told] == list(expected)
