"""`evenhand data company` from the shell: files that other commands take, and what they find in them."""

import json
from math import sqrt

import polars as pl
import pytest
from _cli import evenhand, refused

SMALL = ("--people", 40, "--positions", 12, "--pairs", 90)
FILES = ["README.md", "applications.csv", "company.json", "pairs.csv", "people.jsonl", "positions.jsonl"]
FILES = [*FILES, "truth.parquet"]
INJECTED = {("applied", "female"), ("interviewed", "black")}


@pytest.fixture(scope="module")
def company(tmp_path_factory):
    folder = tmp_path_factory.mktemp("company")
    evenhand("data company --out company", cwd=folder)
    return folder


def expected(folder, *, since):
    """Return the differences to expect by stage and group."""
    about = json.loads((folder / "company" / "company.json").read_text("utf-8"))
    found = [each for each in about["differences"] if (each["since"] is not None) == since]
    return {(each["stage"], each["focal"]): each["expected"] for each in found}


def impact(folder, *args):
    table = ("company/applications.csv", "--selected", "selected")
    evenhand("impact", *table, *args, "--out", "run", "--force", "--quiet", "--no-report", cwd=folder)
    return pl.read_csv(folder / "run" / "impact.csv").iter_rows(named=True)


def is_expected(row, difference):
    rates = [(row["rate_focal"], row["n_focal"]), (row["rate_reference"], row["n_reference"])]
    error = sqrt(sum(rate * (1 - rate) / n for rate, n in rates))
    return abs(row["rate_focal"] - row["rate_reference"] - difference) < 1.96 * error


def test_impact_finds_what_was_injected_and_nothing_else(company):
    order = "stage=applied,screened,interviewed,offered"
    groups = ("--protected", "gender,race", "--reference", "gender=male,race=white")
    rows = [row for row in impact(company, *groups, "--stage", order) if row["stage"] != "bottom line"]
    differences = expected(company, since=False)
    assert {(row["stage"], row["focal"]) for row in rows} == set(differences)
    for row in rows:
        key = row["stage"], row["focal"]
        assert is_expected(row, differences[key]), key
        assert (row["p_adjusted"] < 0.05) == (key in INJECTED), key


def test_the_interviews_since_the_stated_day_have_the_stated_difference(company):
    condition = "stage = 'interviewed' and day >= '2025-01-01'"
    rows = impact(company, "--protected", "race", "--reference", "race=white", "--where", condition)
    differences = expected(company, since=True)
    for row in rows:
        difference = differences["interviewed", row["focal"]]
        assert is_expected(row, difference)
        assert difference == pytest.approx(-0.2 if row["focal"] == "black" else 0, abs=0.02)


def test_resumes_are_masked_and_stay_resumes(tmp_path):
    evenhand("data company", *SMALL, "--out", "c", cwd=tmp_path)
    done = evenhand("mask --jsonl c/people.jsonl --strict --out masked.jsonl", cwd=tmp_path)
    assert done.stderr.startswith("40 texts; masked: EMAIL 40")


def test_people_are_scored_for_positions(tmp_path):
    evenhand("data company", *SMALL, "--out", "c", cwd=tmp_path)
    asked = ("c/people.jsonl", "--positions", "c/positions.jsonl", "--sample", 8, "--margin", 2)
    evenhand("perturb", *asked, "--scorer", "sim:shift?female=-4", "--out", "run", cwd=tmp_path)
    first = pl.read_csv(tmp_path / "run" / "perturb.csv").row(0, named=True)
    assert (first["n_people"], first["verdict"]) == (8, "difference")


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        evenhand("data company", *SMALL, "--seed", 7, "--out", name, cwd=tmp_path)
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == FILES
    for name in FILES:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name
    assert (tmp_path / "a" / "README.md").read_text("utf-8").startswith("# Synthetic data: ")


def test_json_is_company_json_and_quiet_is_the_folder(tmp_path):
    done = evenhand("data company", *SMALL, "--json", "--out", "c", cwd=tmp_path)
    assert json.loads(done.stdout) == json.loads((tmp_path / "c" / "company.json").read_text("utf-8"))
    done = evenhand("data company", *SMALL, "--quiet", "--force", "--out", "c", cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("c\n", "")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], ["--out"]),
        (["--out", "n", "--people", "0"], ["--people is 0", "from 1 to 100,000"]),
        (["--out", "n", "--people", "-5"], ["--people is -5"]),
        (["--out", "n", "--people", "many"], ["--people", "many"]),
        (["--out", "n", "--positions", "0"], ["--positions is 0"]),
        (["--out", "n", "--pairs", "0"], ["--pairs is 0"]),
        (["--out", "n", "--seed", "-1"], ["--seed is -1"]),
        (["--out", "n", "--people", "4", "--positions", "2", "--pairs", "9"], ["--pairs is 9", "make 8"]),
        (["--out", "file"], ["file is not a folder"]),
        (["--out", "file/below"], ["can't be written"]),
        (["--out", "there"], ["there already exists", "--force"]),
        (["--out", "other"], ["other holds no company; nothing was changed"]),
        (["--out", "other", "--force"], ["other holds no company; nothing was changed"]),
        (["--out", "more", "--force"], ["'notes.txt'", "not of the company"]),
    ],
    ids=" ".join,
)
def test_wrong_input_is_one_line_and_changes_nothing(taken, args, words):
    before = {path: path.stat().st_mtime_ns for path in taken.rglob("*")}
    refused("data company", *args, told=words, cwd=taken)
    assert {path: path.stat().st_mtime_ns for path in taken.rglob("*")} == before


@pytest.fixture(scope="module")
def taken(tmp_path_factory):
    """Return a folder with companies, one of them with a file of somebody else, and with what is none."""
    folder = tmp_path_factory.mktemp("taken")
    (folder / "file").write_text("", encoding="utf-8")
    for name in ("there", "more"):
        evenhand("data company", *SMALL, "--out", name, cwd=folder)
    (folder / "more" / "notes.txt").write_text("mine", encoding="utf-8")
    (folder / "other").mkdir()
    (folder / "other" / "company.json").write_text("[]", encoding="utf-8")
    return folder


def test_people_apply_to_four_positions_unless_told_otherwise(tmp_path):
    for positions, pairs in ((12, 40), (3, 30)):
        args = ("--people", 10, "--positions", positions, "--json", "--force", "--out", "c")
        told = evenhand("data company", *args, cwd=tmp_path)
        assert json.loads(told.stdout)["size"]["pairs"] == pairs


def test_an_empty_folder_and_a_company_are_written_into(tmp_path):
    evenhand("data company", *SMALL, "--out", ".", cwd=tmp_path)
    first = (tmp_path / "people.jsonl").read_bytes()
    evenhand("data company", *SMALL, "--seed", 1, "--out", ".", "--force", cwd=tmp_path)
    assert (tmp_path / "people.jsonl").read_bytes() != first
    assert sorted(path.name for path in tmp_path.iterdir()) == FILES


def test_pages_of_the_company_say_that_its_people_are_synthetic_and_of_a_changed_table_do_not(company, tmp_path):
    table = company / "company" / "applications.csv"
    (tmp_path / "company.json").write_bytes((company / "company" / "company.json").read_bytes())
    (tmp_path / table.name).write_bytes(table.read_bytes())
    args = ("impact", table.name, "--selected", "selected", "--protected", "gender", "--force", "--out", "run")
    assert evenhand(*args, cwd=tmp_path).stdout.startswith("SIMULATED: These people are synthetic")
    assert "<title>SIMULATED" in (tmp_path / "run" / "report.html").read_text("utf-8")
    (tmp_path / table.name).write_bytes(table.read_bytes().rpartition(b"\n")[0].rpartition(b"\n")[0] + b"\n")
    assert "SIMULATED" not in evenhand(*args, cwd=tmp_path).stdout


def test_an_evaluation_of_the_company_says_that_its_people_are_synthetic(company, tmp_path):
    line = "evaluate applications.csv --score score --label selected --protected gender --no-report --out"
    done = evenhand(*line.split(), tmp_path / "run", cwd=company / "company")
    assert done.stdout.startswith("SIMULATED: These people are synthetic")
    assert json.loads((tmp_path / "run" / "findings.json").read_text())["audit"]["simulated"] is True
