"""Scorers of every kind are asked about all arms, and what goes wrong has its status or ends the run."""

import json
import sys
from collections import Counter

import polars as pl
import pytest

from evenhand.analyses.options.probes import ProbeOptions, Shards
from evenhand.analyses.options.scores import Scoring
from evenhand.analyses.perturb_arms import KEY, write_arms
from evenhand.analyses.perturb_asking import ask_arms
from evenhand.errors import Incomplete, InputError, Interrupted, ServiceError
from evenhand.models.model import Generation
from evenhand.models.outcomes import read_answers
from loopback_scorer import Scorer, running, score_of


@pytest.fixture
def ask(tmp_path, layout_of):
    """Return a function that asks a scorer about a layout; its options are those of a run."""

    def run(scorer, *, layout=None, notices=None, scoring=None, finish=None, parts=(), **options):
        notices = [] if notices is None else notices
        options = ProbeOptions(**{"model": scorer, "out": tmp_path / "run"} | options)
        scoring = Scoring(scorer=scorer, **(scoring or {}))
        return ask_arms(layout or layout_of(), scoring, options, notice=notices.append, finish=finish, parts=parts)

    return run


def outcomes(run):
    return pl.read_parquet(run.folder.outcomes)


def statuses(run):
    return Counter(outcomes(run)["status"].to_list())


def manifest(run):
    return json.loads((run.folder.path / "manifest.json").read_text())


def test_a_service_is_asked_once_for_each_stimulus_and_its_scores_become_outcomes(ask, layout_of):
    layout = layout_of()
    with running(Scorer()) as server:
        run = ask(f"{server.url}/score", layout=layout)
    frame = outcomes(run)
    assert server.requests == frame.height == layout.size
    assert statuses(run) == {"observed": layout.size}
    expected = {
        (row["unit"], float(score_of(row["resume_text"], row["position_text"])))
        for row in run.probe.designs["arms"]
        .stimuli(pl.arange(0, layout.size, eager=True).to_numpy())
        .iter_rows(named=True)
    }
    assert set(frame.select("unit", "score").iter_rows()) == expected
    assert not any("id" in body or "arm" in body for body in server.bodies)
    told = manifest(run)
    assert (told["kind"], told["status"], told["requests"], told["simulated"]) == (
        "perturb",
        "finished",
        layout.size,
        False,
    )


def test_passing_faults_are_asked_again_and_lasting_ones_have_a_status(ask, layout_of):
    faults = ["ok", "429:0", "500", "reset", "html", 'value:"high"', "value:NaN", "value:101", "400", "lacking"]
    with running(Scorer(faults)) as server:
        run = ask(f"{server.url}/score", scoring={"range": "0-100"}, concurrency=1)
    size = layout_of().size
    assert server.requests == size + 4
    assert statuses(run) == {"observed": size - 5, "undetected": 3, "error": 2}
    readings = Counter(outcomes(run)["reading"].to_list())
    assert readings == {
        "number": size - 5,
        "no number": 1,
        "no finite number": 1,
        "out of range": 1,
        "rejected": 1,
        "no_score": 1,
    }


def test_a_run_that_was_stopped_goes_on_where_it_was(ask, layout_of):
    size = layout_of().size
    with running(Scorer()) as server:
        address = f"{server.url}/score"
        with pytest.raises(Incomplete, match="7 requests were sent"):
            ask(address, max_requests=7, concurrency=1)
        run = ask(address, resume=True)
        assert server.requests == size
        again = ask(address, resume=True)
    assert server.requests == size
    assert outcomes(again).height == size
    assert manifest(run)["requests"] == size


def test_a_service_that_refuses_in_the_middle_ends_the_run_and_it_can_go_on(ask, layout_of):
    with running(Scorer(["ok"] * 5, then="401")) as server:
        address = f"{server.url}/score"
        with pytest.raises(ServiceError, match="5 answers are kept"):
            ask(address, concurrency=1)
        server.faults, server.then = [], "ok"
        run = ask(address, resume=True)
    assert statuses(run) == {"observed": layout_of().size}


@pytest.mark.parametrize(
    ("then", "told"),
    [
        ("lacking", "no score stands at /score: the keys there are points, unit. Give --score-at."),
        ("404", "Check the address in --scorer."),
        ("redirect:http://127.0.0.1:9/", "Give the final address with --scorer."),
    ],
)
def test_a_scorer_that_never_gives_a_score_ends_the_run_with_the_reason(ask, then, told):
    with running(Scorer(then=then)) as server, pytest.raises(ServiceError) as caught:
        ask(f"{server.url}/score")
    assert told in str(caught.value)
    assert server.requests <= 32


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"scoring": {"range": "0-1"}}, "was run with another --range"),
        ({"scoring": {"score_at": "/points"}}, "was run with another --request or --score-at"),
        ({"seed": 1}, "was run with other people, positions, arms, names or another seed"),
        ({"kinds": ("name",)}, "was run with other people, positions, arms, names or another seed"),
    ],
)
def test_a_run_does_not_go_on_with_another_experiment(ask, layout_of, change, told):
    with running(Scorer()) as server:
        ask(f"{server.url}/score")
        layout = layout_of(*change.pop("kinds", ()), seed=change.get("seed", 0))
        with pytest.raises(InputError, match=told):
            ask(f"{server.url}/score", layout=layout, resume=True, **change)


def test_several_pairs_in_one_request_fill_the_requests_that_may_be_under_way(ask, layout_of, tmp_path):
    template = tmp_path / "request.json"
    template.write_text(
        json.dumps(
            {
                "body": {"job": "{position}", "items": [{"id": "{id}", "cv": "{resume}"}]},
                "several": {"list": "/items", "at_most": 5, "answers": "/results", "id": "/id"},
            }
        )
    )
    layout = layout_of(per_group=10)
    with running(Scorer(["503:0"], delay=0.02)) as server:
        run = ask(f"{server.url}/several", layout=layout, scoring={"request": template}, concurrency=2)
    assert statuses(run) == {"observed": layout.size}
    assert max(server.sizes) == 5
    assert server.most_at_once == 2
    assert all(len({item["cv"] for item in body["items"]}) for body in server.bodies)


def test_headers_of_the_environment_are_nowhere_on_disk(ask, tmp_path, monkeypatch):
    monkeypatch.setenv("SCORER_KEY", "sk-hush-hush-hush")
    template = tmp_path / "request.json"
    body = {"resume": "{resume}", "position": "{position}"}
    template.write_text(json.dumps({"body": body, "headers": {"Authorization": "Bearer ${SCORER_KEY}"}}))
    with running(Scorer(['value:"Bearer sk-hush-hush-hush"'])) as server:
        run = ask(f"{server.url}/score", scoring={"request": template})
    assert server.headers[0]["Authorization"] == "Bearer sk-hush-hush-hush"
    files = [file for file in run.folder.path.rglob("*") if file.is_file()]
    assert len(files) >= 3
    assert not any(b"hush" in file.read_bytes() for file in files)


def test_repetitions_are_asked_and_kept_apart(ask, layout_of):
    run = ask("sim:shift?female=-0.5", repetitions=3)
    frame = outcomes(run)
    assert frame.height == 3 * layout_of().size
    assert frame.group_by("unit").agg(pl.n_unique("score"))["score"].min() == 3


def test_repetitions_that_never_differ_are_told(ask, layout_of):
    notices = []
    with running(Scorer()) as server:
        run = ask(f"{server.url}/score", repetitions=2, notices=notices)
    assert run.warnings == (f"All {layout_of().size} pairs got the same score in all 2 repetitions; one would do.",)
    assert notices[1:] == [f"Warning: {run.warnings[0]}"]


def test_parts_of_a_run_together_ask_everything_once_and_are_joined(ask, layout_of, tmp_path):
    folders = [tmp_path / f"part{number}" for number in (1, 2, 3)]
    with running(Scorer()) as server:
        address = f"{server.url}/score"
        for number, folder in enumerate(folders, 1):
            ask(address, shard=Shards(number=number, of=3), out=folder)
        assert server.requests == layout_of().size
        joined = ask(address, parts=folders)
        assert server.requests == layout_of().size
        whole = ask(address, out=tmp_path / "whole")
    same = ("unit", "score", "status")
    assert outcomes(joined).select(same).equals(outcomes(whole).select(same))
    assert manifest(joined)["requests"] == layout_of().size


def test_what_parts_lack_is_asked(ask, layout_of, tmp_path):
    part = ask("sim:shift?female=1", shard=Shards(number=1, of=2), out=tmp_path / "part")
    lacking = layout_of().size - outcomes(part).height
    joined = ask("sim:shift?female=1", parts=[tmp_path / "part"])
    assert statuses(joined) == {"observed": layout_of().size}
    assert lacking > 0


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"scorer": "sim:shift?female=2"}, "was run with another scorer. Give all parts of one run."),
        ({"repetitions": 2}, "was run with another number of --repetitions"),
        ({"scoring": {"range": "0-1"}}, "was run with another --range"),
        ({"shard": None}, "is not part of a run: it was made without --shard"),
        (None, "holds no part of a perturbation test"),
    ],
)
def test_what_is_no_part_of_the_run_is_refused(ask, tmp_path, given, told):
    if given is not None:
        options = {"scorer": "sim:shift?female=1", "shard": Shards(number=1, of=2), **given}
        ask(options.pop("scorer"), out=tmp_path / "part", **options)
    with pytest.raises(InputError, match=told):
        ask("sim:shift?female=1", parts=[tmp_path / "part"])


def test_a_simulated_shift_is_what_it_says(ask, layout_of):
    """Names of one set differ by −0.3 SD and what names and noise add; 12.5 points are one SD of 100."""
    layout = layout_of("name", per_group=50)
    frame = outcomes(ask("sim:shift?female=-0.3", layout=layout, repetitions=10, scoring={"range": "0-100"}))
    means = frame.group_by("protected.gender").agg(pl.col("score").mean())
    by = dict(means.iter_rows())
    assert (by["female"] - by["male"]) / 12.5 == pytest.approx(-0.3, abs=0.1)


@pytest.mark.parametrize("kind", ["unbiased", "random", "masculine", "feminine", "refusing", "garbled", "stereotyping"])
def test_a_simulated_model_is_asked_as_resume_score_asks(ask, layout_of, kind):
    run = ask(f"sim:{kind}", layout=layout_of(per_group=10), scoring={"range": "0-10", "wording": "number"})
    found = statuses(run)
    assert "Answer with one number from 0 (no fit) to 10" in run.summary.example["prompt"]
    if kind in {"refusing", "garbled"}:
        assert not found["observed"]
    else:
        assert set(found) == {"observed"}
        assert outcomes(run)["score"].is_between(0, 10).all()
        by = dict(outcomes(run).group_by("protected.gender").agg(pl.col("score").mean()).iter_rows())
        shift = {"masculine": 1.0, "feminine": -1.0}.get(kind)
        assert shift is None or by["male"] - by["female"] == pytest.approx(shift, abs=0.5)


def test_a_python_function_is_asked(ask, tmp_path, monkeypatch):
    (tmp_path / "my_scorer.py").write_text(
        "def score(pairs):\n"
        "    assert all(isinstance(text, str) for pair in pairs for text in pair)\n"
        "    if any('Carpenter' in position and 'Nurse' in resume for resume, position in pairs):\n"
        "        raise RuntimeError\n"
        "    return [len(resume) for resume, _ in pairs]\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    run = ask("python:my_scorer:score")
    sys.modules.pop("my_scorer")
    frame = outcomes(run)
    failed = (pl.col("context.position") == "c") & (pl.col("item") != "p3")
    assert frame.filter(failed)["reading"].unique().to_list() == ["exception"]
    assert frame.filter(~failed)["status"].unique().to_list() == ["observed"]


@pytest.mark.usefixtures("interrupts_are_heard")
def test_a_run_is_interrupted_between_batches_and_goes_on(ask, tmp_path, monkeypatch, layout_of):
    (tmp_path / "stopping.py").write_text(
        "import os, signal, time\n"
        "calls = 0\n"
        "def score(pairs):\n"
        "    global calls\n"
        "    calls += 1\n"
        "    if calls == 3:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        time.sleep(0.1)\n"
        "    return [len(resume) for resume, _ in pairs]\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    with pytest.raises(Interrupted, match="12 answers are kept"):
        ask("python:stopping:score", concurrency=4)
    run = ask("python:stopping:score", concurrency=4, resume=True)
    sys.modules.pop("stopping")
    assert statuses(run) == {"observed": layout_of().size}


@pytest.mark.parametrize("given", ["score", "rank"])
def test_arms_are_written_scored_elsewhere_and_read_back(ask, layout_of, tmp_path, given):
    layout = layout_of()
    write_arms(layout, to=tmp_path / "arms", key=tmp_path / KEY)
    table = pl.read_csv(tmp_path / "arms" / "arms.csv")
    scored = table.select("id", "position", pl.int_range(1, table.height + 1).alias(given))[:-3]
    scored.sample(fraction=1.0, shuffle=True, seed=1).write_csv(tmp_path / "scores.csv")
    frame = outcomes(ask(f"replay:{tmp_path / 'scores.csv'}", layout=layout))
    assert Counter(frame["status"].to_list()) == {"observed": layout.size - 3, "missing": 3}
    read = frame.drop_nulls(given).select("context.document", "context.position", pl.col(given).cast(pl.Int64))
    assert sorted(read.iter_rows()) == sorted(scored.iter_rows())


def test_what_is_done_at_the_end_is_done_before_the_run_is_called_finished(ask):
    seen = []
    ask("sim:shift?female=1", finish=lambda asked: seen.append(manifest(asked)["status"]))
    assert seen == ["running"]


def test_outcomes_are_those_that_the_analysis_reads(ask):
    frame = outcomes(ask("sim:shift?female=1"))
    needed = ("item", "unit", "set", "pair", "arm", "score", "context.person", "context.position", "context.name")
    assert not any(frame[name].null_count() for name in needed)
    assert {"protected.gender", "protected.race", "context.own"} <= set(frame.columns)
    assert frame.select("unit", "attempt").is_unique().all()


@pytest.mark.parametrize(
    ("scorer", "more", "told"),
    [
        ("matcher:file.json", {}, "--scorer matcher:file.json can't be read"),
        ("mine", {}, "--scorer 'mine' is not a scorer; expected one of https://"),
        ("pyhton:a:b", {}, "Did you mean python:?"),
        ("https:", {}, "has nothing after the colon; expected https://"),
        ("http:host", {}, "has nothing after the colon; expected http://"),
        ("sim:shift?blak=1", {}, "'blak' is not a group that is shown; expected asian, black, female"),
        ("sim:shift?female=x", {}, "female is 'x'; expected standard deviations from -4 to 4"),
        ("sim:shift?female=1&seed=x", {}, "seed is 'x'; expected a whole number"),
        ("sim:shift", {}, "shifts no group; expected for example sim:shift?asian=-0.3"),
        ("sim:shifty", {}, "'shifty' is not a simulated kind"),
        ("replay:none.csv", {}, "No file none.csv"),
        ("python:none:f", {}, "there is no module none"),
        ("sim:unbiased", {"scoring": {"range": "9-1"}}, "did you mean 1-9?"),
        ("sim:shift?female=1", {"scoring": {"range": "high"}}, "--range 'high' is not a range"),
        ("sim:unbiased", {"scoring": {"wording": "poem"}}, "--wording 'poem' is unknown; expected one of number"),
        ("python:a:b", {"scoring": {"wording": "json"}}, "--wording is for language models"),
        ("sim:unbiased", {"scoring": {"score_at": "/x"}}, "--score-at is for scorers at https://"),
        ("http://h/s", {"generation": Generation(temperature=1.0)}, "--temperature is for language models"),
        ("http://h/s", {"base_url": ("http://h/v1",)}, "--base-url is for language models"),
        ("http://h/s", {"batch": True}, "--batch needs a provider with a batch API"),
        ("http://h/s", {"scoring": {"score_at": "x"}}, "--score-at 'x' is not a JSON pointer; expected /x."),
        ("http://h/s", {"max_cost": 1.0}, "--max-cost is 1, but no prices are given"),
        ("sim:shift?female=1", {"shard": Shards(number=1, of=9999)}, "--shard is 1/9999"),
    ],
)
def test_what_can_not_be_asked_is_refused_in_one_line_and_nothing_is_written(ask, tmp_path, scorer, more, told):
    with pytest.raises(InputError) as caught:
        ask(scorer, **more)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "run").exists()


def test_the_journal_holds_numbers_and_no_names(ask):
    run = ask("sim:shift?female=1")
    texts = [text for frame in read_answers(run.folder.path) for text in frame["text"].to_list()]
    assert all(float(text) is not None for text in texts)
    journal = b"".join(file.read_bytes() for file in run.folder.path.glob("answers-*.jsonl"))
    assert not any(name.encode() in journal for name in outcomes(run)["context.name"].unique())
