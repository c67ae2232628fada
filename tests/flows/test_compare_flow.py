"""`evenhand compare` as a user runs it."""

import json
import shutil

import polars as pl
import pytest
from _cli import evenhand, findings, refused


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name, asked in {
        "a": "hiring-bloomberg --model sim:unbiased",
        "b": "hiring-bloomberg --model sim:masculine?strength=0.6",
        "c": "hiring-bloomberg --model sim:feminine?strength=0.9",
        "other": "hiring-bloomberg --model sim:unbiased --num-reorders 3",
        "an": "hiring-an --model sim:unbiased",
        "mute": "hiring-bloomberg --model sim:refusing",
    }.items():
        evenhand(f"probe {asked} --sample 60 --quiet --no-report --out {name}", cwd=folder)
    return folder


def test_two_models_are_put_side_by_side(runs, tmp_path):
    done = evenhand("compare", str(runs / "a"), str(runs / "b"), "--out", str(tmp_path / "c"), "--json", cwd=tmp_path)
    content = json.loads(done.stdout)
    names = [row["name"] for row in content["findings"]]
    assert len(set(names)) == len(names)
    row = next(row for row in content["findings"] if row["measure"] == "masculine_rate" and row["reference"])
    assert row["estimate"] < 0  # the first model is the unbiased one
    assert row["claim"]["p_adjusted"] is not None
    page = (tmp_path / "c" / "report.html").read_text(encoding="utf-8")
    assert "sim:masculine?strength=0.6" in page


def test_three_models_have_a_league_table(runs, tmp_path):
    paths = [str(runs / name) for name in "abc"]
    for _ in range(2):  # --force takes away what the first wrote
        evenhand("compare", *paths, "--out", "c", "--force", "--json", cwd=tmp_path)
    table = pl.read_csv(tmp_path / "c" / "league.csv").filter(pl.col("measure") == "hiring_bloomberg_masculine_rate")
    assert table["model"].to_list() == ["sim:unbiased", "sim:masculine?strength=0.6", "sim:feminine?strength=0.9"]
    assert table.select("rank", "best_rank", "worst_rank").rows() == [(1, 1, 1), (2, 2, 3), (3, 2, 3)]
    assert set(table["measure"]) < set(pl.read_csv(tmp_path / "c" / "league.csv")["measure"]) >= {"score"}
    page = (tmp_path / "c" / "report.html").read_text(encoding="utf-8")
    assert "Possible ranks" in page
    evenhand("bundle c", *paths, "--out", "all.zip", cwd=tmp_path)
    evenhand("verify all.zip", cwd=tmp_path)


def test_a_model_without_readable_answers_is_not_judged_and_not_said_to_be_undetected(runs, tmp_path):
    done = evenhand("compare", *(str(runs / name) for name in ("a", "b", "mute")), "--out", "c", cwd=tmp_path)
    said = " ".join(done.stdout.split())
    assert (
        "one model lies further from no difference than another: sim:masculine?strength=0.6 than sim:unbiased" in said
    )
    assert "lies further from no difference was detected in 1 of 1 pair; 2 were not judged" in said
    assert "sim:refusing has no value with an interval in a measure with marks" in said


def test_models_that_differ_in_a_mark_have_findings_of_their_own(runs, tmp_path):
    for name, run in (("m.1", "a"), ("m-1", "a"), ("m_2", "b")):
        shutil.copytree(runs / run, tmp_path / name)
    evenhand("compare m.1 m-1 m_2 --out c --quiet", cwd=tmp_path)
    content = json.loads((tmp_path / "c" / "findings.json").read_text(encoding="utf-8"))
    names = [row["name"] for row in content["findings"]]
    assert len(set(names)) == len(names)
    labels = {row["slice"]["model"] for row in content["findings"] if "model" in row["slice"]}
    assert labels == {"sim:unbiased (m.1) #1", "sim:unbiased (m-1) #2", "sim:masculine?strength=0.6"}


@pytest.mark.parametrize(
    ("names", "more", "words"),
    [
        (("a",), (), "two runs or more"),
        (("a", "a"), (), "given twice"),
        (("a", "an"), (), "share no probe"),
        (("a", "other"), (), "differ in settings"),
        (("a", "missing"), (), "not a folder of an evenhand run"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_line(runs, tmp_path, names, more, words):
    refused(
        "compare", *(str(runs / name) for name in names), "--out", str(tmp_path / "c"), *more, told=words, cwd=tmp_path
    )


def test_different_prompts_are_compared_when_told_to(runs, tmp_path):
    paths = (str(runs / "a"), str(runs / "other"))
    done = evenhand("compare", *paths, "--any-stimuli", "--out", "c", "--quiet", cwd=tmp_path)
    assert "the comparison is unpaired" in done.stderr


def test_runs_of_different_size_are_compared_on_the_prompts_in_common(tmp_path):
    for out, model, sample in (("small", "unbiased", 40), ("large", "masculine", 60)):
        args = ("--model", f"sim:{model}", "--sample", str(sample), "--out", out, "--quiet", "--no-report")
        evenhand("probe hiring-an", *args, cwd=tmp_path)
    refused("compare small large --out c", told="40 of 60 prompts in common; --common compares on those", cwd=tmp_path)
    refused("compare small large --common --any-stimuli --out c", told="drop one", cwd=tmp_path)
    done = evenhand("compare small large --common --out c --quiet", cwd=tmp_path)
    assert "compared on the 40 prompts that all runs have" in done.stderr
    rows, audit = findings(tmp_path / "c")
    assert "--common" in audit["reproduce"]
    # The larger run, cut to what the smaller one asked, by hand.
    asked = pl.read_parquet(tmp_path / "small" / "outcomes.parquet")["item"]
    cut = pl.read_parquet(tmp_path / "large" / "outcomes.parquet").filter(pl.col("item").is_in(asked.implode()))
    rates = cut.group_by("protected.gender").agg(pl.col("successes").mean()).rows()
    expected = dict(rates)["male"] - dict(rates)["female"]
    assert len(cut) == 40
    own = rows["hiring_an_diff_acceptance_rate_sim_masculine"]
    assert own["estimate"] == pytest.approx(expected)
    difference = rows["hiring_an_diff_acceptance_rate_sim_unbiased_minus_sim_masculine"]
    assert (difference["n"], difference["method"].split(",")[0]) == (80, "paired by item")


def test_prompts_in_common_are_counted_and_not_their_candidates(runs, tmp_path):
    line = "probe hiring-bloomberg --model sim:unbiased --num-reorders 3 --sample 32 --out part --quiet --no-report"
    evenhand(line, cwd=tmp_path)
    done = evenhand("compare", str(runs / "other"), "part", "--common", "--out", "c", "--quiet", cwd=tmp_path)
    assert "compared on the 32 prompts that all runs have" in done.stderr


def test_runs_without_a_common_prompt_are_not_told_to_compare_on_them(tmp_path):
    for out, seed in (("one", 1), ("two", 2)):
        evenhand(
            f"probe hiring-an --model sim:unbiased --sample 30 --seed {seed} --no-report --out {out}", cwd=tmp_path
        )
    told = "have 0 of 60 prompts in common; --any-stimuli compares all prompts, unpaired"
    for line in ("compare one two --out c", "compare one two --common --out c"):
        refused(line, told=told, cwd=tmp_path)


def test_a_line_through_answers_that_are_all_alike_is_not_compared(tmp_path):
    for name, model in (("alike", "sim:masculine?strength=1"), ("varied", "sim:unbiased")):
        evenhand("probe hiring-an --model", model, "--sample", 60, "--out", name, "--no-report", cwd=tmp_path)
    evenhand("compare alike varied --out both", cwd=tmp_path)
    found = findings(tmp_path / "both")[0]
    (line,) = [row for name, row in found.items() if "diff_regression" in name and "_minus_" in name]
    assert (line["low"], line["claim"]["verdict"]) == (None, "not_judged")
    assert "The answers of a group are all the same" in line["reason"]
    (rate,) = [row for name, row in found.items() if name.startswith("hiring_an_male_acceptance") and "_minus_" in name]
    assert rate["claim"]["verdict"] == "difference"
