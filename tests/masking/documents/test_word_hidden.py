# ruff: noqa: E501 - markup reads better in one line
"""Word documents: text that is hidden by itself or by a style goes, and what is shown stays."""

import pytest
from _word import NAME, PERSON, assert_nowhere, document, masked, paragraph, run, texts

HIDE, SHOW = "<w:vanish/>", '<w:vanish w:val="0"/>'


def _style(kind, name, says="", based_on="", more=""):
    based = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    return f'<w:style w:type="{kind}" w:styleId="{name}"><w:name w:val="{name}"/>{based}<w:rPr>{says}</w:rPr>{more}</w:style>'


STYLES = (
    _style("paragraph", "Note", HIDE)
    + _style("paragraph", "Remark", based_on="Note")
    + _style("paragraph", "Spoken", SHOW, based_on="Note")
    + _style("character", "Whisper", HIDE)
    + _style("character", "Murmur", based_on="Whisper")
    + _style("table", "Cellar", HIDE)
    + _style("table", "Striped", more=f'<w:tblStylePr w:type="firstRow"><w:rPr>{HIDE}</w:rPr></w:tblStylePr>')
    + _style("paragraph", "Ring", based_on="Rung")
    + _style("paragraph", "Rung", based_on="Ring")
)


def _document(body, styles=STYLES):
    return document(
        *PERSON,
        body=body,
        rename={"word/styles.xml": lambda whole: whole.replace(b"</w:styles>", f"{styles}</w:styles>".encode())},
    )


def _set_in(style, *runs):
    return paragraph(*runs, properties=f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>')


def _run(text, style="", says=""):
    named = f'<w:rStyle w:val="{style}"/>' if style else ""
    return run(text, f"<w:rPr>{named}{says}</w:rPr>")


def _table(style, *cells):
    rows = f"<w:tr>{''.join(f'<w:tc>{cell}</w:tc>' for cell in cells)}</w:tr>"
    return f'<w:tbl><w:tblPr><w:tblStyle w:val="{style}"/></w:tblPr>{rows}</w:tbl>'


SHOWN = {
    "run": (paragraph("Seen ", _run("unseen", says=HIDE)), ["Seen "]),
    "run that is shown": (_set_in("Note", _run("Seen", says=SHOW)), ["Seen"]),
    "paragraph style": (_set_in("Note", "unseen"), [""]),
    "style based on another": (_set_in("Remark", "unseen"), [""]),
    "style that shows again": (_set_in("Spoken", "Seen"), ["Seen"]),
    "character style": (paragraph("Seen ", _run("unseen", "Whisper")), ["Seen "]),
    "character style based on another": (paragraph("Seen ", _run("unseen", "Murmur")), ["Seen "]),
    "two styles": (_set_in("Note", _run("Seen", "Whisper"), "unseen"), ["Seen"]),
    "table style": (_table("Cellar", paragraph("unseen"), paragraph(_run("Seen", says=SHOW))), ["", "Seen"]),
    "style of some cells": (_table("Striped", paragraph("Seen")), ["Seen"]),
    "styles based on each other": (_set_in("Ring", "Seen"), ["Seen"]),
    "style that is not there": (_set_in("Nowhere", _run("Seen", "Note")), ["Seen"]),
    "mark of a paragraph": (paragraph("Seen", properties=f"<w:pPr><w:rPr>{HIDE}</w:rPr></w:pPr>"), ["Seen"]),
    "letters of a name": (paragraph("Oka", _run("unseen", "Whisper"), "for led"), ["[NAME] led"]),
}


@pytest.mark.parametrize("kind", SHOWN)
def test_what_styles_hide_is_removed_and_what_is_shown_stays(kind):
    body, shown = SHOWN[kind]
    result = masked(_document(body))
    assert texts(result.content)[5:] == shown
    assert_nowhere(result.content, "unseen", *NAME)
    assert any(note.startswith("hidden texts removed") for note in result.notes) == ("unseen" in body)


def test_what_the_usual_style_hides_is_removed():
    usual = _style("paragraph", "Base", HIDE).replace("<w:style ", '<w:style w:default="1" ')
    shown = '<w:pPr><w:pStyle w:val="Spoken"/></w:pPr>'
    body = paragraph("Unsaid") + paragraph("Ngozi Okafor led it", properties=shown)
    assert texts(masked(_document(body, STYLES + usual)).content)[5:] == ["", "[NAME] led it"]


def test_a_document_that_hides_all_text_shows_what_its_runs_show():
    def hiding(whole):
        return whole.replace(b"<w:rPrDefault><w:rPr>", f"<w:rPrDefault><w:rPr>{HIDE}".encode())

    body = paragraph("Unsaid ", _run("Okafor led it", says=SHOW))
    result = masked(document("Unsaid", body=body, rename={"word/styles.xml": hiding}), known_names=("Ngozi Okafor",))
    assert texts(result.content) == ["", "[NAME] led it"]
