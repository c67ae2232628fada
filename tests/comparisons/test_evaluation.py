"""Findings of scores beside outcomes: whom groups are compared with, what p is adjusted for, which criteria collide."""

import numpy as np
import polars as pl
import pytest
from scipy import stats as scipy_stats

from evenhand import stats
from evenhand.comparisons.evaluated_groups import Choices, ScoredRows, measured
from evenhand.comparisons.evaluation import EvaluationRequest, evaluate
from evenhand.comparisons.impact_cells import References
from evenhand.errors import InputError

#: True positives, false negatives, false positives, true negatives.
GROUPS = {"a": (60, 40, 30, 70), "b": (45, 55, 25, 75), "c": (80, 20, 10, 90), "tiny": (5, 0, 0, 5)}


def rows_of(groups, *, second=None, by=None):
    rows = []
    for code, own in enumerate(groups.values()):
        for n, (label, chosen) in zip(own, ((True, True), (True, False), (False, True), (False, False)), strict=True):
            rows.append((code, label, 0.8 if chosen else 0.2, chosen, n))
    frame = pl.DataFrame(
        rows,
        schema=["protected.race", "label", "score", "selected", "n"],
        orient="row",
        schema_overrides={"n": pl.Int64},
    )
    if second is not None:
        halves = [frame.with_columns(pl.lit(code).alias("protected.sex"), n=pl.col("n") // 2 + code) for code in (0, 1)]
        frame = pl.concat(halves)
    if by is not None:
        frame = pl.concat([frame.with_columns(pl.lit(code).alias(f"context.{by}")) for code in (0, 1)])
    return frame.sort("score")


def evaluated(groups=None, *, second=None, by=None, **choices):
    groups = GROUPS if groups is None else groups
    levels = {"race": tuple(groups), "sex": ("f", "m"), "language": ("en", "es")}
    asked = EvaluationRequest(
        attributes=("race",) if second is None else ("race", "sex"),
        by=() if by is None else (by,),
        levels=levels,
        choices=Choices(**choices),
        probabilities=False,
        ranked=False,
        at_least=False,
    )
    found = evaluate(rows_of(groups, second=second, by=by), asked)
    return found, {each.name: each for each in found.findings}


def test_each_measure_is_compared_with_the_large_group_that_it_serves_best():
    found, by_name = evaluated(references=References(floor=0.02))
    assert by_name["diff_tpr_race_a"].reference == {"race": "c"}  # tiny has a TPR of 1, and is under 30 people
    assert by_name["diff_fpr_race_a"].reference == {"race": "c"}
    assert by_name["diff_tpr_race_tiny"].estimate == pytest.approx(0.2)
    assert found.floor_notes[0].text.startswith("tiny (n = 10) is too small to be the reference")


@pytest.mark.parametrize(
    ("references", "pairs"),
    [
        # Without a floor any of four may be the best: 4 · 3 / 2 pairs in TPR, FPR and selection rate.
        # The AUC of tiny is 1 and has no variance, so 3 pairs there.
        (References(floor=0.0), 3 * 6 + 3),
        # Three may be: all pairs but none between two small groups.
        (References(floor=0.02), 3 * 6 + 3),
        (References(named={"race": "b"}), 3 * 3 + 2),
        (References(rule="largest"), 3 * 3 + 2),
    ],
)
def test_planned_comparisons_are_one_family_of_every_pair_that_could_be_looked_at(references, pairs):
    _, by_name = evaluated(references=references)
    planned = [each for each in by_name.values() if each.claim is not None and each.claim.planned]
    assert {each.measure for each in planned} == {"diff_auc", "diff_selection_rate", "diff_tpr", "diff_fpr"}
    judged = [each.claim for each in planned if each.claim.p is not None]
    assert {claim.corrected_over for claim in judged} == {f"Holm over {pairs} comparisons"}
    # The pairs that nobody reads have their own p, so that the others are corrected by no more than if those were 1.
    most = stats.holm([*(claim.p for claim in judged), *[1.0] * (pairs - len(judged))]).p[: len(judged)]
    assert all(claim.p_adjusted <= p + 1e-12 for claim, p in zip(judged, most, strict=True))
    assert all(claim.p_adjusted >= claim.p for claim in judged)


def test_what_compares_the_same_rates_has_one_claim():
    _, by_name = evaluated(references=References(named={"race": "a"}))
    pairs = [
        ("diff_fnr", "diff_tpr"),
        ("diff_tnr", "diff_fpr"),
        ("ratio_tpr", "diff_tpr"),
        ("ratio_fpr", "diff_fpr"),
        ("impact_ratio", "diff_selection_rate"),
    ]
    for other, measure in pairs:
        copied, claim = (by_name[f"{name}_race_b"].claim for name in (other, measure))
        assert (copied.p, copied.p_adjusted, copied.family) == (claim.p, claim.p_adjusted, claim.family)
        assert (copied.planned, claim.planned) == (False, True)


def test_a_rate_has_newcombes_interval_and_fishers_p():
    _, by_name = evaluated(references=References(named={"race": "a"}))
    found = by_name["diff_tpr_race_b"]
    difference = stats.rate_difference(45, 100, 60, 100)
    assert [found.estimate, found.low, found.high] == pytest.approx(
        [difference.estimate, difference.low, difference.high], abs=1e-12
    )
    assert found.tests[0].p == pytest.approx(stats.fisher_exact(45, 100, 60, 100).p)


def test_a_group_that_is_not_judged_says_so():
    _, by_name = evaluated(min_share=0.02)
    assert by_name["diff_tpr_race_tiny"].estimate is None
    assert "--min-share" in by_name["diff_tpr_race_tiny"].reason
    assert by_name["tpr_race_tiny"].estimate == 1


def test_an_unknown_reference_is_refused():
    with pytest.raises(InputError, match="race has no such group; its groups are a, b"):
        evaluated(references=References(named={"race": "z"}))


def test_crossed_groups_explore():
    _, by_name = evaluated(second="sex", intersectional=True)
    crossed = [each for each in by_name.values() if each.measure == "diff_tpr" and len(each.focal) == 2]
    assert len(crossed) == 7
    assert {each.role for each in crossed} == {"exploratory"}
    assert "Benjamini-Hochberg" in crossed[0].claim.corrected_over


def test_slices_share_one_family():
    _, by_name = evaluated(by="language", references=References(named={"race": "a"}))
    found = by_name["diff_tpr_race_b_language_es"]
    assert found.slice == {"language": "es"}
    assert found.claim.corrected_over == "Benjamini-Hochberg over 6 comparisons"  # 3 in each of 2


@pytest.mark.parametrize(
    ("groups", "pair"),
    [
        ({"a": (60, 60, 10, 10), "b": (10, 10, 60, 60), "c": (5, 5, 12, 12)}, ("a", "b")),  # the smaller gap, surer
        ({"a": (30, 30, 30, 30), "b": (31, 30, 30, 30)}, None),
        ({"a": (60, 0, 0, 10), "b": (10, 0, 0, 60)}, None),  # without an error all criteria hold
        ({"a": (9, 9, 1, 1), "b": (1, 1, 9, 9)}, None),  # too few
    ],
)
def test_criteria_collide_where_base_rates_differ(groups, pair):
    found, _ = evaluated(groups)
    assert [(each.group, each.reference) for each in found.tensions] == ([] if pair is None else [pair])


def test_what_would_have_to_be_is_an_identity_of_the_table():
    found, by_name = evaluated({"a": (60, 60, 10, 10), "b": (10, 10, 60, 60)})
    (each,) = found.tensions
    p, precision, tpr = 120 / 140, 10 / 70, 0.5
    assert each.fpr_if_equal == pytest.approx(p / (1 - p) * (1 - precision) / precision * tpr)
    assert each.fpr == by_name["fpr_race_a"].estimate == 0.5


def test_cutoffs_have_the_rates_of_the_same_cut_off():
    found, by_name = evaluated()
    rows = {each.group: each for each in found.cutoffs if each.cutoff == 0.2}  # above .2 are all of .8
    for group, own in rows.items():
        assert own.selection_rate == by_name[f"selection_rate_race_{group}"].estimate
        assert own.tpr == by_name[f"tpr_race_{group}"].estimate
        assert own.fpr == by_name[f"fpr_race_{group}"].estimate
    assert max(each.impact_ratio for each in rows.values() if each.n >= 30) == 1


def test_scores_without_an_error_in_both_groups_are_no_difference_and_in_one_are_not_judged():
    perfect = {"a": (60, 0, 0, 40), "b": (50, 0, 0, 50), "c": (50, 10, 5, 35)}
    _, by_name = evaluated(perfect, references=References(named={"race": "a"}))
    both, one = (by_name[f"diff_auc_race_{group}"].claim for group in "bc")
    assert (both.p, both.verdict) == (1.0, "no_difference_detected")
    assert (one.p, one.verdict) == (None, "not_judged")


def in_clusters(shares, *, clusters):
    """Return 20 rows of each cluster of each group, of which about `shares` are selected."""
    rng = np.random.default_rng(5)
    rows, first = [], 0
    for code, (count, share) in enumerate(zip(clusters, shares, strict=True)):
        for cluster in range(first, first + count):
            chance = share + 0.3 * (rng.random() - 0.5) if 0 < share < 1 else share
            rows += [(code, rng.random() < 0.5, rng.random() < chance, cluster, 1) for _ in range(20)]
        first += count
    names = ["protected.race", "label", "selected", "cluster", "n"]
    frame = pl.DataFrame(rows, schema=names, orient="row").with_columns(score=pl.col("selected") * 0.6 + 0.2)
    request = EvaluationRequest(
        attributes=("race",),
        by=(),
        levels={"race": ("a", "b")},
        choices=Choices(references=References(named={"race": "b"})),
        probabilities=False,
        ranked=False,
        at_least=False,
        cluster="judge",
    )
    return frame, {each.name: each for each in evaluate(frame.sort("score"), request).findings}


def test_rates_in_clusters_are_compared_as_their_clusters_vary():
    frame, by_name = in_clusters((0.5, 0.5), clusters=(40, 40))
    difference, ratio = by_name["diff_selection_rate_race_a"], by_name["impact_ratio_race_a"]
    cells = frame.group_by("protected.race", "cluster").agg(pl.col("selected").mean())
    sides = [cells.filter(pl.col("protected.race") == code)["selected"].to_numpy() for code in (0, 1)]
    # Clusters of one size: CR2 is Welch's standard error of their means, on degrees of freedom of equal variances.
    error = sum(side.var(ddof=1) / side.size for side in sides) ** 0.5
    claim = difference.claim
    assert claim.statistic == pytest.approx((sides[0].mean() - sides[1].mean()) / error)
    assert claim.p == pytest.approx(2 * scipy_stats.t.sf(abs(claim.statistic), claim.df))
    half = error * scipy_stats.t.ppf(0.975, claim.df)
    assert difference.high == pytest.approx(min(difference.estimate + half, 1.0))
    assert (ratio.claim.p, ratio.claim.verdict) == (difference.claim.p, difference.verdict)
    assert ratio.low < ratio.estimate < ratio.high


@pytest.mark.parametrize(
    ("shares", "clusters", "caution"),
    [
        ((0.5, 0.5), (40, 40), None),
        # At 1 degree of freedom it takes 12.7 + 1.4 standard errors, and more over 4 comparisons.
        (
            (0.5, 0.5),
            (2, 40),
            "2 of a, 40 of b. No difference between them in selection rate would be found with 80 % statistical power.",
        ),
        ((0.5, 0.5), (4, 4), None),  # 6 degrees of freedom
        (
            (0.0, 0.5),  # one decision reversed
            (2, 40),
            "2 of a, 40 of b. No difference between them in selection rate would be found with 80 % statistical power.",
        ),
        ((0.0, 0.5), (3, 3), "3 of a, 3 of b. So few of them can give no p below 0.100."),
    ],
)
def test_few_clusters_of_a_group_are_a_caution(shares, clusters, caution):
    _, by_name = in_clusters(shares, clusters=clusters)
    expected = None if caution is None else f"Few clusters by judge: {caution}"
    assert by_name["diff_selection_rate_race_a"].claim.caution == expected
    assert by_name["impact_ratio_race_a"].claim.caution == expected


def test_of_two_ways_of_clusters_the_less_certain_one_counts():
    rng = np.random.default_rng(8)
    person, position = np.repeat(np.arange(60), 4), np.tile(np.arange(12), 20)
    margin = rng.normal(0, 0.4, 60)[person] + rng.normal(0, 1.2, 12)[position] + rng.normal(0, 0.3, 240)
    label = rng.random(240) < 1 / (1 + np.exp(-margin - rng.normal(0, 1, 12)[position]))
    frame = pl.DataFrame({"protected.race": person % 2, "label": label, "score": 1 / (1 + np.exp(-margin)), "n": 1})
    ways = {
        name: frame.with_columns(cluster=codes).sort("score")
        for name, codes in {"person": person, "position": position}.items()
    }
    request = EvaluationRequest(
        attributes=("race",),
        by=(),
        levels={"race": ("a", "b")},
        choices=Choices(),
        probabilities=True,
        ranked=False,
        at_least=False,
        cluster="person",
    )
    alone = {name: {each.name: each for each in evaluate(rows, request).findings} for name, rows in ways.items()}
    both = evaluate(ways["person"], request, other_ways={"position": ways["position"]}).findings
    assert {name for each in both for name in each.clusters} == {"person", "position"}
    for found in both:
        (way,) = found.clusters
        (other,) = {*ways} - {way}
        mine, theirs = (by_name[found.name] for by_name in (alone[way], alone[other]))
        assert (found.low, found.high) == (mine.low, mine.high)
        if found.claim is None:
            assert mine.high - mine.low >= theirs.high - theirs.low
        else:
            assert found.claim.p == mine.claim.p >= theirs.claim.p
    assert found.claim.p_adjusted >= found.claim.p


def test_a_brier_score_of_few_clusters_has_limits_within_0_and_1():
    label = [True, False, False, False, False, True]
    rows = ScoredRows(
        label=np.array(label),
        score=np.array([0.1, 0.2, 0.3, 0.35, 0.4, 0.9]),
        n=np.ones(6, dtype=np.int64),
        cluster=np.array([0, 0, 1, 1, 2, 2]),
    )
    brier = measured(rows, probabilities=True, influences=False, confidence=0.95)["brier"]
    assert 0 < brier.low < brier.estimate < brier.high < 1
