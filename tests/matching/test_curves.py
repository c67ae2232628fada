"""Curves are the model: what LightGBM predicts from the text that is kept."""

import lightgbm
import numpy as np
import pytest

from evenhand.errors import InputError
from evenhand.matching.features import FEATURES
from evenhand.matching.matcher import curves_of
from evenhand.matching.training import TrainingPairs, fit_trees


def pairs(seed, n=900, *, unknown=0.0):
    rng = np.random.default_rng(seed)
    features = np.column_stack([rng.uniform(each.lowest, each.highest, n) for each in FEATURES]).astype(np.float32)
    features[rng.random(features.shape) < 0.1] = np.nan
    odds = 3 * np.nan_to_num(features[:, 0]) + np.nan_to_num(features[:, 7]) - 0.3 * np.nan_to_num(features[:, 9])
    odds += unknown * np.isnan(features[:, 4])
    label = (rng.random(n) < 1 / (1 + np.exp(1.5 - odds))).astype(float)
    return TrainingPairs(features=features, label=label, groups=[rng.integers(0, 2, n)])


@pytest.mark.parametrize("unknown", [0.0, 5.0])
def test_curves_add_up_to_what_lightgbm_predicts_and_keep_to_what_is_expected(unknown):
    fit, validation = pairs(1, unknown=unknown), pairs(2, unknown=unknown)
    model = fit_trees(fit, validation, strengths=(1.0,), seed=0)[0]
    curves = curves_of(model.model, len(FEATURES))
    margin = sum(curve.at(validation.features[:, number]) for number, curve in enumerate(curves))
    theirs = lightgbm.Booster(model_str=model.model).predict(validation.features, raw_score=True)
    assert margin == pytest.approx(theirs, abs=1e-9)
    assert any(len(curve.edges) for curve in curves)
    assert all(np.isfinite(curve.edges).all() for curve in curves)
    for feature, curve in zip(FEATURES, curves, strict=True):
        assert np.all(feature.monotone * np.diff(curve.values) >= -1e-12) or not feature.monotone


def test_a_model_with_two_features_in_a_tree_is_refused():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(400, 2))
    data = lightgbm.Dataset(x, (x[:, 0] * x[:, 1] > 0).astype(float))
    model = lightgbm.train({"objective": "binary", "verbosity": -1, "num_threads": 1}, data, 5).model_to_string()
    with pytest.raises(InputError, match="not additive"):
        curves_of(model, 2)
