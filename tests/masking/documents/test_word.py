# ruff: noqa: E501 - markup reads better in one line
"""Word documents: every place where a name can hide, and that none of them keeps it."""

import io

import docx
import pytest
from _word import (
    NAME,
    OFFICE,
    PERSON,
    PICTURE,
    PNG,
    WORD,
    assert_nowhere,
    document,
    drawing,
    masked,
    paragraph,
    part,
    run,
    texts,
    unzipped,
    zipped,
)

TEXT_BOX = (
    '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><wp:extent cx="9" cy="9"/>'
    '<wp:docPr id="2" name="Box Okafor"/><a:graphic><a:graphicData '
    'uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:txbx><w:txbxContent>'
    f"{paragraph('Ngozi', ' Okafor lives here')}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic>"
    "</wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape id='Okafor' alt='Ngozi'><v:textbox>"
    f"<w:txbxContent>{paragraph('Ngozi Okafor lives here')}</w:txbxContent></v:textbox></v:shape></w:pict>"
    "</mc:Fallback></mc:AlternateContent></w:r>"
)


VML_BOX = (
    "<w:r><w:pict><v:shape id='Okafor' o:title='Okafor' alt='Ngozi' href='http://okafor.example.org'><v:textbox>"
    f"<w:txbxContent>{paragraph('By Ng', 'ozi')}</w:txbxContent></v:textbox></v:shape>"
    "<v:shape><v:imagedata r:id='rIdX0' o:title='Okafor'/></v:shape>"
    "<v:shape><v:textpath string='NGOZI OKAFOR'/></v:shape></w:pict></w:r>"
)


FIELD = (
    '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="Okafor"/><w:textInput><w:default w:val="Ngozi"/>'
    "</w:textInput></w:ffData></w:fldChar></w:r>"
    '<w:r><w:instrText xml:space="preserve"> HYPERLINK "mailto:n.okafor@example.org" </w:instrText></w:r>'
    f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run("write to me")}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
)


CONTROL = (
    '<w:sdt><w:sdtPr><w:alias w:val="Ngozi Okafor"/><w:tag w:val="okafor"/><w:placeholder><w:docPart w:val="Okafor"/>'
    '</w:placeholder><w:dropDownList><w:listItem w:displayText="Okafor" w:value="Ngozi"/></w:dropDownList></w:sdtPr>'
    f"<w:sdtContent>{paragraph('Signed: Ngozi Okafor')}</w:sdtContent></w:sdt>"
)


HIDING_PLACES = {
    "runs": paragraph("Mentored by Ng", "oz", "i and paid by Ok", "afor."),
    "tab and break": "<w:p><w:r><w:t>Ngozi</w:t><w:tab/><w:t>Okafor</w:t><w:br/><w:t>OKAFOR</w:t></w:r></w:p>",
    "soft hyphen": paragraph("Oka\u00adfor and O\u200bkafor"),
    "table": f"<w:tbl><w:tr><w:tc>{paragraph('Name')}</w:tc><w:tc>{paragraph('Ngo', 'zi')}</w:tc></w:tr></w:tbl>",
    "insertion": f'<w:p><w:ins w:id="1" w:author="Ngozi Okafor" w:date="2020-01-01T00:00:00Z">{run("Oka")}</w:ins>{run("for")}</w:p>',
    "deletion": f'<w:p>{run("Ok")}<w:del w:id="1" w:author="N. Okafor"><w:r><w:delText>Ngozi Okafor</w:delText></w:r></w:del>{run("afor")}</w:p>',
    "move": f'<w:p><w:moveFromRangeStart w:id="5" w:name="okafor" w:author="Okafor"/><w:moveFrom w:id="2" w:author="Okafor">{run("Okafor")}</w:moveFrom>'
    f'<w:moveTo w:id="3" w:author="Okafor">{run("Okafor")}</w:moveTo></w:p>',
    "deleted paragraph mark": paragraph(
        "I am Oka", properties='<w:pPr><w:rPr><w:del w:id="4" w:author="Okafor"/></w:rPr></w:pPr>'
    )
    + paragraph("for, really"),
    "formatting change": '<w:p><w:r><w:rPr><w:b/><w:rPrChange w:id="1" w:author="Ngozi Okafor"><w:rPr/></w:rPrChange></w:rPr><w:t>Okafor</w:t></w:r></w:p>',
    "link": f'<w:p><w:hyperlink w:anchor="Okafor" w:tooltip="Ngozi">{run("my page")}</w:hyperlink></w:p>',
    "field": f"<w:p>{FIELD}</w:p>",
    "simple field": f'<w:p><w:fldSimple w:instr=" AUTHOR Okafor ">{run("Ngozi Okafor")}</w:fldSimple></w:p>',
    "bookmark": '<w:p><w:bookmarkStart w:id="7" w:name="Okafor"/><w:bookmarkEnd w:id="7"/></w:p>',
    "content control": CONTROL,
    "smart tag": f'<w:p><w:smartTag w:uri="u" w:element="PersonName"><w:smartTagPr><w:attr w:name="x" w:val="Okafor"/></w:smartTagPr>{run("Okafor")}</w:smartTag></w:p>',
    "hidden": f"<w:p>{run('Oka')}{run('Ngozi', '<w:rPr><w:vanish/></w:rPr>')}{run('for')}</w:p>",
    "ruby": f"<w:p><w:r><w:ruby><w:rubyPr/><w:rt>{run('Ngozi')}</w:rt><w:rubyBase>{run('Okafor')}</w:rubyBase></w:ruby></w:r></w:p>",
    "text box": f"<w:p>{TEXT_BOX}</w:p>",
    "drawn text box": f"<w:p>{VML_BOX}</w:p>",
    "picture": f"<w:p>{PICTURE}</w:p>",
    "chart": f"<w:p>{drawing('<c:chart r:id=' + chr(34) + 'rIdX0' + chr(34) + '/>', 'http://schemas.openxmlformats.org/drawingml/2006/chart')}</w:p>",
    "diagram": f"<w:p>{drawing('<dgm:relIds r:dm=' + chr(34) + 'rIdX0' + chr(34) + '/>', 'http://schemas.openxmlformats.org/drawingml/2006/diagram')}</w:p>",
    "object": '<w:p><w:r><w:object><v:shape id="Okafor"/><o:OLEObject ProgID="Okafor" r:id="rIdX0"/></w:object></w:r></w:p>',
    "equation": "<w:p><m:oMath><m:r><m:t>Okafor</m:t></m:r></m:oMath></w:p>",
    "embedded document": '<w:altChunk r:id="rIdX0"/>',
    "permission": '<w:p><w:permStart w:id="3" w:ed="n.okafor@example.org"/></w:p>',
    "table description": f'<w:tbl><w:tblPr><w:tblCaption w:val="Okafor"/><w:tblDescription w:val="Ngozi"/></w:tblPr><w:tr><w:tc>{paragraph("x")}</w:tc></w:tr></w:tbl>',
    "style": '<w:p><w:pPr><w:pStyle w:val="OkaforBody"/></w:pPr></w:p>',
    "font": f"<w:p>{run('Set in it', '<w:rPr><w:rFonts w:ascii=' + chr(34) + 'Okafor Sans' + chr(34) + '/></w:rPr>')}</w:p>",
    "symbol": '<w:p><w:r><w:t>Oka</w:t><w:sym w:font="Symbol" w:char="F046"/><w:t>for</w:t></w:r></w:p>',
    "symbols": "<w:p>"
    + "".join(f'<w:r><w:sym w:font="Arial" w:char="F0{ord(letter):02X}"/></w:r>' for letter in "Okafor")
    + "</w:p>",
    "dropped letter": paragraph("O", properties='<w:pPr><w:framePr w:dropCap="drop"/></w:pPr>')
    + paragraph("kafor led"),
    "field in a field": '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>IF </w:instrText></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>MERGEFIELD Okafor</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>Okafor</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>Okafor</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>',
    "two paragraphs": paragraph("Ngozi") + paragraph("Okafor"),
    "xml comment": "<!-- Ngozi Okafor --><?author Okafor?>",
}


@pytest.mark.parametrize("place", HIDING_PLACES)
def test_a_name_in_the_body_does_not_survive(place):
    picture = ("word/media/okafor.png", f"{OFFICE}/image", "image/png", PNG)
    result = masked(document(*PERSON, body=HIDING_PLACES[place], parts=[picture])).content
    assert_nowhere(result, *NAME)
    assert b"w:sym" not in unzipped(result)["word/document.xml"] or place == "symbol"
    assert texts(result)[:5] == ["[NAME]", "[EMAIL]", "", "EXPERIENCE", "Led the audit team."]


def _words(kind):
    inner = paragraph("Ngo", "zi Okafor, page")
    return {
        "header": part("hdr", inner),
        "footer": part("ftr", inner),
        "footnotes": part("footnotes", f'<w:footnote w:id="2">{inner}</w:footnote>'),
        "endnotes": part("endnotes", f'<w:endnote w:id="2">{inner}</w:endnote>'),
        "comments": part(
            "comments",
            f'<w:comment w:id="0" w:author="Ngozi Okafor" w:initials="NOKAFOR" w:date="2020-01-01T00:00:00Z">{inner}</w:comment>',
        ),
    }[kind]


@pytest.mark.parametrize("kind", ["header", "footer", "footnotes", "endnotes", "comments"])
def test_a_part_with_text_is_masked_and_kept(kind):
    made = document(
        *PERSON, parts=[(f"word/okafor_{kind}.xml", f"{OFFICE}/{kind}", f"{WORD}.{kind}+xml", _words(kind))]
    )
    result = masked(made).content
    assert_nowhere(result, *NAME)
    (kept,) = [content for name, content in unzipped(result).items() if kind in name and "rels" not in name]
    assert b"[NAME]" in kept
    assert b", page" in kept


LEFT_OUT = {
    "custom xml": (f"{OFFICE}/customXml", "application/xml", "<a>Ngozi Okafor</a>"),
    "macros": ("http://schemas.microsoft.com/office/2006/relationships/vbaProject", "application/vnd.ms-office.vbaProject", b"Okafor"),
    "people": ("http://schemas.microsoft.com/office/2011/relationships/people", "application/xml", part("people", "", 'w:x="Okafor"')),
    "glossary": (f"{OFFICE}/glossaryDocument", f"{WORD}.document.glossary+xml", part("glossaryDocument", paragraph("Okafor"))),
    "embedded object": (f"{OFFICE}/oleObject", "application/vnd.openxmlformats-officedocument.oleObject", "Okafor".encode("utf-16-le")),
    "embedded document": (f"{OFFICE}/aFChunk", "text/html", "<p>Ngozi Okafor</p>"),
    "chart": (f"{OFFICE}/chart", "application/vnd.openxmlformats-officedocument.drawingml.chart+xml", "<c>Okafor</c>"),
    "diagram": (f"{OFFICE}/diagramData", "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml", "<c>Okafor</c>"),
    "font table": (f"{OFFICE}/fontTable", f"{WORD}.fontTable+xml", part("fonts", '<w:font w:name="Okafor Sans"/>')),
    "unknown": ("http://example.org/okafor", "application/octet-stream", b"Ngozi Okafor"),
}  # fmt: skip


@pytest.mark.parametrize("kind", LEFT_OUT)
def test_a_part_of_another_kind_is_left_out(kind):
    relation, content_type, content = LEFT_OUT[kind]
    result = masked(document(*PERSON, parts=[("word/okafor.bin", relation, content_type, content)])).content
    assert_nowhere(result, *NAME)
    assert texts(result)[0] == "[NAME]"


def test_a_file_in_the_zip_that_nothing_refers_to_is_left_out():
    members = unzipped(document(*PERSON))
    members["Ngozi Okafor.txt"] = b"Okafor"
    assert_nowhere(masked(zipped(members)).content, *NAME)


def test_properties_thumbnail_and_times_are_left_out():
    made = docx.Document(io.BytesIO(document("CURRICULUM VITAE", "", "Okafor led the audit team.")))
    made.core_properties.author = "Ngozi Okafor"
    made.core_properties.last_modified_by = "Ngozi"
    made.core_properties.keywords = "Okafor"
    file = io.BytesIO()
    made.save(file)
    result = masked(file.getvalue()).content
    assert_nowhere(result, *NAME, "2013", "python-docx")
    assert not [name for name in unzipped(result) if name.startswith("docProps")]


def test_a_name_known_only_from_the_properties_is_masked_in_the_text():
    made = docx.Document(
        io.BytesIO(document("CURRICULUM VITAE", "", "EXPERIENCE", "The audit was led by Wambui Ekstrand."))
    )
    made.core_properties.author = "Wambui Ekstrand"
    file = io.BytesIO()
    made.save(file)
    assert texts(masked(file.getvalue()).content)[3] == "The audit was led by [NAME]."


def test_a_name_known_only_from_a_header_is_masked_in_the_body():
    header = part("hdr", paragraph("Wambui Ekstrand"))
    made = document(
        "EXPERIENCE", "Ekstrand led it.", parts=[("word/h.xml", f"{OFFICE}/header", f"{WORD}.header+xml", header)]
    )
    result = masked(made).content
    assert_nowhere(result, "Wambui", "Ekstrand")
    assert texts(result)[1] == "[NAME] led it."


def test_addresses_of_links_are_left_out():
    def linked(rels):
        relation = f'<Relationship Id="rIdL" Type="{OFFICE}/hyperlink" Target="mailto:n.okafor@example.org" TargetMode="External"/>'
        return rels.replace(b"</Relationships>", f"{relation}</Relationships>".encode())

    body = f'<w:p><w:hyperlink r:id="rIdL">{run("Write to me")}</w:hyperlink></w:p>'
    result = masked(document(*PERSON, body=body, rename={"word/_rels/document.xml.rels": linked}))
    assert_nowhere(result.content, "mailto", *NAME)
    assert texts(result.content)[5] == "Write to me"
    assert "links removed, their text kept: 1" in result.notes


def test_the_language_that_a_document_is_checked_in_is_left_out():
    language = '<w:rPr><w:lang w:val="ig-NG"/></w:rPr>'
    made = document(*PERSON, body=f"<w:p>{run('Text', language)}</w:p>")
    result = unzipped(masked(made).content)
    assert not [name for name, content in result.items() if b"w:lang" in content or b"ig-NG" in content]


def test_the_same_document_gives_the_same_bytes():
    made = document(*PERSON, body=HIDING_PLACES["text box"])
    assert masked(made).content == masked(made).content
