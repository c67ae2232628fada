"""Plain numbered lists of names, read in all answers at once; `read_answer` says what they mean."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.probes.hiring_bloomberg.reading.candidates import plain_name

__all__ = ["PlainRanks", "plain_ranks"]

#: As in `reading.plain`: what stands between number and name, and the longest text and list that it reads at a glance.
_SIGNS = (". ", ") ", ": ")
_LONGEST = 16_000
_MOST_PLACES = 99


@dataclass(frozen=True, kw_only=True)
class PlainRanks:
    """Which answers are plain lists, and the ranks of all candidates, one answer after the other.

    A rank is 0 where a list does not name a candidate, and in all answers that are no plain list.
    `first` is where the candidates of each answer begin.
    """

    plain: NDArray[np.bool_]
    ranks: NDArray[np.int16]
    first: NDArray[np.int64]


def plain_ranks(answers: pl.DataFrame) -> PlainRanks:
    r"""Return the ranks in answers that are full names of candidates, numbered from 1, and nothing else.

    `read_ranking` gives the same ranks for them, by the rule 'full names', and reads all others.

    >>> blank = pl.lit(None, pl.String)
    >>> text = pl.DataFrame({"text": ["1. JANE LI\n2. Bob Wu"]}).with_columns(finish_reason=blank, error_class=blank)
    >>> candidates = pl.Series([[{"name": "Bob Wu"}, {"name": "Jane Li"}]])
    >>> plain_ranks(text.with_columns(candidates=candidates)).ranks.tolist()
    [2, 1]
    """
    names = answers["candidates"].list.eval(pl.element().struct.field("name"))
    sizes = names.list.len().to_numpy().astype(np.int64)
    named = names.explode() if sizes.any() else pl.Series([], dtype=pl.String)
    keys = {name: plain_name(name) for name in named.unique()}
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys.values()))}
    lines = _lines(answers)
    row = lines["row"].to_numpy().astype(np.int64)
    listed = lines["key"].replace_strict(numbers, default=-1, return_dtype=pl.Int64).to_numpy()
    number_of = {name: numbers[key] for name, key in keys.items()}
    offered = named.replace_strict(number_of, return_dtype=pl.Int64).to_numpy()
    # A name in one answer is a number of its own.
    place = _last_places(
        np.repeat(np.arange(len(sizes)), sizes) * len(numbers) + offered,
        np.where(listed < 0, -1, row * len(numbers) + listed),
    )
    known = place >= 0
    times = np.bincount(place[known], minlength=len(named))
    plain = np.zeros(len(sizes), np.bool_)
    plain[row] = True
    plain[row[~known]] = False
    plain[row[known][times[place[known]] > 1]] = False
    ranks = np.zeros(len(named), np.int16)
    ranks[place[plain[row]]] = lines["place"].to_numpy()[plain[row]]
    return PlainRanks(plain=plain, ranks=ranks, first=np.cumsum(sizes) - sizes)


def _last_places(values: NDArray[np.int64], sought: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where each number stands last among values, -1 where it does not."""
    if not len(values):
        return np.full(len(sought), -1)
    order = np.argsort(values, kind="stable")
    place = order[np.searchsorted(values, sought, side="right", sorter=order) - 1]
    return np.where(values[place] == sought, place, -1)


def _lines(answers: pl.DataFrame) -> pl.DataFrame:
    """Return `row, place, key` of the lines of answers that may be plain lists; key is null where a number is wrong."""
    text, line = pl.col("text"), pl.col("line")
    number = pl.concat_str("place", "sign")
    return (
        answers.select("text", "finish_reason", "error_class")
        .with_row_index("row")
        .filter(
            pl.col("error_class").is_null(),
            pl.col("finish_reason").is_null() | (pl.col("finish_reason") == "stop"),
            text.str.len_bytes() == text.str.len_chars(),
            text.str.len_bytes() <= _LONGEST,
            text.str.head(1) == "1",
            text.str.slice(1, 2).is_in(_SIGNS),
        )
        .select("row", text.str.slice(1, 2).alias("sign"), text.str.to_lowercase().str.split("\n").alias("line"))
        .filter(line.list.len().is_between(2, _MOST_PLACES))
        .with_columns(pl.int_ranges(1, line.list.len() + 1, dtype=pl.Int16).alias("place"))
        .explode("line", "place")
        .select(
            "row",
            "place",
            pl.when(line.str.starts_with(number)).then(line.str.slice(number.str.len_bytes())).alias("key"),
        )
    )
