"""evenhand impact --check: what a table holds and whom options count, with nothing computed or written."""

import json

import polars as pl
import pytest
import xlsxwriter
from _cli import evenhand

ROWS = pl.DataFrame({"sex": ["f", "m", "n/a"] * 20, "hired": ["yes", "no", "pending", "no"] * 15})


@pytest.fixture
def typed(tmp_path):
    """What types `evenhand impact` where a table lies."""
    ROWS.write_csv(tmp_path / "t.csv")
    return lambda *words, code=0: evenhand("impact", *words, cwd=tmp_path, code=code)


def test_it_tells_columns_then_people_and_writes_nothing(typed, tmp_path):
    found = json.loads(typed("t.csv", "--check", "--json").stdout)
    assert [(each["name"], each["role"]) for each in found["columns"]] == [("sex", "protected"), ("hired", "selected")]
    assert found["groups"] is None
    chosen = ("--protected", "sex", "--selected", "hired", "--undecided", "hired=pending")
    found = json.loads(typed("t.csv", "--check", "--json", *chosen).stdout)
    assert (found["rows_read"], found["rows_used"]) == (60, 45)
    groups = [(each["group"], each["counted"], each["selected"]) for each in found["groups"]]
    assert groups == [("", 15, 5), ("f", 15, 5), ("m", 15, 5)]
    assert [each["given"] for each in found["columns"]] == ["--protected", "--selected"]
    assert any("15 rows were not counted: without a decision." in each for each in found["notes"])
    shown = typed("t.csv", "--check", *chosen).stdout
    assert "Counted: 45 of 60." in shown
    assert "evenhand impact t.csv --protected sex --selected hired" in shown
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


def test_without_options_it_counts_by_its_guesses_or_asks(typed, tmp_path):
    (tmp_path / "g.csv").write_text("gender,hired\nF,yes\nM,no\nF,no\nM,yes\n")
    shown = typed("g.csv", "--check").stdout
    assert "- --selected hired? Its name has the word 'hired'" in shown
    assert "Counted by these guesses: 4 of 4." in shown
    assert "evenhand impact g.csv --protected gender --selected hired" in shown
    (tmp_path / "r.csv").write_text("race,applied,hired\nW,10,2\nBlack,20,3\nWhite,30,9\n")
    shown = typed("r.csv", "--check").stdout
    assert "--map race:W=White" in shown
    assert "--applicants applied" in shown
    (tmp_path / "s.csv").write_text("Gruppe,applied,hired\nFrauen,100,<5\nMänner,120,30\n")
    assert "row 1 of s.csv holds '<5'" in typed("s.csv", "--check").stdout
    shown = typed("s.csv", "--check", "--suppressed", "1-4").stdout  # what is given is kept, what is lacking guessed
    assert "evenhand impact s.csv --protected Gruppe --applicants applied --selected-count hired --suppressed 1-4" in (
        " ".join(shown.replace("\\", "").split())
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sex,status\nF,Applied\nF,Hired\nM,Screened\n", "--furthest status=Applied,Hired,Screened with the stages"),
        ("sex,applied,offered,hired\nF,100,50,<5\nM,120,60,30\n", "say --funnel applied,offered,hired"),
        ("sex,applied,seen,hired\nF,2026-01-02,,\nM,2026-01-02,2026-02-01,2026-02-03\n", "--funnel applied,seen,hired"),
        ("sex,step\nF,Applied\nM,Hired\n", "What says who was selected? Say --selected"),
        ("dept,Applied W,Hired W,Applied M,Hired M\nA,9,2,9,3\n", "--counts 'W=Hired W/Applied W,M=Hired M/Applied M'"),
        ("sex,hired\nF,yes\nF,pending\nM,no\n", "--undecided hired=VALUE"),
        ("group,hired\nx,yes\ny,no\n", "Say --protected."),
        ("a,b\n1,2\n", "--applicants with --selected-count (a row is a group)"),
    ],
)
def test_what_is_open_is_asked_with_the_options_that_answer_it(typed, tmp_path, text, told):
    (tmp_path / "o.csv").write_text(text)
    found = json.loads(typed("o.csv", "--check", "--json").stdout)
    assert told in found["question"]
    assert found["command"] == ""


def test_the_command_has_the_conditions_of_failure_and_is_no_command_yet_where_something_is_open(typed, tmp_path):
    chosen = ("--protected", "sex", "--selected", "hired", "--undecided", "hired=pending", "--fail-on", "difference")
    shown = " ".join(typed("t.csv", "--check", *chosen).stdout.split())
    assert "--undecided hired=pending --fail-on difference" in shown
    (tmp_path / "r.csv").write_text("race,hired\nW,yes\nBlack,no\nWhite,yes\n")
    shown = typed("r.csv", "--check").stdout
    assert "Add the missing option to:" in shown
    assert "The command that computes it" not in shown


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("t.csv", "--check", "--selected", "nothing"), "No column 'nothing'"),
        (("t.csv", "--check", "--protected", "sex", "--selected", "hired"), "may mean no decision"),
        (("--check", "--counts", "a=1/2,b=1/2"), "--check needs a TABLE"),
        (("absent.csv", "--check"), "does not exist"),
    ],
)
def test_what_cannot_be_used_is_told_as_ever(typed, words, told):
    done = typed(*words, code=2)
    assert told in done.stderr


def test_a_workbook_with_several_sheets_tells_them(typed, tmp_path):
    with xlsxwriter.Workbook(tmp_path / "t.xlsx") as book:
        book.add_worksheet("Cover").write(3, 3, "no table")
        book.add_worksheet("People").write_column(0, 0, ["sex", "f", "m"])
    assert "2 sheets: Cover, People. Name one with --sheet." in typed("t.xlsx", "--check").stdout
    assert "sex" in typed("t.xlsx", "--check", "--sheet", "People").stdout
