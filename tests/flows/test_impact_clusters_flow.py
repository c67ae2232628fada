"""`evenhand impact --cluster`: rows that share an advertisement, a name or a person are not independent."""

import json
from math import exp, log
from pathlib import Path

import polars as pl
import pytest
from _cli import evenhand
from _cli import findings as findings_of
from scipy.stats import t

ORACLES = json.loads((Path(__file__).parents[1] / "oracles" / "clusters.json").read_text("utf-8"))
ASKED = ("--selected", "called", "--protected", "race", "--out", "run", "--quiet", "--force")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the résumés of a field experiment, a row each, and the same as counts."""
    path = tmp_path_factory.mktemp("clusters")
    rows, counts, ad = [], [], 0
    for called_black, n_black, called_white, n_white, ads in ORACLES["by_ad"]["rows"]:
        for _ in range(ads):
            for race, called, n in (("black", called_black, n_black), ("white", called_white, n_white)):
                rows += [(ad, race, "yes" if each < called else "no") for each in range(n)]
                counts += [(ad, race, "yes", called), (ad, race, "no", n - called)]
            ad += 1
    pl.DataFrame(rows, ["ad", "race", "called"], orient="row").write_csv(path / "rows.csv")
    pl.DataFrame(counts, ["ad", "race", "called", "people"], orient="row").write_csv(path / "counts.csv")
    small = pl.DataFrame(ORACLES["two_ways"]["rows"], ORACLES["two_ways"]["columns"], orient="row")
    race = pl.when(pl.col("focal") == 1).then(pl.lit("x")).otherwise(pl.lit("w"))
    columns = {"race": race, "called": pl.col("y"), "score": pl.col("y") * 2.5 + 1, "below": pl.col("y") - 9}
    small.select("a", "b", **columns).write_csv(path / "small.csv")
    return path


def impact(folder, *args):
    done = evenhand("impact", *args, "--no-report", cwd=folder)
    assert done.returncode == 0, done.stderr
    return pl.read_csv(folder / "run" / "impact.csv").row(0, named=True), done


def finding(folder, name):
    return findings_of(folder / "run")[0][name]


def expected(oracle, clusters):
    """Return the columns of impact.csv by statsmodels' estimates and standard errors."""
    ratio = oracle["log_ratio"]
    width = t.ppf(0.975, clusters - 1) * ratio["standard_error"]
    return {
        "low_clustered": exp(ratio["estimate"] - width),
        "high_clustered": exp(ratio["estimate"] + width),
        "p_clustered": 2 * t.sf(abs(ratio["estimate"] / ratio["standard_error"]), clusters - 1),
        "clusters": clusters,
    }


@pytest.mark.parametrize("table", [("rows.csv",), ("counts.csv", "--count", "people")], ids=" ".join)
def test_both_intervals_are_shown_and_the_finding_has_that_of_clusters(folder, table):
    row, _ = impact(folder, *table, *ASKED, "--cluster", "ad")
    wanted = expected(ORACLES["by_ad"], 1323)
    assert {name: row[name] for name in wanted} == pytest.approx(wanted, rel=1e-6)
    # Those of independent people: Koopman's interval, Fisher's p, as without --cluster.
    plain, _ = impact(folder, *table, *ASKED)
    assert set(row) - set(plain) == set(wanted)
    assert [row[name] for name in ("ir_low", "ir_high", "p_fisher", "z")] == [
        plain[name] for name in ("ir_low", "ir_high", "p_fisher", "z")
    ]
    impact(folder, *table, *ASKED, "--cluster", "ad")
    found = finding(folder, "impact_ratio_race_black")
    assert (found["low"], found["high"]) == (row["low_clustered"], row["high_clustered"])
    assert found["clusters"] == {"ad": 1323}
    assert found["p_adjusted"] == row["p_clustered"]
    assert found["adjustment"] == "Cluster-robust t, Holm over 1 pair"
    assert found["alternatives"][0] == {
        "method": "Koopman score, independent people", "low": row["ir_low"], "high": row["ir_high"],
        "clusters": None, "reason": None,
    }  # fmt: skip


def test_two_columns_are_clusters_two_ways_of_decisions_and_of_scores(folder):
    row, done = impact(folder, "small.csv", *ASKED, "--cluster", "a,b", "--reference", "race=w")
    wanted = expected(ORACLES["two_ways"], 9)
    assert {name: row[name] for name in wanted} == pytest.approx(wanted, rel=1e-6)
    assert finding(folder, "impact_ratio_race_x")["clusters"] == {"a": 12, "b": 9}
    assert "'a' has 12 values: with fewer than 30 clusters" in done.stderr
    asked = ("--score", "score", "--means", "--protected", "race", "--reference", "race=w", "--out", "run", "--force")
    scored, _ = impact(folder, "small.csv", *asked, "--cluster", "a,b", "--quiet")
    assert scored["low_clustered"] < scored["impact_ratio"] < scored["high_clustered"]
    assert (scored["p_clustered"] < 0.05) == (not scored["low_clustered"] <= 1 <= scored["high_clustered"])
    # A score that is a line of the decision has the t of its difference, where there is no ratio of means.
    below = ("--score", "below", "--means", *asked[3:])
    done = evenhand("impact", "small.csv", *below, "--cluster", "a,b", "--quiet", cwd=folder)
    assert done.returncode == 0, done.stderr
    negative = pl.read_csv(folder / "run" / "impact.csv").row(0, named=True)
    difference = ORACLES["two_ways"]["difference"]
    p = 2 * t.sf(abs(difference["estimate"] / difference["standard_error"]), 8)
    assert (negative["impact_ratio"], negative["low_clustered"]) == (None, None)
    assert negative["p_clustered"] == pytest.approx(p, rel=1e-6)


def test_positions_and_stages_have_clusters_of_their_own(folder):
    people = pl.DataFrame(
        {
            "person": [n // 2 for n in range(80)],
            "job": ["cook", "clerk"] * 40,
            "sex": [("f", "m")[n // 2 % 2] for n in range(80)],
            "called": [(n * 7 + n // 2 * 3) % 5 < 2 + n // 2 % 2 for n in range(80)],
        }
    )
    people.write_csv(folder / "people.csv")
    asked = ("people.csv", "--selected", "called", "--protected", "sex", "--position", "job", "--unit", "person")
    impact(folder, *asked, "--cluster", "person", "--out", "run", "--force", "--quiet")
    rows = pl.read_csv(folder / "run" / "impact.csv")
    assert rows["clusters"].to_list() == [40, 40, 40]
    # In a position a person is one row: the log ratio has its own variance there, that of each group over its n.
    first = rows.filter(pl.col("position") == "clerk").row(0, named=True)
    p1, p2, n = first["rate_focal"], first["rate_reference"], first["n_focal"]
    variance = 40 / 39 * ((1 - p1) / p1 + (1 - p2) / p2) / n
    assert first["p_clustered"] == pytest.approx(2 * t.sf(abs(log(p1 / p2)) / variance**0.5, 39))


def test_the_page_says_what_clusters_are_and_shows_both(folder):
    done = evenhand("impact", "rows.csv", *ASKED[:4], "--cluster", "ad", "--out", "run", "--force", cwd=folder)
    told = " ".join(done.stdout.split())
    assert "Intervals and p: cluster-robust (1,323 by ad)" in told
    assert "statistically significant (p < .001, clusters: 1,323 by ad)" in told
    page = (folder / "run" / "report.html").read_text("utf-8")
    for text in ("independent people", "p, cluster-robust", "not independent within", "take people as"):
        assert text in page


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["rows.csv", "--cluster", "adv"], "No column 'adv' in rows.csv. Columns: ad, race, called. Did you"),
        (["rows.csv", "--cluster", ""], "--cluster is ''; expected the name of a column"),
        (["rows.csv", "--cluster", "race"], "--cluster and --protected both name 'race'; it is for what"),
        (["rows.csv", "--block", "race"], "--block and --protected both name 'race'; it is for what"),
        (["rows.csv", "--block", "adv"], "No column 'adv' in rows.csv"),
        (["gaps.csv", "--block", "ad"], "--block ad: 1 of the rows of gaps.csv has no value in it; fill it in"),
        (["small.csv", "--cluster", "a,b,score"], "--cluster names 3 columns, a, b, score; give one or two."),
        (["rows.csv", "--cluster", "ad", "--unit", "race"], "--cluster ad: 2 applicants (by 'race') have several"),
        (["gaps.csv", "--cluster", "ad"], "--cluster ad: 1 of the rows of gaps.csv has no value in it; fill it in"),
        (["--counts", "a=1/2,b=2/3", "--cluster", "ad"], "--counts and --cluster are both given"),
    ],
)  # fmt: skip
def test_wrong_clusters_are_told_in_one_line(folder, args, told):
    (folder / "gaps.csv").write_text("ad,race,called\n1,a,yes\n,b,no\n2,a,no\n", encoding="utf-8")
    asked = [] if "--counts" in args else ["--selected", "called", "--protected", "race"]
    done = evenhand("impact", *args, *asked, "--out", "wrong", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert told in done.stderr
    assert not (folder / "wrong").exists()


def test_what_is_held_fixed_is_compared_within_of_rates_and_of_scores(folder):
    asked = ("small.csv", "--protected", "race", "--reference", "race=w", "--block", "a", "--out", "run", "--force")
    done = evenhand("impact", *asked, "--selected", "called", cwd=folder)
    assert done.returncode == 0, done.stderr
    oracle = ORACLES["two_ways"]["within_a"]
    found = finding(folder, "block_difference_race_x")
    width = t.ppf(0.975, 11) * oracle["standard_error"]
    assert (found["estimate"], found["high"] - found["estimate"]) == pytest.approx((oracle["estimate"], width))
    assert (found["clusters"], found["n"]) == ({"a": 12}, 240)
    assert "Within the same a, race x was selected" in " ".join(done.stdout.split())
    assert "Differences among rows of one a" in (folder / "run" / "report.html").read_text("utf-8")
    # The clusters are others, the difference is the same; a score that is a line of the decision has 2.5 times it.
    both = ("--cluster", "b", "--score", "score", "--means", "--quiet", "--no-report")
    assert evenhand("impact", *asked, *both, cwd=folder).returncode == 0
    scored = finding(folder, "block_difference_race_x_means")
    assert scored["estimate"] == pytest.approx(2.5 * found["estimate"])
    assert scored["clusters"] == {"a": 12, "b": 9}
    assert scored["unit"] == "points"


@pytest.mark.parametrize(("by", "oracle", "clusters"), [("ad", "by_ad", 1323), ("first_name", "by_name", 36)])
def test_both_intervals_of_the_example_are_those_of_statsmodels(folder, by, oracle, clusters):
    assert evenhand("data", "example", "bertrand-2004", "--out", "b.csv", "--force", cwd=folder).returncode == 0
    asked = ("b.csv", "--selected", "called_back", *ASKED[2:], "--cluster", by, "--block", "ad")
    row, _ = impact(folder, *asked)
    wanted = expected(ORACLES[oracle], clusters)
    assert {name: row[name] for name in wanted} == pytest.approx(wanted, rel=1e-6)
    # For independent people: Koopman's interval of 157 of 2,435 against 235 of 2,435.
    assert (row["n_focal"], row["selected_focal"], row["selected_reference"]) == (2435, 157, 235)
    assert (row["ir_low"], row["ir_high"]) == pytest.approx((0.5503, 0.8108), abs=5e-5)
    # Near the rate ± t standard errors: .0531 to .0758 by advertisement, .0510 to .0780 by name.
    rate = finding(folder, "selection_rate_race_black")
    assert (rate["low"], rate["high"]) == pytest.approx((0.052, 0.078), abs=0.003)
    within, fixed = finding(folder, "block_difference_race_black"), ORACLES["by_ad"]["within_ad"]
    assert within["estimate"] == pytest.approx(fixed["estimate"])
    if by == "ad":
        width = t.ppf(0.975, 1322) * fixed["standard_error"]
        assert (within["low"], within["high"]) == pytest.approx((fixed["estimate"] - width, fixed["estimate"] + width))


def test_blocks_of_one_group_each_are_told(folder):
    asked = ("rows.csv", "--selected", "called", "--protected", "race", "--block", "ad", "--where")
    done = evenhand(
        "impact", *asked, "(race = 'white') = (ad < 600)", "--out", "run", "--force", "--no-report", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    told = " ".join(done.stdout.split())
    assert "Within the same ad there is no difference to tell: in no block are there people of both groups." in told
