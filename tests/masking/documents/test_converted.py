"""HTML, OpenDocument texts and RTF, masked as Markdown and Word."""

import io
import zipfile
from functools import partial

import docx
import pytest
from _word import assert_nowhere

from evenhand.errors import CheckFailed, InputError
from evenhand.masking.documents.formats import document_text, masked_content, masked_document
from evenhand.masking.documents.request import Request
from evenhand.masking.pronouns import MaskOptions

PERSON = ("Tunde", "Adeyemi")
SPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for prefix, space in {
        "office": "office",
        "text": "text",
        "table": "table",
        "style": "style",
        "draw": "drawing",
        "svg": "svg-compatible",
        "meta": "meta",
        "manifest": "manifest",
    }.items()
)
SPACES += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
ODT = "application/vnd.oasis.opendocument.text"


def html(body, head=""):
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>".encode()


def rtf(body, head=""):
    return rf"{{\rtf1\ansi\ansicpg1252{head} {body}}}".encode("latin-1")


def odt(body, styles="", meta="", more=()):
    parts = {
        "mimetype": ODT,
        "content.xml": f"<office:document-content {SPACES}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>",
        "meta.xml": f"<office:document-meta {SPACES}><office:meta>{meta}</office:meta></office:document-meta>",
        **dict(more),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(name, content, compress_type=kind)
    return file.getvalue()


def doubled(content):
    file = io.BytesIO(content)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("./Content.xml", "<a/>")
    return file.getvalue()


def styles_part(inner):
    return ("styles.xml", f"<office:document-styles {SPACES}>{inner}</office:document-styles>")


def p(text, properties=""):
    return f"<text:p{properties}>{text}</text:p>"


HTML = {
    "headings, lines and links": (
        "<h1>Tunde <b>Ade</b>yemi</h1><p>Welder<br>Oslo, <a href='mailto:t.adeyemi@example.org'>write <i>me</i></a>",
        "# [NAME]\n\nWelder  \nOslo, [write me](mailto:[EMAIL])\n",
    ),
    "lists": (
        "<ul><li>Welding<ul><li>thin</ul><li><p>Tin</p><p>and more</p></ul><ol><li>One<li>Two</ol>",
        "- Welding\n   - thin\n- Tin\n\nand more\n\n1. One\n2. Two\n",
    ),
    "tables": (
        "<table><tr><th>Years<th>Firm<tr><td>2012-2018<td>Nordwind | Co</table>",
        "| Years | Firm |\n| --- | --- |\n| 2012-2018 | Nordwind \\| Co |\n",
    ),
    "a table that lays out the page": (
        "<table><tr><td><h2>Skills</h2><p>Welding</p><td><p>Welder</p><p>at Nordwind</p></table>",
        "## Skills\n\nWelding\n\nWelder\n\nat Nordwind\n",
    ),
    "a layout within a layout": (
        "<table><tr><td>Left<td><table><tr><td>a<td>b</table></table>",
        "Left\n\n| a | b |\n| --- | --- |\n",
    ),
    "lines that are kept": ("<pre>Welding\n  thin</pre>", "Welding  \nthin\n"),
    "signs of Markdown": (
        "<p># C, *all*, a_b _c, [x], &lt;b&gt;, &amp;lt;<p>&gt; 5<p>great!<a href='https://www.w3.org/'>w3</a>",
        "\\# C, \\*all\\*, a_b \\_c, \\[x\\], \\<b>, \\&lt;\n\n\\> 5\n\ngreat! [w3]([URL])\n",
    ),
    "links that lead nowhere outside": ("<p><a href='javascript:Adeyemi()'>a</a> <a href='#Adeyemi'>b</a>", "a b\n"),
    "hidden by attribute or style": (
        "<p>Welding<p hidden>Adeyemi<p style='Display : NONE'>Adeyemi<span style='visibility:hidden'>Adeyemi</span>"
        "<p style='font-size:0'>Adeyemi<p style='font-size:0.9em'>Tin",
        "Welding\n\nTin\n",
    ),
    "hidden by a style sheet": (
        "<style>/* p {} */ i.off, #gone {color: red; display:none} @media print {.menu {display:none}}</style>"
        "<p>Welding <i class='a off'>Adeyemi</i><p id=gone>Adeyemi<p class=menu>Tin<b class=off>, zinc</b>",
        "Welding\n\nTin, zinc\n",
    ),
    "not shown": (
        "<p>Welding<!-- Adeyemi --><script>'Adeyemi'</script><template>Adeyemi</template><img alt=Adeyemi>"
        "<del>Adeyemi</del><noscript>Adeyemi</noscript><input value=Adeyemi><svg><title>Adeyemi</title></svg> tin",
        "Welding tin\n",
    ),
}
RTF = {
    "headings, lines and links": (
        r"{\stylesheet{\s0 Normal;}{\s1 heading 1;}}\pard\s1 Tunde {\b Ade}yemi\par\pard Welder\line Oslo, "
        r'{\field{\*\fldinst{HYPERLINK "mailto:t.adeyemi@example.org"}}{\fldrslt{\ul write} me}}\par '
        r"\pard\outlinelevel1 Work\par",
        "# [NAME]\n\nWelder  \nOslo, [write me](mailto:[EMAIL])\n\n## Work\n",
    ),
    "lists": (
        r"{\listtext\pard\'b7\tab}\pard\ls1 Welding\par{\listtext\'b7\tab}\pard\ls1\ilvl1 thin\par\pard Then\par"
        r"{\pntext 1.\tab}One\par{\pntext 2.\tab}Two\par\pard End",
        "- Welding\n   - thin\n\nThen\n\n1. One\n2. Two\n\nEnd\n",
    ),
    "tables": (
        r"\trowd\pard\intbl Years\cell Firm\cell\row\trowd\pard\intbl 2012-2018\cell Nordwind\cell\row\pard End\par",
        "| Years | Firm |\n| --- | --- |\n| 2012-2018 | Nordwind |\n\nEnd\n",
    ),
    "a table that lays out the page": (r"\trowd\pard\intbl a\par b\cell c\cell\row", "a\n\nb\n\nc\n"),
    "letters": (
        r"{\fonttbl{\f1\fnil\fcharset238 Arial CE;}{\f2\fnil\fcharset2 Symbol;}}Caf\'e9 \u233?\u9472\'3f {\uc0\u233}"
        r"{\f1 \'b3}{\f2 \'b7}\u55357?\u56832? \{x\}\~y\-z\emdash\bin3 }}}.",
        "Café é─ éł😀 {x}\u00a0yz—.\n",
    ),
    "not shown": (
        r"{\info{\author Adeyemi}}{\*\generator Adeyemi}Welding{\v  Adeyemi}{\deleted  Adeyemi}\v Adeyemi\v0 "
        r"{\*\annotation Adeyemi}{\pict 4164}{\object{\*\objdata 41}{\result Adeyemi}}{\*\bkmkstart Adeyemi} tin}"
        r"Adeyemi{",
        "Welding tin\n",
    ),
    "headers": (r"{\header Tunde Adeyemi\par}Welder at Nordwind\par", "[NAME]\n\nWelder at Nordwind\n"),
}
ODT_CASES = {
    "headings, lines and links": (
        odt(
            '<text:h text:outline-level="1">Tunde <text:span>Ade</text:span>yemi</text:h>'
            + p(
                'Welder<text:line-break/>Oslo,<text:s text:c="3"/><text:a xlink:href="mailto:t.adeyemi@example.org">'
                "write <text:span>me</text:span></text:a><text:tab/>Co"
            )
        ),
        "# [NAME]\n\nWelder  \nOslo, [write me](mailto:[EMAIL])\tCo\n",
    ),
    "lists": (
        odt(
            f"<text:list><text:list-item>{p('Welding')}<text:list><text:list-item>{p('thin')}</text:list-item>"
            f"</text:list></text:list-item></text:list>{p('Then')}"
            f'<text:list text:style-name="L1"><text:list-item>{p("One")}</text:list-item></text:list>',
            styles='<text:list-style style:name="L1"><text:list-level-style-number text:level="1"/></text:list-style>',
        ),
        "- Welding\n   - thin\n\nThen\n\n1. One\n",
    ),
    "tables": (
        odt(
            "<table:table>"
            + "".join(
                f"<table:table-row>{''.join(f'<table:table-cell>{p(cell)}</table:table-cell>' for cell in row)}"
                "</table:table-row>"
                for row in (("Years", "Firm"), ("2012-2018", "Nordwind"))
            )
            + "</table:table>"
        ),
        "| Years | Firm |\n| --- | --- |\n| 2012-2018 | Nordwind |\n",
    ),
    "not shown": (
        odt(
            "<text:tracked-changes><text:changed-region><text:deletion><text:p>Adeyemi</text:p></text:deletion>"
            "</text:changed-region></text:tracked-changes>"
            + p(
                "Welding<office:annotation><dc:creator>Adeyemi</dc:creator><text:p>Adeyemi</text:p></office:annotation>"
            )
            + p("<text:hidden-text>Adeyemi</text:hidden-text>")
            + p("Adeyemi", ' text:style-name="P2"')
            + p('<draw:frame draw:name="Adeyemi"><draw:image/><svg:desc>Adeyemi</svg:desc></draw:frame>tin')
            + '<text:section text:display="none"><text:p>Adeyemi</text:p></text:section>',
            styles='<style:style style:name="P1"><style:text-properties text:display="none"/></style:style>'
            '<style:style style:name="P2" style:parent-style-name="P1"/>',
            meta="<dc:creator>Adeyemi</dc:creator>",
        ),
        "Welding\n\ntin\n",
    ),
    "headers, footers and frames": (
        odt(
            p("<draw:frame><draw:text-box><text:p>Box</text:p></draw:text-box></draw:frame>Welder"),
            more=[
                styles_part(
                    "<office:master-styles><style:master-page><style:header><text:p>Tunde Adeyemi</text:p>"
                    "</style:header><style:footer><text:p>page</text:p></style:footer></style:master-page>"
                    "</office:master-styles>"
                )
            ],
        ),
        "[NAME]\n\nBox\n\nWelder\n\npage\n",
    ),
}
CASES = [
    *[pytest.param(html(body), expected, id=f"html: {name}") for name, (body, expected) in HTML.items()],
    *[pytest.param(rtf(body), expected, id=f"rtf: {name}") for name, (body, expected) in RTF.items()],
    *[pytest.param(content, expected, id=f"odt: {name}") for name, (content, expected) in ODT_CASES.items()],
]


def masked(content, ending=".md", **options):
    return masked_content(content, ending, Request(**options), source="cv")


@pytest.mark.parametrize(("content", "expected"), CASES)
def test_text_and_structure_stay_and_what_nobody_sees_goes(content, expected):
    assert masked(content).content.decode() == expected
    word = masked(content, ".docx").content
    assert_nowhere(word, *PERSON, "t.adeyemi")
    shown = docx.Document(io.BytesIO(word)).element.body
    letters = "".join(node.text or "" for node in shown.iter() if node.tag.endswith("}t"))
    for line in ("2012-2018", "Nordwind", "Welding", "thin", "Welder"):
        assert (line in letters) == (line in expected), line


def test_headings_lists_and_tables_are_those_of_word():
    made = docx.Document(
        io.BytesIO(masked(html("<h2>Work</h2><ol><li>One</ol><table><tr><td>a<td>b</table>"), ".docx").content)
    )
    assert [paragraph.style.name for paragraph in made.paragraphs if paragraph.text] == ["Heading 2", "Normal"]
    assert made.paragraphs[1]._p.pPr.numPr.ilvl.val == 0
    assert [[cell.text for cell in row.cells] for row in made.tables[0].rows] == [["a", "b"]]


@pytest.mark.parametrize(
    ("content", "note"),
    [
        (html("<p>Tin<p hidden>x</p><img src=a>"), "hidden elements removed: 1; pictures removed: 1"),
        (rtf(r"Tin{\v x}{\pict 41}"), "hidden texts removed: 1; pictures and objects removed: 1"),
        (odt(p("Tin<draw:image/>", "")), "pictures and objects removed: 1"),
    ],
)
def test_notes_say_what_was_left_out(content, note):
    assert "; ".join(masked(content).notes) == note


@pytest.mark.parametrize(
    "content",
    [
        html("<p>Work<p>Wambui led Nordwind.", "<title>CV</title><meta name=Author content='Wambui Kariuki'>"),
        rtf(r"{\info{\author Wambui Kariuki}}Work\par Wambui led Nordwind."),
        odt(p("Work") + p("Wambui led Nordwind."), meta="<dc:creator>Wambui Kariuki</dc:creator>"),
    ],
)
def test_names_in_the_properties_are_masked_in_the_text(content):
    assert masked(content).content.decode() == "Work\n\n[NAME] led Nordwind.\n"


@pytest.mark.parametrize("content", [html("<p>Rita Ames, AMES"), rtf("Rita Ames, AMES"), odt(p("Rita Ames, AMES"))])
@pytest.mark.parametrize("ending", [".md", ".docx"])
def test_known_names_are_masked_and_strict_wants_them_there(content, ending):
    strict = MaskOptions(strict=True)
    result = masked(content, ending, known_names=("Rita Ames",), options=strict).content
    assert text_in(result).strip() == "[NAME], [NAME]"
    with pytest.raises(CheckFailed, match="Known name 2 of 2 not found"):
        masked(content, ending, known_names=("Rita Ames", "Ngozi"), options=strict)


def text_in(content):
    if not content.startswith(b"PK"):
        return content.decode()
    return "\n".join(paragraph.text for paragraph in docx.Document(io.BytesIO(content)).paragraphs)


def test_the_target_of_a_link_is_masked_as_an_address():
    page = html(
        "<h1>Tunde Adeyemi</h1><p><a href='https://firm.example/Adeyemi(a)'>staff</a>, <a href='tel:Adeyemi'>x</a>"
    )
    assert masked(page).content.decode() == "# [NAME]\n\n[staff]([URL]), [x](tel:[NAME])\n"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("cv.html", html("<p><!-- Adeyemi -->"), "holds no text."),
        ("cv.html", html("<b>" * 5000 + "x"), "is nested too deeply; save it as text."),
        ("cv.html", b"<html><p>Pawe\xb3 \xa3ukasz", "is neither UTF-8 nor UTF-16 nor cp1252; save it as UTF-8."),
        ("cv.rtf", b"Tunde Adeyemi", r"is not RTF: it doesn't begin with {\rtf. Give it the extension of its format."),
        ("cv.rtf", rb"{\rtf1 {\v Adeyemi}}", "holds no text."),
        ("cv.odt", b"PK\x03\x04", "can't be read as an OpenDocument text; it may be damaged."),
        ("cv.odt", doubled(odt(p("x"))), "holds two parts of one name"),
        ("cv.odt", odt(p("x" * 2**21)), "unpacks to more than 1 MB; if you trust the file, raise --unpack-limit."),
        ("cv.odt", odt(p("x"), more=[styles_part("<style:s>" * 5000)]), "can't be read as an OpenDocument text"),
        (
            "cv.odt",
            odt(p("x"), more=[("styles.xml", '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>')]),
            "declares a document type in its XML, which no OpenDocument text has.",
        ),
        (
            "cv.odt",
            odt(p("x"), more=[("META-INF/manifest.xml", f"<a {SPACES}><manifest:encryption-data/></a>")]),
            "is encrypted; save it without a password.",
        ),
    ],
)
def test_a_hostile_or_broken_file_is_refused_in_a_line(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    for read in (partial(masked_document, request=Request(unpack_limit=1)), partial(document_text, unpack_limit=1)):
        with pytest.raises(InputError) as refused:
            read(tmp_path / name)
        assert str(refused.value).startswith(f"{tmp_path / name} {message}")
        assert "\n" not in str(refused.value)


def test_an_encoding_that_a_page_declares_is_used(tmp_path):
    page = "<html><meta charset=iso-8859-2><p>Łódź, Paweł".encode("iso-8859-2")
    (tmp_path / "cv.html").write_bytes(page)
    assert document_text(tmp_path / "cv.html").text == "Łódź, Paweł"


def test_a_document_is_read_as_plain_text_with_its_properties(tmp_path):
    (tmp_path / "cv.htm").write_bytes(
        html("<h1>Work</h1><ul><li>Tin *</ul><table><tr><td>a<td>b</table>", "<title>Tunde</title>")
    )
    read = document_text(tmp_path / "cv.htm")
    assert (read.text, read.metadata) == ("Work\n- Tin *\na\tb", ("Tunde",))
