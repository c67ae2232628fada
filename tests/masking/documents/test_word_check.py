# ruff: noqa: E501 - markup reads better in one line
"""Word documents: leaks that the check finds, words of the format that are none, and files that are refused."""

import io
import warnings
import zipfile

import pytest
from _word import OFFICE, PERSON, WORD, document, masked, paragraph, part, run, texts, unzipped, zipped

from evenhand.errors import CheckFailed, InputError
from evenhand.masking.pronouns import MaskOptions

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
    assert "NAME (numbering)," in str(told.value)
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


def test_the_check_names_every_part_that_holds_something():
    header = part("hdr", '<x:y xmlns:x="urn:x">Okafor</x:y>')
    made = document(
        *PERSON,
        body=LEFT_TO_THE_CHECK["unknown attribute"],
        parts=[("word/o.xml", f"{OFFICE}/header", f"{WORD}.header+xml", header)],
    )
    with pytest.raises(CheckFailed, match=r"holds NAME \(body, header\), so"):
        masked(made)


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
        masked(made, options=MaskOptions(optional=("phone",)))


def _twice(name):
    """Return a document with a second body under a name, both in the zip."""
    file = io.BytesIO(document(*PERSON))
    with zipfile.ZipFile(file, "a") as out, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the zip module warns of the same name
        out.writestr(name, part("document", f"<w:body>{paragraph('Ines Vandermolen')}</w:body>"))
    return file.getvalue()


@pytest.mark.parametrize(
    "name", ["word/document.xml", "WORD/Document.xml", "word\\document.xml", "word/./document.xml"]
)
def test_two_parts_of_one_name_are_refused(name):
    with pytest.raises(InputError, match="two parts of one name"):
        masked(_twice(name))


def test_folders_in_the_zip_are_no_parts():
    members = {"word/": b"", **unzipped(document(*PERSON)), "word//": b""}
    assert texts(masked(zipped(members)).content)[0] == "[NAME]"


def test_two_main_parts_are_refused():
    second = (
        f'<Relationship Id="rIdX" Type="{OFFICE}/officeDocument" Target="word/other.xml"/></Relationships>'.encode()
    )
    members = unzipped(
        document(*PERSON, rename={"_rels/.rels": lambda rels: rels.replace(b"</Relationships>", second)})
    )
    members["word/other.xml"] = members["word/document.xml"]
    with pytest.raises(InputError, match="damaged"):
        masked(zipped(members))


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
        "damaged": (whole[: len(whole) // 2], b"PK\x03\x04nothing", b"hello", zipped({"a.txt": b"x"})),
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


def _turned(tag, direction, *runs):
    return f'<w:{tag} w:val="{direction}">{"".join(map(run, runs))}</w:{tag}>'


TURNED = {
    "letters": paragraph("By ", _turned("bdo", "rtl", "rofakO izogN")),
    "cut in runs": paragraph(_turned("bdo", "rtl", "rofa", "kO")),
    "address": paragraph(_turned("bdo", "rtl", "gro.elpmaxe@rofako")),
    "number": paragraph(_turned("bdo", "rtl", "8810-555-213")),
    "within a link": paragraph(f"<w:hyperlink>{_turned('bdo', 'rtl', 'rofakO')}</w:hyperlink>"),
    "letters of the other direction": paragraph(_turned("bdo", "ltr", "\u05db\u05d4\u05df")),
    "glued words": paragraph(_turned("dir", "rtl", "Okafor"), _turned("dir", "rtl", "kept")),
    "within a word": paragraph("Oka", _turned("dir", "ltr", "for")),
}


@pytest.mark.parametrize("kind", TURNED)
def test_text_that_is_turned_round_is_refused(kind):
    with pytest.raises(InputError, match="names can't be found"):
        masked(document(*PERSON, body=TURNED[kind]))


def test_directions_that_turn_no_letters_are_read():
    body = paragraph("By ", _turned("dir", "rtl", "Okafor"), " and ", _turned("bdo", "ltr", "Ngozi Okafor"), ".")
    assert texts(masked(document(*PERSON, body=body)).content)[5:] == ["By [NAME] and [NAME]."]
