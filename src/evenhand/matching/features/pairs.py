"""The features of pairs of a person and a position."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evenhand.matching.features.declared import FEATURES, NAMES
from evenhand.matching.features.facts import Numbers, PeopleFacts, PositionFacts

__all__ = ["block_features", "pair_features"]

#: Pairs whose features are computed together.
_CHUNK: Final = 50_000
#: Sums in another order differ in the seventh digit, which must not move a pair across an edge.
_DECIMALS: Final = 4
_LOWEST: Final = np.asarray([each.lowest for each in FEATURES], np.float32)
_HIGHEST: Final = np.asarray([each.highest for each in FEATURES], np.float32)


def pair_features(
    people: PeopleFacts, positions: PositionFacts, rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> Numbers:
    """Return the features of pairs, (n, features): `rows` number people, `columns` positions, both (n,)."""
    found = np.empty((len(rows), len(NAMES)), np.float32)
    for start in range(0, len(rows), _CHUNK):
        some = slice(start, start + _CHUNK)
        p, q = rows[some], columns[some]
        found[some] = _features(people, positions, partial(_row_products, rows=p, columns=q), p, q)
    return found


def _row_products(left: Any, right: Any, *, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Numbers:
    found: Numbers = left[rows].multiply(right[columns]).sum(axis=1).A1
    return found


def block_features(people: PeopleFacts, positions: PositionFacts, first: int, last: int) -> Numbers:
    """Return the features of people `first` to `last` - 1 with all positions, (people, positions, features)."""
    rows = np.repeat(np.arange(first, last), len(positions))
    columns = np.tile(np.arange(len(positions)), last - first)
    found = _features(
        people,
        positions,
        lambda left, right: (left[first:last] @ right.T).toarray().ravel(),
        rows,
        columns,
    )
    return found.reshape(last - first, len(positions), len(NAMES))


def _features(
    people: PeopleFacts,
    positions: PositionFacts,
    product: Callable[[Any, Any], Numbers],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
) -> Numbers:
    """Return features in the order of their names."""
    own = dict(_named(people, positions, product, rows, columns))
    found = np.column_stack([own[name] for name in NAMES]).astype(np.float32, copy=False)
    return np.round(np.clip(found, _LOWEST, _HIGHEST, out=found), _DECIMALS, out=found)


def _named(
    people: PeopleFacts,
    positions: PositionFacts,
    product: Callable[[Any, Any], Numbers],
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
) -> Iterator[tuple[str, Numbers]]:
    for name, asked in positions.asked.items():
        share = product(people.labels, asked)
        nothing = np.diff(asked.indptr) == 0
        yield name, np.where(nothing[columns], np.float32(np.nan), share)
    yield "similarity", product(people.words, positions.words)
    yield "title", product(people.headings, positions.titles)
    same = product(people.occupations, positions.occupations) > 0
    near = product(people.families, positions.family) > 0
    unknown = (people.families.getnnz(axis=1) == 0)[rows] | (positions.family.getnnz(axis=1) == 0)[columns]
    level = (same.astype(np.float32) + near.astype(np.float32)) / np.float32(2)
    yield "occupation", np.where(unknown, np.float32(np.nan), level)
    fewest: Numbers = np.fmax(positions.fewest, 1)
    yield "years", people.years[rows] / fewest[columns]
    yield "recency", people.since[rows]
    yield "gap", people.gap[rows]
    yield "seniority", people.seniority[rows] - positions.seniority[columns]
    yield "education", people.education[rows] - np.nan_to_num(positions.education)[columns]
