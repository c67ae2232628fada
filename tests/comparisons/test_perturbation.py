"""Perturbation tests: differences between arms from a second route, verdicts, decisions, ranks and odd tables."""

import numpy as np
import polars as pl
import pytest
from scipy import stats as scipy_stats

from evenhand.comparisons.perturbation import (
    Judging,
    Margin,
    margin_of,
    moved_most,
    perturb_table,
    perturbation_findings,
)
from evenhand.comparisons.perturbation_pairs import pairs_of, primary_difference, scored_arms
from evenhand.errors import InputError
from evenhand.results.finding import as_json
from evenhand.results.result import read_rows
from evenhand.results.score_audit import ArmComparison, Experiment, LeftOutCount

from ._arms import experiment, outcomes_of, scores

NAME = "name_female_male"
WHOLE = f"{NAME}_score_difference"


def findings_of(outcomes, own=None, *, margin="0.2sd", cutoff=None, top=5, permutations=499):
    judging = Judging(margin=margin_of(margin), cutoff=cutoff, top=top)
    own = experiment() if own is None else own
    found = perturbation_findings(outcomes.lazy(), own, judging, seed=0, permutations=permutations, confidence=0.95)
    return {finding.name: finding for finding in found}


def shifted(d=0.0, *, people=12, positions=2, names=10):
    """Scores that differ between people and positions, and by `d` between genders, in nothing else."""
    values = np.arange(people)[:, None, None, None] + 0.5 * np.arange(positions)[None, :, None, None]
    return values + np.zeros((people, positions, names, 4)) + d * np.array([1.0, 0.0, 1.0, 0.0])


# --- the primary interval


def crossed(seed, people=12, names=11):
    rng = np.random.default_rng(seed)
    d = rng.normal(0, 1, (people, 1)) + rng.normal(0, 0.7, (1, names)) + rng.normal(0, 0.5, (people, names))
    person, name = (each.ravel() for each in np.indices(d.shape))
    return d, person, name


@pytest.mark.parametrize("seed", range(4))
def test_the_two_way_interval_is_that_of_the_mean_squares_of_a_crossed_table(seed):
    d, person, name = crossed(seed)
    a, b = d.shape
    rows, columns, mean = d.mean(axis=1), d.mean(axis=0), d.mean()
    squares_a, squares_b = b * rows.var(ddof=1), a * columns.var(ddof=1)
    found = primary_difference(d.ravel(), person, (name, name), margin=None, confidence=0.95)
    half = (found.high - found.low) / 2
    parts = np.array([squares_a, squares_b, d.var(ddof=1)]) / (a * b)
    variance = parts[0] + parts[1] - parts[2]
    df = parts[:2].sum() / (parts[0] / (a - 1) + parts[1] / (b - 1))
    assert found.estimate == pytest.approx(mean)
    assert half == pytest.approx(scipy_stats.t.ppf(0.975, df) * variance**0.5)
    assert found.p == pytest.approx(2 * scipy_stats.t.sf(abs(mean) / variance**0.5, df))


def test_with_one_name_it_is_a_paired_t_on_resume_means():
    d, person, name = crossed(1, names=1)
    found = primary_difference(d.ravel(), person, (name, name), margin=0.5, confidence=0.95)
    expected = scipy_stats.ttest_1samp(d.mean(axis=1), 0)
    interval, narrow = (expected.confidence_interval(level) for level in (0.95, 0.9))
    assert (found.low, found.high, found.p) == pytest.approx((interval.low, interval.high, expected.pvalue))
    assert found.equivalence == pytest.approx((narrow.low, narrow.high))
    assert found.method == "paired t on résumé means; name fixed, 1 level"


@pytest.mark.parametrize(("focal", "reference", "df"), [(2, 2, 1), (2, 40, 1), (3, 40, 2), (4, 4, 3)])
def test_few_names_have_the_degrees_of_freedom_of_the_group_with_fewer(focal, reference, df):
    pair = np.arange(max(focal, reference))
    d, person, name = crossed(4, names=pair.size)
    found = primary_difference(d.ravel(), person, (name % focal, 100 + name % reference), margin=None, confidence=0.95)
    assert (found.df, found.clusters) == (df, {"name": min(focal, reference), "resume": 12})
    error = (found.high - found.low) / 2 / scipy_stats.t.ppf(0.975, df)
    assert found.detectable == pytest.approx((scipy_stats.t.ppf(0.975, df) + scipy_stats.t.ppf(0.8, df)) * error)


def test_a_few_resumes_under_many_names_vary_over_names():
    d, person, name = crossed(2, people=3, names=15)
    found = primary_difference(d.ravel(), person, (name, name), margin=None, confidence=0.95)
    expected = scipy_stats.ttest_1samp(d.mean(axis=0), 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert found.clusters == {"name": 15}


def test_an_effect_of_three_tenths_lies_in_its_interval():
    held = [
        found.low <= 0.3 <= found.high and found.low > 0
        for seed in range(20)
        for found in [findings_of(outcomes_of(scores(seed, effect=0.3, positions=2)))[WHOLE]]
    ]
    assert sum(held) >= 17  # fewer than 17 of 20 has a chance of 1.6 % at 95 %


# --- verdicts


@pytest.mark.parametrize(
    ("effect", "margin", "verdict", "equivalent"),
    [
        (0.8, "0.2", "difference", False),
        (0.3, "1", "difference", True),
        (0.0, "0.5", "no_difference_detected", True),
        (0.0, "0.01", "no_difference_detected", False),
    ],
)
def test_a_difference_and_equivalence_are_judged_each_by_its_test(effect, margin, verdict, equivalent):
    found = findings_of(outcomes_of(scores(3, effect=effect)), margin=margin)[WHOLE]
    assert (found.verdict, found.claim.equivalent) == (verdict, equivalent)
    low, high = found.details.equivalence_interval
    assert found.low < low < high < found.high
    assert (-float(margin) < low and high < float(margin)) == equivalent
    assert (found.details.p_equivalence < 0.05) == equivalent


def test_p_is_corrected_over_the_arms_and_a_placebo_over_as_many():
    second = ArmComparison(
        kind="name+pronouns",
        own=None,
        group=("female",),
        reference=("male",),
        arm="names female",
        against="other names male",
    )
    own = experiment()
    own = Experiment(by=own.by, groups=own.groups, compared=(*own.compared, second))
    found = findings_of(outcomes_of(scores(4, effect=0.3)), own)
    family = [found[name] for name in (WHOLE, "name+pronouns_female_male_score_difference")]
    ordered = sorted(each.details.p for each in family)
    expected = {ordered[0]: 2 * ordered[0], ordered[1]: max(2 * ordered[0], ordered[1])}
    assert [each.p_adjusted for each in family] == pytest.approx([expected[each.details.p] for each in family])
    assert {each.claim.corrected_over for each in family} == {"Holm over 2 comparisons"}
    placebo = found["placebo_female_female_score_difference"]
    assert (placebo.claim.corrected_over, placebo.claim.planned) == ("Holm over 2 comparisons", False)
    single = [each for name, each in found.items() if name.startswith("job")]
    assert {each.claim.corrected_over for each in single} == {"Benjamini-Hochberg over 8 comparisons"}
    assert {each.role for each in single if each.slice["arm"] != "placebo"} == {"exploratory"}


def test_a_difference_needs_the_adjusted_p():
    values = scores(9, effect=0.14, moved_sd=0.05, name_sd=0.1)
    found = findings_of(outcomes_of(values), margin="0.01")[WHOLE]
    assert found.verdict == "difference"
    many = [
        ArmComparison(
            kind=f"kind {n}",
            own=None,
            group=("female",),
            reference=("male",),
            arm="other names female",
            against="names female",
        )
        for n in range(30)
    ]
    own = Experiment(by=("gender",), groups=experiment().groups, compared=(*experiment().compared, *many))
    again = findings_of(
        outcomes_of(values, arms=("names female", "names male", "other names female")), own, margin="0.01"
    )
    assert again[WHOLE].details.p == found.details.p
    assert (again[WHOLE].p_adjusted, again[WHOLE].verdict) == (
        pytest.approx(31 * found.details.p),
        "no_difference_detected",
    )


@pytest.mark.parametrize(
    ("values", "verdict", "equivalent", "reason"),
    [
        ((0.0, 12, 10), "no_difference_detected", True, "No score changed in 240 pairs"),
        ((0.0, 12, 1), "no_difference_detected", True, "No score changed in 24 pairs"),
        ((0.0, 9, 10), "no_difference_detected", None, "No score changed in 180 pairs"),
        ((1.0, 12, 2), "difference", False, "moved by the same, in all 12 résumés"),
        ((0.1, 12, 10), "difference", True, "moved by the same, in all 12 résumés"),
        ((1.0, 6, 10), "difference", None, "moved by the same, in all 6 résumés"),
        ((1.0, 5, 10), "not_judged", None, "moved by the same, in all 5 résumés"),
        ((1.0, 12, 1), "not_judged", None, "a group has one name"),
    ],
)
def test_where_every_pair_is_alike_there_is_no_interval_and_signs_give_the_p(values, verdict, equivalent, reason):
    d, people, names = values
    found = findings_of(outcomes_of(shifted(d, people=people, names=names)), margin="0.5")[WHOLE]
    assert (found.estimate, found.low, found.high) == (pytest.approx(d), None, None)
    assert (found.verdict, found.claim.equivalent) == (verdict, equivalent)
    assert reason in found.reason
    assert (found.claim.p == 1.0) == (d == 0.0)


@pytest.mark.parametrize("names", [1, 2, 12])
def test_scores_that_vary_by_name_only_have_no_interval_of_zero_width(names):
    of_name = np.random.default_rng(2).normal(0, 1, (1, 1, names, 4))
    values = np.random.default_rng(1).normal(0, 1, (12, 3, 1, 1)) + of_name
    found = findings_of(outcomes_of(values), margin="0.5")[WHOLE]
    if names == 1:
        assert (found.low, found.verdict) == (None, "not_judged")
        return
    expected = scipy_stats.ttest_1samp((of_name[..., 0] - of_name[..., 1]).ravel(), 0)
    assert (found.claim.statistic, found.claim.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert found.high - found.low > 0.1


def test_a_margin_in_standard_deviations_of_nothing_decides_nothing():
    one_number = np.zeros((12, 2, 10, 4))
    found = findings_of(outcomes_of(one_number), margin="0.2sd")[WHOLE]
    assert (found.verdict, found.claim.equivalent, found.details.margin) == ("no_difference_detected", None, None)
    female = one_number + np.array([1.0, 0.0, 0.0, 0.0]) * np.random.default_rng(0).normal(1, 0.1, (12, 2, 10, 1))
    moved = findings_of(outcomes_of(female), margin="0.2sd")[WHOLE]
    assert moved.verdict == "difference"
    assert (
        moved.reason
        == "All scores as the reference are the same, so their standard deviation, the unit of the margin, is 0."
    )


def test_one_score_that_moved_is_seen_in_the_bins():
    values = np.zeros((12, 2, 10, 4))
    values[3, 0, 2, 0] = 1.0
    details = findings_of(outcomes_of(values), margin="0.5")[WHOLE].details
    assert (details.shares[10], details.shares[-1]) == (pytest.approx(239 / 240), pytest.approx(1 / 240))


def test_a_margin_in_standard_deviations_is_of_scores_as_the_reference():
    values = scores(1)
    found = findings_of(outcomes_of(values), margin="0.2sd")[WHOLE]
    assert found.details.margin == pytest.approx(0.2 * values[..., 1].std(ddof=1))


@pytest.mark.parametrize(
    ("text", "margin"),
    [("2", Margin(value=2.0)), (" 0.2SD ", Margin(value=0.2, in_sd=True)), ("1e-3", Margin(value=0.001))],
)
def test_a_margin_is_read(text, margin):
    assert margin_of(text) == margin


@pytest.mark.parametrize("text", ["", "0", "-1", "nan", "inf", "sd", "2 points", "0sd"])
def test_a_margin_that_is_none_is_refused(text):
    with pytest.raises(InputError, match=r"--margin .*; expected a number above 0"):
        margin_of(text)


# --- the tests beside


def test_the_tests_beside_are_those_of_scipy():
    values = scores(5, effect=0.1, positions=3, names=4)
    details = findings_of(outcomes_of(values))[WHOLE].details
    female, male = values[..., 0], values[..., 1]
    means = (female - male).mean(axis=(1, 2))
    pooled = scipy_stats.ttest_ind(female.ravel(), male.ravel())
    paired = scipy_stats.ttest_1samp(means, 0)
    assert (details.t_pooled, details.df_pooled, details.p_pooled) == pytest.approx(
        (pooled.statistic, 2 * 50 * 12 - 2, pooled.pvalue)
    )
    assert (details.t_paired, details.df_paired, details.p_paired) == pytest.approx(
        (paired.statistic, 49, paired.pvalue)
    )
    assert details.p_wilcoxon == pytest.approx(scipy_stats.wilcoxon(means, method="exact").pvalue)
    # A sign flip is about a t test here; 499 draws know p to a few hundredths.
    assert details.p_signflip == pytest.approx(details.p_paired, abs=0.07)
    assert details.spread == pytest.approx(np.percentile(female - male, [0, 5, 25, 50, 75, 95, 100]))
    assert (details.n_people, details.n_pairs, details.n_names) == (50, 600, 4)


def test_differences_of_all_arms_are_counted_in_the_same_bins():
    values = scores(5, effect=1.0, positions=3)
    found = [
        each.details for each in findings_of(outcomes_of(values)).values() if each.name.endswith("score_difference")
    ]
    whole, single = found[:3], found[3:]
    assert len({each.edges for each in whole}) == 1
    assert [sum(each.shares) for each in whole] == pytest.approx([1.0] * 3)
    middle = [
        sum(share * (low + high) / 2 for share, low, high in zip(each.shares, each.edges, each.edges[1:], strict=False))
        for each in whole
    ]
    assert middle[0] == pytest.approx((values[..., 0] - values[..., 1]).mean(), abs=0.1)
    assert {each.shares for each in single} == {()}
    blind = findings_of(outcomes_of(shifted()))[WHOLE].details
    assert (blind.edges, blind.shares) == ((), ())


def test_the_pairs_of_washington_as_scores():
    """241 matched pairs: in 46 the White tester alone was offered the job, in 14 the Black one (Urban Institute)."""
    values = np.zeros((241, 1, 1, 4))
    values[:46, ..., 0] = 1.0
    values[46:60, ..., 1] = 1.0
    found = findings_of(outcomes_of(values), cutoff=0.5, margin="0.05")
    flips = found[f"{NAME}_diff_selection_rate"]
    assert (flips.details.only_focal, flips.details.only_reference, flips.details.n_pairs) == (46, 14, 241)
    assert flips.details.flip_rate == pytest.approx(60 / 241)
    assert flips.details.p_mcnemar == pytest.approx(scipy_stats.binomtest(14, 60).pvalue)
    assert flips.estimate == pytest.approx(32 / 241)
    assert flips.low > 0
    assert found[WHOLE].verdict == "difference"


def test_ranks_are_among_the_others_as_the_reference():
    values = np.zeros((3, 1, 1, 4))
    values[..., 1] = np.array([10.0, 20.0, 30.0])[:, None, None]
    values[..., 0] = np.array([25.0, 20.0, 20.0])[:, None, None]  # first: 3rd to 2nd; second stays; third: 1st to 1½
    found = findings_of(outcomes_of(values), top=1)[f"{NAME}_rank_change"]
    assert found.estimate == pytest.approx((1 + 0 - 0.5) / 3)
    details = found.details
    assert (details.n_places, details.moved, details.largest_move) == (3, 2, 1.0)
    assert (details.entered, details.left) == (0, 1)


def test_the_first_places_are_those_of_all_resumes_for_the_position_and_a_small_pool_counts_nothing():
    values = np.zeros((12, 2, 2, 4))
    values[..., 1:] = np.arange(12.0)[:, None, None, None]
    values[..., 0] = values[..., 1]
    values[9, 1, :, 0] = 11.5  # in one of two positions the third becomes the first
    owns = ["male", "female"] * 6
    found = findings_of(outcomes_of(values, owns=owns), experiment(owns=("female", "male")), top=2)
    top = found[f"{NAME}_diff_top_rate"]
    assert (top.estimate, top.n) == (pytest.approx(2 / 48), 48)
    assert (top.details.entered, top.details.left, top.details.pools) == (2, 0, (12, 12))
    assert top.details.crossed == pytest.approx(2 / 48)
    assert top.clusters == {"name": 2, "resume": 12}
    assert "position fixed, 2 levels" in top.method
    placebo = found["placebo_male_male_diff_top_rate"]  # of the six men, among all twelve
    assert (placebo.estimate, placebo.n, placebo.details.pools) == (0.0, 24, (12, 12))
    whole = perturb_table(list(found.values())).row(0, named=True)
    assert (whole["top"], whole["top_difference"], whole["crossed"]) == (2, top.estimate, top.details.crossed)
    small = findings_of(outcomes_of(values), top=12)[f"{NAME}_diff_top_rate"]
    assert (small.estimate, small.verdict, small.n) == (None, "not_judged", 0)
    assert "No position has more than 12 résumés" in small.reason


def test_ten_positions_vary_and_fewer_are_held_fixed():
    rng = np.random.default_rng(3)
    values = rng.normal(0, 1, (12, 10, 10, 4)) + np.array([1.0, 0, 0, 0]) * rng.normal(0, 1, (1, 10, 1, 1))
    varied = findings_of(outcomes_of(values), margin="1")[WHOLE]
    assert varied.clusters == {"name": 10, "resume": 12, "position": 10}
    d = (values[..., 0] - values[..., 1]).mean(axis=(0, 2))
    assert varied.high - varied.low > 2 * 2.26 * d.std(ddof=1) / np.sqrt(10) * 0.9
    fixed = findings_of(outcomes_of(values[:, :9]), margin="1")[WHOLE]
    assert "position fixed, 9 levels" in fixed.method
    assert fixed.high - fixed.low < (varied.high - varied.low) / 2


def ranked(values):
    """Ranks among all texts of a position."""
    by_position = -np.moveaxis(values, 1, 0).reshape(values.shape[1], -1)
    ranks = np.argsort(np.argsort(by_position, axis=1), axis=1) + 1.0
    return np.moveaxis(ranks.reshape(values.shape[1], values.shape[0], *values.shape[2:]), 0, 1)


def test_ranks_that_begin_anew_in_each_arm_are_refused():
    values = scores(6, effect=1.0, positions=2, names=3)
    anew = np.argsort(np.argsort(-values, axis=0), axis=0) + 1.0
    with pytest.raises(InputError, match="rank all texts of a position together"):
        findings_of(outcomes_of(anew, ranks=True), margin="1")


def test_ranks_in_place_of_scores_have_the_sign_of_scores():
    values = scores(6, effect=1.0, positions=1, names=3)
    ranks = ranked(values)
    cutoff = ranks[0, 0, 0, 0]  # a text at the cut-off is selected
    found = findings_of(outcomes_of(ranks, ranks=True), margin="1", cutoff=cutoff)
    assert found[WHOLE].estimate == pytest.approx(-(ranks[..., 0] - ranks[..., 1]).mean())
    assert found[WHOLE].measured_in == "places"
    selected = found[f"{NAME}_diff_selection_rate"]
    assert selected.estimate == pytest.approx((ranks[..., 0] <= cutoff).mean() - (ranks[..., 1] <= cutoff).mean())
    assert found["cutoff_score"].estimate == selected.details.cutoff == cutoff
    by_median = findings_of(outcomes_of(ranks, ranks=True), margin="1")
    assert by_median["cutoff_score"].estimate == by_median[f"{NAME}_diff_selection_rate"].details.cutoff == 300.5
    assert by_median[f"{NAME}_rank_change"].estimate > 0


# --- who is compared


def test_either_own_group_counts_in_the_same_direction():
    values = scores(7, effect=0.5)
    people = np.array(["female", "male"])[np.arange(50) % 2]
    found = findings_of(outcomes_of(values, owns=people), experiment(owns=("female", "male")))
    assert found[WHOLE].estimate == pytest.approx((values[..., 0] - values[..., 1]).mean())
    assert found["placebo_female_female_score_difference"].details.n_people == 25
    turned = findings_of(outcomes_of(values, owns=people), experiment(owns=("female", "male"), reference="female"))[
        "name_male_female_score_difference"
    ]
    assert (turned.estimate, turned.low, turned.high) == pytest.approx(
        (-found[WHOLE].estimate, -found[WHOLE].high, -found[WHOLE].low)
    )


def test_the_order_of_rows_changes_nothing():
    outcomes = outcomes_of(scores(2, positions=3))
    shuffled = outcomes.sample(fraction=1.0, shuffle=True, seed=5)
    one, other = (
        perturb_table([*findings_of(each).values()]).sort("arm", "group", "position") for each in (outcomes, shuffled)
    )
    assert one.drop("p_signflip").equals(other.drop("p_signflip")) or all(
        np.allclose(one[name].fill_null(9.0), other[name].fill_null(9.0))
        for name, kind in one.schema.items()
        if kind.is_numeric()
    )


def test_repetitions_count_as_their_mean():
    values = scores(2, positions=2)
    first, second = (
        outcomes_of(values - 0.25),
        outcomes_of(values + 0.25).with_columns(pl.lit(1, pl.Int32).alias("attempt")),
    )
    once, twice = (findings_of(each)[WHOLE] for each in (outcomes_of(values), pl.concat([first, second])))
    assert (once.estimate, once.low, once.n) == (pytest.approx(twice.estimate), pytest.approx(twice.low), twice.n)


# --- what was not read, and who was left out


def test_scores_that_were_not_read_are_counted_by_arm_and_tested():
    values = scores(2, positions=2)
    values[:30, :, :5, 0] = np.nan
    found = findings_of(outcomes_of(values, status="refused"))
    assert found["undetected_rate_attempts"].estimate == pytest.approx(0.3 / 4)
    female = found["names_female_undetected_rate_attempts"]
    assert (female.estimate, female.details.statuses) == (pytest.approx(0.3), {"refused": 300})
    difference = found[f"{NAME}_diff_undetected_rate_attempts"]
    assert difference.estimate == pytest.approx(0.3)
    assert difference.tests[1].p == pytest.approx(1 / 500)
    assert found[WHOLE].n == 700
    known = np.isfinite(values[..., 0])
    assert found[WHOLE].estimate == pytest.approx((values[..., 0] - values[..., 1])[known].mean())
    assert found["placebo_male_male_diff_undetected_rate_attempts"].reason == "Every score was read."


def test_nothing_read_is_said():
    found = findings_of(outcomes_of(np.full((12, 2, 10, 4), np.nan)))
    assert found[WHOLE].estimate is None
    assert found[WHOLE].reason == "No pair has scores on both sides."
    assert found["undetected_rate_attempts"].estimate == 1.0


def test_resumes_left_out_are_counted_by_group():
    left_out = (
        LeftOutCount(own="female", reason="no name was found", n=15),
        LeftOutCount(own="female", reason="a word of the name stands elsewhere, too", n=10),
        LeftOutCount(own=None, reason="no name was found", n=1),
    )
    people = np.array(["female", "male"])[np.arange(50) % 2]
    found = findings_of(outcomes_of(scores(1), owns=people), experiment(owns=("female", "male"), left_out=left_out))
    assert found["left_out_rate"].estimate == pytest.approx(26 / 76)
    assert found["left_out_rate"].tests[0].p == pytest.approx(
        scipy_stats.chi2_contingency([[25, 25], [0, 25]], correction=False).pvalue
    )
    female = found["female_left_out_rate"]
    assert (female.estimate, female.n) == (0.5, 50)
    assert female.details.reasons["no name was found"] == 15
    assert found["male_left_out_rate"].estimate == 0.0


def test_a_group_that_was_left_out_whole_is_told():
    left_out = (LeftOutCount(own="female", reason="no name was found", n=9),)
    own = experiment(owns=("male",), left_out=left_out)
    found = findings_of(outcomes_of(scores(1), owns=["male"] * 50), own)
    assert (found["female_left_out_rate"].estimate, found["female_left_out_rate"].n) == (1.0, 9)


# --- files


def test_the_table_has_the_documented_columns_and_the_findings_numbers():
    found = findings_of(outcomes_of(scores(1)))
    table = perturb_table([*found.values()])
    documented = (
        "arm, group, reference, position, n_people, n_pairs, difference, low, high, t_pooled, df_pooled, p_pooled, "
        "t_paired, df_paired, p_paired, p_signflip, p_wilcoxon, p_adjusted, margin, verdict, reason"
    )
    assert table.columns[:21] == documented.split(", ")
    assert table["position"].to_list() == ["", "", ""] + [f"job {n}" for n in range(4)] * 3
    row = table.row(0, named=True)
    whole = found[WHOLE]
    assert (row["arm"], row["group"], row["reference"]) == ("name", "female", "male")
    assert (row["difference"], row["low"], row["n_pairs"]) == (whole.estimate, whole.low, whole.n)
    assert (row["p_signflip"], row["verdict"]) == (whole.details.p_signflip, whole.verdict)


def test_one_position_has_no_row_beside_all():
    assert perturb_table([*findings_of(outcomes_of(scores(1, positions=1))).values()])["position"].to_list() == [""] * 3


def test_findings_come_back_from_their_file():
    found = [*findings_of(outcomes_of(scores(1, positions=2))).values()]
    assert read_rows([as_json(each) for each in found], source="f") == tuple(found)
    assert len({each.name for each in found}) == len(found)


def test_the_pairs_that_moved_most_are_told_with_both_names():
    values = scores(1, moved_sd=0.1)
    values[3, 1, 2, 0] += 9.0
    moved = moved_most(outcomes_of(values).lazy(), experiment(), most=2)
    assert moved.height == 6
    first = moved.row(0, named=True)
    assert (first["person"], first["position"]) == ("r3", "job 1")
    assert (first["name"], first["reference_name"]) == ("female 0 2", "male 0 2")
    assert first["difference"] == pytest.approx(values[3, 1, 2, 0] - values[3, 1, 2, 1])
    assert [first[name] for name in ("pair", "group_arm", "reference_arm")] == [
        "r3/job 1/2",
        "names female",
        "names male",
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame.drop("context.own"), "No column 'context.own' in the outcomes"),
        (lambda frame: frame.clear(), "no rows"),
        (lambda frame: frame.with_columns(pl.lit(None, pl.String).alias("pair")), "no pair or no arm"),
        (
            lambda frame: frame.with_columns(pl.when(pl.col("item") != "r1").then("score").alias("score")),
            "An observed row of the outcomes has no score",
        ),
    ],
)
def test_outcomes_that_lack_something_are_refused(change, message):
    with pytest.raises(InputError, match=message):
        scored_arms(change(outcomes_of(scores(1, positions=1))).lazy())


def test_arms_that_nobody_was_asked_in_are_no_comparison():
    scored = scored_arms(outcomes_of(scores(1), arms=("names female", "other names female")).lazy())
    assert [(each.kind, each.group) for each in pairs_of(scored, experiment())] == [("placebo", ("female",))]


def test_an_interval_of_shares_holds_no_share_that_there_can_not_be():
    values = scores(3, people=3, positions=1, names=2, noise=2.0)
    judging = Judging(margin=margin_of("1"))
    found = perturbation_findings(
        outcomes_of(values).lazy(), experiment(), judging, seed=0, permutations=99, confidence=0.95
    )
    shares = [each for each in found if each.measure == "diff_selection_rate" and each.low is not None]
    assert shares
    assert all(-1 <= each.low <= each.estimate <= each.high <= 1 for each in shares)
    assert any(abs(end) == 1 for each in shares for end in (each.low, each.high))
