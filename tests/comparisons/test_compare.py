"""Differences between models; the arithmetic is checked against differences computed item by item."""

from random import Random

import numpy as np
import polars as pl
import pytest

from evenhand.comparisons.claims import in_families
from evenhand.comparisons.measure import measure_outcomes, prepared
from evenhand.comparisons.models import ModelRun, compare_runs
from evenhand.comparisons.units import Draw
from evenhand.results.finding import Finding
from evenhand.results.measures import Contrast, MarkBands, MeasureSet, Summary
from evenhand.results.schemas import conform_outcomes

MALE, FEMALE = {"gender": "male"}, {"gender": "female"}
DECLARED = MeasureSet(
    rate="rate",
    measures=(
        Summary(name="male_rate", statistic="rate", group=MALE),
        Contrast(name="diff_rate", statistic="rate", focal=MALE, reference=FEMALE),
    ),
    headline=("diff_rate",),
    slices=(),
    groups=("gender",),
    clusters=("name",),
    instruction=None,
    against=None,
    bands={"diff_rate": MarkBands(centre=0.0, edges=(0.05, 0.15, 0.5, 1.0))},
    order={"gender": ("male", "female")},
)


def outcomes(answers, *, prefix=""):
    """Return outcomes of `answers`: one 0 or 1 per item, men and women in turn, 20 names each."""
    rows = [
        {
            "item": f"{prefix}{number}",
            "unit": f"{prefix}{number}",
            "attempt": 0,
            "successes": int(value),
            "trials": 1,
            "status": "observed",
            "protected.gender": "male" if number % 2 == 0 else "female",
            "context.name": f"n{number % 40}",
        }
        for number, value in enumerate(answers)
    ]
    return conform_outcomes(pl.DataFrame(rows)).lazy()


def run(label, answers, **more):
    frame = outcomes(answers, **more)
    found = measure_outcomes(frame, DECLARED, seed=0, resamples=100, permutations=99)
    sample = prepared(frame, DECLARED, Draw(seed=0, resamples=1, permutations=1))
    return ModelRun(label=label, drawn=sample, findings={row.name: row for row in found})


def compared(*runs, paired=True):
    return {row.name: row for row in in_families(compare_runs(runs, DECLARED, prefix="p", paired=paired).findings)}


RNG = np.random.default_rng(0)
ONE = RNG.random(400) < 0.5
OTHER = np.where(RNG.random(400) < 0.9, ONE, ~ONE)


def test_a_paired_difference_is_that_of_the_items():
    row = compared(run("A", ONE), run("B", OTHER))["p_male_rate_a_minus_b"]
    change = ONE[::2].astype(float) - OTHER[::2].astype(float)
    assert row.estimate == pytest.approx(change.mean())
    # Two-sided t on 19 and on 199 degrees of freedom; the variance of the mean with the factor G/(G − 1) of clusters.
    half = 2.093024 * (change - change.mean()).reshape(10, 20).mean(axis=0).std(ddof=0) / np.sqrt(19)
    assert (row.low, row.high) == pytest.approx((change.mean() - half, change.mean() + half), abs=1e-6)
    assert (row.clusters, row.method) == ({"name": 20}, "paired by item, cluster-robust by name")
    half = 1.971957 * change.std(ddof=0) / np.sqrt(199)
    (over_items,) = row.alternatives
    assert (over_items.low, over_items.high) == pytest.approx((change.mean() - half, change.mean() + half), abs=1e-6)
    assert (row.focal, row.reference) == ({"model": "A"}, {"model": "B"})


def test_pairing_narrows_the_interval_of_models_that_agree_mostly():
    paired = compared(run("A", ONE), run("B", OTHER))["p_diff_rate_a_minus_b"]
    apart = compared(run("A", ONE), run("B", OTHER), paired=False)["p_diff_rate_a_minus_b"]
    assert paired.estimate == apart.estimate
    # Names are the same in both runs whether or not their prompts are, so only the interval over items narrows.
    one, other = paired.alternatives[0], apart.alternatives[0]
    assert one.high - one.low < 0.7 * (other.high - other.low)
    assert paired.high - paired.low == pytest.approx(apart.high - apart.low)


def test_swapping_the_models_swaps_the_sign():
    there = compared(run("A", ONE), run("B", OTHER))["p_diff_rate_a_minus_b"]
    back = compared(run("B", OTHER), run("A", ONE))["p_diff_rate_b_minus_a"]
    assert there.estimate == -back.estimate
    assert there.tests[0].p == pytest.approx(back.tests[0].p)


def test_headline_differences_are_adjusted_by_holm_over_all_pairs():
    biased = np.where(np.arange(400) % 2 == 0, RNG.random(400) < 0.9, RNG.random(400) < 0.1)
    found = compared(run("A", ONE), run("B", OTHER), run("C", biased))
    planned = [row for row in found.values() if row.role == "planned"]
    assert len(planned) == 3
    assert all(row.claim.corrected_over == "Holm over 3 comparisons" for row in planned)
    assert found["p_diff_rate_a_minus_c"].verdict == "difference"
    assert found["p_diff_rate_a_minus_b"].p_adjusted >= found["p_diff_rate_a_minus_b"].tests[0].p


def test_two_runs_that_agree_everywhere_claim_no_certainty():
    row = compared(run("A", ONE), run("B", ONE))["p_diff_rate_a_minus_b"]
    assert row.estimate == 0.0
    assert (row.low, row.verdict) == (None, "not_judged")
    assert "agree on every item" in row.reason


def test_a_difference_that_is_the_same_on_every_item_is_told_and_not_called_none():
    men = np.arange(400) % 2 == 0
    row = compared(run("A", men), run("B", ~men))["p_diff_rate_a_minus_b"]
    assert (row.estimate, row.low, row.verdict) == (2.0, None, "not_judged")
    assert row.reason == "The difference is the same on every item, so its uncertainty can't be estimated."


def test_a_model_without_answers_is_null_and_says_so():
    silent = ModelRun(label="B", drawn=None, findings={})
    found = compared(run("A", ONE), silent)
    assert found["p_diff_rate_b"].estimate is None
    assert found["p_diff_rate_a_minus_b"].reason == "B has no value for this measure."


def test_fair_models_are_told_apart_in_one_of_twenty_comparisons():
    # 100 comparisons of models without any difference: about 5 detected, 4 sd = 9.
    hits = 0
    for seed in range(100):
        rng = Random(seed)
        answers = [[rng.random() < 0.5 for _ in range(120)] for _ in range(2)]
        samples = [prepared(outcomes(each), DECLARED, Draw(seed=0, resamples=1, permutations=1)) for each in answers]
        findings = {"male_rate": row_of(answers[0]), "diff_rate": row_of(answers[0])}
        other = {"male_rate": row_of(answers[1]), "diff_rate": row_of(answers[1])}
        runs = [
            ModelRun(label="A", drawn=samples[0], findings=findings),
            ModelRun(label="B", drawn=samples[1], findings=other),
        ]
        hits += {row.name: row for row in compare_runs(runs, DECLARED, prefix="p", paired=True).findings}[
            "p_diff_rate_a_minus_b"
        ].tests[0].p < 0.05
    assert hits <= 14


def row_of(answers):
    """Return a run's own finding; only the estimate is used."""
    values = np.array(answers, dtype=float)
    return Finding(
        name="x",
        measure="diff_rate",
        focal=MALE,
        reference=FEMALE,
        role="planned",
        estimate=values[::2].mean() - values[1::2].mean(),
        n=len(values),
        clusters=len(values),
        method="test",
    )
