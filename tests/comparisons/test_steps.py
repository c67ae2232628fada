"""A process in steps: a bias is found at its step and at no other, and what the arms make of it."""

import sys
from functools import cache
from pathlib import Path
from random import Random

import polars as pl
import pytest

from evenhand.comparisons.measure import measure_outcomes
from evenhand.probes import PROBES
from evenhand.probes.probe import shuffled_indices

sys.path.insert(0, str(Path(__file__).parent))

import screening_coverage

GENDER = screening_coverage.GENDERS


@cache
def piles(blocks, *, arms=False):
    """Return the probe, in arms where they are wanted, and the prompts on the whole piles."""
    probe = PROBES["screening"].with_settings({"instructed": True, "masked": True}) if arms else PROBES["screening"]
    design = probe.designs["piles"]
    rows = design.stimuli(shuffled_indices(design.size, blocks * design.block, seed=3, block=design.block))
    return probe, rows.filter(round=0)


@cache
def measured(kind, *, blocks=10, arms=False, strength=1.0, masked=None):
    """Return the findings of a simulated kind by name, of the whole piles; another kind may answer where masked."""
    probe, rows = piles(blocks, arms=arms)
    texts = [
        probe.respond(row, masked if masked and row["arm"] == "masked" else kind, strength, Random(f"3/{row['index']}"))
        for row in rows.iter_rows(named=True)
    ]
    answers = rows.with_columns(
        pl.Series("text", texts),
        pl.lit("stop").alias("finish_reason"),
        pl.lit(None, pl.String).alias("error_class"),
        pl.lit(0, pl.Int32).alias("attempt"),
        pl.lit(None, pl.Datetime("us", "UTC")).alias("time"),
    )
    outcomes = probe.read(answers).outcomes
    findings = measure_outcomes(outcomes.lazy(), probe.measured, seed=0, resamples=20, permutations=19)
    return {finding.name: finding for finding in findings}


@pytest.mark.parametrize("step", GENDER)
def test_a_bias_in_one_step_is_found_there_and_nowhere_else(step):
    found = measured(f"feminine-{step}")
    differences = {name for name, row in found.items() if row.role == "planned" and row.is_difference}
    assert differences == {GENDER[step]}
    truth = {"scores": -10.0, "questions": 0.2}.get(step, -0.2)
    assert found[GENDER[step]].low < truth < found[GENDER[step]].high
    # All comparisons of the first screen are one family.
    assert {row.claim.family_size for row in found.values() if row.role == "planned"} == {16}


@pytest.mark.parametrize(
    ("kind", "counted", "truth"),
    # A second praise of four words, 'and a warm colleague', comes 40 percentage points more often; in a reason five.
    [("length", "words", {"reason": -2.0, "email": -1.6}), ("words", "coded_share", {"reason": -0.4, "email": -0.4})],
)
def test_longer_texts_and_other_words_are_found_as_such_and_nowhere_else(kind, counted, truth):
    found = measured(f"feminine-{kind}", blocks=16)
    texts = {name for name, row in found.items() if row.claim and row.claim.family == "texts of the steps"}
    assert len(texts) == 16
    named = {f"diff_{text}_{counted}" for text in truth}
    planned = {name for name, row in found.items() if row.role == "planned"}
    assert {name for name in texts | planned if found[name].is_difference} == named
    for text, value in truth.items():
        assert found[f"diff_{text}_{counted}"].low < value < found[f"diff_{text}_{counted}"].high


def test_rates_ratios_quality_and_ranks_are_of_their_step():
    found = measured("feminine-scores")
    assert found["shortlist_impact_ratio_black_male"].slice == {"step": "shortlist"}
    # To be asked about a protected fact is nothing to be selected for.
    assert "questions_unlawful_question_rate_black_male" in found
    assert not [name for name in found if name.startswith("questions_impact_ratio")]
    assert found["scores_diff_outranked_share"].is_difference
    # 28 points from unqualified to clear, alike for both.
    for group in ("male", "female"):
        row = found[f"scores_{group}_quality_slope"]
        assert row.low < 28 < row.high
    difference = found["scores_diff_quality_slope"]
    assert difference.low < 0 < difference.high
    assert 0.9 < found["scores_male_quality_auc"].estimate < 1
    assert abs(found["scores_diff_quality_auc"].estimate) < 0.05


def test_the_instruction_halves_the_bias_and_masking_takes_it_away():
    found = measured("feminine-scores", arms=True)
    for arm, change in (("instructed", 5.0), ("masked", 10.0)):
        row = found[f"scores_{arm}_diff_score_{arm}_minus_plain"]
        assert (row.focal, row.reference, row.slice) == ({"arm": arm}, {"arm": "plain"}, {"step": "scores"})
        assert 0 < row.low < change < row.high
        assert not row.claim.planned
        # 640 candidates in both arms, of standard deviation 10 each: 1.96 × 10 √2 × 2 / √640 is 2.2.
        assert (row.high - row.low) / 2 < 3
    assert found["scores_masked_male_quality_slope"].estimate == pytest.approx(28, abs=4)


def test_what_masking_costs_in_recognising_quality_is_found_and_in_the_other_arm_it_costs_nothing():
    # Masked, this model judges whatever the quality; from unqualified to clear its scores rose by 28 points before.
    found = measured("unbiased", arms=True, masked="random")
    changes = {name: row for name, row in found.items() if "quality" in name and name.endswith("_minus_plain")}
    assert len(changes) == 12
    assert {name for name, row in changes.items() if row.is_difference} == {n for n in changes if "_masked_" in n}
    for step, change in (("scores", -28.0), ("shortlist", -0.6), ("decision", -0.6)):
        row = found[f"{step}_masked_quality_slope_masked_minus_plain"]
        assert (row.focal, row.reference, row.slice) == ({"arm": "masked"}, {"arm": "plain"}, {"step": step})
        assert row.low < change < row.high
    # Known quality is one question with the 16 differences: what the sentence of an arm claims is one family.
    assert {row.claim.family_size for row in changes.values()} == {22}
    assert {row.claim.detectable is None for row in changes.values() if row.is_difference} == {True}
    assert found["scores_masked_quality_auc"].estimate == pytest.approx(0.5, abs=0.05)


def test_unread_answers_are_counted_by_group_and_could_change_the_comparison():
    found = measured("garbled", strength=0.2)
    rate = found["undetected_rate_attempts"]
    assert rate.low < 0.2 < rate.high
    assert found["female_undetected_rate_attempts"].estimate == pytest.approx(rate.estimate, abs=0.02)
    bounds = found["diff_score_unread_bounds"]
    assert bounds.low < found["diff_score"].estimate < bounds.high
    assert bounds.details.unread < 0.4 * found["score"].n
    # A candidate whose counterpart is unread says nothing of the difference.
    assert found["diff_score"].n < found["score"].n


def test_a_model_that_decides_nothing_leaves_every_claim_unjudged():
    found = measured("refusing", blocks=1)
    planned = [row for row in found.values() if row.role == "planned"]
    assert len(planned) == 16
    assert {row.verdict for row in planned} == {"not_judged"}
    assert {row.reason for row in planned} == {
        "None of the 64 answers on single applications could be read: 64 refused."
    }


def test_a_few_audits_hold_the_truth():
    audits = [screening_coverage.audit("feminine-scores", seed) for seed in range(8)]
    # Of 8 intervals of 95 %, fewer than 5 hold the truth once in 2,700 times.
    assert all(sum(each.held[name] for each in audits) >= 5 for name in audits[0].held)
    assert all(each.claims["diff_score"] == "difference" for each in audits)


@pytest.mark.slow
@pytest.mark.parametrize("kind", screening_coverage.KINDS)
def test_bias_is_found_where_it_is_and_intervals_hold_the_truth(kind):
    shares = screening_coverage.study(kind, 300)
    assert shares["found"] >= 0.9
    assert shares["elsewhere"] <= screening_coverage.MOST_ELSEWHERE
    assert min(shares["differences"], shares["slopes"], shares["aucs"]) >= 0.91
