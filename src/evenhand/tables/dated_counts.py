"""Judgements of a system by day, summed: what a monitoring store counts, whoever read it.

Scores and seconds are whole steps of 1e-4, so that sums of them are exact and equal values fall together.
"""

from typing import Final

import polars as pl

__all__ = ["BREAKDOWN", "DATED", "LARGEST", "STEPS"]

#: The prefix of the columns of --by; protected attributes have that of outcomes.
BREAKDOWN: Final = "by."
#: Steps of scores and seconds in 1.
STEPS: Final = 10_000
#: Beyond it steps are no whole numbers that an engine holds.
LARGEST: Final = 1e12

#: One row per combination; `by.*` and `protected.*` follow, all text, null where it is not known, as in `position`,
#: `stage` and `decided_by`. `n` judgements are so: `failed` by an error, `undetected` without a score or decision
#: that can be read; each null where the table doesn't tell. With a column of units each row is one judgement, and
#: `unit` and `second` (since 1970, UTC) tell which.
DATED: Final[dict[str, pl.DataType]] = {
    "day": pl.Date(),
    "position": pl.String(),
    "stage": pl.String(),
    "decided_by": pl.String(),
    "score": pl.Int64(),
    "seconds": pl.Int64(),
    "selected": pl.Boolean(),
    "label": pl.Boolean(),
    "failed": pl.Boolean(),
    "undetected": pl.Boolean(),
    "n": pl.Int64(),
}
