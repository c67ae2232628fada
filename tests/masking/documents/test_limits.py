"""Small files that ask for much: refused in one line, and nothing of a document gets into a log."""

import contextlib
import io
import time
import zipfile
import zlib
from functools import partial

import pytest
from _pdf import HELVETICA, packed, raw, stream
from _word import PERSON, document, run, unzipped, zipped
from pdfminer.psparser import PSLiteralTable

from evenhand.errors import InputError
from evenhand.masking.documents import pdf, word
from evenhand.masking.documents.formats import masked_content
from evenhand.masking.documents.request import Request, watched, within_limits
from evenhand.results.files import Budget

TEXT = b"BT /F1 11 Tf 60 700 Td (Ngozi Okafor) Tj ET "
MEGABYTES = 8
UNPACKS = f"cv unpacks to more than {MEGABYTES} MB; if you trust the file, raise --unpack-limit."
TAKES = "cv takes more than 48 MB of memory to read; if you trust the file, raise --unpack-limit."
BROKEN = "it may be damaged"
FORM = b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<<%s>>"
CID = (
    b"<</Type/Font/Subtype/Type0/BaseFont/Anon/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2"
    b"/BaseFont/Anon/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/W[0 4000000000 500]>>]>>"
)


def forms(depth):
    """Return a page whose form draws one ten times that draws one ten times, and so on."""
    inner = [packed(b"/X Do " * 10, FORM % (b"/XObject<</X %d 0 R>>" % number)) for number in range(11, 10 + depth)]
    last = packed(TEXT.replace(b"Ngozi", b"Ngozi " * 40), FORM % (b"/Font<</F1 %s>>" % HELVETICA))
    return raw(b"/X Do", *inner, last, resources=b"/XObject<</X 10 0 R>>")


def filtered(data, filters, told=b""):
    return raw(stream(zlib.compress(data), b"/Filter[/FlateDecode%s]%s" % (filters, told)))


def body(xml):
    return document(*PERSON, body=xml)


def lying(content):
    """Return a zip that says of its main part that it holds ten bytes."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        size = file.getinfo("word/document.xml").file_size
    place = content.rindex(size.to_bytes(4, "little"))
    return content[:place] + (10).to_bytes(4, "little") + content[place + 4 :]


def with_bzip2(content):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_BZIP2) as out:
        for name, part in unzipped(content).items():
            out.writestr(name, part)
    return file.getvalue()


LARGE = body("<w:p>" + run("a" * (MEGABYTES << 20)) + "</w:p>")
#: Documents by what is large in them: their format, bytes, and the line of the refusal.
BOMBS = {
    "spaces": (".pdf", raw(packed(TEXT + b" " * 2**27, times=2)), TAKES),
    "run lengths": (".pdf", filtered(b"\x81 " * 2**20 + b"\x80", b"/RunLengthDecode"), TAKES),
    "rows of a predictor": (
        ".pdf",
        filtered(TEXT, b"", b"/DecodeParms<</Predictor 15/Columns 2147483648>>"),
        TAKES,
    ),
    "a fax": (
        ".pdf",
        raw(stream(b"\0" * 99, b"/Filter[/CCITTFaxDecode]/DecodeParms<</K -1/Columns 2147483647>>")),
        TAKES,
    ),
    "forms within forms": (".pdf", forms(9), TAKES),
    "widths of a font": (".pdf", raw(b"BT /F1 9 Tf <0041> Tj ET", fonts=[CID]), TAKES),
    "one long text": (".docx", LARGE, UNPACKS),
    "many parts": (
        ".docx",
        document(
            *PERSON,
            rename={
                name: lambda part: part.replace(b"<w:", b" " * (MEGABYTES << 19) + b"<w:", 1)
                for name in ("word/document.xml", "word/styles.xml")
            },
        ),
        UNPACKS,
    ),
    "a size that is not true": (".docx", lying(LARGE), BROKEN),
    "a packing that no Office has": (".docx", with_bzip2(LARGE), BROKEN),
    "words": (".docx", body(f"<w:p>{run('Led teams. ' * 300_000)}</w:p>"), TAKES),
    "elements": (".docx", body("<a/>" * (3 << 18)), TAKES),
    "nesting": (".docx", body("<w:p>" * 4000 + "</w:p>" * 4000), BROKEN),
}


@pytest.mark.parametrize("case", BOMBS)
def test_a_document_that_asks_for_much_is_refused_in_one_line(monkeypatch, case):
    monkeypatch.setattr("evenhand.masking.documents.request._LEAST_MEMORY", 48)
    ending, content, told = BOMBS[case]
    assert len(content) < 100_000
    read = partial(masked_content, content, ending, Request(unpack_limit=MEGABYTES), source="cv")
    with pytest.raises(InputError, match=told) as caught:
        within_limits(read, source="cv", unpack_limit=MEGABYTES)
    assert "\n" not in str(caught.value)


LAUGHS = "".join(f'<!ENTITY a{each} "{f"&a{each - 1};" * 10}">' for each in range(1, 12))
DECLARED = f'<!DOCTYPE x [<!ENTITY a0 "Okafor">{LAUGHS}]>'


def declaring(before="", codec="utf-8", attribute="", text=""):
    def change(part):
        told = part.decode().replace("<w:document", f"{before}{DECLARED}<w:document{attribute}", 1)
        told = told.replace("</w:body>", f"{text}</w:body>").replace('encoding="UTF-8"', f'encoding="{codec.upper()}"')
        return told.encode(codec)

    return document(*PERSON, rename={"word/document.xml": change})


def named_otherwise(content):
    members = unzipped(content)
    members["word/main.bin"] = members.pop("word/document.xml")
    members["word/_rels/main.bin.rels"] = members.pop("word/_rels/document.xml.rels")
    members["_rels/.rels"] = members["_rels/.rels"].replace(b"word/document.xml", b"word/main.bin")
    return zipped(members)


TYPES = {
    "first": declaring(),
    "late": declaring(before=f"<!--{'x' * 100_000}-->"),
    "UTF-16": declaring(codec="utf-16"),
    "UTF-32": declaring(codec="utf-32-be"),
    "in a part of another name": named_otherwise(declaring()),
    "a thousand million laughs in an attribute": declaring(attribute=' x="&a11;"'),
    "a thousand million laughs in a text": declaring(text=f"<w:p>{run('&a11;')}</w:p>"),
    "relations": document(
        *PERSON,
        rename={
            "word/_rels/document.xml.rels": lambda part: part.replace(b"<Rel", f"{DECLARED}<Rel".encode(), 1),
        },
    ),
}


@pytest.mark.parametrize("case", TYPES)
def test_a_document_type_is_refused_wherever_it_stands(case):
    with pytest.raises(InputError, match=r"^declares a document type in its XML, which no Word document has\.$"):
        word.masked_word(TYPES[case], Request())


def test_a_document_type_in_an_encoding_that_no_office_writes_is_refused_as_broken():
    with pytest.raises(InputError, match=BROKEN):
        word.masked_word(declaring(codec="utf-32"), Request())


def test_work_without_an_end_is_refused_when_its_time_is_over(monkeypatch):
    monkeypatch.setattr("evenhand.results.files.WORK_SECONDS", 1.0)
    with pytest.raises(InputError, match=r"^cv\.pdf takes more than 1 seconds to read; if you trust"):
        within_limits(sum, range(10**12), source="cv.pdf", unpack_limit=1)


def test_work_that_waits_is_refused_by_the_clock(monkeypatch):
    monkeypatch.setattr("evenhand.results.files.WORK_SECONDS", 0.5)
    with pytest.raises(InputError, match="takes more than 0 seconds to read"):
        within_limits(time.sleep, 1000, source="cv.pdf", unpack_limit=1)


def test_memory_without_an_end_is_refused_and_the_next_file_is_read():
    with pytest.raises(InputError, match="takes more than 512 MB of memory to read"):
        within_limits(bytearray, 2**30, source="cv.pdf", unpack_limit=1)
    assert within_limits(len, "abc", source="cv.pdf", unpack_limit=1) == 3


def test_what_was_refused_stays_refused_where_a_reader_swallows_it():
    def work():
        budget = Budget(1)
        with watched(budget), contextlib.suppress(InputError):
            budget.unpacked(2**21)

    with pytest.raises(InputError, match="unpacks to more than 1 MB"):
        work()


def test_nothing_of_a_pdf_is_shown_or_kept(capfd):
    content = raw(b"(Okafor) Tc (Okafor) Tz /Okafor gs " + TEXT)
    assert within_limits(pdf.masked_pdf, content, Request(), source="cv", unpack_limit=9).spans == {"NAME": 1}
    assert not any(capfd.readouterr())
    pdf.masked_pdf(content, Request())
    assert not {"Okafor", b"Okafor"} & PSLiteralTable.dict.keys()


def test_nothing_of_a_pdf_is_logged(caplog, capfd):
    # pdfminer warns about a spacing that is no number, and quotes it.
    content = raw(b"(Okafor) Tc (Okafor) Tz " + TEXT)
    read = partial(masked_content, content, ".pdf", Request(), source="cv")
    assert dict(within_limits(read, source="cv", unpack_limit=MEGABYTES).spans) == {"NAME": 1}
    assert not caplog.records
    assert not any(capfd.readouterr())
