"""Whole runs with a model in this process."""

import shutil
import signal
import subprocess
import sys
import time

import orjson
import pytest
from _cli import environment, evenhand, findings, journal

import evenhand as eh
from evenhand.errors import Incomplete, InputError


def probe(model, out, **options):
    """Return a run of 24 prompts, in three chunks of eight unless said otherwise."""
    options = {"sample": 24, "concurrency": 8, "temperature": 1, **options}
    return eh.probe("hiring-an", f"hf:{model}", out=out, **options)


def told(folder):
    """Return what was answered, without the clock."""
    return {
        line["id"]: (line["text"], line["finish_reason"], line["output_tokens"], line["chunk"])
        for line in journal(folder)
    }


def test_a_folder_of_weights_is_probed_to_the_report(deciding, tmp_path):
    args = ("--model", f"hf:{deciding}", "--sample", 24, "--quiet", "--out", "run")
    done = evenhand("probe", "hiring-an", *args, cwd=tmp_path)
    assert done.stderr == ""
    rows, audit = findings(tmp_path / "run")
    assert audit["statuses"] == {"observed": 24}
    assert rows["diff_acceptance_rate"]["n"] == 24
    assert audit["simulated"] is False
    assert len(audit["returned_models"]) == 1
    assert audit["returned_models"][0].startswith("LlamaForCausalLM sha256:")
    assert {"torch", "transformers"} <= set(audit["versions"])
    assert "--concurrency 16" in audit["reproduce"]
    assert (tmp_path / "run" / "report.html").is_file()


def test_the_same_run_twice_gives_the_same_texts(deciding, tmp_path):
    one, two = (probe(deciding, tmp_path / out) for out in ("one", "two"))
    assert told(one.folder) == told(two.folder)
    assert len({line["text"] for line in journal(one.folder)}) == 2
    assert one.findings == two.findings


def test_chunks_follow_the_order_of_the_plan(deciding, tmp_path):
    lines = sorted(journal(probe(deciding, tmp_path / "run").folder), key=lambda line: line["sent_order"])
    assert [line["chunk"]["place"] for line in lines] == [*range(8)] * 3
    assert [len({line["chunk"]["id"] for line in lines[start : start + 8]}) for start in (0, 8, 16)] == [1, 1, 1]
    assert {line["chunk"]["size"] for line in lines} == {8}


def test_a_resumed_run_gives_the_texts_of_one_that_was_not_stopped(deciding, tmp_path):
    whole = probe(deciding, tmp_path / "whole")
    with pytest.raises(Incomplete):
        probe(deciding, tmp_path / "parts", max_requests=16)
    assert len(journal(tmp_path / "parts")) == 16
    resumed = probe(deciding, tmp_path / "parts", resume=True)
    assert told(resumed.folder) == told(whole.folder)
    assert resumed.findings == whole.findings


def test_a_finished_run_is_resumed_without_reading_the_weights(deciding, tmp_path):
    shutil.copytree(deciding, tmp_path / "model")
    probe(tmp_path / "model", tmp_path / "run")
    (tmp_path / "model" / "model.safetensors").unlink()
    assert probe(tmp_path / "model", tmp_path / "run", resume=True).findings


@pytest.fixture
def interrupts_are_heard():
    """Hear SIGINT also where the tests run in the background of a shell, which has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupts_are_heard")
def test_ctrl_c_keeps_what_was_answered(babbling, tmp_path):
    args = ("--model", f"hf:{babbling}", "--sample", "2000", "--max-tokens", "200", "--concurrency", "2")
    command = [sys.executable, "-m", "evenhand", "probe", "hiring-an", *args, "--quiet", "--out", "run"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment(), **pipes)
    while process.poll() is None and not journal(tmp_path / "run"):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=100)
    assert process.returncode == 130, said
    assert "--resume --out run" in said
    assert len(said.splitlines()) == 1
    manifest = orjson.loads((tmp_path / "run" / "manifest.json").read_bytes())
    assert manifest["status"] == "incomplete"
    # A chunk is kept whole or not at all.
    lines = journal(tmp_path / "run")
    assert len(lines) % 2 == 0
    assert {line["chunk"]["size"] for line in lines} == {2}


@pytest.mark.usefixtures("local_models")
def test_a_damaged_folder_ends_the_run_in_one_line(tmp_path):
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / "config.json").write_text("{}")
    with pytest.raises(InputError, match=r"^\S+/damaged holds no model that transformers can read: [^\n]+$"):
        probe(tmp_path / "damaged", tmp_path / "run")
