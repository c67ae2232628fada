"""The smallest detectable difference against statsmodels and against simulated tests."""

import numpy as np
import pytest
from statsmodels.stats.power import NormalIndPower

from evenhand.stats import detectable_difference


@pytest.mark.parametrize("power", [0.06, 0.2, 0.5, 0.8, 0.9, 0.999])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_agrees_with_statsmodels(power, confidence):
    if power <= 1 - confidence:
        pytest.skip("no effect is needed for less power than the level")
    n = 400
    # SE = sqrt(2/n) for two groups of n values with the standard deviation 1, which is what statsmodels counts in.
    # Its own solve_power stops at four digits, so its power at our answer is the oracle.
    found = detectable_difference(np.sqrt(2 / n), power=power, confidence=confidence)
    oracle = NormalIndPower().power(found.estimate, n, 1 - confidence, ratio=1.0, alternative="two-sided")
    assert oracle == pytest.approx(power, rel=1e-9)


def test_eighty_percent_of_simulated_tests_find_it():
    rng = np.random.default_rng(3)
    n, runs = 500, 20_000
    error = np.sqrt(0.25 * 2 / n)
    effect = detectable_difference(error).estimate
    gap = rng.binomial(n, 0.5 + effect / 2, runs) / n - rng.binomial(n, 0.5 - effect / 2, runs) / n
    found = np.mean(np.abs(gap) > 1.959964 * error)
    # 20,000 runs: the share of detections has a standard error of .003.
    assert found == pytest.approx(0.8, abs=0.01)


def test_arrays_keep_their_shape_and_what_does_not_vary_is_null():
    found = detectable_difference([0.01, 0.0, np.nan])
    assert found.estimate[0] == pytest.approx(0.028016, abs=1e-6)
    assert np.isnan(found.estimate[1:]).all()
    assert found.reason.tolist()[0] == ""
    assert all(found.reason.tolist()[1:])
    assert detectable_difference(0.0).estimate is None


@pytest.mark.parametrize(("power", "confidence"), [(80, 0.95), (1.0, 0.95), (0.05, 0.95), (0.8, 95)])
def test_what_is_no_power_or_level_is_refused(power, confidence):
    with pytest.raises(ValueError, match=r"power|confidence"):
        detectable_difference(0.01, power=power, confidence=confidence)
