"""Studies of scores that exist: known answers of differences, of the placebo floor, and of what can't be judged."""

import sys
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from evenhand.comparisons.perturbation import margin_of
from evenhand.comparisons.study import StudyDesign, study_findings
from evenhand.results.study_audit import LevelSpread, MissingScores, NoiseFloor, StudyAudit, study_groups

sys.path.insert(0, str(Path(__file__).parent))

import study_coverage

WITH_MODELS = replace(study_coverage.DESIGN, unit="model")
AUDIT = StudyAudit(placebo=("placebo",), unit="model", units=("0", "1"))


def rows_of(scores, *, arm="name", levels="ab"):
    """Return rows of scores (units, clusters, levels, runs)."""
    unit, cluster, level, _ = np.indices(scores.shape).reshape(4, -1)
    return pl.DataFrame(
        {
            "arm": arm,
            "unit": unit.astype(str),
            "item_0": cluster.astype(str),
            "level": np.array(list(levels))[level],
            "name": "",
            "score": scores.ravel(),
        }
    )


def by_name(rows, design):
    return {finding.name: finding for finding in study_findings(rows, design)}


def test_a_difference_is_the_paired_t_over_clusters_of_means_over_units_and_runs():
    stats = pytest.importorskip("scipy.stats")
    scores = np.random.default_rng(2).normal(size=(3, 8, 2, 4))
    rows = rows_of(scores)
    design = StudyDesign(
        arms={"name": ("a", "b")}, placebo=(), baseline=None, references={"name": "a"}, unit="model", clusters=("job",)
    )
    found = by_name(rows, design)["name_b_a_score_difference"]
    means = scores.mean(axis=(0, 3))
    expected = stats.ttest_rel(means[:, 1], means[:, 0])
    assert (found.estimate, found.p) == (pytest.approx(np.diff(means).mean()), pytest.approx(expected.pvalue))
    assert (found.n, found.clusters, found.claim.n_focal) == (24, {"job": 8}, 96)
    # A run that is written twice is no further evidence.
    assert by_name(pl.concat([rows, rows]), design)["name_b_a_score_difference"].p == pytest.approx(found.p)


def test_differences_over_names_are_those_of_a_mixed_model_with_crossed_random_effects():
    smf = pytest.importorskip("statsmodels.formula.api")
    rng = np.random.default_rng(1)
    jobs, names = 20, 10
    middle, moved = rng.normal(size=jobs), 0.3 * rng.normal(size=(2, names))
    score = middle + moved[..., None] - [[[0.25]], [[0.0]]] + 0.6 * rng.normal(size=(2, names, jobs))
    level, name, job = np.indices(score.shape).reshape(3, -1)
    rows = pl.DataFrame(
        {
            "arm": "name",
            "unit": "",
            "level": np.array(["black", "white"])[level],
            "name": [f"{side}-{number}" for side, number in zip(level, name, strict=True)],
            "item_0": job.astype(str),
            "score": score.ravel(),
        }
    )
    design = StudyDesign(
        arms={"name": ("black", "white")},
        placebo=(),
        baseline=None,
        references={"name": "white"},
        unit=None,
        clusters=("job",),
    )
    found = by_name(rows, design)["name_black_white_score_difference"]
    table = rows.with_columns(black=(pl.col("level") == "black").cast(pl.Int8), one=1).to_dict(as_series=False)
    factors = {"job": "0 + C(item_0)", "name": "0 + C(name)"}
    pandas = pytest.importorskip("pandas")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = smf.mixedlm(
            "score ~ black", pandas.DataFrame(table), groups="one", vc_formula=factors, re_formula="0"
        ).fit()
    assert found.estimate == pytest.approx(fit.params["black"], abs=0.01)
    low, high = fit.conf_int().loc["black"]
    assert found.high - found.low == pytest.approx(high - low, rel=0.1)


def test_the_floor_finds_twice_the_variance_and_not_what_is_alike():
    cases = {case.label: case for case in study_coverage.CASES}
    alike, twice = cases["SD of .2 each"], cases["variance of .5 times the arm's"]
    assert study_coverage.rejected(alike, 60)["floor"] <= 8 / 60  # more once in 200 times of 5 %
    assert study_coverage.rejected(twice, 20)["floor"] >= 13 / 20


@pytest.mark.slow
@pytest.mark.parametrize("case", study_coverage.CASES, ids=lambda case: case.label)
def test_the_tests_of_a_study_reject_as_often_as_they_say(case):
    shares = study_coverage.rejected(case, 2000)
    assert case.bounds[0] <= shares["floor"] <= case.bounds[1]
    if not case.shared:
        assert 0.03 <= shares["level"] <= 0.07
    if not case.placebo:
        assert 0.03 <= shares["placebo"] <= 0.07


def test_an_arm_that_moves_more_than_a_placebo_without_variance_has_a_least_ratio():
    case = replace(study_coverage.CASES[0], arm=0.4, noise=0.3)
    floor = by_name(study_coverage.study(case, 4), study_coverage.DESIGN)["name_floor_ratio"]
    assert floor.is_difference
    assert floor.low > 1
    assert floor.high is None
    details = NoiseFloor.of(floor)
    assert details.variance == pytest.approx(0.16, abs=0.03)
    assert abs(details.variance_placebo) < 0.005


def test_a_unit_whose_placebo_moves_as_much_is_unstable_and_ranks_overlap():
    case = replace(study_coverage.CASES[1], models=2, arm=0.6, placebo=0.0, noise=0.3)
    other = replace(case, models=1, arm=0.5, placebo=0.9)
    rows = pl.concat([study_coverage.study(case, 1), study_coverage.study(other, 2).with_columns(unit=pl.lit("shaky"))])
    groups = study_groups(study_findings(rows, WITH_MODELS), AUDIT)
    assert groups.unstable(AUDIT) == ("shaky",)
    assert sorted(LevelSpread.of(finding).rank for finding in groups.league) == [1, 2, 3]
    assert {LevelSpread.of(finding).ranks for finding in groups.league} == {(1, 2), (3, 3)}


def test_planned_claims_are_one_family_and_a_placebo_is_corrected_as_what_it_calibrates():
    findings = study_findings(study_coverage.study(study_coverage.CASES[1], 3), WITH_MODELS)
    planned = [finding for finding in findings if finding.claim and finding.claim.planned]
    assert {finding.measure for finding in planned} == {"score_difference", "floor_ratio"}
    assert {finding.claim.family_size for finding in planned} == {6}  # 5 levels and a floor
    groups = study_groups(findings, AUDIT)
    assert not groups.placebos  # they have no reference
    with_reference = replace(WITH_MODELS, references={"name": "a", "placebo": "t"})
    placebos = study_groups(study_findings(study_coverage.study(study_coverage.CASES[1], 3), with_reference), AUDIT)
    assert {finding.claim.family_size for finding in placebos.placebos} == {6}


def test_equal_scores_are_no_difference_and_one_cluster_is_not_judged():
    same = rows_of(np.full((2, 12, 2, 3), 5.0))
    design = StudyDesign(
        arms={"name": ("a", "b")},
        placebo=(),
        baseline=None,
        references={"name": "a"},
        unit="model",
        clusters=("job",),
        margin=margin_of("0.1"),
    )
    found = by_name(same, design)["name_b_a_score_difference"]
    assert (found.estimate, found.p, found.verdict, found.claim.equivalent) == (0, 1, "no_difference_detected", True)
    one = by_name(same.filter(pl.col("item_0") == "0"), design)["name_b_a_score_difference"]
    assert (one.verdict, one.reason) == ("not_judged", "With one job their variation can't be estimated.")


@pytest.mark.parametrize(
    ("left", "runs", "reason"),
    [
        (pl.lit(value=True), 1, "No cell has two scores, so noise can't be separated"),
        (pl.col("level").is_in([*"abt"]), 3, "Only one level of placebo has scores"),
        (pl.col("level").is_in([*"atu"]), 3, "Only one level of name has scores"),
        ((pl.col("arm") == "name") == (pl.col("item_0").cast(pl.Int8) < 9), 3, "No item has several scores under two"),
    ],
)
def test_a_floor_that_can_not_be_judged_says_why(left, runs, reason):
    rows = study_coverage.study(replace(study_coverage.CASES[1], runs=runs, models=2), 0)
    rows = rows.with_columns(score=pl.when(left).then("score"))
    floor = by_name(rows, study_coverage.DESIGN)["name_floor_ratio"]
    assert (floor.verdict, floor.claim.n_focal) == ("not_judged", None)  # of unknown size: a gate waits for it
    assert floor.reason.startswith(reason)


@pytest.mark.parametrize(("placebo", "ratio"), [(0.0, None), (1.0, 4.0)])
def test_an_effect_without_any_noise_is_a_claim_by_signs_of_whole_clusters(placebo, ratio):
    scores = np.zeros((2, 12, 2, 3))
    moved = [rows_of(np.add(scores, [[0.0], [size]]), arm=arm) for arm, size in (("name", 2.0), ("placebo", placebo))]
    design = replace(
        WITH_MODELS, arms={"name": ("a", "b"), "placebo": ("a", "b")}, references={"name": "a", "placebo": "a"}
    )
    found = by_name(pl.concat(moved), design)
    floor = found["name_floor_ratio"]
    assert (floor.estimate, floor.low, floor.p) == (ratio, None, 2.0**-11)
    assert floor.is_difference
    assert LevelSpread.of(found["name_level_sd"]).noise == 0


def test_levels_of_a_baseline_are_no_names_that_were_drawn():
    rows = study_coverage.study(study_coverage.CASES[1], 6)
    design = replace(study_coverage.DESIGN, baseline="placebo", references={})
    assert by_name(rows, design)["name_b_placebo_score_difference"].clusters == {"job": 17}


def test_noise_is_of_names_and_a_cell_is_of_a_level_where_names_are_drawn():
    rng = np.random.default_rng(8)
    rows = rows_of(rng.normal(size=(1, 40, 2, 2))).with_columns(name=pl.int_range(pl.len()) % 16)
    design = StudyDesign(
        arms={"name": ("a", "b")}, placebo=(), baseline=None, references={"name": "a"}, unit=None, clusters=("job",)
    )
    found = by_name(rows.with_columns(pl.col("name").cast(pl.String)), design)
    assert LevelSpread.of(found["name_level_sd"]).noise == pytest.approx(1, abs=0.15)  # each name once in an item
    assert MissingScores.of(found["undetected_rate_attempts"]).absent == 0


def test_decisions_in_order_are_compared_by_the_share_that_reaches_each_grade():
    scores = np.random.default_rng(3).integers(0, 3, size=(1, 30, 2, 4)).astype(float)
    design = StudyDesign(
        arms={"name": ("a", "b")},
        placebo=(),
        baseline=None,
        references={"name": "a"},
        unit=None,
        clusters=("job",),
        grades=("maybe", "yes"),
    )
    found = by_name(rows_of(scores), design)
    for grade, label in ((1, "maybe_or_yes"), (2, "yes")):
        shares = (scores >= grade).mean(axis=(0, 1, 3))
        finding = found[f"{label}_name_b_a_diff_selection_rate"]
        assert finding.estimate == pytest.approx(shares[1] - shares[0])
        assert finding.measured_in == "share"
        assert -1 <= finding.low <= finding.high <= 1


LEVEL_B = (pl.col("level") == "b") & (pl.col("unit") == "1")
ARM_NAME = (pl.col("arm") == "name") & (pl.col("unit") == "1")


@pytest.mark.parametrize(
    ("lose", "missing", "absent", "without_row", "tested"),
    [
        pytest.param(lambda rows: rows.with_columns(pl.when(~LEVEL_B).then("score")), 85, 17, 0, True, id="null"),
        pytest.param(lambda rows: rows.filter(~LEVEL_B), 0, 17, 17, True, id="no row"),
        # A model that was never given an arm lost nothing.
        pytest.param(lambda rows: rows.filter(~ARM_NAME), 0, 17 * 6, 0, False, id="no row of the arm"),
    ],
)
def test_missing_scores_are_counted_by_arm_and_unit_and_tested_by_cluster(lose, missing, absent, without_row, tested):
    rows = lose(study_coverage.study(replace(study_coverage.CASES[1], models=2), 5))
    found = by_name(rows, study_coverage.DESIGN)
    overall, arm = found["undetected_rate_attempts"], found["name_undetected_rate_attempts"]
    assert overall.estimate == pytest.approx(missing / rows.height)
    assert overall.claim is None
    details = MissingScores.of(arm)
    assert (details.missing, details.absent, details.without_row) == (missing, absent, without_row)
    assert details.by_unit == ({"1": missing} if missing else {})
    assert details.absent_by_unit == {"1": absent}
    assert (arm.claim is not None and arm.is_difference) == tested


@pytest.mark.parametrize("dropped", [False, True])
def test_missing_scores_of_the_only_arm_are_tested_by_level(dropped):
    rows = study_coverage.study(replace(study_coverage.CASES[1], models=2), 5).filter(pl.col("arm") == "name")
    lost = (pl.col("level") == "b") & (pl.col("item_0").cast(pl.Int64) < 12)
    rows = rows.filter(~lost) if dropped else rows.with_columns(pl.when(~lost).then("score"))
    found = by_name(rows, replace(study_coverage.DESIGN, arms={"name": tuple("abcdef")}, placebo=()))
    level, other = found["b_undetected_rate_attempts"], found["a_undetected_rate_attempts"]
    assert (MissingScores.of(level).absent, MissingScores.of(other).absent) == (24, 0)
    assert level.is_difference
    assert "name_undetected_rate_attempts" not in found


def test_two_columns_of_items_vary_both_ways():
    rng = np.random.default_rng(7)
    rows = rows_of(rng.normal(size=(1, 144, 2, 2)))
    place = pl.col("item_0").cast(pl.Int64)
    rows = rows.with_columns(item_0=(place // 12).cast(pl.String), item_1=(place % 12).cast(pl.String))
    strong = rows.with_columns(
        score=pl.col("score") + (pl.col("level") == "b") * (pl.col("item_1").cast(pl.Int64) - 5.5) * 2
    )
    design = StudyDesign(
        arms={"name": ("a", "b")},
        placebo=(),
        baseline=None,
        references={"name": "a"},
        unit=None,
        clusters=("job", "resume"),
    )
    weak, found = (by_name(table, design)["name_b_a_score_difference"] for table in (rows, strong))
    assert found.clusters == {"job": 12, "resume": 12}
    # What differs between résumés alone has the standard error of 12 résumés: sd(−11, −9 … 11) / √12.
    assert found.high - found.low == pytest.approx(2 * 2.2 * 7.21 / 12**0.5, rel=0.05)
    assert weak.high - weak.low < 1
