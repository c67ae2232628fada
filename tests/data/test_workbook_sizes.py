"""Small workbooks that ask for much: each is refused in one line, and this process goes on."""

import struct
import zipfile

import pytest

from evenhand.data.tables import open_table
from evenhand.errors import InputError

RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PARTS = {
    f"{where}.rels": f'<Relationships><Relationship Id="r" Type="{RELATION}/{kind}" Target="{to}"/></Relationships>'
    for where, kind, to in (
        ("_rels/", "officeDocument", "xl/workbook.xml"),
        ("xl/_rels/workbook.xml", "worksheet", "worksheets/a.xml"),
    )
} | {"xl/workbook.xml": f'<workbook xmlns:r="{RELATION}"><sheets><sheet name="P" r:id="r"/></sheets></workbook>'}
TABLE = (
    '<row r="1"><c r="A1" t="str"><v>sex</v></c><c r="B1" t="str"><v>hired</v></c></row>'
    '<row r="2"><c r="A2" t="str"><v>f</v></c><c r="B2"><v>1</v></c></row>'
)
ODS = {
    "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
    "META-INF/manifest.xml": "<manifest:manifest/>",
}


def packed(path, parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content, zipfile.ZIP_STORED if name == "mimetype" else None)
    return path


def xlsx(folder, rows, parts=()):
    sheet = f"<worksheet><sheetData>{rows}</sheetData></worksheet>"
    return packed(folder / "a.xlsx", {**PARTS, "xl/worksheets/a.xml": sheet, **dict(parts)})


def ods(folder, rows):
    def cell(text):
        return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'

    top = (
        f"<table:table-row>{cell('sex')}{cell('hired')}</table:table-row><table:table-row>{cell('f')}</table:table-row>"
    )
    content = f'<x><table:table table:name="P">{top}{rows}</table:table></x>'
    return packed(folder / "a.ods", {**ODS, "content.xml": content})


def xls(folder, *records):
    """Return a compound file of one stream, whose sheet has these records."""

    def record(kind, *numbers):
        return struct.pack(f"<HH{len(numbers)}H", kind, 2 * len(numbers), *numbers)

    start = record(0x0809, 0x0600, 0x0005, 0, 0, 0, 0, 0, 0)
    name = struct.pack("<HHIHBB", 0x0085, 9, len(start) + 13 + 4, 0, 1, 0) + b"P"
    sheet = record(0x0809, 0x0600, 0x0010, 0, 0, 0, 0, 0, 0)
    sheet += b"".join(record(*each) for each in records) + record(0x000A)
    stream = (start + name + record(0x000A) + sheet).ljust(4096, b"\0")

    def entry(title, kind, start, size):
        return struct.pack(
            "<64sHBBIII36xIQ", title.encode("utf-16-le"), 2 * len(title) + 2, kind, 1, *[2**32 - 1] * 3, start, size
        )

    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        0x3E,
        3,
        0xFFFE,
        9,
        6,
        0,
        1,
        1,
        0,
        4096,
        2**32 - 2,
        0,
        2**32 - 2,
        0,
        0,
    ).ljust(512, b"\xff")
    fat = struct.pack("<10I", 2**32 - 3, 2**32 - 2, *range(3, 10), 2**32 - 2).ljust(512, b"\xff")
    folders = (entry("Root Entry", 5, 2**32 - 2, 0) + entry("Workbook", 2, 2, 4096)).ljust(512, b"\0")
    path = folder / "a.xls"
    path.write_bytes(header + fat + folders + stream)
    return path


MEMORY = "takes more than 3,072 MB of memory to read; delete cells next to and below the table"
WIDE = 'office:value-type="string" table:number-columns-repeated="16384"'


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda at: xlsx(at, TABLE + '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'), MEMORY),
        (lambda at: xlsx(at, TABLE + "<row><c s='0' r = 'XFD1048576' ><v>1</v></c></row>"), MEMORY),
        (lambda at: xlsx(at, TABLE + '<x:row r="9"><x:c r="XFD1048576"><v>1</v></x:c></x:row>'), MEMORY),
        (lambda at: xlsx(at, TABLE + '<row r="1048576">' + "<c/>" * 16383 + "<c><v>1</v></c></row>"), MEMORY),
        (lambda at: xlsx(at, TABLE + '<row><c r="A4294967295"><v>1</v></c></row>'), MEMORY),
        (lambda at: xlsx(at, TABLE + '<row><c r="ZZZZZZZ4"><v>1</v></c></row>'), MEMORY),
        (lambda at: xlsx(at, TABLE, [("xl/sharedStrings.xml", '<sst uniqueCount="9999999999"/>')]), MEMORY),
        (
            lambda at: ods(
                at,
                f'<table:table-row table:number-rows-repeated="99999"><table:table-cell {WIDE}>1'
                "</table:table-cell></table:table-row>",
            ),
            "can't be read as a workbook: .* Cell limit exceeded",
        ),
        (lambda at: xls(at, (0x0200, 0, 0, 0xFFFF, 0xFFFF, 0, 0xFFFF, 0)), MEMORY),
        (lambda at: xls(at, (0x0203, 0, 0, 0, 0, 0, 0, 0), (0x0203, 65535, 65535, 0, 0, 0, 0, 0)), MEMORY),
    ],
)
def test_a_small_workbook_that_asks_for_much_memory_is_refused_in_one_line(tmp_path, made, words):
    path = made(tmp_path)
    assert path.stat().st_size < 7000
    with pytest.raises(InputError, match=words) as told, open_table(path):
        pass
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    "made",
    [
        lambda at: xlsx(at, TABLE + '<row r="1048576"><c r="XFD1048576" s="0"/></row>'),
        lambda at: xlsx(at, TABLE + "<a>" * 100_000 + "</a>" * 100_000),
        lambda at: ods(
            at, '<table:table-row table:number-rows-repeated="1048570"><table:table-cell/></table:table-row>'
        ),
    ],
)
def test_what_holds_no_value_takes_no_room(tmp_path, made):
    with open_table(made(tmp_path), unpack_limit=1) as table:
        assert [str(row[0]) for row in table.fetch(table.expr).rows()] == ["f"]


def test_merged_cells_of_an_ods_are_filled_from_their_range(tmp_path):
    number = '<table:table-cell office:value-type="float" office:value="1"/>'
    label = '<table:table-cell office:value-type="string" table:number-rows-spanned="2"><text:p>m</text:p>'
    rows = [f"{label}</table:table-cell>{number}", f"<table:covered-table-cell/>{number}"]
    path = ods(tmp_path, "".join(f"<table:table-row>{cells}</table:table-row>" for cells in rows))
    with open_table(path) as table:
        assert table.fetch(table.expr).rows() == [("f", None), ("m", 1), ("m", 1)]
        assert table.notes == ("Merged cells of 'sex' in a.ods were filled from their range.",)


@pytest.mark.parametrize(
    ("name", "size"), [("xl/media/a.png", 2**20 + 1), ("xl/sharedStrings.xml", 2**21), ("xl/worksheets/b.xml", 2**23)]
)
def test_what_a_workbook_unpacks_to_is_counted_whatever_its_directory_says(tmp_path, name, size):
    path = xlsx(tmp_path, TABLE, [(name, b" " * size)])
    content = path.read_bytes()
    # The sizes in the directory at the end, and not those before each part.
    end = content.rindex(name.encode())
    path.write_bytes(content[: end - 46 + 24] + struct.pack("<I", 2**31 - 1) + content[end - 46 + 28 :])
    with pytest.raises(InputError, match="unpacks to more than 1 MB; if you trust the file, raise --unpack-limit"):
        open_table(path, unpack_limit=1).__enter__()


INLINE = f'<row><c t="inlineStr"><is><t>{"x" * 400}</t></is></c></row>'
SHARED = f"<si><t>{'x' * 400}</t></si>"


@pytest.mark.parametrize(
    ("rows", "parts"),
    [
        (INLINE * 5000, []),
        ("", [("xl/sharedStrings.xml", f"<sst>{SHARED * 6000}</sst>")]),
        ("", [(f"xl/worksheets/{number}.xml", INLINE * 500) for number in range(10)]),
    ],
    ids=["texts in cells", "shared texts", "many sheets"],
)
def test_every_byte_that_a_workbook_unpacks_to_counts(tmp_path, rows, parts):
    path = xlsx(tmp_path, TABLE + rows, parts)
    assert path.stat().st_size < 60_000
    with pytest.raises(InputError, match="unpacks to more than 2 MB"), open_table(path, unpack_limit=2):
        pass
    with open_table(path, unpack_limit=4) as table:
        assert table.fetch(table.expr.count().as_table()).item() >= 1


def test_a_text_that_many_cells_share_counts_each_time(tmp_path):
    strings = f"<sst><si><t>{'x' * 100_000}</t></si></sst>"
    rows = TABLE + '<row><c t="s"><v>0</v></c></row>' * 10_000
    path = xlsx(tmp_path, rows, [("xl/sharedStrings.xml", strings)])
    with pytest.raises(InputError, match="takes more than 192 MB of memory"), open_table(path, unpack_limit=16):
        pass


def test_a_limit_that_is_none_is_told(tmp_path):
    with pytest.raises(InputError, match="--unpack-limit is 0; expected megabytes from 1"):
        open_table(xlsx(tmp_path, TABLE), unpack_limit=0).__enter__()


@pytest.mark.parametrize("content", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\xff" * 4000, b"\0" * 5000])
@pytest.mark.parametrize("ending", ["xlsx", "xls", "ods"])
def test_a_workbook_that_is_none_is_told_in_one_line(tmp_path, ending, content):
    path = tmp_path / f"a.{ending}"
    path.write_bytes(content)
    with pytest.raises(InputError, match="can't be read as a workbook") as told, open_table(path):
        pass
    assert "\n" not in str(told.value)


def test_a_binary_workbook_is_refused_with_the_repair(tmp_path):
    (tmp_path / "a.xlsb").write_bytes(b"PK")
    with pytest.raises(InputError, match=r"save it as \.xlsx"), open_table(tmp_path / "a.xlsb"):
        pass
