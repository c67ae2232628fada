"""Similar people: neighbours, pairs across groups and within them, against loops over all pairs."""

from itertools import combinations

import numpy as np
import pytest

from evenhand import stats
from evenhand.stats import individual_fairness


def drawn(seed, people=60, columns=2, share=0.5):
    rng = np.random.default_rng(seed)
    points = rng.random((people, columns))
    return points, (rng.random(people) < share).astype(int), rng.random(people) < 0.2 + 0.6 * points[:, 0]


def found_of(points, cluster=None, **more):
    cluster = np.arange(len(points)) if cluster is None else cluster
    return stats.neighbours(points, cluster, rng=np.random.default_rng(0), **more)


@pytest.mark.parametrize("columns", [2, individual_fairness.TREE + 3])
@pytest.mark.parametrize("norm", [1, 2])
@pytest.mark.parametrize("within", [np.inf, 0.15])
def test_neighbours_are_the_nearest_of_other_clusters(columns, norm, within):
    points, _, _ = drawn(1, people=150, columns=columns)
    points /= columns
    cluster = np.arange(150) // 3
    found = found_of(points, cluster, norm=norm, within=within)
    for row, anchor in enumerate(found.anchors):
        far = np.linalg.norm(points - points[anchor], ord=norm, axis=1)
        others = [n for n in np.argsort(far) if cluster[n] != cluster[anchor] and far[n] <= within][:8]
        assert [n for n in found.index[row] if n >= 0] == others
        assert found.distance[row, : len(others)] == pytest.approx(far[others])


def test_of_equal_people_chance_says_who_is_near():
    found = found_of(np.zeros((100, 1)))
    assert not found.distance.any()
    assert np.bincount(found.index.ravel(), minlength=100).max() <= 12  # of 5 each on average; nobody is near to all


def by_loops(found, group, selected, cluster):
    """Return the estimate and its variance, pair by pair."""
    pairs, people = [], 0
    for row, anchor in enumerate(found.anchors):
        near = [n for n in found.index[row] if n >= 0 and group[n] >= 0] if group[anchor] >= 0 else []
        changes = [
            k
            for k in range(len(near) - 1)
            if (group[near[k]] == group[anchor]) != (group[near[k + 1]] == group[anchor])
        ]
        if len(changes) < 2:
            continue
        people += 1
        pairs += [
            (group[n] == group[anchor], cluster[anchor], cluster[n], selected[anchor] != selected[n])
            for k in changes[:2]
            for n in near[k : k + 2]
        ]
    share = {own: np.mean([y for is_own, *_, y in pairs if is_own == own]) for own in (True, False)}
    psi = [(y - share[own]) * (-1 if own else 1) / (2 * people) for own, *_, y in pairs]
    variance = sum(
        psi[i] * psi[j] for i, one in enumerate(pairs) for j, other in enumerate(pairs) if {*one[1:3]} & {*other[1:3]}
    )
    clusters = {c for pair in pairs for c in pair[1:3]}
    least = sum(sum(z for z, pair in zip(psi, pairs, strict=True) if c in pair[1:3]) ** 2 for c in clusters) / 2
    size = len(clusters)
    return share[False] - share[True], max(variance, least) * size / (size - 1), people, size


@pytest.mark.parametrize("seed", range(3))
def test_the_difference_and_its_variance_are_those_of_loops_over_pairs(seed):
    points, group, selected = drawn(seed)
    group = np.where(np.arange(60) % 9 == 4, -1, group)
    cluster = np.arange(60) // 2 if seed else np.arange(60)
    found = found_of(points, cluster)
    across = stats.similar_across(found, group, selected, cluster)
    estimate, variance, people, size = by_loops(found, group, selected, cluster)
    assert across.estimate == pytest.approx(estimate)
    assert (across.estimate / across.statistic) ** 2 == pytest.approx(variance)
    assert (across.n, across.pairs, across.df) == (people, 2 * people, size - 1)


def test_the_nearest_are_looked_at_in_turn_by_hand():
    """Outwards from the first person, of group 0, stand groups 0 1 1 0 1; the second and the fifth are selected.

    The group changes between the first two and between the third and the fourth: within are the first and the fourth,
    across the second and the third.
    """
    found = stats.Neighbours(
        anchors=np.array([0]), index=np.array([[1, 2, 3, 4, 5]]), distance=np.array([[0.1, 0.2, 0.3, 0.4, 0.5]])
    )
    selected = np.array([False, False, True, False, False, True])
    across = stats.similar_across(found, [0, 0, 1, 1, 0, 1], selected, np.arange(6))
    assert (across.across, across.within) == (0.5, 0.0)
    assert (across.distance_across, across.distance_within) == (0.25, 0.25)
    assert across.chosen == (0.0, 1.0)


@pytest.mark.parametrize("people", [0, 1, 2])
def test_of_few_people_nothing_is_claimed(people):
    found = found_of(np.zeros((people, 1)))
    nobody = np.zeros(people, dtype=int)
    assert stats.similar_share(found, nobody, np.arange(people)).low is None
    assert stats.similar_across(found, nobody, nobody, np.arange(people)).estimate is None
    assert stats.largest_quotient(found, nobody).estimate is None


@pytest.mark.parametrize(
    ("group", "selected", "told"),
    [
        ([0] * 20 + [1] * 20, [True, False] * 20, individual_fairness.NO_NEIGHBOURS),
        ([0] * 40, [True, False] * 20, individual_fairness.NO_NEIGHBOURS),
        ([-1] * 40, [True, False] * 20, individual_fairness.NO_NEIGHBOURS),
        ([0, 1] * 20, [True] * 40, "The variance is 0"),
    ],
    ids=["apart", "one group", "unknown", "all selected"],
)
def test_without_neighbours_or_variation_nothing_is_claimed(group, selected, told):
    points = np.concatenate([np.linspace(0, 1, 20), np.linspace(9, 10, 20)])[:, None]
    across = stats.similar_across(found_of(points), group, selected, np.arange(40))
    assert (across.low, across.high, across.p) == (None, None, None)
    assert told in across.reason


def test_equal_people_are_seldom_told_apart_and_favoured_ones_often():
    """Groups follow the first column, as the decisions do: 150 samples of 200 people, without and with a difference."""
    claims = {0.0: 0, 0.5: 0}
    for gap in claims:
        for seed in range(150):
            rng = np.random.default_rng(seed)
            points = rng.normal(size=(200, 2))
            group = (rng.random(200) < 1 / (1 + np.exp(-points[:, 0]))).astype(int)
            selected = points[:, 0] + gap * (2 * group - 1) + rng.normal(0, 0.2, 200) > 0
            p = stats.similar_across(found_of(points), group, selected, np.arange(200)).p
            claims[gap] += p is not None and p < 0.05
    assert claims[0.0] <= 15  # at most a tenth; 7.5 are expected
    assert claims[0.5] > 120


def test_the_largest_quotient_is_that_of_all_near_pairs():
    points, _, _ = drawn(4, people=30)
    points[1] = points[0]
    score = np.random.default_rng(1).random(30)
    found = found_of(points)
    largest = stats.largest_quotient(found, score)
    near = {
        tuple(sorted((int(a), int(n))))
        for a, row in zip(found.anchors, found.index, strict=True)
        for n in row
        if n >= 0
    }
    quotients = {
        (i, j): abs(score[i] - score[j]) / np.abs(points[i] - points[j]).sum()
        for i, j in combinations(range(30), 2)
        if (i, j) in near - {(0, 1)}
    }
    assert tuple(sorted(largest.pair)) == max(quotients, key=quotients.get)
    assert largest.estimate == pytest.approx(max(quotients.values()))
    assert (largest.identical, largest.identical_apart) == (1, 1)
