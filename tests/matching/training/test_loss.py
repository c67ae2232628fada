"""The fair loss: its gradient and curvature against finite differences, and what the gap is."""

import numpy as np
import pytest

from evenhand.matching.training.loss import fair_loss, group_gap

STEP = 1e-4


def pairs(seed, n=40):
    rng = np.random.default_rng(seed)
    groups = [rng.integers(-1, 3, n), rng.integers(0, 2, n)]
    return rng.normal(size=n), rng.integers(0, 2, n).astype(float), groups


@pytest.mark.parametrize("strength", [0.0, 1.0, 30.0])
def test_the_gradient_is_the_slope_of_the_loss(strength):
    margin, label, groups = pairs(1)
    gradient = fair_loss(margin, label, groups, strength=strength).gradient
    for place in range(len(margin)):
        ends = [moved(margin, place, by) for by in (-STEP, STEP)]
        low, high = (fair_loss(each, label, groups, strength=strength).value for each in ends)
        assert gradient[place] == pytest.approx((high - low) / (2 * STEP), rel=1e-5, abs=1e-6)


def test_the_curvature_is_that_of_the_loss_where_the_gap_bends_upwards_and_never_less_than_that_of_the_log_loss():
    margin, label, groups = pairs(2)
    plain, fair = (fair_loss(margin, label, groups[1:], strength=strength) for strength in (0.0, 5.0))
    assert np.all(fair.curvature >= plain.curvature)
    for place in np.flatnonzero(fair.curvature > plain.curvature * (1 + 1e-9)):
        ends = [moved(margin, place, by) for by in (-STEP, STEP)]
        low, high = (fair_loss(each, label, groups[1:], strength=5.0).gradient[place] for each in ends)
        assert fair.curvature[place] == pytest.approx((high - low) / (2 * STEP), rel=1e-4)


def moved(margin, place, by):
    return margin + by * (np.arange(len(margin)) == place)


def test_the_gap_is_the_mean_squared_difference_over_pairs_of_groups_summed_over_attributes():
    score = np.array([0.1, 0.3, 0.5, 0.9])
    three = np.array([0, 0, 1, 2])  # means 0.2, 0.5, 0.9
    assert group_gap(score, [three]) == pytest.approx((0.3**2 + 0.4**2 + 0.7**2) / 3)
    assert group_gap(score, [three, np.array([0, -1, 1, 1])]) == pytest.approx(
        (0.3**2 + 0.4**2 + 0.7**2) / 3 + (0.1 - 0.7) ** 2
    )
    assert group_gap(score, [np.zeros(4, int)]) == 0
