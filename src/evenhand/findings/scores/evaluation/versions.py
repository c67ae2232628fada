"""A new version of a score against the previous one, on the same people."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evenhand.findings.scores.evaluation.compared import LOWER_IS_BETTER
from evenhand.findings.scores.evaluation.judged import Floats, Judged
from evenhand.findings.scores.evaluation.measured import RATES, Measured
from evenhand.stats import auc_covariance, hybrid_difference, mcnemar, multiway_variance, normal_p, t_p
from evenhand.tables.grouped.names import AUC, SELECTION_RATE, WORSE

__all__ = ["CHANGED", "Change", "changes"]

#: Of the selection rate neither side is worse.
CHANGED = (*WORSE, SELECTION_RATE)


@dataclass(frozen=True, kw_only=True)
class Change:
    """New less previous value of one measure; `worse_by` is above 0 where the new one is worse."""

    measure: str
    estimate: float | None
    low: float | None
    high: float | None
    p: float | None
    test: str
    n: int
    clusters: int | None
    value_new: float | None
    value_previous: float | None
    worse_by: float | None
    reason: str | None


def changes(judged: Judged, new: Mapping[str, Measured], previous: Mapping[str, Measured]) -> list[Change]:
    """Return what changed, measure by measure; both versions judge the same people, so the difference is paired."""
    return [
        _change(judged, new[measure], previous[measure])
        for measure in CHANGED
        if measure in new and measure in previous
    ]


def _change(judged: Judged, new: Measured, previous: Measured) -> Change:
    measure = new.measure
    if new.estimate is None or previous.estimate is None:
        reason = new.reason if new.estimate is None else previous.reason
        return Change(
            measure=measure, estimate=None, low=None, high=None, p=None, test="", n=judged.people, clusters=None,
            value_new=new.estimate, value_previous=previous.estimate, worse_by=None, reason=reason,
        )  # fmt: skip
    estimate = new.estimate - previous.estimate
    covariance = _covariance(judged, new, previous)
    low = high = None
    reason = new.reason or previous.reason
    spread = None
    if covariance is not None and new.variance is not None and previous.variance is not None:
        spread = max(new.variance + previous.variance - 2 * covariance, 0.0)
        both = (new.variance * previous.variance) ** 0.5
        correlation = float(np.clip(covariance / both, -1, 1)) if both else 0.0
        found = hybrid_difference(new.ends, previous.ends, correlation=correlation)
        low, high, reason = found.low, found.high, reason or found.reason
    p, test = _p(judged, new, estimate, spread)
    sign = 1.0 if measure in LOWER_IS_BETTER else -1.0
    return Change(
        measure=measure,
        estimate=estimate,
        low=low,
        high=high,
        p=p,
        test=test,
        n=new.n,
        clusters=new.clusters,
        value_new=new.estimate,
        value_previous=previous.estimate,
        worse_by=None if measure == SELECTION_RATE else sign * estimate,
        reason=reason,
    )


def _covariance(judged: Judged, new: Measured, previous: Measured) -> float | None:
    """Return the covariance of two versions' values, from the influence of each person on both."""
    if new.influence is None or previous.influence is None:
        return None
    if new.measure == AUC:
        return auc_covariance((new.influence, previous.influence), judged.label, judged.n, judged.cluster)
    if judged.cluster is None:
        return float((judged.n * new.influence * previous.influence).sum())
    sums = np.stack([judged.n * new.influence, judged.n * previous.influence], axis=1)
    # Polarisation, as the function gives variances.
    both = multiway_variance(np.stack([sums.sum(axis=1), sums[:, 0] - sums[:, 1]], axis=1), [judged.cluster]).variance
    return None if np.isnan(both).any() else float(both[0] - both[1]) / 4


def _p(judged: Judged, new: Measured, estimate: float, spread: float | None) -> tuple[float | None, str]:
    """Return the p of no change: McNemar's of rates of the same people, else Wald's of the paired difference."""
    rate = RATES.get(new.measure)
    if rate is not None and rate.same_people and judged.cluster is None:
        assert judged.selected is not None
        assert judged.against_selected is not None
        of = rate.of(judged.label, judged.selected)
        now, before = (rate.hit(judged.label, chosen) for chosen in (judged.selected, judged.against_selected))
        only = [int(judged.n[of & one & ~other].sum()) for one, other in ((now, before), (before, now))]
        return mcnemar(only[0], only[1], int(judged.n[of].sum())).p, "McNemar, exact"
    name = "DeLong, paired" if new.measure == AUC else "Wald, paired"
    if not spread:
        return None, name
    statistic: Floats = np.array([estimate / spread**0.5])
    if new.clusters is not None:
        return float(t_p(statistic, np.array([new.clusters - 1.0]))[0]), "clustered t, paired"
    return float(normal_p(statistic)[0]), name
