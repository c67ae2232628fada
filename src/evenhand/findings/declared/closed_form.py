"""Rates and rate differences of any units, in closed form: for slices that describe."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.declared.clusterings import Clustered, Ways, difference_clustered, rate_clustered, ways_of
from evenhand.findings.units import Units, distinct
from evenhand.stats import clustered_difference, clustered_rate, multiway_variance, rate_difference, selection_rate
from evenhand.stats.clusters.moments import influence
from evenhand.tables.finding import Alternative

__all__ = ["Intervals", "difference_interval_of", "rate_interval_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

Intervals = dict[str, Any]

#: A variance below this is a rounding error.
ROUNDING = 1e-20


def rate_interval_of(
    units: Units, *, confidence: float, clusters: Sequence[str] = (), pooled: bool = False, highest: float = 1.0
) -> Intervals:
    """Return estimate, interval, n, clusters and method of the mean score, a share.

    The interval is Wilson's on the effective number of answers, and lets vary those of the `clusters`
    that have enough levels; `clustered_rate` says why. The one over items is the alternative, and stands
    alone where no clusters vary: with one answer per item it is Wilson's. `pooled` takes successes
    over trials instead of the mean score; n is then the number of trials. `highest` is the
    largest share that could be.
    """
    n_items = distinct(units.item)
    counted: Intervals = {"n": int(units.trials.sum()) if pooled else len(units), "clusters": {"item": n_items}}
    if not len(units):
        return {**counted, "estimate": None, "method": "Wilson on items", "reason": "No answer was observed."}
    estimate = _mean(units, pooled=pooled)
    psi = _influence(units, pooled=pooled)
    over_items = {
        **counted,
        "estimate": estimate,
        **_over_items(psi, units, estimate, pooled=pooled, highest=highest, confidence=confidence),
    }
    if not clusters or np.ptp(units.score) == 0:
        return over_items
    ways = ways_of({name: units.codes[name] for name in clusters})
    return _primary(
        over_items, rate_clustered(psi, ways, estimate, confidences=(confidence,), highest=highest)[0], ways
    )


def _primary(over_items: Intervals, robust: Clustered, ways: Ways) -> Intervals:
    """Return the cluster-robust interval with the one over items beside it, or that one if there is no other."""
    if robust.low is None:
        return {**over_items, "method": f"{over_items['method']}{ways.held_fixed}"}
    low, high, reason = (over_items.get(key) for key in ("low", "high", "reason"))
    beside = Alternative(method=str(over_items["method"]), low=low, high=high, reason=reason)
    own: Intervals = {"low": robust.low, "high": robust.high, "clusters": robust.clusters, "method": robust.method}
    return {**over_items, **own, "reason": None, "alternatives": (beside,)}


def _over_items(
    psi: Floats, units: Units, estimate: float, *, pooled: bool, highest: float, confidence: float
) -> Intervals:
    """Return the limits of a share over items, and their method."""
    n_items = distinct(units.item)
    if highest == 1.0 and (_single_answers(units, n_items, pooled=pooled) or np.ptp(units.score) == 0):
        # Wilson needs whole successes; with one score for all, that score is shared by every item.
        interval = selection_rate(round(estimate * n_items), n_items, confidence=confidence)
        if abs(round(estimate * n_items) - estimate * n_items) < 1e-9:
            return {"low": interval.low, "high": interval.high, "method": "Wilson on items"}
    return _share_interval(psi, units, estimate, highest=highest, confidence=confidence)


def difference_interval_of(
    units: Units,
    focal: Mask,
    reference: Mask,
    *,
    confidence: float,
    clusters: Sequence[str] = (),
    pooled: bool = False,
) -> Intervals:
    """Return estimate, interval, n, clusters and method of focal − reference mean score.

    Newcombe's interval from `clustered_rate` limits, which let the `clusters` vary. Over items, it is
    the alternative. `pooled` as in `rate_interval_of`.
    """
    either = focal | reference
    chosen = units.take(either)
    n_items = distinct(chosen.item)
    counted: Intervals = {"n": int(chosen.trials.sum()) if pooled else len(chosen), "clusters": {"item": n_items}}
    n_focal, n_reference = int(focal.sum()), int(reference.sum())
    if not n_focal or not n_reference:
        return {
            **counted,
            "estimate": None,
            "method": "Newcombe on items",
            "reason": "One of the groups has no answer.",
        }
    sides = [units.take(side) for side in (focal, reference)]
    means = [_mean(side, pooled=pooled) for side in sides]
    estimate = means[0] - means[1]
    psi = np.zeros(len(units))
    psi[focal] = _influence(sides[0], pooled=pooled)
    psi[reference] = -_influence(sides[1], pooled=pooled)
    if _single_answers(chosen, n_items, pooled=pooled):
        counts = (round(units.score[focal].sum()), n_focal, round(units.score[reference].sum()), n_reference)
        interval = rate_difference(*counts, confidence=confidence)
        found: Intervals = {"low": interval.low, "high": interval.high, "method": "Newcombe on items"}
    else:
        found = _difference_interval(psi, units, (focal, reference), means, confidence)
    over_items = {**counted, "estimate": estimate, **found}
    if not clusters or any(np.ptp(side.score) == 0 for side in sides):
        return over_items
    ways = ways_of({name: chosen.codes[name] for name in clusters})
    robust = difference_clustered(
        psi[either], (focal[either], reference[either]), ways, (means[0], means[1]), confidences=(confidence,)
    )
    return _primary(over_items, robust[0], ways)


def _mean(units: Units, *, pooled: bool) -> float:
    return float(units.successes.sum() / units.trials.sum()) if pooled else float(units.score.mean())


def _influence(units: Units, *, pooled: bool) -> Floats:
    if pooled:
        return influence(units.successes, None, "rate", trials=units.trials)
    return influence(units.score, None, "rate")


def _single_answers(units: Units, n_items: int, *, pooled: bool) -> bool:
    """Return whether every item is one unit with a score of 0 or 1, and all count alike."""
    alike = not pooled or np.ptp(units.trials) == 0
    return bool(alike and n_items == len(units) and np.isin(units.score, (0.0, 1.0)).all())


def _share_interval(psi: Floats, units: Units, share: float, *, highest: float, confidence: float) -> Intervals:
    variance, items, reason = _item_variance(psi, units)
    if variance is None:
        return {"method": "item-clustered, Wilson", "reason": reason}
    found = clustered_rate(share, variance, items, highest=highest, confidence=confidence)
    method = "item-clustered, Wilson on effective n" if variance else "Wilson on items"
    return {"low": found.low, "high": found.high, "method": method, "reason": found.reason}


def _difference_interval(
    psi: Floats, units: Units, sides: Sequence[Mask], means: Sequence[float], confidence: float
) -> Intervals:
    variances, sizes, reasons = zip(*(_item_variance(psi[side], units.take(side)) for side in sides), strict=True)
    lacking = [reason for reason in reasons if reason is not None]
    if lacking:
        return {"method": "item-clustered, Newcombe", "reason": lacking[0]}
    # psi has the sign of its side: summed by item, the product of both sides is less their covariance.
    totals = [np.bincount(units.item[side], weights=psi[side], minlength=int(units.item.max()) + 1) for side in sides]
    items = distinct(units.item[sides[0] | sides[1]])
    found = clustered_difference(
        *means,
        variances=(variances[0], variances[1]),
        clusters=(sizes[0], sizes[1]),
        covariance=-float(totals[0] @ totals[1]) * items / (items - 1),
        confidence=confidence,
    )
    method = "item-clustered, Newcombe on effective n" if any(variances) else "Newcombe on items"
    return {"low": found.low, "high": found.high, "method": method, "reason": found.reason}


def _item_variance(psi: Floats, units: Units) -> tuple[float | None, int, str | None]:
    """Return the variance by items, how many there are, and why there is no variance."""
    found = multiway_variance(psi, [units.item])
    if found.variance is None:
        return None, found.clusters[0], found.reason
    # Scores that are alike in all items leave a rounding error of variance.
    varies = np.ptp(units.score) > 0 and found.variance > ROUNDING
    return (float(found.variance) if varies else 0.0), found.clusters[0], None
