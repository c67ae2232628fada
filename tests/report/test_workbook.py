"""tables.xlsx: what a spreadsheet shows of a run, read by another package."""

import re
import zipfile

import fastexcel
import polars as pl
import pytest

import evenhand as eh
from evenhand.report.files import MOST_ROWS, workbook
from evenhand.results.result import read_csv, read_result

SIGNS = ("=1+1", "+10%", "-10%", "@sum", "=2+2", "http://example.org", "007")


@pytest.fixture(scope="module")
def analysed(tmp_path_factory):
    frame = pl.DataFrame(
        {
            "group": [group for group in (*SIGNS, "bob") for _ in range(40)],
            "job": ["x", "y"] * 160,
            "hired": ["yes", "no", "yes", "yes", "no"] * 64,
        }
    )
    out = tmp_path_factory.mktemp("impact") / "run"
    return eh.impact(frame, selected="hired", protected="group", position="job", out=out)


@pytest.fixture
def probed(real_reports):
    return real_reports / "an2024"


def sheets(run):
    """Return the sheets of the workbook in a folder, or of one at hand."""
    book = fastexcel.read_excel(run if isinstance(run, bytes) else run / "tables.xlsx")
    return {name: book.load_sheet(name).to_polars() for name in book.sheet_names}


def xml(run, part):
    with zipfile.ZipFile(run.folder / "tables.xlsx") as book:
        return book.read(f"xl/{part}.xml").decode()


def sheet_xml(run, name):
    return xml(run, f"worksheets/sheet{list(sheets(run.folder)).index(name) + 1}")


def test_each_kind_of_run_has_its_tables_as_sheets(real_reports):
    for name, tables in {
        "an2024": ["Tables"],
        "comparison": [],
        "suite": [],
        "impact": ["Impact", "Pooled", "Positions", "Ladder", "Local Law 144"],
    }.items():
        found, run = sheets(real_reports / name), read_result(real_reports / name)
        assert list(found) == ["Headline", *tables, "Findings", "Notes"]
        assert found["Findings"]["name"].to_list() == [row.name for row in run.findings]
    assert sheets(real_reports / "suite")["Findings"]["probe"].unique().len() == 4


def test_cells_hold_all_decimals_and_unknown_ones_are_empty(analysed):
    shown, rows = sheets(analysed.folder)["Impact"], analysed.rows
    assert shown["focal"].to_list() == rows["focal"].to_list()
    assert shown["impact_ratio"].to_list() == rows["impact_ratio"].to_list()
    assert shown["p_fisher"].to_list() == rows["p_fisher"].to_list()
    assert shown["position"].null_count() == rows.filter(pl.col("position") == "").height > 0
    assert "cutoff" not in shown.columns  # nothing stands there


def test_no_text_runs_as_a_formula_or_is_taken_for_a_number_or_a_link(analysed):
    shown = sheets(analysed.folder)["Impact"]
    assert set(SIGNS) <= {*shown["focal"], *shown["reference"]}
    with zipfile.ZipFile(analysed.folder / "tables.xlsx") as book:
        assert not [name for name in book.namelist() if "rels" in name and "worksheets" in name]
        assert not re.search(r"<f[ >]|<hyperlink", "".join(book.read(n).decode() for n in book.namelist()))


def test_headings_stay_in_sight_and_numbers_are_shown_as_what_they_are(analysed):
    sheet, styles = sheet_xml(analysed, "Impact"), xml(analysed, "styles")
    assert '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' in sheet
    assert "<autoFilter" in sheet
    for shown in ("0.000", "&lt; 0.0001"):
        assert shown in styles
    assert re.findall(r'<xf numFmtId="(3|10|9)"|formatCode="0\.0%"', styles) != []
    widths = [float(width) for width in re.findall(r'width="([\d.]+)"', sheet)]
    assert widths
    assert all(8 < width < 50 for width in widths)


def test_notes_say_what_was_asked_what_cannot_be_told_and_the_sources(analysed, probed):
    notes = dict(sheets(analysed.folder)["Notes"].iter_rows())
    assert notes["Four-fifths rule"].startswith("29 CFR 1607.4(D)")
    assert notes["Made by"].startswith("evenhand impact FRAME")
    assert {"Run", "Question", "Numbers", "Limit"} <= set(notes)
    assert "known bias" in dict(sheets(probed)["Notes"].iter_rows())["Simulated"]


def test_the_same_run_gives_the_same_bytes(probed):
    tables = {"Tables": read_csv(probed / "tables.csv")}
    assert workbook(read_result(probed), tables) == (probed / "tables.xlsx").read_bytes()


def test_long_tables_are_cut_and_that_is_told(probed):
    long = pl.DataFrame(
        {"word": [f"w{n}" for n in range(MOST_ROWS + 1)], "share": [0.5, float("inf"), *[None] * (MOST_ROWS - 1)]}
    )
    shown = sheets(workbook(read_result(probed), {"Words": long}))
    assert shown["Words"].height == MOST_ROWS
    assert f"The sheet Words has the first 2,000 of {MOST_ROWS + 1:,} rows; the CSV has all." in set(
        shown["Notes"]["text"]
    )
    assert shown["Words"]["share"].to_list()[:3] == ["0.5", "inf", None]


def test_a_workbook_belongs_to_its_run_and_is_replaced_with_it(tmp_path):
    for _ in range(2):
        run = eh.impact({"a": (1, 9), "b": (5, 9)}, out=tmp_path / "run", force=True)
        assert (run.folder / "tables.xlsx").is_file()
    eh.impact({"a": (1, 9), "b": (5, 9)}, out=tmp_path / "run", force=True, report=False)
    assert not (tmp_path / "run" / "tables.xlsx").exists()
