"""The difference of pairs with its interval: résumés and names vary, or else résumés alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.declared.clusterings import FEWEST_LEVELS, Ways, ways_of
from evenhand.findings.units import distinct
from evenhand.stats import crossed_df, equivalence, jackknife_variance, paired_t, t_interval
from evenhand.stats.special import stdtr
from evenhand.tables.finding import Verdict

__all__ = ["PAIRED", "Primary", "person_means", "primary_difference"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PAIRED: Final = "paired t on résumé means"
#: Differences that differ by less than this share of the largest are alike: sums of equal numbers round.
ALIKE: Final = 1e-12


@dataclass(frozen=True, kw_only=True)
class Primary:
    """A mean difference, its interval, t and p of its test, and those limits and p that equivalence goes by.

    `alike` says that every pair differs by the same, so that nothing tells how others would.
    """

    estimate: float | None
    low: float | None = None
    high: float | None = None
    t: float | None = None
    p: float | None = None
    equivalence: tuple[float, float] | None = None
    p_equivalence: float | None = None
    clusters: Mapping[str, int] = field(default_factory=dict)
    method: str = "none"
    alike: bool = False
    reason: str | None = None

    def verdict(self, *, margin: float | None, p: float | None, confidence: float) -> Verdict | None:
        """Return what a margin and the p that counts, adjusted or not, say; None where neither says anything."""
        if self.estimate is None or (self.equivalence is None and not (self.alike and p is not None)):
            return None
        low, high = self.equivalence or (self.estimate, self.estimate)
        if margin is not None and -margin < low and high < margin:
            return "equivalent"
        if p is not None and p < 1 - confidence:
            return "difference"
        return None if margin is None else "inconclusive"


def primary_difference(
    difference: Floats, person: Ints, name: Ints, *, margin: float | None, confidence: float
) -> Primary:
    """Return the mean of differences with its interval: two ways, or paired on résumé means with fewer than 10 names.

    Two ways the mean is that of pairs, computed anew without each résumé, each name and each résumé under a name;
    a résumé's pairs are of all its positions. Else it is the mean of résumés' own means.
    """
    if not difference.size:
        return Primary(estimate=None, reason="No pair has scores on both sides.")
    counted = {"resume": distinct(person)}
    if np.ptp(difference) <= ALIKE * float(np.abs(difference).max(initial=0.0)):
        return _alike(float(difference.mean()), counted)
    ways = ways_of({"name": _dense(name), "resume": _dense(person)})
    if "name" not in ways.codes:
        return _paired(difference, person, ways, margin=margin, confidence=confidence)
    codes = list(ways.codes.values())
    if len(codes) == 2:
        codes.append(_dense(codes[0] * (int(codes[1].max()) + 1) + codes[1]))
    variance = jackknife_variance([_without(difference, each) for each in codes])
    estimate, df = float(difference.mean()), crossed_df(variance)
    limits = t_interval(estimate, np.nan if variance.variance is None else variance.variance, df, confidence=confidence)
    t = None if limits.reason else estimate / limits.standard_error
    found = Primary(
        estimate=estimate,
        low=limits.low,
        high=limits.high,
        t=t,
        p=None if t is None else _two_sided(t, df),
        clusters=dict(zip(ways.codes, variance.clusters, strict=True)),
        method=f"{ways.method}, jackknife",
        reason=variance.reason or limits.reason,
    )
    return _with_equivalence(found, variance.variance, df, margin=margin, confidence=confidence)


def person_means(values: Floats, person: Ints) -> Floats:
    """Return the mean of each person who has a value."""
    n = np.bincount(person)
    return np.bincount(person, weights=values)[n > 0] / n[n > 0]


def _alike(estimate: float, clusters: Mapping[str, int]) -> Primary:
    """Return a difference that every pair has; a sign flip gives it a p where there are résumés enough."""
    told = "No score moved" if estimate == 0 else "Every score moved by the same"
    resumes = clusters["resume"]
    where = f"all {resumes} résumés" if resumes > 1 else "the one résumé"
    return Primary(
        estimate=estimate,
        clusters=clusters,
        alike=resumes >= FEWEST_LEVELS,
        reason=f"{told}, in {where}: there is no spread to make an interval of.",
    )


def _paired(difference: Floats, person: Ints, ways: Ways, *, margin: float | None, confidence: float) -> Primary:
    found = paired_t(person_means(difference, person), confidence=confidence)
    fixed = {name: count for name, count in ways.fixed.items() if name == "name"}
    primary = Primary(
        estimate=found.estimate,
        low=found.low,
        high=found.high,
        t=found.t,
        p=found.p,
        clusters={"resume": found.n},
        method=PAIRED + Ways(codes={}, fixed=fixed).held_fixed,
        reason=found.reason,
    )
    variance = None if found.standard_error is None else found.standard_error**2
    return _with_equivalence(primary, variance, found.df, margin=margin, confidence=confidence)


def _with_equivalence(
    found: Primary, variance: float | None, df: float, *, margin: float | None, confidence: float
) -> Primary:
    if found.estimate is None or found.low is None or variance is None:
        return found
    tested = equivalence(found.estimate, variance, df, margin=1.0 if margin is None else margin, confidence=confidence)
    return replace(found, equivalence=(tested.low, tested.high), p_equivalence=None if margin is None else tested.p)


def _two_sided(t: float, df: float) -> float:
    """Return the p of t; one that underflows is an upper bound, never 0."""
    return max(float(2 * stdtr(df, -abs(t))), float(np.finfo(np.float64).tiny))


def _dense(codes: Ints) -> Ints:
    """Return codes from 0 without gaps, so that every code is a cluster."""
    return (np.cumsum(np.bincount(codes) > 0) - 1)[codes]


def _without(values: Floats, codes: Ints) -> Floats:
    """Return the mean without each cluster, NaN where none is left."""
    n = values.size - np.bincount(codes)
    total = values.sum() - np.bincount(codes, weights=values)
    return np.where(n > 0, total / np.maximum(n, 1), np.nan)
