"""Selection tables of the literature (tests/oracles/selection.json)."""

import json
from pathlib import Path

import pytest

from evenhand.stats import (
    breslow_day,
    flip_flop,
    four_fifths,
    impact_ratio,
    mantel_haenszel,
    mean_ratio,
    recommended_test,
    z_curve,
)

CASES = json.loads((Path(__file__).parents[1] / "oracles" / "selection.json").read_text(encoding="utf-8"))


def columns(tables):
    return [list(column) for column in zip(*tables, strict=True)]


def test_berkeley_s_departments_agree_with_the_published_common_odds_ratio():
    case = CASES["berkeley-departments"]
    pooled = mantel_haenszel(*columns(case["tables"]))
    assert round(pooled.estimate, 7) == case["published"]["common_odds_ratio"]
    assert [round(pooled.low, 7), round(pooled.high, 7)] == case["recalled"]["common_odds_ratio_interval"]


def test_berkeley_s_departments_agree_with_statsmodels():
    case = CASES["berkeley-departments"]
    computed, tables = case["computed"], columns(case["tables"])
    pooled, equal = mantel_haenszel(*tables), breslow_day(*tables)
    ours = {
        "estimate": pooled.estimate,
        "chi2": pooled.chi2,
        "p": pooled.p,
        "chi2_corrected": pooled.chi2_corrected,
        "p_corrected": pooled.p_corrected,
        "chi2_equal": equal.chi2,
        "p_equal": equal.p,
        "chi2_tarone": equal.chi2_tarone,
        "p_tarone": equal.p_tarone,
    }
    assert ours == pytest.approx({name: computed[name] for name in ours}, rel=1e-9)
    assert [pooled.low, pooled.high] == pytest.approx(computed["interval"], rel=1e-9)
    assert (pooled.strata, pooled.n, equal.df) == (6, 4526, 5)


def test_the_guidelines_flag_only_the_group_below_four_fifths():
    # Q. 11; with 100 of each group the percentages are counts
    case = CASES["guidelines-11"]
    white = case["percentages"]["White"]
    others = [name for name in case["percentages"] if name != "White"]
    ours = {name: impact_ratio(case["percentages"][name], 100, white, 100).estimate for name in others}
    assert ours == case["published"]["impact_ratio"]
    verdicts = {name: four_fifths(case["percentages"][name], 100, white, 100).verdict for name in others}
    assert [name for name in others if verdicts[name] == "below"] == case["published"]["below_four_fifths"]


def test_the_guidelines_small_numbers_reverse_with_one_selection():
    case = CASES["guidelines-21"]
    flip, recalled = flip_flop(*case["table"]), case["recalled"]
    assert impact_ratio(*case["table"]).estimate == recalled["impact_ratio"]
    assert [flip.flipped_focal / case["table"][1], flip.flipped_reference / case["table"][3]] == recalled["rates_after"]
    assert flip.reverses is recalled["reverses"]
    assert recommended_test(*case["table"]).read_with == "Fisher, flip-flop"


def test_z_curve_of_the_eightfold_paper():
    case = CASES["eightfold-figure-14"]["computed"]
    n, z = columns(case["z"])
    curve = z_curve(0.3, 0.01, n)
    assert curve.statistic.tolist() == pytest.approx(z, rel=1e-14)
    assert curve.crossing.tolist() == pytest.approx([case["crossing"]] * len(n), rel=1e-14)


def test_the_printed_mean_ratio_of_table_7_is_not_what_its_means_give():
    case = CASES["eightfold-table-7"]["published"]
    larger, smaller = case["means"]
    ratio = mean_ratio(100, smaller, 50.0, 100, larger, 50.0).estimate
    assert round(ratio, 3) == 0.999
    assert round(ratio, 3) not in case["ratios"]
