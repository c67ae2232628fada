"""Tables as people publish them: titles above, notes below, headers of two rows, merged cells, stray bytes."""

import pytest
import xlsxwriter

from evenhand.data.tables import open_table
from evenhand.errors import InputError

HEADER = "Group,applied,hired\n"
ROWS = "White,1204,312\nBlack,402,61\nAsian,210,66\n"
TABLE = HEADER + ROWS
PEOPLE = "id,sex,hired\n" + "".join(f"p{n},{'fm'[n % 2]},{'yes' if n % 3 else 'no'}\n" for n in range(30))
HEADLESS = PEOPLE.partition("\n")[2]
NAMES = ("Group", "applied", "hired")


def opened(folder, content, **options):
    path = folder / "t.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with open_table(path, **options) as table:
        return tuple(table.expr.columns), table.fetch(table.expr).rows(), " ".join(table.notes)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("Applicants of 2026\n" + TABLE, "Row 1 above the header was left out of t.csv: 'Applicants of 2026'."),
        ('"Applicants, by group"\n\n' + TABLE, "Rows 1 and 2 above the header were left out of t.csv: 'Applicants, by"),
        (
            "Table 2,,\nDraft,,\n,,\n" + TABLE + ",,\nNote: rounded,,\nSource: HR,,\n",
            "Rows 1 to 3 above the header and 2 footnotes were left out of t.csv: 'Table 2', 'Draft', 'Note: rounded'",
        ),
        ('"Table 2\nby group",,\n' + TABLE, r"Row 1 above the header was left out of t.csv: 'Table 2\nby group'."),
        ("Hires by group, 2025\n" + TABLE, "Row 1 above the header was left out of t.csv: 'Hires by group, 2025'."),
        ("Hires, 2025,\nOf HR, all\n\n" + TABLE, "Rows 1 to 3 above the header were left out of t.csv: 'Hires, 2025'"),
        (TABLE + "Source: HR, own records\n", "1 footnote was left out of t.csv: 'Source: HR, own records'."),
        (TABLE + "\nFigures are rounded to five\n", "1 footnote was left out of t.csv: 'Figures are rounded to five'."),
        (TABLE + "* provisional\n\n1) of all\n", "2 footnotes were left out of t.csv: '* provisional', '1) of all'."),
        (
            "sep=;\nTitel, 2026\n\n" + TABLE.replace(",", ";") + "Quelle: HR, 2026\n",
            "'Titel, 2026', 'Quelle: HR, 2026'",
        ),
        (("Titre é,,\r\n" + TABLE + "Note: é,,\r\n").encode("cp1252"), "'Titre é', 'Note: é'."),
        (("Titre é,,\r\n" + TABLE + "Note: é,,\r\n").encode("utf-16"), "'Titre é', 'Note: é'."),
    ],
)
def test_titles_and_footnotes_are_left_out_and_said(tmp_path, content, said):
    names, rows, notes = opened(tmp_path, content)
    assert (names, len(rows), rows[0]) == (NAMES, 3, ("White", "1204", "312"))
    assert said in notes


def test_the_footnote_of_a_long_table_is_found_and_a_text_of_several_lines_is_none(tmp_path):
    long = "Title\n\n" + PEOPLE + HEADLESS * 4000
    names, rows, notes = opened(tmp_path, long + "Source: HR\n")
    assert (names, len(rows)) == (("id", "sex", "hired"), 120_030)
    assert "'Title', 'Source: HR'" in notes
    texts = "id,text,hired\n" + 'p1,"Dear all,\n\nNote: I am, well\n\nSource: me\n",yes\n' * 30_000
    assert (len(opened(tmp_path, texts)[1]), opened(tmp_path, texts)[2]) == (30_000, "")


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        # A label without counts is a row of the table, however it looks.
        (TABLE + "Unknown,,\n", 4),
        ("Group,n,hired\nWhite: British,1,2\nWhite: Irish,3,4\nBlack: African,,\n", 3),
        (PEOPLE + "p30,,\n", 31),
        # Headers: years, answers of a survey, stages, tables on end, words and values that are not to be had below.
        ("Region,2023,2022\nNorth,2022,5\nSouth,4,1\n", 2),
        ("sex,2024-01-01,2024-02-01\nf,1,2\nm,3,4\n", 2),
        ("sex,White,Black\nf,White,\nm,,Black\nf,White,\nm,,Black\n", 4),
        ("sex,Applied,Hired\n" + "f,Applied,Rejected\nm,Not applied,Hired\n" * 9, 18),
        ("0,1,2\n0,1,1\n1,0,1\n", 2),
        (PEOPLE + PEOPLE, 61),
        ("\n,,\n" + TABLE, 3),
        ("id, sex, hired\n" + HEADLESS, 30),
        ("name,city\nAnna,Rome\nBob,Paris\nCy,Oslo\n", 3),
        ("name,s1,s2\nAnna,n/a,n/a\nBob,3,4\nCy,4,5\nDi,1,2\n", 4),
    ],
)
def test_a_table_that_begins_with_its_header_is_read_whole_and_nothing_is_said(tmp_path, content, rows):
    names, found, notes = opened(tmp_path, content)
    header = content.strip("\n,").split("\n")[0].replace(", ", ",")
    assert (list(names), len(found), notes) == (header.split(","), rows, "")


@pytest.mark.parametrize(
    ("content", "options", "words"),
    [
        (HEADLESS, {}, r"The first row of t.csv, 'p0, f, no', looks like data.* --header-row none; .* --header-row 1"),
        (ROWS, {}, "looks like data, not like a header: it holds numbers, as the rows below do"),
        ("f\nm\nf\nm\n", {}, "The first row of t.csv, 'f', looks like data"),
        (
            "f,Samoan,33,yes\n" + "f,White,40,yes\nm,Black,40,no\n" * 20,
            {},
            "The first row of t.csv, 'f, Samoan",
        ),
        ("People\n\n" + HEADLESS, {}, "The first row with values, row 3, of t.csv, 'p0, f, no', looks like data"),
        ("By group, 2026, all\n\n" + TABLE, {}, "Rows 1 and 3 of t.csv could both be the header: .* --header-row 3"),
        ("By group, 2026, all\nOf one table\n\n" + TABLE, {}, "Rows 1 and 4 of t.csv could both be the header"),
        ("Made,2026\n\n" + TABLE, {}, "Row 1 of t.csv, 'Made, 2026', lacks .* row 3, .* give --header-row 3"),
        (
            "Group,Applied,Hired\n,n,n\n" + ROWS,
            {},
            "Rows 1 and 2 of t.csv could both be the header: 'n, n' stands above",
        ),
        ("Hires, 2025\nGroup,n\nW,5\nB,6\n", {}, "Rows 1 and 2 of t.csv could both be the header: .* --header-row 2"),
        ("Hires,2025,\n" + TABLE, {}, "Row 1 of t.csv, 'Hires, 2025', may be a title, or a heading .* --header-row 2"),
        ("Group,,All\n,received,hired\n" + ROWS, {}, "lacks the names of some columns; if row 2"),
        ("a,\n1,2\n3,4\n", {}, r"Column 2 of .* has values but no header; give .* --header-row N, which .* 'column 2'"),
        (TABLE + "\nUnknown\n", {}, "Row 6 of t.csv, 'Unknown', .* give --footer 1 .* or --footer 0"),
        (TABLE + "Native Hawaiian or Pacific Islander,,\n", {}, "Row 5 of t.csv, 'Native Hawaiian .* --footer 1"),
        (TABLE, {"header_row": 9}, "--header-row 9: t.csv has 4 rows"),
        ("\n" + TABLE, {"header_row": 1}, "--header-row 1: row 1 of t.csv is blank"),
        (TABLE, {"footer": 3}, "--footer 3: t.csv has no other rows"),
    ],
)
def test_what_could_be_read_two_ways_is_refused_with_the_option_that_mends_it(tmp_path, content, options, words):
    with pytest.raises(InputError, match=words) as error:
        opened(tmp_path, content, **options)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("content", "options", "result", "said"),
    [
        ("x,y,z\n\n" + TABLE, {"header_row": 3}, (NAMES, 3), "Rows 1 and 2 above the header were left out"),
        (HEADLESS, {"header_row": "none"}, (("column 1", "column 2", "column 3"), 30), "was read without a header"),
        ("T\n\n" + HEADLESS, {"header_row": "none"}, (("column 1", "column 2", "column 3"), 30), "Rows 1 and 2 above"),
        (HEADLESS, {"header_row": 1}, (("p0", "f", "no"), 29), ""),
        (",n,hired\n" + ROWS, {"header_row": 1}, (("column 1", "n", "hired"), 3), "are called 'column 1' here"),
        (TABLE + "\nUnknown\n", {"footer": 1}, (NAMES, 3), "1 footnote was left out of t.csv: 'Unknown'"),
        (TABLE + ",,\nUnknown,,\n", {"footer": 0}, (NAMES, 4), "1 blank row"),
        (TABLE + "All,9,9\n,,\n", {"footer": 1}, (NAMES, 3), "1 footnote was left out of t.csv: 'All, 9, 9'"),
        ("Group,All,\n,received,hired\n" + ROWS, {}, (("Group", "All received", "All hired"), 3), "Rows 1 and 2 of"),
        (",All,\nGroup,received,hired\n" + ROWS, {}, (("Group", "All received", "All hired"), 3), "are one header"),
    ],
)  # fmt: skip
def test_the_header_and_the_end_can_be_given_and_two_rows_are_one_header(tmp_path, content, options, result, said):
    names, rows, notes = opened(tmp_path, content, **options)
    assert (names, len(rows)) == result
    assert said in notes


MIXED = b"region,hired\n" + "Étranger,yes\nFrançais,no\n".encode() * 20


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_stray_byte_is_read_as_cp1252_and_its_line_is_said(tmp_path, end):
    content = MIXED + "Étranger,no\n".encode("cp1252") + "Français,no\n".encode()
    _, rows, notes = opened(tmp_path, content.replace(b"\n", end))
    assert {region for region, _ in rows} == {"Étranger", "Français"}
    assert notes == "t.csv is UTF-8, but for line 42: bytes there that are not UTF-8 were read as cp1252."


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (MIXED + "É,no\n".encode("cp1252") * 60, "is UTF-8 in some lines and not in others, such as line 42"),
        (MIXED + b"\x81,no\n", "is neither UTF-8 nor UTF-16 nor cp1252"),
    ],
)
def test_bytes_of_two_encodings_are_refused(tmp_path, content, words):
    with pytest.raises(InputError, match=words):
        opened(tmp_path, content)


def sheet(folder, rows, *, merged=(), at=(0, 0), **options):
    book = xlsxwriter.Workbook(folder / "t.xlsx")
    page = book.add_worksheet("A & B")
    for cells in merged:
        page.merge_range(cells, "")
    for row, cells in enumerate(rows, start=at[0]):
        for column, cell in enumerate(cells, start=at[1]):
            if cell is not None:
                page.write(row, column, cell)
    book.close()
    with open_table(folder / "t.xlsx", **options) as table:
        return tuple(table.expr.columns), table.fetch(table.expr).rows(), " ".join(table.notes), table.damaged


GROUPS = [("sex", "job", "n"), ("Men", "a", 1), (None, "b", 2), ("Women", "a", 3), (None, "b", 4)]


@pytest.mark.parametrize(
    ("rows", "merged", "at", "columns"),
    [
        (GROUPS, ["A2:A3", "A4:A5"], (0, 0), ["Men", "Men", "Women", "Women"]),
        (GROUPS, ["C6:C7", "C8:C9"], (4, 2), ["Men", "Men", "Women", "Women"]),
        (GROUPS, ["A2:A3"], (0, 0), ["Men", "Men", "Women", None]),
        (GROUPS, [], (0, 0), ["Men", None, "Women", None]),
        ([("Title",), (), *GROUPS, ("Note: x",)], ["A1:C1", "A4:A5"], (0, 0), ["Men", "Men", "Women", None]),
    ],
)
def test_merged_cells_are_filled_from_their_range_and_blank_ones_are_not(tmp_path, rows, merged, at, columns):
    names, found, notes, _ = sheet(tmp_path, rows, merged=merged, at=at)
    assert (names, [row[0] for row in found]) == (("sex", "job", "n"), columns)
    assert ("Merged cells of 'sex' in t.xlsx were filled from their range." in notes) == bool(merged)


def test_a_merged_year_is_that_of_each_row_and_another_merged_number_is_not_used(tmp_path):
    rows = [("year", "sex", "n"), (2024, "f", 10), (None, "m", None), (2025, "f", 3), (None, "m", 4)]
    _, found, _, damaged = sheet(tmp_path, rows, merged=["A2:A3", "A4:A5", "C2:C3"])
    assert [row[0] for row in found] == [2024, 2024, 2025, 2025]
    assert list(damaged) == ["n"]
    assert "row 2 of the sheet holds 10 in cells merged over rows" in damaged["n"]


UPPER = [
    ("Group", "All", None, "Year"),
    (None, "received", "hired", None),
    ("W", 10, 2, 2024),
    ("B", 20, 3, 2024),
]


def test_a_header_of_two_rows_takes_the_merged_cells_and_numbers_stay_numbers(tmp_path):
    rows = [("Title",), (), *UPPER, (), ("* provisional",)]
    names, found, notes, _ = sheet(tmp_path, rows, merged=["A1:D1", "A3:A4", "B3:C3", "D3:D4"])
    assert names == ("Group", "All received", "All hired", "Year")
    assert found == [("W", 10, 2, 2024), ("B", 20, 3, 2024)]
    assert "Rows 3 and 4 of t.xlsx are one header" in notes
    assert "Rows 1 and 2 above the header and 1 footnote were left out of t.xlsx: 'Title', '* provisional'." in notes


@pytest.mark.parametrize(
    ("rows", "merged", "words"),
    [
        ([("Group", "All", None, "Year"), *UPPER], ["B1:C1"], "Rows 2 and 3 of t.xlsx could both be the header"),
        ([("f", 44, "yes"), ("m", 29, "no"), ("f", 24, "yes"), ("m", 30, "no")], [], "--header-row none"),
        ([*GROUPS, (), ("Unknown",)], [], "Row 7 of t.xlsx, 'Unknown', .* give --footer 1"),
    ],
)
def test_a_sheet_that_could_be_read_two_ways_is_refused(tmp_path, rows, merged, words):
    with pytest.raises(InputError, match=words):
        sheet(tmp_path, rows, merged=merged)
