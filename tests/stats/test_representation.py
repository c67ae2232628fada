"""Groups beside stated shares: against SciPy, and the effective sample size against its weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, chisquare

from evenhand.stats import effective_sample_size, goodness_of_fit

counts = st.lists(st.integers(0, 400), min_size=2, max_size=6).filter(lambda each: sum(each) >= 100)


@given(people=counts)
def test_all_groups_and_each_are_those_of_scipy(people):
    shares = np.full(len(people), 1 / len(people))
    found = goodness_of_fit(people, shares)
    n = sum(people)
    assert found.statistic == pytest.approx(chisquare(people, n * shares).statistic)
    assert found.p == pytest.approx(chisquare(people, n * shares).pvalue, rel=1e-6, abs=1e-300)
    each = [min(1, 2 * min(binom.cdf(k, n, shares[0]), binom.sf(k - 1, n, shares[0]))) for k in people]
    assert found.p_each == pytest.approx(each, rel=1e-6, abs=1e-300)


def test_few_people_are_tested_by_drawing():
    # 3 of 3 in a group of a half: 2 of 8 equally likely tables are as extreme.
    found = goodness_of_fit([3, 0], [0.5, 0.5])
    assert found.p == pytest.approx(0.25, abs=0.02)
    assert found.method == "exact multinomial, 9,999 draws"


@pytest.mark.parametrize(
    ("people", "shares"), [([0, 0], [0.5, 0.5]), ([5, 5], [0.5, 0.6]), ([5, 5], [0, 1]), ([5], [1])]
)
def test_what_cannot_be_tested_has_a_reason(people, shares):
    found = goodness_of_fit(people, shares)
    assert (found.p, found.statistic) == (None, None)
    assert found.reason


@given(people=counts)
def test_effective_size_is_that_of_the_weights(people):
    held = [each for each in people if each]
    weights = np.concatenate([np.full(n, 1 / len(held) / (n / sum(held))) for n in held])
    kish = weights.sum() ** 2 / (weights**2).sum()
    assert effective_sample_size(people, [1 / len(people)] * len(people)) == pytest.approx(kish)


def test_shares_as_they_are_lose_nothing():
    assert effective_sample_size([30, 70], [0.3, 0.7]) == pytest.approx(100)
    assert effective_sample_size([0, 0], [0.5, 0.5]) is None
