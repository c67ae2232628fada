"""What a matcher does with a company whose truth is known: near the true score, and unfair where its labels are."""

import polars as pl
import pytest
from _cli import evenhand, findings

from evenhand.stats import auc

pytestmark = pytest.mark.slow

WHOM = ("--people", "company/people.jsonl", "--positions", "company/positions.jsonl")
GROUPS = ("--protected", "gender", "--reference", "gender=male")


def typed(folder, *args):
    evenhand(*args, "--force", cwd=folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a company and three matchers: of performance, of decisions, of decisions with a penalty."""
    folder = tmp_path_factory.mktemp("study")
    typed(folder, "data", "company", "--people", 3_000, "--positions", 200, "--pairs", 40_000, "--out", "company")
    for out, label, more in (
        ("performed", "performed_well", ("--test-share", 0.4)),
        ("decided", "advanced", ()),
        ("penalised", "advanced", ("--fairness", 30)),
    ):
        line = ("match", "train", "company/pairs.csv", *WHOM, "--protected", "gender,race", "--label", label, *more)
        typed(folder, *line, "--out", out)
    return folder


def test_no_groups_auc_is_more_than_two_points_below_that_of_the_true_score(folder):
    truth = pl.read_parquet(folder / "company" / "truth.parquet").select("person", "position", "true_score")
    outcomes = pl.read_parquet(folder / "performed" / "outcomes.parquet")
    test = outcomes.join(truth, left_on=["item", "set"], right_on=["person", "position"])
    assert test.height == outcomes.height > 5_000
    for attribute in ("gender", "race"):
        for own in test.partition_by(f"protected.{attribute}"):
            label = own["label"].to_numpy()
            found, true = (auc(own[name].to_numpy(), label).estimate for name in ("score", "true_score"))
            assert found > true - 0.02


def ratio(folder, matcher):
    """Return the impact ratio of women among candidates at the top, and its row of impact.csv."""
    line = ("match", "recommend", "--matcher", f"{matcher}/matcher.json", *WHOM, "--for", "positions", "--top", 100)
    typed(folder, *line, "--out", "candidates")
    typed(folder, "impact", "candidates", *GROUPS, "--out", "impact")
    (row,) = pl.read_csv(folder / "impact" / "impact.csv").iter_rows(named=True)
    return row


def missed(folder, matcher):
    """Return the difference in missed people who would perform well, women less men, as evaluate finds it."""
    score = ("match", "score", "--matcher", f"{matcher}/matcher.json", *WHOM, "--pairs", "company/pairs.csv")
    typed(folder, *score, "--out", "scores")
    pairs = pl.read_csv(folder / "company" / "pairs.csv").drop("score")
    pairs.join(pl.read_csv(folder / "scores" / "scores.csv"), on=["person", "position"]).write_csv(
        folder / "judged.csv"
    )
    asked = ("--label", "performed_well", "--score", "score", "--cutoff", 0.4, "--cluster", "person", *GROUPS)
    typed(folder, "evaluate", "judged.csv", *asked, "--out", "evaluated")
    return findings(folder / "evaluated")[0]["diff_fnr_gender_female"]


def test_what_a_matcher_learned_of_a_break_is_found_by_impact_and_by_evaluate_and_a_penalty_takes_it_away(folder):
    plain, penalised = ratio(folder, "decided"), ratio(folder, "penalised")
    assert plain["impact_ratio"] < 0.8
    assert plain["p_adjusted"] < 0.001
    assert penalised["impact_ratio"] > plain["impact_ratio"] + 0.1
    before, after = missed(folder, "decided"), missed(folder, "penalised")
    assert before["estimate"] > 0.05
    assert before["verdict"] == "difference"
    assert after["estimate"] < 0.6 * before["estimate"]


def test_the_cost_of_the_penalty_is_stated(folder):
    rows = pl.read_csv(folder / "decided" / "frontier.csv")
    assert rows["gap_gender"].to_list()[-1] < 0.7 * rows["gap_gender"].to_list()[0]
    assert rows["auc"].to_list()[-1] < rows["auc"].to_list()[0]
