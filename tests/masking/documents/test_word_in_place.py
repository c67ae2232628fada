# ruff: noqa: E501 - markup reads better in one line
"""Word documents under another name: the runs that show it change, and no other byte of a part."""

import io
import re

import docx
import pytest
from _word import OFFICE, WORD, assert_nowhere, document, paragraph, part, run, texts, unzipped

from evenhand.errors import InputError
from evenhand.masking.documents.formats import word_of
from evenhand.masking.people import read_people
from evenhand.synthetic.own_name import FullName
from evenhand.synthetic.templates import NAME_IN_FILE, NOT_IN_PLACE, LeftOut, template_of

NEW = FullName("Lakisha", "Banks")
REST = ("jane.doe@example.org", "EXPERIENCE", "Nurse for ten years. She led the ward.")
REST_XML = "".join(paragraph(text) for text in REST)
BOLD, HIDDEN = "<w:rPr><w:b/></w:rPr>", "<w:rPr><w:vanish/></w:rPr>"
MAIN, CORE = "word/document.xml", "docProps/core.xml"


def text_box(inner):
    """Return a text box as Word writes it: once for itself, once for older programs."""
    shape = f"<wps:wsp><wps:txbx><w:txbxContent>{inner}</w:txbxContent></wps:txbx></wps:wsp>"
    kind = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
    return (
        '<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><wp:docPr id="1" name="Box 1" '
        f'descr="Box of Jane Doe"/><a:graphic><a:graphicData uri="{kind}">{shape}</a:graphicData></a:graphic></wp:inline>'
        "</w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>"
        f"{inner}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )


def properties(author, title):
    def change(content):
        content = re.sub(rb"<dc:creator>[^<]*", f"<dc:creator>{author}".encode(), content)
        return re.sub(rb"<dc:title>[^<]*</dc:title>|<dc:title/>", f"<dc:title>{title}</dc:title>".encode(), content)

    return {CORE: change}


def field(code, shown):
    marks = [f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")]
    return f"<w:p>{marks[0]}<w:r><w:instrText>{code}</w:instrText></w:r>{marks[1]}{run(shown)}{marks[2]}</w:p>"


#: A document, and the parts that another name changes.
DOCUMENTS = {
    "lines": (document("Jane Doe", *REST), {MAIN}),
    "runs": (document(body=paragraph(run("Ja"), run("ne", BOLD), run(" D"), run("oe", BOLD)) + REST_XML), {MAIN}),
    "line break": (document(body=f"<w:p><w:r><w:t>Jane</w:t><w:br/><w:t>Doe</w:t></w:r></w:p>{REST_XML}"), {MAIN}),
    "properties": (document("Jane Doe", *REST, rename=properties("Jane Doe", "CV &amp; Jane Doe")), {MAIN, CORE}),
    "table": (
        document(
            body=f"<w:tbl><w:tr><w:tc>{paragraph('Jane Doe')}</w:tc><w:tc>{paragraph(REST[0])}</w:tc></w:tr></w:tbl>",
        ),
        {MAIN},
    ),
    "empty cells": (
        document(
            body=f"<w:tbl><w:tr><w:tc>{paragraph('Jane Doe')}</w:tc><w:tc><w:p/></w:tc></w:tr><w:tr><w:tc>{REST_XML}"
            "</w:tc><w:tc><w:p></w:p></w:tc></w:tr></w:tbl>",
        ),
        {MAIN},
    ),
    "text box": (document(*REST, body=text_box(paragraph(run("Ja"), run("ne Doe", BOLD)))), {MAIN}),
    "header": (
        document(
            *REST,
            parts=[("word/header9.xml", f"{OFFICE}/header", f"{WORD}.header+xml", part("hdr", paragraph("Jane Doe")))],
        ),
        {MAIN, "word/header9.xml"},
    ),
    "deleted": (
        document(
            "Jane Doe",
            body='<w:p><w:del w:id="3" w:author="Jane Doe"><w:r><w:delText>By Jane Doe</w:delText></w:r></w:del></w:p>',
        ),
        {MAIN},
    ),
    "field": (document("Jane Doe", body=field(' HYPERLINK "mailto:jane.doe@example.org" ', REST[0])), {MAIN}),
    "font": (
        document("Jane Doe", body=paragraph(run("Nurse", '<w:rPr><w:rFonts w:ascii="Jane" w:hAnsi="Jane"/></w:rPr>'))),
        {MAIN},
    ),
    "slots": (document("{name}", "{email}", "Nurse."), {MAIN}),
}


def arm_of(tmp_path, content, *, lines=None, name="Jane_Doe_CV.docx"):
    """Return a document's template, its text under another name, and that as a Word file."""
    (tmp_path / name).write_bytes(content)
    (person,) = read_people(tmp_path / name)
    template = template_of(person)
    assert not isinstance(template, LeftOut), template.reason
    text = template.filled(NEW, gender="male", lines=lines or {})
    return template, text, word_of(template.source).written(text, template.filled_elsewhere(NEW, gender="male"))


def skeleton(content):
    """Return a part without its text and what says that blanks of it count."""
    return re.sub(
        rb'(<w:(?:t|delText|instrText))(?: xml:space="preserve")?>[^<]*<|author="[^"]*"|descr="[^"]*"', rb"\1", content
    )


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_only_the_runs_that_show_the_name_change(tmp_path, kind):
    content, parts = DOCUMENTS[kind]
    _, text, written = arm_of(tmp_path, content)
    before, after = unzipped(content), unzipped(written)
    assert [*after] == [*before]
    assert {name for name in before if before[name] != after[name]} == parts
    assert text.count("Lakisha") == sum("Lakisha" in line for line in text.split("\n")) >= 1
    (tmp_path / "arm.docx").write_bytes(written)
    assert word_of(tmp_path / "arm.docx").text == text
    docx.Document(io.BytesIO(written))
    for name in parts - {CORE}:
        assert skeleton(after[name]) == skeleton(before[name])
    if kind not in {"font", "slots"}:
        assert_nowhere(written, "Jane", "Doe")


def test_runs_keep_their_looks_and_take_what_stands_in_their_place(tmp_path):
    _, _, written = arm_of(tmp_path, DOCUMENTS["runs"][0])
    runs = docx.Document(io.BytesIO(written)).paragraphs[0].runs
    assert [(piece.text, piece.bold) for piece in runs] == [("Lakisha", None), ("", True), (" Banks", None), ("", True)]


def test_properties_links_and_the_file_s_name_follow(tmp_path):
    rename = properties("Jane Doe", "CV Jane Doe")
    link = '<w:p><w:hyperlink r:id="rIdX0"><w:r><w:t>write to me</w:t></w:r></w:hyperlink></w:p>'
    content = document("Jane Doe", *REST, body=link, rename=rename)
    rels = "word/_rels/document.xml.rels"
    target = '<Relationship Id="rIdX0" Type="x/hyperlink" TargetMode="External" Target="mailto:jane.doe@example.org"/>'
    members = unzipped(content)
    members[rels] = members[rels].replace(b"</Relationships>", f"{target}</Relationships>".encode())
    content = document("Jane Doe", *REST, body=link, rename={**rename, rels: lambda _: members[rels]})
    template, _, written = arm_of(tmp_path, content)
    found = docx.Document(io.BytesIO(written)).core_properties
    assert (found.author, found.title) == ("Lakisha Banks", "CV Lakisha Banks")
    assert b'Target="mailto:lakisha.banks@example.org"' in unzipped(written)[rels]
    assert template.file_name(NEW) == "Lakisha_Banks_CV.docx"


LINES = {"pronouns": "Pronouns: he/him", "affinity": "Member, Local & State Network"}


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_lines_are_added_where_the_text_has_them_before_headers(tmp_path, kind):
    _, text, written = arm_of(tmp_path, DOCUMENTS[kind][0], lines=LINES)
    (tmp_path / "arm.docx").write_bytes(written)
    assert word_of(tmp_path / "arm.docx").text == text
    docx.Document(io.BytesIO(written))
    assert kind != "header" or text.endswith("\n\nMember, Local & State Network\n\nLakisha Banks")


def test_a_line_is_a_paragraph_that_looks_like_the_next(tmp_path):
    heading = '<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>Jane Doe</w:t></w:r></w:p>'
    mail = (
        '<w:p><w:pPr><w:jc w:val="right"/></w:pPr><w:r><w:rPr><w:i/></w:rPr><w:t>jane.doe@example.org</w:t></w:r></w:p>'
    )
    _, _, written = arm_of(tmp_path, document(body=heading + mail + REST_XML), lines=LINES)
    assert texts(written)[:3] == ["Lakisha Banks", "Pronouns: he/him", "lakisha.banks@example.org"]
    added = docx.Document(io.BytesIO(written)).paragraphs[1]
    assert (added.style.name, added.alignment, added.runs[0].italic) == ("Normal", 2, True)


@pytest.mark.parametrize(
    "body",
    [
        f"<w:p>{run('Do', HIDDEN)}{run('e, as before', HIDDEN)}</w:p>",
        "<w:p><w:r><w:t>x</w:t></w:r><w:del><w:r><w:delText>Ja</w:delText></w:r><w:r><w:delText>ne led</w:delText></w:r></w:del></w:p>",
    ],
)
def test_a_person_whose_name_remains_in_hidden_text_is_left_out(tmp_path, body):
    (tmp_path / "cv.docx").write_bytes(document("Jane Doe", *REST, body=body))
    (person,) = read_people(tmp_path / "cv.docx")
    assert template_of(person).reason == NAME_IN_FILE


def test_a_person_whose_file_can_not_be_changed_is_left_out(tmp_path):
    joined = '<w:p><w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr><w:r><w:t>Jane Doe</w:t></w:r></w:p>'
    (tmp_path / "cv.docx").write_bytes(document(body=joined + paragraph("of Ohio") + REST_XML))
    (person,) = read_people(tmp_path / "cv.docx")
    made = template_of(person)
    assert not isinstance(made, LeftOut) or made.reason == NOT_IN_PLACE


def test_hidden_text_without_the_name_stays(tmp_path):
    _, _, written = arm_of(tmp_path, document("Jane Doe", *REST, body=f"<w:p>{run('keywords: nurse', HIDDEN)}</w:p>"))
    assert b"keywords: nurse" in unzipped(written)[MAIN]


def test_a_text_that_can_not_be_put_in_is_refused(tmp_path):
    (tmp_path / "cv.docx").write_bytes(document("Jane Doe", "", "Nurse."))
    with pytest.raises(InputError, match="its text is in a place where it can't be replaced"):
        word_of(tmp_path / "cv.docx").written("Lakisha Banks\nNurse.", {})


def test_a_part_that_declares_another_encoding_is_refused(tmp_path):
    def encoded(content):
        return re.sub(rb"<\?xml[^>]*\?>", b'<?xml version="1.0" encoding="ISO-8859-1"?>', content)

    with pytest.raises(InputError, match=r"cv.docx is not in UTF-8, so its text can't be replaced; save it again\."):
        arm_of(tmp_path, document("Jane Doe", *REST, rename={MAIN: encoded}), name="cv.docx")


def test_bytes_before_the_first_element_are_no_matter(tmp_path):
    content = document("Jane Doe", *REST, rename={MAIN: lambda content: b"\xef\xbb\xbf" + content})
    assert texts(arm_of(tmp_path, content)[2])[0] == "Lakisha Banks"
