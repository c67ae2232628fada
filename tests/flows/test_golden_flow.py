"""`monitor golden` as people type it: cases, labels of two, an adjudicator, a version, a scorer."""

import csv
import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from shutil import copytree

import pytest
from _cli import evenhand, findings, refused
from _golden import POSITIONS, fill_in, golden_cases, labelled

import evenhand as eh
from evenhand.errors import InputError

STORE = ("--store", "history.db")
RUN = ("run", *STORE, "--model", "screener", "--cutoff", "65", "--range", "0-100")


def golden(folder, *words, code=0):
    return evenhand("monitor golden", *words, cwd=folder, code=code)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a folder with a store of cases that ana and ben labelled, and one where carla adjudicated and closed."""
    place = tmp_path_factory.mktemp("made")
    folder, closed = place / "folder", place / "closed"
    folder.mkdir()
    (folder / "cases.jsonl").write_text(golden_cases(40), encoding="utf-8")
    (folder / "positions.jsonl").write_text(POSITIONS, encoding="utf-8")
    golden(folder, "add", "cases.jsonl", *STORE, "--positions", "positions.jsonl", "--reason", "twins")
    for by in ("ana", "ben"):
        golden(folder, "label", *STORE, "--by", by, "--out", f"{by}.csv")
        fill_in(folder / f"{by}.csv")
        golden(folder, "label", f"{by}.csv", *STORE, "--by", by)
    copytree(folder, closed)
    golden(closed, "adjudicate", *STORE, "--by", "carla", "--out", "carla.csv")
    fill_in(closed / "carla.csv")
    golden(closed, "adjudicate", "carla.csv", *STORE, "--by", "carla")
    golden(closed, "close", *STORE, "--by", "carla")
    return place


@pytest.fixture
def folder(made, tmp_path):
    """Return a folder with a store of cases that ana and ben have labelled."""
    return copytree(made / "folder", tmp_path / "folder")


@pytest.fixture
def closed(made, tmp_path):
    """Return the folder once carla has adjudicated and version 1 is closed."""
    return copytree(made / "closed", tmp_path / "closed")


def sheet(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_sheet_tells_neither_name_nor_group_nor_what_another_said(folder):
    done = golden(folder, "label", *STORE, "--by", "dora", "--out", "none.csv")
    assert done.stdout == "No case waits for dora; none.csv has none.\n"
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
    assert "worse:accuracy=.02 holds for 2 of 3 judged: change_accuracy -0.1750 (n = 80)" in second.stderr
    rows, audit = findings(closed / "second")
    assert (audit["kind"], audit["version"]) == ("golden", 1)
    # Yes are 14 of 40 women, whom the second version scores 0: 26 are right.
    assert rows["accuracy"]["estimate"] == 66 / 80
    (women,) = [row for row in rows.values() if (row["measure"], row["focal"]) == ("accuracy", {"gender": "female"})]
    assert women["estimate"] == 26 / 40
    assert findings(closed / "first")[0]["accuracy"]["estimate"] == 1
    days = json.loads(evenhand("monitor status", *STORE, "--json", cwd=closed).stdout)["days"]
    (day,) = [each for each in days if each["model"] == "screener"]
    assert day["golden_accuracy"] == 66 / 80


def test_a_run_that_goes_on_is_recorded_once_and_judged_the_same(closed):
    for more in ((), ("--resume",)):
        golden(closed, *RUN, "--scorer", "sim:shift?female=0", "--out", "first", *more)
    again = ("--scorer", "sim:shift?female=0", "--out", "first", "--resume")
    told = golden(closed, *RUN, *again, "--cutoff", "60", code=2).stderr
    assert "was run with another --cutoff" in told
    with closing(sqlite3.connect(closed / "history.db")) as store:
        assert store.execute("SELECT count(*) FROM golden_runs").fetchall() == [(1,)]
    assert "change_accuracy" not in findings(closed / "first")[0]


def test_a_run_is_paired_on_the_cases_that_both_scored(closed):
    """Version 2 has 20 cases more, all of which are judged wrongly."""
    more = [json.loads(line) | {"id": f"new {line[:9]}"} for line in golden_cases(10).splitlines()]
    rows = [row | {"id": f"new-{row['twin']}-{row['gender']}", "twin": f"new {row['twin']}"} for row in more]
    (closed / "more.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    right = [f"{years}-{sex},{years}\n" for years in range(40) for sex in ("female", "male")]
    run = ("run", *STORE, "--model", "screener", "--cutoff", "25", "--scorer", "replay:scores.csv")
    (closed / "scores.csv").write_text("".join(["id,score\n", *right[1:]]), encoding="utf-8")
    assert "1 case has no score that can be read." in golden(closed, *run, "--out", "first").stdout
    golden(closed, "add", "more.jsonl", *STORE, "--positions", "positions.jsonl", "--reason", "more")
    for by in ("ana", "ben"):
        labels = "".join(f"{row['id']},no\n" for row in rows)
        (closed / f"{by}.csv").write_text(f"case,label\n{labels}", encoding="utf-8")
        golden(closed, "label", f"{by}.csv", *STORE, "--by", by)
    golden(closed, "close", *STORE, "--by", "carla")
    wrong = [f"{row['id']},99\n" for row in rows]
    (closed / "scores.csv").write_text("".join(["id,score\n", *right, *wrong]), encoding="utf-8")
    golden(closed, *run, "--out", "second", "--fail-on", "worse:accuracy=.001")
    found, audit = findings(closed / "second")
    assert (found["accuracy"]["estimate"], found["accuracy"]["n"]) == (0.8, 100)
    assert (found["change_accuracy"]["estimate"], found["change_accuracy"]["n"]) == (0, 79)
    assert (audit["version"], audit["held_against"]["cases"]) == (2, 79)


def test_twins_vary_together(closed):
    rows = [f"{years}-{sex},{years}\n" for years in range(40) for sex in ("female", "male")]
    (closed / "scores.csv").write_text("".join(["id,score\n", *rows]), encoding="utf-8")
    golden(closed, *RUN[:-4], "--cutoff", "30", "--scorer", "replay:scores.csv", "--out", "first")
    found, audit = findings(closed / "first")
    assert audit["twins"]
    assert found["accuracy"]["estimate"] == 70 / 80  # both of 26 to 30 years are wrong
    assert found["accuracy"]["clusters"] == {"cluster": 40}
    # As wide as of the 40 résumés, and no narrower for being read twice.
    alone = wilson(35, 40)
    assert found["accuracy"]["high"] - found["accuracy"]["low"] > 0.9 * (alone[1] - alone[0])


def test_cases_that_masking_makes_equal_are_twins_without_being_named(folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    rows = [json.loads(line) for line in golden_cases(40).splitlines()]
    (other / "cases.jsonl").write_text(
        "".join(json.dumps({**row, "twin": None}) + "\n" for row in rows), encoding="utf-8"
    )
    (other / "positions.jsonl").write_text(POSITIONS, encoding="utf-8")
    add = ("add", "cases.jsonl", *STORE, "--positions", "positions.jsonl", "--reason", "twins")
    assert "40 cases are another's twin" in golden(other, *add).stdout
    assert "80 cases were there before." in golden(other, *add).stdout
    for by in ("ana", "ben"):
        golden(other, "label", *STORE, "--by", by, "--out", f"{by}.csv")
        fill_in(other / f"{by}.csv")
        golden(other, "label", f"{by}.csv", *STORE, "--by", by)
    named, unnamed = (json.loads(golden(place, "agreement", *STORE, "--json").stdout) for place in (folder, other))
    assert unnamed == named
    assert named["kappa"][0]["plain"]["n"] == 80
    assert "3-male" in golden(other, "forget", "3-female", *STORE).stdout


@pytest.mark.parametrize(
    ("more", "options", "told"),
    [
        ({"age": 34}, (), "age: these keys hold numbers and may not be protected attributes. Give all keys that are"),
        ({"age": 34, "veteran": True}, ("--protected", "gender,veteran"), "Protected attributes: gender, veteran."),
        ({"code": 1, "gender": None}, (), "such as --protected code;"),
        ({"code": 1}, ("--protected", "code,gender"), "Protected attributes: code, gender."),
        ({"age": 34}, ("--protected", "sex"), "No row has a key 'sex', which --protected names. Keys: gender, age."),
        ({}, ("--protected", "twin"), "--protected twin: this key has another meaning here"),
        ({"score": 0.4}, ("--choose", "1", "--scores", "score"), "Protected attributes: gender."),
    ],
)  # fmt: skip
def test_a_number_is_no_protected_attribute_in_silence(tmp_path, more, options, told):
    rows = [json.loads(line) | more for line in golden_cases(2).splitlines()]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "positions.jsonl").write_text(POSITIONS, encoding="utf-8")
    words = ("add", "cases.jsonl", *STORE, "--positions", "positions.jsonl", "--reason", "twins", *options)
    done = golden(tmp_path, *words, code=0 if told.startswith("Protected") else 2)
    assert told in done.stdout + done.stderr


def wilson(hits, n, z=1.959963984540054):
    middle, half = (hits + z * z / 2) / (n + z * z), z * (hits * (n - hits) / n + z * z / 4) ** 0.5 / (n + z * z)
    return middle - half, middle + half


def test_a_run_is_bundled_and_computed_again(closed):
    golden(closed, *RUN, "--scorer", "sim:shift?female=-1", "--out", "first")
    golden(closed, *RUN, "--scorer", "sim:shift?female=-2", "--out", "second")
    names = [name.encode() for name in ("Emily", "Greg")]
    kept = b"".join(path.read_bytes() for run in ("first", "second") for path in (closed / run).iterdir())
    assert not any(name in kept for name in names)
    evenhand("bundle first second --out runs.zip", cwd=closed)
    done = evenhand("verify runs.zip --json", cwd=closed)
    first, second = json.loads(done.stdout)["runs"]
    assert first["findings"] == first["recomputed"] > 30
    assert second["findings"] == second["recomputed"] > first["findings"]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("3-male,3,no,no,", "3-male,3,yes,yes,", "the labels in cases.csv differ from those of version 1"),
        (
            "3-male,3,no,no,",
            "3-male,3,no,yes,",
            "case '3-male' in cases.csv is counted with another label than its own",
        ),
        (",yes,", ",yes,", None),
        ("\n3-male,3,no,no,", "\n3-male,3,no,no,1", "'3-male' in cases.csv differs from that of outcomes.parquet"),
    ],
)
def test_a_table_that_was_forged_with_its_hash_is_found(closed, before, after, told):
    golden(closed, *RUN, "--scorer", "sim:shift?female=-1", "--out", "first")
    path, manifest = closed / "first" / "cases.csv", closed / "first" / "manifest.json"
    was = sha256(path.read_bytes()).hexdigest()
    path.write_text(path.read_text("utf-8").replace(before, after, 1), encoding="utf-8")
    now = sha256(path.read_bytes()).hexdigest()
    manifest.write_text(manifest.read_text("utf-8").replace(was, now), encoding="utf-8")
    evenhand("bundle first --out runs.zip", cwd=closed)
    done = evenhand("verify runs.zip", cwd=closed, code=0 if told is None else 5)
    assert (told or "") in done.stderr


def test_from_python_it_is_the_same(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [json.loads(line) for line in golden_cases(34).splitlines()]
    table = [f"{row['id']};{row['text']!r};{row['known_names'][0]};{row['gender']};{row['twin']}" for row in rows]
    (tmp_path / "cases.csv").write_text("\n".join(["id;text;known_names;gender;twin", *table]), encoding="utf-8")
    (tmp_path / "positions.jsonl").write_text(POSITIONS, encoding="utf-8")
    store = {"store": "history.db"}
    assert eh.monitor.golden_add("cases.csv", positions="positions.jsonl", reason="twins", **store)["new"] == 68
    for by in ("ana", "ben"):
        eh.monitor.golden_label(by=by, out=f"{by}.csv", **store)
        assert "Emily" not in (tmp_path / f"{by}.csv").read_text("utf-8")
        fill_in(tmp_path / f"{by}.csv")
        assert eh.monitor.golden_label(sheet=f"{by}.csv", by=by, **store)["new"] == 68
    assert eh.monitor.golden_adjudicate(by="carla", out="carla.csv", **store)["cases"] == 8
    everybody = eh.monitor.golden_agreement(**store)["kappa"][0]
    assert everybody["plain"]["agreement"] == 60 / 68
    assert eh.monitor.golden_close(by="carla", **store)["cases"] == 60
    run = eh.monitor.golden_run(model="screener", scorer="sim:unbiased", cutoff=65, out="run", **store)
    assert run.finding("accuracy").n == 60
    assert eh.monitor.golden_forget("3-female", **store) == {"forgotten": ["3-female"], "twins": ["3-male"]}
    assert eh.monitor.golden_export(out="golden.jsonl", **store)["cases"] == 68
    assert eh.monitor.golden_import("golden.jsonl", store="other.db")["left_out"] == 1
    with pytest.raises(InputError, match="to write the cases to label, or the completed sheet"):
        eh.monitor.golden_label(by="ana", **store)


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


def test_a_team_shares_a_set_in_postgresql(tmp_path, postgres_server):
    import psycopg

    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE golden")
    place = ("--store", postgres_server.removesuffix("/postgres") + "/golden")
    (tmp_path / "labelled.jsonl").write_text(labelled(), encoding="utf-8")
    golden(tmp_path, "import", "labelled.jsonl", *place)
    golden(tmp_path, "adjudicate", *place, "--by", "carla", "--out", "carla.csv")
    assert len(sheet(tmp_path / "carla.csv")) == 7
    golden(tmp_path, "close", *place, "--by", "carla")
    for out in ("first", "second"):
        run = ("run", *place, "--model", "screener", "--scorer", f"sim:shift?female=-{len(out) - 4}", "--cutoff", "65")
        golden(tmp_path, *run, "--out", out)
    assert findings(tmp_path / "second")[1]["held_against"]["cases"] == 113
    assert golden(tmp_path, "forget", "3-female", *place).stderr == ""
    # A process may have been killed before the server's file was written anew: it is, by the same command.
    with psycopg.connect(place[1]) as connection:
        file = "SELECT pg_relation_filenode('evenhand.golden_texts')"
        before = connection.execute(file).fetchone()
        connection.rollback()
        assert "was already forgotten" in golden(tmp_path, "forget", "3-female", *place, code=2).stderr
        assert connection.execute(file).fetchone() != before
    status = evenhand("monitor status", *place, cwd=tmp_path).stdout
    assert "ben labelled 7 of 60 twins by gender differently (11.7 %, 95 % CI 5.8 to 22.2)" in " ".join(status.split())
    golden(tmp_path, "export", *place, "--out", "golden.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "golden.jsonl").read_text("utf-8").splitlines()]
    assert [row["id"] for row in rows if row["text"] is None] == ["3-female"]
    evenhand("monitor verify", *place, cwd=tmp_path)


def test_a_text_that_is_forgotten_is_nowhere_in_the_store(closed):
    assert "Twins whose text\nstays: 3-male." in golden(closed, "forget", "3-female", *STORE).stdout
    kept = b"".join(file.read_bytes() for file in closed.glob("history.db*"))
    assert b"Greg Walsh\nNurse for 3 years." in kept
    assert b"Emily Walsh\nNurse for 3 years." not in kept
    done = golden(closed, *RUN, "--scorer", "sim:shift?female=0", "--out", "first")
    assert "1 case was forgotten and can't be scored." in done.stderr
    assert "was already forgotten" in golden(closed, "forget", "3-female", *STORE, code=2).stderr
    evenhand("monitor verify", *STORE, cwd=closed)


@pytest.mark.parametrize(
    ("row", "by", "word", "told"),
    [
        ("9999,yes", "dora", "label", "There is no golden case '9999' for dora"),
        ("3-male,yes", "dora", "label", "Golden case '3-male' has two labels already."),
        ("3-male,yes", "ana", "label", "and labels can't be changed"),
        ("3-male,yes", "Ana", "label", "'ana' labelled before, and 'Ana' would count as another person; use the same"),
        ("3-male,perhaps", "dora", "label", "The label 'perhaps' is not one of no, yes"),
        ("27-male,yes", "ana", "adjudicate", "ana labelled golden case '27-male'; another person must adjudicate it."),
        ("3-male,yes", "dora", "adjudicate", "has nothing to adjudicate: its labels agree"),
        ("27-male,no", "dora", "adjudicate", "was adjudicated before, and version 1 with it is closed"),
    ],
)
def test_what_can_not_be_taken_is_told_in_a_line(closed, row, by, word, told):
    (closed / "wrong.csv").write_text(f"case,label\n{row}\n", encoding="utf-8")
    refused("monitor golden", word, "wrong.csv", *STORE, "--by", by, told=told, cwd=closed)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"--model": " "}, "--model ' ': expected a name for the model"),
        ({"--model": "golden labels"}, "expected a name for the model"),
        ({"--against": "another"}, "--against another has no run on golden cases yet."),
        ({"--version": "2"}, "There is no version 2 of the golden set; the newest is 1."),
        ({"--store": "none.db"}, "No store none.db"),
        ({"--scorer": "replay:scores.csv"}, "the id '99-male' is no golden case's"),
    ],
)
def test_a_run_that_can_not_be_is_told_before_anything_is_asked(closed, asked, told):
    (closed / "scores.csv").write_text("id,score\n99-male,3\n", encoding="utf-8")
    options = {"--store": "history.db", "--model": "screener", "--cutoff": "65", "--scorer": "sim:unbiased"} | asked
    given = [word for both in options.items() for word in both]
    refused("monitor golden run", *given, "--out", "first", told=told, cwd=closed)


def test_a_version_of_one_label_judges_nobody(tmp_path):
    (tmp_path / "cases.jsonl").write_text(golden_cases(2), encoding="utf-8")
    (tmp_path / "positions.jsonl").write_text(POSITIONS, encoding="utf-8")
    golden(tmp_path, "add", "cases.jsonl", *STORE, "--positions", "positions.jsonl", "--reason", "twins")
    for by in ("ana", "ben"):
        (tmp_path / "labels.csv").write_text("case,label\n0-female,no\n1-male,no\n", encoding="utf-8")
        golden(tmp_path, "label", "labels.csv", *STORE, "--by", by)
    done = golden(tmp_path, "close", *STORE, "--by", "carla")
    assert done.stdout == "Closed version 1: 2 cases. Left out: 2 others without a final label.\n"
    done = golden(tmp_path, *RUN, "--scorer", "sim:shift?female=0", "--out", "first", code=2)
    assert done.stderr.startswith("The cases of version 1 are all no; a scorer needs cases of both kinds")
    assert not (tmp_path / "first").exists()


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"groups": ["female"]}, "Row 1 of one.jsonl was not written by evenhand monitor golden export: groups has"),
        ({"id": 7}, "export: id has another form"),
        ({"reason": None}, "export: reason has another form"),
        ({"position": {"id": "p1"}}, "export: position has another form"),
        ({"labels": [{"by": "ana", "label": "no", "time": "yesterday"}]}, "export: labels has another form"),
        ({"labels": [{"by": " ", "label": "no", "time": "2026-03-02T10:00:00Z"}]}, "export: labels has another form"),
        ({"groups": {"score": "3"}}, "A protected attribute can't be called 'score'"),
        ({"scale": {"labels": ["no"], "positive": "no"}}, "expected two or more"),
        ({"scale": {"labels": ["no", "No"], "positive": "No"}}, "case doesn't distinguish labels"),
        (
            {"labels": [{"by": by, "label": "no", "time": "2026-03-02T10:00:00Z"} for by in "abc"]},
            "Golden case '0-female' has two labels already.",
        ),
        (
            {"adjudicated": {"by": "ana", "label": "no", "time": "2026-03-02T10:00:00Z"}},
            "ana labelled golden case '0-female'; another person must adjudicate it.",
        ),
        ({"text": "Another text."}, None),
    ],
)
def test_what_was_exported_otherwise_is_told_in_a_line(tmp_path, changed, told):
    row = json.loads(labelled().splitlines()[0])
    (tmp_path / "one.jsonl").write_text(json.dumps(row | changed) + "\n", encoding="utf-8")
    done = golden(tmp_path, "import", "one.jsonl", *STORE, code=0 if told is None else 2)
    assert (told or "") in done.stderr
    assert done.stderr.count("\n") == (told is not None)


def test_a_version_with_nothing_new_is_not_closed(closed):
    assert "Version 1 has the same cases and labels" in golden(closed, "close", *STORE, "--by", "ana", code=2).stderr
