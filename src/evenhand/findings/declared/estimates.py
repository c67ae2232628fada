"""Declared measures of one slice, executed: point, intervals, tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.findings.declared.alike import limits_where_alike
from evenhand.findings.declared.clusterings import (
    Clustered,
    Ways,
    clustered,
    difference_clustered,
    rate_clustered,
    ways_of,
)
from evenhand.findings.declared.resampled_units import ResampledUnits
from evenhand.findings.declared.weighted_sums import Terms, point, resampled, terms_of, unit_influence
from evenhand.findings.rankings.choices import Ballots
from evenhand.findings.units import Units, distinct
from evenhand.measures import Contrast, MeasureSet, Summary
from evenhand.stats.clusters.bootstrap import percentile_interval
from evenhand.stats.clusters.permutation import permutation_p, sign_flip_p
from evenhand.tables.details import Judged
from evenhand.tables.finding import Alternative, Test

__all__ = [
    "BOOTSTRAP",
    "FEWEST_ITEMS",
    "PERMUTATION",
    "Estimated",
    "RowInfluence",
    "estimated",
    "influence_of_rows",
    "row_influence",
    "rows_with_influence",
]

Floats = NDArray[np.float64]

BOOTSTRAP = "item bootstrap, percentile"
PERMUTATION = "permutation over names"
SIGN_FLIP = "sign flip of whole pairs"

#: Below this the bootstrap's percentiles are far too close together (Efron and Tibshirani 1993, chapter 13).
FEWEST_ITEMS = 20


@dataclass(frozen=True, kw_only=True)
class Estimated:
    """A measure's value with its interval, and with others beside it; what a Finding is made of.

    `equivalence` is the 90 % interval that the verdict on equivalence reads, `chance`
    what is expected by chance, given how many candidates of each group there are.
    """

    estimate: float | None
    low: float | None = None
    high: float | None = None
    equivalence: tuple[float, float] | None = None
    n: int
    clusters: dict[str, int]
    method: str
    alternatives: tuple[Alternative, ...] = ()
    tests: tuple[Test, ...] = ()
    reason: str | None = None
    chance: float | None = None
    details: Judged = field(default_factory=Judged)


def estimated(
    drawn: ResampledUnits,
    measure: Summary | Contrast,
    where: Mapping[str, str],
    measured: MeasureSet,
    *,
    confidence: float,
) -> Estimated:
    """Return a measure's value within the slice `where`, with intervals and tests."""
    found = terms_of(drawn, measure, where, choice=measured.choice)
    units = drawn.units
    if not found.terms:
        any_side = np.zeros(len(units), dtype=bool)
        for group in (measure.focal, measure.reference) if isinstance(measure, Contrast) else (measure.group,):
            any_side |= units.where({**where, **group})
        counted = _counted(units, any_side)
        return Estimated(estimate=None, method=BOOTSTRAP, reason=found.reason, **counted)
    masks = [units.where(term.where) for term in found.terms]
    inside = np.logical_or.reduce(masks)
    counted = _counted(units, inside)
    counted["chance"] = _chance(drawn, found)
    if found.levels:
        counted["details"] = Judged(levels={column: tuple(levels) for column, levels in found.levels.items()})
    estimate = point(drawn, found.terms, found.statistic)
    assert estimate is not None
    tests = _tests(drawn, measure, found, masks, estimate=estimate)
    constant = [_constant(units.score[mask]) for mask in masks]
    if any(constant) and measure.measured_in != "share" and found.statistic == "rate":
        reason = "Some values were all alike; resampling would claim certainty about them."
        return Estimated(estimate=estimate, method=BOOTSTRAP, tests=tests, reason=reason, **counted)
    if any(constant):
        return _alike(drawn, found, masks, constant, estimate, tests=tests, confidence=confidence, counted=counted)
    draws = resampled(drawn, found.terms, found.statistic)
    share = measure.measured_in == "share"
    robust = _robust(drawn, found, estimate, measured, inside, confidence=confidence, share=share)
    return _with_interval(estimate, draws, robust, tests=tests, confidence=confidence, counted=counted)


@dataclass(frozen=True, kw_only=True)
class RowInfluence:
    """Influences on a measure, row by row, with the names of the clusters that each row is in.

    `clusters` maps `item` and each cluster column to a label per row.
    """

    psi: Floats
    clusters: Mapping[str, NDArray[Any]]


def influence_of_rows(drawn: ResampledUnits, measure: Summary | Contrast, measured: MeasureSet) -> RowInfluence:
    """Return the influences on a measure over all rows, as its kind of judgement has them.

    Raises
    ------
    ValueError
        The measure has no value.

    """
    found: RowInfluence = resolve_name(measured.judgement.influence)(drawn, measure, measured)
    return found


def row_influence(drawn: ResampledUnits, measure: Summary | Contrast, measured: MeasureSet) -> RowInfluence:
    """Return the influences on a declared measure; of choices, a row is a candidate."""
    found = terms_of(drawn, measure, {}, choice=measured.choice)
    if not found.terms:
        raise ValueError(found.reason)
    if drawn.ballots is None:
        return rows_with_influence(
            unit_influence(drawn, found.terms, found.statistic), drawn.units, drawn.units, measured
        )
    return rows_with_influence(_candidate_influence(drawn, found), drawn.units, drawn.ballots, measured)


def rows_with_influence(psi: Floats, units: Units, rows: Units | Ballots, measured: MeasureSet) -> RowInfluence:
    """Return influences that are not 0 with the labels of their clusters; `rows` number them, `units` name items."""
    kept = psi != 0.0
    named = {
        name: np.array([*rows.levels[name], ""], dtype=object)[rows.codes[name][kept]] for name in measured.clusters
    }
    return RowInfluence(psi=psi[kept], clusters={"item": units.item_labels.to_numpy()[rows.item[kept]], **named})


def _chance(drawn: ResampledUnits, found: Terms) -> float | None:
    """Return the measure's value where every candidate wins alike; None where nothing is chosen."""
    chances = [drawn.chance(term.where) for term in found.terms]
    known = [chance for chance in chances if chance is not None]
    if len(known) < len(chances):
        return None
    return sum(term.weight * chance for term, chance in zip(found.terms, known, strict=True))


def _counted(units: Units, inside: NDArray[np.bool_]) -> dict[str, Any]:
    """Return how many units there are inside, one that is counted in several aspects once, and how many items."""
    item = units.item[inside]
    items = distinct(item)
    n = item.size if item.size == items or units.aspects == 1 else distinct(units.number[inside])
    return {"n": n, "clusters": {"item": items}}


def _constant(scores: Floats) -> bool:
    """Return whether all scores that are known are one and the same."""
    known = scores[np.isfinite(scores)]
    return bool(known.size and np.ptp(known) == 0.0)


def _robust(
    drawn: ResampledUnits,
    found: Terms,
    estimate: float,
    measured: MeasureSet,
    inside: NDArray[np.bool_],
    *,
    confidence: float,
    share: bool,
) -> tuple[Ways, Clustered, Clustered]:
    """Return the factors that vary, the interval that lets them, and its 90 % twin.

    A share, and a difference of two, get limits that stay within what a share can be.
    """
    if drawn.ballots is not None:
        psi, codes = _choice_clusters(drawn, found, measured)
    else:
        psi = unit_influence(drawn, found.terms, found.statistic)[inside]
        codes = {name: drawn.units.codes[name][inside] for name in measured.clusters}
    ways = ways_of(codes)
    levels = (confidence, 2 * confidence - 1)
    weights = [term.weight for term in found.terms]
    share = share and found.statistic == "rate"
    if share and min(weights) > 0:
        main, narrow = rate_clustered(psi, ways, estimate, confidences=levels)
    elif share and drawn.ballots is None and weights == [1.0, -1.0]:
        focal, reference = (drawn.units.where(term.where)[inside] for term in found.terms)
        rates = [drawn.value(term.where, "rate") for term in found.terms]
        main, narrow = difference_clustered(psi, (focal, reference), ways, (rates[0], rates[1]), confidences=levels)
    else:
        main, narrow = clustered(psi, ways, estimate, confidences=levels)
    return ways, main, narrow


def _choice_clusters(
    drawn: ResampledUnits, found: Terms, measured: MeasureSet
) -> tuple[Floats, dict[str, NDArray[Any]]]:
    """Return the candidates' influences, and the names and items that let them vary."""
    ballots = drawn.ballots
    assert ballots is not None
    psi = _candidate_influence(drawn, found)
    kept = psi != 0.0
    name = measured.clusters[0]
    return psi[kept], {name: ballots.codes[name][kept], "item": ballots.item[kept]}


def _candidate_influence(drawn: ResampledUnits, found: Terms) -> Floats:
    """Return each candidate's part in the influence of its item.

    A choice's share is what chance gives plus half of what its focal candidates won beyond
    their equal share less what the others did. So the parts can be summed by name as well.
    """
    ballots = drawn.ballots
    assert ballots is not None
    units = drawn.units
    psi = np.zeros(ballots.item.size)
    for term in found.terms:
        mask = units.where(term.where)
        chance = drawn.chance(term.where)
        assert chance is not None
        beyond = float(units.score[mask].mean()) - chance
        scale = np.zeros(len(units.item_labels))
        scale[units.item[mask]] = term.weight / mask.sum()
        own = ballots.beyond - beyond / ballots.size
        psi += own * scale[ballots.item] / ballots.choices
    return psi


def _with_interval(
    estimate: float,
    draws: Floats,
    robust: tuple[Ways, Clustered, Clustered],
    *,
    tests: tuple[Test, ...],
    confidence: float,
    counted: dict[str, Any],
) -> Estimated:
    """Return the estimate with the cluster-robust interval, or the bootstrap's where no factor varies.

    Users conclude about other names and roles than those asked, which the first lets vary.
    """
    ways, main, narrow = robust
    few = counted["clusters"]["item"] < FEWEST_ITEMS
    wide, inner = (percentile_interval(draws, confidence=level) for level in (confidence, 2 * confidence - 1))
    beside = Alternative(
        method=BOOTSTRAP,
        low=None if wide is None or few else wide[0],
        high=None if wide is None or few else wide[1],
        reason=_why_not_resampled(draws, counted["clusters"]["item"]),
    )
    if few:
        return Estimated(estimate=estimate, method=BOOTSTRAP, reason=beside.reason, tests=tests, **counted)
    if main.low is not None and main.high is not None and narrow.low is not None and narrow.high is not None:
        return Estimated(
            estimate=estimate,
            low=main.low,
            high=main.high,
            equivalence=(narrow.low, narrow.high),
            method=main.method,
            alternatives=(beside,),
            tests=tests,
            **{**counted, "clusters": main.clusters},
        )
    return Estimated(
        estimate=estimate,
        low=beside.low,
        high=beside.high,
        equivalence=inner,
        method=BOOTSTRAP + ways.held_fixed,
        reason=beside.reason,
        tests=tests,
        **counted,
    )


def _alike(
    drawn: ResampledUnits,
    found: Terms,
    masks: Sequence[NDArray[np.bool_]],
    constant: Sequence[bool],
    estimate: float,
    *,
    tests: tuple[Test, ...],
    confidence: float,
    counted: dict[str, Any],
) -> Estimated:
    """Return an estimate some of whose answers were all alike."""
    limits = limits_where_alike(drawn, found, masks, constant, confidence=confidence)
    if limits is None:
        reason = "The answers of a group were all alike; the data can't say how uncertain the line is."
        return Estimated(estimate=estimate, method=BOOTSTRAP, tests=tests, reason=reason, **counted)
    if limits.wide is None:
        return Estimated(estimate=estimate, method=limits.method, tests=tests, reason=limits.reason, **counted)
    return Estimated(
        estimate=estimate,
        low=min(limits.wide[0], estimate),
        high=max(limits.wide[1], estimate),
        equivalence=limits.narrow,
        method=limits.method,
        tests=tests,
        **counted,
    )


def _why_not_resampled(draws: Floats, items: int) -> str | None:
    """Return why resampling can't tell the uncertainty, None where it can."""
    if items < FEWEST_ITEMS:
        return f"There are {items} items; resampling tells the uncertainty from {FEWEST_ITEMS} on."
    lacking = int((~np.isfinite(draws)).sum())
    if lacking:
        return f"The slice is too small to resample: {lacking} of {draws.size} resamples lack a group."
    return None


def _tests(
    drawn: ResampledUnits,
    measure: Summary | Contrast,
    found: Terms,
    masks: Sequence[NDArray[np.bool_]],
    *,
    estimate: float,
) -> tuple[Test, ...]:
    """Return the permutation over names and, where items are pairs, the sign flip of pairs."""
    if measure.null_value is None or any(term.shuffled is None for term in found.terms):
        return ()
    units = drawn.units
    if drawn.ballots is None and _constant(units.score[np.logical_or.reduce(masks)]):
        return (Test(name=PERMUTATION, statistic=estimate, p=1.0),)  # every shuffle gives what was observed
    values = []
    for term in found.terms:
        assert term.shuffled is not None
        column, level = term.shuffled
        rest = {key: value for key, value in term.where.items() if key != column}
        moments = drawn.permuted_moments(column, level, rest)
        values.append(term.weight * drawn.statistic(moments, found.statistic))
    null = np.sum(values, axis=0) - measure.null_value
    tests = [Test(name=PERMUTATION, statistic=estimate, p=permutation_p(float(null[0]), null[1:]))]
    if isinstance(measure, Contrast) and len(masks) == 2 and found.statistic == "rate" and units.aspects == 1:
        pairs = _pair_differences(units, masks)
        if pairs is not None:
            rng = np.random.default_rng([drawn.seed, 3])
            p = sign_flip_p(pairs, permutations=drawn.permutations, rng=rng)
            tests.append(Test(name=SIGN_FLIP, statistic=float(pairs.mean()), p=p))
    return tuple(tests)


def _pair_differences(units: Units, sides: Sequence[NDArray[np.bool_]]) -> Floats | None:
    """Return focal − reference per item that holds one of each; None without such items."""
    focal, reference = (np.flatnonzero(side) for side in sides)
    if any(distinct(units.item[side]) < side.size for side in (focal, reference)):
        return None
    items, at_focal, at_reference = np.intersect1d(units.item[focal], units.item[reference], return_indices=True)
    if not items.size:
        return None
    return np.asarray(units.score[focal[at_focal]] - units.score[reference[at_reference]])
