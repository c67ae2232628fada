"""`monitor golden` as people type it: cases, labels of two, an adjudicator, a version, a scorer."""

import csv
import json
import sqlite3
from contextlib import closing

import pytest
from _cli import evenhand, findings
from _golden import POSITIONS, fill_in, golden_cases

STORE = ("--store", "history.db")
RUN = ("run", *STORE, "--model", "screener", "--cutoff", "65", "--range", "0-100")


def golden(folder, *words, code=0):
    done = evenhand("monitor", "golden", *words, cwd=folder)
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a store of cases that ana and ben have labelled."""
    (tmp_path / "cases.jsonl").write_text(golden_cases(40), encoding="utf-8")
    (tmp_path / "positions.jsonl").write_text(POSITIONS, encoding="utf-8")
    golden(tmp_path, "add", "cases.jsonl", *STORE, "--positions", "positions.jsonl", "--reason", "twins")
    for by in ("ana", "ben"):
        golden(tmp_path, "label", *STORE, "--by", by, "--out", f"{by}.csv")
        fill_in(tmp_path / f"{by}.csv")
        golden(tmp_path, "label", f"{by}.csv", *STORE, "--by", by)
    return tmp_path


@pytest.fixture
def closed(folder):
    """Return the folder once carla has adjudicated and version 1 is closed."""
    golden(folder, "adjudicate", *STORE, "--by", "carla", "--out", "carla.csv")
    fill_in(folder / "carla.csv")
    golden(folder, "adjudicate", "carla.csv", *STORE, "--by", "carla")
    golden(folder, "close", *STORE, "--by", "carla")
    return folder


def sheet(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_sheet_tells_neither_name_nor_group_nor_what_another_said(folder):
    golden(folder, "label", *STORE, "--by", "dora", "--out", "none.csv")
    assert sheet(folder / "none.csv") == []  # two labels are there
    rows = sheet(folder / "ana.csv")
    assert rows[0].keys() == {"case", "label", "position", "resume"}
    text = (folder / "ana.csv").read_text("utf-8")
    assert not any(word in text for word in ("Emily", "Greg", "female", "twins"))
    assert [row["resume"] for row in rows] != [row["resume"] for row in sheet(folder / "ben.csv")]


def test_where_labels_differ_a_third_person_decides(folder):
    golden(folder, "adjudicate", *STORE, "--by", "carla", "--out", "carla.csv")
    rows = sheet(folder / "carla.csv")
    assert len(rows) == 8  # of 26 to 29 years, under two names
    assert {(row["one said"], row["the other said"]) for row in rows} == {("no", "yes")}
    golden(folder, "adjudicate", *STORE, "--by", "ana", "--out", "own.csv")
    assert sheet(folder / "own.csv") == []


def test_a_version_is_what_a_scorer_is_held_against(closed):
    for name, of_women in (("first", 1), ("second", 0)):
        rows = [
            f"{years}-{sex},{years * part}\n"
            for years in range(40)
            for sex, part in (("female", of_women), ("male", 1))
        ]
        (closed / f"{name}.csv").write_text("".join(["id,score\n", *rows]), encoding="utf-8")
    run = ("run", *STORE, "--model", "screener", "--cutoff", "25")
    golden(closed, *run, "--scorer", "replay:first.csv", "--out", "first")
    worse = ("--fail-on", "worse:accuracy=.02")
    second = golden(closed, *run, "--scorer", "replay:second.csv", "--out", "second", *worse, code=1)
    assert "worse:accuracy=.02 (change_accuracy -0.1750, n = 80)" in second.stderr
    rows, audit = findings(closed / "second")
    assert (audit["kind"], audit["version"]) == ("golden", 1)
    # Yes are 14 of 40 women, whom the second version scores 0: 26 are right.
    assert rows["accuracy"]["estimate"] == 66 / 80
    (women,) = [row for row in rows.values() if (row["measure"], row["focal"]) == ("accuracy", {"gender": "female"})]
    assert women["estimate"] == 26 / 40
    assert findings(closed / "first")[0]["accuracy"]["estimate"] == 1
    days = json.loads(evenhand("monitor", "status", *STORE, "--json", cwd=closed).stdout)["days"]
    (day,) = [each for each in days if each["model"] == "screener"]
    assert day["golden_accuracy"] == 66 / 80


def test_a_run_that_goes_on_is_recorded_once(closed):
    for more in ((), ("--resume",)):
        golden(closed, *RUN, "--scorer", "sim:shift?female=0", "--out", "first", *more)
    with closing(sqlite3.connect(closed / "history.db")) as store:
        assert store.execute("SELECT count(*) FROM golden_runs").fetchall() == [(1,)]
    assert "change_accuracy" not in findings(closed / "first")[0]


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_an_export_is_imported_as_it_was(closed, ending):
    golden(closed, "export", *STORE, "--out", f"golden.{ending}")
    golden(closed, "import", f"golden.{ending}", "--store", "other.db")
    for store, name in (("history.db", "one.jsonl"), ("other.db", "two.jsonl")):
        golden(closed, "export", "--store", store, "--out", name)
    one, two = (
        [json.loads(line) for line in (closed / name).read_text("utf-8").splitlines()]
        for name in ("one.jsonl", "two.jsonl")
    )
    assert [row | {"versions": []} for row in one] == two


def test_a_text_that_is_forgotten_is_nowhere_in_the_store(closed):
    golden(closed, "forget", "3-female", *STORE)
    kept = b"".join(file.read_bytes() for file in closed.glob("history.db*"))
    assert b"Greg Walsh\nNurse for 3 years." in kept
    assert b"Emily Walsh\nNurse for 3 years." not in kept
    done = golden(closed, *RUN, "--scorer", "sim:shift?female=0", "--out", "first")
    assert "1 case was forgotten and can't be scored." in done.stderr
    assert "was forgotten before" in golden(closed, "forget", "3-female", *STORE, code=2).stderr
    assert evenhand("monitor", "verify", *STORE, cwd=closed).returncode == 0


@pytest.mark.parametrize(
    ("row", "by", "word", "told"),
    [
        ("9999,yes", "dora", "label", "There is no golden case '9999' for dora"),
        ("3-male,yes", "dora", "label", "Golden case '3-male' has two labels; a third is not taken."),
        ("3-male,yes", "ana", "label", "and a label stays"),
        ("3-male,perhaps", "dora", "label", "The label 'perhaps' is none of no, yes"),
        ("27-male,yes", "ana", "adjudicate", "ana labelled golden case '27-male'; somebody else adjudicates it."),
        ("3-male,yes", "dora", "adjudicate", "has nothing to adjudicate: its labels are alike"),
        ("27-male,no", "dora", "adjudicate", "was adjudicated before, and version 1 with it is closed"),
    ],
)
def test_what_can_not_be_taken_is_told_in_a_line(closed, row, by, word, told):
    (closed / "wrong.csv").write_text(f"case,label\n{row}\n", encoding="utf-8")
    done = golden(closed, word, "wrong.csv", *STORE, "--by", by, code=2)
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_version_with_nothing_new_is_not_closed(closed):
    assert "Version 1 has these cases and labels" in golden(closed, "close", *STORE, "--by", "ana", code=2).stderr
