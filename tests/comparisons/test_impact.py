"""Who is selected less: rows, references, adjustment, pooling, Local Law 144.

UC Berkeley 1973 is R's UCBAdmissions (Bickel, Hammel and O'Connell 1975, Science 187, 398-404);
its common odds ratio of .9046968 for men against women by admission is printed by R's example(mantelhaen.test).
"""

import numpy as np
import polars as pl
import pytest
from scipy.stats import fisher_exact as scipy_fisher

from evenhand import stats
from evenhand.comparisons.impact import cell_rate_limits, measure_impact
from evenhand.comparisons.impact_cells import Exclusion, ImpactChoices, References, cells_of
from evenhand.comparisons.ladder import ladder
from evenhand.comparisons.regulations import ll144_rows, required_attributes
from evenhand.errors import InputError

BERKELEY = {
    "A": ((512, 825), (89, 108)),
    "B": ((353, 560), (17, 25)),
    "C": ((120, 325), (202, 593)),
    "D": ((138, 417), (131, 375)),
    "E": ((53, 191), (94, 393)),
    "F": ((22, 373), (24, 341)),
}


def counted(rows, *, approach="selected", cutoff=None, stage=""):
    """Return counts from rows of position, groups by attribute, n, successes."""
    return pl.DataFrame(
        [
            {
                "approach": approach,
                "cutoff": cutoff,
                "stage": stage,
                "position": position,
                **{f"protected.{name}": group for name, group in groups.items()},
                "n": n,
                "successes": successes,
            }
            for position, groups, successes, n in rows
        ],
        schema_overrides={"cutoff": pl.Float64, "n": pl.Int64, "successes": pl.Int64},
    )


def berkeley():
    return counted(
        [
            (department, {"gender": gender}, *counts)
            for department, both in BERKELEY.items()
            for gender, counts in zip(("male", "female"), both, strict=True)
        ]
    )


def measured(counts, attributes, *, by_position=False, **choices):
    return measure_impact(counts, attributes, ImpactChoices(**choices), by_position=by_position)


def row(found, **where):
    chosen = found.rows.filter(*(pl.col(name) == value for name, value in where.items()))
    assert chosen.height == 1, chosen
    return chosen.row(0, named=True)


def test_berkeley_pooled_and_by_department_point_in_different_directions():
    found = measured(berkeley(), ["gender"], by_position=True)
    whole = row(found, position="")
    assert (whole["focal"], whole["reference"], whole["four_fifths"]) == ("female", "male", "below")
    assert whole["impact_ratio"] == pytest.approx((557 / 1835) / (1198 / 2691), rel=1e-14)
    pooled = found.pooled.row(0, named=True)
    assert 1 / pooled["or_mh"] == pytest.approx(0.9046968, abs=5e-8)
    assert (pooled["strata"], pooled["simpson"], pooled["reference"]) == (6, True, "male")


def test_the_reference_is_the_highest_rate_of_each_position_and_has_no_row():
    found = measured(berkeley(), ["gender"], by_position=True)
    by_department = found.rows.filter(pl.col("position") != "")
    assert by_department["focal"].to_list() == ["male", "male", "female", "male", "female", "male"]
    assert found.rows.filter(pl.col("focal") == pl.col("reference")).is_empty()


def test_ties_for_the_highest_go_to_the_larger_group_and_then_to_the_label():
    tied = counted([("", {"race": "b"}, 5, 10), ("", {"race": "a"}, 10, 20), ("", {"race": "c"}, 10, 20)])
    assert set(measured(tied, ["race"]).rows["reference"]) == {"a"}


def test_a_group_that_is_named_is_the_reference_everywhere_whatever_its_case():
    found = measured(berkeley(), ["gender"], by_position=True, references=References(named={"gender": " FEMALE"}))
    assert set(found.rows["reference"]) == {"female"}
    assert row(found, position="A")["shortfall"] > 0


def test_a_reference_that_does_not_occur_is_refused_with_those_that_do():
    with pytest.raises(InputError, match="gender has no such group; its groups are female, male"):
        measured(berkeley(), ["gender"], references=References(named={"gender": "men"}))


def test_the_largest_group_can_be_the_reference():
    counts = counted([("", {"race": "big"}, 10, 100), ("", {"race": "small"}, 9, 10)])
    found = row(measured(counts, ["race"], references=References(rule="largest")))
    assert (found["focal"], found["four_fifths"]) == ("small", "not_below")
    assert (
        row(measured(counts, ["race"], references=References(rule="largest"), rule="two_sided"))["four_fifths"]
        == "above"
    )


def test_groups_that_cannot_be_compared_are_rows_with_a_reason_and_no_number():
    counts = counted(
        [
            ("x", {"race": "a"}, 0, 10),
            ("x", {"race": "b"}, 0, 10),
            ("y", {"race": "a"}, 5, 10),
        ]
    )
    found = measured(counts, ["race"], by_position=True)
    nobody, absent = row(found, position="x"), row(found, position="y")
    assert (nobody["impact_ratio"], nobody["z"], nobody["four_fifths"]) == (None, None, "not_computable")
    assert "Nobody in the reference group was selected" in nobody["reason"]
    assert (absent["n_focal"], absent["impact_ratio"]) == (0, None)
    assert "has no people" in absent["reason"]
    numbers = found.rows.select(pl.col(pl.Float64)).to_numpy()
    assert not np.isinf(numbers).any()
    assert not found.rows.select(pl.col(pl.Float64).is_nan().any()).to_numpy().any()


def test_an_attribute_with_a_single_group_has_no_row_but_a_finding_that_says_why():
    found = measured(counted([("", {"gender": "female"}, 3, 10)]), ["gender"])
    assert found.rows.is_empty()
    finding = next(each for each in found.findings if each.measure == "impact_ratio")
    assert finding.estimate is None
    assert "no groups to compare" in finding.reason


def test_unknown_groups_are_in_no_row():
    counts = counted([("", {"g": "a"}, 5, 10), ("", {"g": "b"}, 8, 10), ("", {"g": None}, 40, 50)])
    found = row(measured(counts, ["g"]))
    assert (found["n_focal"], found["n_reference"]) == (10, 10)


def test_all_pairs_are_in_the_family_when_the_reference_is_chosen_by_its_rate():
    counts = counted([("", {"r": name}, a, n) for name, a, n in (("a", 30, 100), ("b", 45, 100), ("c", 60, 100))])
    found = measured(counts, ["r"])
    p = {
        pair: scipy_fisher([[one, 100 - one], [two, 100 - two]]).pvalue
        for pair, (one, two) in {"ac": (30, 60), "bc": (45, 60), "ab": (30, 45)}.items()
    }
    # Holm: the smallest times 3, then the others times 2 and 1, never falling.
    assert row(found, focal="a")["p_adjusted"] == pytest.approx(3 * p["ac"], rel=1e-9)
    second, third = sorted((p["bc"], p["ab"]))
    expected = 2 * second if p["bc"] == second else max(2 * second, third)
    assert row(found, focal="b")["p_adjusted"] == pytest.approx(expected, rel=1e-9)
    assert row(found, focal="a")["adjustment"] == "Fisher exact, Holm over 3 comparisons"
    named = measured(counts, ["r"], references=References(named={"r": "c"}))
    assert row(named, focal="a")["adjustment"] == "Fisher exact, Holm over 2 comparisons"


def test_intersections_cross_the_attributes_and_are_explored():
    counts = counted(
        [
            ("", {"gender": g, "race": r}, a, 50)
            for g, r, a in (("f", "x", 5), ("f", "y", 9), ("m", "x", 12), ("m", "y", 20))
        ]
    )
    found = measured(counts, ["gender", "race"], intersectional=True)
    crossed = found.rows.filter(pl.col("attribute") == "gender x race")
    assert crossed["focal"].to_list() == ["f x x", "f x y", "m x x"]
    assert crossed["adjustment"].unique().to_list() == ["Fisher exact, Benjamini-Hochberg over 6 comparisons"]
    assert row(found, attribute="gender")["selected_focal"] == 14


def test_groups_below_the_smallest_share_are_counted_and_not_judged():
    counts = counted([("", {"r": "a"}, 300, 490), ("", {"r": "b"}, 290, 500), ("", {"r": "c"}, 9, 10)])
    found = measured(counts, ["r"], exclusion=Exclusion(min_share=0.02))
    small = row(found, focal="c")
    assert (small["n_focal"], small["impact_ratio"], small["p_fisher"]) == (10, None, None)
    assert "--min-share" in small["reason"]
    assert set(found.rows["reference"]) == {"a"}


@pytest.mark.parametrize(
    ("focal", "reference", "margin", "verdict", "equivalent"),
    [
        # 45 against 50 % of 5,000 each: a difference, and shown to be above .8.
        ((2250, 5000), (2500, 5000), 0.8, "difference", True),
        ((2250, 5000), (2500, 5000), 0.9, "difference", False),
        ((2500, 5000), (2510, 5000), 0.8, "no_difference_detected", True),
        ((20, 50), (25, 50), 0.8, "no_difference_detected", False),
        ((400, 1000), (500, 1000), 0.8, "difference", False),
        # Everybody: the ratio is 1 and p is 1. Nobody: there is no ratio, and nothing to judge.
        ((31, 31), (50, 50), 0.8, "no_difference_detected", True),
        ((0, 31), (0, 50), 0.8, "not_judged", None),
        ((9, 31), (0, 50), 0.8, "difference", None),
    ],
)
def test_rates_are_equivalent_where_the_90_percent_interval_lies_within_the_margin(
    focal, reference, margin, verdict, equivalent
):
    counts = counted([(None, {"g": "a"}, *focal), (None, {"g": "b"}, *reference)])
    found = measured(counts, ["g"], references=References(named={"g": "b"}), margin=margin)
    claim = next(finding.claim for finding in found.findings if finding.claim is not None)
    assert (claim.verdict, claim.equivalent) == (verdict, equivalent)
    assert row(found, focal="a")["equivalent"] is equivalent


def test_ratios_shown_to_be_above_four_fifths_are_corrected_over_the_run():
    groups = {"a": (300, 1000), "b": (292, 1000), "c": (100, 400), "d": (309, 1000)}
    found = measured(counted([("", {"g": name}, *pair) for name, pair in groups.items()]), ["g"])
    ratios = {finding.focal["g"]: finding for finding in found.findings if finding.measure == "impact_ratio"}
    alone, corrected = (
        {name: getattr(finding.details, f"p_above_{kind}") for name, finding in ratios.items()}
        for kind in ("margin", "adjusted")
    )
    for name in "abc":
        assert alone[name] == stats.ratio_above(*groups[name], *groups["d"], margin=0.8).p
    assert list(corrected.values()) == pytest.approx(stats.holm(list(alone.values())).p.tolist())
    above = {name: finding.claim.above_margin for name, finding in ratios.items()}
    assert above == {name: p < 0.05 for name, p in corrected.items()}
    rows = {row["focal"]: row for row in found.rows.iter_rows(named=True)}
    assert {name: rows[name]["above_margin"] for name in "abc"} == above
    assert set(above.values()) == {True, False}


def test_positions_have_a_common_ratio_of_rates():
    found = measured(berkeley(), ["gender"], by_position=True)
    (common,) = [finding for finding in found.findings if finding.measure == "common_odds_ratio"]
    people = [(*female, *male) for male, female in BERKELEY.values()]
    parts = np.array([(a * m / (n + m), c * n / (n + m)) for a, n, c, m in people]).sum(axis=0)
    assert common.details.common_ratio == pytest.approx(parts[0] / parts[1])
    assert common.claim.above_margin is True
    assert found.pooled["common_low"][0] < parts[0] / parts[1] < found.pooled["common_high"][0]


def test_cut_offs_and_stages_of_one_run_are_one_family():
    rows = [("", {"g": "a"}, 5, 40), ("", {"g": "b"}, 12, 40)]
    counts = pl.concat([counted(rows, approach="cutoff", cutoff=cutoff) for cutoff in (3.0, 3.5)])
    found = measured(counts, ["g"])
    assert found.rows["cutoff"].to_list() == [3.0, 3.5]
    assert found.rows["adjustment"].to_list() == ["Fisher exact, Holm over 2 comparisons"] * 2
    names = [finding.name for finding in found.findings]
    assert len(names) == len(set(names))
    staged = pl.concat([counted(rows, stage=stage) for stage in ("screen", "bottom line")])
    assert set(measured(staged, ["g"]).rows["stage"]) == {"screen", "bottom line"}


def test_swapping_the_groups_inverts_ratio_and_odds_and_keeps_the_p():
    counts = counted([("", {"g": "a"}, 12, 40), ("", {"g": "b"}, 20, 41)])
    one = row(measured(counts, ["g"], references=References(named={"g": "b"})))
    two = row(measured(counts, ["g"], references=References(named={"g": "a"})))
    assert one["impact_ratio"] * two["impact_ratio"] == pytest.approx(1)
    assert one["odds_ratio"] * two["odds_ratio"] == pytest.approx(1)
    assert one["p_fisher"] == pytest.approx(two["p_fisher"], rel=1e-12)
    assert one["z"] == pytest.approx(-two["z"])


def test_means_are_compared_with_the_highest_mean():
    scores = pl.DataFrame(
        {
            "stage": "",
            "position": ["x", "x", "y", "y"],
            "protected.g": ["a", "b", "a", "b"],
            "n": [40, 40, 60, 60],
            "mean": [3.0, 3.2, 2.8, 3.1],
            "squares": [20.0, 22.0, 31.0, 28.0],
        }
    )
    found = measure_impact(pl.DataFrame(), ["g"], ImpactChoices(), scores=scores, by_position=True)
    whole = row(found, position="")
    mean = {"a": (40 * 3.0 + 60 * 2.8) / 100, "b": (40 * 3.2 + 60 * 3.1) / 100}
    assert whole["mean_focal"] == pytest.approx(mean["a"])
    assert whole["impact_ratio"] == pytest.approx(mean["a"] / mean["b"])
    assert whole["four_fifths"] is None
    squares = [sum(s + n * (m - mean[g]) ** 2 for n, m, s in part) for g, part in
               (("a", ((40, 3.0, 20), (60, 2.8, 31))), ("b", ((40, 3.2, 22), (60, 3.1, 28))))]  # fmt: skip
    pooled = np.sqrt(sum(squares) / 198)
    assert whole["standardised_difference"] == pytest.approx((mean["a"] - mean["b"]) / pooled, rel=0.005)  # less Hedges


def test_bounds_for_unknown_groups_hold_the_estimate():
    counts = counted([("", {"g": "a"}, 10, 50), ("", {"g": "b"}, 20, 50), ("", {"g": None}, 3, 10)])
    found = measured(counts, ["g"], missing_bounds=True)
    bounds = next(each for each in found.findings if each.measure == "impact_ratio_missing_bounds")
    assert bounds.low == pytest.approx((10 / 57) / (23 / 53))
    assert bounds.high == pytest.approx((13 / 53) / (20 / 57))
    assert bounds.low < bounds.estimate < bounds.high


def test_local_law_144_counts_unknown_and_excludes_only_with_a_reason():
    counts = counted(
        [
            ("", {"sex": "female", "race": "White"}, 40, 100),
            ("", {"sex": "male", "race": "White"}, 50, 100),
            ("", {"sex": "male", "race": "Asian"}, 3, 3),
            ("", {"sex": None, "race": "White"}, 1, 7),
        ]
    )
    required = required_attributes(["sex", "race"])
    kept = ll144_rows(counts, required, Exclusion())
    assert kept.filter(attribute="race", category="White")["impact_ratio"].item() == pytest.approx(91 / 207)
    left = ll144_rows(counts, required, Exclusion(reason="few"))
    asian = left.filter(attribute="race", category="Asian").row(0, named=True)
    assert (asian["excluded"], asian["impact_ratio"], asian["rate"], asian["share"]) == (True, None, 1.0, 3 / 210)
    assert left.filter(attribute="race", category="White")["impact_ratio"].item() == 1
    unknown = left.filter(attribute="sex", category="unknown").row(0, named=True)
    assert (unknown["n"], unknown["selected"], unknown["share"]) == (7, 1, 7 / 210)
    assert left.filter(attribute="sex x race")["category"].to_list() == [
        "female x White", "male x Asian", "male x White", "unknown",
    ]  # fmt: skip


@pytest.mark.parametrize(("asians", "excluded"), [(1, True), (2, False)])
def test_two_percent_of_the_data_used_are_not_less_than_two_percent(asians, excluded):
    counts = counted(
        [
            ("", {"sex": "female", "race": "White"}, 40, 100 - asians),
            ("", {"sex": "male", "race": "Asian"}, 1, asians),
        ]
    )
    rows = ll144_rows(counts, required_attributes(["sex", "race"]), Exclusion(reason="few"))
    asian = rows.filter(attribute="race", category="Asian").row(0, named=True)
    assert (asian["share"], asian["excluded"], asian["impact_ratio"] is None) == (asians / 100, excluded, excluded)


def test_local_law_144_needs_sex_and_race():
    with pytest.raises(InputError, match="race or ethnicity"):
        required_attributes(["gender"])


def qualified(frame):
    cells = cells_of(counted([("", {"g": "f"}, 1, 2), ("", {"g": "m"}, 2, 2)]), ["g"], by_position=False)
    keys = {"approach": pl.lit("selected"), "cutoff": pl.lit(None, pl.Float64), "stage": pl.lit("")}
    frame = frame.with_columns(**keys, position=pl.lit(""))
    return ladder(frame, cells, References(named={"g": "m"})).findings[:1]


def test_qualifications_that_explain_the_difference_leave_an_odds_ratio_of_one():
    rows = [("f", "low", 10, 100), ("f", "high", 30, 50), ("m", "low", 5, 50), ("m", "high", 60, 100)]
    frame = pl.DataFrame([{"protected.g": g, "given.degree": d, "n": n, "successes": s} for g, d, s, n in rows])
    (found,) = qualified(frame)
    assert found.estimate == pytest.approx(1, abs=1e-6)
    assert found.details.odds_ratio_crude == pytest.approx((40 / 110) / (65 / 85))
    assert found.claim.p == pytest.approx(1, abs=1e-5)


def test_a_qualification_that_is_the_group_leaves_no_estimate_but_a_reason():
    frame = pl.DataFrame({"protected.g": ["f", "m"], "given.badge": ["x", "y"], "n": [50, 50], "successes": [20, 30]})
    (found,) = qualified(frame)
    assert found.estimate is None
    assert found.reason


def test_a_lone_group_that_sorts_first_does_not_stop_the_others():
    scores = pl.DataFrame(
        {
            "stage": "",
            "position": "",
            "protected.race": ["American Indian", "Asian", "White"],
            "n": [1, 20, 20],
            "mean": [3.0, 3.1, 3.3],
            "squares": [0.0, 9.0, 8.0],
        }
    )
    found = measure_impact(pl.DataFrame(), ["race"], ImpactChoices(), scores=scores)
    lone = row(found, focal="American Indian")
    assert (lone["p_welch"], lone["adjustment"]) == (None, None)
    assert lone["reason"]
    assert row(found, focal="Asian")["adjustment"] == "Welch t"


def test_a_cell_without_a_reference_shows_nobodys_counts_as_the_references():
    counts = counted([("", {"r": "a"}, 5, 50), ("", {"r": "b"}, 9, 50)])
    found = measured(counts, ["r"], exclusion=Exclusion(min_share=0.6))
    assert set(found.rows["reference"]) == {None}
    assert set(found.rows["n_reference"]) == {None}


def test_groups_with_the_joining_sign_in_their_names_are_told_apart():
    counts = counted(
        [
            ("x", {"one": one, "two": two}, 5 + n, 20)
            for n, (one, two) in enumerate((("A", "B x C"), ("A x B", "C"), ("A", "C"), ("A x B", "B x C")))
        ]
    )
    found = measured(counts, ["one", "two"], intersectional=True, by_position=True)
    crossed = found.rows.filter((pl.col("attribute") == "one x two") & (pl.col("position") == ""))
    assert len({*crossed["focal"], *crossed["reference"]}) == 4
    assert found.pooled.filter(attribute="one x two").height == 3


def test_every_finding_has_a_name_of_its_own():
    rows = [("", {"g": group}, a, 20) for group, a in (("a b", 3), ("a_b", 5), ("c", 9))]
    counts = pl.concat([counted(rows, approach="cutoff", cutoff=cutoff) for cutoff in (3.0, 3.0000001)])
    names = [finding.name for finding in measured(counts, ["g"]).findings]
    assert len(names) == len(set(names))


def test_a_qualification_that_nobody_has_leaves_a_finding_with_a_reason():
    frame = pl.DataFrame(
        {
            "protected.g": ["f", "m"],
            "given.badge": pl.Series([None, None], dtype=pl.String),
            "n": [5, 5],
            "successes": [2, 3],
        }
    )
    (found,) = qualified(frame)
    assert (found.estimate, found.n) == (None, 0)
    assert "badge" in found.reason


@pytest.mark.parametrize(
    ("counts", "noise", "effect", "limits"),
    [
        # Wilson's limits of 5 of 10 and 0 of 10, as statistics.md has them.
        ((5, 10), 0.0, 1.0, (0.2366, 0.7634)),
        ((0, 10), 0.0, 1.0, (0.0, 0.2775)),
        # Wilson's half-width at 100 of 400 is .0399 below and .0447 above; √2 times these.
        ((100, 400), 0.0, 2.0, (0.25 - 0.03992 * 2**0.5, 0.25 + 0.04468 * 2**0.5)),
        # Counts that deviate by a variance of 3: 1.96² · 3 · (1 + 1/16)/400² = .0000765 more.
        ((100, 400), 3.0, 1.0, (0.25 - (0.03992**2 + 7.653e-5) ** 0.5, 0.25 + (0.04468**2 + 7.653e-5) ** 0.5)),
    ],
)
def test_limits_of_rates_are_wilson_s_and_wider_for_deviations_and_people_with_several(counts, noise, effect, limits):
    selected, n = counts
    rows = {
        "approach": ["selected"],
        "cutoff": [None],
        "stage": ["s"],
        "position": [""],
        "n": [n],
        "successes": [selected],
    }
    frame = pl.DataFrame(rows | {"protected.g": ["a"]}, schema_overrides={"cutoff": pl.Float64})
    found = cell_rate_limits(cells_of(frame, ["g"], by_position=False), noise=noise, effects={"s": effect})
    assert found[:, 0, 0] == pytest.approx(limits, abs=2e-4)
