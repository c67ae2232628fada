"""How often intervals of scores beside outcomes hold the truth, where it is known; docs/coverage.md has the table.

Run as a program for the table: python tests/stats/test_prediction_coverage.py
"""

from math import erf, exp, sqrt

import numpy as np
import pytest

from evenhand import stats

SAMPLES = 1500
#: How much wider each of two intervals is that are to hold together.
JOINTLY = 2.2364774 / 1.9599640


def auc_of(distance, spread=1.0):
    """Return the AUC of two normal classes that far apart."""
    return (1 + erf(distance / spread / 2)) / 2


def two_classes(draw, positive, negative, distance):
    score = np.concatenate([draw.normal(distance, 1, positive), draw.normal(0, 1, negative)])
    return stats.auc(score, np.arange(score.size) < positive)


def auc_case(positive, negative, distance):
    return lambda draw: ends(two_classes(draw, positive, negative, distance)), auc_of(distance)


def ends(found):
    return (found.low, found.high)


def clustered(draw):
    """40 candidates with five scores each, of which a part is the candidate's."""
    label = draw.random((40, 5)) < 0.5
    score = draw.normal(0, 0.7, (40, 1)) + label + draw.normal(0, 1, (40, 5))
    return ends(stats.auc(score.ravel(), label.ravel(), cluster=np.repeat(np.arange(40), 5)))


def two_groups(draw):
    found = (two_classes(draw, 30, 30, 1.0), two_classes(draw, 20, 20, 0.6))
    return hybrid(*found)


def hybrid(one, other, **more):
    if one.low is None or other.low is None:
        return None, None
    sides = [(each.estimate, each.low, each.high) for each in (one, other)]
    return ends(stats.hybrid_difference(*sides, **more))


def two_versions(draw):
    label, shared = draw.random(80) < 0.5, draw.normal(0, 0.8, 80)
    one, other = (stats.auc(gain * label + shared + draw.normal(0, 0.6, 80), label) for gain in (1.0, 0.7))
    covariance = stats.auc_covariance((one.influence, other.influence), label, np.ones(80, dtype=np.int64))
    return hybrid(one, other, correlation=covariance / (one.standard_error * other.standard_error))


def ratio_case(rate, n, rate_others, n_others):
    share = n / (n + n_others)
    truth = rate / (share * rate + (1 - share) * rate_others)
    return lambda draw: ends(
        stats.ratio_to_all(draw.binomial(n, rate), n, draw.binomial(n_others, rate_others), n_others)
    ), truth


def probabilities(draw, people):
    p = 1 / (1 + np.exp(-draw.normal(0, 1, people)))
    return p, draw.random(people) < p


def odds_case(tpr, tpr_reference, fpr, fpr_reference, n=80):
    """The larger of both differences, as findings compute it."""

    def drawn(draw):
        rates = ((tpr, tpr_reference), (fpr, fpr_reference))
        gaps = [stats.rate_difference(draw.binomial(n, p), n, draw.binomial(n, q), n) for p, q in rates]
        sizes = []
        for gap in gaps:
            low = gap.estimate - JOINTLY * (gap.estimate - gap.low)
            high = gap.estimate + JOINTLY * (gap.high - gap.estimate)
            sizes.append((0.0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high))))
        return max(low for low, _ in sizes), max(high for _, high in sizes)

    return drawn, max(abs(tpr - tpr_reference), abs(fpr - fpr_reference))


def mean_brier():
    """Return E p(1 - p) of those probabilities, by adding up the normal density."""
    grid = np.linspace(-9, 9, 20_001)
    p, density = 1 / (1 + np.exp(-grid)), np.array([exp(-(x**2) / 2) for x in grid])
    return float((p * (1 - p) * density).sum() / density.sum())


CASES = {
    "AUC .76, 20 and 20 people": auc_case(20, 20, 1.0),
    "AUC .64, 30 and 200 people": auc_case(30, 200, 0.5),
    "AUC .92, 15 and 60 people": auc_case(15, 60, 2.0),
    "AUC, 40 clusters of 5": (clustered, auc_of(1.0, sqrt(1 + 0.7**2))),
    "difference of AUC, two groups": (two_groups, auc_of(1.0) - auc_of(0.6)),
    "difference of AUC, two versions": (two_versions, auc_of(1.0) - auc_of(0.7)),
    "demographic parity, .3 of 40 and .5 of 200": ratio_case(0.3, 40, 0.5, 200),
    "demographic parity, .1 of 30 and .2 of 60": ratio_case(0.1, 30, 0.2, 60),
    "treatment equality, 100 people": (
        lambda draw: ends(stats.error_balance(*draw.multinomial(100, [0.15, 0.1, 0.75])[:2])),
        1.5,
    ),
    "Brier score, 100 people": (lambda draw: ends(stats.brier(*probabilities(draw, 100))), mean_brier()),
    "calibration slope, 150 people": (
        lambda draw: ends(stats.calibration(*probabilities(draw, 150)).slope),
        1.0,
    ),
    "equalised odds, no difference": odds_case(0.5, 0.5, 0.3, 0.3),
    "equalised odds, one difference": odds_case(0.6, 0.4, 0.3, 0.3),
    "equalised odds, two equal differences": odds_case(0.6, 0.4, 0.5, 0.3),
}


def coverage(name, samples=SAMPLES):
    """Return the share of intervals that hold the truth, of those that there are, and how many there are."""
    drawn, truth = CASES[name]
    draw = np.random.default_rng(20260)
    found = [pair for pair in (drawn(draw) for _ in range(samples)) if pair[0] is not None]
    return sum(low <= truth <= high for low, high in found) / len(found), len(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_intervals_hold_the_truth(name):
    share, _ = coverage(name)
    assert 0.93 <= share <= (0.985 if name.startswith("equalised") else 0.97)


if __name__ == "__main__":
    for case in CASES:
        held, n = coverage(case)
        print(f"| {case} | {held:.1%} of {n:,} |")
