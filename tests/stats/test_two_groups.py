"""Z, odds ratio, Cohen's h, shortfall and flip-flop."""

from math import asin, pi, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evenhand.stats import cohens_h, flip_flop, odds_ratio, shortfall, z_test

sizes = st.integers(1, 5000)
shares = st.floats(0, 1)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ((0, 5, 0, 9), "Nobody was selected in either group, so the rates do not vary."),
        ((5, 5, 9, 9), "Everybody was selected in both groups, so the rates do not vary."),
        ((0, 0, 3, 9), "The focal group has no people."),
    ],
)
def test_z_is_null_with_its_reason(table, reason):
    test = z_test(*table)
    assert (test.statistic, test.p, test.significant, test.reason) == (None, None, None, reason)


@pytest.mark.parametrize(("n", "z"), [(1000, 0.487950), (10_000, 1.543033), (50_000, 3.450328)])
def test_z_grows_with_n_alone(n, z):
    # Rates .305 and .295: Z = .01 / sqrt(.3 · .7 · 2/n), the curve of the Eightfold paper, figure 14
    assert round(z_test(305 * n // 1000, n, 295 * n // 1000, n).statistic, 6) == z


def test_significance_is_more_than_one_point_nine_six():
    # .13/sqrt(.495·.505·.02) = 1.838 and .14/sqrt(.25·.02) = 1.980
    assert z_test(43, 100, 56, 100).significant is False
    assert z_test(43, 100, 57, 100).significant is True
    assert z_test(57, 100, 43, 100).significant is True


def test_a_flag_is_false_where_there_is_a_reason():
    test = z_test([0, 0], [5, 100], [0, 90], [9, 100])
    assert test.significant.tolist() == [False, True]
    assert np.isnan(test.p).tolist() == [True, False]


def test_a_vanishing_p_is_not_zero():
    assert z_test(0, 10**6, 10**6, 10**6).p == np.finfo(float).tiny


@given(n1=sizes, n2=sizes, share1=shares, share2=shares)
def test_swapping_groups_changes_signs_and_inverts_odds(n1, n2, share1, share2):
    a, c = round(n1 * share1), round(n2 * share2)
    assume(0 < a < n1 and 0 < c < n2)
    there, back = (a, n1, c, n2), (c, n2, a, n1)
    assert z_test(*there).statistic == -z_test(*back).statistic
    assert shortfall(*there).estimate == -shortfall(*back).estimate
    assert cohens_h(*there).estimate == pytest.approx(-cohens_h(*back).estimate)
    odds, inverse = odds_ratio(*there), odds_ratio(*back)
    assert (odds.estimate * inverse.estimate, odds.low * inverse.high) == pytest.approx((1, 1), rel=1e-6)
    assert odds.low < odds.estimate < odds.high


@given(n1=sizes, n2=sizes, share1=shares, share2=shares)
def test_odds_limits_are_tables_at_the_score_quantile(n1, n2, share1, share2):
    a, c = round(n1 * share1), round(n2 * share2)
    assume(c and a < n1)
    odds = odds_ratio(a, n1, c, n2)
    for limit in (odds.low, odds.high):
        if limit == 0:
            assert a == 0 or c == n2
            continue
        # The focal count E with this odds ratio, from its quadratic (1 - ψ)E² + (n2 - K + ψ(K + n1))E - ψK n1 = 0
        selected = a + c
        roots = np.roots([1 - limit, n2 - selected + limit * (selected + n1), -limit * selected * n1])
        edges = max(0, selected - n2), min(selected, n1)
        focal = next(r for r in roots if edges[0] <= r <= edges[1])
        cells = (focal, n1 - focal, selected - focal, n2 - selected + focal)
        assert (a - focal) ** 2 * sum(1 / cell for cell in cells) == pytest.approx(3.841459, rel=1e-4)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ((3, 9, 0, 9), "Nobody in the reference group was selected, so the odds ratio is not finite."),
        ((9, 9, 3, 9), "Everybody in the focal group was selected, so the odds ratio is not finite."),
        ((3, 9, 0, 0), "The reference group has no people."),
    ],
)
def test_odds_ratio_is_null_with_its_reason(table, reason):
    odds = odds_ratio(*table)
    assert (odds.estimate, odds.low, odds.high, odds.reason) == (None, None, None, reason)


@pytest.mark.parametrize("table", [(0, 9, 3, 9), (3, 9, 9, 9), (0, 9, 9, 9)])
def test_odds_of_zero_have_a_limit_on_one_side(table):
    odds = odds_ratio(*table)
    assert (odds.estimate, odds.low) == (0.0, 0.0)
    assert 0 < odds.high < 1.5


def test_cohens_h_is_cut_at_its_range():
    # nobody against everybody is -π, the widest there is
    h = cohens_h(0, 4, 4, 4)
    assert (h.estimate, h.low) == (pytest.approx(-pi), -pi)
    assert cohens_h(5, 10, 3, 10).estimate == pytest.approx(2 * asin(sqrt(0.5)) - 2 * asin(sqrt(0.3)))
    assert cohens_h(0, 0, 1, 2).low is None


def test_shortfall_is_expected_minus_observed():
    assert shortfall(15, 405, 0, 0).estimate is None
    assert shortfall(26, 48, 206, 259).estimate == pytest.approx(48 * 232 / 307 - 26)
    assert shortfall(1, 10, 3, 30).estimate == 0.0
    assert shortfall([5, 0], [9, 0], [1, 1], [9, 2]).reason.tolist() == ["", "The focal group has no people."]


def test_flip_flop_shows_both_tables():
    # UGESP Q. 21: 3 of 20 against 16 of 80; one different selection gives .20 against .1875
    flip = flip_flop(3, 20, 16, 80)
    assert flip.applies is True
    assert flip.reverses
    assert (flip.flipped_focal, flip.flipped_reference) == (4, 15)
    assert flip.ratio == pytest.approx(0.2 / 0.1875)


@pytest.mark.parametrize(
    ("table", "reverses"),
    [
        ((1, 4, 2, 4), True),  # 2/4 against 1/4
        ((1, 3, 5, 9), True),  # 2/3 against 4/9
        ((1, 10, 3, 10), False),  # 2/10 against 2/10: equal is not reversed
        ((1, 10, 4, 10), False),
    ],
)
def test_flip_flop_reverses_only_above_equality(table, reverses):
    assert flip_flop(*table).reverses is reverses


def test_flip_flop_moves_to_the_reference_only_under_the_two_sided_rule():
    one, two = flip_flop(3, 5, 2, 5), flip_flop(3, 5, 2, 5, rule="two_sided")
    assert (one.applies, one.reverses, one.ratio) == (False, None, None)
    assert one.reason == "The impact ratio is within its limits."
    assert (one.flipped_focal, one.flipped_reference) == (3, 2)
    assert (two.flipped_focal, two.flipped_reference, two.reverses) == (2, 3, True)
    assert two.ratio == pytest.approx(2 / 3)


def test_flip_flop_may_reverse_to_a_ratio_that_does_not_exist():
    flip = flip_flop(0, 5, 1, 5)
    assert (flip.reverses, flip.ratio, flip.reason) == (True, None, None)


def test_flip_flop_is_silent_where_there_is_no_ratio():
    flips = flip_flop([0, 1, 2], [0, 5, 5], [1, 0, 3], [5, 5, 5])
    assert flips.applies.tolist() == [False, False, True]
    assert flips.reason.tolist() == [
        "The focal group has no people.",
        "Nobody in the reference group was selected, so there is no ratio to its rate.",
        "",
    ]


@given(n1=sizes, n2=sizes, share1=shares, share2=shares)
def test_outside_the_limits_there_is_always_a_selection_to_move(n1, n2, share1, share2):
    flip = flip_flop(round(n1 * share1), n1, round(n2 * share2), n2, rule="two_sided")
    assert 0 <= flip.flipped_focal <= n1
    assert 0 <= flip.flipped_reference <= n2
