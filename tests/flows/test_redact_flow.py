"""Runs that keep outcomes without the text of answers."""

import html
import shutil
import zipfile

import orjson
import polars as pl
import pytest
from _cli import evenhand, findings, journal, loopback, refused, seen

PROBES = {
    "hiring-an": ("--sample", 60),
    "hiring-bloomberg": ("--sample", 40),
    "business-vocabulary": ("--sample", 48),
    "an2024": ("--roles", "7", "--seeds", "1", "--monte-carlo", "50", "--sample", 240),
}


def ask(cwd, *args, page=False):
    drawn = () if page or args[0] == "collect" else ("--no-report",)
    return evenhand(*args, *drawn, "--quiet", cwd=cwd)


def manifest(folder):
    return orjson.loads((folder / "manifest.json").read_bytes())


def held(folder):
    """Return all that stands in a folder as one text, what is packed in Parquet unpacked."""
    texts = []
    for file in folder.rglob("*"):
        if file.suffix == ".parquet":
            frame = pl.read_parquet(file)
            texts += [str(value) for name in frame.columns for value in frame[name].cast(pl.String).unique().to_list()]
        elif file.suffix == ".xlsx":
            with zipfile.ZipFile(file) as book:
                texts += [html.unescape(book.read(name).decode()) for name in book.namelist()]
        elif file.is_file():
            texts.append(file.read_text("utf-8"))
    return "\n".join(texts)


def same_but_for_answers(folder, other):
    """Return whether two runs have the same findings, and the same lines but for text and time."""
    kept = [
        [
            {key: value for key, value in line.items() if key not in {"text", "time", "latency"}}
            for line in journal(each)
        ]
        for each in (folder, other)
    ]
    return findings(folder)[0] == findings(other)[0] and kept[0] == kept[1]


@pytest.mark.parametrize("probe", PROBES)
def test_no_text_of_an_answer_stays_and_the_findings_do(tmp_path, probe):
    args = ("probe", probe, "--model", "sim:stereotyping", *PROBES[probe])
    ask(tmp_path, *args, "--out", "kept", page=True)
    done = ask(tmp_path, *args, "--out", "redacted", "--redact-answers", page=True)
    assert same_but_for_answers(tmp_path / "redacted", tmp_path / "kept")
    texts = {line["text"] for line in journal(tmp_path / "kept")}
    there = held(tmp_path / "redacted") + done.stdout + done.stderr
    sample = held(tmp_path / "kept")
    for text in texts:
        pieces = [orjson.dumps(text).decode()[1:-1], html.escape(text), *(line for line in text.splitlines() if line)]
        assert any(piece in sample for piece in pieces)  # the search finds what is there
        # A line that stands in the prompts or cards as well, such as a bare name, tells nothing of an answer.
        assert not any(piece in there for piece in pieces[:2] + [line for line in pieces[2:] if len(line) > 60])
    assert {line["text"] for line in journal(tmp_path / "redacted")} == {None}
    assert manifest(tmp_path / "redacted")["redacted"] is True
    assert manifest(tmp_path / "kept")["redacted"] is False
    _, audit = findings(tmp_path / "redacted")
    assert (audit["redacted"], audit["example"]["answer"], audit["twins"]) == (True, None, None)
    assert not list((tmp_path / "redacted").glob(".*.part"))
    refused("data label-sheet redacted --out sheet.csv", told="--redact-answers", cwd=tmp_path)
    refused("measure redacted --out again", told="redacted", cwd=tmp_path)


def test_resuming_a_redacted_run_asks_nothing_and_changes_nothing(tmp_path):
    with loopback(then="ok") as url:
        args = ("probe", "hiring-an", "--model", "openai:test", "--base-url", url, "--sample", 40, "--out", "run")
        ask(tmp_path, *args, "--redact-answers")
        before = {file.name: file.read_bytes() for file in (tmp_path / "run").iterdir()}
        for more in ((), ("--redact-answers",)):
            ask(tmp_path, *args, *more, "--resume")
        assert seen(url)["requests"] == 40
        after = {file.name: file.read_bytes() for file in (tmp_path / "run").iterdir()}
        assert {name for name in before if before[name] != after[name]} <= {".lock"}
        refused(*args[:-4], "--sample", 60, "--out", "run", "--resume", told="redacted", cwd=tmp_path)


def test_an_unfinished_run_keeps_its_answers_until_it_is_finished(tmp_path):
    with loopback(then="ok") as url:
        args = ("probe", "hiring-an", "--model", "openai:test", "--base-url", url, "--sample", 40, "--out", "run")
        evenhand(*args, "--redact-answers", "--max-requests", 10, cwd=tmp_path, code=4)
        assert None not in {line["text"] for line in journal(tmp_path / "run")}
        ask(tmp_path, *args, "--redact-answers", "--resume")
    assert [line["text"] for line in journal(tmp_path / "run")] == [None] * 40
    assert findings(tmp_path / "run")[1]["statuses"] == {"observed": 40}


def test_once_asked_for_redaction_is_kept_when_the_run_goes_on(tmp_path):
    with loopback(then="ok") as url:
        args = ("probe", "hiring-an", "--model", "openai:test", "--base-url", url, "--sample", 40, "--out", "run")
        stopped = evenhand(*args, "--redact-answers", "--max-requests", 10, cwd=tmp_path, code=4)
        assert "--resume --out run --redact-answers" in stopped.stderr
        assert manifest(tmp_path / "run")["redact_answers"] is True
        again = evenhand(*args, "--resume", "--max-requests", 10, cwd=tmp_path, code=4)
        assert "--resume --out run --redact-answers" in again.stderr
        done = ask(tmp_path, *args, "--resume")
        assert "begun with --redact-answers" in done.stderr
    assert {line["text"] for line in journal(tmp_path / "run")} == {None}
    assert manifest(tmp_path / "run")["redacted"] is True
    assert "--redact-answers" in findings(tmp_path / "run")[1]["reproduce"]


def test_a_suite_that_goes_on_keeps_it_for_probes_that_had_not_begun(tmp_path):
    with loopback(then="ok") as url:
        args = ("audit", "--model", "openai:test", "--base-url", url, "--sample", 40, "--out", "run")
        stopped = evenhand(*args, "--redact-answers", "--max-requests", 10, cwd=tmp_path, code=4)
        assert "--resume --out run --redact-answers" in stopped.stderr
        # At the limit exactly, and before the next probe begins.
        stopped = evenhand(*args, "--resume", "--max-requests", 30, cwd=tmp_path, code=4)
        assert "--resume --out run --redact-answers" in stopped.stderr
        ask(tmp_path, *args, "--resume")
    for probe in ("hiring-an", "hiring-bloomberg", "business-vocabulary"):
        assert {line["text"] for line in journal(tmp_path / "run" / probe)} == {None}


def test_no_words_of_single_answers_stay(tmp_path):
    args = ("probe", "business-vocabulary", "--model", "sim:stereotyping", "--sample", 80)
    ask(tmp_path, *args, "--out", "kept")
    ask(tmp_path, *args, "--out", "redacted", "--redact-answers")
    assert (tmp_path / "kept" / "words.parquet").exists()
    # As a crash leaves it while words are counted.
    ask(tmp_path, *args, "--out", "later")
    (tmp_path / "later" / ".words.parquet.000000").write_bytes(b"words")
    ask(tmp_path, *args, "--out", "later", "--resume", "--redact-answers")
    for number in (1, 2):
        ask(tmp_path, *args, "--shard", f"{number}/2", "--out", f"part{number}")
    ask(tmp_path, "collect", "merge", "part1", "part2", "--out", "joined", "--redact-answers")
    for folder in ("redacted", "later", "joined"):
        assert not list((tmp_path / folder).glob("*words.parquet*"))
        assert same_but_for_answers(tmp_path / folder, tmp_path / "kept")
        assert {line["text"] for line in journal(tmp_path / folder)} == {None}
        assert (tmp_path / folder / "words.csv").read_bytes() == (tmp_path / "kept" / "words.csv").read_bytes()


def test_a_crash_while_texts_are_taken_away_loses_no_outcome(tmp_path):
    args = ("probe", "hiring-an", "--model", "sim:stereotyping", "--sample", 60, "--out", "run")
    ask(tmp_path, *args)
    shutil.copytree(tmp_path / "run", tmp_path / "kept")
    # As a crash leaves it: measured, half of the lines in a file that is redacted already, half not.
    lines = journal(tmp_path / "run")
    redacted = [{**line, "text": None} for line in lines[:30]]
    for number, part in enumerate((redacted, lines[30:])):
        file = tmp_path / "run" / f"answers-{number:03d}.jsonl"
        file.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in part))
    state = {**manifest(tmp_path / "run"), "redacted": True, "status": "redacting"}
    (tmp_path / "run" / "manifest.json").write_bytes(orjson.dumps(state))
    (tmp_path / "run" / ".answers-001.jsonl.part").write_bytes(b"{")
    ask(tmp_path, *args, "--resume", "--redact-answers")
    assert {line["text"] for line in journal(tmp_path / "run")} == {None}
    assert manifest(tmp_path / "run")["status"] == "finished"
    assert same_but_for_answers(tmp_path / "run", tmp_path / "kept")
    assert not (tmp_path / "run" / ".answers-001.jsonl.part").exists()
