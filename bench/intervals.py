"""How often intervals and tests of rare uses err, as docs/coverage.md tells: `python bench/intervals.py [RUNS]`."""

import sys

import numpy as np
from scipy.special import nctdtr, stdtrit  # noqa: TID251

from evenhand import stats
from evenhand.comparisons.population import Cells, Decisions, group_intervals, permuted_rates, step_down

RNG = np.random.default_rng(71)


def share(hits):
    """Return a share of runs as text.

    >>> share([True, False])
    '50.0 %'
    """
    return f"{100 * np.mean(hits):.1f} %"


def drawn_sample(n, most, rate, slope, runs):
    """Return whether the interval of golden cases holds the share of all; shares differ by `slope` with weight."""
    hits = []
    weights = np.geomspace(1, most, 4)
    rates = np.clip(rate + slope * np.linspace(-1, 1, 4), 0, 1)
    truth = (weights * rates).sum() / weights.sum()
    for _ in range(runs):
        # Equally many of four strata were drawn, which stand for 1 to `most` people each.
        stratum = np.repeat(np.arange(4), n // 4)
        found = stats.weighted_rate(RNG.binomial(1, rates[stratum]), weights[stratum])
        hits.append(found.low <= truth <= found.high)
    return hits


def unrelated_categories(people, categories, runs):
    """Return whether the AUC of categories that do not depend on the group is above .5, and the interval holds .5."""
    found, held = [], []
    for seed in range(runs):
        codes, group = RNG.integers(0, categories, people), RNG.random(people) < 0.4
        counts = [np.bincount(codes[group == each], minlength=categories) for each in (True, False)]
        auc = stats.cross_fitted_auc(*counts, seed=seed)
        found.append(auc.low is not None and auc.low > 0.5)
        held.append(auc.low is None or auc.low <= 0.5 <= auc.high)
    return found, held


def tables_of_groups(names, spreads, roles, runs, *, tests):
    """Return whether the first and any group without an effect is found, or whether intervals hold the rates."""
    group, n = np.repeat(np.arange(6), names), 20
    of_groups = tuple({"g": str(number)} for number in range(6))
    first, anyone, held = [], [], []
    rates = np.full(6, 0.5) if tests else np.array([0.6, 0.4, 0.7, 0.5, 0.5, 0.5])
    truth = rates - np.array(names) @ rates / sum(names)
    for _ in range(runs):
        chance = np.clip(rates[group] + np.array(spreads)[group] * RNG.standard_normal(group.size), 0, 1)
        carrier = np.repeat(np.arange(group.size), roles)
        second = np.tile(np.arange(roles), group.size)
        cells = Cells(carrier=carrier, second=second, n=np.full(carrier.size, float(n)),
                      accepted=RNG.binomial(n, chance[carrier]).astype(float))  # fmt: skip
        decisions = Decisions(whole=cells, parts={}, levels={}, groups=of_groups, group=group, second="role")
        if tests:
            p = step_down(permuted_rates(decisions, permutations=999, rng=RNG))
            first.append(p[0] < 0.05)
            anyone.append(min(p) < 0.05)
        else:
            found = group_intervals(decisions, 0, confidence=0.95)
            held.append([each.low <= true <= each.high for each, true in zip(found, truth, strict=True)])
    return first, anyone, np.array(held)


def power_of_detectable(df):
    """Return the power of the t test at the effect (t(.975) + t(.8)) SE."""
    edge = stdtrit(df, 0.975)
    effect = edge + stdtrit(df, 0.8)
    return 1 - nctdtr(df, effect, edge) + nctdtr(df, effect, -edge)


def main(runs):
    """Print one line per design."""
    for n, most, rate, slope in ((48, 40, 0.9, 0.08), (48, 1, 0.9, 0.0), (120, 10, 0.8, 0.2), (400, 40, 0.6, 0.3)):
        hits = drawn_sample(n, most, rate, slope, runs)
        print(f"drawn sample, {n} cases, weights to {most}, share {rate}, slope {slope}: covered {share(hits)}")
    for people, categories in ((300, 5), (1200, 2), (1200, 40), (1200, 600)):
        found, held = unrelated_categories(people, categories, runs)
        print(f"categories, {people} people, {categories}: found {share(found)}, covered {share(held)}")
    for few in (3, 5, 20):
        first, anyone, _ = tables_of_groups((few, *(20,) * 5), (0.18, *(0.06,) * 5), 1, runs, tests=True)
        print(f"an2024 test, {few} names of three times the SD: found {share(first)}, any group {share(anyone)}")
    for names in (*((few, *(50,) * 5) for few in (2, 3, 5, 50)), *((few,) * 6 for few in (2, 3, 5))):
        *_, held = tables_of_groups(names, (0.1,) * 6, 4, runs, tests=False)
        print(f"an2024 interval, {names} names: covered {share(held[:, 0])}, others {share(held[:, 1:])}")
    for df in (2, 4, 6, 20):
        print(f"detectable effect of clusters, {df} degrees of freedom: power {power_of_detectable(df):.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 2000)
