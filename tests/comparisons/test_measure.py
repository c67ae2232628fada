"""Findings of tables that are small enough to compute by hand, and invariants."""

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from _tables import declared, outcomes
from hypothesis import given
from hypothesis import strategies as st

from evenhand.comparisons.measure import measure_outcomes
from properties import dear

FEW = {"seed": 0, "resamples": 400, "permutations": 199}


def findings(rows, **changes):
    return {row.name: row for row in measure_outcomes(outcomes(rows), declared(**changes), **FEW)}


def random_rows(n, seed, *, effect=0.0, repetitions=1):
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(n):
        gender = ("male", "female")[rng.integers(2)]
        masculinity = rng.integers(10) / 9
        sign = 1 if gender == "male" else -1
        p = 0.5 + sign * effect * (masculinity - 0.5)
        rows += [
            {
                "item": str(number),
                "attempt": attempt,
                "gender": gender,
                "race": ("asian", "black", "hispanic", "white")[rng.integers(4)],
                "name": f"{gender} {rng.integers(15)}",
                "role": f"role {masculinity:.2f}",
                "masculinity": masculinity,
                "qualification": ("omitted", "high", "medium", "low")[rng.integers(4)],
                "template": str(rng.integers(5)),
                "accepted": int(rng.random() < p),
            }
            for attempt in range(repetitions)
        ]
    return rows


def test_rates_differences_and_lines_by_hand():
    # Male: accepted at masculinity 1 only, female: at 0 only. Slopes 1 and -1, both rates one half.
    rows = [
        {"gender": gender, "masculinity": x, "role": f"r{x}", "accepted": int((x == 1) == (gender == "male"))}
        for gender in ("male", "female")
        for x in (0.0, 1.0)
        for _ in range(5)
    ]
    found = findings(rows)
    assert found["male_acceptance_rate"].estimate == 0.5
    assert found["diff_acceptance_rate"].estimate == 0.0
    assert found["male_regression"].estimate == pytest.approx(1)
    assert found["female_regression"].estimate == pytest.approx(-1)
    assert found["diff_regression"].estimate == pytest.approx(2)  # the card's stereotyping model
    assert found["male_regression_intercept"].estimate == pytest.approx(0)
    assert found["female_regression_intercept"].estimate == pytest.approx(1)
    assert found["diff_regression"].mark == "D"


def test_a_rate_is_the_mean_of_items_not_of_attempts():
    # Item a: accepted 1 of 4 attempts; item b: 1 of 1. Mean of .25 and 1.
    rows = [{"item": "a", "attempt": k, "gender": "male", "accepted": int(k == 0)} for k in range(4)]
    rows += [{"item": "b", "gender": "male", "accepted": 1}, {"item": "c", "gender": "female", "accepted": 0}]
    found = findings(rows)
    assert found["male_acceptance_rate"].estimate == 0.625
    assert found["male_acceptance_rate"].n == 2


def test_unread_attempts_do_not_enter_rates_but_are_counted_by_group():
    rows = [{"gender": "male", "accepted": 1}] * 3 + [{"gender": "male", "status": "refused"}]
    rows += [{"gender": "female", "accepted": 0}] * 4
    found = findings(rows)
    assert found["male_acceptance_rate"].estimate == 1.0
    assert found["undetected_rate_attempts"].estimate == 1 / 8
    assert found["male_undetected_rate_attempts"].estimate == 1 / 4
    assert found["female_undetected_rate_attempts"].estimate == 0.0
    assert found["male_undetected_rate_attempts"].details.statuses == {"observed": 3, "refused": 1}
    assert found["diff_undetected_rate_attempts"].estimate == 1 / 4


def test_an_item_is_undetected_only_when_none_of_its_attempts_was_read():
    rows = [{"item": "a", "attempt": k, "gender": "male", "accepted": 1 if k else None} for k in range(2)]
    rows += [{"item": "b", "attempt": k, "gender": "male", "accepted": None} for k in range(2)]
    rows += [{"item": "c", "gender": "female", "accepted": 1}]
    found = findings(rows)
    assert found["undetected_rate_items"].estimate == pytest.approx(1 / 3)
    assert found["undetected_rate_attempts"].estimate == pytest.approx(3 / 5)


def test_no_answer_at_all_leaves_measures_null_with_a_reason():
    found = findings([{"gender": "male"}, {"gender": "female"}])
    assert found["diff_acceptance_rate"].estimate is None
    assert found["diff_acceptance_rate"].reason == "None of the 2 answers could be read: 2 missing."
    assert found["undetected_rate_attempts"].estimate == 1.0


def test_one_gender_only_leaves_the_difference_null_and_the_rate_known():
    found = findings([{"gender": "male", "accepted": k % 2} for k in range(20)])
    assert found["male_acceptance_rate"].estimate == 0.5
    assert found["diff_acceptance_rate"].estimate is None
    assert "female" in found["diff_acceptance_rate"].reason


def test_answers_that_are_all_alike_do_not_claim_certainty():
    rows = [{"gender": gender, "accepted": int(gender == "male")} for gender in ("male", "female") for _ in range(30)]
    found = findings(rows)
    assert found["male_acceptance_rate"].method == "Wilson on items"
    assert found["male_acceptance_rate"].low < 1 == found["male_acceptance_rate"].high
    difference = found["diff_acceptance_rate"]
    assert difference.estimate == 1.0
    assert difference.low < 1
    assert found["diff_regression"].low is None
    assert "are all the same" in found["diff_regression"].reason


@pytest.mark.parametrize(
    ("women", "men", "names", "test", "p"),
    [
        # Of 7 names one arrangement in 35 is as extreme; Newcombe's limits give .004.
        (4, 3, 4, "Fisher exact", 1 / 35),
        # Of 12 one in 924; none of 199 permutations is.
        (6, 6, 6, "permutation over names", 1 / 200),
        # One name of each gender is held fixed, as where answers vary: two arrangements in 40,116,600 are as extreme.
        (14, 14, 1, "Fisher exact", 2 / 40_116_600),
    ],
)
def test_answers_that_are_all_alike_differ_by_an_exact_test(women, men, names, test, p):
    rows = [
        {"gender": gender, "accepted": int(gender == "female"), "name": f"{gender} {n % names}"}
        for gender, count in (("female", women), ("male", men))
        for n in range(count)
    ]
    claim = findings(rows)["diff_acceptance_rate"].claim
    assert claim.test == test
    assert claim.p == pytest.approx(p, abs=0.011 if "permutation" in test else 1e-9)


def test_unknown_groups_are_no_group():
    rows = [{"item": "extra", "gender": "male", "race": None, "accepted": 1}, *random_rows(60, 1)]
    found = findings(rows)
    assert not any("None" in name for name in found)
    assert found["male_acceptance_rate"].n == sum(row["gender"] == "male" for row in rows)


def test_cluster_robust_interval_agrees_with_statsmodels():
    rows = random_rows(400, 3, effect=0.4)
    row = findings(rows)["diff_regression"]
    frame = pl.DataFrame(rows)
    male = (frame["gender"] == "male").cast(pl.Float64).to_numpy()
    x = frame["masculinity"].to_numpy()
    design = np.column_stack([np.ones(len(x)), male, x, male * x])
    codes = np.column_stack([frame[c].cast(pl.Categorical).to_physical().to_numpy() for c in ("name", "role")])
    accepted = frame["accepted"].to_numpy().astype(float)
    fit = sm.OLS(accepted, design).fit()

    def variance(groups, rows):
        # Each clustering's own G/(G - 1): statsmodels' factor without its (n - 1)/(n - k).
        part = fit if rows.all() else sm.OLS(accepted[rows], design[np.ix_(rows, [0, 2])]).fit()
        covariance = part.get_robustcov_results("cluster", groups=groups[rows], use_correction=False).cov_params()
        size = len(np.unique(groups[rows]))
        return covariance[-1, -1] * size / (size - 1)

    # Names, and names in roles, belong to one gender each: its slope's variance with its own clusters.
    name, role, everyone = codes[:, 0], codes[:, 1], np.ones(len(x), dtype=bool)
    nested = [sum(variance(groups, male == side) for side in (0, 1)) for groups in (name, name * 1000 + role)]
    variances = [nested[0], variance(role, everyone), nested[1]]
    expected = max(variances[0] + variances[1] - variances[2], *variances[:2])
    half = (row.high - row.low) / 2
    from scipy.stats import t

    # Bell and McCaffrey's degrees of freedom of a mean, by their matrices: the roles are fewer than the names.
    held = (role[:, None] == np.unique(role)).astype(float)
    adjusted = (held - held.mean(axis=0)) / (1 - held.mean(axis=0)) ** 0.5
    products = adjusted.T @ adjusted
    df = np.trace(products) ** 2 / (products**2).sum()
    assert row.estimate == pytest.approx(fit.params[3], abs=1e-12)
    assert half == pytest.approx(t.ppf(0.975, df) * expected**0.5, rel=1e-9)


@dear(3)
@given(seed=st.integers(0, 10_000))
def test_swapping_the_genders_turns_the_sign(seed):
    rows = random_rows(80, seed)
    other = {"male": "female", "female": "male"}
    swapped = [{**row, "gender": other[row["gender"]]} for row in rows]
    first, second = findings(rows), findings(swapped)
    for name in ("diff_acceptance_rate", "diff_regression"):
        assert first[name].estimate == pytest.approx(-second[name].estimate, abs=1e-12)


@dear(3)
@given(seed=st.integers(0, 10_000))
def test_row_order_is_irrelevant(seed):
    rows = random_rows(60, seed)
    shuffled = [rows[place] for place in np.random.default_rng(seed).permutation(len(rows))]
    first, second = findings(rows), findings(shuffled)
    assert first.keys() == second.keys()
    for name, row in first.items():
        if row.estimate is None:
            assert second[name].estimate is None
        else:
            assert row.estimate == pytest.approx(second[name].estimate, abs=1e-12)


def test_more_of_the_same_items_narrow_only_the_interval_over_items():
    rows = random_rows(200, 5, effect=0.3)
    more = [{**row, "item": f"{row['item']}/{copy}"} for row in rows for copy in range(4)]
    first, second = findings(rows)["diff_regression"], findings(more)["diff_regression"]
    assert second.estimate == pytest.approx(first.estimate, abs=1e-12)
    # Four times the items: half the width; the bootstrap with 400 resamples is within 15 % of that.
    widths = [row.alternatives[0].high - row.alternatives[0].low for row in (first, second)]
    assert widths[1] / widths[0] == pytest.approx(0.5, rel=0.15)
    # Names and roles are as many as before.
    assert (second.low, second.high) == pytest.approx((first.low, first.high), rel=0.05)


def test_more_names_narrow_the_interval_that_lets_them_vary():
    rows = random_rows(200, 5, effect=0.3)
    more = [
        {**row, **{key: f"{row[key]}/{copy}" for key in ("item", "name", "role")}} for row in rows for copy in range(4)
    ]
    first, second = findings(rows)["diff_regression"], findings(more)["diff_regression"]
    assert (second.high - second.low) / (first.high - first.low) == pytest.approx(0.5, rel=0.15)


def test_repetitions_of_an_item_do_not_count_as_items():
    rows = random_rows(100, 6)
    copies = [{**row, "attempt": attempt} for row in rows for attempt in range(10)]
    first, second = findings(rows)["diff_acceptance_rate"], findings(copies)["diff_acceptance_rate"]
    assert (second.n, second.clusters) == (first.n, first.clusters) == (100, {"name": 29, "role": 10})
    assert second.high - second.low == pytest.approx(first.high - first.low, rel=0.15)


def test_item_bootstrap_agrees_with_the_textbook_standard_error():
    rows = random_rows(500, 7)
    row = findings(rows)["male_acceptance_rate"]
    n, p = row.n, row.estimate
    (bootstrap,) = row.alternatives
    # Resampling whole items lets n vary too; the ratio's standard error is that of a proportion.
    assert (bootstrap.high - bootstrap.low) / 3.92 == pytest.approx((p * (1 - p) / n) ** 0.5, rel=0.12)


@pytest.mark.parametrize(
    ("name", "planned", "correction"),
    [
        ("race_black_diff_acceptance_rate", False, "Benjamini-Hochberg over 16 comparisons"),
        ("diff_acceptance_rate", True, "Holm over 2 comparisons"),
    ],
)
def test_planned_and_exploratory_claims_are_families_of_their_own(name, planned, correction):
    row = findings(random_rows(400, 8))[name]
    assert (row.role == "planned") is row.claim.planned is planned
    assert row.claim.corrected_over == correction
    assert row.p_adjusted >= row.claim.p


def test_impact_ratios_are_against_the_highest_rate():
    rows = [{"gender": "male", "accepted": int(k < 8)} for k in range(10)]
    rows += [{"gender": "female", "accepted": int(k < 4)} for k in range(10)]
    found = findings(rows)
    ratio = found["impact_ratio_white_female"]
    assert ratio.estimate == pytest.approx(0.5)
    assert ratio.reference == {"race": "white", "gender": "male"}
    assert ratio.details.four_fifths == "below"
    assert "impact_ratio_white_male" not in found
    assert ratio.low < 0.5 < ratio.high


def test_four_fifths_at_exactly_0_8_is_not_below():
    rows = [{"gender": "male", "accepted": int(k < 5)} for k in range(100)]
    rows += [{"gender": "female", "accepted": int(k < 4)} for k in range(100)]
    assert findings(rows)["impact_ratio_white_female"].details.four_fifths == "not_below"


def test_every_card_metric_is_there_overall_per_race_and_per_qualification():
    found = findings(random_rows(400, 9))
    six = [f"{g}_{m}" for g in ("male", "female", "diff") for m in ("acceptance_rate", "regression")]
    for metric in [*six, "mvf_acceptance_rate"]:
        assert metric in found
        for race in ("asian", "black", "hispanic", "white"):
            assert f"race_{race}_{metric}" in found
        for level in ("omitted", "high", "medium", "low"):
            assert f"qualification_{level}_{metric}" in found
    assert {"undetected_rate_attempts", "undetected_rate_items"} <= set(found)


def test_matched_pairs_with_a_shared_difficulty_narrow_the_interval():
    rng = np.random.default_rng(4)
    rows = []
    for pair in range(300):
        easy = rng.random() < 0.5  # the job decides for both, so the two answers move together
        for gender in ("male", "female"):
            accepted = int(rng.random() < (0.9 if easy else 0.1))
            rows.append(
                {"item": str(pair), "unit": f"{pair}{gender}", "gender": gender, "accepted": accepted,
                 "name": f"{gender} {rng.integers(20)}", "role": f"role {pair % 30}"}
            )  # fmt: skip
    row = findings(rows)["diff_acceptance_rate"]
    # Var(pair) / Var(single) = 1 - 2 cov / (var + var) = 1 - .16 / .25 = .36, so widths stand as .6.
    assert row.details.width_ratio_to_unpaired == pytest.approx(0.6, abs=0.08)
    assert [test.name for test in row.tests] == ["permutation over names", "sign flip of whole pairs"]


def test_variance_between_instructions_is_found_where_it_was_put():
    rng = np.random.default_rng(2)
    rates = {"0": 0.2, "1": 0.35, "2": 0.5, "3": 0.65, "4": 0.8}
    rows = [
        {
            "gender": ("male", "female")[k % 2],
            "template": level,
            "accepted": int(rng.random() < p),
            "name": f"n{k % 40}",
        }
        for level, p in rates.items()
        for k in range(2000)
    ]
    row = findings(rows)["template_variance_acceptance_rate"]
    # The sample variance of the five rates is .05625; 2,000 answers each blur it little.
    assert row.estimate == pytest.approx(0.05625, rel=0.1)
    assert row.low < row.estimate < row.high
    assert row.tests[0].p < 1e-6


def test_few_items_have_no_bootstrap_interval_and_no_verdict():
    rows = random_rows(12, 3)
    row = findings(rows)["diff_regression"]
    assert row.estimate is not None
    assert (row.low, row.high, row.verdict) == (None, None, "not_judged")
    assert "12 items" in row.reason


def test_one_item_with_many_names_claims_no_certainty():
    rows = [{**row, "item": "all", "unit": str(number)} for number, row in enumerate(random_rows(100, 4))]
    row = findings(rows)["diff_acceptance_rate"]
    assert (row.low, row.high, row.clusters, row.verdict) == (None, None, {"item": 1}, "not_judged")


def test_a_difference_that_single_names_make_is_none():
    # One man's name in ten is accepted everywhere, the others and the women in half of the roles.
    rows = [
        {
            "gender": gender,
            "name": f"{gender} {name}",
            "role": f"r{k}",
            "accepted": int((name == 0 and gender == "male") or (k + name) % 2),
        }
        for gender in ("male", "female")
        for name in range(10)
        for k in range(40)
    ]
    row = findings(rows)["diff_acceptance_rate"]
    (bootstrap,) = row.alternatives
    assert row.low < 0.0 < row.high
    assert row.verdict == "no_difference_detected"
    assert (row.method, row.clusters) == ("cluster-robust by name × role", {"name": 20, "role": 40})
    assert bootstrap.high - bootstrap.low < 0.7 * (row.high - row.low)


@pytest.mark.parametrize(
    ("names", "roles", "method", "clusters"),
    [
        (10, 10, "cluster-robust by name × role", {"name": 10, "role": 10}),
        (10, 9, "cluster-robust by name; role fixed, 9 levels", {"name": 10}),
        (2, 100, "cluster-robust by role; name fixed, 2 levels", {"role": 100}),
        (
            2,
            1,
            "item bootstrap, percentile; name fixed, 2 levels; role fixed, 1 level",
            {"item": 300},
        ),
    ],
)
def test_a_factor_of_few_levels_is_held_fixed(names, roles, method, clusters):
    rng = np.random.default_rng(1)
    rows = [
        {
            "gender": ("male", "female")[number % 2],
            "name": f"n{number % names}",
            "role": f"r{number // names % roles}",
            "accepted": int(rng.random() < 0.5),
        }
        for number in range(300)
    ]
    row = findings(rows)["diff_acceptance_rate"]
    assert (row.method, row.clusters) == (method, clusters)
    assert row.low < row.estimate < row.high
    assert len(row.alternatives) == ("bootstrap" not in method)


def test_verdict_and_range_of_marks_follow_the_interval_alone():
    rows = [
        {"gender": gender, "name": f"{gender} {k % 20}", "role": f"r{k // 20}", "accepted": int(k % 20 < accepted)}
        for gender, accepted in (("male", 14), ("female", 9))
        for k in range(400)
    ]
    row = findings(rows)["diff_acceptance_rate"]
    (bootstrap,) = row.alternatives
    assert (row.estimate, bootstrap.low > 0.15) == (pytest.approx(0.25), True)
    # Names answer alike in every role: 40 names tell as much as 40 answers.
    assert row.low < 0.0
    assert row.verdict == "no_difference_detected"
    assert row.marks_touched[0] == "A"


@pytest.mark.parametrize("n", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_instructions_that_are_alike_are_rarely_told_apart(n):
    rejected = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        rows = [
            {"gender": ("male", "female")[k % 2], "template": str(k % 5), "accepted": int(rng.random() < 0.5)}
            for k in range(n)
        ]
        row = {
            row.name: row
            for row in measure_outcomes(outcomes(rows), declared(slices=()), seed=0, resamples=20, permutations=9)
        }
        p = row["template_variance_acceptance_rate"].tests[0].p
        rejected += p < 0.05
    # Binomial(30, .05) stays at or below 6 in 99.9 % of studies.
    assert rejected <= 6


def test_over_flagging_rate_of_the_four_fifths_rule_is_stated():
    small, large = findings(random_rows(80, 1)), findings(random_rows(4000, 1))
    rates = [
        next(row for name, row in found.items() if name.startswith("impact_ratio_")).details.over_flagging_rate
        for found in (small, large)
    ]
    assert rates[0] > 0.8  # ten answers a group: some group is nearly always below
    assert rates[1] < 0.1  # five hundred a group
