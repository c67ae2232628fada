"""Calibration: what scikit-learn gives, never turned round."""

import numpy as np
import pytest
from sklearn.calibration import _SigmoidCalibration

from evenhand.matching.matcher import calibrations_of


def labelled(n, seed=0):
    rng = np.random.default_rng(seed)
    margin = rng.normal(size=n)
    return margin, (rng.random(n) < 1 / (1 + np.exp(-(0.4 + 1.7 * margin)))).astype(float)


def test_fewer_pairs_get_the_sigmoid_of_platt_as_scikit_learn_fits_it():
    margin, label = labelled(600)
    pooled, _ = calibrations_of(margin, label, [None] * 600)
    theirs = _SigmoidCalibration().fit(margin, label)
    assert pooled.method == "platt"
    assert pooled.at(margin) == pytest.approx(theirs.predict(margin), abs=2e-4)


def test_many_pairs_get_steps_that_only_rise_and_fit_each_part():
    margin, label = labelled(4_000)
    pooled, _ = calibrations_of(margin, label, [None] * 4_000)
    score = pooled.at(np.sort(margin))
    assert pooled.method == "isotonic"
    assert np.all(np.diff(score) >= 0)
    for part in np.array_split(np.argsort(margin), 5):
        assert pooled.at(margin[part]).mean() == pytest.approx(label[part].mean(), abs=0.02)


def test_families_with_enough_pairs_have_their_own_and_a_fit_that_would_turn_scores_round_is_none():
    margin, label = labelled(900)
    families = np.repeat(["15", "29", "11"], [400, 400, 100]).tolist()
    _, own = calibrations_of(margin, np.where(np.arange(900) < 400, label, 1 - label), families)
    assert set(own) == {"15"}
