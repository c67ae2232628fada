"""evenhand impact from a table to its files, as a user runs it."""

import csv
import json
import shlex

import polars as pl
import pytest
from _cli import evenhand, refused

import evenhand as eh
from evenhand.errors import InputError
from evenhand.results.schemas import IMPACT, LL144, POOLED

APPLICANTS = """id,gender,race,job,hired,score,age,years
1,Female,White,Clerk,yes,3.5,41,5
2, female,Black,Clerk,no,2.1,33,2
3,Male,White,Clerk,yes,4.0,52,7
4,Male,Asian,Driver,No,nan,29,1
5,,Asian,Driver,yes,3.9,47,4
6,Prefer not to say,White,Driver,no,,61,9
7,male,Hispanic,Driver,y,4.4,38,6
8,Female,White,Driver,no,1.1,25,3
9,Female,Black,Driver,n,2.9,44,8
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.csv").write_text(APPLICANTS)
    return tmp_path


def impact(folder, *options, code=0):
    return evenhand("impact a.csv", *options, cwd=folder, code=code)


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_berkeley_is_one_command_away_and_warns_of_simpsons_paradox(tmp_path):
    evenhand("data example berkeley-1973", cwd=tmp_path)
    asked = ("--selected", "admitted", "--protected", "gender", "--position", "department", "--out", "run")
    done = evenhand("impact berkeley-1973.csv", *asked, cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "run"
    assert "Simpson's paradox" in " ".join(done.stdout.split())
    (pooled,) = rows(tmp_path / "run" / "pooled.csv")
    assert 1 / float(pooled["or_mh"]) == pytest.approx(0.9046968, abs=5e-8)
    names = {path.name for path in (tmp_path / "run").iterdir()} - {".lock"}
    assert names == {
        *("manifest.json", "counts.parquet", "findings.json", "findings.csv"),
        *("impact.csv", "pooled.csv", "positions.csv", "ladder.csv", "report.html", "tables.xlsx"),
    }


def test_the_files_have_the_documented_columns(folder):
    impact(folder, "--selected", "hired", "--protected", "gender,race", "--position", "job", "--ll144", "--out", "r")
    for name, columns in (("impact", IMPACT), ("pooled", POOLED), ("ll144", LL144)):
        assert list(rows(folder / "r" / f"{name}.csv")[0]) == list(columns)
    assert (folder / "r" / "ll144.html").is_file()


def test_unknown_groups_and_spellings_are_told_and_in_no_row(folder):
    done = impact(folder, "--selected", "hired", "--protected", "gender", "--out", "r", "--no-report")
    assert "gender is unknown in 2 of the rows counted" in done.stderr
    assert "taken together" in done.stderr
    (row,) = rows(folder / "r" / "impact.csv")
    assert (row["n_focal"], row["n_reference"], row["selected_reference"]) == ("4", "3", "2")
    content = json.loads((folder / "r" / "findings.json").read_text())
    assert content["audit"]["accounting"]["unknown"] == {"gender": 2}


def test_scores_that_are_none_are_in_no_n(folder):
    impact(folder, "--score", "score", "--cutoff", "3.5", "--at-least", "--median", "--means",
                  "--protected", "gender", "--out", "r", "--no-report")  # fmt: skip
    found = {row["approach"]: row for row in rows(folder / "r" / "impact.csv")}
    assert set(found) == {"cutoff", "median", "means"}
    assert (found["cutoff"]["n_focal"], found["cutoff"]["selected_focal"]) == ("4", "1")
    assert float(found["means"]["mean_reference"]) == pytest.approx(4.2)
    scores = json.loads((folder / "r" / "findings.json").read_text())["audit"]["accounting"]["scores"]
    assert (scores["null"], scores["not_a_number"]) == (1, 1)


def test_conditions_that_hold_end_with_one_and_name_the_finding(folder):
    asked = ("--selected", "hired", "--protected", "gender", "--no-report")
    done = impact(folder, *asked, "--out", "r", "--fail-on", "below", code=1)
    assert "--fail-on below holds for 1 of 1 judged: impact_ratio_gender_Female (" in done.stderr
    impact(folder, *asked, "--out", "s", "--fail-on", "difference")


def test_what_a_json_reader_gets_is_findings_json(folder):
    done = impact(folder, "--selected", "hired", "--protected", "gender", "--out", "r", "--json", "--no-report")
    assert json.loads(done.stdout) == json.loads((folder / "r" / "findings.json").read_text())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--selected", "hird", "--protected", "gender"), "No column 'hird'"),
        (("--selected", "hired", "--protected", "gendr"), "No column 'gendr'"),
        (("--selected", "hired"), "--protected"),
        (("--protected", "gender"), "The selection is missing"),
        (("--selected", "hired", "--score", "score", "--protected", "gender"), "both given"),
        (("--selected", "age", "--protected", "gender"), "--selected age=VALUE"),
        (("--selected", "score", "--protected", "gender"), "fractions"),
        (("--selected", "hired", "--cutoff", "3", "--protected", "gender"), "--cutoff needs --score"),
        (("--selected", "hired", "--protected", "gender", "--reference", "gender=men"), "its groups are Female, Male"),
        (("--selected", "hired", "--protected", "gender", "--reference", "best"), "expected highest, largest"),
        (("--selected", "hired", "--protected", "gender", "--reference", "race=White"), "not in --protected"),
        (("--selected", "hired", "--protected", "gender", "--ll144"), "race or ethnicity"),
        (("--selected", "hired", "--protected", "gender", "--exclusion-reason", "few"), "needs --ll144"),
        (("--selected", "hired", "--protected", "gender", "--min-share", "2"), "--min-share is 2"),
        (("--selected", "hired", "--protected", "gender", "--where", "years >"), "not a condition"),
        (("--score", "score", "--cutoff", "3.5,x", "--protected", "gender"), "expected a number"),
        (("--score", "score", "--cutoff", "nan", "--protected", "gender"), "finite"),
        (("--selected", "hired", "--protected", "gender", "--given", "nothing"), "No column 'nothing'"),
    ],
)
def test_wrong_input_is_one_line_and_writes_nothing(folder, options, told):
    done = impact(folder, *options, "--out", "r", code=2)
    assert done.stderr.count("\n") == 1
    assert told in done.stderr
    assert not (folder / "r").exists()


def test_a_table_with_a_header_twice_or_ragged_rows_is_refused(tmp_path):
    for text, told in (("g,g,h\na,a,1\n", "'g (1)' or 'g (2)'"), ("g,h\na,1\nb,1,2\n", "row 2")):
        (tmp_path / "a.csv").write_text(text)
        done = impact(tmp_path, "--selected", "h", "--protected", "g", code=2)
        assert done.stderr.count("\n") == 1
        assert told in done.stderr


def test_a_finished_probe_goes_through_the_same_code_and_says_what_that_means(tmp_path):
    asked = ("--model", "sim:masculine", "--sample", 100, "--out", "probe", "--quiet", "--no-report")
    evenhand("probe hiring-an", *asked, cwd=tmp_path)
    evenhand("impact probe --protected gender,race --out r --no-report", cwd=tmp_path)
    row = next(row for row in rows(tmp_path / "r" / "impact.csv") if row["attribute"] == "gender")
    outcomes = pl.read_parquet(tmp_path / "probe" / "outcomes.parquet").filter(pl.col("status") == "observed")
    women = outcomes.filter(pl.col("protected.gender") == "female")
    assert (row["focal"], int(row["n_focal"])) == ("female", women["trials"].sum())
    assert int(row["selected_focal"]) == women["successes"].sum()
    assert "Answers to one name are taken as dependent" in " ".join(
        json.loads((tmp_path / "r" / "findings.json").read_text())["audit"]["warnings"]
    )


def test_documents_are_no_decisions(tmp_path):
    asked = ("--model", "sim:masculine", "--sample", 40, "--out", "probe", "--quiet", "--no-report")
    evenhand("probe business-vocabulary", *asked, cwd=tmp_path)
    refused("impact probe --protected gender", told="not decisions", cwd=tmp_path)


def test_a_run_is_replaced_only_when_asked(folder):
    asked = ("--selected", "hired", "--protected", "gender", "--out", "r", "--no-report", "--quiet")
    impact(folder, *asked)
    impact(folder, *asked, code=2)
    (folder / "r" / "mine.txt").write_text("kept")
    impact(folder, *asked, "--force", code=2)
    assert (folder / "r" / "mine.txt").read_text() == "kept"
    (folder / "r" / "mine.txt").unlink()
    impact(folder, *asked, "--force")


def test_python_takes_references_by_name_and_refuses_what_it_does_not_know(tmp_path):
    frame = pl.DataFrame({"g": ["a", "b"] * 10, "s": [1.0, 2.0] * 10})
    run = eh.impact(frame, score="s", cutoff=1.5, protected="g", reference={"g": "a"}, out=tmp_path / "r", report=False)
    assert run.rows.row(0, named=True)["focal"] == "b"
    with pytest.raises(InputError, match="no option 'cut'"):
        eh.impact(frame, score="s", cut=1.5, protected="g")


def test_what_spreadsheets_and_terminals_would_run_is_text(tmp_path):
    lines = ["g,h", *["=1+1,yes"] * 5, *["=1+1,no"] * 15, *["[/bold],yes"] * 12, *["[/bold],no"] * 8]
    (tmp_path / "a.csv").write_text("\n".join(lines))
    done = impact(tmp_path, "--selected", "h", "--protected", "g", "--out", "r", "--no-report")
    assert "[/bold]" in done.stdout
    (row,) = rows(tmp_path / "r" / "impact.csv")
    assert (row["focal"], row["reference"]) == ("'=1+1", "[/bold]")


def test_columns_with_commas_and_signs_can_be_named(tmp_path):
    (tmp_path / "a.csv").write_text('"sex, legal",hired=1\nf,1\nm,0\nm,1\n')
    impact(tmp_path, "--selected", "hired=1", "--protected", "sex, legal", "--out", "r", "--no-report")
    assert rows(tmp_path / "r" / "impact.csv")[0]["attribute"] == "sex, legal"


def test_simpsons_paradox_is_warned_about_only_beyond_chance(tmp_path):
    lines = "g,p,h a,x,yes a,x,no a,x,no b,x,yes b,x,yes b,x,no b,x,no b,x,no b,y,yes a,y,yes a,y,yes b,y,no"
    (tmp_path / "a.csv").write_text(lines.replace(" ", "\n"))
    done = impact(tmp_path, "--selected", "h", "--protected", "g", "--position", "p", "--out", "r", "--no-report")
    assert "Simpson" not in done.stdout


def test_local_law_144_takes_a_single_stage_and_refuses_stages_without_a_bottom_line(tmp_path):
    people = [f"{n},{'f' if n % 2 else 'm'},W,a,{'yes' if n % 3 else 'no'}" for n in range(40)]
    (tmp_path / "a.csv").write_text("\n".join(["id,sex,race,stage,h", *people]))
    asked = ("--selected", "h", "--protected", "sex,race", "--stage", "stage", "--ll144")
    impact(tmp_path, *asked, "--out", "r", "--no-report")
    assert len(rows(tmp_path / "r" / "ll144.csv")) > 3


def test_the_line_that_reproduces_an_analysis_does(folder):
    impact(folder, "--selected", "hired", "--protected", "gender,race", "--position", "job", "--ll144",
                  "--tool", "Ranker 3", "--out", "r", "--no-report")  # fmt: skip
    line = json.loads((folder / "r" / "findings.json").read_text())["audit"]["reproduce"]
    assert "--tool 'Ranker 3'" in line
    evenhand(*shlex.split(line)[1:], "--out", "s", "--no-report", cwd=folder)
    assert (folder / "r" / "impact.csv").read_bytes() == (folder / "s" / "impact.csv").read_bytes()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"cutoff": "3.5"}, "expected a number"),
        ({"cutoff": [3, "4"]}, "expected a number"),
        ({"cutoff": 1.5, "min_share": "x"}, "expected a number"),
        ({"cutoff": 1.5, "protected": [1]}, "expected texts"),
    ],
)
def test_python_values_of_a_wrong_kind_are_told(options, told):
    frame = pl.DataFrame({"g": ["a", "b"], "s": [1.0, 2.0]})
    with pytest.raises(InputError, match=told):
        eh.impact(frame, **{"score": "s", "protected": "g", **options})
