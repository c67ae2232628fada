"""Curves are the model: what LightGBM predicts from its trees."""

import lightgbm
import numpy as np
import pytest

from evenhand.matching.features import FEATURES
from evenhand.matching.training import TrainingPairs, curves_of, fit_trees


def pairs(seed, n=900, *, unknown=0.0):
    rng = np.random.default_rng(seed)
    features = np.column_stack([rng.uniform(each.lowest, each.highest, n) for each in FEATURES]).astype(np.float32)
    features[rng.random(features.shape) < 0.1] = np.nan
    features[rng.random(features.shape) < 0.1] = 0
    odds = 3 * np.nan_to_num(features[:, 0]) + np.nan_to_num(features[:, 7]) - 0.3 * np.nan_to_num(features[:, 9])
    odds -= 2 * np.sign(np.nan_to_num(features[:, 11]))  # edges beside 0
    odds += unknown * np.isnan(features[:, 4])
    label = (rng.random(n) < 1 / (1 + np.exp(1.5 - odds))).astype(float)
    return TrainingPairs(features=features, label=label, groups=[rng.integers(0, 2, n)])


@pytest.mark.parametrize("unknown", [0.0, 5.0])
def test_curves_add_up_to_what_lightgbm_predicts_and_to_nothing_on_average(unknown):
    fit, other = pairs(1, unknown=unknown), pairs(2)
    params = {"interaction_constraints": [[at] for at in range(len(FEATURES))], "num_threads": 1, "verbosity": -1}
    booster = lightgbm.train(params | {"objective": "binary"}, lightgbm.Dataset(fit.features, fit.label), 60)
    base, curves = curves_of(booster, 50, fit.features)
    margin = base + sum(curve.at(other.features[:, number]) for number, curve in enumerate(curves))
    assert margin == pytest.approx(booster.predict(other.features, raw_score=True, num_iteration=50), abs=1e-9)
    for number, curve in enumerate(curves):
        assert curve.at(fit.features[:, number]).mean() == pytest.approx(0, abs=1e-9)


def test_curves_of_training_keep_to_what_is_expected():
    trees = fit_trees(pairs(1), pairs(2), strengths=(1.0,), seed=0)[0]
    assert any(curve.edges for curve in trees.curves)
    for feature, curve in zip(FEATURES, trees.curves, strict=True):
        assert np.all(feature.monotone * np.diff(curve.values) >= -1e-12) or not feature.monotone
