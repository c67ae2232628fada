"""Findings of scores: where numbers come from a second route, and what small or odd tables give."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
import statsmodels.formula.api as smf
from scipy.stats import t as t_distribution
from scipy.stats import ttest_ind

from evenhand.comparisons.clusterings import cluster_factors, clustered
from evenhand.comparisons.measure import measure_outcomes
from evenhand.probes import PROBES
from evenhand.probes.resume_score.settings import Settings
from evenhand.results.schemas import STATUS, conform_outcomes

PROBE = PROBES["resume-score"]


def outcomes_of(score, *, names=12, resumes=15, keep=None, repetitions=1):
    """Return outcomes in which every name was scored for every résumé; `score` takes the rows of that table."""
    rows = pl.DataFrame(
        [
            {
                "name": f"{race} {gender} {number}",
                "gender": gender,
                "race": race,
                "resume": f"r{resume:02}",
                "attempt": n,
            }
            for resume in range(resumes)
            for number in range(names)
            for gender in ("male", "female")
            for race in ("white", "black")
            for n in range(repetitions)
        ]
    ).with_row_index("row")
    rows = rows.with_columns(pl.Series("score", score(rows), dtype=pl.Float64))
    if keep is not None:
        rows = rows.filter(keep)
    return conform_outcomes(
        rows.select(
            pl.concat_str("resume", pl.col("name").str.extract(r"(\d+)$"), separator=" ").alias("item"),
            pl.concat_str("resume", "name", separator=" ").alias("unit"),
            pl.col("attempt").cast(pl.Int32),
            "score",
            pl.lit("observed").cast(STATUS).alias("status"),
            pl.col("gender").alias("protected.gender"),
            pl.col("race").alias("protected.race"),
            pl.col("name").alias("context.name"),
            pl.col("resume").alias("context.resume"),
            pl.lit("Baker").alias("context.position"),
            pl.lit("number").alias("context.wording"),
            pl.when(pl.col("resume") < "r07")
            .then(pl.lit("strong"))
            .otherwise(pl.lit("weak"))
            .alias("context.qualification"),
            pl.lit(None, pl.String).alias("context.zone"),
        )
    )


def measured(outcomes, settings=None, **options):
    probe = PROBE if settings is None else PROBE.configure(settings)
    found = measure_outcomes(outcomes.lazy(), probe.measured, seed=0, permutations=199, resamples=200, **options)
    return {row.name: row for row in found}


def of_one_attribute(measured, unit):
    """Return the measures of resume-score by gender only, in another unit."""
    measures = tuple(replace(measure, measured_in=unit) for measure in measured.measures if "race" not in str(measure))
    headline = ("diff_score",)
    return replace(measured, measures=measures, headline=headline, groups=("gender",), slices=())


def test_with_one_attribute_each_name_is_of_one_finding_and_values_have_the_declared_unit():
    outcomes = outcomes_of(noisy(4), repetitions=2)
    findings = measure_outcomes(
        outcomes.lazy(), of_one_attribute(PROBE.measured, "dollars"), seed=0, permutations=199, resamples=200
    )
    names = [row.name for row in findings]
    assert sorted(names) == sorted(set(names))
    units = {row.name: row.measured_in for row in findings}
    dollars = ("diff_score", "mean_score_male", "cutoff_score", "repetition_sd")
    assert {units[name] for name in dollars} == {"dollars"}
    assert "points" not in set(units.values())


def noisy(seed, shift=3.0):
    def score(rows):
        rng = np.random.default_rng(seed)
        resume = rows["resume"].rank("dense").to_numpy() - 1
        name = rows["name"].rank("dense").to_numpy() - 1
        return (
            60
            + rng.normal(0, 10, resume.max() + 1)[resume]
            + rng.normal(0, 1, name.max() + 1)[name]
            + shift * (rows["gender"] == "male").to_numpy()
            + rng.normal(0, 2, rows.height)
        )

    return score


def test_a_difference_is_that_of_a_regression_on_prompts_and_race():
    keep = pl.col("row").hash(3) % 4 > 0  # a quarter of the answers is lacking, so sets are uneven
    outcomes = outcomes_of(noisy(1), keep=keep)
    frame = outcomes.select(
        "score", resume="context.resume", gender="protected.gender", race="protected.race"
    ).to_pandas()
    model = smf.ols("score ~ C(gender, Treatment('female')) + C(resume):C(race)", frame).fit()
    expected = model.params["C(gender, Treatment('female'))[T.male]"]
    assert measured(outcomes)["diff_score"].estimate == pytest.approx(expected)


def test_what_all_names_share_takes_nothing_from_the_precision():
    plain = measured(outcomes_of(noisy(2)))["diff_score"]

    def lifted(rows):
        return noisy(2)(rows) + 100.0 * (rows["resume"] < "r05").to_numpy()

    moved = measured(outcomes_of(lifted))["diff_score"]
    assert (moved.estimate, moved.low, moved.high) == pytest.approx((plain.estimate, plain.low, plain.high))


def test_swapping_the_groups_turns_the_sign():
    outcomes = outcomes_of(noisy(3))
    other = {"male": "female", "female": "male"}
    swapped = outcomes.with_columns(pl.col("protected.gender").replace_strict(other))
    first, second = measured(outcomes)["diff_score"], measured(swapped)["diff_score"]
    assert (second.estimate, second.low, second.high) == pytest.approx((-first.estimate, -first.high, -first.low))


def test_the_order_of_rows_is_irrelevant():
    outcomes = outcomes_of(noisy(4))
    first, second = measured(outcomes), measured(outcomes.sample(fraction=1.0, shuffle=True, seed=1))
    assert {name: row.estimate for name, row in first.items()} == pytest.approx(
        {name: second[name].estimate for name in first}, nan_ok=True
    )


def test_three_routes_agree_on_a_clear_difference():
    outcomes = outcomes_of(noisy(5))
    row = measured(outcomes)["diff_score"]
    assert row.low < 3 < row.high
    assert row.verdict == "difference"
    assert [test.name for test in row.tests] == [
        "t test, name × resume",
        "permutation over names",
        "Welch on name means",
    ]
    assert all(test.p <= 0.01 for test in row.tests)
    assert row.clusters == {"name": 48, "resume": 15}
    # Welch's t of the names' means of scores minus those of the 23 others with the same résumé and race.
    others = (pl.col("score") - pl.col("score").mean()).over("context.resume", "protected.race") * 24 / 23
    names = outcomes.with_columns(others).group_by("context.name", "protected.gender").agg(pl.col("score").mean())
    sides = [names.filter(pl.col("protected.gender") == gender)["score"] for gender in ("male", "female")]
    welch = ttest_ind(*sides, equal_var=False)
    t = row.estimate / (sides[0].mean() - sides[1].mean()) * welch.statistic
    assert (row.tests[2].statistic, row.tests[2].p) == pytest.approx((t, 2 * t_distribution.sf(t, welch.df)))


def test_a_standardized_difference_is_over_the_spread_within_the_groups():
    outcomes = outcomes_of(noisy(6))
    found = measured(outcomes)
    sides = [outcomes.filter(pl.col("protected.gender") == each)["score"].to_numpy() for each in ("male", "female")]
    pooled = np.sqrt(np.mean([side.var(ddof=1) for side in sides]))
    expected = found["diff_score"].estimate / pooled
    assert found["standardized_diff_score"].estimate == pytest.approx(expected)


def test_an_interaction_is_the_difference_of_two_differences():
    def score(rows):
        strong = (rows["resume"] < "r07").to_numpy()
        return noisy(7)(rows) + 4.0 * strong * (rows["gender"] == "male").to_numpy()

    found = measured(outcomes_of(score))
    row = found["qualification_interaction_diff_score"]
    parts = [found[f"qualification_{level}_diff_score"].estimate for level in ("strong", "weak")]
    assert row.estimate == pytest.approx(parts[0] - parts[1])
    assert row.low < 4 < row.high


def test_repetitions_vary_by_the_root_mean_of_their_variance():
    outcomes = outcomes_of(noisy(8), names=4, repetitions=3)
    row = measured(outcomes)["repetition_sd"]
    expected = outcomes.group_by("unit").agg(pl.col("score").var())["score"].mean() ** 0.5
    assert row.estimate == pytest.approx(expected)
    assert row.low < 2 < row.high
    assert "--repetitions" in measured(outcomes_of(noisy(8)))["repetition_sd"].reason


@pytest.mark.parametrize(("cutoff", "method"), [(None, "median of all scores"), (61.5, "as given")])
def test_selected_is_a_score_above_the_cut_off(cutoff, method):
    outcomes = outcomes_of(noisy(9))
    found = measured(outcomes, Settings(cutoff=cutoff))
    limit = outcomes["score"].median() if cutoff is None else cutoff
    assert found["cutoff_score"].estimate == pytest.approx(limit)
    assert found["cutoff_score"].method == method
    own = outcomes.filter((pl.col("protected.gender") == "male") & (pl.col("protected.race") == "black"))
    assert found["selection_rate_black_male"].estimate == pytest.approx((own["score"] > limit).mean())


def test_rank_within_the_position_is_a_share_of_the_others():
    found = measured(outcomes_of(noisy(10)))
    male, female = (found[f"outranked_share_{each}"].estimate for each in ("male", "female"))
    assert male + female == pytest.approx(1.0)
    assert male > 0.5
    assert found["diff_outranked_share"].estimate == pytest.approx(male - female)


CONSTANT = ("All scores are the same", lambda rows: np.full(rows.height, 70.0))


def test_scores_that_are_all_alike_have_no_interval():
    row = measured(outcomes_of(CONSTANT[1]))["diff_score"]
    assert row.estimate == 0.0
    assert row.low is None
    assert row.reason.startswith(CONSTANT[0])


def test_few_names_are_judged_over_names_however_many_resumes_there_are():
    def score(rows, seed):
        rng = np.random.default_rng(seed)
        name = rows["name"].rank("dense").to_numpy() - 1
        return 60 + rng.normal(0, 4, name.max() + 1)[name] + rng.normal(0, 2, rows.height)

    found = [
        measured(outcomes_of(lambda rows, seed=seed: score(rows, seed), names=2, resumes=30))["diff_score"]
        for seed in range(20)
    ]
    assert found[0].method == "cluster-robust by name × resume"
    assert found[0].clusters == {"name": 8, "resume": 30}
    assert found[0].alternatives[0].method == "Welch on name means"
    assert found[0].claim.df == pytest.approx(6.0)  # 4 names each
    # Without an effect of gender, 4 or more of 20 come once in 60 times; over résumés nearly all do.
    assert sum(row.verdict == "difference" for row in found) <= 3


def test_one_name_of_a_group_has_no_interval_and_says_so():
    keep = (pl.col("race") == "white") & (pl.col("resume") < "r05")
    row = measured(outcomes_of(noisy(11), names=1, resumes=9, keep=keep))["diff_score"]
    assert row.low is None
    assert row.reason == "A group has only one name, so the effects of the name and of the group can't be separated."


def test_names_alone_vary_where_there_is_one_resume():
    row = measured(outcomes_of(noisy(12), resumes=1))["diff_score"]
    assert row.clusters == {"name": 48}
    assert row.method == "cluster-robust by name; resume fixed, 1 level"


def test_without_a_shared_prompt_the_difference_is_that_of_all_scores():
    outcomes = outcomes_of(noisy(13), keep=(pl.col("resume") < "r08") == (pl.col("gender") == "male"))
    row = measured(outcomes)["diff_score"]
    means = outcomes.group_by("protected.gender").agg(pl.col("score").mean()).sort("protected.gender")["score"]
    assert row.estimate == pytest.approx(means[1] - means[0])
    assert row.method.endswith("not paired")


def test_a_group_that_was_not_asked_is_named():
    row = measured(outcomes_of(noisy(14)))["diff_score_asian"]
    assert (row.estimate, row.reason) == (None, "No answer with race = asian was observed.")


def test_without_a_readable_answer_the_measures_are_null_with_the_reason():
    outcomes = outcomes_of(noisy(15)).with_columns(
        pl.lit("refused").cast(STATUS).alias("status"), pl.lit(None, pl.Float64).alias("score")
    )
    found = measured(outcomes)
    assert found["diff_score"].estimate is None
    assert "could be read: 720 refused" in found["diff_score"].reason
    assert found["undetected_rate_attempts"].estimate == 1.0


def test_refusals_of_one_group_are_tested():
    keep = (pl.col("protected.race") == "black") & (pl.col("context.resume") < "r05")
    outcomes = outcomes_of(noisy(16)).with_columns(
        pl.when(keep).then(pl.lit("refused").cast(STATUS)).otherwise("status").alias("status"),
        pl.when(keep).then(None).otherwise("score").alias("score"),
    )
    found = measured(outcomes)
    assert found["undetected_rate_attempts"].tests[0].p < 0.05
    assert found["black_male_undetected_rate_attempts"].estimate == pytest.approx(1 / 3)
    differ = [row for row in found.values() if row.claim is not None and row.claim.family == "unreadable answers"]
    assert {tuple(row.focal.items()) for row in differ if row.is_difference and row.estimate > 0} >= {
        (("race", "black"),)
    }
    assert {row.claim.test for row in differ} == {"permutation over names"}


@pytest.mark.parametrize(("women", "df"), [(2, 2.0), (40, 1.1)])
def test_degrees_of_freedom_follow_the_names_of_the_group_with_fewer(women, df):
    # (1/2 + 1/k)² / ((1/2)² + (1/k)² / (k - 1)) with 2 men and k women.
    name = np.repeat(np.arange(2 + women), 30)
    factors = cluster_factors({"name": name}, sides=(name >= 2) * 1, varying=("name",))
    psi = np.random.default_rng(0).normal(0, 0.01, name.size)
    assert clustered(psi, factors, 0.0)(0.95).df == pytest.approx(df, abs=0.01)
