"""How the differences of pairs are distributed, in bins that all comparisons share."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import polars as pl

from evenhand.findings.scores.perturbation.arms import Pairs, pairs_of, scored_arms
from evenhand.tables.audit.perturb import DifferenceBins, Experiment, group_label

__all__ = ["difference_bins", "round_width"]

_MOST_BINS: Final = 30


def difference_bins(outcomes: pl.LazyFrame, experiment: Experiment) -> tuple[DifferenceBins, ...]:
    """Return the distribution of the differences of each comparison; one bin has 0 in its middle."""
    read = [pairs.read() for pairs in pairs_of(scored_arms(outcomes), experiment)]
    return tuple(_bins([pairs for pairs in read if len(pairs)]))


def round_width(span: float) -> float:
    """Return a width of bins, 1, 2 or 5 in its first place, of which few enough cover a span.

    >>> round_width(58.0), round_width(0.9), round_width(0.0)
    (2.0, 0.05, 1.0)
    """
    if span <= 0:
        return 1.0
    least = span / (_MOST_BINS - 1)
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= least * (1 - 1e-9))


def _bins(read: Sequence[Pairs]) -> Iterator[DifferenceBins]:
    if not read:
        return
    low, high = (end(end(pairs.difference) for pairs in read) for end in (min, max))
    width = round_width(float(high - low))
    first, last = math.floor(low / width + 0.5), math.floor(high / width + 0.5)
    edges = (np.arange(first, last + 2) - 0.5) * width
    for pairs in read:
        counts = np.histogram(pairs.difference, bins=edges)[0]
        yield DifferenceBins(
            kind=pairs.kind,
            group=group_label(pairs.group),
            reference=group_label(pairs.reference),
            edges=tuple(float(edge) for edge in edges),
            shares=tuple(float(count) / len(pairs) for count in counts),
        )
