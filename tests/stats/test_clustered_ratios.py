"""Groups compared within blocks, in clusters: against statsmodels, whole matrices and what has to hold."""

import json
from pathlib import Path

import numpy as np
import pytest

from evenhand.stats import multiway_variance, within_blocks

ORACLES = json.loads((Path(__file__).parents[1] / "oracles" / "clusters.json").read_text("utf-8"))


def test_a_rate_clustered_two_ways_is_that_of_statsmodels():
    a, b, _, y = np.array(ORACLES["two_ways"]["rows"]).T
    found = multiway_variance((y - y.mean()) / len(y), [a, b])
    assert not found.floored
    # statsmodels has no term of its own for one regressor: (N - 1)/(N - 1) is 1.
    assert found.variance**0.5 == pytest.approx(ORACLES["two_ways"]["rate"]["standard_error"])


def whole_matrices(block, cluster, focal, y):
    """The estimate of fixed effects, its CR2 variance and Bell and McCaffrey's degrees of freedom, a row per person."""
    design = np.column_stack([focal, block[:, None] == np.unique(block)]).astype(float)
    bread = np.linalg.inv(design.T @ design)
    hat = design @ bread @ design.T
    beta, total, vectors = bread @ design.T @ y, 0.0, []
    for each in np.unique(cluster):
        inside = cluster == each
        values, directions = np.linalg.eigh(np.eye(inside.sum()) - hat[np.ix_(inside, inside)])
        kept = values > 1e-9
        root = directions[:, kept] @ np.diag(values[kept] ** -0.5) @ directions[:, kept].T
        adjusted = root @ design[inside] @ bread[:, 0]
        total += (adjusted @ (y - design @ beta)[inside]) ** 2
        vectors.append((np.eye(len(hat)) - hat)[:, inside] @ adjusted)
    inner = np.stack(vectors) @ np.stack(vectors).T
    return beta[0], total, np.trace(inner) ** 2 / (inner**2).sum()


def drawn(seed, *, nested):
    """Entries of 6 blocks, each with as many of both groups: clusters hold whole blocks, or cross them."""
    rng = np.random.default_rng(seed)
    block, focal = np.repeat(np.arange(6), 8), np.tile([1, 0], 24)
    cluster = block // (1 + seed % 2) if nested else np.tile(np.arange(8), 6)
    return block, cluster, focal, rng.binomial(1, 0.4, 48) + rng.normal(0, 1, 8)[cluster]


@pytest.mark.parametrize("seed", range(4))
def test_nested_blocks_have_the_variance_and_the_degrees_of_freedom_of_whole_matrices(seed):
    entries = drawn(seed, nested=True)
    found = within_blocks(*entries, np.ones(48), binary=False)
    assert (found.estimate, (found.estimate / found.t) ** 2, found.df) == pytest.approx(whole_matrices(*entries))


@pytest.mark.parametrize("seed", range(4))
def test_clusters_that_cross_blocks_have_nearly_the_variance_of_whole_matrices(seed):
    entries = drawn(seed, nested=False)
    estimate, variance, df = whole_matrices(*entries)
    found = within_blocks(*entries, np.ones(48), binary=False)
    assert found.estimate == pytest.approx(estimate)
    assert ((found.estimate / found.t) ** 2, found.df) == pytest.approx((variance, df), rel=0.05)
    assert (found.clusters_focal, found.clusters_reference, found.clusters) == (4, 4, 8)


def test_the_difference_within_blocks_is_that_of_fixed_effects_in_statsmodels():
    a, _, focal, y = np.array(ORACLES["two_ways"]["rows"]).T
    found, oracle = within_blocks(a, a, focal, y, np.ones_like(a), binary=True), ORACLES["two_ways"]["within_a"]
    assert found.estimate == pytest.approx(oracle["estimate"])
    # That of statsmodels is CR1: as good as the same with 12 blocks of nearly one size.
    assert found.estimate / found.t == pytest.approx(oracle["standard_error"], rel=0.03)
    assert (found.blocks, found.clusters) == (12, 12)
    assert 10 < found.df <= 11


def test_blocks_of_one_group_say_nothing():
    entries = [5, 5, 7, 7, 9], [5, 5, 7, 7, 9], [1, 0, 1, 0, 1], [1, 2, 0, 2, 3], [2, 2, 2, 2, 4]
    found, without = within_blocks(*entries, binary=True), within_blocks(*(each[:4] for each in entries), binary=True)
    assert found == without
    assert (found.estimate, found.n, found.blocks) == (-0.75, 8, 2)
    nothing = within_blocks([0, 1], [0, 1], [1, 0], [1, 1], [2, 2], binary=True)
    assert (nothing.estimate, nothing.reason) == (None, "In no block are there people of both groups.")


@pytest.mark.parametrize(
    ("focal", "reference"), [([1, 1, 1], [2, 2, 2]), ([0, 0, 0], [1, 0, 2])], ids=["as much", "nobody"]
)
def test_what_does_not_vary_within_blocks_is_tested_as_if_one_decision_were_another(focal, reference):
    entries = [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2], [1, 0] * 3

    def within(decided, *, binary):
        return within_blocks(*entries, np.array([decided, reference]).T.ravel(), [4] * 6, binary=binary)

    found, other = within(focal, binary=True), within([focal[0] + 1, *focal[1:]], binary=True)
    assert (found.test, found.low) == ("CR2 t, one decision reversed", None)
    assert (found.t, found.df, found.p) == pytest.approx((other.t, other.df, other.p))
    assert found.estimate < other.estimate
    assert found.reason


def test_limits_of_a_difference_of_rates_are_rates():
    found = within_blocks([0, 0, 1, 1], [0, 0, 1, 1], [1, 0, 1, 0], [0, 8, 2, 9], [10] * 4, binary=True)
    assert found.low == -1.0
