"""Choices of one candidate out of several: the small numbers can be counted by hand."""

import numpy as np
import pytest
from _ballots import DECLARED, measured, prompt, table
from scipy import stats

from evenhand.comparisons.units import choices_of

# Item a: male, then female wins (1/2). Item b: male wins, its mirror is unread (1/1). Item c, baker: female twice (0).
THREE = (
    prompt("a", 0, [1, 2, 3, 4]),
    prompt("a", 1, [1, 2, 3, 4], genders="fmfm"),
    prompt("b", 0, [2, 3, 1, 4]),
    prompt("b", 1, [None] * 4, genders="fmfm", status="undetected"),
    prompt("c", 0, [2, 1, 3, 4], role="baker"),
    prompt("c", 1, [1, 2, 3, 4], role="baker", genders="fmfm"),
)


def test_rates_are_means_of_item_scores_and_the_headline_is_the_mean_of_roles():
    found = measured(*THREE)
    assert found["pilot_masculine_rate"].estimate == 0.75  # mean of 1/2 and 1
    assert found["baker_masculine_rate"].estimate == 0.0
    assert found["masculine_rate"].estimate == 0.375
    assert found["disparity"].estimate == 0.125
    assert found["stereotype_rate"].estimate == 0.75
    assert found["pilot_white_masculine_rate"].estimate == 0.75


def test_items_that_miss_a_mirror_are_left_out_of_the_sensitivity_row():
    assert measured(*THREE)["complete"].estimate == 0.25  # pilot 1/2, baker 0


def test_a_role_without_answers_is_left_out_of_the_mean_and_makes_the_contrast_null():
    found = measured(*THREE[:4])
    assert found["masculine_rate"].estimate == 0.75
    assert found["masculine_rate"].details.levels == {"role": ("pilot",)}
    assert found["stereotype_rate"].estimate is None
    assert found["stereotype_rate"].reason == "No answer was observed for role baker."


def test_a_prompt_is_one_attempt_however_many_candidates_it_has():
    found = measured(*THREE)
    assert found["undetected_rate_attempts"].estimate == pytest.approx(1 / 6)
    assert found["undetected_rate_attempts"].n == 6
    assert found["undetected_rate_attempts"].details.statuses == {"observed": 5, "undetected": 1}
    assert found["undetected_rate_items"].estimate == 0.0
    assert found["pilot_undetected_rate_attempts"].estimate == 0.25


def test_candidates_that_an_answer_leaves_out_have_no_rank():
    found = measured(*THREE, prompt("d", 0, [1, None, 2, None]), prompt("d", 1, [1, 2, None, None], genders="fmfm"))
    assert found["unranked_rate_male"].estimate == pytest.approx(1 / 14)  # item d: no man, then one of two
    assert found["unranked_rate_female"].estimate == pytest.approx(3 / 14)
    # Complete rankings only: a 1, 3 and 2, 4; b 2, 1; c 2, 3 and 2, 4 for men.
    assert found["mean_rank_male"].estimate == pytest.approx((4 + 6 + 3 + 5 + 6) / 10)


def test_without_a_complete_ranking_there_is_no_mean_rank():
    found = measured(prompt("a", 0, [1, None, None, None]), prompt("a", 1, [1, None, None, None], genders="fmfm"))
    assert found["mean_rank_diff"].estimate is None
    assert "No answer ranks all candidates" in found["mean_rank_diff"].reason


def test_races_are_compared_only_where_a_prompt_mixes_them():
    alone = measured(*THREE)
    assert "win_rate_male" in alone
    assert not any(name.startswith("win_rate_white") for name in alone)
    mixed = [prompt(f"i{n}", 0, [1, 2, 3, 4], races="wwbb") for n in range(30)]
    found = measured(*mixed)
    assert found["win_rate_white_male"].estimate == 1.0
    assert found["win_rate_black_male"].estimate == 0.0
    assert "pilot_white_masculine_rate" not in found  # no item is of one race


def test_groups_win_alike_if_they_win_as_often_as_they_have_candidates():
    # Three men and a woman, a man wins 26 of 40: of two groups, Hotelling's T² is the square of t.
    men = np.repeat([1, 0], [26, 14])
    ranks = ([4, 2, 3, 1], [1, 2, 3, 4])
    found = measured(*(prompt(f"i{n}", 0, ranks[man], genders="mmmf") for n, man in enumerate(men)))
    row = found["win_rate_range"]
    assert row.estimate == pytest.approx(14 / 40 - 26 / 120)
    assert row.tests[0].p == pytest.approx(stats.ttest_1samp(men, 0.75).pvalue, rel=1e-9)


def test_the_common_test_of_slots_is_hotellings_t_squared_on_prompts():
    rng = np.random.default_rng(1)
    winners = rng.choice(4, size=60, p=[0.4, 0.3, 0.2, 0.1])
    prompts = [
        prompt(f"i{n}", 0, [1 if slot == win else slot + 5 for slot in range(4)], genders="mffm" if n % 2 else "mfmf")
        for n, win in enumerate(winners)
    ]
    found = measured(*prompts)["position_win_rate_range"]
    share = (winners[:, None] == np.arange(3)) - 0.25  # three of the four shares; the fourth follows
    mean, cov = share.mean(axis=0), np.cov(share.T)
    t2 = 60 * mean @ np.linalg.solve(cov, mean)
    assert found.tests[0].p == pytest.approx(stats.f.sf(t2 * (60 - 3) / (59 * 3), 3, 57), rel=1e-9)


def test_total_position_bias_leaves_no_gender_effect_and_claims_no_certainty():
    pairs = [
        prompt(f"i{n}", side, [1, 2, 3, 4], genders=g) for n in range(50) for side, g in ((0, "mfmf"), (1, "fmfm"))
    ]
    found = measured(*pairs)
    rate = found["masculine_rate"]
    assert rate.estimate == 0.5
    assert rate.low < 0.45
    assert rate.high > 0.55
    assert found["position_1_win_rate"].estimate == 1.0


def test_duplicated_items_keep_the_estimate_and_narrow_the_interval():
    rng = np.random.default_rng(2)
    once = [
        prompt(f"i{n}", side, [int(slot == win) or slot + 5 for slot in range(4)], genders=g)
        for n in range(40)
        for side, g, win in ((0, "mfmf", rng.integers(4)), (1, "fmfm", rng.integers(4)))
    ]
    twice = [*once, *([{**row, "item": f"{row['item']}x", "set": f"{row['set']}x"} for row in rows] for rows in once)]
    first, second = measured(*once)["masculine_rate"], measured(*twice)["masculine_rate"]
    assert second.estimate == pytest.approx(first.estimate)
    assert second.high - second.low < 0.8 * (first.high - first.low)


def test_the_share_of_focal_candidates_is_told():
    found = measured(*(prompt(f"i{n}", 0, [1, 2, 3, 4], genders="mmmf") for n in range(25)))
    assert found["focal_share_of_candidates"].estimate == 0.75


def test_only_refusals_give_null_measures_and_keep_the_undetected_rates():
    found = measured(prompt("a", 0, [None] * 4, status="refused"))
    assert found["masculine_rate"].estimate is None
    assert found["masculine_rate"].reason == "None of the 1 answers could be read: 1 refused."
    assert found["undetected_rate_items"].estimate == 1.0


def test_ballots_carry_what_a_candidate_won_beyond_an_equal_share():
    ballots = choices_of(table(*THREE[:1]), DECLARED).ballots
    assert ballots.residual.tolist() == [0.75, -0.25, -0.25, -0.25]
    assert ballots.focal.tolist() == [True, False, True, False]


def test_a_model_that_always_ranks_men_first_is_told_apart_from_chance():
    # 30 items, eight names each way: under shuffled labels men would win about half.
    pairs = [
        [{**row, "context.name": f"{row['context.name']}{n % 8}"} for row in prompt(f"i{n}", side, ranks, genders=g)]
        for n in range(30)
        for side, g, ranks in ((0, "mfmf", [1, 2, 3, 4]), (1, "fmfm", [2, 1, 3, 4]))
    ]
    rate = measured(*pairs)["masculine_rate"]
    assert rate.estimate == 1.0
    assert rate.tests[0].p < 0.05
    assert rate.verdict == "difference"


def test_where_answers_about_one_role_are_unread_the_role_differs_and_no_race():
    # Two of three items of each race are about pilots, none of whose answers is read.
    prompts = [
        prompt(
            f"{races}{n}",
            side,
            [None] * 4 if n % 3 else [1, 2, 3, 4],
            role="pilot" if n % 3 else "baker",
            status="undetected" if n % 3 else "observed",
            genders=genders,
            races=races,
        )
        for n in range(9)
        for races in ("wwww", "bbbb")
        for side, genders in enumerate(("mfmf", "fmfm"))
    ]
    claimed = [row for row in measured(*prompts).values() if row.claim and row.claim.family == "unreadable answers"]
    assert {row.name.partition("_diff")[0]: row.verdict for row in claimed} == {
        "baker": "difference",
        "black": "no_difference_detected",
    }
    (role,) = (row for row in claimed if row.is_difference)
    assert (role.estimate, role.claim.test, role.claim.n_focal) == (-1.0, "permutation over items", 12)
    assert (role.details.unread_focal, role.details.unread_reference) == (0, 24)
