"""Whole runs: from the command line to the files."""

import json
import signal
import subprocess
import sys
import time

import orjson
import polars as pl
import pytest
from _cli import environment, evenhand, findings, journal, loopback, seen

from evenhand.results.schemas import OUTCOMES


def test_a_simulated_run_leaves_manifest_journal_outcomes_findings_and_report(tmp_path):
    done = evenhand("probe hiring-an --model sim:masculine --sample 300 --out run", cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "run"
    rows, audit = findings(tmp_path / "run")
    assert rows["diff_acceptance_rate"]["estimate"] == 1.0
    assert rows["diff_acceptance_rate"]["mark"] == "D"
    assert rows["diff_acceptance_rate"]["claim"]["verdict"] == "difference"
    assert rows["mvf_acceptance_rate"]["estimate"] == rows["diff_acceptance_rate"]["estimate"]
    assert audit["simulated"] is True
    assert "simulated" in (tmp_path / "run" / "report.html").read_text("utf-8").lower()
    outcomes = pl.read_parquet(tmp_path / "run" / "outcomes.parquet")
    assert outcomes.height == 300
    assert outcomes.columns[: len(OUTCOMES)] == list(OUTCOMES)
    assert sorted(line["sent_order"] for line in journal(tmp_path / "run")) == list(range(300))
    manifest = orjson.loads((tmp_path / "run" / "manifest.json").read_bytes())
    assert manifest["status"] == "finished"
    assert manifest["clusters"] == ["name", "role"]


def test_the_same_seed_gives_the_same_findings_and_another_seed_other_prompts(tmp_path):
    runs = []
    for out, seed in (("a", 5), ("b", 5), ("c", 6)):
        args = ("--sample", 200, "--seed", seed, "--out", out, "--quiet", "--no-report")
        evenhand("probe hiring-an --model sim:random", *args, cwd=tmp_path)
        runs.append(findings(tmp_path / out)[0])
    assert runs[0] == runs[1]
    assert runs[0]["male_acceptance_rate"] != runs[2]["male_acceptance_rate"]


def test_matched_design_reports_the_gain_of_pairing(tmp_path):
    args = ("--sample", 400, "--design", "matched", "--out", "run", "--quiet")
    evenhand("probe hiring-an --model sim:stereotyping", *args, cwd=tmp_path)
    rows, audit = findings(tmp_path / "run")
    assert rows["diff_acceptance_rate"]["clusters"] == {"name": 321, "role": 152}
    assert rows["diff_acceptance_rate"]["n"] == 400
    ratio = rows["diff_acceptance_rate"]["details"]["width_ratio_to_unpaired"]
    assert f"{100 * abs(1 - ratio):.0f} %" in audit["matched"]["sentence"]
    page = (tmp_path / "run" / "report.html").read_text("utf-8")
    assert audit["matched"]["sentence"] in page.replace("\N{NO-BREAK SPACE}", " ")


def test_refusals_are_counted_and_no_rate_is_invented(tmp_path):
    args = ("--sample", 100, "--out", "run", "--quiet", "--no-report")
    evenhand("probe hiring-an --model sim:refusing", *args, cwd=tmp_path)
    rows, audit = findings(tmp_path / "run")
    assert audit["statuses"] == {"refused": 100}
    assert rows["undetected_rate_attempts"]["estimate"] == 1.0
    assert rows["diff_acceptance_rate"]["estimate"] is None
    assert rows["diff_acceptance_rate"]["reason"]


def test_an_http_model_is_asked_each_prompt_once_also_after_resume(tmp_path):
    with loopback(faults="429:0,500,malformed,503,reset", then="ok") as url:
        args = ("probe", "hiring-an", "--model", "openai:test", "--base-url", url, "--sample", 80, "--out", "run")
        evenhand(*args, "--quiet", cwd=tmp_path)
        first = seen(url)
        evenhand(*args, "--quiet", "--resume", cwd=tmp_path)
        assert seen(url)["requests"] == first["requests"]
    _, audit = findings(tmp_path / "run")
    assert audit["statuses"] == {"observed": 80}
    assert sum(line["retries"] for line in journal(tmp_path / "run")) == 5


def test_what_a_server_refuses_and_tells_of_its_limits_is_in_the_manifest(tmp_path):
    args = ("probe", "hiring-an", "--model", "openai:test", "--sample", 40, "--out", "run", "--quiet", "--no-report")
    with loopback(faults="429:0,left:50,ok*6", then="ok") as url:
        evenhand(*args, "--base-url", url, "--max-requests", 10, cwd=tmp_path, code=4)
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["rate_limits"]["told"] == {"requests": 60}
    assert manifest["rate_limits"]["refused"] == 1
    with loopback(faults="ok*3,429:0", then="ok") as url:
        evenhand(*args, "--base-url", url, "--resume", cwd=tmp_path)
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["rate_limits"]["refused"] == 2


def test_kill_9_loses_no_answer_and_resume_asks_the_rest(tmp_path):
    with loopback(then="slow:0.02") as url:
        args = ["probe", "hiring-an", "--model", "openai:test", "--base-url", url, "--sample", "300", "--out", "run"]
        command = [sys.executable, "-m", "evenhand", *args, "--concurrency", "4", "--quiet"]
        process = subprocess.Popen(command, cwd=tmp_path, env=environment(), stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            file = tmp_path / "run" / "answers-000.jsonl"
            if file.is_file() and file.read_bytes().count(b"\n") >= 50:
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = file.read_bytes()
        kept = {orjson.loads(line)["id"] for line in before[: before.rfind(b"\n") + 1].splitlines()}
        assert 50 <= len(kept) < 300
        evenhand(*args, "--resume", "--quiet", "--no-report", cwd=tmp_path)
        asked = seen(url)
    lines = journal(tmp_path / "run")
    assert {line["id"] for line in lines} >= kept
    assert len(lines) == len({line["id"] for line in lines}) == 300
    # Only what was under way when the process was killed may have been asked twice.
    assert asked["requests"] <= 300 + 4
    assert findings(tmp_path / "run")[0]["undetected_rate_attempts"]["n"] == 300


def test_max_requests_stops_resumable_and_resume_finishes(tmp_path):
    with loopback(then="ok") as url:
        args = ("probe", "hiring-an", "--model", "openai:test", "--base-url", url, "--sample", 40, "--out", "run")
        stopped = evenhand(*args, "--max-requests", 15, cwd=tmp_path, code=4)
        assert len(stopped.stderr.strip().splitlines()) == 1
        assert "--resume" in stopped.stderr
        assert len(journal(tmp_path / "run")) == 15
        half = evenhand("measure run --out half --fail-on difference", cwd=tmp_path, code=6)
        assert "25 of 40 answers" in half.stderr
        audit = findings(tmp_path / "half")[1]
        assert (audit["statuses"], audit["incomplete"][:11]) == ({"missing": 25, "observed": 15}, "Incomplete:")
        assert len(journal(tmp_path / "run")) == 15
        evenhand(*args, "--resume", "--no-report", cwd=tmp_path)
        assert seen(url)["requests"] == 40


def test_replay_gives_the_findings_of_the_answers_it_replays(tmp_path):
    sample = ("--sample", 200, "--seed", 3, "--quiet", "--no-report")
    evenhand("probe hiring-an --model sim:random", *sample, "--out", "a", cwd=tmp_path)
    outcomes = pl.read_parquet(tmp_path / "a" / "outcomes.parquet")
    texts = pl.DataFrame(journal(tmp_path / "a")).select(pl.col("index").cast(pl.String).alias("unit"), "text")
    saved = outcomes.join(texts, on="unit").select(
        pl.col("context.name").alias("name"),
        pl.col("context.role").alias("role"),
        pl.col("context.qualification").alias("qualification"),
        pl.col("context.template").cast(pl.Int32).alias("template"),
        pl.col("text").alias("answer"),
    )
    saved.sample(fraction=1.0, shuffle=True, seed=1).write_ndjson(tmp_path / "saved.jsonl")
    replay = ("--model", "replay:saved.jsonl", *sample, "--out", "b")
    evenhand("probe hiring-an", *replay, cwd=tmp_path)
    evenhand("measure hiring-an saved.jsonl --out c --quiet --no-report", cwd=tmp_path)
    first, replayed, measured = (findings(tmp_path / out)[0] for out in "abc")
    for name in ("male_acceptance_rate", "diff_acceptance_rate", "diff_regression", "race_white_diff_acceptance_rate"):
        assert replayed[name]["estimate"] == pytest.approx(first[name]["estimate"], abs=1e-12)
        assert measured[name]["estimate"] == pytest.approx(first[name]["estimate"], abs=1e-12)


def test_a_replayed_prompt_without_an_answer_is_missing(tmp_path):
    row = {"name": "Abigail Li", "role": "nurse", "qualification": "high", "template": 0, "answer": "hello"}
    (tmp_path / "saved.jsonl").write_bytes(orjson.dumps(row))
    args = ("--model", "replay:saved.jsonl", "--sample", 20, "--out", "run")
    done = evenhand("probe hiring-an", *args, cwd=tmp_path, code=3)
    assert "No prompt of this run has an answer in saved.jsonl" in done.stderr
    assert "evenhand measure hiring-an" in done.stderr


@pytest.mark.parametrize(
    ("condition", "strength", "code"),
    [("difference", 1, 1), ("mark:D", 1, 1), ("below", 1, 1), ("undetected:0.5", 1, 0), ("mark:C", 0, 0)],
)
def test_fail_on_decides_the_exit_code(tmp_path, condition, strength, code):
    model = f"sim:masculine?strength={strength}"
    args = ("--model", model, "--sample", 80, "--fail-on", condition, "--out", "run", "--quiet")
    evenhand("probe hiring-an", *args, cwd=tmp_path, code=code)
    assert (tmp_path / "run" / "report.html").is_file()


def test_identical_repetitions_at_a_temperature_are_a_warning(tmp_path):
    with loopback(then="ok") as url:  # its answer depends on the prompt only
        args = ("--model", "openai:test", "--base-url", url, "--sample", 20, "--repetitions", 2, "--out", "run")
        done = evenhand("probe hiring-an", *args, "--temperature", 1, cwd=tmp_path)
    assert "identical" in done.stderr
    _, audit = findings(tmp_path / "run")
    assert any("identical" in line for line in audit["warnings"])


def test_a_page_is_drawn_when_it_is_asked_for(tmp_path):
    asked = ("audit", "--model", "sim:unbiased", "--sample", 16, "--quiet", "--out", "run", "--no-report")
    evenhand(*asked, cwd=tmp_path)
    assert not list(tmp_path.rglob("*.html"))
    evenhand(*asked, "--resume", cwd=tmp_path)
    assert findings(tmp_path / "run")[1]["kind"] == "suite"
    evenhand("report run", cwd=tmp_path)
    drawn = {page.parent.name for page in tmp_path.rglob("report.html")}
    assert drawn == {"run", "hiring-an", "hiring-bloomberg", "business-vocabulary", "resume-score"}
