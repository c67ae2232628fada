"""A group against its population: scipy's hypergeometric as oracle, and the null rejection that the design promises."""

import numpy as np
import pytest
from scipy import stats

from evenhand.stats import fishers_method, permutation_exact, permutation_monte_carlo

# accepted, n, accepted_all, n_all
TABLES = [
    (3, 3, 3, 6),
    (0, 3, 3, 6),
    (5, 10, 50, 100),
    (1, 50, 30, 300),
    (40, 50, 120, 300),
    (63_000, 126_000, 376_000, 756_000),
    (61_500, 126_000, 376_000, 756_000),
]


@pytest.mark.parametrize("table", TABLES)
def test_all_three_p_are_tails_of_the_hypergeometric(table):
    x, n, accepted, total = table
    null = stats.hypergeom(total, accepted, n)
    above = x / n >= accepted / total
    strict = null.sf(x) if above else null.cdf(x - 1)
    found = permutation_exact(*table)
    assert found.difference == pytest.approx(x / n - accepted / total, abs=1e-15)
    assert found.strict == (pytest.approx(strict, rel=1e-9) if strict > 0 else None)
    assert found.inclusive == pytest.approx(strict + null.pmf(x), rel=1e-9)
    assert found.mid_p == pytest.approx(strict + null.pmf(x) / 2, rel=1e-9)


def test_a_strict_p_of_zero_is_null_and_the_others_are_not():
    found = permutation_exact(3, 3, 3, 6)
    assert found.strict is None
    assert found.reason is None
    assert found.inclusive == pytest.approx(1 / 20)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ((0, 0, 3, 6), "no people"),
        ((3, 6, 3, 6), "whole population"),
        ((0, 3, 0, 6), "Nobody was accepted"),
        ((3, 3, 6, 6), "Everybody was accepted"),
    ],
)
def test_what_one_table_alone_allows_is_null_with_a_reason(table, reason):
    found = permutation_exact(*table)
    assert (found.strict, found.inclusive, found.mid_p) == (None, None, None)
    assert reason in found.reason


def test_a_group_that_is_no_part_of_the_population_is_refused():
    with pytest.raises(ValueError, match="part of the population"):
        permutation_exact(4, 5, 3, 10)


def test_many_tables_are_those_one_by_one():
    columns = np.array(TABLES).T
    together = permutation_exact(*columns)
    for place, table in enumerate(TABLES):
        alone = permutation_exact(*table)
        assert together.mid_p[place] == pytest.approx(alone.mid_p, rel=1e-12)


def test_fishers_method_is_scipys():
    p = [0.02, 0.4, 0.9, 0.11]
    expected = stats.combine_pvalues(p, method="fisher")
    found = fishers_method([*p, np.nan])
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-12)
    assert found.df == 8


@pytest.mark.parametrize("p", [[], [np.nan], [0.0, 0.5], [1.2]])
def test_what_cannot_be_combined_is_null_with_a_reason(p):
    found = fishers_method(p)
    assert found.p is None
    assert found.reason


def test_simulated_p_is_the_exact_one_within_its_error_and_never_zero():
    rng = np.random.default_rng(5)
    exact = permutation_exact(40, 90, 120, 300).inclusive
    found = permutation_monte_carlo(40, 90, 120, 300, permutations=5000, rng=rng)
    assert found.upper == pytest.approx(exact, abs=4 * (exact * (1 - exact) / 5000) ** 0.5)
    assert permutation_monte_carlo(50, 50, 50, 300, permutations=999, rng=rng).upper == 1 / 1000
    assert permutation_monte_carlo(0, 0, 5, 10, rng=rng) is None
    assert permutation_monte_carlo(2, 2, 6, 6, rng=rng) is None


def upper_tail(found):
    """Return strict, inclusive and mid-p of the upper tail, whichever tail was given."""
    strict = np.nan_to_num(found.strict, nan=0.0)
    below = found.difference < 0
    return {
        "strict": np.where(below, 1 - found.inclusive, strict),
        "inclusive": np.where(below, 1 - strict, found.inclusive),
        "mid_p": np.where(below, 1 - found.mid_p, found.mid_p),
    }


def test_combined_over_roles_mid_p_holds_its_level_and_strict_p_does_not():
    """The design's figures for 41 roles of 600 decisions without an effect: strict 16 %, inclusive 1 %, mid-p 4 %."""
    rng = np.random.default_rng(1)
    runs, roles = 3000, 41
    accepted_all = rng.binomial(600, 0.5, runs * roles)
    accepted = rng.hypergeometric(accepted_all, 600 - accepted_all, 100)
    tails = upper_tail(
        permutation_exact(accepted, np.full(accepted.size, 100), accepted_all, np.full(accepted.size, 600))
    )
    rejected = {
        name: np.mean([fishers_method(row).p < 0.05 for row in np.clip(p, 1e-12, 1).reshape(runs, roles)])
        for name, p in tails.items()
    }
    # Three standard errors of 3,000 runs.
    assert rejected["strict"] == pytest.approx(0.16, abs=0.025)
    assert rejected["inclusive"] == pytest.approx(0.01, abs=0.007)
    assert rejected["mid_p"] == pytest.approx(0.045, abs=0.015)
