"""Text and Markdown: encodings, line ends and all but masks stay as they are."""

import codecs
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.errors import CheckFailed, InputError
from evenhand.masking.documents import text as markdown
from evenhand.masking.documents import text as plain_text
from evenhand.masking.documents.check import Trace, refuse_leaks
from evenhand.masking.documents.request import Request
from evenhand.masking.documents.text import has_markup, without_markup
from evenhand.masking.mask import mask_text
from evenhand.masking.names.find import find_names
from evenhand.masking.pronouns import OPTIONAL, MaskOptions

RESUME = (
    "Renée Okafor\nrenee@example.org\n\nEXPERIENCE\n• Ms Okafor led the team.\nRené Descartes prize; naïve Bayes.\n"
)
MASKED = "[NAME]\n[EMAIL]\n\nEXPERIENCE\n• [GENDER] [NAME] led the team.\nRené Descartes prize; naïve Bayes.\n"


def masked(content, **asked):
    return plain_text.masked_plain(content, Request(**asked))


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
        (b"", "cp1252"),
    ],
)
def test_encoding_mark_and_line_ends_stay(mark, codec, line_end):
    content = mark + RESUME.replace("\n", line_end).encode(codec)
    assert masked(content).content == mark + MASKED.replace("\n", line_end).encode(codec)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("start", ["", "Резюме\n\n", "é "])
def test_utf16_without_a_mark_is_read(codec, start):
    content = f"{start}Ngozi Okafor\n\nThe team of Okafor.".encode(codec)
    result = masked(content, known_names=("Ngozi Okafor",)).content.decode(codec)
    assert result.endswith("[NAME]\n\nThe team of [NAME].")


# Line ends within a name go with it.
@pytest.mark.parametrize(
    ("led", "expected"),
    [
        ("Ngo-\r\nzi.", "[NAME]."),
        ("Oka\u00ad\nfor.", "[NAME]."),
        ("\x1b[1mOka\x1b[0mfor.", "\x1b[1m[NAME]\x1b[0m."),
        ("O\x08Ok\x08ka\x08af\x08fo\x08or\x08r.", "O\x08[NAME]."),
    ],
)
def test_what_no_reader_sees_hides_no_name(led, expected):
    head = "Ngozi Okafor\n\nEXPERIENCE\nThe team was led by "
    result = masked(f"{head}{led}".encode(), known_names=("Ngozi Okafor",)).content.decode()
    assert result == f"[NAME]\n\nEXPERIENCE\nThe team was led by {expected}"


def test_letters_on_lines_of_their_own_are_refused():
    with pytest.raises(CheckFailed, match="NAME"):
        masked(b"Ngozi Okafor\n\nEXPERIENCE\nLed it.\n\nO\nK\nA\nF\nO\nR\n", known_names=("Ngozi Okafor",))


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("Łukasz Pawłowski", "cp1250"),
        ("Łukasz Pawłowski", "iso8859-2"),
        ("Иван Петров, Москва, бухгалтер", "cp1251"),
        ("Γιώργος Παπαδόπουλος, λογιστής", "cp1253"),
        ("Wámbui Okafor", "mac_roman"),
        ("José Okafor", "mac_roman"),
        ("Jürgen Okafor", "mac_roman"),
        ("Sofía Okafor", "mac_roman"),
        ("Ana Muñoz", "mac_roman"),
        ("Wámbui López", "mac_roman"),
        ("Renée Okafor", "cp850"),
        ("Jörg Okafor", "cp850"),
        ("Ana Márquez", "cp850"),
        ("ANA PEÑA", "cp437"),
    ],
)
def test_a_text_in_another_encoding_is_refused_rather_than_misread(text, codec):
    with pytest.raises(InputError, match="neither"):
        masked(text.encode(codec))


@pytest.mark.parametrize(
    "text",
    [
        "« J'ai réduit les coûts » — Renée Müller, £20m, £million, 5 m² à Köln",
        "Ünal Öz, Ürün Müdürü; ¿Qué? ¡Sí!",
        "O\u2019Brien didn\u2019t; Lou\u2019s; L\u2019Isle\u2013Adam; client\u2013server; so\u2014Jan\u2019s; Škoda",
        "\u201cSmith\u201d, \u201aSmith\u2018 \u201eSmith\u201c 5\u2030, Word\u2122, Smith\u2020",
        "M\xa0Durand, a\u2026b, \u20ac5m, §5 Art. 7; ŒUVRE",
        "© Okafor® ½ × 3 ÷ 2 ± 1 °C",
    ],
)
def test_western_texts_are_read(text):
    assert masked(f"Profile\n{text}\n".encode("cp1252"))


def test_mixed_line_ends_stay_where_they_are():
    assert masked(b"Ngozi Okafor\r\nLed it.\nOkafor\r\n\r\nran it.").content == (
        b"[NAME]\r\nLed it.\n[NAME]\r\n\r\nran it."
    )


def test_a_name_known_only_from_the_file_name_is_masked():
    text = b"CURRICULUM VITAE\n\nEXPERIENCE\nThe audit was led by Wambui Ekstrand.\n"
    asked = {"file_name": "Wambui_Ekstrand_CV.txt"}
    assert masked(text, **asked).content.endswith(b"led by [NAME].\n")


def test_spans_are_counted_by_category():
    assert masked(RESUME.encode()).spans == {"EMAIL": 1, "GENDER": 1, "NAME": 2}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a\x00b\x00\x00c", "NUL"),
        ("Ngozi\x00Okafor".encode("utf-16"), "NUL"),
        (b" \n ", "no text"),
        (b"\xff\xfea", "neither"),
        (b"\x81\x8d abc", "neither"),
        ("Renée Müller".encode() + b"\xff", "broken characters"),
        (b"{\\rtf1 Ngozi Okafor}", "RTF"),
        (b"%PDF-1.7", "PDF"),
    ],
)
def test_what_is_no_text_is_told(content, message):
    with pytest.raises(InputError, match=message):
        masked(content)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Ngozi Okafor\n", "# [NAME]\n"),
        ("Ngozi **Okafor** led", "[NAME] **[NAME]** led"),
        ("Led by O**kaf**or, yes", "Led by [NAME], yes"),
        ("Ngoz&#105; Ok&#x61;for led", "[NAME] led"),
        ('Oka<span class="x">for</span> led', '[NAME]<span class="x"></span> led'),
        ("Oka<!-- x -->for led", "[NAME]<!-- x --> led"),
        ("Oka[for](#a) led", "[NAME][](#a) led"),
        ("> led by Oka-\n> for", "> led by [NAME]"),
        (r"n\.okafor@example\.org, Ngozi\_Okafor", "[EMAIL], [NAME]"),
        ("see [cv](cv%2Dokafor.pdf)", "see [cv](cv%2D[NAME].pdf)"),
        ("a ![x](<oka for.png>) b", "a [IMAGE] b"),
        ("a <img alt='a > Okafor' src='x'> b", "a [IMAGE] b"),
        ("Ngozi&nbsp;Okafor led", "[NAME] led"),
        ("see [cv](./ngozi-okafor.md 'Okafor')", "see [cv](./[NAME].md '[NAME]')"),
        ("[me]: https://okafor.example.org/a", "[me]: [URL]"),
        ("<!-- by Okafor -->", "<!-- by [NAME] -->"),
        ("a ![Okafor](okafor.png 'me') b", "a [IMAGE] b"),
        ("a ![x][photo] b", "a [IMAGE] b"),
        ("a <img alt='x' src='okafor.png'> b", "a [IMAGE] b"),
        ("a <svg><text>Okafor</text></svg> b", "a [IMAGE] b"),
        ("[photo]: data:image/png;base64,T2thZm9y", "[photo]: [IMAGE]"),
        ("| a | b |\n|---|---|\n| 1 | *x_y* |", "| a | b |\n|---|---|\n| 1 | *x_y* |"),
    ],
)
def test_markdown_stays_but_for_masks(text, expected):
    head = "Ngozi Okafor\n\nEXPERIENCE\n"
    result = markdown.masked_markdown(f"{head}{text}".encode(), Request(known_names=("Ngozi Okafor",)))
    assert result.content.decode() == f"[NAME]\n\nEXPERIENCE\n{expected}"


@pytest.mark.parametrize(
    "unit",
    [
        "Ran Kafka clusters and SQL jobs. ",
        "Led by Ann Roe in 2015. ",
        "Team: Ann, Bo, ",
        "Name: Ann Roe Mail: x ",
        "BSc, Leeds, 2010; ",
        "| Name | Ann ",
        "0123456789",
    ],
)
def test_a_document_in_one_line_takes_little_more_than_its_parts(unit):
    options = MaskOptions(optional=tuple(OPTIONAL))

    def calls(size):
        text = "Ngozi Okafor led. " + (unit * (size // len(unit) + 1))[:size]
        counted = 0

        def count(_frame, event, _what):
            nonlocal counted
            counted += event in {"call", "c_call"}

        sys.setprofile(count)
        try:
            masked = mask_text(text, options=options)
        finally:
            sys.setprofile(None)
        assert masked.text.startswith("[NAME] led.")
        return counted

    calls(100)  # tables are read once
    assert calls(16_000) < 6 * max(calls(4_000), 2_000)  # the square of four is sixteen


def test_the_check_says_which_category_and_not_which_text():
    names = find_names("Ngozi Okafor\nn@example.org")
    with pytest.raises(CheckFailed) as told:
        refuse_leaks(
            texts=["Led by Okafor; write to n.okafor@example.org"],
            bare=["okafor.png"],
            trace=Trace(names),
            options=MaskOptions(),
        )
    assert "NAME, EMAIL" in str(told.value)
    assert "kafor" not in str(told.value)
    assert told.value.exit_code == 5


MARKUP = [*"Ja \n*_~`\\%&\r\u00ad", "<b>", "-->", "&amp;", "&#97;", "%4a", "\x1b[0m"]


@given(st.lists(st.sampled_from(MARKUP), max_size=8).map("".join))
def test_a_text_without_markup_is_seen_as_it_is_but_for_stars_of_lists(text):
    if not has_markup(text):
        assert without_markup(text).text.replace("*", "") == text.replace("*", "")
