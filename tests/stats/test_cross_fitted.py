"""AUC of categories: never overstated by their number, and that of scikit-learn's scores within folds."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from evenhand.stats import auc, cross_fitted_auc, pooled_auc


def test_two_categories_are_told_as_by_their_rates():
    # P(group | a) > P(group | b): the AUC of the 0/1 score is .5 + (.8 - .4) / 2.
    found = cross_fitted_auc([800, 200], [400, 600], seed=0)
    assert found.estimate == pytest.approx(0.7, abs=0.001)
    assert found.low < 0.7 < found.high


@pytest.mark.parametrize("categories", [2, 40, 600])
def test_categories_without_a_relation_are_at_chance_whatever_their_number(categories):
    rng = np.random.default_rng(categories)
    drawn = []
    for seed in range(40):
        codes, group = rng.integers(0, categories, 1200), rng.random(1200) < 0.4
        counts = [np.bincount(codes[group == each], minlength=categories) for each in (True, False)]
        drawn.append(cross_fitted_auc(*counts, seed=seed))
    assert np.mean([each.estimate for each in drawn]) == pytest.approx(0.5, abs=0.01)
    held = np.mean([each.low <= 0.5 <= each.high for each in drawn])
    assert held >= 0.93


def test_folds_are_weighted_by_their_pairs():
    rng = np.random.default_rng(1)
    score, group = rng.normal(size=300), rng.random(300) < 0.5
    folds = np.repeat([0, 0, 1], 100)
    parts = [auc(score[folds == k], group[folds == k]) for k in (0, 1)]
    pairs = [each.n_positive * each.n_negative for each in parts]
    exact = [roc_auc_score(group[folds == k], score[folds == k]) for k in (0, 1)]
    assert pooled_auc(parts).estimate == pytest.approx(np.average(exact, weights=pairs))


def test_a_fold_without_both_groups_is_left_out():
    known = auc([1, 2, 3, 4], [False, True, False, True])
    empty = auc([1, 2], [True, True])
    assert pooled_auc([known, empty]).estimate == known.estimate
    none = pooled_auc([empty])
    assert (none.estimate, none.low, none.reason) == (None, None, "No fold has people of both groups.")


def test_folds_whose_scores_are_learnt_from_the_same_people_are_less_sure():
    fold = auc([0.1, 0.4, 0.6, 0.3, 0.8, 0.2], [0, 1, 1, 0, 0, 1])
    # Nadeau and Bengio (2003): 1/5 + 1/4 in the place of 1/5.
    assert pooled_auc([fold] * 5).standard_error == pytest.approx((9 / 20) ** 0.5 * fold.standard_error)
