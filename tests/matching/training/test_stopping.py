"""When training stops: by the validation loss of whom, after which round, and which groups have too few pairs."""

import numpy as np
import pytest

from evenhand.matching.training import (
    FEWEST,
    PATIENCE,
    TrainingPairs,
    kept_rounds,
    stopping_loss,
    validation_groups,
)

#: Of three rounds the losses of all pairs, of one group and of another.
LOSSES = np.array([[0.7, 0.8, 0.6], [0.5, 0.4, 0.65], [0.4, 0.7, 0.5]])


@pytest.mark.parametrize(
    ("stop_on", "counts", "loss"),
    [
        ("worst-group", [False, True, True], [0.8, 0.65, 0.7]),
        ("worst-group", [False, False, True], [0.6, 0.65, 0.5]),
        ("worst-group", [False, False, False], [0.7, 0.5, 0.4]),
        ("all", [False, True, True], [0.7, 0.5, 0.4]),
    ],
)
def test_the_loss_that_stops_is_the_highest_of_groups_with_enough_pairs(stop_on, counts, loss):
    assert stopping_loss(LOSSES, np.array(counts), stop_on).tolist() == loss


def test_the_last_fall_within_patience_is_kept():
    """A lower loss in the 25th round after the lowest is waited for, one in the 26th is not."""
    wait = (PATIENCE - 1) * [2.0]
    assert kept_rounds([1.0, *wait, 0.5]) == (PATIENCE + 1, False)
    assert kept_rounds([1.0, *wait, 2.0, 0.5]) == (1, True)


def test_a_group_counts_from_20_pairs_of_either_label_and_its_loss_is_the_mean_log_loss():
    label = np.array([1.0] * FEWEST + [0.0] * FEWEST + [1.0] * (FEWEST - 1) + [0.0] * FEWEST + [1.0])
    group = np.array([0] * 2 * FEWEST + [1] * (2 * FEWEST - 1) + [-1])
    features = np.zeros((label.size, 1), dtype=np.float32)
    groups = validation_groups(TrainingPairs(features=features, label=label, groups=[group]))
    assert groups.counts.tolist() == [False, True, False]
    assert groups.pairs.tolist() == [80, 40, 39]
    assert groups.positive.tolist() == [40, 20, 19]
    margin = np.where(label > 0, np.log(3), 0.0)  # a chance of 3/4 where the label is 1, of 1/2 where it is 0
    expected = [-np.log([0.75] * int(n) + [0.5] * int(m)).mean() for n, m in ((40, 40), (20, 20), (19, 20))]
    assert groups.losses(margin, label) == pytest.approx(expected)
