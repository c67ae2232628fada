# ruff: noqa: RUF001 - look-alike letters are what is tested
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.data.folding import drop_markup, fold_characters, fold_text


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Ａｂｃ", "abc"),
        ("𝗕𝗼𝗹𝗱", "bold"),
        ("\u201ca\u201d \u2018b\u2019 \u00abc\u00bb", '"a" \'b\' "c"'),
        ("a\u2013b\u2014c\u2011d", "a-b-c-d"),
        ("a\u00a0b\u3000c", "a b c"),
        ("a\u200bb\u00adc\u2060d\ufeff", "abcd"),
        ("s\u0332e\u0332l", "sel"),
        ("Jose\u0301", "josé"),
        ("a\u2028b\r\nc\rd", "a\nb\nc\nd"),
        ("don\u00b4t", "don't"),
        ("…", "..."),
        ("名前", "名前"),
    ],
)
def test_characters_are_folded(text, folded):
    assert fold_characters(text) == folded


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("**a** _b_ `c` ## d", "a b c  d"),
        ("re**gret**", "regret"),
        ("snake_case", "snake case"),
        ("<b>a</b><br/>b<p class='x'>c</p>", "a\nb\nc\n"),
        ("<think>a</think> <company name>", "<think>a</think> <company name>"),
        ("~~gone~~ <del>gone</del>here", "   here"),
        ("hyphen-\nated, well-known", "hyphenated, well-known"),
        ("a  \nb", "a\nb"),
        ('a\\nb \\"c\\"', 'a\nb "c"'),
    ],
)
def test_markup_is_dropped(text, plain):
    assert drop_markup(text) == plain


def test_entities_and_codes_are_read():
    assert fold_text("A&nbsp;&amp;&#66;&#x43; \\u2019") == "a &bc '"


def test_a_number_that_is_no_character_does_not_break_folding():
    assert fold_text("&#" + "9" * 5000 + ";").startswith("&")


@given(st.text(max_size=200))
def test_folding_characters_twice_changes_nothing_in_plain_text(text):
    plain = "".join(character for character in text if ord(character) < 0x250)
    assert fold_characters(fold_characters(plain)) == fold_characters(plain)
