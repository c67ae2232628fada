"""Ratios of many places: what is drawn from the model has the posterior probabilities that the model states."""

import numpy as np
import pytest

from evenhand import stats


def drawn(rng, places, *, mean, spread, people=(4, 30)):
    """Return counts of places, and the log ratios that they were drawn with."""
    n, m = (rng.integers(*people, places) for _ in range(2))
    rates = rng.beta(2.5, 6.0, places)
    ratios = rng.normal(mean, spread, places)
    fits = (rates * np.exp(ratios) < 1) & (rates > 0)
    n, m, rates, ratios = n[fits], m[fits], rates[fits], ratios[fits]
    return (rng.binomial(n, rates * np.exp(ratios)), n, rng.binomial(m, rates), m), ratios


def test_posterior_probabilities_below_four_fifths_and_intervals_are_calibrated():
    rng = np.random.default_rng(3)
    stated, true, inside = [], [], []
    for _ in range(60):
        counts, ratios = drawn(rng, 50, mean=rng.normal(-0.2, 0.2), spread=rng.uniform(0.05, 0.7))
        shrunken = stats.shrunken_ratios(*counts)
        known = shrunken.reason == ""
        stated += shrunken.below[known].tolist()
        true += (ratios[known] < np.log(0.8)).tolist()
        inside += ((np.log(shrunken.low) <= ratios) & (ratios <= np.log(shrunken.high)))[known].tolist()
    stated, true = np.array(stated), np.array(true)
    fifths = np.digitize(stated, [0.2, 0.4, 0.6, 0.8])
    for fifth in range(5):
        assert stated[fifths == fifth].mean() == pytest.approx(true[fifths == fifth].mean(), abs=0.05)
    # Rates that a ratio would put above 1 are not drawn, which the model does not know.
    assert 0.92 <= np.mean(inside) <= 0.97


def test_few_people_are_drawn_towards_all_places_and_many_are_not():
    small, large = (0, 6, 3, 6), (300, 1_000, 500, 1_000)
    others = [(45, 100, 50, 100)] * 30
    shrunken = stats.shrunken_ratios(*np.array([small, large, *others]).T)
    assert 0.8 < shrunken.estimate[0] < 0.9  # its own ratio is 0
    assert shrunken.estimate[1] == pytest.approx(0.6, abs=0.05)
    assert shrunken.below[1] > 0.99 > shrunken.below[0]
    assert shrunken.mean == pytest.approx(0.88, abs=0.02)


def test_the_spread_between_places_is_estimated_and_few_places_leave_it_open():
    rng = np.random.default_rng(8)
    counts, _ = drawn(rng, 400, mean=-0.3, spread=0.5, people=(30, 90))
    many = stats.shrunken_ratios(*counts)
    assert (many.mean, many.spread) == (pytest.approx(np.exp(-0.3), abs=0.06), pytest.approx(0.5, abs=0.1))
    alike = np.tile([[12], [40], [16], [40]], 3)
    # Three places alike do not show that no place is far below: nobody is sure of four fifths.
    assert 0.3 < stats.shrunken_ratios(*alike).below[0] < 0.8


def test_clusters_count_as_fewer_people():
    counts = np.tile([[12], [40], [16], [40]], 6)
    counts[0, 0] = 4
    assert np.array_equal(
        stats.shrunken_ratios(*(2 * counts), effect=2.0).estimate, stats.shrunken_ratios(*counts).estimate
    )


def test_places_without_a_ratio_and_fewer_than_three_places_have_a_reason():
    counts = np.array([(3, 10, 4, 10), (0, 10, 0, 10), (2, 5, 0, 0), (5, 10, 6, 10), (10, 10, 10, 10)]).T
    shrunken = stats.shrunken_ratios(*counts)
    assert [bool(reason) for reason in shrunken.reason] == [False, True, True, False, False]
    assert np.isnan(shrunken.below[1:3]).all()
    assert shrunken.places == 3
    few = stats.shrunken_ratios(*counts[:, :4])
    assert np.isnan(few.estimate).all()
    assert few.mean is None
    assert "Fewer than 3" in few.reason[0]
