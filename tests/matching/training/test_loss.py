"""The fair loss: its gradient and curvature against finite differences of the loss as it is defined."""

from itertools import combinations

import numpy as np
import pytest

from evenhand.matching.matcher import fair_slope

STEP = 1e-4


def pairs(seed, n=40):
    rng = np.random.default_rng(seed)
    groups = [rng.integers(-1, 3, n), rng.integers(0, 2, n)]
    return rng.normal(size=n), rng.integers(0, 2, n).astype(float), groups


@pytest.mark.parametrize("strength", [0.0, 1.0, 30.0])
def test_the_gradient_is_the_slope_of_the_loss(strength):
    margin, label, groups = pairs(1)
    gradient = fair_slope(margin, label, groups, strength=strength).gradient
    for place in range(len(margin)):
        ends = [moved(margin, place, by) for by in (-STEP, STEP)]
        low, high = (fair_loss(each, label, groups, strength=strength) for each in ends)
        assert gradient[place] == pytest.approx((high - low) / (2 * STEP), rel=1e-5, abs=1e-6)


def test_the_curvature_is_that_of_the_loss_where_the_gap_bends_upwards_and_never_less_than_that_of_the_log_loss():
    margin, label, groups = pairs(2)
    plain, fair = (fair_slope(margin, label, groups[1:], strength=strength) for strength in (0.0, 5.0))
    assert np.all(fair.curvature >= plain.curvature)
    for place in np.flatnonzero(fair.curvature > plain.curvature * (1 + 1e-9)):
        ends = [moved(margin, place, by) for by in (-STEP, STEP)]
        low, high = (fair_slope(each, label, groups[1:], strength=5.0).gradient[place] for each in ends)
        assert fair.curvature[place] == pytest.approx((high - low) / (2 * STEP), rel=1e-4)


def fair_loss(margin, label, groups, *, strength):
    """Return the loss as it is defined."""
    score = 1 / (1 + np.exp(-margin))
    log_loss = -np.sum(np.where(label > 0, np.log(score), np.log(1 - score)))
    return log_loss + strength * len(margin) * sum(gap_of(score, attribute) for attribute in groups)


def gap_of(score, attribute):
    means = [score[attribute == group].mean() for group in np.unique(attribute) if group >= 0]
    return np.mean([(first - second) ** 2 for first, second in combinations(means, 2)] or [0.0])


def moved(margin, place, by):
    return margin + by * (np.arange(len(margin)) == place)


def test_an_attribute_of_one_group_and_unknown_groups_change_nothing():
    margin, label, _ = pairs(3)
    plain, same = (
        fair_slope(margin, label, groups, strength=9.0)
        for groups in ([], [np.zeros(40, int), np.full(40, -1), np.arange(40) % 2 - 1])
    )
    assert np.array_equal(plain.gradient, same.gradient)
    assert np.array_equal(plain.curvature, same.curvature)
