import numpy as np
import pytest

from evenhand.comparisons.claims import in_families
from evenhand.comparisons.clusterings import cluster_factors, clustered
from evenhand.comparisons.league import Contrast, Standings, distance_findings, rank_findings
from evenhand.results.finding import Finding

ITEMS = 60


def standings(values, spread, *, measure="gap", largest=None, seed=0):
    """Return models whose values vary with `spread` over items, each on answers of its own."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=(len(values), ITEMS))
    noise = spread * (noise - noise.mean(axis=1, keepdims=True)) / ITEMS

    def contrast(*signed):
        psi = sum(sign * noise[place] for sign, place in signed)
        estimate = sum(sign * values[place] for sign, place in signed)
        return Contrast(estimate=estimate, limits=clustered(psi, cluster_factors({"item": np.arange(ITEMS)}), estimate))

    labels = [f"m{place}" for place in range(len(values))]
    base = {"measure": measure, "role": "descriptive", "n": ITEMS, "clusters": {}, "method": "t", "null_value": 0.0}
    rows = {
        label: Finding(name=f"p_{measure}_{label}", slice={"model": label}, estimate=value, **base)
        for label, value in zip(labels, values, strict=True)
    }
    pairs = [(one, other) for one in range(len(values)) for other in range(one + 1, len(values))]
    return Standings(
        prefix="p",
        measure=measure,
        rows=rows,
        own={label: contrast((1, place)) for place, label in enumerate(labels)},
        pairs={
            (labels[one], labels[other]): (contrast((1, one), (-1, other)), contrast((1, one), (1, other)))
            for one, other in pairs
        },
        largest=largest,
    )


def ranks(*measures, name="gap"):
    findings = in_families(distance_findings(measures))
    return [(row.estimate, row.low, row.high) for row in rank_findings(findings) if row.measure == f"{name}_rank"]


@pytest.mark.parametrize(
    ("values", "spread", "expected"),
    [
        ((0.0, 0.1, -0.4), 0.1, [(1, 1, 1), (2, 2, 2), (3, 3, 3)]),
        ((0.0, 0.1, -0.4), 20.0, [(1, 1, 3), (2, 1, 3), (3, 1, 3)]),
        # As far to the one side as to the other: however sure both are, neither lies further.
        ((0.2, -0.2, 0.6), 0.01, [(1, 1, 2), (1, 1, 2), (3, 3, 3)]),
    ],
)
def test_ranks_follow_from_the_distances_that_were_told_apart(values, spread, expected):
    assert ranks(standings(values, spread)) == expected


def test_equal_models_are_seldom_told_apart():
    draws = np.random.default_rng(1).normal(size=(150, 3)) / ITEMS**0.5
    wrong = sum(
        any((low, high) != (1, 3) for _, low, high in ranks(standings(values, 1.0, seed=seed)))
        for seed, values in enumerate(draws)
    )
    assert wrong / len(draws) <= 0.05


def test_a_score_is_the_mean_share_of_the_largest_distance():
    measures = [
        standings((0.0, 0.3, -0.8), 0.05, largest=1.0),
        standings((0.1, -0.3, 0.5), 0.05, measure="slope", largest=2.0, seed=3),
    ]
    found = {row.name: row for row in in_families(distance_findings(measures))}
    assert [found[f"score_m{place}"].estimate for place in range(3)] == pytest.approx([0.025, 0.225, 0.525])
    assert found["score_m1"].low < 0.225 < found["score_m1"].high
    further = found["score_distance_m1_minus_m2"]
    assert further.estimate == pytest.approx(-0.3)
    assert further.is_difference
    assert ranks(*measures, name="score") == [(1, 1, 1), (2, 2, 2), (3, 3, 3)]


def test_a_score_over_answers_that_do_not_vary_has_no_limits():
    known = standings((0.1, 0.2, 0.3), 0.1, largest=1.0)
    constant = standings((1.0, 1.0, 1.0), 0.0, measure="rate", largest=1.0)
    row = next(row for row in distance_findings([known, constant]) if row.name == "score_m0")
    assert (row.estimate, row.low, row.high) == (pytest.approx(0.55), None, None)
    assert "don't vary" in row.reason


def test_the_p_of_two_scores_is_the_level_whose_limits_end_at_equal_scores():
    measures = [
        standings((0.20, 0.30, 0.9), 0.2, largest=1.0),
        standings((0.4, 0.5, 0.6), 0.3, measure="slope", largest=2.0, seed=3),
    ]
    row = next(row for row in distance_findings(measures) if row.name == "score_distance_m0_minus_m1")
    assert 1e-6 < row.p < 1
    # All values are far above 0, so the scores differ as the values do; a tenth of the level says so.
    differences = [one.pairs["m0", "m1"][0].interval(1 - 0.9 * row.p) for one in measures]
    assert differences[0][1] / 2 + differences[1][1] / 4 == pytest.approx(0.0, abs=1e-6)


def test_a_model_without_a_value_has_no_rank():
    known = standings((0.1, 0.2, 0.3), 0.1)
    lacking = Standings(
        prefix="p",
        measure="gap",
        rows=known.rows,
        own={**known.own, "m0": None},
        pairs={pair: (None, None) if "m0" in pair else both for pair, both in known.pairs.items()},
        largest=None,
    )
    assert ranks(lacking)[0] == (None, None, None)
    assert ranks(lacking)[1][0] == 1


@pytest.mark.parametrize(("centre", "side"), [(0.0, 1), (1.5, -1)])
def test_limits_of_equal_scores_hold_together_and_tell_none_apart(centre, side):
    """The noise of a model is the same in both measures, which is the worst correlation."""
    draws = np.random.default_rng(2).normal(size=(30, 3)) / ITEMS**0.5
    held = apart = 0
    for seed, noise in enumerate(draws):
        values = np.array([1, side, 1]) * centre + noise
        measures = [standings(values, 1.0, measure=name, largest=4.0, seed=seed) for name in ("gap", "slope")]
        rows = in_families(distance_findings(measures))
        held += all(row.low <= centre / 4 <= row.high for row in rows if row.measure == "score")
        apart += any(row.is_difference for row in rows if row.measure == "score_distance")
    assert held / len(draws) >= 0.93
    assert apart / len(draws) <= 0.07
