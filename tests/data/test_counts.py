"""Tables of counts: a row that is many people, a row that is a group, and what only looks like people."""

import polars as pl
import pytest

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.applicants import count_applicants
from evenhand.data.tables import open_table
from evenhand.errors import InputError
from evenhand.results.finding import as_json

GROUPS = "group,applicants,hired\nwomen,60,30\nmen,40,25\n"
LONG = "Admit,Gender,Freq\nAdmitted,Male,30\nRejected,Male,10\nAdmitted,Female,5\nRejected,Female,15\n"


def counted(tmp_path, text, **asked):
    path = tmp_path / "t.csv"
    path.write_text(text)
    with open_table(path) as table:
        return count_applicants(table, ApplicantQuery(**asked))


def test_a_row_is_as_many_people_as_its_count_says(tmp_path):
    asked = {"protected": ("Gender",), "selected": "Admit", "selected_value": "Admitted", "count": "Freq"}
    found = counted(tmp_path, LONG, **asked)
    assert found.counts.select("protected.Gender", "n", "successes").rows() == [("Female", 20, 5), ("Male", 40, 30)]
    assert as_json(found.accounting)["count"] == {"column": "Freq", "selected_column": None, "rows": 4, "people": 60}
    assert found.accounting.notes[0] == "4 rows are 60 people, by 'Freq'."
    assert found.accounting.rows_read == found.accounting.rows_used == 60


def test_a_row_is_a_group_of_whom_some_were_selected(tmp_path):
    for text in (GROUPS, GROUPS + "others,0,0\n", GROUPS.replace("60", " 60.0 ")):
        found = counted(tmp_path, text, protected=("group",), applicants="applicants", selected_count="hired")
        assert found.counts.select("protected.group", "n", "successes").rows() == [("men", 40, 25), ("women", 60, 30)]


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("4293.45", "row 2 of t.csv holds '4293.45', a fraction; a count is a whole number of people"),
        ('"4,293.45"', "row 2 of t.csv holds '4,293.45', a fraction"),
        ("-3", "holds '-3'; expected a whole number of people from 0"),
        ("many", "holds 'many'; expected a whole .* row out: --footer .*, and --where \"Freq <> 'many'\" leaves"),
        ("", "is empty; write 0 where there is nobody"),
        ("nan", "is empty; write 0"),
        ("1e17", "holds '1e17', more than the 9,007,199,254,740,992"),
    ],
)
def test_what_is_no_count_is_told_with_option_column_and_repair(tmp_path, cell, words):
    text = LONG.replace(",10\n", f",{cell}\n")
    with pytest.raises(InputError, match=f"^--count Freq: row 2 of t.csv {words.removeprefix('row 2 of t.csv ')}"):
        counted(tmp_path, text, protected=("Gender",), selected="Admit", selected_value="Admitted", count="Freq")


@pytest.mark.parametrize(
    ("text", "asked", "words"),
    [
        (
            GROUPS.replace("30", "61"),
            ("applicants", "hired"),
            "--selected-count hired: row 1 of t.csv has 61 selected of",
        ),
        (GROUPS.replace("30", "2.5"), ("applicants", "hired"), "--selected-count hired: row 1 .* fraction"),
        (GROUPS, ("hired", "applicants"), "30 in 'hired'; correct the row, or swap the columns"),
        (GROUPS, ("people", "hired"), "--applicants applicants|No column 'people'"),
        ("group,applicants,hired\na,0,0\nb,0,0\n", ("applicants", "hired"), "all counts of t.csv are 0"),
    ],
)
def test_wrong_columns_of_groups_are_told(tmp_path, text, asked, words):
    with pytest.raises(InputError, match=words):
        counted(tmp_path, text, protected=("group",), applicants=asked[0], selected_count=asked[1])


@pytest.mark.parametrize(
    ("text", "asked", "words"),
    [
        (LONG, {"selected": "Admit", "selected_value": "Admitted"}, "looks like a table of counts.*--count Freq if"),
        (GROUPS, {"selected": "hired"}, "--applicants applicants --selected-count hired if a row is a group"),
        ("group,applicants,hired\na,1,1\nb,5,0\n", {"selected": "hired"}, "looks like a table of counts"),
        ('group,hired,n\na,yes,"1,300"\na,no,40\nb,yes,20\nb,no,50\n', {"selected": "hired"}, "--count n if"),
        ("id,group,hired,N\n1,a,yes,7\n2,a,no,8.5\n3,b,yes,7\n4,b,no,9\n", {"selected": "hired"}, "--count N if"),
    ],
)
def test_a_table_that_looks_like_counts_is_refused_until_it_is_said(tmp_path, text, asked, words):
    protected = ("Gender",) if text is LONG else ("group",)
    with pytest.raises(InputError, match=words) as told:
        counted(tmp_path, text, protected=protected, **asked)
    assert "--count none" in str(told.value)
    if asked["selected"] != "hired" or "1,1" in text or "id," in text:
        counted(tmp_path, text, protected=protected, no_count=True, **asked)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        # Two people are alike, so each row is one.
        ("id,group,hired,total\n1,a,yes,7\n2,a,yes,8\n3,b,no,7\n", {"selected": "hired"}),
        # An option names the column.
        ("group,hired,n\na,yes,7\nb,no,8\n", {"selected": "hired", "where": ("n > 1",)}),
        ("group,total\na,7\nb,8\n", {"score": "total", "median": True}),
        # A score that differs in every row makes no group.
        ("group,s,n\na,.1,5\na,.2,7\nb,.3,5\n", {"score": "s", "median": True}),
        # No column is called so, or it holds no numbers.
        ("group,hired,people\na,yes,7\nb,no,8\n", {"selected": "hired"}),
        ("group,hired,count\na,yes,x\nb,no,8\n", {"selected": "hired"}),
    ],
)
def test_tables_of_people_are_no_counts(tmp_path, text, asked):
    assert counted(tmp_path, text, protected=("group",), **asked).accounting.rows_used > 1


def test_a_number_of_selected_without_its_option_is_told_how_it_is_read(tmp_path):
    text = GROUPS.replace("applicants", "applied")
    with pytest.raises(InputError, match="--applicants COLUMN --selected-count hired"):
        counted(tmp_path, text, protected=("group",), selected="hired")


OUTCOMES = ["offered", "declined", "Rejected", "", "pending", "offered"]


def outcomes(tmp_path, values, **asked):
    text = "group,hired\n" + "".join(f"a,{value}\n" for value in values)
    return counted(tmp_path, text, protected=("group",), selected="hired", **asked)


def test_every_other_value_is_not_selected_and_what_is_undecided_is_named(tmp_path):
    found = outcomes(tmp_path, OUTCOMES, selected_value="offered", undecided=("Pending",))
    assert found.counts.select("n", "successes").rows() == [(4, 2)]
    assert found.accounting.decision_unknown == 2
    assert as_json(found.accounting)["notes"] == [
        "2 rows were not counted: without a decision.",
        "hired: selected: 'offered' (2); not selected: 'Rejected' (1), 'declined' (1); without a decision: empty (1), "
        "'pending' (1).",
    ]
    several = outcomes(tmp_path, OUTCOMES, selected_value="offered,declined", undecided=("pending",))
    assert several.counts.select("n", "successes").rows() == [(4, 3)]


@pytest.mark.parametrize(
    "value",
    [
        *("pending", "Withdrawn", "withdrew by phone", "in process", "In-Process: second interview", "n/a", "N/A"),
        *(
            "unknown",
            "on hold",
            "Under review",
            "candidate withdrew",
            "Not yet decided",
            "offer pending",
            "none",
            "TBD",
        ),
    ],
)
def test_what_may_be_no_decision_is_refused_until_it_is_named(tmp_path, value):
    with pytest.raises(InputError, match=f"The column 'hired' holds '{value}', which may mean no decision: .*--undec"):
        outcomes(tmp_path, ["yes", "no", value], selected_value="yes")
    found = outcomes(tmp_path, ["yes", "no", value], selected_value="yes", undecided=(value,))
    assert found.counts.select("n", "successes").rows() == [(2, 1)]


@pytest.mark.parametrize("value", ["in process", "N/A"])
def test_a_value_that_may_be_no_decision_is_whatever_it_is_named(tmp_path, value):
    with pytest.raises(InputError, match=f"The column 'hired' holds '{value}', which may mean no decision: .*--undec"):
        outcomes(tmp_path, ["yes", "no", value])
    found = outcomes(tmp_path, ["yes", "no", value], undecided=(value,))
    assert found.counts.select("n", "successes").rows() == [(2, 1)]
    assert outcomes(tmp_path, ["yes", "no", value], selected_value=f"yes,{value}").counts["successes"].sum() == 2
    for asked in ({"selected_value": "yes"}, {}):
        found = outcomes(tmp_path, ["yes", "no", value], undecided=("",), **asked)  # no value is none
        assert found.counts.select("n", "successes").rows() == [(3, 1)]


@pytest.mark.parametrize("value", ["declined", "refused", "Decline to offer", "opened", "inactive", "nonexistent"])
def test_other_values_are_not_selected(tmp_path, value):
    found = outcomes(tmp_path, ["offered", value], selected_value="offered")
    assert found.counts.select("n", "successes").rows() == [(2, 1)]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"selected_value": "offerd"}, "--selected hired=offerd: no value 'offerd' in the column 'hired'. Values: "),
        (
            {"selected_value": "offered", "undecided": ("open",)},
            "--undecided hired=open: no value 'open' in the column",
        ),
        (
            {"selected_value": "offered", "undecided": ("offered",)},
            "--undecided hired=offered: this value means selected",
        ),
    ],
)
def test_values_that_are_named_wrongly_are_told(tmp_path, asked, words):
    with pytest.raises(InputError, match=words):
        outcomes(tmp_path, OUTCOMES, **asked)


@pytest.mark.parametrize("asked", [{"median": True}, {"cutoffs": (-5.0,), "at_least": True}, {"means": True}])
def test_nan_in_parquet_is_no_score_and_the_order_is_stable(tmp_path, asked):
    # DuckDB answers a comparison with the file's statistics, which leave NaN out.
    frame = pl.DataFrame({"g": ["a", "b"] * 20, "s": [float("nan") if i % 7 == 0 else i - 10.0 for i in range(40)]})
    frame.write_parquet(tmp_path / "t.parquet")
    found = []
    for source in (tmp_path / "t.parquet", frame):
        with open_table(source) as table:
            found.append(count_applicants(table, ApplicantQuery(protected=("g",), score="s", sweep=3, **asked)))
    assert as_json(found[0].accounting)["scores"] == as_json(found[1].accounting)["scores"]
    assert as_json(found[0].accounting)["scores"]["not_a_number"] == 6
    assert found[0].counts.equals(found[1].counts)
    assert found[0].sweep.equals(found[1].sweep)


def test_no_decision_and_no_score_name_their_column(tmp_path):
    with pytest.raises(InputError, match=r"No row of t[.]csv has a decision in 'hired' that can be used"):
        counted(tmp_path, "g,hired\na,\nb,\n", protected=("g",), selected="hired")
    for asked in ({"median": True}, {"means": True}):
        with pytest.raises(InputError, match=r"No row of t[.]csv has a score in 's' that can be used"):
            counted(tmp_path, "g,s\na,\nb,\n", protected=("g",), score="s", **asked)
