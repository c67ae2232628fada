"""Population stability index and Kolmogorov–Smirnov of counts: by hand, against SciPy, and under no change."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, ks_2samp, kstwobign

from evenhand.stats import kolmogorov_smirnov, stability_index


def test_index_by_hand():
    # Shares .6 .4 and .5 .5: .1 ln 1.2 + (-.1) ln .8; bias (2 - 1)(1/100 + 1/200)
    found = stability_index([60, 40], [100, 100])
    raw = 0.1 * math.log(1.2) - 0.1 * math.log(0.8)
    assert found.raw == pytest.approx(raw)
    assert found.estimate == pytest.approx(raw - 0.015)
    assert found.limit == pytest.approx(0.015 * (chi2.ppf(0.99, 1) - 1))
    assert found.p == pytest.approx(chi2.sf(raw / 0.015, 1))


def test_no_change_is_within_chance_as_often_as_said_and_the_bias_is_gone():
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.full(10, 4.0))
    drawn = [stability_index(rng.multinomial(800, shares), rng.multinomial(1500, shares)) for _ in range(2000)]
    beyond = np.mean([each.estimate > each.limit for each in drawn])
    assert 0.004 < beyond < 0.02
    raw = np.mean([each.raw for each in drawn])
    assert abs(np.mean([each.estimate for each in drawn])) < 0.1 * raw


@pytest.mark.parametrize(("now", "before"), [([0, 0], [1, 2]), ([1, 2], [0, 0]), ([], [])])
def test_nothing_is_told_of_nobody(now, before):
    for found in (stability_index(now, before), kolmogorov_smirnov(now, before)):
        assert (found.estimate, found.p) == (None, None)
        assert found.reason


def test_a_bin_that_is_empty_in_one_table_is_finite():
    assert 0 < stability_index([0, 100], [50, 50]).estimate < math.inf


counts = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=2, max_size=8)


@given(pairs=counts)
def test_distance_is_that_of_scipy(pairs):
    now, before = map(list, zip(*pairs, strict=True))
    n, m = sum(now), sum(before)
    if not n or not m:
        return
    levels = np.arange(len(now))
    found = kolmogorov_smirnov(now, before)
    samples = np.repeat(levels, now), np.repeat(levels, before)
    assert found.estimate == pytest.approx(ks_2samp(*samples, method="asymp").statistic)  # an exact p warns of ties
    assert found.p == pytest.approx(kstwobign.sf(found.estimate * math.sqrt(n * m / (n + m))), rel=1e-6, abs=1e-12)
