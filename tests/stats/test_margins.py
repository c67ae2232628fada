"""Shown to be above a margin: sizes at a ratio of exactly the margin, and what it has in common with intervals."""

from math import comb

import numpy as np
import pytest

from evenhand import stats
from evenhand.comparisons.impact_tables import clustered_margin_columns


def largest_size(n_focal, n_reference, *, exact, margin=0.8):
    """Return the largest probability, over the reference's rates, of p ≤ .05 where the ratio is the margin."""
    a, c = (each.ravel() for each in np.meshgrid(np.arange(n_focal + 1), np.arange(1, n_reference + 1), indexing="ij"))
    shown = stats.ratio_above(a, n_focal, c, n_reference, margin=margin, exact=exact).p <= 0.05
    sizes = []
    for rate in np.linspace(0.01, 1, 60):
        of_focal, of_reference = (
            np.array([comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)])
            for n, p in ((n_focal, margin * rate), (n_reference, rate))
        )
        sizes.append((of_focal[a] * of_reference[c])[shown].sum())
    return max(sizes)


@pytest.mark.parametrize(("n_focal", "n_reference"), [(5, 5), (10, 10), (8, 30), (25, 18)])
def test_the_exact_test_holds_its_level_at_a_ratio_of_the_margin(n_focal, n_reference):
    assert largest_size(n_focal, n_reference, exact=True) <= 0.05
    assert largest_size(n_focal, n_reference, exact=False) > 0.05


@pytest.mark.parametrize("table", [(41, 90, 44, 85), (7, 300, 9, 280), (60, 60, 55, 58)])
def test_the_score_is_that_of_koopmans_interval(table):
    low = stats.impact_ratio(*table, confidence=0.9).low
    score = stats.ratio_above(*table, margin=low, exact=False)
    exact = stats.ratio_above(*table, margin=low)
    assert score.p == pytest.approx(0.05, abs=1e-9)
    assert (score.test, exact.test.partition(" ")[0]) == ("score, Farrington-Manning", "exact")
    assert exact.p >= score.p


def test_a_ratio_of_large_groups_is_shown_as_by_its_logarithm():
    # Wald: z = log(.97/.8) / sqrt(1/a - 1/n1 + 1/c - 1/n2)
    a, n1, c, n2 = 4850, 10_000, 5_000, 10_000
    z = np.log(a / n1 / (c / n2) / 0.96) / np.sqrt(1 / a - 1 / n1 + 1 / c - 1 / n2)
    assert stats.ratio_above(a, n1, c, n2, margin=0.96).p == pytest.approx(stats.normal_p(z) / 2, rel=0.01)


def test_groups_without_a_ratio_have_no_p():
    result = stats.ratio_above([0, 3, 0], [9, 9, 0], [0, 0, 4], 9, margin=0.8)
    assert np.isnan(result.p).all()
    assert [reason.partition(" ")[0] for reason in result.reason] == ["Nobody", "Nobody", "The"]
    assert stats.ratio_above(0, 9, 4, 9, margin=0.8).p > 0.9


def test_the_common_ratio_holds_its_level_over_many_small_strata():
    rng = np.random.default_rng(66)
    strata, runs = 40, 250
    rates = rng.uniform(0.2, 0.7, strata)
    n = np.full(strata, 3)
    results = [
        stats.common_ratio_above(rng.binomial(n, 0.8 * rates), n, rng.binomial(n, rates), n, margin=0.8)
        for _ in range(runs)
    ]
    # 99 % limits of 250 runs at .05
    assert np.mean([result.p <= 0.05 for result in results]) <= 0.086
    assert np.mean([result.low <= 0.8 <= result.high for result in results]) >= 0.914


def test_one_stratum_has_the_ratio_of_its_rates():
    one = stats.common_ratio_above([12], [40], [20], [50], margin=0.8)
    assert one.estimate == pytest.approx(12 / 40 / (20 / 50))
    assert one.estimate == pytest.approx(stats.common_ratio([0, 0], [1, 0], [12, 20], [40, 50]))
    assert stats.common_ratio_above([1], [2], [0], [2], margin=0.8).reason.startswith("Nobody")
    assert stats.common_ratio_above([1], [2], [0], [0], margin=0.8).reason.startswith("In no stratum")


def simulated(*, clusters, people, spread, weights=0.0, runs=600, ratio=0.8, rate=0.4):
    """Return comparisons of two groups in clusters of their own, whose mean rates have the ratio."""
    rng = np.random.default_rng(7)
    group = np.arange(2 * clusters) < clusters
    means = np.where(group, ratio * rate, rate)
    p = rng.beta(means / spread, (1 - means) / spread, (runs, group.size)) if spread else np.tile(means, (runs, 1))
    weight = np.exp(weights * rng.normal(size=p.shape))
    selected = rng.binomial(people, p)
    return stats.compare_clusters(
        np.repeat(np.arange(runs), group.size), np.tile(group, runs), (weight * selected).ravel(),
        (weight * people).ravel(), [np.tile(np.arange(group.size), runs)], binary=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    "design",
    [{"clusters": 40, "people": 20, "spread": 0.1}, {"clusters": 150, "people": 1, "spread": 0, "weights": 0.6}],
    ids=["clusters", "weighted rows"],
)
def test_clusters_and_weights_hold_their_level(design):
    compared = simulated(**design)
    p = clustered_margin_columns(compared, margin=0.8)["p_above_margin"]
    # 99 % limits of 600 runs at .05
    assert 0.02 <= (p <= 0.05).mean() <= 0.076
    equal = simulated(**design, ratio=1.0)
    assert 0.02 <= (equal.p <= 0.05).mean() <= 0.076
