"""A share and kappa of all, estimated from some who were drawn with known probabilities."""

import numpy as np
import pytest

from evenhand.stats import cohens_kappa, weighted_kappa, weighted_rate


def test_equal_weights_are_none():
    first, second = [0] * 25 + [1] * 25, [0] * 20 + [1] * 5 + [0] * 10 + [1] * 15
    kappa = weighted_kappa(first, second, [7.0] * 50, labels=2)
    assert (kappa.estimate, kappa.n) == (pytest.approx(cohens_kappa([[20, 5], [10, 15]]).estimate), 50)
    assert weighted_rate([1, 1, 1, 0], [3, 3, 3, 3]).estimate == 0.75


def test_what_a_case_stands_for_counts_as_that_many():
    drawn = [(0, 0, 30), (0, 1, 10), (1, 1, 15), (1, 0, 5), (2, 2, 40)]
    table = np.zeros((3, 3), dtype=int)
    for row, column, n in drawn:
        table[row, column] = n
    for kind in ("none", "quadratic"):
        kappa = weighted_kappa(*zip(*drawn, strict=True), labels=3, weights=kind)
        assert kappa.estimate == pytest.approx(cohens_kappa(table, weights=kind).estimate)
        assert kappa.high - kappa.low > 0.5  # of five cases


def test_nobody_drawn_and_a_single_label_have_a_reason():
    assert (weighted_rate([], []).estimate, weighted_rate([], []).reason) == (None, "Nobody was drawn.")
    assert weighted_kappa([], [], [], labels=2).reason == "No item has a label of both annotators."
    alike = weighted_kappa([1, 1], [1, 1], [3, 8], labels=2)
    assert (alike.estimate, alike.low) == (None, None)
    sure = weighted_rate([1, 1, 1], [1, 1, 4])
    assert (sure.estimate, sure.high) == (1, 1)
    assert sure.low < 0.5  # two of them stand for one in three


@pytest.mark.parametrize(
    ("people", "drawn", "right"),
    [((500, 500), (10, 90), (0.6, 0.98)), ((1000, 100), (30, 30), (0.7, 0.95)), ((50, 500), (40, 40), (0.5, 0.95))],
)
def test_intervals_hold_what_is_true_of_all_and_unweighted_ones_do_not(people, drawn, right):
    rng = np.random.default_rng(3)
    weights = np.repeat(np.divide(people, drawn), drawn)
    tables = [np.array([0.7 * p, 0.7 * (1 - p), 0.3 * (1 - p), 0.3 * p]) for p in right]
    whole = np.average(tables, axis=0, weights=people).reshape(2, 2)
    chance = whole.sum(0) @ whole.sum(1)
    accuracy, kappa = np.trace(whole), (np.trace(whole) - chance) / (1 - chance)
    held = np.zeros(3)
    runs = 300
    for _ in range(runs):
        cells = np.concatenate([rng.choice(4, size=n, p=table) for n, table in zip(drawn, tables, strict=True)])
        first, second = np.divmod(cells, 2)
        found = [
            (weighted_rate(first == second, weights), accuracy),
            (weighted_kappa(first, second, weights, labels=2), kappa),
            (weighted_rate(first == second, np.ones(len(cells))), accuracy),
        ]
        held += [each.low <= value <= each.high for each, value in found]
    assert min(held[:2]) >= 0.91 * runs  # 95 % less three standard errors
    assert held[2] < 0.8 * runs
