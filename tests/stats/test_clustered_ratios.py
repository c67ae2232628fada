"""Two groups compared by clusters, against statsmodels and by what has to hold."""

import json
from math import exp
from pathlib import Path

import numpy as np
import pytest

from evenhand.stats import clustered_ratio, multiway_variance, within_blocks

ORACLES = json.loads((Path(__file__).parents[1] / "oracles" / "clusters.json").read_text("utf-8"))


def by_ad():
    rows = np.array(ORACLES["by_ad"]["rows"])
    ads = np.repeat(rows[:, :4], rows[:, 4], axis=0)
    return *ads.T, [np.arange(len(ads))]


def by_name():
    rows = ORACLES["by_name"]["rows"]
    focal = np.array([race == "black" for _, race, _, _ in rows])
    called, n = (np.array([row[place] for row in rows]) for place in (2, 3))
    return called * focal, n * focal, called * ~focal, n * ~focal, [np.arange(len(rows))]


def two_ways():
    a, b, focal, y = np.array(ORACLES["two_ways"]["rows"]).T
    return y * focal, focal, y * (1 - focal), 1 - focal, [a, b]


@pytest.mark.parametrize("made", [by_ad, by_name, two_ways])
def test_statsmodels_has_the_same_difference_ratio_and_standard_errors(made):
    found, oracle = clustered_ratio(*made()), ORACLES[made.__name__]
    assert found.difference == pytest.approx(oracle["difference"]["estimate"])
    assert found.standard_error == pytest.approx(oracle["difference"]["standard_error"], rel=1e-6)
    assert found.estimate == pytest.approx(exp(oracle["log_ratio"]["estimate"]))
    # Both limits are the same number of standard errors away, on the scale of logarithms.
    wide = np.log(found.high / found.estimate) / oracle["log_ratio"]["standard_error"]
    from scipy.stats import t

    assert wide == pytest.approx(t.ppf(0.975, found.df), rel=1e-5)
    assert found.low * found.high == pytest.approx(found.estimate**2)
    assert found.difference_p == pytest.approx(2 * t.sf(abs(found.difference_t), found.df))
    logarithm = oracle["log_ratio"]
    assert found.t == pytest.approx(logarithm["estimate"] / logarithm["standard_error"], rel=1e-5)
    assert found.p == pytest.approx(2 * t.sf(abs(found.t), found.df))
    assert (found.p < 0.05) == (not found.low <= 1 <= found.high)


def test_a_rate_clustered_two_ways_is_that_of_statsmodels():
    a, b, _, y = np.array(ORACLES["two_ways"]["rows"]).T
    found = multiway_variance((y - y.mean()) / len(y), [a, b])
    assert not found.floored
    # statsmodels has no term of its own for one regressor: (N - 1)/(N - 1) is 1.
    assert found.variance**0.5 == pytest.approx(ORACLES["two_ways"]["rate"]["standard_error"])


def test_swapped_groups_have_the_inverse_ratio_and_the_same_p():
    s1, n1, s2, n2, clusters = by_ad()
    one, other = clustered_ratio(s1, n1, s2, n2, clusters), clustered_ratio(s2, n2, s1, n1, clusters)
    assert (other.low, other.estimate, other.high) == pytest.approx((1 / one.high, 1 / one.estimate, 1 / one.low))
    assert (other.t, other.p) == pytest.approx((-one.t, one.p))
    assert (other.difference_t, other.difference_p) == pytest.approx((-one.difference_t, one.difference_p))


def test_parts_of_clusters_in_any_order_give_what_whole_clusters_do():
    s1, n1, s2, n2, clusters = by_ad()
    whole = clustered_ratio(s1, n1, s2, n2, clusters)
    none = np.zeros_like(s1)
    apart = [np.concatenate(pair)[::-1] for pair in ((s1, none), (n1, none), (none, s2), (none, n2))]
    parts = clustered_ratio(*apart, [np.concatenate([clusters[0], clusters[0]])[::-1]])
    assert (parts.low, parts.high, parts.p) == pytest.approx((whole.low, whole.high, whole.p))
    assert parts.clusters == whole.clusters == (1323,)


def test_twice_as_many_clusters_keep_the_ratio_and_narrow_the_interval():
    s1, n1, s2, n2, clusters = by_name()
    once = clustered_ratio(s1, n1, s2, n2, clusters)
    twice = clustered_ratio(*(np.tile(each, 2) for each in (s1, n1, s2, n2)), [np.arange(72)])
    assert twice.estimate == pytest.approx(once.estimate)
    assert once.low < twice.low < twice.high < once.high


@pytest.mark.parametrize(
    ("sums", "clusters", "told"),
    [
        (([1, 1], [2, 2], [0, 0], [0, 0]), [0, 1], "nobody"),
        (([1, 0], [2, 2], [1, 2], [2, 3]), [0, 0], "one cluster only"),
        (([0, 0], [2, 2], [1, 0], [2, 2]), [0, 1], "alike in all"),
        (([2, 2], [2, 2], [1, 0], [2, 2]), [0, 1], "alike in all"),
        (([1, 0, 0], [3, 0, 0], [0, 1, 0], [0, 2, 2]), [0, 1, 2], "one cluster only, or alike"),
        (([1, 1, 1], [3, 3, 3], [1, 2, 1], [3, 3, 3]), [0, 1, 2], "alike in all"),
        (([1, 2, 1], [3, 3, 3], [1, 2, 1], [3, 3, 3]), [0, 1, 2], "differ by as much in every cluster"),
    ],
)
def test_what_clusters_cannot_tell_is_null_with_a_reason(sums, clusters, told):
    found = clustered_ratio(*sums, [clusters])
    assert (found.low, found.high, found.p, found.difference_p, found.difference_t) == (None,) * 5
    assert told in found.reason
    assert told in found.ratio_reason


def test_means_below_0_have_a_test_and_no_ratio():
    found = clustered_ratio([-3, -1], [2, 2], [1, 2], [2, 2], [[0, 1]])
    assert (found.estimate, found.low, found.p, found.reason) == (None, None, None, None)
    assert "not positive" in found.ratio_reason
    # ψ1 - ψ2 of the first cluster: (-3 + 2)/4 - (1 - 1.5)/4 = -1/8, so V = 2/1 · 2/64 = 1/16 and t = -1.75/.25.
    assert found.difference_t == pytest.approx(-7.0)


def test_the_difference_within_blocks_is_that_of_fixed_effects_in_statsmodels():
    a, _, focal, y = np.array(ORACLES["two_ways"]["rows"]).T
    found, oracle = within_blocks(y * focal, focal, y * (1 - focal), 1 - focal, a), ORACLES["two_ways"]["within_a"]
    assert found.estimate == pytest.approx(oracle["estimate"])
    assert found.estimate / found.t == pytest.approx(oracle["standard_error"])
    assert (found.blocks, found.clusters, found.df) == (12, (12,), 11)


def test_blocks_of_one_group_say_nothing():
    s1, n1, s2, n2 = [1, 0, 3], [2, 2, 4], [2, 2, 0], [2, 2, 0]
    found, without = within_blocks(s1, n1, s2, n2, [5, 7, 9]), within_blocks(s1[:2], n1[:2], s2[:2], n2[:2], [0, 1])
    assert (found.estimate, found.p, found.n, found.blocks) == (without.estimate, without.p, 8, 2)
    nothing = within_blocks([1, 0], [2, 0], [0, 1], [0, 2], [0, 1])
    assert (nothing.estimate, nothing.reason) == (None, "In no block are there people of both groups.")
    alike = within_blocks([1, 1], [2, 2], [2, 2], [2, 2], [0, 1])
    assert (alike.estimate, alike.low, alike.p) == (-0.5, None, None)
    assert "do not vary" in alike.reason
