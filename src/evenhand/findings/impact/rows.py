"""The rows of impact.csv: each group against its reference, in every cell."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.findings.impact.adjusted import adjusted_p
from evenhand.findings.impact.cells import GroupCells
from evenhand.findings.impact.clustered import Clusters
from evenhand.findings.impact.references import References, eligible_groups, reference_groups
from evenhand.stats import (
    FourFifthsRule,
    cohens_h,
    detectable_ratio,
    fisher_exact,
    flip_flop,
    four_fifths,
    impact_ratio,
    mean_ratio,
    odds_ratio,
    shortfall,
    which_to_read,
    z_test,
)
from evenhand.tables.impact_files import CLUSTERED, IMPACT

__all__ = ["GroupRatios", "group_ratios", "group_rows"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: What is counted and not judged: kept where a group is too small a share to be judged.
COUNTED = (
    *("approach", "cutoff", "position", "attribute", "focal", "reference", "stage", "n_focal", "selected_focal"),
    *("n_reference", "selected_reference", "rate_focal", "rate_reference", "mean_focal", "mean_reference"),
)


@dataclass(frozen=True, kw_only=True)
class GroupRatios:
    """Of each cell and group other than the cell's reference, by place in `cells`: the ratio, its interval and test.

    All arrays have a place per pair; numbers are NaN, with a `reason`, where they can't be computed, and `reference` is
    -1 where a cell has none.
    """

    cell: Ints
    focal: Ints
    reference: Ints
    estimate: Floats
    low: Floats
    high: Floats
    p_adjusted: Floats
    reason: NDArray[np.str_]


def group_ratios(cells: GroupCells, references: References, *, confidence: float = 0.95) -> GroupRatios:
    """Return the ratios, intervals and adjusted p of `group_rows` alone, of selections."""
    eligible = eligible_groups(cells, min_share=0.0)
    reference = reference_groups(cells, references, eligible)
    cell, focal = np.nonzero(np.arange(len(cells.groups)) != reference[:, None])
    against = np.maximum(reference[cell], 0)
    counts = cells.selected[cell, focal], cells.n[cell, focal], cells.selected[cell, against], cells.n[cell, against]
    ratio = impact_ratio(*counts, confidence=confidence)
    p_adjusted, _ = adjusted_p(cells, references, reference, eligible, cell=cell, focal=focal)
    return GroupRatios(
        cell=cell,
        focal=focal,
        reference=reference[cell],
        estimate=np.asarray(ratio.estimate, dtype=np.float64),
        low=np.asarray(ratio.low, dtype=np.float64),
        high=np.asarray(ratio.high, dtype=np.float64),
        p_adjusted=p_adjusted,
        reason=np.asarray(ratio.reason, dtype=np.str_),
    )


def group_rows(
    cells: GroupCells,
    references: References,
    *,
    rule: FourFifthsRule = "against_highest",
    min_share: float = 0.0,
    confidence: float = 0.95,
) -> pl.DataFrame:
    """Return one row per cell and group, without the reference group's own, in the columns of impact.csv.

    A group without anyone in a cell, and a cell without a reference, are rows with a reason.
    """
    eligible = eligible_groups(cells, min_share=min_share)
    reference = reference_groups(cells, references, eligible)
    cell, focal = np.nonzero(np.arange(len(cells.groups)) != reference[:, None])
    if len(cells.groups) < 2:
        return pl.DataFrame(schema=IMPACT)
    against = np.maximum(reference[cell], 0)
    labels = np.array(cells.labels, dtype=np.str_)
    computed = (
        _rate_columns(cells, cell, focal, against, rule=rule, confidence=confidence)
        if cells.mean is None
        else _mean_columns(cells, cell, focal, against, confidence=confidence)
    )
    columns = IMPACT if cells.clusters is None else IMPACT | CLUSTERED
    if cells.clusters is not None:
        computed |= _clustered_columns(cells.clusters, cell, focal, against, computed["reason"], confidence=confidence)
    p_adjusted, adjustment = adjusted_p(cells, references, reference, eligible, cell=cell, focal=focal)
    rows = _typed(
        {
            **{name: cells.keys[name].gather(cell) for name in ("approach", "cutoff", "position", "stage")},
            "attribute": np.full(cell.size, cells.name),
            "focal": labels[focal],
            "reference": labels[against],
            "n_focal": cells.n[cell, focal],
            "n_reference": cells.n[cell, against],
            "p_adjusted": p_adjusted,
            "adjustment": adjustment,
            **computed,
        },
        columns,
    )
    nobody = pl.Series(reference[cell] < 0)
    rows = rows.with_columns(
        pl.when(nobody).then(None).otherwise(name).alias(name)
        for name in ("reference", "n_reference", "selected_reference", "rate_reference", "mean_reference")
    )
    unjudged = pl.Series(~eligible[focal])
    why = f"This group is less than {min_share:g} of the sample (--min-share), so it is not judged."
    judged = [name for name in columns if name not in COUNTED]
    return rows.with_columns(
        *(pl.when(unjudged).then(None).otherwise(name).alias(name) for name in judged if name != "reason"),
        pl.when(unjudged).then(pl.lit(why)).otherwise("reason").alias("reason"),
    )


def _typed(columns: dict[str, Any], types: Mapping[str, pl.DataType]) -> pl.DataFrame:
    """Return the columns in order and of their types, null where there is no number."""
    length = len(columns["focal"])
    made = []
    for name, dtype in types.items():
        values = columns.get(name)
        if values is None:
            values = [None] * length
        elif getattr(values, "dtype", None) is not None and str(values.dtype) == "object":
            values = values.tolist()  # texts and None
        series = pl.Series(name, values, dtype if isinstance(values, list) else None)
        if series.dtype == pl.Float64:
            series = series.fill_nan(None)
        if series.dtype == pl.String:
            series = series.replace("", None) if name not in {"position", "stage"} else series
        made.append(series.cast(dtype))
    return pl.DataFrame(made)


def _first(*reasons: Any) -> Any:
    """Return, per row, the first reason there is for a number that is not there."""
    told = np.asarray(reasons[0], dtype=object)
    for following in reasons[1:]:
        told = np.where(told == "", np.asarray(following, dtype=object), told)
    return told


def _rate_columns(
    cells: GroupCells, cell: Ints, focal: Ints, against: Ints, *, rule: FourFifthsRule, confidence: float
) -> dict[str, Any]:
    """Return what is computed from the selections of two groups."""
    a, c = cells.selected[cell, focal], cells.selected[cell, against]
    counts = a, cells.n[cell, focal], c, cells.n[cell, against]
    ratio = impact_ratio(*counts, confidence=confidence)
    z = z_test(*counts)
    fisher = fisher_exact(*counts)
    flip = flip_flop(*counts, rule=rule)
    rates = cells.rates
    applies = np.asarray(flip.applies)
    return {
        "selected_focal": a,
        "selected_reference": c,
        "rate_focal": rates[cell, focal],
        "rate_reference": rates[cell, against],
        "impact_ratio": ratio.estimate,
        "ir_low": ratio.low,
        "ir_high": ratio.high,
        "four_fifths": four_fifths(*counts, rule=rule).verdict,
        "z": z.statistic,
        "p_z": z.p,
        "p_fisher": fisher.p,
        "p_fisher_mid": fisher.mid_p,
        "flip_flop_ratio": flip.ratio,
        "flip_flop_reverses": pl.Series(np.asarray(flip.reverses)).set(pl.Series(~applies), None),
        "shortfall": shortfall(*counts).estimate,
        "odds_ratio": odds_ratio(*counts, confidence=confidence).estimate,
        "cohens_h": cohens_h(*counts, confidence=confidence).estimate,
        "detectable_ratio": detectable_ratio(counts[1], counts[3], rates[cell, against]).estimate,
        "read_with": which_to_read(*counts).read_with,
        "reason": _first(ratio.reason, z.reason),
    }


def _clustered_columns(
    clusters: Clusters, cell: Ints, focal: Ints, against: Ints, reason: Any, *, confidence: float
) -> dict[str, Any]:
    """Return what is computed from clusters, and its reason behind that of the plain numbers."""
    found = clusters.compared(cell, focal, against, confidence=confidence)
    return {
        "low_clustered": [each.low for each in found],
        "high_clustered": [each.high for each in found],
        "p_clustered": [clusters.p(each) for each in found],
        "clusters": [min(each.clusters, default=None) for each in found],
        "reason": _first(reason, [each.ratio_reason or each.reason or "" for each in found]),
    }


def _mean_columns(cells: GroupCells, cell: Ints, focal: Ints, against: Ints, *, confidence: float) -> dict[str, Any]:
    """Return what is computed from the scores of two groups."""
    assert cells.mean is not None
    assert cells.squares is not None
    found = mean_ratio(
        *(matrix[cell, focal] for matrix in (cells.n, cells.mean, cells.squares)),
        *(matrix[cell, against] for matrix in (cells.n, cells.mean, cells.squares)),
        confidence=confidence,
    )
    return {
        "mean_focal": cells.rates[cell, focal],
        "mean_reference": cells.rates[cell, against],
        "impact_ratio": found.estimate,
        "ir_low": found.low,
        "ir_high": found.high,
        "standardised_difference": found.hedges_g,
        "d_low": found.g_low,
        "d_high": found.g_high,
        "p_welch": found.p,
        "reason": _first(found.reason, found.interval_reason, found.test_reason),
    }
