"""The AUC of the worst group, against the AUC that reports show."""

import numpy as np
import pytest

from evenhand.matching.training import FEWEST, worst_group_auc
from evenhand.stats import auc


def test_it_is_the_lowest_auc_of_a_group_that_has_enough_of_both_labels():
    rng = np.random.default_rng(4)
    n = 900
    label, group = rng.integers(0, 2, n).astype(float), rng.integers(-1, 3, n)
    score = np.round(label * (0.2 + 0.3 * np.maximum(group, 0)) + rng.normal(size=n), 1)
    own = [auc(score[group == each], label[group == each]).estimate for each in range(3)]
    assert worst_group_auc(score, label, [group]) == pytest.approx(min(own))
    few = np.where(np.cumsum(group == int(np.argmin(own))) <= FEWEST, group, -1)
    assert worst_group_auc(score, label, [few]) != pytest.approx(min(own))
