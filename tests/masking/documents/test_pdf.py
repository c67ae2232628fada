# ruff: noqa: E501, RUF001 - pages of text read better in one line; styled letters are meant
"""PDF: every place where a name can hide, reading order, what is refused, and the same bytes each time."""

import base64
import io
import re
import zlib

import pdfplumber
import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen import canvas

from evenhand.errors import CheckFailed, InputError
from evenhand.masking.documents import pdf
from evenhand.masking.documents.check import Trace
from evenhand.masking.documents.pdf import showable, typeset
from evenhand.masking.documents.pdf_file import _readable
from evenhand.masking.documents.pdf_layout import Paragraph, Word, lines_of, paragraphs_of
from evenhand.masking.documents.request import Request
from evenhand.masking.names.find import find_names
from evenhand.masking.pronouns import MaskOptions

NAME = ("Ngozi", "Okafor")
HEAD = ("Ngozi Okafor", "n.okafor@example.org", "", "EXPERIENCE", "Led the audit team.")


def made(*lines, draw=None, size=11, encrypt=None, title=None, author=None):
    """Return a PDF of lines from the top down; `draw` adds to its page."""
    file = io.BytesIO()
    page = canvas.Canvas(file, pagesize=(595, 842), encrypt=encrypt)
    if title is not None:
        page.setTitle(title)
    if author is not None:
        page.setAuthor(author)
    page.setFont("Helvetica", size)
    for place, line in enumerate(lines):
        page.drawString(60, 780 - place * size * 1.3, line)
    if draw is not None:
        draw(page)
    page.showPage()
    page.save()
    return file.getvalue()


def masked(content, **asked):
    return pdf.masked_pdf(content, Request(**asked))


def shown(content):
    with pdfplumber.open(io.BytesIO(content)) as read:
        return "\n".join(page.extract_text() for page in read.pages)


def assert_nowhere(content, *words):
    """Assert that words stand neither in the raw bytes, nor in any stream unpacked, nor in what is shown."""
    views = [content]
    for match in re.finditer(rb"<<([^>]*)>>\s*stream\r?\n(.*?)endstream", content, re.DOTALL):
        raw = match.group(2)
        if b"ASCII85Decode" in match.group(1):
            raw = (
                base64.a85decode(raw.strip(), adobe=False)
                if not raw.strip().endswith(b"~>")
                else base64.a85decode(b"<~" + raw.strip(), adobe=True)
            )
        views.append(zlib.decompress(raw) if b"FlateDecode" in match.group(1) else raw)
    assert len(views) > 3
    for word in words:
        for codec in ("latin-1", "utf-16-be", "utf-16-le"):
            assert not [view for view in views if word.lower().encode(codec) in view.lower()], word
        assert word.encode().hex().encode() not in content.lower()
    assert not [word for word in words if word.lower() in shown(content).lower()]


def _picture(page):
    from PIL import Image

    picture = Image.new("RGB", (8, 8), (200, 10, 10))
    page.drawImage(ImageReader(picture), 400, 700, 80, 80)


def _form(page):
    page.acroForm.textfield(name="okafor", tooltip="Ngozi", value="Signed Ngozi Okafor", x=60, y=500, width=300)


def _outline(page):
    page.bookmarkPage("Okafor")
    page.addOutlineEntry("Ngozi Okafor", "Okafor")


def _invisible(page):
    text = page.beginText(60, 400)
    text.setTextRenderMode(3)
    text.textOut("Okafor was here")
    page.drawText(text)


def _turned(degrees, text="Led by Ngozi Okafor"):
    def draw(page):
        page.saveState()
        page.translate(300, 400)
        page.rotate(degrees)
        page.drawString(0, 0, text)
        page.restoreState()

    return draw


def _mirrored(page):
    page.saveState()
    page.translate(400, 500)
    page.scale(-1, 1)
    page.drawString(0, 0, "Okafor")
    page.restoreState()


def _small_capitals(page, text="NGOZI OKAFOR", left=60, top=500):
    for word in text.split():
        for place, letter in enumerate(word):
            size = 14 if place else 20
            page.setFont("Helvetica", size)
            page.drawString(left, top, letter)
            left += page.stringWidth(letter, "Helvetica", size)
        left += 6


def _far_apart(page):
    text = page.beginText(60, 500)
    text.setCharSpace(8)
    text.textLines("NGOZI\nOKAFOR")
    text.setCharSpace(0)
    page.drawText(text)


def _dropped_letter(page):
    page.setFont("Helvetica", 36)
    page.drawString(60, 480, "O")
    page.setFont("Helvetica", 11)
    page.drawString(90, 497, "kafor leads the team")


HIDING_PLACES = {
    "turned left": _turned(90),
    "turned right": _turned(-90),
    "upside down": _turned(180),
    "askew": _turned(7),
    "mirrored": _mirrored,
    "small capitals": _small_capitals,
    "letters far apart": _far_apart,
    "shadow": lambda page: (page.drawString(60, 500, "By Okafor"), page.drawString(61.4, 498.7, "By Okafor")),
    "dropped letter": _dropped_letter,
    "short lines": lambda page: (page.drawString(60, 500, "By Oka-"), page.drawString(60, 488, "for.")),
    "text": lambda page: page.drawString(60, 500, "Mentored by NGOZI OKAFOR."),
    "split words": lambda page: (page.drawString(60, 500, "Led by Oka"), page.drawString(60 + 11 * 4.9, 500, "for")),
    "split lines": lambda page: (
        page.drawString(60, 500, "Led the accounts and all the teams of the Oka-"),
        page.drawString(60, 488, "for company and all others."),
    ),
    "small letters": lambda page: (page.setFont("Helvetica", 1), page.drawString(60, 500, "Okafor")),
    "white letters": lambda page: (page.setFillColorRGB(1, 1, 1), page.drawString(60, 500, "Okafor")),
    "invisible letters": _invisible,
    "link": lambda page: page.linkURL("https://okafor.example.org", (60, 700, 200, 720)),
    "form": _form,
    "bookmarks": _outline,
    "note": lambda page: page.textAnnotation("Ngozi Okafor", (60, 300, 90, 320)),
    "picture": _picture,
}


@pytest.mark.parametrize("place", HIDING_PLACES)
def test_a_name_does_not_survive(place):
    content = made(*HEAD, draw=HIDING_PLACES[place], title="CV of Ngozi Okafor", author="Ngozi Okafor")
    result = masked(content).content
    assert_nowhere(result, *NAME)
    letters = "".join(shown(result).lower().split())
    assert not [word for word in ("okafor", "rofako", "ookkaaffoorr") if word in letters]
    assert shown(result).splitlines()[:4] == ["[NAME]", "[EMAIL]", "EXPERIENCE", "Led the audit team."]
    with pdfplumber.open(io.BytesIO(result)) as read:
        assert not read.annots
        assert not read.images


@pytest.mark.parametrize("heading", [_small_capitals, _far_apart, _turned(90, "NGOZI OKAFOR")])
def test_a_name_known_only_from_a_heading_is_masked_in_the_text(heading):
    def draw(page):
        page.setFont("Helvetica-Bold", 24)
        heading(page)
        page.setFont("Helvetica", 11)
        for place, line in enumerate(("Auditor, Chicago", "EXPERIENCE", "The team was led by Okafor.")):
            page.drawString(330, 350 - 20 * place, line)

    assert shown(masked(made(draw=draw)).content).endswith("\nThe team was led by [NAME].")


def test_letters_on_lines_of_their_own_are_refused():
    def draw(page):
        for place, letter in enumerate("OKAFOR"):
            page.drawString(500, 600 - 14 * place, letter)

    with pytest.raises(CheckFailed, match="NAME"):
        masked(made(*HEAD, draw=draw))


@pytest.mark.parametrize("surname", ["Font", "Type", "Page", "Catalog", "Image", "Helvetica"])
def test_words_of_the_format_are_no_leaks(surname):
    name = f"Ngozi {surname}"
    result = masked(made(name, "n@example.org", "", "EXPERIENCE", "Led it."), known_names=(name,))
    assert shown(result.content).startswith("[NAME]\n")


def test_what_forms_show_is_kept_masked():
    result = masked(made(*HEAD, draw=_form))
    assert "Signed [NAME]" in shown(result.content)


def test_a_name_known_only_from_the_metadata_is_masked():
    content = made(
        "CURRICULUM VITAE", "", "EXPERIENCE", "The audit was led by Wambui Ekstrand.", author="Wambui Ekstrand"
    )
    assert shown(masked(content).content).splitlines()[-1] == "The audit was led by [NAME]."


def test_metadata_is_neutral_and_the_same_bytes_come_back():
    content = made(*HEAD, author="Ngozi Okafor")
    result = masked(content).content
    assert result == masked(content).content
    with pdfplumber.open(io.BytesIO(result)) as read:
        told = {key: value for key, value in read.metadata.items() if value}
    # The date is that of reportlab's option for files that are the same each time.
    assert told == {
        "CreationDate": "D:20000101000000+00'00'",
        "ModDate": "D:20000101000000+00'00'",
        "Title": "Resume",
        "Trapped": "False",
    }


def test_two_columns_are_read_one_after_the_other():
    def columns(page):
        for place, (left, right) in enumerate(
            [("SKILLS and tools", "EXPERIENCE in audits"), ("Python and R", "Led the audit of"), ("Auditing of", "all the accounts"),
             ("yearly accounts", "for the firm"), ("Igbo and English", "and its owners")]
        ):  # fmt: skip
            page.drawString(60, 600 - 14 * place, left)
            page.drawString(300, 600 - 14 * place, right)

    text = " ".join(shown(masked(made("Ngozi Okafor", draw=columns)).content).split())
    assert text == (
        "[NAME] SKILLS and tools Python and R Auditing of yearly accounts Igbo and English "
        "EXPERIENCE in audits Led the audit of all the accounts for the firm and its owners"
    )


def _words(*rows, right=()):
    """Return words of rows 12 points apart, letters 5 wide; `right` stands at 400 on the rows of these numbers."""
    found = []
    for number, row in enumerate(rows):
        left = 50.0
        for word in row.split():
            found.append(Word(word, left, 12.0 * number, left + 5 * len(word), 12.0 * number + 10, 10.0, False))
            left += 5 * len(word) + 3
    for number, word in right:
        found.append(Word(word, 400.0, 12.0 * number, 400.0 + 5 * len(word), 12.0 * number + 10, 10.0, False))
    return found


def test_dates_at_the_margin_stay_on_their_lines():
    rows = [f"Company {letter} did this and that" for letter in "ABCDEFGH"]
    lines = lines_of(_words(*rows, right=[(0, "2019"), (3, "2020"), (6, "2021")]))
    assert [line.text for line in lines if "\t" in line.text] == [
        f"{rows[each]}\t{year}" for each, year in ((0, 2019), (3, 2020), (6, 2021))
    ]


def test_full_lines_are_joined_and_short_ones_are_not():
    rows = [
        "Led the audit of every account that the whole com-",
        "pany had in all of the years since it was founded,",
        "and more.",
        "Wrote reports.",
    ]
    assert [each.text for each in paragraphs_of(lines_of(_words(*rows)))] == [
        "Led the audit of every account that the whole company had in all of the years since it was founded, and more.",
        "Wrote reports.",
    ]


def test_bullets_begin_paragraphs():
    content = made("Ngozi Okafor", "", "• Led the audit of all of the accounts there", "• Wrote the reports")
    assert shown(masked(content).content).splitlines() == [
        "[NAME]",
        "• Led the audit of all of the accounts there",
        "• Wrote the reports",
    ]


@pytest.mark.parametrize("text", ["Łódź Œuvre", "Ελληνικά Ωμέγα", "Кириллица ёж", "Ţăran şi Đặng Thị", "→ ✓ ★ € №"])
def test_letters_of_european_scripts_are_shown(text):
    content = typeset([Paragraph(text=showable(text)[0], size=11, bold=False, indent=0, gap=0)], width=595, height=842)
    assert "".join(shown(content).split()) == "".join(text.split())


def test_styled_letters_become_plain_and_emoji_go():
    assert showable("𝗝𝗮𝗻𝗲 led 🚀 it 👩🏿") == ("Jane led  it ", 2)


@pytest.mark.parametrize(
    ("text", "script"), [("张伟", "CJK"), ("שלום", "Hebrew"), ("محمد", "Arabic"), ("नमस्ते", "Devanagari")]
)
def test_letters_that_cannot_be_shown_are_told(text, script):
    with pytest.raises(InputError, match=script):
        showable(text)


def test_a_result_that_holds_a_name_is_refused():
    names = find_names("Ngozi Okafor\nn@example.org")
    written = typeset([Paragraph(text="By Okafor", size=11, bold=False, indent=0, gap=0)], width=595, height=842)
    paragraphs = [Paragraph(text="By Okafor", size=11, bold=False, indent=0, gap=0)]
    with pytest.raises(CheckFailed, match="NAME") as told:
        pdf._check(written, paragraphs, Trace(names), Request())
    assert "kafor" not in str(told.value)
    with pytest.raises(CheckFailed, match="differs from the masked text"):
        pdf._check(
            written, [Paragraph(text="By [NAME]", size=11, bold=False, indent=0, gap=0)], Trace(names), Request()
        )


def test_options_reach_the_rules():
    content = made(*HEAD, "Tel. 312-555-0188", "She led it.")
    asked = MaskOptions(optional=("phone",), pronouns="neutral")
    assert shown(masked(content, options=asked).content).splitlines()[-2:] == ["Tel. [PHONE]", "They led it."]


@pytest.mark.parametrize(
    ("letters", "first", "expected"),
    [
        ([("(cid:15)", "CMSY")], True, ("•", 0)),
        ([("(cid:15)", "CMSY")], False, ("", 1)),
        ([("\uf0b7", "Symbol")], True, ("•", 0)),
        ([("\uf095", "Icons"), ("5", "Body")], False, ("5", 1)),
        ([("o", "Body"), ("ﬃ", "Body"), ("c", "Body"), ("e", "Body")], False, ("office", 0)),
    ],
)
def test_icons_are_left_out(letters, first, expected):
    assert _readable(letters, 1, first=first) == expected


@pytest.mark.parametrize(
    "letters", [[("(cid:7)", "Body"), ("k", "Body")], [("(cid:7)", "A"), ("(cid:8)", "A"), ("(cid:9)", "A")]]
)
def test_letters_that_stand_for_no_character_are_told(letters):
    with pytest.raises(InputError, match="no character"):
        _readable(letters, 1, first=True)


def _scan(page):
    from PIL import Image

    page.drawImage(ImageReader(Image.new("RGB", (8, 8))), 0, 0, 595, 842)


def _scanned(*, words=""):
    """Return a PDF whose second page is a picture, cut into strips."""
    from PIL import Image

    file = io.BytesIO()
    page = canvas.Canvas(file, pagesize=(595, 842))
    page.drawString(60, 780, "Ngozi Okafor")
    page.showPage()
    for strip in range(10):
        page.drawImage(ImageReader(Image.new("RGB", (8, 8))), 0, 84.2 * strip, 595, 84.2)
    page.drawString(60, 20, words)
    page.save()
    return file.getvalue()


def test_a_scanned_page_in_strips_is_told():
    with pytest.raises(InputError, match="no text on page 2"):
        masked(_scanned())
    assert any("few words" in note for note in masked(_scanned(words="Page 2")).notes)


def test_scanned_encrypted_broken_and_empty_files_are_told():
    whole = made(*HEAD)
    cases = {
        "scanned": [made(draw=_scan), made()],
        "encrypted": [made(*HEAD, encrypt=StandardEncryption("secret")), made(*HEAD, encrypt=StandardEncryption("", "owner"))],
        "damaged": [b"%PDF-1.4\n%%EOF", whole[:300], b"%PDF-1.7 nonsense" * 10],
        "not a PDF": [b"hello", b"PK\x03\x04"],
    }  # fmt: skip
    for message, contents in cases.items():
        for content in contents:
            with pytest.raises(InputError, match=message):
                masked(content)
