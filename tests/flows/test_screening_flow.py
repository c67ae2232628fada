"""The probe screening as a user runs it: rounds, resuming, parts, a design of one's own, and the suite."""

import asyncio
import json
from itertools import combinations

import polars as pl
import pytest
from _cli import evenhand, findings, refused
from _files_named import documented_design

from evenhand.models.outcomes import read_answers
from evenhand.probes.screening.settings import STEPS
from loopback import Loopback

ARGS = ("probe", "screening", "--model", "sim:feminine-scores?strength=0.9", "--sample", "112", "--no-report")


def outcomes(folder):
    return pl.read_parquet(folder / "outcomes.parquet").drop("time").sort("item", "unit", "attempt")


def test_a_run_that_stops_between_rounds_and_one_in_parts_end_as_the_whole(tmp_path):
    evenhand(*ARGS, "--out", "whole", cwd=tmp_path)
    stopped = evenhand(*ARGS, "--out", "run", "--max-requests", "80", cwd=tmp_path, code=4)
    assert "80 requests were sent" in stopped.stderr
    evenhand(*ARGS, "--out", "run", "--resume", cwd=tmp_path)
    for part in ("1", "2"):
        evenhand(*ARGS, "--out", part, "--shard", f"{part}/2", cwd=tmp_path)
    evenhand("collect merge 1 2 --out merged", cwd=tmp_path)
    expected = outcomes(tmp_path / "whole")
    for folder in ("run", "merged"):
        assert outcomes(tmp_path / folder).equals(expected), folder
    # Survivors are those of the model's own shortlist.
    chosen = expected.filter(pl.col("context.step") == "shortlist", pl.col("successes") == 1)
    later = expected.filter(pl.col("context.step") == "scores", pl.col("context.shown") == "survivors")
    people = ["item", "context.number"]
    assert later.select(people).sort(people).equals(chosen.select(people).sort(people))
    # Of the survivors those enter whose place in the pile survived under names of both genders, of one race.
    genders = pl.col("protected.gender").n_unique().over("context.matched", "protected.race")
    entering = later.filter(genders == 2)
    assert 0 < entering.height < later.height
    by_name, _ = findings(tmp_path / "whole")
    assert by_name["scores_survivors_diff_score"]["n"] == entering.height


def test_models_are_compared_on_the_whole_piles_and_a_bundle_verifies(tmp_path):
    # The kinds differ in their scores, in the length of their texts, and in who is left.
    for kind in ("feminine", "unbiased"):
        args = ("--model", f"sim:{kind}", "--sample", "280", "--no-report", "--out", kind)
        evenhand("probe screening", *args, cwd=tmp_path)
    evenhand("compare feminine unbiased --out both", cwd=tmp_path)
    by_name, _ = findings(tmp_path / "both")
    row = by_name["screening_diff_score_sim_feminine_minus_sim_unbiased"]
    assert row["low"] < -10 < row["high"]
    assert row["claim"]["verdict"] == "difference"
    evenhand("bundle unbiased --out b.zip", cwd=tmp_path)
    evenhand("verify b.zip", cwd=tmp_path)


def test_the_design_in_the_documentation_runs_with_two_steps(tmp_path):
    (tmp_path / "my.toml").write_text(documented_design(), encoding="utf-8")
    args = ("screening", "--model", "sim:unbiased", "--design", "my.toml")
    evenhand("plan", *args, "--json", cwd=tmp_path)
    evenhand("probe", *args, "--sample", "48", "--no-report", "--out", "run", cwd=tmp_path)
    assert outcomes(tmp_path / "run")["context.step"].unique().sort().to_list() == ["scores", "shortlist"]
    _, audit = findings(tmp_path / "run")
    assert not [limit for limit in audit["limits"] if "synthetic" in limit]
    evenhand("probe", *args, "--sample", "48", "--no-report", "--out", "run", "--resume", cwd=tmp_path)
    (tmp_path / "my.toml").write_text(documented_design().replace("pile", "piles", 1), encoding="utf-8")
    refused("probe", *args, "--out", "other", told="the key 'piles' is unknown", cwd=tmp_path)
    told = "--design is not an option of probe hiring-an; it belongs to screening."
    refused("probe hiring-an", *args[1:], "--out", "other", told=told, cwd=tmp_path)


NAMES = """name,gender,race
Emma Walsh,female,white
Anna Baker,female,white
Tom Walsh,male,white
Rob Baker,male,white
Lakisha Jones,female,black
Keisha Brown,female,black
Jamal Jones,male,black
Tyrone Brown,male,black
"""


def test_groups_that_the_names_lack_are_not_compared(tmp_path):
    (tmp_path / "names.csv").write_text(NAMES, encoding="utf-8")
    args = ("--model", "sim:unbiased", "--names", "names.csv", "--fail-on", "difference", "--no-report")
    steps = ("--steps", "shortlist,scores", "--sample", "24", "--masked")
    done = evenhand("probe screening", *args, *steps, "--out", "s", cwd=tmp_path)
    assert "In none of the 4 comparisons of the whole pile" in done.stdout
    assert "Piles, résumés and positions are fixed" in unwrapped(done.stdout)
    # Three piles of two names a group: a change of shares beyond 100 percentage points is none that can be.
    assert (
        "names would be detected with 80 % statistical power, and not even a change of 100.0 percentage"
        in unwrapped(done.stdout)
    )
    assert "of 4 judged" in done.stderr
    # Of the four differences none changed, and one arm is all that was asked about.
    assert "With masked applications, no change was detected in any of the 4 differences" in unwrapped(done.stdout)
    assert "With an instruction" not in done.stdout
    evenhand("report s", cwd=tmp_path)
    page = (tmp_path / "s/report.html").read_text("utf-8")
    assert "Scores: mean score, Black − White names: masked − plain" in page
    score = evenhand("probe resume-score", *args, "--sample", "80", "--out", "r", cwd=tmp_path)
    assert "of 2 judged" in score.stderr


def unwrapped(text):
    return " ".join(text.split())


def test_the_first_screen_says_what_each_arm_changed(tmp_path):
    args = ("--model", "sim:feminine-scores", "--steps", "scores", "--instructed", "--masked", "--sample", "240")
    done = evenhand("probe screening", *args, "--no-report", "--out", "r", cwd=tmp_path)
    by_name, _ = findings(tmp_path / "r")
    said = unwrapped(done.stdout)
    for arm, start in (
        ("instructed", "With an instruction not to discriminate"),
        ("masked", "With masked applications"),
    ):
        row = by_name[f"scores_{arm}_diff_score_{arm}_minus_plain"]
        # Four differences, and the slope and the AUC on known quality.
        assert (row["claim"]["verdict"], row["claim"]["family_size"]) == ("difference", 6)
        assert "detectable" not in row["claim"]
        assert f"{start}, 1 of the 4 differences changed: scores: mean score, male − female names, from −" in said
        assert f"(a change of +{row['estimate']:.2f} points; 95 % CI" in said
    assert said.count("o change was detected in any of the 2 slopes and AUCs on known quality; a change of an AUC") == 2
    # What was found in the others would have been, at the level of six comparisons: about 3.8 standard errors.
    quiet = by_name["scores_masked_diff_score_black_masked_minus_plain"]
    error = (quiet["high"] - quiet["low"]) / 2 / 2
    assert 3.4 * error < -quiet["claim"]["detectable"] < 3.9 * error


def test_repeated_decisions_have_their_agreement(tmp_path):
    args = ("--model", "sim:unbiased", "--steps", "shortlist", "--sample", "16", "--repetitions", "3", "--out", "r")
    done = evenhand("probe screening", *args, cwd=tmp_path)
    # Shares are no scores of another scale.
    assert "on a range of" not in done.stdout
    by_name, _ = findings(tmp_path / "r")
    judged = outcomes(tmp_path / "r").group_by("item", "unit").agg("score")["score"].to_list()
    pairs = [one == other for scores in judged for one, other in combinations(scores, 2)]
    row = by_name["shortlist_repetition_agreement"]
    assert row["estimate"] == pytest.approx(sum(pairs) / len(pairs))
    # Chances of .8, .5 and .2 agree in .68, .5 and .68.
    assert 0.5 < row["low"] < row["estimate"] < row["high"] < 0.75
    assert "The share of pairs of answers to the same prompt" in (tmp_path / "r/report.html").read_text("utf-8")


def test_the_full_suite_has_screening_and_its_plan_counts_the_rounds(tmp_path):
    evenhand("audit --model sim:unbiased --suite full --sample 60 --out s", cwd=tmp_path)
    _, audit = findings(tmp_path / "s/screening")
    assert [answer["step"] for answer in audit["pile"]][:4] == ["shortlist", "questions", "scores", "decision"]
    assert "One pile with its answers" in (tmp_path / "s/screening/report.html").read_text("utf-8")
    plan = evenhand("plan screening --model openai:m --max-tokens 100 --json", cwd=tmp_path)
    content = json.loads(plan.stdout)
    assert (content["requests"], content["output_tokens"]) == (2016, 201_600)
    assert any("an upper bound" in line for line in content["assumptions"])


def test_whole_piles_are_asked_elsewhere_and_measured(tmp_path):
    evenhand("data prompts screening --sample 56 --out p.jsonl", cwd=tmp_path)
    prompts = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text("utf-8").splitlines()]
    assert len(prompts) == 32
    lines = [json.dumps({"id": row["id"], "answer": "Candidate 1: 70\nCandidate 2: 60"}) for row in prompts]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    where = ("--probe", "screening", "--answer", "answer", "--item", "id", "--out", "saved.jsonl")
    evenhand("data answers a.jsonl p.jsonl", *where, cwd=tmp_path)
    measured = evenhand("measure screening saved.jsonl --out m --no-report", cwd=tmp_path)
    # Shortlists and questions name two candidates, too; all others are unread.
    assert "answers on single applications" in measured.stdout
    assert "a scale of 0 to" not in measured.stdout
    assert "16 answers" not in measured.stdout
    scores = outcomes(tmp_path / "m").filter(pl.col("context.step") == "scores", pl.col("score").is_not_null())
    assert scores["context.number"].unique().sort().to_list() == ["1", "2"]
    refused("probe screening --model sim:unbiased --judge sim:unbiased", told="judges don't support", cwd=tmp_path)


@pytest.mark.parametrize("scheme", ["openai", "anthropic"])
async def test_answers_by_a_schema_are_demanded_of_every_step_and_read(scheme, tmp_path):
    args = ("probe", "screening", "--model", f"{scheme}:m", "--structured", "--sample", "56", "--no-report")
    async with Loopback() as server:
        await asyncio.to_thread(evenhand, *args, "--base-url", server.url, "--out", "run", cwd=tmp_path)
    assert len(server.bodies) == 56
    for body in server.bodies:
        sent = body["response_format"]["json_schema"] if scheme == "openai" else body["output_config"]["format"]
        ((step, rows),) = sent["schema"]["properties"].items()
        # All of the loopback server's shortlists have the whole pile.
        assert (step in STEPS, rows["items"]["properties"]["candidate"]["enum"]) == (True, list("12345678"))
    read = outcomes(tmp_path / "run")
    assert read["status"].unique().to_list() == ["observed"]
    scores = dict(read.group_by("context.step").agg(pl.col("score").unique()).rows())
    assert scores == {"shortlist": [1.0], "questions": [0.0], "scores": [50.0], "decision": [1.0]}
    refused(*args[:4], *args[5:], "--base-url", server.url, "--resume", "--out", "run", told="structured", cwd=tmp_path)


async def test_a_server_without_structured_output_ends_the_run_in_a_line(tmp_path):
    async with Loopback(then="refuse:response_format") as server:
        args = ("--model", "openai:m", "--base-url", server.url, "--structured", "--sample", "56", "--out", "run")
        done = await asyncio.to_thread(evenhand, "probe screening", *args, cwd=tmp_path, code=3)
    assert done.stderr.count("\n") == 1
    assert "Leave out --structured, or ask a model that has it." in done.stderr
    refused(
        "probe screening --model python:m:f --structured",
        told="'python:m:f' doesn't support --structured",
        cwd=tmp_path,
    )


def test_simulated_answers_by_a_schema_are_all_json(tmp_path):
    args = ("--model", "sim:unbiased", "--structured", "--sample", "56", "--no-report", "--out", "run")
    evenhand("probe screening", *args, cwd=tmp_path)
    texts = [text for part in read_answers(tmp_path / "run") for text in part["text"]]
    assert {*(key for text in texts for key in json.loads(text))} == {*STEPS}
    assert outcomes(tmp_path / "run")["status"].unique().to_list() == ["observed"]
