"""Funnels: a column for each stage, a column with the furthest one, a sheet for each, as counts of every stage."""

from dataclasses import replace
from datetime import date

import polars as pl
import pytest
import xlsxwriter

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.applicants import count_applicants
from evenhand.data.tables import open_table
from evenhand.errors import InputError

#: Spark's client keeps connections open after a query.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
STAGES = ("applied", "screened", "hired")
#: How far six people came, counted by hand: of F 3, 2, 1 and of M 3, 3, 2 reached the stages.
FURTHEST = [("F", 1), ("F", 2), ("F", 3), ("M", 2), ("M", 3), ("M", 3)]
RIGHT = {
    "screened of applied": [("F", 3, 2), ("M", 3, 3)],
    "hired of screened": [("F", 2, 1), ("M", 3, 2)],
    "bottom line": [("F", 3, 1), ("M", 3, 2)],
}


def rows_of(found):
    keyed = {}
    for stage, group, n, selected in found.counts.select("stage", "protected.sex", "n", "successes").iter_rows():
        keyed.setdefault(stage, []).append((group, n, selected))
    return keyed


def counted(source, *, sheets=(), **query):
    with open_table(source, sheets=sheets) as table:
        return count_applicants(table, ApplicantQuery(protected=("sex",), **query))


def csv(tmp_path, cell, people=FURTHEST):
    """Write a row per person; `cell` gives the text of a stage from whether it was reached, its place and the row."""
    lines = [
        ",".join([sex, *(cell(place < reached, place, row) for place in range(3))])
        for row, (sex, reached) in enumerate(people)
    ]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["sex,applied,screened,hired", *lines]) + "\n", encoding="utf-8")
    return path


def words(yes, no=("", "", "")):
    """Return what writes a stage of each column in words of its own."""
    return lambda reached, place, _: (yes if reached else no)[place]


@pytest.mark.parametrize(
    "cell",
    [
        words(["2026-03-01", "01.03.2026", "3/31/26"]),
        words(["2026-03-01T09:30:00+02:00", "1. März 2026", "1-Mar-2026"]),
        words(["yes", " TRUE", "1.0"], ["no", "False", "0"]),
        words(["ja", "x", "x"], ["nein", "", ""]),
        words(["yes", "2026-03-01", "1"], ["no", "", "rejected"]),
        lambda reached, place, row: "yes" if reached and (place, row) != (1, 4) else "",  # an entry is forgotten
    ],
)
def test_a_row_per_person_says_which_stages_were_reached(tmp_path, cell):
    found = counted(csv(tmp_path, cell), funnel=STAGES)
    assert rows_of(found) == RIGHT
    assert found.accounting.rows_read == found.accounting.rows_used == 6


#: The stages as days, yes and no, and days.
REACHED = [
    [(place < reached if place == 1 else date(2026, 3, 1) if place < reached else None) for _, reached in FURTHEST]
    for place in range(3)
]
COUNTS = pl.DataFrame({"sex": ["F", "M"], "applied": [3, 3], "screened": [2, 3], "hired": [1, 2]})


@pytest.mark.parametrize("kind", ["people", "units", "counts"])
def test_every_engine_counts_a_funnel_alike(engine, kind):
    of_people = {"id": list(range(6)), "sex": [sex for sex, _ in FURTHEST]}
    frame = pl.DataFrame(of_people | dict(zip(STAGES, REACHED, strict=True)))
    query = ApplicantQuery(protected=("sex",), funnel=STAGES, unit="id" if kind == "units" else None)
    with engine.open(COUNTS if kind == "counts" else frame) as table:
        assert rows_of(count_applicants(table, query)) == RIGHT


def test_the_furthest_stage_is_counted_cumulatively_and_what_it_cannot_say_is_said():
    status = ["Applied", "screened ", "Hired", "Screened", "Hired", "HIRED", "Withdrawn"]
    frame = pl.DataFrame({"sex": [*(sex for sex, _ in FURTHEST), "F"], "status": status})
    query = {"furthest": "status", "furthest_order": ("applied", "screened", "hired")}
    with pytest.raises(InputError, match=r"also holds 'Withdrawn' \(1\).*--undecided status=Withdrawn"):
        counted(frame, **query)
    found = counted(frame, **query, undecided_at=(("status", "Withdrawn"),))
    assert rows_of(found) == RIGHT
    assert any("1 at 'applied', 2 at 'screened'" in note for note in found.accounting.notes)
    open_screened = counted(frame, **query, undecided_at=(("status", "Withdrawn"), ("status", "screened")))
    assert rows_of(open_screened)["hired of screened"] == [("F", 1, 1), ("M", 2, 2)]
    assert rows_of(open_screened)["screened of applied"] == RIGHT["screened of applied"]


def test_who_is_undecided_is_in_no_count_of_that_stage(tmp_path):
    path = csv(tmp_path, lambda reached, _, row: "yes" if reached else "pending" if row == 3 else "no")
    with pytest.raises(InputError, match=r"row 4 of t\.csv holds 'pending' in 'hired'.*--undecided hired=pending"):
        counted(path, funnel=STAGES)
    found = counted(path, funnel=STAGES, undecided_at=(("hired", "pending"),))
    assert rows_of(found) == RIGHT | {
        "hired of screened": [("F", 2, 1), ("M", 2, 2)],
        "bottom line": [("F", 3, 1), ("M", 2, 2)],
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("F,yes,no,yes", "row 1 of t.csv holds 'no' in 'screened' but the person reached a later stage"),
        ("F,yes,maybe,", "row 1 of t.csv holds 'maybe' in 'screened'.*--map screened:maybe=yes"),
        ("F,2026-03-01,9999-12-31,", "holds '9999-12-31' in 'screened'"),
        ("F,2026-03-01,,00.00.0000", "holds '00.00.0000' in 'hired'"),
        ("F,yes,x,\nF,yes,✓,", "holds 'x' in 'screened'"),
        ("F,yes,,yes\nM,yes,,yes", "2 people reached 'hired' and 0 'screened', the stage before"),
        ("F,,,", "nobody in t.csv reached"),
        ("F,3,2,1\nM,3,2,3", "row 2 of t.csv has 3 people in 'hired' and 2 in 'screened'"),
        ("F,3,2,yes", "row 1 of t.csv holds 'yes' in 'hired', but 'applied' holds numbers of people"),
        (
            "F,500,120,<5\nM,600,200,50",
            "row 1 of t.csv holds '<5' in 'hired', a count that is not shown.*"
            "--applicants screened --selected-count hired --suppressed",
        ),
        ("F,1.000,500,20\nM,2.000,900,30", "--funnel applied: row 1 of t.csv holds '1.000', which may be 1,000"),
        ("F,30,20,10\nM,40,30,20\nTotal,70,50,31", r"Row 3 .*'Total' in 'sex'.*\(70, 50 and 1 more\).*--totals drop"),
        ("F,46082,46090,", "between 46082 and 46090, like dates that a program stores as numbers"),
    ],
)
def test_what_contradicts_itself_is_refused_with_row_and_value(tmp_path, text, problem):
    path = tmp_path / "t.csv"
    path.write_text(f"sex,applied,screened,hired\n{text}\n", encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        counted(path, funnel=STAGES)


OF_COUNTS = {
    "screened of applied": [("F", 1100, 600), ("M", 1340, 700)],
    "hired of screened": [("F", 600, 120), ("M", 700, 135)],
    "bottom line": [("F", 1100, 120), ("M", 1340, 135)],
}
HEAD, SUBTOTAL = "sex,applied,screened,hired\n", "role,sex,applied,screened,hired\n"
TWO = "F,1100,600,120\nM,1340,700,135\n"


@pytest.mark.parametrize(
    ("text", "query", "notes"),
    [
        (f"{HEAD}{TWO}Total,2440,1300,255\n", {}, ["The row 'Total' is the sum of the others and was left out."]),
        (f"{HEAD}{TWO}Insgesamt,2440,1300,254\n", {"totals": "drop"}, ["'Insgesamt' is a total and was left out"]),
        (
            f"{SUBTOTAL}a,F,1000,500,90\na,M,1000,500,\na,Subtotal,2000,1000,90\nb,F,100,100,30\nb,M,340,200,135\n"
            "b,Subtotal,440,300,165\nGrand total,,2440,1300,255\n",
            {},
            ["'Subtotal' of sex (2), 'Grand total' of role (1)", "1 blank cell was read as nobody"],
        ),
        (HEAD + TWO.replace("1100", '"1,100"').replace("1340", '"1,340"'), {}, ["with commas between thousands"]),
        (
            (HEAD + TWO).replace(",", ";").replace("1100", "1.100").replace("1340", "1.340") + "Gesamt;2.440;1.300;255",
            {},
            ["points between thousands", "The row 'Gesamt' is the sum"],
        ),
        (f"year,{HEAD}2025,M,9,9,9\n2026,F,1 100,600,120\n2026,M,1 340,700,135\n", {"where": ("year=2026",)}, []),
    ],
)
def test_a_funnel_of_counts_is_read_as_people_publish_it(tmp_path, text, query, notes):
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    position = {"position": "role"} if text.startswith("role") else {}
    found = counted(path, funnel=STAGES, **query, **position)
    sums = found.counts.group_by("stage", "protected.sex").agg(pl.col("n", "successes").sum()).sort("protected.sex")
    assert rows_of(replace(found, counts=sums)) == OF_COUNTS
    for note in notes:
        assert any(note in told for told in found.accounting.notes)


@pytest.fixture
def workbook(tmp_path):
    path = tmp_path / "stages.xlsx"
    with xlsxwriter.Workbook(path) as book:
        for name, cells in {"Sift": [("F", 3, 2), ("M", 3, 3)], "Panel, final": [("F", 2, 1), ("M", 3, 2)]}.items():
            sheet = book.add_worksheet(name)
            header = ("sex", "applied", "hired", "note") if name == "Sift" else ("Sex ", "applied", "hired")
            for row, values in enumerate([header, *cells]):
                sheet.write_row(row, 0, values)
    return path


def test_a_sheet_is_a_stage_and_each_must_have_the_columns(workbook):
    names, counts = ("Sift", "Panel, final"), {"applicants": "applied", "selected_count": "hired"}
    found = counted(workbook, sheets=names, **counts, stage="sheet", stages=names)
    assert list(rows_of(found).values()) == [
        RIGHT["hired of screened"],
        RIGHT["screened of applied"],
        RIGHT["bottom line"],
    ]
    with open_table(workbook) as table, pytest.raises(InputError, match=r"row 1 of stages.xlsx has 3 selected of 2"):
        count_applicants(table, ApplicantQuery(protected=("sex",), applicants="hired", selected_count="applied"))
    with pytest.raises(InputError, match="the sheet 'Panel, final' lacks it"):
        counted(workbook, sheets=names, selected="note", stage="sheet", stages=names)
    with pytest.raises(InputError, match=r"No sheet 'Board' in .*Sheets: Sift, Panel, final"):
        counted(workbook, sheets=("Sift", "Board"))


@pytest.mark.parametrize("n", [4, 5])
def test_people_who_join_at_a_later_stage_are_named(n):
    rows = {"sex": ["F", "M"] * 2, "round": ["a", "a", "b", "b"], "n": [9, 9, n, 3], "hired": [4, 5, 2, 1]}
    query = {"applicants": "n", "selected_count": "hired", "stage": "round", "stages": ("a", "b")}
    notes = counted(pl.DataFrame(rows), **query).accounting.notes
    assert any("more people at 'b' than were selected at the stage before" in note for note in notes) == (n > 4)


def test_totals_of_people_that_stand_at_stages_are_left_out_and_refused_where_a_row_is_a_person():
    sexes = [sex for sex in ("F", "M", "All staff") for _ in range(3)]
    stages, n = ["applied", "screened", "hired"] * 3, [1, 1, 1, 0, 1, 2, 1, 2, 3]
    frame = pl.DataFrame({"sex": sexes, "status": stages, "n": n})
    query = {"furthest": "status", "furthest_order": STAGES}
    assert rows_of(counted(frame, count="n", **query)) == RIGHT
    with pytest.raises(InputError, match=r"--totals drop needs numbers of people; a row of .* is one person"):
        counted(frame.drop("n"), totals="drop", **query)


def test_a_cluster_that_is_the_sum_of_some_others_is_no_total():
    groups = {"ad": [ad for ad in "abcd" for _ in "FM"], "sex": ["F", "M"] * 4}
    frame = pl.DataFrame(groups | {"applied": [4, 6, 8, 8, 12, 14, 9, 9], "hired": [1, 2, 3, 3, 4, 5, 3, 4]})
    assert counted(frame, position="ad", applicants="applied", selected_count="hired").accounting.totals
    assert not counted(frame, clusters=("ad",), applicants="applied", selected_count="hired").accounting.totals


@pytest.mark.parametrize("rows", [["a", "", "b", ""], ["a", "a", "b", "b"]])
def test_notes_on_stages_in_rows_say_how_many_applied_and_how_to_fill_labels_down(rows):
    frame = pl.DataFrame({"step": rows, "sex": ["F", "Not stated"] * 2, "n": [30, 10, 20, 5], "hired": [20, 5, 2, 1]})
    query = {"stage": "step", "applicants": "n", "selected_count": "hired"}
    notes = " ".join(counted(frame, **query).accounting.notes)
    if "" in rows:
        assert "15 people at all stages together were not counted: without a stage. If a blank cell" in notes
    else:
        assert "4 rows are 40 people at 'a', the first stage, and 65 at all stages together" in notes
        assert "sex is unknown in 15 of the people counted at all stages together (among them 'Not stated')." in notes
