"""`--at-most` and `--below`: scores of which low ones are good."""

import random

import polars as pl
import pytest
from _cli import evenhand, findings, refused


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    drawn = random.Random(5)
    path = tmp_path_factory.mktemp("low")
    rows = [(("f", "m")[n % 2], round(drawn.gauss(3 + n % 2 / 3, 1), 1)) for n in range(120)]
    frame = pl.DataFrame(rows, ["sex", "risk"], orient="row")
    frame.with_columns(safety=0.0 - pl.col("risk")).write_csv(path / "scores.csv")
    return path


def impact(folder, *args):
    done = evenhand("impact scores.csv --protected sex", *args, "--out", "run", "--force", cwd=folder)
    return pl.read_csv(folder / "run" / "impact.csv"), done, findings(folder / "run")[1]


@pytest.mark.parametrize(("low", "high"), [("--below", ()), ("--at-most", ("--at-least",))])
def test_low_scores_are_high_ones_of_the_other_sign(folder, low, high):
    own, _, audit = impact(
        folder, "--score", "risk", "--cutoff", "3", "--cutoff", "2.5", "--median", low, "--no-report"
    )
    other, _, mirrored = impact(
        folder, "--score", "safety", "--cutoff", "-3", "--cutoff", "-2.5", "--median", *high, "--no-report"
    )
    sides = [frame.sort(pl.col("approach"), pl.col("cutoff").abs()).drop("cutoff") for frame in (own, other)]
    assert sides[0].equals(sides[1], null_equal=True)
    assert own["cutoff"].sort().to_list() == (0.0 - other["cutoff"]).sort().to_list()
    scores, reverse = audit["accounting"]["scores"], mirrored["accounting"]["scores"]
    assert (scores["lowest"], scores["highest"], scores["median"]) == (
        -reverse["highest"], -reverse["lowest"], -reverse["median"],
    )  # fmt: skip
    swept = {(row["group"], row["cutoff"]): row["selected"] for row in audit["shown"]["sweep"]}
    counted = pl.read_csv(folder / "scores.csv")
    for (group, cutoff), selected in swept.items():
        passed = pl.col("risk") < cutoff if low == "--below" else pl.col("risk") <= cutoff
        assert selected == counted.filter(pl.col("sex") == group, passed).height


def test_the_page_says_which_side_is_selected(folder):
    _, done, _ = impact(folder, "--score", "risk", "--cutoff", "3", "--at-most", "--no-report")
    assert "score of at most 3" in " ".join(done.stdout.split())
    _, done, _ = impact(folder, "--score", "risk", "--below")
    assert "score below the median of" in " ".join(done.stdout.split())
    page = (folder / "run" / "report.html").read_text("utf-8")
    assert "Low scores are good" in page
    assert "mean score" not in page


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--at-most"], "--at-most needs --cutoff T"),
        (["--at-most", "--below", "--cutoff", "3"], "--at-most and --below are both given; a cut-off has one side"),
        (["--at-least", "--below", "--cutoff", "3"], "--at-least and --below are both given"),
        (["--below", "--means"], "--means and --below are both given; a ratio of mean scores"),
    ],
)
def test_wrong_sides_are_told_in_one_line(folder, args, told):
    refused("impact scores.csv --protected sex --score risk", *args, "--out", "w", told=told, cwd=folder)
