"""A probe's card on the page: what Markdown lays out, and nothing else that it could bring."""

import pytest
from invented import document
from page import Page, render_report

from evenhand.report.probe.sections import card_html


@pytest.mark.parametrize(
    ("card", "html"),
    [
        ("# Card\n## Design", "<h3>Card</h3>\n<h4>Design</h4>\n"),
        ("##### a\n###### b", "<h6>a</h6>\n<h6>b</h6>\n"),
        (
            "See [the study](https://example.org/a).",
            '<p>See the study (<a href="https://example.org/a">https://example.org/a</a>).</p>\n',
        ),
        ("<https://example.org>", '<p><a href="https://example.org">https://example.org</a></p>\n'),
        (
            "![a picture](https://example.org/a.png)",
            '<p>!a picture (<a href="https://example.org/a.png">https://example.org/a.png</a>)</p>\n',
        ),
        ("[notes](docs/notes.md)", "<p>notes (docs/notes.md)</p>\n"),
        ("<mailto:a@example.org>", "<p>mailto:a@example.org</p>\n"),
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>\n"),
        (
            "[a](https://example.org/\"onclick='x)",
            "<p>a (<a href=\"https://example.org/%22onclick='x\">https://example.org/%22onclick='x</a>)</p>\n",
        ),
        ("<b onclick=x>a</b> &lt;i&gt;", "<p>&lt;b onclick=x&gt;a&lt;/b&gt; &lt;i&gt;</p>\n"),
        ("<div>\na\n</div>", "<p>&lt;div&gt;\na\n&lt;/div&gt;</p>\n"),
        ('``` x" onclick="y\n<b>\n```', "<pre><code>&lt;b&gt;\n</code></pre>\n"),
        ("", ""),
    ],
)
def test_a_card_brings_text_and_layout_only(card, html):
    assert card_html(card) == html


def test_a_table_of_a_card_is_a_table_whose_numbers_stand_right_without_a_style_of_their_own():
    page = Page(card_html("Before:\n| group | n |\n|---|--:|\n| `a` | 7 |"))
    assert page.text("th") == ["group", "n"]
    assert page.text("td") == ["a", "7"]
    assert page.named("td") == [{}, {"class": "number"}]


def test_the_page_of_a_run_shows_the_card_within_its_own_headings():
    page = Page(render_report(document([], card="# HiringAn\n\n## Known limits\n\n- English.\n")))
    assert "HiringAn" in page.text("h3")
    assert "English." in page.text("li")
