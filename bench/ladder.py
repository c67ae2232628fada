"""How often the ladder's cluster-robust tests err, and how often its intervals hold: `python bench/ladder.py [RUNS]`.

Clusters of 10 to 29 people have a random effect on the log odds (SD .7) and on the difference of groups (SD .5 or .7).
A qualification differs by group and is held fixed, within four positions, or within three strata of each cluster
('nested', which conditional logistic regression takes, too).
"""

import sys
import warnings

import numpy as np

from evenhand import stats
from evenhand.stats.special import expit

#: Clusters, those that hold the focal group (None: all, both groups mixed; else mixed in these), SD of the effect.
CASES = [(10, None, 0.5), (20, None, 0.5), (60, None, 0.5), (20, 3, 0.7), (40, 5, 0.7), (40, 10, 0.7)]


def drawn(rng, clusters, few, spread, effect, *, nested, base=-0.8):
    """Return group, stratum, qualification, selected and cluster of people, and their true difference and ratio."""
    cluster = np.repeat(np.arange(clusters), rng.integers(10, 30, clusters))
    n, slope = cluster.size, rng.normal(0, spread, clusters)[cluster]
    group = np.where(cluster < (clusters if few is None else few), rng.binomial(1, 0.4 if few is None else 0.5, n), 0)
    stratum = cluster * 3 + rng.integers(0, 3, n) if nested else rng.integers(0, 4, n)
    years = rng.normal(size=n) - 0.3 * group
    shift = rng.normal(0, 0.5, stratum.max() + 1) if nested else np.linspace(-0.6, 0.6, 4)
    odds = base + shift[stratum] + 0.6 * years
    selected = rng.binomial(1, expit(odds + rng.normal(0, 0.7, clusters)[cluster] + (effect + slope) * group))
    u, v = np.random.default_rng(1).normal(size=(2, 400, 1))
    focal, reference = (expit(odds + 0.7 * u + each).mean() for each in (effect + spread * v, 0))
    return group, stratum, years, selected, cluster, focal - reference, focal / reference


def judged(rng, route, *case, nested):
    """Return whether a route rejects, and whether its intervals hold the difference (or odds) and the ratio."""
    group, stratum, years, selected, cluster, difference, ratio = drawn(rng, *case, nested=nested)
    one = np.ones_like(selected)
    if route == "standardised":
        fit = stats.standardised_rates(group, years[:, None], stratum, selected, one, names=["y"], clusters=[cluster])
        held = fit.low[0] <= difference <= fit.high[0], fit.ratio_low[0] <= ratio <= fit.ratio_high[0]
        return fit.log_odds_p[0] < 0.05, *held, fit.df[0]
    if route == "conditional":
        design = np.column_stack([years, group])
        fit = stats.conditional_logistic(design, stratum, selected, one, clusters=cluster)
        return fit.p[1] < 0.05, fit.low[1] <= case[3] <= fit.high[1], np.nan, fit.df[1]
    design = np.column_stack([one, stratum[:, None] == np.unique(stratum)[1:], years, group]).astype(float)
    names = ["intercept", *["position"] * (design.shape[1] - 3), "years", "group"]
    fit = stats.clustered_logistic_counts(design, selected, one, cluster, names=names, reference=group == 0)
    return fit.p[-1] < 0.05, fit.low[-1] <= case[3] <= fit.high[-1], np.nan, fit.df[-1]


def main(runs):
    """Print a line per case, effect and route."""
    warnings.simplefilter("ignore")
    routes = [("standardised", False), ("regression", False), ("standardised", True), ("conditional", True)]
    for clusters, few, spread in CASES:
        for effect in (0.0, -0.7) if few is None else (0.0,):
            for route, nested in routes:
                rng = np.random.default_rng(7)
                case = clusters, few, spread, effect
                results = np.array([judged(rng, route, *case, nested=nested) for _ in range(runs)], dtype=float)
                rejected, held, held_ratio, df = np.nanmean(results, axis=0)
                where = f"{clusters} clusters" + (f", {few} of the focal group" if few else "")
                held_ratio = "" if np.isnan(held_ratio) else f"{held_ratio:.1%}"
                route_name = f"{route}{', nested' * nested}"
                print(f"| {where} | {effect} | {route_name} | {rejected:.1%} | {held:.1%} | {held_ratio} | {df:.1f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
