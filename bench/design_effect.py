"""How often two equal groups differ on published pages where people have several decisions, at p below .05.

    python bench/design_effect.py [--runs 2000]

People have one decision and on average some more; decisions on one person are alike (beta-binomial). Counts deviate as
published ones do. Fisher's exact and the score test decide, without the design effect and with it.
"""

import argparse

import numpy as np
import polars as pl

from evenhand import stats
from evenhand.dashboard.disclosure import VARIANCE, published_effect, shown_counts

#: People of both groups, further decisions on each, correlation, rate, and how many times as many the second group has.
CASES = (
    ((200, 200), 1, 0.3, 0.3, 1),
    ((1000, 1000), 1, 0.3, 0.3, 1),
    ((60, 60), 2, 0.5, 0.3, 1),
    ((1000, 100), 2, 0.3, 0.3, 1),
    ((30, 400), 3, 0.3, 0.1, 1),
    ((300, 300), 4, 0.1, 0.5, 1),
    ((1000, 1000), 0.1, 0.5, 0.3, 1),
    ((400, 400), 1, 0.3, 0.3, 3),
    ((1000, 100), 1, 0.3, 0.3, 3),
    ((40, 40), 1, 0.3, 0.3, 1),
    ((40, 40), 1, 0.05, 0.3, 1),
)


def rejected(rng, case, runs):
    """Return the shares of p below .05, and the 5th, 50th and 95th percentile of the design effects."""
    sizes, more, alike, rate, times = case
    group = np.repeat([0, 1], sizes)
    totals, effects = np.zeros((runs, 2, 2), dtype=np.int64), np.zeros(runs)
    strength = 1 / alike - 1
    for run in range(runs):
        n = 1 + rng.poisson(more * np.where(group == 1, times, 1))
        selected = rng.binomial(n, rng.beta(rate * strength, (1 - rate) * strength, group.size))
        effects[run] = published_effect(pl.DataFrame({"cell": group, "group": group, "n": n, "successes": selected}))
        totals[run] = [np.bincount(group, values) for values in (n, selected)]
    decided, chosen = (shown_counts(totals[:, of], rng.integers(0, 1 << 40, (runs, 2)), 7) for of in (0, 1))
    counts = [column for one in (0, 1) for column in (np.minimum(chosen, decided)[:, one], decided[:, one])]
    shares = []
    for effect in (np.ones(runs), effects):
        score = stats.z_test(*counts, noise=VARIANCE, inflation=effect).p
        p = np.fmax(stats.inflated_p(stats.fisher_exact(*counts).p, effect), score)
        shares.append(float((p < 0.05).mean()))
    return shares, np.percentile(effects, [5, 50, 95])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=2000)
    runs, rng = parser.parse_args().runs, np.random.default_rng(5)
    for case in CASES:
        sizes, more, alike, rate, times = case
        (without, with_effect), effects = rejected(rng, case, runs)
        what = f"{sizes[0]} and {sizes[1]} people, {1 + more} decisions each ({times} times as many more), r = {alike}"
        print(f"{what}, {rate:.0%}: {without:.1%} without, {with_effect:.1%} with {effects.round(2).tolist()}")


if __name__ == "__main__":
    main()
