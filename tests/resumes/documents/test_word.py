# ruff: noqa: E501 - markup reads better in one line
"""Word documents: every place where a name can hide, and that none of them keeps it."""

import io
import itertools

import docx
import pytest
from _word import (
    OFFICE,
    WORD,
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

from evenhand.errors import CheckFailed, InputError
from evenhand.resumes.mask import MaskOptions, mask_text

PERSON = ("Ngozi Okafor", "n.okafor@example.org", "", "EXPERIENCE", "Led the audit team.")
NAME = ("Ngozi", "Okafor")
PNG = b"\x89PNG\r\n\x1a\n" + b"tEXtAuthor\0Ngozi Okafor" + b"\0" * 40


def drawing(inner, uri="http://schemas.openxmlformats.org/drawingml/2006/picture", told='name="Ngozi" descr="Okafor"'):
    return (
        f'<w:r><w:drawing><wp:inline><wp:extent cx="9" cy="9"/><wp:docPr id="1" {told} title="Ngozi Okafor">'
        '<a:hlinkClick r:id="rIdX0" tooltip="Okafor"/></wp:docPr><a:graphic>'
        f'<a:graphicData uri="{uri}">{inner}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
    )


PICTURE = drawing(
    '<pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="okafor.png" descr="Ngozi"/><pic:cNvPicPr/></pic:nvPicPr>'
    '<pic:blipFill><a:blip r:embed="rIdX0"><a:extLst><a:ext uri="Okafor"/></a:extLst></a:blip></pic:blipFill>'
    "<pic:spPr/></pic:pic>"
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
    content = document(*PERSON, body=f"<w:p><w:pPr>{reference}</w:pPr></w:p>", rename=change)
    assert b"headerReference" not in unzipped(masked(content).content)["word/document.xml"]


def test_the_same_document_gives_the_same_bytes():
    made = document(*PERSON, body=HIDING_PLACES["text box"])
    assert masked(made).content == masked(made).content


SURNAMES = "Light Georgia Strong Left Grid Green Dash Table Normal Hans Viet Styles Theme Header Picture"


@pytest.mark.parametrize("surname", SURNAMES.split())
def test_words_of_the_format_are_no_leaks(surname):
    body = f"<w:p>{run('Text', '<w:rPr><w:rFonts w:ascii=' + chr(34) + 'Georgia' + chr(34) + '/><w:highlight w:val=' + chr(34) + 'green' + chr(34) + '/><w:color w:val=' + chr(34) + 'auto' + chr(34) + '/></w:rPr>')}</w:p>"
    result = masked(document(f"Ngozi {surname}", "n@example.org", body=body), known_names=(f"Ngozi {surname}",))
    assert texts(result.content)[0] == "[NAME]"


def test_a_name_where_nothing_is_masked_is_found_by_the_check_and_nothing_comes_back():
    # Text of a list's numbers is kept as it is.
    def signed(numbering):
        return numbering.replace(b'<w:lvlText w:val="', b'<w:lvlText w:val="Okafor ', 1)

    with pytest.raises(CheckFailed) as told:
        masked(document(*PERSON, rename={"word/numbering.xml": signed}))
    assert "NAME" in str(told.value)
    assert "kafor" not in str(told.value)


LEFT_TO_THE_CHECK = {
    "unknown element": '<w:p><x:y xmlns:x="urn:x">Okafor</x:y></w:p>',
    "unknown attribute": '<w:p><w:r w14:glow="Okafor"><w:t>hi</w:t></w:r></w:p>',
    "namespace": '<w:p><w:r xmlns:x="urn:okafor" x:a="1"><w:t>hi</w:t></w:r></w:p>',
    "word of the format": '<w:p><w:r><w:rPr><w:highlight w:val="okafor"/></w:rPr><w:t>hi</w:t></w:r></w:p>',
    "sign of an equation": '<w:p><m:oMath><m:d><m:dPr><m:begChr m:val="okafor"/></m:dPr></m:d></m:oMath></w:p>',
    "prefix": '<w:p><w:r xmlns:okafor="urn:x" okafor:a="1"><w:t>hi</w:t></w:r></w:p>',
    "text outside of paragraphs": "<w:t>Okafor</w:t>",
    "letters turned round": f"<w:p>{run(chr(0x202E) + 'rofakO' + chr(0x202C))}</w:p>",
}


@pytest.mark.parametrize("place", LEFT_TO_THE_CHECK)
def test_places_that_no_document_has_are_found_by_the_check(place):
    with pytest.raises(CheckFailed, match="NAME"):
        masked(document(*PERSON, body=LEFT_TO_THE_CHECK[place]))


def test_an_optional_string_in_an_attribute_is_found_by_the_check():
    def signed(numbering):
        return numbering.replace(b'<w:lvlText w:val="', b'<w:lvlText w:val="312-555-0188 ', 1)

    made = document(*PERSON, "Tel. 312-555-0188", rename={"word/numbering.xml": signed})
    assert "312-555-0188" in texts(masked(made).content)[5]
    with pytest.raises(CheckFailed, match="PHONE"):
        masked(made, options=MaskOptions(optional=frozenset({"phone"})))


def test_broken_encrypted_old_strict_and_empty_files_are_told():
    whole = document(*PERSON)
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
    strict = document(
        *PERSON,
        rename={
            "word/document.xml": lambda main: main.replace(
                b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
                b"http://purl.oclc.org/ooxml/wordprocessingml/main",
            )
        },
    )
    cases = {
        "broken": (whole[: len(whole) // 2], b"PK\x03\x04nothing", b"hello", zipped({"a.txt": b"x"})),
        "encrypted": (ole + "EncryptedPackage".encode("utf-16-le"),),
        "old .doc": (ole,),
        "Strict": (strict,),
        "holds no text": (document(),),
        "document type": (document(*PERSON, rename={"word/document.xml": lambda main: main.replace(b"<w:document", b'<!DOCTYPE x [<!ENTITY a "Okafor">]><w:document', 1)}),),
    }  # fmt: skip
    for message, contents in cases.items():
        for content in contents:
            with pytest.raises(InputError, match=message):
                masked(content)


LINES = (
    "Ngozi Okafor, PhD",
    "n.okafor@example.org | (312) 555-0188",
    "EXPERIENCE",
    "Ms Okafor led Ngozi's team.",
    "She is Catholic.",
)


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
