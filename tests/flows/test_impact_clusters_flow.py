"""`evenhand impact --cluster`: rows that share an advertisement, a name or a person are not independent."""

import json
from math import exp, log
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from _cli import evenhand, refused
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
    return pl.read_csv(folder / "run" / "impact.csv").row(0, named=True), done


def finding(folder, name):
    return findings_of(folder / "run")[0][name]


def limits(oracle, clusters):
    """Return the limits of the ratio by statsmodels' estimate and CR1 standard error, near which those of CR2 lie."""
    ratio = oracle["log_ratio"]
    width = t.ppf(0.975, clusters - 1) * ratio["standard_error"]
    return exp(ratio["estimate"] - width), exp(ratio["estimate"] + width)


@pytest.mark.parametrize("table", [("rows.csv",), ("counts.csv", "--count", "people")], ids=" ".join)
def test_nothing_of_a_run_with_clusters_takes_people_as_independent(folder, table):
    row, _ = impact(folder, *table, *ASKED, "--cluster", "ad")
    assert (row["low_clustered"], row["high_clustered"]) == pytest.approx(limits(ORACLES["by_ad"], 1323), rel=1e-3)
    assert (row["ir_low"], row["ir_high"]) == (row["low_clustered"], row["high_clustered"])
    assert (row["clusters"], row["clusters_focal"], row["clusters_reference"]) == (1323, 1323, 1323)
    assert not any(row[name] for name in ("z", "p_z", "p_fisher", "p_fisher_mid", "read_with"))
    found = finding(folder, "impact_ratio_race_black")
    assert (found["low"], found["high"]) == (row["low_clustered"], row["high_clustered"])
    assert found["clusters"] == {"ad": 1323}
    assert found["alternatives"] == []
    claim = found["claim"]
    assert (claim["test"], claim["p"], claim["statistic"]) == ("CR2 t", row["p_clustered"], row["t_clustered"])
    assert claim["p"] == pytest.approx(2 * t.sf(-claim["statistic"], claim["df"]))
    assert [test["name"] for test in found["tests"]] == ["CR2 t"]


def test_two_columns_are_clusters_two_ways_of_decisions_and_of_scores(folder):
    row, _ = impact(folder, "small.csv", *ASKED, "--cluster", "a,b", "--reference", "race=w")
    wide = limits(ORACLES["two_ways"], 9)
    assert row["low_clustered"] < wide[0] < row["impact_ratio"] < wide[1] < row["high_clustered"]
    assert finding(folder, "impact_ratio_race_x")["clusters"] == {"a": 12, "b": 9}
    asked = ("--score", "score", "--means", "--protected", "race", "--reference", "race=w", "--out", "run", "--force")
    scored, _ = impact(folder, "small.csv", *asked, "--cluster", "a,b", "--quiet")
    assert scored["low_clustered"] < scored["impact_ratio"] < scored["high_clustered"]
    # A score that is a line of the decision has the t of its difference, where there is no ratio of means.
    below = ("--score", "below", "--means", *asked[3:])
    negative, _ = impact(folder, "small.csv", *below, "--cluster", "a,b", "--quiet")
    assert (negative["impact_ratio"], negative["low_clustered"]) == (None, None)
    for name in ("t_clustered", "df_clustered", "p_clustered"):
        assert negative[name] == pytest.approx(row[name]) == pytest.approx(scored[name])


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
    # In a position a person is one row, so that CR2 is Welch's t of the decisions.
    first = rows.filter(pl.col("position") == "clerk").row(0, named=True)
    p1, p2, n = first["rate_focal"], first["rate_reference"], first["n_focal"]
    variance = (p1 * (1 - p1) + p2 * (1 - p2)) / (n - 1)
    assert first["t_clustered"] == pytest.approx((p1 - p2) / variance**0.5)
    assert first["p_clustered"] == pytest.approx(2 * t.sf(abs(p1 - p2) / variance**0.5, 38))


def test_each_comparison_has_its_clusters_and_its_caution(tmp_path):
    sizes = {"u": 2, "v": 4, "w": 40}
    rows = [
        (group, f"{group}{site}", int((person + site) % 3 == 0))
        for group, sites in sizes.items()
        for site in range(sites)
        for person in range(19 + site)
    ]
    rows += [("z", f"z{site}", 1) for site in range(3) for _ in range(20)]
    pl.DataFrame(rows, ["g", "site", "hired"], orient="row").write_csv(tmp_path / "t.csv")
    done = evenhand("impact", "t.csv", "--protected", "g", "--selected", "hired=1", "--cluster", "site",
                    "--reference", "g=w", "--no-report", "--out", "run", cwd=tmp_path)  # fmt: skip
    said = done.stdout
    assert all(f"{sites + 40} by site" in said for sites in (2, 4, 3))
    warnings = json.loads((tmp_path / "run" / "findings.json").read_text())["audit"]["warnings"]
    few = [line for line in warnings if line.startswith("Few clusters by site")]
    claims = [each["claim"] for each in findings_of(tmp_path / "run")[0].values() if each.get("claim")]
    assert sorted(few) == sorted(claim["caution"] for claim in claims if claim.get("caution"))
    assert {line[: line.index(",")] for line in few} >= {"Few clusters by site: 2 of u"}
    assert all(done.stdout.count(line[:40]) == 1 for line in few)


def test_few_clusters_of_an_odds_ratio_or_of_nobody_selected_say_what_would_be_found(tmp_path):
    rng = np.random.default_rng(4)
    rows = [
        (group, f"{group}{site}", "ab"[person % 2], int(rng.random() < chance))
        for group, sites, chance in (("n", 3, 0.0), ("u", 3, 0.3), ("w", 40, 0.5))
        for site in range(sites)
        for person in range(20)
    ]
    pl.DataFrame(rows, ["g", "site", "job", "hired"], orient="row").write_csv(tmp_path / "t.csv")
    evenhand("impact", "t.csv", "--protected", "g", "--selected", "hired=1", "--cluster", "site", "--given",
                    "job", "--reference", "g=w", "--no-report", "--out", "run", cwd=tmp_path)  # fmt: skip
    found = findings_of(tmp_path / "run")[0]
    nobody, odds = found["impact_ratio_g_n"]["claim"], found["adjusted_odds_ratio_g_u"]
    # One of 60 against half of 800; the t of that is the claim's. The data must exceed the decision that is reversed.
    rate = found["impact_ratio_g_n"]["details"]["rate_reference"]
    error, level = (1 / 60 - rate) / nobody["statistic"], 0.05 / nobody["family_size"]
    least = 100 * (error * (t.ppf(1 - level / 2, nobody["df"]) + t.ppf(0.8, nobody["df"])) + 1 / 60)
    assert nobody["test"] == "CR2 t, one decision reversed"
    assert f" {least:.3g} percentage points or more" in nobody["caution"]
    claim = odds["claim"]
    error = log(odds["high"] / odds["low"]) / 2 / t.ppf(0.975, claim["df"])
    least = exp(error * (t.ppf(1 - level / 2, claim["df"]) + t.ppf(0.8, claim["df"])))
    assert f"Only an odds ratio of {least:.3g} or more, or {1 / least:.3g} or less, would" in claim["caution"]


def test_the_page_says_what_clusters_are(folder):
    done = evenhand("impact rows.csv", *ASKED[:4], "--cluster", "ad", "--out", "run", "--force", cwd=folder)
    told = " ".join(done.stdout.split())
    assert "Intervals and p: cluster-robust t test, CR2 (1,323 by ad)" in told
    assert "df, p < 0.001; clusters: 1,323 by ad)" in told
    page = (folder / "run" / "report.html").read_text("utf-8")
    for text in (
        "p, cluster-robust",
        "not independent within",
        "Every interval and p of these groups is cluster-robust",
    ):
        assert text in page
    assert "Fisher" not in page.partition("<h2")[0]


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
        (["small.csv", "--cluster", "a", "--unit", "b"], "applicants (by 'b') have several values"),
        (["rows.csv", "--cluster", "ad", "--unit", "race"], "--unit and --protected both name 'race'; a unit is"),
        (["gaps.csv", "--cluster", "ad"], "--cluster ad: 1 of the rows of gaps.csv has no value in it; fill it in"),
        (["--counts", "a=1/2,b=2/3", "--cluster", "ad"], "--counts and --cluster are both given"),
    ],
)  # fmt: skip
def test_wrong_clusters_are_told_in_one_line(folder, args, told):
    (folder / "gaps.csv").write_text("ad,race,called\n1,a,yes\n,b,no\n2,a,no\n", encoding="utf-8")
    asked = [] if "--counts" in args else ["--selected", "called", "--protected", "race"]
    refused("impact", *args, *asked, "--out", "wrong", told=told, cwd=folder)


def test_what_is_held_fixed_is_compared_within_of_rates_and_of_scores(folder):
    asked = ("small.csv", "--protected", "race", "--reference", "race=w", "--block", "a", "--out", "run", "--force")
    done = evenhand("impact", *asked, "--selected", "called", cwd=folder)
    oracle = ORACLES["two_ways"]["within_a"]
    found = finding(folder, "block_difference_race_x")
    width = t.ppf(0.975, 11) * oracle["standard_error"]
    assert (found["estimate"], found["high"] - found["estimate"]) == pytest.approx(
        (oracle["estimate"], width), rel=0.01
    )
    assert (found["clusters"], found["n"]) == ({"a": 12}, 240)
    assert "Within the same a, race = x against race = w: +2.1 percentage points" in " ".join(done.stdout.split())
    assert "Differences among rows of one a" in (folder / "run" / "report.html").read_text("utf-8")
    # The clusters are others, the difference is the same; a score that is a line of the decision has 2.5 times it.
    both = ("--cluster", "b", "--score", "score", "--means", "--quiet", "--no-report")
    evenhand("impact", *asked, *both, cwd=folder)
    scored = finding(folder, "block_difference_race_x_means")
    assert scored["estimate"] == pytest.approx(2.5 * found["estimate"])
    assert scored["clusters"] == {"a": 12, "b": 9}
    assert scored["unit"] == "points"


@pytest.mark.parametrize(("by", "oracle", "clusters"), [("ad", "by_ad", 1323), ("first_name", "by_name", 36)])
def test_the_intervals_of_the_example_are_near_those_of_statsmodels(folder, by, oracle, clusters):
    evenhand("data example bertrand-2004 --out b.csv --force", cwd=folder)
    asked = ("b.csv", "--selected", "called_back", *ASKED[2:], "--cluster", by, "--block", "ad")
    row, _ = impact(folder, *asked)
    assert (row["n_focal"], row["selected_focal"], row["selected_reference"]) == (2435, 157, 235)
    assert row["clusters"] == clusters
    assert (row["ir_low"], row["ir_high"]) == pytest.approx(limits(ORACLES[oracle], clusters), rel=0.02)
    # Near the rate ± t standard errors: .0531 to .0758 by advertisement, .0510 to .0780 by name.
    rate = finding(folder, "selection_rate_race_black")
    assert (rate["low"], rate["high"]) == pytest.approx((0.052, 0.078), abs=0.003)
    within, fixed = finding(folder, "block_difference_race_black"), ORACLES["by_ad"]["within_ad"]
    assert within["estimate"] == pytest.approx(fixed["estimate"])
    if by == "ad":
        width = t.ppf(0.975, 1322) * fixed["standard_error"]
        assert (within["low"], within["high"]) == pytest.approx(
            (fixed["estimate"] - width, fixed["estimate"] + width), rel=1e-3
        )


def test_blocks_of_one_group_each_are_told(folder):
    asked = ("rows.csv", "--selected", "called", "--protected", "race", "--block", "ad", "--where")
    done = evenhand(
        "impact", *asked, "(race = 'white') = (ad < 600)", "--out", "run", "--force", "--no-report", cwd=folder
    )
    told = " ".join(done.stdout.split())
    assert "Within the same ad there is no difference to tell: in no block are there people of both groups." in told


def test_blocks_are_compared_at_a_cutoff_of_each_stage(folder):
    stages = pl.read_csv(folder / "small.csv").with_columns(stage=pl.Series(["first", "last"] * 120))
    stages.write_csv(folder / "stages.csv")
    asked = ("--score", "score", "--cutoff", "2.5", "--stage", "stage", "--protected", "race", "--block", "a")
    impact(folder, "stages.csv", *asked, "--reference", "race=w", "--out", "run", "--force", "--quiet")
    within = finding(folder, "block_difference_race_x_cutoff_2.5_last")
    assert within["slice"] == finding(folder, "impact_ratio_race_x_cutoff_2.5_last")["slice"]


def test_where_nothing_is_detected_the_test_of_clusters_says_what_it_would_have_found(tmp_path):
    rng = np.random.default_rng(8)
    n = 900
    frame = pl.DataFrame(
        {"sex": rng.choice(["f", "m"], n), "job": rng.integers(0, 30, n), "site": rng.integers(0, 3, n)}
    )
    frame.with_columns(hired=pl.Series(rng.binomial(1, 0.4, n))).write_csv(tmp_path / "t.csv")
    asked = ("impact", "t.csv", "--selected", "hired", "--protected", "sex", "--reference", "sex=m")
    more = ("--cluster", "job", "--position", "site", "--block", "site", "--out", "run")
    evenhand(*asked, *more, cwd=tmp_path)
    found = findings_of(tmp_path / "run")[0]
    whole = found["impact_ratio_sex_f"]
    assert whole["claim"]["verdict"] == "no_difference_detected"
    # (t of the level of its family + t of .8) standard errors below the rate of men.
    claim, rate = whole["claim"], whole["details"]["rate_reference"]
    error = (whole["details"]["rate_focal"] - rate) / claim["statistic"]
    reach = (t.ppf(1 - 0.025 / claim["family_size"], claim["df"]) + t.ppf(0.8, claim["df"])) * error
    assert claim["detectable"] == whole["details"]["detectable_ratio"] == pytest.approx(1 - reach / rate)
    assert claim["detectable"] < 0.95
    odds = found["common_odds_ratio_sex_f"]
    df = odds["claim"]["df"]
    error = np.log(odds["high"] / odds["low"]) / 2 / t.ppf(0.975, df)
    reach = (t.ppf(1 - 0.025 / odds["claim"]["family_size"], df) + t.ppf(0.8, df)) * error
    assert odds["claim"]["detectable"] == pytest.approx(np.exp(-reach))
    assert found["block_difference_sex_f"]["claim"]["detectable"] < -0.05
    page = (tmp_path / "run" / "report.html").read_text("utf-8").lower()
    for words in ("minimum detectable ratio with", "minimum detectable odds ratio", "minimum detectable difference"):
        assert words in page


def test_the_names_of_a_probe_are_the_clusters_of_its_answers_unless_others_are_given(tmp_path):
    evenhand("probe hiring-an --model sim:masculine --sample 200 --out answers --no-report --quiet", cwd=tmp_path)
    methods = {}
    for cluster in ("", "--cluster name", "--cluster role"):
        evenhand(f"impact answers --protected gender {cluster} --out run --force --no-report --quiet", cwd=tmp_path)
        rows = findings_of(tmp_path / "run")[0]
        methods[cluster] = rows["impact_ratio_gender_female"]["clusters"], rows["impact_ratio_gender_female"]["low"]
    assert methods[""] == methods["--cluster name"] != methods["--cluster role"]
    assert [*methods[""][0]] == ["name"]


@pytest.mark.parametrize(("people", "named"), [(24, False), (40, True)])
def test_a_difference_of_a_small_group_alone_is_in_the_table_and_leads_no_sentence(tmp_path, people, named):
    rows = [("x" if ad % 2 else "y", ad, race, ad % 4 < 2) for ad in range(200) for race in ("a", "b")]
    rows += [("x" if ad % 2 else "y", ad, "c", ad < 2) for ad in range(people)]
    pl.DataFrame(rows, schema=["job", "ad", "race", "hired"], orient="row").write_csv(tmp_path / "t.csv")
    done = evenhand(
        "impact t.csv --selected hired --protected race --reference race=a --position job --cluster ad --out run",
        cwd=tmp_path,
    )
    assert ("Within positions the difference remains" in done.stdout) == named
    assert ("race = c (n = 24) (see the table)" in " ".join(done.stdout.split())) != named
    assert findings_of(tmp_path / "run")[0]["impact_ratio_race_c"]["claim"]["verdict"] == "difference"
