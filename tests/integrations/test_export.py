"""`evenhand export inspect`: some answers and all findings as a log that inspect_ai reads."""

import json
import re
import zipfile
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

pytest.importorskip("inspect_ai", reason="inspect_ai is not installed: evenhand[inspect]")

from _cli import environment, evenhand, findings, journal, loopback, own_process
from _ours import asked_by_us, call, shown
from hypothesis import given
from hypothesis import strategies as st

from evenhand.analyses.options.output import ExportOptions
from evenhand.errors import InputError
from evenhand.integrations.export import export_inspect
from evenhand.integrations.inspect_log import quotas


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Return a folder with a finished run per probe."""
    folder = tmp_path_factory.mktemp("runs")
    for name, sample in (("hiring-an", 300), ("hiring-bloomberg", 40), ("business-vocabulary", 60)):
        words = ("probe", name, "--model", "sim:stereotyping", "--sample", sample, "--out", name, "--quiet")
        evenhand(*words, "--no-report", cwd=folder)
    return folder


def exported(run, inspect_does, *words, cwd):
    """Return the log of a run, as inspect's own reader has it."""
    done = evenhand("export", "inspect", run, "--out", "x.eval", "--force", *words, cwd=cwd)
    assert done.stdout == "x.eval\n"
    return inspect_does({"read": str(cwd / "x.eval")})["log"]


def test_the_log_holds_a_sample_and_says_so(runs, inspect_does):
    log = exported("hiring-an", inspect_does, "--sample", "40", cwd=runs)
    assert log["status"] == "success"
    assert (log["eval"]["task"], log["eval"]["model"]) == ("evenhand/hiring_an", "sim/stereotyping")
    assert len(log["samples"]) == 40
    about = log["eval"]["metadata"]
    assert about["sampled"].startswith("40 of 300 answers")
    assert about["simulated"] is True
    assert log["results"]["total_samples"] == 300
    lines = {(row["index"], row["attempt"] + 1): row for row in journal(runs / "hiring-an")}
    prompts = {each.index: call(each)[0] for each in asked_by_us("hiring-an", sample=300)}
    for sample in log["samples"]:
        line = lines[sample["id"], sample["epoch"]]
        assert sample["output"]["choices"][0]["message"]["content"] == line["text"]
        assert sample["uuid"] == line["id"]
        assert sample["total_time"] == line["latency"]
        assert sample["input"] == prompts[sample["id"]]


def test_the_metrics_are_the_findings_of_all_answers(runs, inspect_does):
    log = exported("hiring-an", inspect_does, "--sample", "10", cwd=runs)
    ours, _ = findings(runs / "hiring-an")
    assert shown(log) == {name: row["estimate"] for name, row in ours.items() if row["estimate"] is not None}
    metric = log["results"]["scores"][0]["metrics"]["diff_regression"]
    row = ours["diff_regression"]
    assert [metric["metadata"][key] for key in ("low", "high", "n", "mark")] == [
        row[key] for key in ("low", "high", "n", "mark")
    ]
    assert next(iter(shown(log))) == "diff_acceptance_rate"


def test_every_status_and_group_is_there_about_equally_often(runs, inspect_does):
    log = exported("hiring-an", inspect_does, "--sample", "40", cwd=runs)
    rows = pl.read_parquet(runs / "hiring-an" / "outcomes.parquet")
    kinds = rows.select("status", "protected.race", "protected.gender").unique().height
    drawn = Counter(
        (each["scores"]["reading"]["metadata"]["status"], each["metadata"]["race"], each["metadata"]["gender"])
        for each in log["samples"]
    )
    assert len(drawn) == kinds
    common = [count for (status, *_), count in drawn.items() if status == "observed"]
    assert max(common) - min(common) <= 1
    strata = log["eval"]["metadata"]["sampled_strata"]
    assert sum(int(text.split(" of ")[1]) for text in strata.values()) == 300


def test_the_draw_follows_from_its_seed(runs, inspect_does):
    first, again, other = (
        exported("hiring-an", inspect_does, "--sample", "20", "--seed", seed, cwd=runs) for seed in ("1", "1", "2")
    )
    assert first == again
    assert {each["id"] for each in first["samples"]} != {each["id"] for each in other["samples"]}


def test_a_small_run_is_exported_whole(runs, inspect_does):
    log = exported("hiring-bloomberg", inspect_does, cwd=runs)
    assert log["eval"]["metadata"]["sampled"].startswith("40 of 40 answers")
    rows = pl.read_parquet(runs / "hiring-bloomberg" / "outcomes.parquet")
    won = rows.filter(pl.col("successes") == 1)
    first = dict(zip(won["set"], won["protected.race"] + " " + won["protected.gender"], strict=True))
    for sample in log["samples"]:
        score = sample["scores"]["reading"]
        assert score["value"] == first.get(str(sample["id"]), score["metadata"]["status"])


def test_documents_have_their_counts(runs, inspect_does):
    log = exported("business-vocabulary", inspect_does, "--sample", "6", cwd=runs)
    rows = pl.read_parquet(runs / "business-vocabulary" / "outcomes.parquet")
    for sample in log["samples"]:
        own = rows.filter(unit=str(sample["id"]))
        if own["status"][0] == "observed":
            counts = sample["scores"]["reading"]["metadata"]["counts"]
            assert counts == {row["aspect"]: [row["successes"], row["trials"]] for row in own.to_dicts()}


SECRET = "sk-a-secret-that-no-file-may-hold"


def test_a_servers_run_has_usage_and_failures_and_no_key(tmp_path, inspect_does):
    with loopback(faults="ok,filtered,refusal") as base:
        words = ("probe", "hiring-an", "--model", "openai:m", "--base-url", base, "--sample", "20", "--out", "r")
        done = evenhand(*words, "--temperature", "0.5", cwd=tmp_path, env=environment(OPENAI_API_KEY=SECRET))
    assert done.returncode == 0, done.stderr
    log = exported("r", inspect_does, cwd=tmp_path)
    lines = journal(tmp_path / "r")
    usage = log["stats"]["model_usage"]["openai/m"]
    assert usage["input_tokens"] == sum(row["input_tokens"] or 0 for row in lines)
    assert usage["output_tokens"] == sum(row["output_tokens"] or 0 for row in lines) > 0
    assert log["eval"]["model_generate_config"]["temperature"] == 0.5
    failed = [each for each in log["samples"] if each["error"] is not None]
    assert [each["error"]["message"] for each in failed] == ["content_filter"]
    refused = [each for each in log["samples"] if each["scores"]["reading"]["value"] == "refused"]
    assert refused
    with zipfile.ZipFile(tmp_path / "x.eval") as archive:
        content = b"".join(archive.read(name) for name in archive.namelist())
    assert SECRET.encode() not in content
    assert base.encode() not in content
    assert b"uthorization" not in content


def test_answers_whose_text_was_not_kept_have_their_status(runs, tmp_path, inspect_does):
    kept = runs / "hiring-an"
    run = tmp_path / "r"
    run.mkdir()
    for name in ("manifest.json", "findings.json", "outcomes.parquet"):
        (run / name).write_bytes((kept / name).read_bytes())
    lines = [{**row, "text": None} for row in journal(kept)]
    (run / "answers-000.jsonl").write_text("".join(json.dumps(row) + "\n" for row in lines), encoding="utf-8")
    log = exported("r", inspect_does, "--sample", "30", cwd=tmp_path)
    assert {each["scores"]["reading"]["value"] for each in log["samples"]} >= {"accepted", "rejected"}
    assert all(each["scores"]["reading"]["answer"] is None for each in log["samples"])
    assert {each["metadata"]["text"] for each in log["samples"]} == {"not given, or not kept"}


def test_own_templates_are_given_again(tmp_path, inspect_does):
    templates = tmp_path / "t.json"
    templates.write_text(json.dumps([{"male": "Praise him, {name}.", "female": "Praise her, {name}."}]))
    words = ("probe", "business-vocabulary", "--model", "sim:unbiased", "--templates", "t.json", "--sample", "20")
    evenhand(*words, "--out", "r", cwd=tmp_path)
    without = evenhand("export", "inspect", "r", "--out", "x.eval", cwd=tmp_path, code=2)
    assert without.stderr.count("\n") == 1
    assert "--templates t.json; give that file again" in without.stderr
    log = exported("r", inspect_does, "--templates", "t.json", cwd=tmp_path)
    assert all(each["input"].startswith("Praise h") for each in log["samples"])
    templates.write_text(json.dumps([{"male": "Scold him, {name}.", "female": "Scold her, {name}."}]))
    other = evenhand("export", "inspect", "r", "--out", "y.eval", "--templates", "t.json", cwd=tmp_path, code=2)
    assert "is not the file that the run was made with" in other.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere", "a.eval", {}), "nowhere holds no run"),
        (("suite", "a.eval", {}), "suite is not a run of one probe; expected such a folder. It holds those of one"),
        (("hiring-an", "a.json", {}), "--out is a.json; expected a file that ends in .eval"),
        (("hiring-an", "no/a.eval", {}), "There is no folder no to write a.eval into"),
        (("hiring-an", "there.eval", {}), "there.eval already exists. Use --force"),
        (("hiring-an", "a.eval", {"sample": 0}), "--sample is 0; expected a whole number from 1"),
        (("hiring-an", "a.eval", {"seed": -1}), "--seed is -1; expected a whole number from 0"),
        (("unfinished", "a.eval", {}), "The run in unfinished is not finished"),
    ],
)
def test_what_cannot_be_exported_is_an_input_error(words, told, runs, monkeypatch):
    monkeypatch.chdir(runs)
    Path("there.eval").touch()
    for name, manifest in {
        "suite": {"kind": "suite"},
        "suite/one": {"kind": "probe", "probe": "hiring-an"},
        "unfinished": {"kind": "probe", "probe": "hiring-an", "status": "incomplete"},
    }.items():
        Path(name).mkdir(exist_ok=True)
        Path(name, "manifest.json").write_text(json.dumps({"schema": "evenhand.run/1", **manifest}))
    run, out, options = words
    with pytest.raises(InputError, match=re.escape(told)):
        export_inspect(Path(run), ExportOptions(out=Path(out), **options), files={})
    assert not Path("a.eval").exists()


def test_without_the_extra_one_line_says_what_to_install(runs, tmp_path):
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text("import sys\nsys.modules['inspect_ai'] = None\n", encoding="utf-8")
    words = ("export", "inspect", "hiring-an", "--out", "a.eval")
    done = own_process(*words, cwd=runs, env=environment(PYTHONPATH=str(hidden)))
    assert done.returncode == 2
    assert done.stderr.strip() == (
        "export inspect needs inspect_ai, which is not installed; install evenhand[inspect]."
    )


@given(st.lists(st.integers(1, 50), min_size=1), st.integers(0, 400))
def test_quotas_are_as_equal_as_the_sizes_allow(sizes, total):
    taken = quotas(sizes, total)
    assert sum(taken) == min(total, sum(sizes))
    assert all(0 <= each <= size for each, size in zip(taken, sizes, strict=True))
    fullest = max(taken)
    assert all(each == size or each >= fullest - 1 for each, size in zip(taken, sizes, strict=True))
