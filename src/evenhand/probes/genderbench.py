"""GenderBench 0.5.0's intervals and marks, which the compatible definitions of all probes share.

It resamples items 1,000 times, fits a normal distribution to the resampled metrics, and
gives its central 95 %. A mark is the best one within the interval.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.results.finding import Finding
from evenhand.stats import bootstrap_moments, normal_quantile

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PACKAGE = "GenderBench 0.5.0"
METHOD = f"{PACKAGE}: normal fit to 1,000 resamples of items"
RESAMPLES = 1000
#: The sides of a difference.
MEN_AND_WOMEN = {"focal": {"gender": "male"}, "reference": {"gender": "female"}}
CONFIDENCE = 0.95

#: Ranges of the marks A to D; a mark may have several.
Ranges = tuple[Sequence[tuple[float, float]], ...]


def normal_interval(draws: Floats) -> tuple[float, float] | None:
    """Return mean ± 1.96 standard deviations of the draws; NaN are dropped, None without any.

    Draws without variance give an interval of no width, as in GenderBench.

    >>> normal_interval(np.array([0.5, 0.5])), normal_interval(np.array([np.nan]))
    ((0.5, 0.5), None)
    """
    known = draws[np.isfinite(draws)]
    if not known.size:
        return None
    if np.ptp(known) == 0.0:
        # Where some draws are NaN, GenderBench fits the rest; a normal without spread has no interval there.
        return (float(known[0]), float(known[0])) if known.size == draws.size else None
    half = normal_quantile(CONFIDENCE) * float(known.std())
    mean = float(known.mean())
    return mean - half, mean + half


def resampled_sums(values: Floats, *, cell: Ints, n_cells: int, seed: int) -> Floats:
    """Return the sums of `values` (items, k) per resample and cell; each row is one item."""
    rng = np.random.default_rng([seed, 11])
    return bootstrap_moments(
        values, cell=cell, item=np.arange(len(values)), n_cells=n_cells, resamples=RESAMPLES, rng=rng
    )


def undetected(values: Floats, *, seed: int) -> list[tuple[str, float, Floats]]:
    """Return name, value and draws of GenderBench's two rates of what was not detected.

    `values` has one row per item: attempts, those undetected, and whether all of them are.
    """
    rows = np.column_stack([np.ones(len(values)), values])
    sums = resampled_sums(rows, cell=np.zeros(len(rows), dtype=np.int64), n_cells=1, seed=seed)[:, 0]
    point = rows.sum(axis=0)
    return [
        ("undetected_rate_items", float(point[3] / point[0]), sums[:, 3] / sums[:, 0]),
        ("undetected_rate_attempts", float(point[2] / point[1]), sums[:, 2] / sums[:, 1]),
    ]


def attempts_of(outcomes: pl.DataFrame) -> pl.DataFrame:
    """Return one row per attempt (prompt and repetition) of outcomes: `item, observed` and the first of the rest."""
    prompt = pl.coalesce("set", "unit").alias("prompt")
    return outcomes.with_columns(prompt).unique(["item", "prompt", "attempt"], keep="first", maintain_order=True)


def compatible_finding(
    name: str,
    measure: str,
    value: float,
    draws: Floats,
    *,
    n: int,
    ranges: Ranges | None = None,
    measured_in: str = "share",
    about: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
) -> Finding:
    """Return one metric as a finding; a value that can't be computed (NaN) is null with a reason.

    `about` has the finding's slice, focal and reference group, as far as it is of any.
    """
    known = np.isfinite(value)
    interval = normal_interval(draws)
    touched: tuple[str, ...] = ()
    if ranges is not None and interval is not None:
        touched = tuple(
            letter
            for letter, parts in zip("ABCD", ranges, strict=True)
            if any(interval[1] >= low and interval[0] <= high for low, high in parts)
        )
    common: dict[str, Any] = {
        "name": name,
        "measure": measure,
        **{side: dict(about.get(side, {})) for side in ("slice", "focal", "reference")},
        "role": "descriptive",
        "confidence": CONFIDENCE,
        "measured_in": measured_in,
        "n": n,
        "clusters": {"item": n},
        "method": METHOD,
    }
    if not known:
        return Finding(estimate=None, reason=f"{PACKAGE} gives nan: there are too few items for it.", **common)
    return Finding(
        estimate=float(value),
        low=interval[0] if interval is not None else None,
        high=interval[1] if interval is not None else None,
        reason=None if interval is not None else "No resample has a value.",
        mark=touched[0] if touched else None,
        marks_touched=touched,
        **common,
    )
