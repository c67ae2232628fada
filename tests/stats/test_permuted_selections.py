"""What chance alone does to several groups."""

from fractions import Fraction
from itertools import product
from math import comb, prod

import numpy as np
import pytest

from evenhand.stats import four_fifths_false_positives


def every_permutation(sizes, selected):
    """All ways to permute the selections, each with its probability."""
    for counts in product(*(range(n + 1) for n in sizes)):
        if sum(counts) == selected:
            ways = prod(comb(n, k) for n, k in zip(sizes, counts, strict=True))
            yield counts, Fraction(ways, comb(sum(sizes), selected))


def simulation_error(p, draws):
    return 4 * np.sqrt(p * (1 - p) / draws) + 1e-12


@pytest.mark.parametrize(("sizes", "selected"), [([5, 10], 9), ([4, 5, 6], 7), ([10, 10], 18), ([3, 3, 4, 2], 11)])
def test_false_positives_agree_with_the_sum_over_all_permutations(sizes, selected):
    exact = float(
        sum(
            chance
            for counts, chance in every_permutation(sizes, selected)
            if any(
                5 * counts[g] * sizes[h] < 4 * counts[h] * sizes[g]
                for g in range(len(sizes))
                for h in range(len(sizes))
            )
        )
    )
    found = four_fifths_false_positives(sizes, selected, draws=20_000, seed=1)
    assert found.estimate == pytest.approx(exact, abs=simulation_error(exact, 20_000))
    assert found.low <= found.estimate <= found.high
    assert found.low < found.high


def test_a_named_reference_below_four_fifths_of_a_group_counts_with_either():
    sizes, selected = (5, 6, 4), 7
    for either in (False, True):
        exact = float(
            sum(
                chance
                for counts, chance in every_permutation(sizes, selected)
                if any(
                    5 * counts[g] * sizes[h] < 4 * counts[h] * sizes[g]
                    for g, h in ((1, 0), (2, 0), *(((0, 1), (0, 2)) if either else ()))
                )
            )
        )
        found = four_fifths_false_positives(sizes, selected, references=[1, 0, 0], either=either, draws=20_000)
        assert found.estimate == pytest.approx(exact, abs=simulation_error(exact, 20_000))


def test_exactly_four_fifths_is_not_flagged():
    # 9 of 10 + 10 fall as 4 against 5 or further apart: 4/10 over 5/10 is .8 exactly, and not below.
    exact = 1 - sum(float(chance) for counts, chance in every_permutation([10, 10], 9) if set(counts) == {4, 5})
    found = four_fifths_false_positives([10, 10], 9, draws=20_000)
    assert found.estimate == pytest.approx(exact, abs=simulation_error(exact, 20_000))


def test_eight_groups_of_a_thousand_people_are_flagged_by_chance_in_two_of_three_draws():
    # Eight groups of 125, half of them selected; the rates are nearly independent normal with an SD of
    # sqrt(.25/125) = .0447, and their range would have to stay within a fifth of the highest.
    rng = np.random.default_rng(8)
    rates = rng.binomial(125, 0.5, (50_000, 8))
    rates = rates[rates.sum(axis=1) == 500]
    independent = np.mean(5 * rates.min(axis=1) < 4 * rates.max(axis=1))
    found = four_fifths_false_positives([125] * 8, 500)
    assert found.estimate == pytest.approx(independent, abs=0.05)
    assert 0.62 < found.estimate < 0.67


def test_larger_groups_are_flagged_less_often():
    rates = [four_fifths_false_positives([n] * 4, n * 2, draws=4000).estimate for n in (20, 100, 500, 5000)]
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] == 0.0


def test_empty_groups_are_left_out_and_seeds_repeat():
    assert four_fifths_false_positives([30, 0, 40], 20, draws=500) == four_fifths_false_positives(
        [30, 40], 20, draws=500
    )
    assert (
        four_fifths_false_positives([30, 40], 20, draws=500, seed=1).estimate
        != four_fifths_false_positives([30, 40], 20, draws=500).estimate
    )


@pytest.mark.parametrize(
    ("sizes", "selected", "words"),
    [
        ([30], 3, "Fewer than two groups"),
        ([30, 0], 3, "Fewer than two groups"),
        ([30, 20], 0, "Nobody was selected"),
        ([30, 20], 50, "Everybody was selected"),
        ([10**9, 20], 5, "too many people"),
    ],
)
def test_what_cannot_be_drawn_is_null_with_its_reason(sizes, selected, words):
    found = four_fifths_false_positives(sizes, selected)
    assert found.estimate is None
    assert words in found.reason


def test_selections_beyond_the_people_are_refused():
    with pytest.raises(ValueError, match="selected must lie between 0 and the 30 people"):
        four_fifths_false_positives([10, 20], 31)
