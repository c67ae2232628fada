"""A selection rate along a number: the natural spline of patsy and statsmodels, clusters, and what can't be drawn."""

import numpy as np
import patsy
import pytest
import statsmodels.api as sm

from evenhand import stats

RNG = np.random.default_rng(12)
AGES = np.arange(21, 66)
PEOPLE = RNG.integers(4, 30, AGES.size)
SELECTED = RNG.binomial(PEOPLE, 1 / (1 + np.exp(0.4 + ((AGES - 38) / 15) ** 2)))


def test_curve_and_tests_are_those_of_a_logistic_regression_on_a_natural_spline():
    curve = stats.rate_curve(AGES, SELECTED, PEOPLE, at=[25, 40, 63])
    # Natural splines with the same knots span the same curves, whatever their columns are.
    knots = {name: curve.knots[place] for place, name in enumerate("abcd")}
    spline = patsy.dmatrix("cr(x, knots=(b, c), lower_bound=a, upper_bound=d) - 1", {"x": AGES, **knots})
    design = np.asarray(spline)
    outcome = np.column_stack([SELECTED, PEOPLE - SELECTED])

    def fitted(columns):
        return sm.GLM(outcome, columns, family=sm.families.Binomial()).fit()

    constant, line = np.ones((AGES.size, 1)), np.column_stack([np.ones(AGES.size), AGES])
    whole = fitted(design)
    assert curve.association == pytest.approx(2 * (whole.llf - fitted(constant).llf), abs=1e-6)
    assert curve.curvature == pytest.approx(2 * (whole.llf - fitted(line).llf), abs=1e-6)
    band = whole.get_prediction(design[[4, 19, 42]]).summary_frame()
    assert curve.rate == pytest.approx(band["mean"].to_numpy(), abs=1e-7)
    assert curve.odds_ratio == pytest.approx(np.exp(fitted(line).params[1]), abs=1e-8)
    assert (curve.low < curve.rate).all()
    assert (curve.rate < curve.high).all()


def test_everybody_twice_has_the_band_of_once():
    once = stats.rate_curve(AGES, SELECTED, PEOPLE, at=[25, 60])
    x, y = np.repeat(AGES, PEOPLE), np.concatenate([np.arange(n) < s for n, s in zip(PEOPLE, SELECTED, strict=True)])
    codes = np.tile(np.arange(x.size), 2)
    twice = stats.rate_curve(
        np.tile(x, 2), np.tile(y, 2).astype(int), np.ones(2 * x.size, dtype=int), at=[25, 60], clusters=codes
    )
    assert twice.rate == pytest.approx(once.rate, abs=1e-9)
    assert twice.high - twice.low == pytest.approx(once.high - once.low, rel=0.1)
    assert twice.clusters == x.size
    assert twice.p_association == pytest.approx(once.p_association, abs=0.01)


@pytest.mark.parametrize(
    ("ages", "selected", "reason"),
    [(AGES[:5], SELECTED[:5], "fewer than 6"), (AGES, 0 * PEOPLE, "Nobody"), (AGES, PEOPLE * (AGES > 40), "no curve")],
)
def test_what_has_no_curve_says_why(ages, selected, reason):
    curve = stats.rate_curve(ages, selected, PEOPLE[: len(ages)], at=[30])
    assert reason in curve.reason
    assert np.isnan(curve.rate).all()
