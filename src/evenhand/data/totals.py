"""Rows of a table of counts that are sums of other rows: totals, by their name and by arithmetic.

A total that is counted as a group counts everybody twice. Its name alone may be that of a group, and in small tables a
count is often the sum of others by chance: so only what both say is left out.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evenhand.data.group_labels import plain_label
from evenhand.errors import InputError, option_text
from evenhand.results.applicant_audit import TotalRows
from evenhand.results.messages import listed, quoted

NAMED, MAYBE = "named", "maybe"
#: Rows among which any run of neighbours is looked at; in longer tables the sum of all the rest only.
_MOST_NEIGHBOURS = 300
_MOST_NAMED = 3

Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class CountRows:
    """The rows of a table of counts, in their order.

    `keys` are the labels of the columns that an option names, `groups` those of them that hold groups, `apart` those of
    clusters and blocks, of which one may be the sum of all others, not of some; `context` are the labels of other
    columns of text. `low` and `high` have a row each, and a column for each count: they differ where a count is not
    known exactly.
    """

    keys: Mapping[str, Sequence[str]]
    groups: frozenset[str]
    apart: frozenset[str]
    context: Mapping[str, Sequence[str]]
    low: Whole
    high: Whole


@cache
def _words() -> dict[str, frozenset[str]]:
    """Return the words of totals of all languages, by kind."""
    languages = tomllib.loads(files("evenhand.data").joinpath("count_tables.toml").read_text("utf-8"))["total"]
    kinds = ("sum", "every", "both", "of")
    return {kind: frozenset(word for words in languages.values() for word in words[kind]) for kind in kinds}


def _words_of(label: str) -> list[str]:
    return [word for word in re.split(r"[\s/()\[\],;:.&+_\-–—]+", plain_label(label)) if word]


def total_name(label: str, others: Sequence[str] = (), *, of_groups: bool = True) -> Literal["named", "maybe"] | None:
    """Return whether a label names a total, surely or maybe; `others` are the other labels of its column.

    >>> total_name("Grand total"), total_name("All other races"), total_name("Insgesamt")
    ('named', None, 'named')
    >>> total_name("Total Rewards", of_groups=False), total_name("Total Sales", ["Sales North"], of_groups=False)
    ('maybe', 'named')
    """
    words, kinds = _words_of(label), _words()
    if not words:
        return None
    plain = [word for word in words if word not in kinds["sum"] | kinds["every"] | kinds["of"]]
    if any(word in kinds["sum"] for word in words):
        known = {word for other in others for word in _words_of(other)} | kinds["both"]
        return "named" if of_groups or known.issuperset(plain) else "maybe"
    both = [word for word in plain if word in kinds["both"]]
    if len(both) < len(plain):
        return None
    nouns = [word for word in words if word in kinds["of"] and len(word) > _ARTICLE]
    every = any(word in kinds["every"] for word in words)
    return "named" if every or (both and nouns) else None


#: Words of more letters are nouns.
_ARTICLE = 3


def total_rows(rows: CountRows, *, totals: str | None, place: str) -> tuple[Flags, tuple[TotalRows, ...]]:
    """Return which rows are left out, and the totals that were found.

    `totals` is the user's word: drop, keep or None; `place` begins a message about a row, by its number.

    Raises
    ------
    InputError
        A row is a total by its name and not by its counts, and nobody says what it is.

    """
    named = _named_rows(rows)
    left_out = np.zeros(rows.low.shape[0], dtype=np.bool_)
    found: dict[tuple[str, str, str], list[int]] = {}
    for row in np.flatnonzero([bool(columns) for columns in named]):
        columns = named[row]
        sure = [name for name, kind in columns.items() if kind == NAMED]
        column = (sure or list(columns))[0]
        is_sum = _is_named_sum(rows, int(row), list(columns), named)
        if not is_sum and not sure:
            continue
        if not is_sum and totals is None:
            raise InputError(_not_the_sum(rows, int(row), column, place))
        left_out[row] = totals != "keep"
        found.setdefault((column, _label(rows, column, int(row)), "name and sum" if is_sum else "name"), []).append(
            int(row)
        )
    for column, label, members in _sums(rows, left_out | np.array([bool(columns) for columns in named])):
        found[column, label, "sum"] = members
        left_out[members] |= totals == "drop"
    entries = [
        TotalRows(
            column=column,
            label=label,
            rows=len(members),
            by=by,
            left_out=bool(left_out[members[0]]),
            of=_parts_text(rows, members[0], column) if by == "sum" else None,
        )
        for (column, label, by), members in found.items()
    ]
    if left_out.all():
        raise InputError(f"{option_text('totals', 'drop')} leaves no row: all rows are totals.")
    return left_out, tuple(entries)


def _label(rows: CountRows, column: str, row: int) -> str:
    return {**rows.context, **rows.keys}[column][row]


def _named_rows(rows: CountRows) -> list[dict[str, str]]:
    """Return, for each row, the columns in which its label names a total; of other columns than keys only maybe."""
    named: list[dict[str, str]] = [{} for _ in range(rows.low.shape[0])]
    for name, labels in {**rows.keys, **rows.context}.items():
        different = list(dict.fromkeys(labels))
        kinds = {label: total_name(label, (), of_groups=name in rows.groups) for label in different}
        others = [label for label in different if kinds[label] is None]
        for label, kind in kinds.items():
            if kind == MAYBE:
                kinds[label] = total_name(label, others, of_groups=False)
        for row, label in enumerate(labels):
            if (kind := kinds[label]) is not None:
                named[row][name] = kind if name in rows.keys else MAYBE
    return named


def _is_named_sum(rows: CountRows, row: int, columns: Sequence[str], named: Sequence[Mapping[str, str]]) -> bool:
    """Say whether the counts of a row are the sum of rows that are none, where its other labels are the same.

    The others may be the same in the columns of options, or in all; or they are its neighbours above or below.
    Blank cells may be the same, or of any label.
    """
    every = {**rows.keys, **rows.context}
    blank = [name for name in rows.keys if name not in columns and not every[name][row].strip()]
    total = np.array([bool(other) for other in named])
    total[row] = True
    for free in ([*columns], [*columns, *blank]) if blank else ([*columns],):
        for names in (rows.keys, every):
            same = _same(rows, row, [name for name in names if name not in free])
            if _equals(rows, row, np.flatnonzero(same & ~total)):
                return True
            # Sums of sums: of all men over the rows that are totals of the other attribute.
            within = np.array([any(name in other for name in free) for other in named])
            within[row] = True
            if _equals(rows, row, np.flatnonzero(same & ~within)):
                return True
            members = np.flatnonzero(same & ~total)
            if any(_equals(rows, row, block) for block in _blocks_beside(rows, row, members)):
                return True
    return False


def _same(rows: CountRows, row: int, names: Sequence[str]) -> Flags:
    """Return which rows have the labels of a row in some columns."""
    every = {**rows.keys, **rows.context}
    same = np.ones(rows.low.shape[0], dtype=np.bool_)
    for name in names:
        label = every[name][row]
        same &= np.array([other == label for other in every[name]])
    return same


def _equals(rows: CountRows, row: int, parts: Whole) -> bool:
    """Say whether the counts of a row are those of other rows together, as far as they are known."""
    if not parts.size:
        return False
    low, high = rows.low[parts].sum(axis=0), rows.high[parts].sum(axis=0)
    return bool((low <= rows.high[row]).all() and (high >= rows.low[row]).all())


def _blocks_beside(rows: CountRows, row: int, members: Whole) -> Iterator[Whole]:
    """Yield the runs of rows that end above a row or begin below it, as long as they may be its parts."""
    above, below = members[members < row][::-1], members[members > row]
    for side in (above, below):
        sums = rows.low[side].cumsum(axis=0)
        fits = int((sums <= rows.high[row]).all(axis=1).sum())
        for size in range(1, fits + 1):
            yield side[:size]


def _sums(rows: CountRows, known: Flags) -> Iterator[tuple[str, str, list[int]]]:
    """Yield labels whose counts are, in each row of them, the sum of others: column, label and rows."""
    exact = (rows.low == rows.high).all(axis=1) & ~known
    for column in rows.keys:
        others = [name for name in rows.keys if name != column]
        cells: dict[tuple[str, ...], list[int]] = {}
        for row in np.flatnonzero(~known).tolist():
            cells.setdefault(tuple(rows.keys[name][row] for name in others), []).append(row)
        sums: dict[str, list[tuple[int, bool]]] = {}
        for members in cells.values():
            for row, is_sum in _sums_within(rows.low, np.array(members), exact, runs=column not in rows.apart):
                sums.setdefault(rows.keys[column][row], []).append((row, is_sum))
        for label, results in sums.items():
            # One count alone is the sum of some others too often.
            if label.strip() and all(is_sum for _, is_sum in results) and len(results) * rows.low.shape[1] > 1:
                yield column, label, [row for row, _ in results]


def _sums_within(counts: Whole, members: Whole, exact: Flags, *, runs: bool) -> Iterator[tuple[int, bool]]:
    """Yield each row, and whether it is the sum of all the rest, two or more, or with `runs` of some neighbours."""
    known, filled = bool(exact[members].all()), members[counts[members].sum(axis=1) > 0]
    total = counts[filled].sum(axis=0)
    for row in members.tolist():
        rest = filled[filled != row]
        is_sum = known and row in filled and rest.size > 1 and bool((2 * counts[row] == total).all())
        if runs and not is_sum and known and rest.size > 1 and filled.size <= _MOST_NEIGHBOURS and row in filled:
            is_sum = _run_of(counts, row, rest) is not None
        yield row, is_sum


def _run_of(counts: Whole, row: int, rest: Whole) -> Whole | None:
    """Return the neighbours, two or more, whose counts are together those of a row."""
    target, ends = counts[row], {tuple(np.zeros(counts.shape[1], dtype=np.int64).tolist()): 0}
    sums = counts[rest].cumsum(axis=0)
    for place in range(rest.size):
        start = ends.get(tuple((sums[place] - target).tolist()))
        if start is not None and place + 1 - start > 1:
            return rest[start : place + 1]
        ends[tuple(sums[place].tolist())] = place + 1
    return None


def _parts_text(rows: CountRows, row: int, column: str) -> str | None:
    """Return the labels that a row is the sum of, where they are few."""
    same = _same(rows, row, [name for name in rows.keys if name != column])
    same[row] = False
    rest = np.flatnonzero(same & (rows.low.sum(axis=1) > 0))
    if (rows.low[rest].sum(axis=0) == rows.low[row]).all():
        return "all others"
    run = _run_of(rows.low, row, rest)
    return None if run is None else listed([rows.keys[column][other] for other in run], most=_MOST_NAMED, quotes=True)


def _not_the_sum(rows: CountRows, row: int, column: str, place: str) -> str:
    label = _label(rows, column, row)
    named = quoted(label)
    return (
        f"{place.format(row=row + 1)} is called {named} in {quoted(column)}, the name of a total, but its counts "
        f"({listed([f'{count:,}' for count in rows.low[row]], most=2)}) are the sum of no other rows: say "
        f"{option_text('totals', 'drop')} to leave it out, or {option_text('totals', 'keep')} if it is a group."
    )
