"""Rates and rate differences of any units, in closed form: for slices that describe."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.units import Units, distinct
from evenhand.stats import multiway_variance, rate_difference, selection_rate, t_interval
from evenhand.stats.clustered_rates import clustered_rate
from evenhand.stats.moments import influence
from evenhand.tables.finding import Alternative

__all__ = ["Plain", "clustered_interval", "clustered_intervals", "plain_difference", "plain_rate", "robust_interval"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

Plain = dict[str, object]


def plain_rate(
    units: Units, *, confidence: float, clusters: Sequence[str] = (), rivals: bool = False
) -> Plain:
    """Return estimate, interval, n, clusters and method of the mean score, a share.

    One answer per item: Wilson. Several: Wilson on the effective number of answers, or
    on items where the items do not vary; `clustered_rate` says why. `clusters` adds the
    cluster-robust interval, `rivals` says that only one unit of a choice can succeed.
    """
    n_items = distinct(units.item)
    counted: Plain = {"n": len(units), "clusters": n_items}
    if not len(units):
        return {**counted, "estimate": None, "method": "Wilson on items", "reason": "No answer was observed."}
    estimate = float(units.score.mean())
    psi = influence(units.score, None, "rate")
    alternatives = _alternatives(psi, units, estimate, clusters, confidence)
    if _single_answers(units, n_items) or np.ptp(units.score) == 0:
        # Wilson needs whole successes; with one score for all, that score is shared by every item.
        interval = selection_rate(round(estimate * n_items), n_items, confidence=confidence)
        if abs(round(estimate * n_items) - estimate * n_items) < 1e-9:
            method = "Wilson on items"
            found: Plain = {"low": interval.low, "high": interval.high, "method": method}
            return {**counted, "estimate": estimate, **found, "alternatives": alternatives}
    return {
        **counted,
        "estimate": estimate,
        **_share_interval(psi, units, estimate, confidence, rivals=rivals),
        "alternatives": alternatives,
    }


def plain_difference(
    units: Units, focal: Mask, reference: Mask, *, confidence: float, clusters: Sequence[str] = ()
) -> Plain:
    """Return estimate, interval, n, clusters and method of focal − reference mean score.

    Newcombe where each item is one answer, else the t interval of item sums.
    """
    either = focal | reference
    chosen = units.take(either)
    n_items = distinct(chosen.item)
    counted: Plain = {"n": len(chosen), "clusters": n_items}
    n_focal, n_reference = int(focal.sum()), int(reference.sum())
    if not n_focal or not n_reference:
        return {
            **counted,
            "estimate": None,
            "method": "Newcombe on items",
            "reason": "One of the groups has no answer.",
        }
    estimate = float(units.score[focal].mean() - units.score[reference].mean())
    psi = np.zeros(len(units))
    psi[focal] = influence(units.score[focal], None, "rate")
    psi[reference] = -influence(units.score[reference], None, "rate")
    psi = psi[either]
    alternatives = _alternatives(psi, chosen, estimate, clusters, confidence)
    if _single_answers(chosen, n_items):
        counts = (round(units.score[focal].sum()), n_focal, round(units.score[reference].sum()), n_reference)
        interval = rate_difference(*counts, confidence=confidence)
        found: Plain = {"low": interval.low, "high": interval.high, "method": "Newcombe on items"}
    else:
        found = _item_interval(psi, chosen, estimate, confidence)
    return {**counted, "estimate": estimate, **found, "alternatives": alternatives}


def robust_interval(
    psi: Floats, units: Units, estimate: float, *, clusters: Sequence[str], confidence: float
) -> Alternative:
    """Return the interval that lets whole clusters (names, occupations) vary."""
    return clustered_interval(psi, {name: units.codes[name] for name in clusters}, estimate, confidence=confidence)


def clustered_interval(psi: Floats, codes: Mapping[str, Ints], estimate: float, *, confidence: float) -> Alternative:
    """Return the t interval from influences summed within one or two ways of clusters."""
    return clustered_intervals(psi, codes, estimate, confidences=(confidence,))[0]


def clustered_intervals(
    psi: Floats, codes: Mapping[str, Ints], estimate: float, *, confidences: Sequence[float]
) -> list[Alternative]:
    """Return one t interval per level of confidence, from one variance."""
    method = f"cluster-robust {' × '.join(codes)}"
    variance = multiway_variance(psi, list(codes.values()))
    counts = dict(zip(codes, variance.clusters, strict=True))
    if variance.variance is None or not variance.variance > 0:
        reason = variance.reason or "The clusters do not vary."
        return [Alternative(method=method, low=None, high=None, clusters=counts, reason=reason) for _ in confidences]
    found = [t_interval(estimate, variance.variance, variance.df, confidence=level) for level in confidences]
    return [Alternative(method=method, low=each.low, high=each.high, clusters=counts) for each in found]


def _alternatives(
    psi: Floats, units: Units, estimate: float, clusters: Sequence[str], confidence: float
) -> tuple[Alternative, ...]:
    if not clusters:
        return ()
    return (robust_interval(psi, units, estimate, clusters=clusters, confidence=confidence),)


def _single_answers(units: Units, n_items: int) -> bool:
    """Return whether every item is one unit with a score of 0 or 1."""
    return n_items == len(units) and bool(np.isin(units.score, (0.0, 1.0)).all())


def _share_interval(psi: Floats, units: Units, share: float, confidence: float, *, rivals: bool) -> Plain:
    variance = multiway_variance(psi, [units.item])
    if variance.variance is None:
        return {"method": "item-clustered, Wilson", "reason": variance.reason}
    # Scores that are alike in all items leave a rounding error of variance.
    varies = variance.variance if np.ptp(units.score) > 0 and variance.variance > 1e-20 else 0.0
    found = clustered_rate(share, varies, variance.clusters[0], rivals=rivals, confidence=confidence)
    method = "item-clustered, Wilson on effective n" if varies else "Wilson on items"
    return {"low": found.low, "high": found.high, "method": method, "reason": found.reason}


def _item_interval(psi: Floats, units: Units, estimate: float, confidence: float) -> Plain:
    method = "item-clustered, t"
    variance = multiway_variance(psi, [units.item])
    if variance.variance is None or not variance.variance > 0:
        return {"method": method, "reason": variance.reason or "The items do not vary."}
    interval = t_interval(estimate, variance.variance, variance.df, confidence=confidence)
    return {"low": interval.low, "high": interval.high, "method": method}
