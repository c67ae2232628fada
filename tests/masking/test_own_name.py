"""A given name that is also a word, month, town, firm or tool, in strict mode; places of it: sentences/own_name.txt."""

import pytest

from evenhand.masking.mask import mask_text
from evenhand.masking.pronouns import MaskOptions


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
