"""Findings of scores beside outcomes: whom groups are compared with, what p is adjusted for, which criteria collide."""

import polars as pl
import pytest

from evenhand import stats
from evenhand.comparisons.evaluated_groups import Choices
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
        # Without a floor any of four may be the best: 4 · 3 / 2 pairs.
        (References(floor=0.0), 6),
        # Three may be: all pairs but none between two small groups.
        (References(floor=0.02), 6),
        (References(named={"race": "b"}), 3),
        (References(rule="largest"), 3),
    ],
)
def test_p_is_adjusted_for_every_pair_that_was_looked_at(references, pairs):
    _, by_name = evaluated(references=references)
    found = next(each for name, each in by_name.items() if name.startswith("diff_tpr") and each.p_adjusted is not None)
    assert found.adjustment == f"Fisher exact, Holm over {pairs} pairs"


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
    with pytest.raises(InputError, match="no group of race is called that; there are a, b"):
        evaluated(references=References(named={"race": "z"}))


def test_crossed_groups_explore():
    _, by_name = evaluated(second="sex", intersectional=True)
    crossed = [each for each in by_name.values() if each.measure == "diff_tpr" and len(each.focal) == 2]
    assert len(crossed) == 7
    assert {each.role for each in crossed} == {"exploratory"}
    assert "Benjamini-Hochberg" in crossed[0].adjustment


def test_slices_share_one_family():
    _, by_name = evaluated(by="language", references=References(named={"race": "a"}))
    found = by_name["diff_tpr_race_b_language_es"]
    assert found.slice == {"language": "es"}
    assert found.adjustment == "Fisher exact, Benjamini-Hochberg over 6 pairs in all slices"  # 3 in each of 2


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
