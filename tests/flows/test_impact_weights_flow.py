"""`evenhand impact`: sampling weights, probable groups, people without a decision, and applicants against shares."""

import random

import numpy as np
import polars as pl
import pytest
from _cli import evenhand, findings, refused

from evenhand.stats import availability

LABELS = ("hired", "rejected", "rejected", "pending", "withdrawn")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    draw, path = random.Random(66), tmp_path_factory.mktemp("sampled")
    rows = []
    for number in range(240):
        sex, likely = "fm"[number % 2], round(draw.random(), 3)
        rows.append(
            {
                "sex": sex,
                "w": round(draw.lognormvariate(3, 0.5), 3),
                "p_a": likely,
                "p_b": round((1 - likely) * 0.95, 3),
                "site": f"s{number % 3}",
                "firm": number // 4,
                "years": round(draw.uniform(0, 9), 1),
                "hired": int(draw.random() < (0.35 if sex == "f" else 0.5)),
                "status": LABELS[draw.randrange(5)],
            }
        )
    pl.DataFrame(rows).write_csv(path / "people.csv")
    return path


def analysed(folder, *options, table="people.csv", selected="hired"):
    done = evenhand("impact", table, "--selected", selected, *options, "--out", "run", "--force", cwd=folder)
    return (*findings(folder / "run"), " ".join(f"{done.stdout} {done.stderr}".split()))


def weighted(rows, weight):
    """Return the weighted rate, its linearised standard error with replacement, and Kish's effective number."""
    y = rows["hired"].to_numpy()
    rate = (weight * y).sum() / weight.sum()
    z = weight * (y - rate) / weight.sum()
    return rate, np.sqrt(y.size / (y.size - 1) * (z**2).sum()), weight.sum() ** 2 / (weight**2).sum()


def test_weights_give_linearised_rates_and_ratios(folder):
    found, _, said = analysed(folder, "--protected", "sex", "--reference", "sex=m", "--weight", "w")
    people = pl.read_csv(folder / "people.csv").partition_by("sex", as_dict=True)
    (f, error_f, effective_f), (m, error_m, effective_m) = (
        weighted(people[sex,], people[sex,]["w"].to_numpy()) for sex in "fm"
    )
    rate, ratio = found["selection_rate_sex_f"], found["impact_ratio_sex_f"]
    assert (rate["estimate"], ratio["estimate"]) == pytest.approx((f, f / m))
    assert rate["details"]["effective_n"] == pytest.approx(effective_f)
    assert ratio["details"]["effective_reference"] == pytest.approx(effective_m)
    assert (rate["n"], rate["details"]["selected"]) == (120, people["f",]["hired"].sum())
    # CR2 differs from the usual n/(n - 1) by the unevenness of the weights only.
    assert ratio["claim"]["statistic"] == pytest.approx((f - m) / np.hypot(error_f, error_m), rel=0.02)
    reach = 1.97 * np.hypot(error_f / f, error_m / m)
    assert (ratio["low"], ratio["high"]) == pytest.approx((f / m * np.exp(-reach), f / m * np.exp(reach)), rel=0.02)
    assert {test["name"] for test in ratio["tests"]} == {"CR2 t, weighted"}
    assert "linearised (Taylor) by row" in said
    row = pl.read_csv(folder / "run" / "impact.csv").row(0, named=True)
    assert (row["p_fisher"], row["z"], row["four_fifths"]) == (None, None, "below" if f < 0.8 * m else "not_below")


def test_weights_of_one_are_the_rows_themselves_and_their_scale_is_free(folder):
    people = pl.read_csv(folder / "people.csv")
    people.with_columns(ones=1.0, large=pl.col("w") * 1e6).write_csv(folder / "scaled.csv")
    plain = analysed(folder, "--protected", "sex", "--cluster", "firm")[0]
    ones = analysed(folder, "--protected", "sex", "--cluster", "firm", "--weight", "ones", table="scaled.csv")[0]
    for name in ("estimate", "low", "high"):
        assert ones["impact_ratio_sex_f"][name] == pytest.approx(plain["impact_ratio_sex_f"][name])
    options = ("--protected", "sex", "--position", "site", "--given", "years")
    small, large = (analysed(folder, *options, "--weight", weight, table="scaled.csv")[0] for weight in ("w", "large"))
    assert small.keys() == large.keys()
    for name, one in small.items():
        assert one["estimate"] == pytest.approx(large[name]["estimate"], abs=1e-9), name
        assert one["low"] == pytest.approx(large[name]["low"], abs=1e-7), name
    assert small["common_odds_ratio_sex_f"]["claim"]["p"] is not None
    assert small["adjusted_odds_ratio_sex_f"]["claim"]["p"] is not None


def test_probable_groups_have_weighted_rates_and_a_stated_bias(folder):
    probable = "race=prob:a=p_a,b=p_b"
    found, audit, said = analysed(folder, "--protected", probable, "--reference", "race=b", "--position", "site")
    people = pl.read_csv(folder / "people.csv")
    for group in "ab":
        p, y = people[f"p_{group}"].to_numpy(), people["hired"].to_numpy()
        rate = found[f"selection_rate_race_{group}"]
        assert rate["estimate"] == pytest.approx((p * y).sum() / p.sum())
        assert rate["n"] == pytest.approx(p.sum(), abs=1)
    ratio = found["impact_ratio_race_a"]
    assert ratio["clusters"] == {"row": 240}
    # A bias of unknown sign shows nothing of a margin.
    assert (ratio["claim"]["equivalent"], "above_margin" in ratio["claim"]) == (None, False)
    assert "shown to be above" not in said
    assert "bias of the weighted estimator" in said
    assert any("Chen et al. 2019" in line for line in audit["warnings"])


def test_people_without_a_decision_could_move_a_ratio_between_bounds(folder):
    options = ("--undecided", "status=pending,withdrawn", "--protected", "sex", "--reference", "sex=m")
    found, _, said = analysed(folder, *options, "--missing", "bounds", selected="status=hired")
    people = pl.read_csv(folder / "people.csv")
    counts = {
        sex: [people.filter(pl.col("sex") == sex, pl.col("status").is_in(of)).height for of in values]
        for sex in "fm"
        for values in [(["hired"], ["hired", "rejected"], ["pending", "withdrawn"])]
    }
    (a, n, u), (c, m, v) = counts["f"], counts["m"]
    bounds = found["impact_ratio_undecided_bounds_sex_f"]
    assert (bounds["low"], bounds["high"]) == pytest.approx(
        ((a / (n + u)) / ((c + v) / (m + v)), ((a + u) / (n + u)) / (c / (m + v)))
    )
    details = bounds["details"]
    assert (details["undecided_focal"], details["undecided_reference"]) == (u, v)
    assert details["ratio_if_all"] == pytest.approx(((a + u) / (n + u)) / ((c + v) / (m + v)))
    assert details["ratio_if_none"] == pytest.approx((a / (n + u)) / (c / (m + v)))
    assert f"No decision is known for {u} people (sex = f) and {v} people (sex = m)" in said


def test_applicants_are_compared_with_their_availability(folder):
    options = ("--undecided", "status=pending,withdrawn", "--protected", "sex", "--reference", "sex=m")
    options += ("--availability", "f=.62,m=.38")
    found, _, said = analysed(folder, *options, selected="status=hired")
    known = availability(120, 240, 0.62)  # those without a decision applied, too
    share = found["availability_sex_f"]
    assert (share["estimate"], share["claim"]["p"]) == pytest.approx((0.5, known.p))
    assert share["claim"]["family"] == "applicants against stated shares"
    assert found["impact_ratio_sex_f"]["claim"]["family_size"] == 1
    assert "120 of 240 people, 50.0 %; 28.8 fewer than the 148.8 expected" in said
    assert (folder / "run" / "impact.csv").is_file()
    assert pl.read_csv(folder / "run" / "availability.csv")["expected"][0] == pytest.approx(148.8)


def test_of_three_groups_those_who_are_missing_and_all_open_ratios_are_named(folder):
    options = ("--undecided", "status=pending,withdrawn", "--protected", "site", "--reference", "site=s0")
    options += ("--missing", "bounds", "--availability", "s0=.2,s1=.38,s2=.42")
    _, _, said = analysed(folder, *options, selected="status=hired")
    assert "site = s2: 80 of 240 people, 33.3 %; 20.8 fewer than the 100.8 expected" in said  # s0 is 5 SD above
    assert "1 more ratio could lie on either side of four-fifths or equal rates" in said


WEIGHT, PROBABLE = ("--weight", "w"), ("--protected", "race=prob:a=p_a,b=p_b")
SEX = ("--protected", "sex")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((*SEX, *WEIGHT, "--count", "firm"), "--weight and --count can't be given together: a row of counts"),
        ((*SEX, *WEIGHT, "--ll144"), "Local Law 144 counts people"),
        ((*SEX, *WEIGHT, "--block", "site"), "name its columns with --cluster or --position"),
        ((*SEX, *WEIGHT, "--missing", "bounds"), "its bounds count people"),
        ((*SEX, "--weight", "wrong"), "'wrong' has '0.0' in row 3 of wrong.csv; expected a weight above 0"),
        ((*SEX, "--weight", "blank"), "'blank' has nothing in row 2 of wrong.csv"),
        ((*SEX, "--weight", "endless"), "'endless' has 'inf' in row 4 of wrong.csv"),
        (("--protected", "race=prob:a=p_a,b=years"), "'years' has '5.0' in row 1 of wrong.csv; expected a probability"),
        (("--protected", "race=prob:a=p_a,b=high"), "'p_a + high' has '1.2' in row 3"),
        (("--protected", "race=prob:a=p_a"), "is not understood; expected ATTRIBUTE=prob:GROUP=COLUMN"),
        ((*PROBABLE, *SEX), "analyse each in a separate run"),
        ((*SEX, "--availability", "f=.5", "--cluster", "site"), "assumes independent applicants"),
        ((*SEX, "--availability", "f=.5,m=.6"), "--availability: the shares of sex add up to 1.1"),
    ],
)
def test_what_takes_no_weights_is_refused(folder, options, said):
    columns = {
        "sex": ["f", "m", "f", "m"], "hired": [1, 0, 0, 1], "site": ["x", "y", "x", "y"], "firm": [1, 2, 3, 4],
        "w": [1.0, 2.0, 3.0, 4.0], "wrong": [1.0, 2.0, 0.0, -1.0], "blank": [1.0, None, 2.0, 1.0],
        "endless": [1.0, 2.0, 3.0, float("inf")], "years": [5.0] * 4, "p_a": [0.5, 0.5, 0.5, 0.5],
        "p_b": [0.5] * 4, "high": [0.1, 0.2, 0.7, 0.1],
    }  # fmt: skip
    pl.DataFrame(columns).write_csv(folder / "wrong.csv")
    refused("impact wrong.csv --selected hired", *options, "--out", "refused", told=said, cwd=folder)
