"""PDF: letters without a place of their own are refused; accents, shadows, logos and watermarks are none of these."""

import io

import pdfplumber
import pytest
from _pdf import packed, raw

from evenhand.errors import InputError
from evenhand.masking.documents import pdf
from evenhand.masking.documents.pdf_file import refuse_crowded
from evenhand.masking.documents.request import Request

PERSON = ("Ngozi Okafor", "n.okafor@example.org", "EXPERIENCE", "Led the audit team of Okafor for years.")
BARE = b"<</Type/Font/Subtype/TrueType/BaseFont/Anon/Encoding/WinAnsiEncoding%s>>"
WIDTHS = b"/FirstChar 0/LastChar 255/Widths[%s]"
CID = (
    b"<</Type/Font/Subtype/Type0/BaseFont/Anon/Encoding/Identity-H/ToUnicode 10 0 R/DescendantFonts"
    b"[<</Type/Font/Subtype/CIDFontType2/BaseFont/Anon/CIDSystemInfo"
    b"<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>%s>>]>>"
)
TO_UNICODE = packed(b"begincmap 1 beginbfrange <0000><00ff><0000> endbfrange endcmap")


def even(width):
    return BARE % (WIDTHS % (b"%d " % width * 256))


def plain(text):
    return b"(%s) Tj" % text.encode()


def wide(text):
    return b"<%s> Tj" % text.encode("utf-16-be").hex().encode()


def moved_back(text):
    return b"[%s] TJ" % b"500".join(b"(%c)" % letter for letter in text.encode())


def placed(text):
    return b"%s %d 0 Td" % (b" ".join(b"(%c) Tj 6 0 Td" % letter for letter in text.encode()), -6 * len(text))


def lines(*, show=plain, setup=b""):
    return b"BT /F1 11 Tf %s 60 780 Td %s ET" % (setup, b" 0 -20 Td ".join(show(text) for text in PERSON))


CROWDED = {
    "a font without widths": raw(lines(), fonts=[BARE % b""]),
    "a font without widths, each letter placed": raw(lines(show=placed), fonts=[BARE % b""]),
    "widths of 0": raw(lines(), fonts=[even(0)]),
    "widths of a thousandth": raw(lines(), fonts=[even(1)]),
    "a CID font whose widths are 0": raw(lines(show=wide), TO_UNICODE, fonts=[CID % b"/DW 0"]),
    "squeezed to nothing": raw(lines(setup=b"0 Tz")),
    "squeezed by a matrix": raw(b"BT /F1 11 Tf 0 0 0 1 60 700 Tm (Ngozi Okafor) Tj ET"),
    "moved back": raw(lines(show=moved_back), fonts=[even(500)]),
    "letter spacing of less than nothing": raw(lines(setup=b"-5.5 Tc"), fonts=[even(500)]),
    "written over": raw(b"BT /F1 11 Tf 60 780 Td (Ngozi Okafor) Tj 2 0 Td (Xxxxx Xxxxxx) Tj ET", fonts=[even(500)]),
    "turned": raw(b"BT /F1 11 Tf 0 Tz 0 1 -1 0 90 200 Tm (Led by Ngozi Okafor) Tj ET"),
}


@pytest.mark.parametrize("case", CROWDED)
def test_letters_without_a_place_of_their_own_are_refused(case):
    with pytest.raises(InputError, match=r"holds letters on page 1 without a width, or drawn on other letters, .*"):
        pdf.masked_pdf(CROWDED[case], Request())


def test_the_same_text_is_masked_where_letters_have_their_places():
    for content in (
        raw(lines()),
        raw(lines(), fonts=[even(500)]),
        raw(lines(show=wide), TO_UNICODE, fonts=[CID % b""]),
    ):
        assert dict(pdf.masked_pdf(content, Request()).spans) == {"EMAIL": 1, "NAME": 2}


def shown(text):
    return b"BT /F1 11 Tf 60 700 Td %s ET" % text


#: What is drawn, and what is read.
APART = {
    "a double for bold": (shown(b"(Led teams) Tj .3 0 Td (Led teams) Tj"), "Led teams"),
    "a shadow": (shown(b"(Led teams) Tj 1 -1 Td (Led teams) Tj"), "Led teams"),
    "a logo that raises a letter": (shown(b"(L) Tj 2 2 Td /F1 8 Tf (A) Tj 4 -2 Td /F1 11 Tf (TEX) Tj"), "TEX"),
    "accents over letters": (shown(b"(Led a cafe) Tj 48 0 Td (\\264) Tj"), "Led a caf"),
    "a large word behind": (shown(b"(Led teams) Tj /F1 60 Tf -5 -20 Td (DRAFT) Tj"), "Led teams"),
    "narrow letters set tightly": (shown(b"-.6 Tc (will fill little mill) Tj"), "will fill little mill"),
    "one letter over another": (shown(b"(Led teams) Tj 0 0 Td (M) Tj"), "ed teams"),
}


@pytest.mark.parametrize("case", APART)
def test_what_is_drawn_over_letters_on_purpose_is_read_as_before(case):
    content, read = APART[case]
    result = pdf.masked_pdf(raw(content), Request()).content
    with pdfplumber.open(io.BytesIO(result)) as again:
        assert read in again.pages[0].extract_text()


def test_a_letter_as_high_as_a_country_takes_no_time():
    small = [
        {"text": "a", "x0": 10.0 * n, "x1": 10.0 * n + 5, "top": 0.0, "bottom": 10.0, "size": 10.0} for n in range(9)
    ]
    refuse_crowded([*small, {"text": "b", "x0": 200.0, "x1": 205.0, "top": 0.0, "bottom": 1e300, "size": 1e300}], 1)
