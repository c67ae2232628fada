"""`evenhand monitor`: batches into a store, its state, its log; wrong input is told in a line and changes nothing."""

import contextlib
import sqlite3
from shutil import copytree

import orjson
import pytest
from _cli import environment, evenhand, refused
from _files_named import annotated, decisions, turned_out

STORE = ("--store", "history.db")
RECORD = ("monitor", "record", "decisions.csv", *STORE, "--model", "screener", "--time", "decided_at")
ALL = (*RECORD, "--time-zone", "Europe/Berlin", "--score", "score", "--selected", "invited")
GROUPS = ("--protected", "gender", "--by", "department", "--position", "position", "--latency", "seconds")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "decisions.csv").write_text(decisions(), encoding="utf-8")
    (tmp_path / "turned_out.csv").write_text(turned_out(), encoding="utf-8")
    return tmp_path


def done(*args, cwd):
    """Return what a command prints as JSON."""
    ended = evenhand(*args, "--json", "--quiet", cwd=cwd)
    assert ended.stderr == ""
    return orjson.loads(ended.stdout)


def test_from_decisions_to_labels_and_a_verified_log(folder):
    first = done(*ALL, *GROUPS, "--unit", "case", cwd=folder)
    assert (first["new"], first["n"], first["first_day"], first["last_day"]) == (True, 600, "2024-02-29", "2024-03-30")
    assert done(*ALL, *GROUPS, "--unit", "case", cwd=folder) == first | {"new": False, "last_day": first["last_day"]}
    days = done("monitor", "status", *STORE, cwd=folder)["days"]
    assert len(days) == 31
    assert sum(day["n"] for day in days) == 600
    assert not any("agreement" in day for day in days)
    later = ("monitor", "record", "turned_out.csv", *STORE, "--model", "screener", "--time", "known_on")
    labelled = done(*later, "--label", "hired", "--unit", "case", cwd=folder)
    assert (labelled["n"], labelled["labels"], labelled["labels_without_decision"]) == (0, 40, 0)
    state = done("monitor", "status", *STORE, cwd=folder)
    assert sum("agreement" in day for day in state["days"]) == 3  # forty cases, twenty a day from one at night
    checked = done("monitor", "verify", *STORE, "--head", state["log"]["head"], cwd=folder)
    assert checked == {"entries": state["log"]["entries"], "head": state["log"]["head"], "wrong": None}


def test_a_finished_run_is_recorded_once_with_its_findings(folder):
    line = ("impact", "--counts", "women=30/100,men=60/100", "--out", "run", "--quiet")
    evenhand(*line, cwd=folder)
    record = ("monitor", "record", "run", *STORE, "--model", "screener")
    first, again = (done(*record, cwd=folder) for _ in range(2))
    assert (first["new"], again) == (True, first | {"new": False})
    with contextlib.closing(sqlite3.connect(folder / "history.db")) as store:
        found = dict(store.execute("SELECT name, finding FROM findings"))
    assert len(found) == first["findings"]
    assert orjson.loads(found["impact_ratio_group_women"])["estimate"] == 0.5
    assert done("monitor", "verify", *STORE, cwd=folder)["entries"] == 1


def test_metrics_are_what_prometheus_reads(folder):
    from prometheus_client.parser import text_string_to_metric_families

    done(*ALL, *GROUPS, cwd=folder)
    ended = evenhand("monitor status", *STORE, "--prometheus", cwd=folder)
    families = {family.name: family.samples for family in text_string_to_metric_families(ended.stdout)}
    day = done("monitor", "status", *STORE, cwd=folder)["days"][-1]
    assert families["evenhand_judgements"][0].value == day["n"]
    values = {
        (each.labels["measure"], each.labels["attribute"], each.labels["group"]): each.value
        for each in families["evenhand_daily_value"]
    }
    assert values["median_score", "", ""] == day["median_score"]
    assert ("selection_rate", "gender", "woman") in values
    assert not any(attribute == "department" for _, attribute, _ in values)


def test_masking_of_annotated_texts_is_recorded_as_a_measure_of_the_day(folder):
    (folder / "annotated.jsonl").write_text(annotated(), encoding="utf-8")
    told = done("mask", "--evaluate", "annotated.jsonl", "--out", "masking.json", cwd=folder)
    assert orjson.loads((folder / "masking.json").read_bytes()) == told
    recall = told["masking_rates"][0]
    assert (recall["measure"], recall["n"], recall["texts"]) == ("masking_recall", 37, 13)
    assert recall["low"] < recall["estimate"] <= 36 / 37
    for new in (True, False):
        assert done("monitor", "record", "masking.json", *STORE, cwd=folder)["new"] is new
    (day,) = done("monitor", "status", *STORE, cwd=folder)["days"]
    assert (day["model"], day["n"], day["masking_recall"]) == ("masking", 0, recall["estimate"])
    (folder / "other.json").write_text("{}", encoding="utf-8")
    refused(
        "monitor record other.json",
        *STORE,
        told="is neither a table nor a file of evenhand mask --evaluate --out",
        cwd=folder,
    )


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Return a folder with a store that holds the decisions, and its state."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "decisions.csv").write_text(decisions(), encoding="utf-8")
    done(*ALL, cwd=folder)
    return folder, done("monitor", "status", *STORE, cwd=folder)


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ((*RECORD, "--score", "score"), 2, "Times in 'decided_at' of decisions.csv have no time zone; give it"),
        ((*ALL, "--time-zone", "Mars/Olympus"), 2, "'Mars/Olympus' is not known"),
        ((*ALL, "--by", "departement"), 2, "No column 'departement' in decisions.csv"),
        ((*ALL, "--time", "score"), 2, "holds '0.707'; expected times such as"),
        ((*ALL, "--time", "gender"), 2, "holds 'man'; expected times such as 2026-03-01T09:30:00Z"),
        ((*ALL, "--score", "gender"), 2, "The column 'gender' of decisions.csv holds"),
        ((*ALL, "--latency", "case"), 2, "expected numbers"),
        ((*ALL, "--status", "gender"), 2, "expected observed, refused, undetected"),
        ((*RECORD, "--time-zone", "UTC"), 2, "Nothing to record: give --score"),
        ((*RECORD, "--time-zone", "UTC", "--label", "invited"), 2, "Labels alone need --unit COLUMN"),
        ((*ALL, "--batch-id", " "), 2, "--batch-id is blank"),
        ((*ALL, "--model", " "), 2, "--model NAME is missing"),
        ((*ALL, "--where", "score > 7"), 2, "decisions.csv"),
        ((*ALL, "--store", "mysql://x/y"), 2, "is neither a file nor postgres"),
        ((*ALL, "--store", "postgres://a:secret@127.0.0.1:1/b"), 3, "postgres://127.0.0.1:1/b failed"),
        (("monitor", "status", "--store", "none.db"), 2, "No store none.db"),
        (("monitor", "status", "--store", "decisions.csv"), 2, "is not an SQLite file, or it is damaged"),
        (("monitor", "status", *STORE, "--json", "--prometheus"), 2, "--json and --prometheus are both given"),
        (("monitor", "verify", *STORE, "--head", "0" * 64), 5, "has no entry 0000"),
        (("monitor", "record", "decisions.csv", *STORE, "--time", "decided_at"), 2, "--model NAME is missing"),
    ],
)
def test_wrong_input_is_told_in_a_line_and_changes_nothing(args, code, told, recorded, tmp_path):
    folder, before = copytree(recorded[0], tmp_path / "store"), recorded[1]
    ended = evenhand(*args, cwd=folder, code=code)
    assert ended.stdout == ""
    assert len(ended.stderr.strip().splitlines()) == 1, ended.stderr
    assert told in ended.stderr
    assert "secret" not in ended.stderr
    assert done("monitor", "status", *STORE, cwd=folder) == before


def test_times_in_the_future_are_refused_unless_they_are_asked_for(folder):
    (folder / "plan.csv").write_text("at,score\n2126-03-01T10:00:00Z,0.5\n", encoding="utf-8")
    line = ("monitor", "record", "plan.csv", *STORE, "--model", "screener", "--time", "at", "--score", "score")
    refused(*line, told="are in the future, the latest 2126-03-01 10:00 UTC", cwd=folder)
    assert done(*line, "--future", cwd=folder)["n"] == 1


def test_a_file_with_other_options_is_not_counted_twice(folder):
    done(*ALL, cwd=folder)
    refused(
        *ALL, "--protected", "gender", told="was recorded for 'screener'", cwd=folder, env=environment(COLUMNS="80")
    )
    assert done(*ALL, "--protected", "gender", "--batch-id", "again", cwd=folder)["new"]
