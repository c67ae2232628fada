"""Runs that stop when the interval is narrow enough."""

import orjson
import pytest
from _cli import evenhand, findings, journal, loopback, refused, seen

RUN = ("probe", "hiring-an", "--model", "sim:masculine?strength=0.3", "--sample", 4000)


def manifest(folder):
    return orjson.loads((folder / "manifest.json").read_bytes())


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """Return a folder with a run that stopped, and what was told."""
    folder = tmp_path_factory.mktemp("stopped")
    return folder, evenhand(*RUN, "--until-width", 0.2, "--out", "run", "--quiet", cwd=folder)


def test_a_run_stops_when_the_interval_is_narrow_enough_and_says_what_it_saved(stopped):
    tmp_path, done = stopped
    rows, audit = findings(tmp_path / "run")
    stopping = audit["stopping"]
    assert stopping == manifest(tmp_path / "run")["stopping"]
    assert manifest(tmp_path / "run")["status"] == "finished"
    row = rows["diff_acceptance_rate"]
    assert row["high"] - row["low"] == pytest.approx(stopping["width"])
    assert stopping["width"] <= 0.2
    assert (stopping["planned"], stopping["reached"], stopping["prompts"] % 100) == (4000, True, 0)
    assert stopping["saved"] == pytest.approx(1 - stopping["prompts"] / 4000)
    assert audit["attempts"] == row["n"] == stopping["prompts"] < 4000
    assert row["method"].startswith("confidence sequence")
    assert row["low"] <= row["estimate"] <= row["high"]
    assert not any("bootstrap" in other["method"] for other in row["alternatives"])
    assert rows["diff_regression"]["method"] == "cluster-robust by name × role"
    assert rows["mvf_acceptance_rate"]["low"] == row["low"]
    assert stopping["sentence"] in done.stderr
    page = (tmp_path / "run" / "report.html").read_text("utf-8")
    assert stopping["sentence"] in page.replace("\N{NO-BREAK SPACE}", " ")
    assert any("not planned for stopping early" in " ".join(line.split()) for line in audit["warnings"])
    assert "--until-width 0.2" in audit["reproduce"]


def test_the_findings_of_other_measures_are_those_of_as_many_prompts(stopped, tmp_path):
    stopped, audit = findings(stopped[0] / "run")
    fixed = (*RUN[:-1], audit["stopping"]["prompts"])
    evenhand(*fixed, "--out", "fixed", "--quiet", "--no-report", cwd=tmp_path)
    whole, _ = findings(tmp_path / "fixed")
    differ = {name for name in whole if whole[name] != stopped[name]}
    assert differ == {"diff_acceptance_rate", "mvf_acceptance_rate"}
    assert whole["diff_acceptance_rate"]["estimate"] == stopped["diff_acceptance_rate"]["estimate"]
    assert stopped["diff_acceptance_rate"]["high"] > whole["diff_acceptance_rate"]["high"]


def test_a_width_that_the_sample_cannot_give_is_done_too_and_said(tmp_path):
    args = ("probe", "hiring-an", "--model", "sim:random", "--sample", 250, "--until-width", 0.01, "--no-report")
    done = evenhand(*args, "--out", "run", "--quiet", cwd=tmp_path)
    assert "--until-width 0.01 was not reached" in done.stderr
    rows, audit = findings(tmp_path / "run")
    assert (audit["stopping"]["reached"], audit["stopping"]["prompts"], audit["stopping"]["looks"]) == (False, 250, 3)
    assert rows["diff_acceptance_rate"]["method"].startswith("confidence sequence")
    assert not any("stopping early" in line for line in audit["warnings"])


def test_resuming_a_stopped_run_asks_nothing_and_finds_the_same(tmp_path):
    with loopback(then="ok") as url:
        args = ("probe", "hiring-an", "--model", "openai:test", "--base-url", url, "--sample", 2000, "--out", "run")
        args = (*args, "--until-width", 0.5, "--quiet", "--no-report")
        evenhand(*args, cwd=tmp_path)
        asked, first = seen(url)["requests"], findings(tmp_path / "run")
        assert asked < 2000
        assert len(journal(tmp_path / "run")) == asked  # what was under way is kept
        evenhand(*args, "--resume", cwd=tmp_path)
        assert seen(url)["requests"] == asked
    rows, audit = findings(tmp_path / "run")
    assert rows == first[0]
    assert audit["stopping"] == first[1]["stopping"]
    assert audit["attempts"] == audit["stopping"]["prompts"]


def test_an_interrupted_run_goes_on_to_the_same_stop(tmp_path):
    with loopback(then="ok") as url:
        args = ("probe", "hiring-an", "--model", "openai:test", "--base-url", url, "--sample", 2000, "--quiet")
        args = (*args, "--until-width", 0.5, "--no-report")
        evenhand(*args, "--out", "straight", cwd=tmp_path)
        evenhand(*args, "--out", "run", "--max-requests", 130, cwd=tmp_path, code=4)
        evenhand(*args, "--out", "run", "--resume", cwd=tmp_path)
    straight, run = (findings(tmp_path / out) for out in ("straight", "run"))
    assert run[0] == straight[0]
    for name in ("prompts", "looks", "width"):
        assert run[1]["stopping"][name] == straight[1]["stopping"][name]


def test_rankings_stop_on_the_mean_of_their_roles_and_the_distance_follows(tmp_path):
    args = ("probe", "hiring-bloomberg", "--model", "sim:masculine?strength=0.4", "--until-width", 0.15)
    evenhand(*args, "--no-report", "--out", "run", "--quiet", cwd=tmp_path)
    rows, audit = findings(tmp_path / "run")
    rate, distance = rows["masculine_rate"], rows["disparity"]
    assert audit["stopping"]["measure"] == "masculine_rate"
    assert rate["high"] - rate["low"] <= 0.15
    assert (distance["low"], distance["high"]) == pytest.approx((rate["low"] - 0.5, rate["high"] - 0.5))
    assert rate["claim"]["verdict"] == "difference"


@pytest.mark.parametrize(
    ("probe", "options", "told"),
    [
        ("an2024", (), "permutation"),
        ("business-vocabulary", (), "pooled words"),
        ("hiring-an", ("--repetitions", 2), "--repetitions"),
        ("hiring-an", ("--batch",), "--batch"),
        ("hiring-an", ("--shard", "1/2"), "--shard"),
    ],
)
def test_what_cannot_be_watched_is_refused_before_anything_is_asked(tmp_path, probe, options, told):
    refused(
        "probe", probe, "--model", "sim:random", *options, "--until-width", 0.1, "--out", "run", told=told, cwd=tmp_path
    )


def test_a_suite_with_such_a_probe_is_refused(tmp_path):
    refused("audit --model sim:random --until-width 0.1 --out run", told="business-vocabulary", cwd=tmp_path)


@pytest.mark.parametrize("change", [("--until-width", 0.1), ("--sample", 300), ()])
def test_a_run_is_resumed_with_the_width_and_sample_it_was_begun_with(tmp_path, change):
    args = ("probe", "hiring-an", "--model", "sim:random", "--out", "run", "--quiet", "--no-report")
    first = {"--sample": 200, "--until-width": 0.05}
    evenhand(*args, *(word for pair in first.items() for word in pair), cwd=tmp_path)
    later = {"--sample": 200} if not change else {**first, change[0]: change[1]}
    refused(*args, *(word for pair in later.items() for word in pair), "--resume", told="run was", cwd=tmp_path)


def test_a_stopped_run_can_be_redacted(tmp_path):
    args = (*RUN, "--until-width", 0.4, "--out", "run", "--quiet", "--no-report", "--redact-answers")
    evenhand(*args, cwd=tmp_path)
    before = findings(tmp_path / "run")
    assert {line["text"] for line in journal(tmp_path / "run")} == {None}
    evenhand(*args, "--resume", cwd=tmp_path)
    assert findings(tmp_path / "run") == before
