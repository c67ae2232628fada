"""Statistics of scores beside outcomes: by comparing every pair, by their identities, by exchanges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand import stats
from properties import dear

people = st.lists(
    st.tuples(st.integers(0, 8), st.booleans(), st.integers(1, 3), st.integers(0, 4)), min_size=4, max_size=30
)


def columns(rows):
    score, label, n, cluster = zip(*rows, strict=True)
    return np.array(score) / 10 + 0.05, np.array(label), np.array(n), np.array(cluster)


@dear(20)
@given(people)
def test_auc_is_the_share_of_pairs_in_order_and_counts_are_people(rows):
    score, label, n, _ = columns(rows)
    found = stats.auc(score, label, n=n)
    scores, labels = np.repeat(score, n), np.repeat(label, n)
    positive, negative = scores[labels], scores[~labels]
    if not positive.size or not negative.size:
        assert found.estimate is None
        assert found.reason
        return
    wins = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
    assert found.estimate == pytest.approx(wins.mean())
    assert stats.auc(-score, label, n=n).estimate == pytest.approx(1 - wins.mean())
    if found.standard_error is not None:  # DeLong, DeLong and Clarke-Pearson 1988
        variance = wins.mean(axis=1).var(ddof=1) / positive.size + wins.mean(axis=0).var(ddof=1) / negative.size
        assert found.standard_error**2 == pytest.approx(variance)


@dear(20)
@given(people)
def test_where_everybody_is_a_cluster_the_variance_is_delongs_but_for_t(rows):
    score, label, _, _ = columns(rows)
    plain = stats.auc(score, label)
    clustered = stats.auc(score, label, cluster=np.arange(score.size))
    assert clustered.estimate == plain.estimate
    assert clustered.standard_error == pytest.approx(plain.standard_error)
    assert clustered.clusters == score.size


@dear(20)
@given(people)
def test_the_brier_score_is_the_sum_of_its_parts(rows):
    score, label, n, _ = columns(rows)
    found = stats.brier(score, label, n=n, bins=4)
    assert found.estimate == pytest.approx(np.average((score - label) ** 2, weights=n))
    assert found.reliability - found.resolution + found.uncertainty + found.within == pytest.approx(found.estimate)
    assert sum(each.n for each in found.bins) == n.sum()


@dear(20)
@given(people)
def test_calibration_of_counts_is_that_of_people(rows):
    score, label, n, _ = columns(rows)
    counted = stats.calibration(score, label, n=n)
    expanded = stats.calibration(np.repeat(score, n), np.repeat(label, n))
    for one, other in ((counted.intercept, expanded.intercept), (counted.slope, expanded.slope)):
        assert (one.estimate is None) == (other.estimate is None)
        if one.estimate is not None:
            assert [one.estimate, one.standard_error] == pytest.approx([other.estimate, other.standard_error], rel=1e-6)


def test_the_hybrid_of_wilsons_limits_is_newcombes_interval():
    sides = [stats.selection_rate(*each) for each in ((56, 70), (48, 80))]
    found = stats.hybrid_difference(*((each.estimate, each.low, each.high) for each in sides))
    known = stats.rate_difference(56, 70, 48, 80)
    assert [found.estimate, found.low, found.high] == pytest.approx([known.estimate, known.low, known.high])


@pytest.mark.parametrize("counts", [(5, 10, 1, 10), (0, 10, 5, 30), (10, 10, 0, 30), (3, 3, 40, 400)])
def test_a_ratio_to_all_lies_in_its_interval_and_is_1_at_most_over_the_share(counts):
    found = stats.ratio_to_all(*counts)
    assert found.low <= found.estimate <= found.high
    assert found.high <= (counts[1] + counts[3]) / counts[1] + 1e-12


@pytest.mark.parametrize("counts", [(0, 10, 0, 10), (0, 0, 1, 10), (1, 10, 0, 0)])
def test_a_ratio_to_all_is_null_with_a_reason_without_others_or_selections(counts):
    found = stats.ratio_to_all(*counts)
    assert found.estimate is None
    assert found.reason
