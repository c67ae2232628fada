"""Some of many answers: as many of each status and group as there are."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from evenhand.measures import MeasureSet
from evenhand.tables.schemas import PROTECTED

__all__ = ["KEYS", "STRATUM", "attempts_of", "drawn", "quotas"]

#: What names an attempt: `unit` is the prompt, also where several people are judged in one.
KEYS = ("item", "unit", "attempt")
STRATUM = "stratum"

# Keeps this draw apart from other draws that start from the run's seed.
_STREAM = 0x6578706F7274


def attempts_of(outcomes: pl.LazyFrame, measured: MeasureSet) -> pl.DataFrame:
    """Return one row per attempt: its keys, status and stratum.

    The stratum is the status and the groups of who was judged. Where several were it is
    the groups of who came first; if nobody did, those that all share.
    """
    columns = outcomes.collect_schema().names()
    known = [
        pl.when(pl.col("status") == "observed").then(pl.col(name)).alias(name)
        if group in (measured.choice or {})
        else pl.col(name)
        for group in measured.groups
        if (name := f"{PROTECTED}{group}") in columns
    ]
    names = [each.meta.output_name() for each in known]
    return (
        outcomes.select("item", pl.coalesce("set", "unit").alias("unit"), "attempt", "successes", "status", *known)
        .sort("successes", descending=True, nulls_last=True, maintain_order=True)
        .unique(KEYS, keep="first", maintain_order=True)
        .select(
            *KEYS,
            pl.col("status").cast(pl.String),
            pl.concat_str(pl.col("status").cast(pl.String), *names, separator=" ", ignore_nulls=True).alias(STRATUM),
        )
        .sort(STRATUM, *KEYS)
        .collect()
    )


def drawn(attempts: pl.DataFrame, size: int, *, seed: int) -> pl.DataFrame:
    """Return `size` attempts, of each stratum as many as of the others or all that it has."""
    rng = np.random.default_rng([seed, _STREAM])
    strata = attempts.partition_by(STRATUM, maintain_order=True)
    wanted = quotas([each.height for each in strata], size)
    chosen = [
        each[np.sort(rng.choice(each.height, count, replace=False))] for each, count in zip(strata, wanted, strict=True)
    ]
    return pl.concat(chosen) if chosen else attempts


def quotas(sizes: Sequence[int], total: int) -> list[int]:
    """Return how many to take of strata of these sizes: equally many, as far as they have them.

    >>> quotas([1, 100, 100], 9)
    [1, 4, 4]
    """
    taken = [0] * len(sizes)
    left = min(total, sum(sizes))
    smallest_first = sorted(range(len(sizes)), key=lambda place: sizes[place])
    for rank, place in enumerate(smallest_first):
        taken[place] = min(sizes[place], left // (len(sizes) - rank))
        left -= taken[place]
    return taken
