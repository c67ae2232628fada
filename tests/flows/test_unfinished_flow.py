"""Runs that lack answers: what is there can be measured and labelled, and what is missing is asked again."""

import csv
import re
from contextlib import nullcontext

import orjson
import pytest
from _cli import evenhand, findings, journal, loopback

ASKED = ("probe", "hiring-an", "--model", "openai:m", "--no-report", "--out", "r", "--sample")
CLOSED = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("server", "sample"), [("closed", 20), *(pytest.param("500", n, marks=pytest.mark.slow) for n in (3, 20))]
)
def test_where_nothing_was_answered_that_is_said_by_every_command(tmp_path, server, sample):
    with nullcontext(CLOSED) if server == "closed" else loopback(then=server) as url:
        done = evenhand(*ASKED, sample, "--base-url", url, cwd=tmp_path, code=4)
    nothing = f"Nothing was answered: 0 of {sample} prompts; continue with --resume --out r."
    assert done.stderr.endswith(f"{nothing}\n")
    measured = evenhand("measure r --out m", cwd=tmp_path, code=4)
    told = nothing.replace("continue with --resume", "continue with evenhand probe … --resume")
    assert measured.stderr == f"{told}\n"
    assert not (tmp_path / "m").exists()
    with loopback() as url:
        done = evenhand(*ASKED, sample, "--resume", "--base-url", url, cwd=tmp_path)


@pytest.mark.parametrize("probe", ["hiring-an", "business-vocabulary", "resume-score", "hiring-bloomberg"])
def test_answers_of_an_unfinished_run_can_be_labelled(tmp_path, probe):
    asked = ("probe", probe, "--model", "sim:unbiased", "--sample", 40, "--no-report", "--out", "r")
    evenhand(*asked, "--max-requests", 20, cwd=tmp_path, code=4)
    keys = []
    for out in ("half.csv", "whole.csv"):
        evenhand("data label-sheet r --sample 40 --out", out, cwd=tmp_path)
        with (tmp_path / out.replace(".csv", "-key.csv")).open(encoding="utf-8-sig", newline="") as file:
            columns = ("name", "race", "gender", "decision")
            keys.append({row["answer"]: [row[name] for name in columns] for row in csv.DictReader(file)})
        evenhand(*asked, "--resume", cwd=tmp_path)
    half, whole = keys
    assert 0 < len(half) < len(whole)
    shared = half.keys() & whole.keys()
    assert shared
    assert {name: half[name] for name in shared} == {name: whole[name] for name in shared}


def not_passed(folder):
    """Return whether the test cases say that answers are missing, and none passes."""
    cases = re.findall(r'<testcase name="([^"]*)".*?>\s*<(\S+)', (folder / "j.xml").read_text("utf-8"))
    return ("answers", "error") in cases and "system-out" not in dict(cases).values()


def test_failed_answers_above_the_limit_leave_a_run_incomplete_until_they_are_asked_again(tmp_path):
    gate = ("--fail-on", "difference", "--junit", "j.xml")
    asked = (*ASKED, 100, "--concurrency", 1, "--json", *gate)
    with loopback(faults="ok,400*6") as url:
        done = evenhand(*asked, "--base-url", url, cwd=tmp_path, code=4)
        assert not_passed(tmp_path)
        assert "Warning: Incomplete: more than 5 % of the answers are missing, 6 of 100 (6.0 %) overall" in done.stderr
        assert "Warning: 6 of 100 answers (6.0 %) are missing or have no text: Asian names " in done.stderr
        assert done.stderr.endswith("Ask again: --resume --retry-errors --out r.\n")
        audit = orjson.loads(done.stdout)["audit"]
        assert audit["statuses"] == {"error": 6, "observed": 94}
        assert audit["incomplete"] in audit["warnings"]
        done = evenhand("measure r --no-report --out m", *gate, cwd=tmp_path, code=6)
        assert not_passed(tmp_path)
        evenhand("report m", cwd=tmp_path)
        assert "Incomplete · No difference detected" in (tmp_path / "m" / "report.html").read_text("utf-8")
        done = evenhand(*asked, "--resume", "--retry-errors", "--base-url", url, cwd=tmp_path)
    assert "missing" not in done.stderr
    assert not not_passed(tmp_path)
    assert len({line["id"] for line in journal(tmp_path / "r")}) == 100
    assert "incomplete" not in findings(tmp_path / "r")[1]
