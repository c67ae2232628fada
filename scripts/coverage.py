"""How often tests of equal groups in clusters reject at 5 %, and how often their intervals hold what is true.

    python scripts/coverage.py [--runs 2000] [--seed 1] [--test difference]

Prints a table in Markdown; the exit code is 1 where a bar is missed. Each sample has so many clusters of 30 people of
one group each, selected at a rate of .3 whose log odds vary between clusters with the SD given (rare: at .01, so that
often nobody of a group is selected, which has no interval). With strata each person is of one of three, the log odds of
which differ by .7; the regression has years of experience as well. A bar is missed above 7 %, or below 3 % where the
mean of the degrees of freedom is at least 4 (not where selections are rare, as the test is discrete there).
"""

import argparse
import time

import numpy as np

from evenhand.stats import (
    clustered_logistic_counts,
    clustered_mantel_haenszel,
    compare_clusters,
    selection_rate,
    within_blocks,
)

DESIGNS = [(40, 40), (8, 80), (5, 60), (3, 40), (2, 60)]
SDS = [0.5, 0.8]
RATE, PEOPLE, STRATA, STEP, LEVEL = 0.3, 30, 3, 0.7, 0.05
MOST, LEAST, FEW_DF = 0.07, 0.03, 4.0


def people(rng, clusters, sd, *, strata, rate=RATE):
    """Return cluster, group, stratum, years and decision of each person of one sample."""
    focal, reference = clusters
    cluster = np.repeat(np.arange(focal + reference), PEOPLE)
    stratum = rng.integers(0, STRATA if strata else 1, cluster.size)
    years = rng.integers(0, 10, cluster.size)
    log_odds = np.log(rate / (1 - rate)) + sd * rng.normal(size=focal + reference)[cluster]
    if strata:
        log_odds = log_odds + STEP * (stratum - 1) + 0.05 * (years - 4.5)
    selected = rng.random(cluster.size) < 1 / (1 + np.exp(-log_odds))
    return cluster, (cluster < focal).astype(np.int64), stratum, years, selected.astype(np.int64)


def difference(rng, clusters, sd, runs, *, rate=RATE):
    """Return p, degrees of freedom and whether the ratio's interval holds 1, of all samples in one call."""
    samples = [people(rng, clusters, sd, strata=False, rate=rate) for _ in range(runs)]
    cluster, focal, _, _, selected = (np.concatenate(part) for part in zip(*samples, strict=True))
    sample = np.repeat(np.arange(runs), samples[0][0].size)
    result = compare_clusters(sample, focal, selected, np.ones(sample.size), [cluster], binary=True)
    holds = (result.ratio_low <= 1) & (result.ratio_high >= 1)
    return result.p, result.df, np.where(np.isnan(result.ratio_low), np.nan, holds)


def stratified(rng, clusters, sd, runs):
    """Return the same of Mantel and Haenszel's odds ratio over strata."""
    results = []
    for _ in range(runs):
        cluster, _, stratum, _, selected = people(rng, clusters, sd, strata=True)
        key, place = np.unique(cluster * STRATA + stratum, return_inverse=True)
        counts = [np.bincount(place, weights=values) for values in (selected, np.ones(place.size))]
        of_cluster = key // STRATA
        result = clustered_mantel_haenszel(key % STRATA, of_cluster, of_cluster < clusters[0], *counts)
        results.append((result.p, result.df, (result.low or 1) <= 1 <= (result.high or 1)))
    return np.array(results, dtype=float).T


def within(rng, clusters, sd, runs):
    """Return the same of the difference of rates within strata."""
    results = []
    for _ in range(runs):
        cluster, focal, stratum, _, selected = people(rng, clusters, sd, strata=True)
        result = within_blocks(stratum, cluster, focal, selected, np.ones(cluster.size))
        results.append((result.p, result.df, result.low <= 0 <= result.high))
    return np.array(results, dtype=float).T


def regression(rng, clusters, sd, runs):
    """Return the same of the odds ratio of a regression on strata and years."""
    results = []
    for _ in range(runs):
        cluster, focal, stratum, years, selected = people(rng, clusters, sd, strata=True)
        columns = [np.ones(cluster.size), years, *(stratum == place for place in range(1, STRATA)), focal]
        design = np.column_stack(columns)
        names = ["intercept", "years", *["stratum"] * (STRATA - 1), "focal"]
        result = clustered_logistic_counts(design, selected, np.ones(cluster.size), cluster, names=names)
        results.append((result.p[-1], result.df[-1], not (result.low[-1] > 0 or result.high[-1] < 0)))
    return np.array(results, dtype=float).T


def rare(rng, clusters, sd, runs):
    """Return the same as `difference` where few are selected, in many samples nobody of a group."""
    return difference(rng, clusters, sd, runs, rate=0.01)


TESTS = {"difference": difference, "stratified": stratified, "regression": regression, "within": within, "rare": rare}


def row(name, clusters, sd, *, runs, seed):
    """Return the row of the table, and whether a bar is missed."""
    start = time.perf_counter()
    rng = np.random.default_rng([seed, list(TESTS).index(name), *clusters, round(10 * sd)])
    p, df, held = TESTS[name](rng, clusters, sd, runs)
    judged = ~np.isnan(p)
    rejected = selection_rate(int((p[judged] <= LEVEL).sum()), int(judged.sum()), confidence=0.99)
    mean_df = float(np.nanmean(df))
    missed = rejected.estimate > MOST or (rejected.estimate < LEAST and name != "rare" and mean_df >= FEW_DF)
    cells = [
        name,
        f"{clusters[0]} + {clusters[1]}",
        f"{sd}",
        f"{mean_df:.1f}",
        f"{100 * rejected.estimate:.1f} ({100 * rejected.low:.1f} to {100 * rejected.high:.1f})",
        f"{100 * np.nanmean(held[judged]):.1f}",
        "missed" if missed else "held",
        f"{time.perf_counter() - start:.0f}",
    ]
    return "| " + " | ".join(cells) + " |", missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--test", choices=TESTS, action="append")
    choices = parser.parse_args()
    print(f"{choices.runs:,} samples each, seed {choices.seed}.\n")
    print("| test | clusters | SD | df | rejected, % (99 % limits) | interval holds, % | bar | seconds |")
    print("|---|---|---|---|---|---|---|---|")
    missed = False
    for name in choices.test or TESTS:
        for clusters in DESIGNS:
            for sd in SDS:
                text, too_far = row(name, clusters, sd, runs=choices.runs, seed=choices.seed)
                missed |= too_far
                print(text, flush=True)
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
