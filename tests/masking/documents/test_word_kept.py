# ruff: noqa: E501 - markup reads better in one line
"""Word documents: what is kept of the rest, and that odd packages are read as Word reads them."""

import io
import itertools

import docx
import pytest
from _word import (
    NAME,
    OFFICE,
    PERSON,
    PICTURE,
    PNG,
    assert_nowhere,
    document,
    masked,
    paragraph,
    part,
    run,
    texts,
    unzipped,
    zipped,
)
from hypothesis import given
from hypothesis import strategies as st

from evenhand.masking.mask import mask_text
from properties import dear


def test_settings_keep_the_look_and_lose_variables_merges_and_templates():
    inner = (
        '<w:defaultTabStop w:val="720"/><w:docVars><w:docVar w:name="x" w:val="Okafor"/></w:docVars>'
        '<w:mailMerge><w:query w:val="Ngozi Okafor"/></w:mailMerge><w:attachedTemplate r:id="rId1"/>'
        '<w:rsids><w:rsidRoot w:val="00A10000"/></w:rsids>'
    )
    made = document(*PERSON, rename={"word/settings.xml": lambda _: part("settings", inner).encode()})
    settings = unzipped(masked(made).content)["word/settings.xml"].decode()
    assert "defaultTabStop" in settings
    for gone in ("docVar", "mailMerge", "attachedTemplate", "rsid"):
        assert gone not in settings


def test_labels_of_a_table_beside_the_person_stay():
    rows = (("Name", "Ngozi Okafor"), ("Tool", "Kubernetes"), ("Experience", "10 years"))
    cells = ("".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in row) for row in rows)
    body = "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in cells) + "</w:tbl>"
    written = docx.Document(io.BytesIO(masked(document("Ngozi Okafor", "Built a Tool.", body=body)).content))
    assert [[cell.text for cell in row.cells] for row in written.tables[0].rows] == [
        ["Name", "[NAME]"],
        ["Tool", "Kubernetes"],
        ["Experience", "10 years"],
    ]


def test_formatting_of_the_rest_is_kept():
    body = f"<w:p>{run('Dear Ng', '<w:rPr><w:b/></w:rPr>')}{run('ozi', '<w:rPr><w:i/></w:rPr>')}{run(' Okafor, hello', '<w:rPr><w:u w:val=' + chr(34) + 'single' + chr(34) + '/></w:rPr>')}</w:p>"
    made = docx.Document(io.BytesIO(masked(document(*PERSON, body=body)).content))
    runs = [(each.text, each.bold, each.italic, each.underline) for each in made.paragraphs[5].runs]
    assert runs == [("Dear [NAME]", True, None, None), ("", None, True, None), (", hello", None, None, True)]


def test_tracked_changes_are_accepted_and_told():
    body = (
        f'<w:p>{run("Led ")}<w:ins w:id="1" w:author="A">{run("two ")}</w:ins>'
        f'<w:del w:id="2" w:author="A"><w:r><w:delText>three </w:delText></w:r></w:del>{run("teams")}</w:p>'
        f'<w:tbl><w:tr><w:trPr><w:del w:id="3" w:author="A"/></w:trPr><w:tc>{paragraph("gone")}</w:tc></w:tr>'
        f"<w:tr><w:tc>{paragraph('stays')}</w:tc></w:tr></w:tbl>"
    )
    result = masked(document(*PERSON, body=body))
    assert texts(result.content)[5:] == ["Led two teams", "stays"]
    assert "tracked changes accepted: 3" in result.notes


def test_page_numbers_stay_fields():
    field = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE \\* Okafor </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
    content = unzipped(masked(document(*PERSON, body=f"<w:p>{field}</w:p>")).content)["word/document.xml"].decode()
    assert "<w:instrText> PAGE </w:instrText>" in content


def _mark(kind):
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def _code(text):
    return f"<w:r><w:instrText>{text}</w:instrText></w:r>"


LINKED = _mark("begin") + _code(' HYPERLINK "https://ngozi.example"')
WHOLE_FIELD = f"{LINKED}{_mark('separate')}{run('my page')}{_mark('end')}"
LOST_ENDS = {
    "code only": (paragraph(LINKED), [""]),
    "text behind the code": (paragraph(LINKED, "Paid by Okafor"), ["Paid by [NAME]"]),
    "end of another field": (paragraph(LINKED) + paragraph("Led it") + paragraph("Built it", _mark("end")), ["", "Led it", "Built it"]),
    "what it shows": (paragraph(LINKED, _mark("separate"), "Okafor's page"), ["[NAME]'s page"]),
    "whole field behind": (paragraph(LINKED) + paragraph("See ", WHOLE_FIELD), ["", "See my page"]),
    "whole field beside": (paragraph(LINKED, "See ", WHOLE_FIELD), ["See my page"]),
    "begun twice": (paragraph(LINKED, LINKED, "See it"), ["See it"]),
    "end deleted": (paragraph(LINKED, "Shown", f'<w:del w:id="1">{_mark("end")}</w:del>'), ["Shown"]),
}  # fmt: skip


@pytest.mark.parametrize("kind", LOST_ENDS)
def test_a_field_without_an_end_takes_no_text_with_it(kind):
    body, shown = LOST_ENDS[kind]
    result = masked(document(*PERSON, body=body + paragraph("SKILLS") + paragraph("Python")))
    assert texts(result.content)[5:] == [*shown, "SKILLS", "Python"]
    assert_nowhere(result.content, "instrText", "fldChar", *NAME)
    assert any(note.startswith("fields without an end") for note in result.notes) == (kind != "end of another field")


def test_a_field_over_paragraphs_shows_what_it_shows():
    body = paragraph(_mark("begin"), _code("TOC"), _mark("separate"), "EXPERIENCE") + paragraph("SKILLS", _mark("end"))
    result = masked(document(*PERSON, body=body))
    assert texts(result.content)[5:] == ["EXPERIENCE", "SKILLS"]
    assert not any("without an end" in note for note in result.notes)


def test_text_that_is_lost_with_what_is_removed_is_told():
    chunks = [(f"word/a{number}.html", f"{OFFICE}/aFChunk", "text/html", "<p>Skills</p>") for number in range(2)]
    body = '<w:altChunk r:id="rIdX0"/><w:altChunk r:id="rIdX1"/><w:subDoc r:id="rIdX3"/>'
    notes = masked(document(*PERSON, body=body, parts=chunks)).notes
    assert "embedded documents removed, with the text that they showed: 2" in notes
    assert "other documents shown within this one removed, with their text: 1" in notes


def test_kinds_of_parts_are_told_in_our_words():
    parts = [
        ("word/a.bin", "http://schemas.microsoft.com/office/2006/relationships/vbaProject", "application/x", b"x"),
        ("word/b.bin", "http://example.org/okafor", "application/octet-stream", b"x"),
    ]
    notes = masked(document(*PERSON, parts=parts)).notes
    assert {"left out, macros: 1", "left out, parts of unknown kinds: 1"} <= set(notes)
    assert "okafor" not in str(notes)


def test_pictures_become_one_grey_pixel():
    picture = ("word/media/image1.png", f"{OFFICE}/image", "image/png", PNG)
    members = unzipped(masked(document(*PERSON, body=f"<w:p>{PICTURE}</w:p>", parts=[picture])).content)
    assert [name for name in members if "media" in name] == ["word/media/picture.png"]
    assert len(members["word/media/picture.png"]) < 80
    assert b'r:embed="rIdPicture"' in members["word/document.xml"]


def _referring(target, kind="image"):
    relation = f'<Relationship Id="rIdX9" Type="{OFFICE}/{kind}" Target="{target}"/></Relationships>'.encode()
    change = {"word/_rels/document.xml.rels": lambda rels: rels.replace(b"</Relationships>", relation)}
    return document(*PERSON, body=f"<w:p>{PICTURE}</w:p>", rename=change)


def _without(*names):
    members = unzipped(document(*PERSON))
    return zipped({name: content for name, content in members.items() if name not in names})


# Word opens all of these, and writes some of them itself.
ODD_PACKAGES = {
    "picture that was lost": lambda: _referring("../NULL"),
    "place in the document": lambda: _referring("#Okafor", "hyperlink"),
    "no properties": lambda: _without("docProps/core.xml", "docProps/thumbnail.jpeg"),
    "broken properties": lambda: document(*PERSON, rename={"docProps/core.xml": lambda _: b"<x"}),
    "backslashes": lambda: zipped(
        {name.replace("/", "\\"): content for name, content in unzipped(document(*PERSON)).items()}
    ),
    "other case": lambda: zipped({name.upper(): content for name, content in unzipped(document(*PERSON)).items()}),
}


@pytest.mark.parametrize("kind", ODD_PACKAGES)
def test_packages_that_word_opens_are_read(kind):
    result = masked(ODD_PACKAGES[kind]()).content
    assert texts(result)[:5] == ["[NAME]", "[EMAIL]", "", "EXPERIENCE", "Led the audit team."]
    assert_nowhere(result, *NAME)


def test_a_header_that_is_lost_is_not_referred_to():
    reference = '<w:sectPr><w:headerReference w:type="default" r:id="rIdX9"/></w:sectPr>'
    relation = f'<Relationship Id="rIdX9" Type="{OFFICE}/header" Target="header9.xml"/></Relationships>'.encode()
    change = {"word/_rels/document.xml.rels": lambda rels: rels.replace(b"</Relationships>", relation)}
    result = masked(document(*PERSON, body=f"<w:p><w:pPr>{reference}</w:pPr></w:p>", rename=change))
    assert b"headerReference" not in unzipped(result.content)["word/document.xml"]
    assert "left out, header that is not in the file: 1" in result.notes


LINES = (
    "Ngozi Okafor, PhD",
    "n.okafor@example.org | (312) 555-0188",
    "EXPERIENCE",
    "Ms Okafor led Ngozi's team.",
    "She is Catholic.",
)


@dear(8)
@given(st.lists(st.sets(st.integers(1, 40), max_size=12), min_size=len(LINES), max_size=len(LINES)))
def test_runs_make_no_difference(cuts):
    body = ""
    for line, places in zip(LINES, cuts, strict=True):
        edges = [0, *sorted(place for place in places if place < len(line)), len(line)]
        pieces = [line[start:end] for start, end in itertools.pairwise(edges)]
        body += paragraph(
            *(run(piece, "<w:rPr><w:b/></w:rPr>" if number % 2 else "") for number, piece in enumerate(pieces))
        )
    assert texts(masked(document(body=body)).content) == mask_text("\n".join(LINES)).text.split("\n")
