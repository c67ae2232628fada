"""Names broken within a word, by a line's end or a tab: masked whole; words that happen to follow are no name."""

import pytest
from _word import assert_nowhere, document, masked, paragraph, run, texts

from evenhand.masking.documents import text as plain_text
from evenhand.masking.documents.check import mended
from evenhand.masking.documents.request import Request
from evenhand.masking.names.word_kinds import Names, name_of

PERSON = ("Ottilie Brandvold", "o.brandvold@example.org", "", "EXPERIENCE", "Led the audit team.")
BROKEN = {
    "line break": ("Led by Brand<w:br/>vold here", ["Led by [NAME] here"]),
    "behind a given name": ("Led by Ottilie Brand<w:br/>vold here", ["Led by [NAME] here"]),
    "carriage return": ("Led by Brand<w:cr/>vold here", ["Led by [NAME] here"]),
    "tab": ("Led by Brand<w:tab/>vold here", ["Led by [NAME] here"]),
    "tab of a position": ("Led by Ottilie Brand<w:ptab/>vold here", ["Led by [NAME] here"]),
    "blank before": ("Led by Brand <w:br/>vold here", ["Led by [NAME] here"]),
    "two breaks": ("Led by Bra<w:br/>nd<w:br/>vold here", ["Led by [NAME] here"]),
    "given name": ("Led by Otti<w:br/>lie Brandvold here", ["Led by [NAME] here"]),
    "capitals": ("OTTILIE BRAND<w:br/>VOLD", ["[NAME]"]),
    "owner": ("Brand<w:br/>vold's team", ["[NAME]'s team"]),
    "address": ("At o.brand<w:br/>vold@example.org now", ["At [EMAIL] now"]),
    "page": ("See linkedin.com/in/obrand<w:br/>vold now", ["See [URL] now"]),
}


def _set(text):
    """Return a paragraph whose text is cut at each element in it."""
    return paragraph(run(text.replace("<w:", "</w:t><w:").replace("/>", '/><w:t xml:space="preserve">')))


@pytest.mark.parametrize("kind", BROKEN)
def test_a_name_broken_in_a_word_document_goes_whole(kind):
    body, shown = BROKEN[kind]
    result = masked(document(*PERSON, body=_set(body))).content
    assert texts(result)[5:] == shown
    assert_nowhere(result, "brand", "vold", "ottilie")


def test_a_name_broken_over_paragraphs_or_cells_goes_whole():
    cells = f"<w:tbl><w:tr><w:tc>{paragraph('Brand')}</w:tc><w:tc>{paragraph('vold')}</w:tc></w:tr></w:tbl>"
    body = paragraph("Led by Ottilie Brand") + paragraph("vold here") + cells
    result = masked(document(*PERSON, body=body)).content
    assert texts(result)[5:] == ["Led by [NAME]", " here", "[NAME]", ""]


def test_a_name_broken_in_a_text_takes_the_line_end_with_it():
    text = "\r\n".join((*PERSON, "Led by Ottilie Brand", "vold and others"))
    shown = ["[NAME]", "[EMAIL]", "", "EXPERIENCE", "Led the audit team.", "Led by [NAME] and others"]
    assert plain_text.masked_plain(text.encode(), Request()).content.decode().split("\r\n") == shown


UNBROKEN = {
    "Maya Holm": "We began in May\na team was built",
    "Maria Mariano": "Maria\nno longer led it",
    "Jon Woodward": "Carved wood\nward by ward",
    "Jane Doe": "Jane\nDoe",
    "Jane Okafor": "Jane Okafor\nn.okafor@example.org\nOkafor\nJane",
    "Dana Holm": "Asked Dan\na few times",
}


@pytest.mark.parametrize("person", UNBROKEN)
def test_words_that_follow_each_other_are_no_broken_name(person):
    assert not mended(UNBROKEN[person], Names(person=(name_of(person),))).gaps


def test_halves_that_are_words_are_a_name_behind_another_part_of_it():
    names = Names(person=(name_of("Jon Woodward"),))
    assert mended("by Jon Wood\nward here", names).text == "by Jon Woodward here"
