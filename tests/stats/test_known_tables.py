"""Published tables, and the same tables by SciPy and statsmodels (tests/oracles/two_groups.json)."""

import json
from pathlib import Path

import pytest

from evenhand.stats import fisher_exact, flip_flop, impact_ratio, odds_ratio, rate_difference, selection_rate, z_test

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "two_groups.json").read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in ORACLE["cases"]}
case_ids = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def near(expected):
    return pytest.approx(expected, rel=1e-9, abs=1e-12)


@case_ids
def test_rates_and_ratios_round_to_the_printed_figures(case):
    published, (a, n1, c, n2) = case["published"], case["table"]
    ours = {
        "impact_ratio": impact_ratio(a, n1, c, n2).estimate,
        "flipped_ratio": flip_flop(a, n1, c, n2).ratio,
        "rate_focal": selection_rate(a, n1).estimate,
        "rate_reference": selection_rate(c, n2).estimate,
    }
    for name, printed in published.items():
        decimals = len(str(printed).partition(".")[2])
        assert round(ours[name], decimals) == printed, name


@case_ids
def test_tests_agree_with_statsmodels_and_scipy(case):
    z, fisher, computed = z_test(*case["table"]), fisher_exact(*case["table"]), case["computed"]
    assert (z.statistic, z.p) == pytest.approx((computed["z"], computed["p_z"]), rel=1e-9, abs=0)
    # scipy.stats' own pmf errs by some 1e-10 at the large table
    assert fisher.p == pytest.approx(computed["p_fisher"], rel=1e-8, abs=0)
    assert fisher.mid_p == pytest.approx(computed["p_fisher_mid"], rel=1e-8, abs=0)


@case_ids
def test_intervals_agree_with_statsmodels(case):
    table, computed = case["table"], case["computed"]
    ratio, odds = impact_ratio(*table), odds_ratio(*table)
    rate, difference = selection_rate(*table[:2]), rate_difference(*table)
    assert ratio.estimate == near(computed["impact_ratio"])
    assert (rate.low, rate.high) == near(tuple(computed["wilson_focal"]))
    assert (difference.low, difference.high) == near(tuple(computed["newcombe"]))
    if "koopman" in computed:
        assert (ratio.low, ratio.high) == near(tuple(computed["koopman"]))
    if "katz" in computed:
        assert (ratio.katz_low, ratio.katz_high) == near(tuple(computed["katz"]))
        assert (odds.low, odds.high) == pytest.approx(tuple(computed["cornfield"]), rel=1e-7)


@pytest.mark.parametrize(
    ("case", "z", "p_z", "p_fisher", "p_fisher_mid"),
    [
        ("two-reference-rows", -0.572263, 0.567144, 0.745100, 0.635857),
        ("flip-flop", -0.632456, 0.527089, 1.0, 0.603175),
        ("z-against-fisher", -2.138963, 0.032439, 0.059908, 0.043699),
    ],
)
def test_the_design_document_s_table(case, z, p_z, p_fisher, p_fisher_mid):
    table = CASES[case]["table"]
    test, exact = z_test(*table), fisher_exact(*table)
    ours = (test.statistic, test.p, exact.p, exact.mid_p)
    assert tuple(round(value, 6) for value in ours) == (z, p_z, p_fisher, p_fisher_mid)


def test_ricci_captains_do_not_differ_significantly():
    # Miao (2010), abstract
    assert z_test(6, 16, 16, 25).significant is False
