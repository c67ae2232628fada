"""Wrong input: one line on stderr, the right exit code, and no file lost."""

import os
import re
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from _cli import environment, evenhand, loopback, refused

SAVED = {"name": "Abigail Li", "role": "nurse", "qualification": "high", "template": 0, "answer": "x"}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["probe", "hiring-an", "--model", "gpt-4o"], ["gpt-4o", "scheme", "openai:gpt-4o"]),
        (["probe", "hiring-an", "--model", "opnai:gpt-4o"], ["opnai", "Did you mean openai"]),
        (
            ["probe", "hiring-an", "--model", "sim:unbiassed"],
            ["'unbiassed' is not a simulated kind; expected one of unbiased, random, masculine"],
        ),
        (["probe", "hiring-an", "--model", "sim:masculine?strength=2"], ["strength", "from 0 to 1"]),
        (["probe", "hiring-an", "--model", "sim:masculine?strong=1"], ["strong"]),
        (["probe", "hiring-an", "--model", "replay:nowhere.jsonl"], ["nowhere.jsonl"]),
        (["probe", "hiring-an", "--model", "openai:gpt-4o"], ["OPENAI_API_KEY"]),
        (["probe", "hiring-am", "--model", "sim:unbiased"], ["hiring-am", "Did you mean hiring-an"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--sample", "0"], ["--sample", "0"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--sample", "5424001"], ["5424001", "5,424,000"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--sample", "3", "--design", "matched"], ["2"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--sample", "many"], ["--sample", "many"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--sample", "60", "--sample=abc"], ["Given: 'abc'"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--shard", "٢/٣"], ["--shard", "as in 1/4"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--until-width", "inf"], ["inf", "between -1 and 1"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--until-width", "5"], ["expected a width below 2"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--until-width", "2"], ["expected a width below 2"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--all", "--sample", "3"], ["--all"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--fail-on", "mark:Z"], ["mark:Z"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--out", "new", "--resume"], ["no run to resume"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--resume"], ["--out"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--seed", "99999999999999999999999"], ["--seed"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--seed", "-1"], ["--seed", "-1"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--temperature", "nan"], ["--temperature", "nan"]),
        (["probe", "hiring-an", "--model", "sim:"], ["behind the colon"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--base-url", "http://127.0.0.1:1/v1"], ["--base-url"]),
        (["probe", "hiring-an"], ["--model"]),
        (["probe", "hiring-an", "--modell", "x"], ["--modell"]),
        (["prob", "hiring-an"], ["prob"]),
        (["audit", "--model", "sim:unbiased", "--suite", "standart"], ["Did you mean standard"]),
        (["probe", "hiring-an", "--model", "sim:unbiased", "--design", "cards"], ["'cards'", "card, matched"]),
        (["audit", "--model", "sim:unbiased", "--design", "cards"], ["'cards'", "card, extended, matched"]),
        (["plan", "hiring-an", "--model", "sim:unbiased", "--design", "extended"], ["'extended'", "card, matched"]),
        (["audit", "--model", "gpt-4o"], ["openai:gpt-4o"]),
        (["audit", "--model", "openai:gpt-4o"], ["OPENAI_API_KEY"]),
        (["audit", "--model", "sim:unbiased", "--sample", "0"], ["--sample"]),
        (["measure", "hiring-an", "nowhere.jsonl"], ["nowhere.jsonl"]),
        (["report", "nowhere"], ["nowhere"]),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else None,
)
def test_options_that_make_no_run(tmp_path, args, words):
    refused(*args, told=words, cwd=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_foreign_folder_is_left_alone_also_with_force(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years of work")
    for more in ([], ["--force"]):
        args = ("probe", "hiring-an", "--model", "sim:unbiased", "--sample", 10, "--out", "mine", *more)
        refused(*args, told="mine", cwd=tmp_path)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_a_finished_run_is_replaced_with_force_only_and_where_nothing_else_lies(tmp_path):
    args = ("probe", "hiring-an", "--model", "sim:unbiased", "--sample", 10, "--out", "run")
    evenhand(*args, "--no-report", cwd=tmp_path)
    (tmp_path / "run" / "notes.txt").write_text("mine")
    refused(*args, told=("--force", "--resume"), cwd=tmp_path)
    refused(*args, "--force", told=("notes.txt", "nothing was changed"), cwd=tmp_path)
    (tmp_path / "run" / "notes.txt").rename(tmp_path / "notes.txt")
    evenhand(*args, "--force", cwd=tmp_path)


def test_force_clears_neither_another_run_below_nor_one_behind_a_link(tmp_path):
    counts = ("impact", "--counts", "women=5/10,men=8/10", "--no-report", "--quiet", "--out")
    for out in ("elsewhere", "runs", "runs/second"):
        evenhand(*counts, out, cwd=tmp_path)
    refused(*counts, "runs", "--force", told="'second'", cwd=tmp_path)
    (tmp_path / "runs" / "second").rename(tmp_path / "second")
    (tmp_path / "runs" / "link").symlink_to(tmp_path / "elsewhere")
    refused(*counts, "runs", "--force", told="'link' (a symbolic link)", cwd=tmp_path)
    for out in ("elsewhere", "runs", "second"):
        assert (tmp_path / out / "findings.json").is_file()


def test_no_run_replaces_what_it_reads(tmp_path):
    asked = ("probe", "hiring-an", "--model", "sim:unbiased", "--sample", 10, "--quiet", "--out")
    for out in ("p", "q"):
        evenhand(*asked, out, cwd=tmp_path)
    table = tmp_path / "q" / "impact.csv"
    table.write_text("sex,hired\nw,1\nm,0\n")
    before = {file: file.read_bytes() for file in (tmp_path / "q").iterdir()}
    for words in (
        ("compare", "p", "q", "--out", "q", "--force"),
        ("impact", "q", "--protected", "gender", "--out", "q", "--force"),
        ("impact", "q/impact.csv", "--selected", "hired", "--protected", "sex", "--out", "q", "--force"),
        ("measure", "hiring-an", "q/impact.csv", "--out", "q", "--force"),
        ("report", "q", "--out", "q/findings.json", "--force"),
    ):
        refused(*words, told="q", cwd=tmp_path)
    assert {file: file.read_bytes() for file in (tmp_path / "q").iterdir()} == before


@pytest.mark.parametrize("ending", ["report.html", "link.html", "pipe.html"])
def test_a_report_replaces_a_file_with_force_only(tmp_path, ending):
    evenhand("impact --counts women=5/10,men=8/10 --out run --quiet", cwd=tmp_path)
    (tmp_path / "thesis.html").write_text("years of work")
    (tmp_path / "report.html").write_text("years of work")
    (tmp_path / "link.html").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.html")
    refused("report run --out", ending, told=ending, cwd=tmp_path)
    evenhand("report run --out", ending, "--force", cwd=tmp_path, code=2 if ending == "pipe.html" else 0)
    assert (tmp_path / "thesis.html").read_text() == "years of work"


def test_resume_with_other_options_is_refused(tmp_path):
    args = ("probe", "hiring-an", "--sample", 10, "--out", "run", "--quiet", "--no-report")
    evenhand(*args, "--model", "sim:unbiased", cwd=tmp_path)
    before = (tmp_path / "run" / "answers-000.jsonl").read_bytes()
    refused(*args, "--model", "sim:masculine", "--resume", told=("sim:unbiased", "sim:masculine"), cwd=tmp_path)
    assert (tmp_path / "run" / "answers-000.jsonl").read_bytes() == before


def test_audit_does_not_go_on_with_the_folder_of_a_probe(tmp_path):
    args = ("--model", "sim:unbiased", "--sample", 20, "--out", "run", "--quiet", "--no-report")
    evenhand("probe hiring-an", *args, cwd=tmp_path)
    manifest = (tmp_path / "run" / "manifest.json").read_bytes()
    refused("audit", *args, "--resume", told=("kind", "'probe'"), cwd=tmp_path)
    assert (tmp_path / "run" / "manifest.json").read_bytes() == manifest


def test_a_reader_that_goes_away_is_no_failed_run(tmp_path):
    command = f"{sys.executable} -m evenhand probe hiring-an --model sim:unbiased --sample 20 --out run --json"
    script = f"{command} | head -c 1 >/dev/null; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "0"
    assert not done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_stdout_names_the_finished_run(tmp_path):
    command = [sys.executable, "-m", "evenhand", "probe", "hiring-an", "--model", "sim:unbiased", "--sample", "20"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*command, "--out", "run"],
            cwd=tmp_path, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 3
    assert "the run is in run" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_file_as_out_is_refused(tmp_path):
    (tmp_path / "file").write_text("x")
    refused("probe hiring-an --model sim:unbiased --out file", told="file", cwd=tmp_path)


def test_an_unreachable_server_leaves_a_run_to_go_on_with(tmp_path):
    with loopback() as url:
        pass  # the server is gone, its port is free
    args = ("probe", "hiring-an", "--model", "openai:test", "--base-url", url, "--sample", 10, "--out", "run")
    done = evenhand(*args, cwd=tmp_path, code=4)
    assert re.fullmatch(r"[^\n]*127\.0\.0\.1[^\n]*--resume --out run\.?\n", done.stderr)


def test_a_refused_key_stops_at_once_and_is_not_repeated(tmp_path):
    with loopback(then="echo") as url:
        args = ("probe", "hiring-an", "--model", "openai:test", "--base-url", url, "--sample", 200, "--out", "run")
        done = evenhand(*args, cwd=tmp_path, env=environment(OPENAI_API_KEY="sk-very-secret"), code=3)
    assert done.stderr.count("\n") == 1
    assert "sk-very-secret" not in done.stderr
    for file in (tmp_path / "run").rglob("*"):
        assert b"sk-very-secret" not in file.read_bytes()


def test_a_damaged_manifest_is_named(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "manifest.json").write_text("{")
    args = ("probe", "hiring-an", "--model", "sim:unbiased", "--out", "run", "--force")
    refused(*args, told="manifest.json", cwd=tmp_path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": None}, ["Row 2", "name"]),
        ({"name": "Nobody Known"}, ["Row 2", "Nobody Known", "gender"]),
        ({"role": "nurs"}, ["Row 2", "nurs", "Did you mean 'nurse'", "masculinity"]),
        ({"qualification": "superb"}, ["Row 2", "superb", "omitted"]),
        ({"template": 5}, ["Row 2", "template", "0 to 4"]),
        ({"template": "first"}, ["Row 2", "first"]),
        ({"gender": "m"}, ["Row 2", "gender", "male"]),
        ({"masculinity": 4.5}, ["Row 2", "4.5"]),
        ({"answer": True}, ["answer"]),
    ],
    ids=str,
)
def test_saved_answers_with_a_wrong_value_name_the_row(tmp_path, change, words):
    rows = [dict(SAVED), {**SAVED, **change}]
    if "answer" in change:
        rows[0]["answer"] = False
    (tmp_path / "saved.jsonl").write_bytes(b"\n".join(map(orjson.dumps, rows)))
    refused("measure hiring-an saved.jsonl --out run", told=words, cwd=tmp_path)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("column", ["name", "role", "qualification", "template", "answer"])
def test_saved_answers_without_a_column_name_it(tmp_path, column):
    row = {key: value for key, value in SAVED.items() if key != column}
    (tmp_path / "saved.jsonl").write_bytes(orjson.dumps(row))
    refused("measure hiring-an saved.jsonl", told=column, cwd=tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("saved.jsonl", b"", ["no rows"]),
        ("saved.jsonl", b'{"answer": "x"\n', ["Line 1"]),
        ("saved.jsonl", b"[1]\n", ["Line 1", "object"]),
        ("saved.parquet", b"no parquet", ["Parquet"]),
        ("saved.txt", b"hello", [".txt", ".jsonl"]),
    ],
)
def test_files_that_are_no_saved_answers(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    refused("measure hiring-an", name, told=words, cwd=tmp_path)


def test_the_journal_of_a_run_is_not_measured_as_saved_answers(tmp_path):
    args = ("probe", "hiring-an", "--model", "sim:random", "--sample", 20, "--quiet", "--out", "run")
    evenhand(*args, cwd=tmp_path)
    journal = "run/answers-000.jsonl"
    told = ("the journal of a run", "its findings are in run")
    done = refused("measure hiring-an", journal, "--out", "new", told=told, cwd=tmp_path)
    assert "taken away" not in done.stderr
    evenhand(*args, "--resume", "--redact-answers", cwd=tmp_path)
    refused("measure hiring-an", journal, "--out", "new", told="can't be measured again", cwd=tmp_path)
