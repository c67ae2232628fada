"""Rows of a table of counts that are sums of other rows: totals, by their name and by arithmetic.

A total that is counted as a group counts everybody twice. Its name alone may be that of a group, and in small tables a
count is often the sum of others by chance: so only what both say is left out.
"""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evenhand.data.group_labels import attribute_of, is_unknown, plain_label
from evenhand.data.labels import fold
from evenhand.errors import InputError, flag, option_text, with_options
from evenhand.results.applicant_audit import TotalRows
from evenhand.results.messages import listed, quoted, shortened

NAMED, MAYBE = "named", "maybe"
#: Rows among which any run of neighbours is looked at; in longer tables the sum of all the rest only.
_MOST_NEIGHBOURS = 300
_MOST_NAMED = 3
#: Labels, and cells of other columns, of which one block is compared with the others; and the least of a block.
_MOST_STACKED, _MOST_CELLS, _LEAST_STACKED = 60, 2_000, 2
#: Rows whose names may be those of totals; with more, such names are taken for those of groups.
_MOST_UNSURE = 500

Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class CountRows:
    """The rows of a table of counts, in their order.

    `keys` are the labels of the columns that an option names, `groups` those of them that hold groups, `measured` those
    that hold scores, `apart` those of clusters and blocks, of which one may be the sum of all others, not of some;
    `in_header` is one whose labels have columns of their own; `mapped` are labels, normalised, that `--map` calls
    groups; `context` are the labels of other columns of text. `low` and `high` have a row each, and a column for each
    count: they differ where a count is not known exactly.
    """

    keys: Mapping[str, Sequence[str]]
    groups: frozenset[str]
    apart: frozenset[str] = frozenset()
    measured: frozenset[str] = frozenset()
    in_header: frozenset[str] = frozenset()
    mapped: Mapping[str, Collection[str]] = field(default_factory=dict)
    context: Mapping[str, Sequence[str]]
    low: Whole
    high: Whole

    @cached_property
    def codes(self) -> Mapping[str, Whole]:
        """Return a number for each label, by column."""
        return {
            name: np.unique(np.array(labels, dtype=object), return_inverse=True)[1]
            for name, labels in {**self.context, **self.keys}.items()
        }


@cache
def _words() -> dict[str, frozenset[str]]:
    """Return the words of totals of all languages, by kind."""
    languages = tomllib.loads(files("evenhand.data").joinpath("count_tables.toml").read_text("utf-8"))["total"]
    kinds = ("sum", "every", "both", "of", "lead", "other")
    return {kind: frozenset(word for words in languages.values() for word in words[kind]) for kind in kinds}


def _words_of(label: str) -> list[str]:
    return [word for word in re.split(r"[\s/()\[\],;:.&+_\-–—]+", plain_label(label)) if word]


def total_name(label: str, others: Sequence[str] = (), *, of_groups: bool = True) -> Literal["named", "maybe"] | None:
    """Return whether a label names a total, surely or maybe; `others` are the other labels of its column.

    >>> total_name("Grand total"), total_name("All other races"), total_name("Insgesamt")
    ('named', None, 'named')
    >>> total_name("Total Rewards", of_groups=False), total_name("Total Sales", ["Sales North"], of_groups=False)
    ('maybe', 'named')
    >>> total_name("All directorates"), total_name("Overall result")
    ('maybe', 'maybe')
    """
    words, kinds = _words_of(label), _words()
    if not words:
        return None
    plain = [word for word in words if word not in kinds["sum"] | kinds["every"] | kinds["of"]]
    if any(word in kinds["sum"] for word in words):
        known = {word for other in others for word in _words_of(other)} | kinds["both"]
        return "named" if of_groups or known.issuperset(plain) else "maybe"
    both = [word for word in plain if word in kinds["both"]]
    nouns = [word for word in words if word in kinds["of"] and len(word) > _ARTICLE]
    every = any(word in kinds["every"] for word in words)
    if len(both) == len(plain) and (every or (both and nouns)):
        return "named"
    led = kinds["lead"].intersection((words[0], words[-1])) and not kinds["other"].intersection(words)
    return "maybe" if led else None


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
    _name_blanks(rows, named)
    named = _settled(rows, named)
    _name_blanks(rows, named)
    left_out = np.zeros(rows.low.shape[0], dtype=np.bool_)
    found: dict[tuple[str, str, str], dict[int, Whole]] = {}
    for row in np.flatnonzero([bool(columns) for columns in named]).tolist():
        column = next(iter(named[row]))
        parts = _named_parts(rows, row, list(named[row]), named)
        if parts is None and totals is None:
            raise InputError(_not_the_sum(rows, row, column, place))
        left_out[row] = totals != "keep"
        key = (column, _label(rows, column, row), "name" if parts is None else "name and sum")
        found.setdefault(key, {})[row] = np.array([], dtype=np.int64) if parts is None else parts
    names = left_out | np.array([bool(columns) for columns in named])
    for column, label, members in _sums(rows, names):
        found[column, label, "sum"] = members
        left_out[list(members)] |= totals == "drop"
    for (column, _, by), members in found.items():
        _refuse_stacked(rows, column, by, list(members), known=names, place=place)
    entries = [
        TotalRows(
            column=column,
            label=label,
            rows=len(members),
            by=by,
            left_out=bool(left_out[next(iter(members))]),
            of=None if by == "name" else _parts_text(rows, column, members, names),
            possible=not all(_is_exact(rows, row, parts) for row, parts in members.items()) or None,
        )
        for (column, label, by), members in found.items()
    ]
    if left_out.all():
        raise InputError(f"{option_text('totals', 'drop')} leaves no rows: all rows are totals.")
    return left_out, tuple(entries)


def _label(rows: CountRows, column: str, row: int) -> str:
    return {**rows.context, **rows.keys}[column][row]


def _named_rows(rows: CountRows) -> list[dict[str, str]]:
    """Return, for each row, the columns in which its label names a total; of other columns than keys only maybe."""
    named: list[dict[str, str]] = [{} for _ in range(rows.low.shape[0])]
    for name, labels in {**rows.keys, **rows.context}.items():
        different = list(dict.fromkeys(labels))
        if len(different) < len(labels) and len(different) == 1:
            continue  # what every row is called tells none from the others
        groups = rows.mapped.get(name, ())
        kinds = {
            label: None if fold(label) in groups else total_name(label, (), of_groups=name in rows.groups)
            for label in different
        }
        others = [label for label in different if kinds[label] is None]
        for label, kind in kinds.items():
            if kind == MAYBE:
                kinds[label] = total_name(label, others, of_groups=False)
        for row, label in enumerate(labels):
            if (kind := kinds[label]) is not None:
                named[row][name] = kind if name in rows.keys else MAYBE
    return named


def _name_blanks(rows: CountRows, named: Sequence[dict[str, str]]) -> None:
    """Add the rows without labels that are, among the rows of their other labels, each the sum of all the rest.

    So a pivot table is saved: where each such row is a sum, the blank is the name of a total; else it is not known.
    """
    blanks = {
        name: np.array([not label.strip() for label in labels])
        for name, labels in {**rows.keys, **rows.context}.items()
        if name not in rows.measured and any(label.strip() for label in labels)
    }
    known = np.array([bool(columns) for columns in named])
    without: dict[tuple[str, ...], list[int]] = {}
    for row in np.flatnonzero(~known & np.logical_or.reduce([*blanks.values(), np.zeros_like(known)])).tolist():
        without.setdefault(tuple(name for name, cells in blanks.items() if cells[row]), []).append(row)
    looked_at = 0
    for columns in sorted(without, key=len):
        members = np.array(without[columns])
        looked_at += members.size
        if 2 * members.size > known.size or looked_at > _MOST_UNSURE:
            continue
        for names in ([*rows.keys, *rows.context], [*rows.keys]):
            sums = _sums_of_all(rows, members, [name for name in names if name not in columns], known)
            if sums is not None:
                for row in sums:
                    named[row].update(dict.fromkeys(columns, NAMED))
                known[sums] = True
                break


def _sums_of_all(rows: CountRows, members: Whole, names: Sequence[str], known: Flags) -> list[int] | None:
    """Return the largest member of each block of rows of the same labels, if each is the sum of the block's others."""
    sums: list[int] = []
    exact, most = 0, 0
    left = members
    while left.size:
        same = _same(rows, int(left[0]), names) & ~known
        within, left = members[same[members]], left[~same[left]]
        row = int(within[np.argmax(rows.high[within].sum(axis=1))])
        same[row] = False
        parts = np.flatnonzero(same & rows.high.any(axis=1))
        telling = _telling(rows, row, parts)
        if telling is None or np.isin(parts, members).all():
            return None
        sums.append(row)
        exact, most = exact + min(telling[0], int(np.count_nonzero(rows.high[row]))), max(most, parts.size)
    # One count alone, or one row, has the same counts as another too often; and no count is a sum of none.
    return sums if exact > 1 and most > 1 else None


def _settled(rows: CountRows, named: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Return the names of totals, the surest column first; what may be a name is one where the counts are sums."""
    settled = [
        {name: kind for kind in (NAMED, MAYBE) for name in columns if columns[name] == kind} for columns in named
    ]
    maybe: dict[tuple[str, str], list[int]] = {}
    for row, columns in enumerate(settled):
        if columns and NAMED not in columns.values():
            column = next(iter(columns))
            maybe.setdefault((column, _label(rows, column, row)), []).append(row)
    unsure = {row for members in maybe.values() for row in members}
    if len(unsure) > _MOST_UNSURE:
        return [{} if row in unsure else columns for row, columns in enumerate(settled)]
    for members in maybe.values():
        alone = [columns if row in members or row not in unsure else {} for row, columns in enumerate(settled)]
        sums = sum(
            any(_named_parts(rows, row, list(named[row]), names, sure=False) is not None for names in (named, alone))
            for row in members
        )
        # Where half of the rows are sums, the others are totals that are no sums.
        if 2 * sums < len(members):
            for row in members:
                settled[row] = {}
    return settled


def _named_parts(
    rows: CountRows, row: int, columns: Sequence[str], named: Sequence[Mapping[str, str]], *, sure: bool = True
) -> Whole | None:
    """Return the rows, none of them a total, that a row is the sum of, where their other labels are the same.

    The others may be the same in the columns of options, or in all; or they are its neighbours above or below.
    Blank cells may be the same, or of any label. Where the name is not sure, bounds must be narrow, and a row alone is
    no sum unless other labels are the same, too.
    """
    every = {**rows.keys, **rows.context}
    blank = [name for name in rows.keys if name not in columns and not every[name][row].strip()]
    total = np.array([bool(other) for other in named])
    total[row] = True
    least = 1 if sure else 2
    for free in ([*columns], [*columns, *blank]) if blank else ([*columns],):
        within = np.array([any(name in other for name in free) for other in named])
        within[row] = True
        for names in (rows.keys, every):
            same = _same(rows, row, [name for name in names if name not in free])
            # Sums of sums: of all men over the rows that are totals of the other attribute.
            for parts in (np.flatnonzero(same & ~total), np.flatnonzero(same & ~within)):
                enough = parts.size >= least or set(rows.keys) - set(free)
                if enough and _equals(rows, row, parts, telling=not sure):
                    return parts
            rest = np.flatnonzero(same & ~total)
            for block in _blocks_beside(rows, row, rest):
                if block.size >= least and _equals(rows, row, block, telling=not sure):
                    return block
            if sure and (run := _run_without_sums(rows, row, rest)) is not None:
                return run
    return None


def _run_without_sums(rows: CountRows, row: int, rest: Whole) -> Whole | None:
    """Return neighbours that a row is the sum of, or all rows but one that is itself the sum of neighbours."""
    if rest.size > _MOST_NEIGHBOURS or not rows.high[row].any():
        return None
    if (run := _run_of(rows, row, rest)) is not None:
        return run
    low, high = rows.low[rest], rows.high[rest]
    without = (low.sum(axis=0) - low <= rows.high[row]) & (high.sum(axis=0) - high >= rows.low[row])
    for sub in rest[without.all(axis=1)].tolist():
        parts: Whole = rest[rest != sub]
        if _equals(rows, row, parts, telling=True) and _run_of(rows, sub, parts) is not None:
            return parts
    return None


def _same(rows: CountRows, row: int, names: Sequence[str]) -> Flags:
    """Return which rows have the labels of a row in some columns."""
    same = np.ones(rows.low.shape[0], dtype=np.bool_)
    for name in names:
        same &= rows.codes[name] == rows.codes[name][row]
    return same


def _telling(rows: CountRows, row: int, parts: Whole) -> tuple[int, int] | None:
    """Return how many counts of a row are those of other rows together, exactly and closely; None where one isn't.

    Counts that are not known exactly may be equal; that tells something where their bounds are narrower than a count.
    """
    low, high = rows.low[parts].sum(axis=0), rows.high[parts].sum(axis=0)
    if not parts.size or (low > rows.high[row]).any() or (high < rows.low[row]).any():
        return None
    width = high - low + rows.high[row] - rows.low[row]
    return int((width == 0).sum()), int(((width == 0) | (width < rows.low[row])).sum())


def _equals(rows: CountRows, row: int, parts: Whole, *, telling: bool = False) -> bool:
    """Say whether the counts of a row are, or can be, those of other rows together."""
    found = _telling(rows, row, parts)
    return found is not None and (not telling or found[1] > 0)


def _is_exact(rows: CountRows, row: int, parts: Whole) -> bool:
    found = _telling(rows, row, parts)
    return found is None or found[0] == rows.low.shape[1]


def _blocks_beside(rows: CountRows, row: int, members: Whole) -> Iterator[Whole]:
    """Yield the runs of rows that end above a row or begin below it, as long as they may be its parts."""
    above, below = members[members < row][::-1], members[members > row]
    for side in (above, below):
        sums = rows.low[side].cumsum(axis=0)
        fits = int((sums <= rows.high[row]).all(axis=1).sum())
        for size in range(1, fits + 1):
            yield side[:size]


def _sums(rows: CountRows, known: Flags) -> Iterator[tuple[str, str, dict[int, Whole]]]:
    """Yield labels whose counts are, in each row of them, the sum of others: column, label and rows with their parts.

    Without a name bounds must be narrow, and a count must be equal.
    """
    for column in rows.keys:
        if column in rows.measured:
            continue
        others = [name for name in rows.keys if name != column]
        cells: dict[tuple[str, ...], list[int]] = {}
        for row in np.flatnonzero(~known).tolist():
            cells.setdefault(tuple(rows.keys[name][row] for name in others), []).append(row)
        sums: dict[str, dict[int, Whole | None]] = {}
        for members in cells.values():
            for row, parts in _sums_within(rows, np.array(members), runs=column not in rows.apart):
                sums.setdefault(rows.keys[column][row], {})[row] = parts
        for label, results in sums.items():
            complete = {row: parts for row, parts in results.items() if parts is not None}
            # Of rows without a label some may be sums, and others of people whose label is not known.
            if len(complete) < len(results) and (label.strip() or 2 * len(complete) < len(results)):
                continue
            matches = [_telling(rows, row, parts) or (0, 0) for row, parts in complete.items()]
            # One count alone is the sum of some others too often.
            if sum(exact for exact, _ in matches) > 0 and sum(close for _, close in matches) > 1:
                yield column, label, complete


def _sums_within(rows: CountRows, members: Whole, *, runs: bool) -> Iterator[tuple[int, Whole | None]]:
    """Yield each row, and what it is the sum of: all the rest, two or more, or with `runs` some neighbours."""
    filled = members[rows.high[members].sum(axis=1) > 0]
    low, high = rows.low[filled].sum(axis=0), rows.high[filled].sum(axis=0)
    for row in members.tolist():
        parts = None
        if rows.high[row].any() and filled.size > 2:
            may_be_all = (low - rows.low[row] <= rows.high[row]).all() and (
                high - rows.high[row] >= rows.low[row]
            ).all()
            if may_be_all:
                parts = filled[filled != row]
            elif runs and filled.size <= _MOST_NEIGHBOURS:
                parts = _run_of(rows, row, filled[filled != row])
        yield row, parts


def _run_of(rows: CountRows, row: int, rest: Whole) -> Whole | None:
    """Return the first neighbours, two or more, whose counts are, or can be, together those of a row."""
    size = rest.size
    first, last = np.arange(size) + 2, np.full(size, size)
    for count in range(rows.low.shape[1]):
        low, high = (np.concatenate([[0], ends[rest, count].cumsum()]) for ends in (rows.low, rows.high))
        last = np.minimum(last, np.searchsorted(low, rows.high[row, count] + low[:-1], side="right") - 1)
        first = np.maximum(first, np.searchsorted(high, rows.low[row, count] + high[:-1], side="left"))
    starts = np.flatnonzero(first <= last)
    if not starts.size:
        return None
    start = starts[np.argmin(first[starts])]
    return rest[start : first[start]]


def _refuse_stacked(rows: CountRows, column: str, by: str, members: Sequence[int], *, known: Flags, place: str) -> None:
    """Raise InputError where rows are the sum of several runs: then a column holds several attributes.

    Without the name of a total the runs must be all other rows, as small counts are sums of others by chance.
    """
    if by == "name" or column not in rows.groups or len(members) * rows.low.shape[1] < 2:
        return
    blocks: list[Whole] = []
    for row in members:
        same = _same(rows, row, [name for name in rows.keys if name != column]) & ~known & rows.high.any(axis=1)
        same[list(members)] = False
        rest, blocks = np.flatnonzero(same), []
        while (run := _run_of(rows, row, rest)) is not None and _equals(rows, row, run, telling=True):
            blocks.append(run)
            rest = rest[rest > run[-1]]
        if len(blocks) < 2 or (by == "sum" and sum(map(len, blocks)) < same.sum()):
            return
    labels = [[rows.keys[column][other] for other in block] for block in blocks]
    parts = [listed(names, most=_MOST_NAMED, quotes=True) for names in labels[:2]]
    raise InputError(
        f"{place.format(row=members[-1] + 1)}, {quoted(_label(rows, column, members[-1]))} of {quoted(column)}, "
        f"is the sum of {parts[0]}, and again of {parts[1]}: one column has several attributes, so people are "
        f"counted more than once. {_each_alone(rows, column, labels[0])}."
    )


def _each_alone(rows: CountRows, column: str, labels: Sequence[str]) -> str:
    """Return how to count the groups of one attribute alone."""
    if column in rows.in_header:
        return f"Give each attribute alone in {option_text('counts')}"
    within = ", ".join(map(sql_text, labels))
    return f"Give a table for each, or {condition_text(column, f'in ({within})')}"


def stacked_notes(rows: CountRows, left_out: Flags, *, place: str) -> list[str]:
    """Return what to say of columns that may have several attributes below each other, so that people count twice.

    Blocks of rows whose counts have the same sums may do so by chance. Labels of two attributes don't.

    Raises
    ------
    InputError
        The labels are of two attributes, two or more of each, or their blocks have the same sums.

    """
    notes = []
    for column in sorted(rows.groups & rows.keys.keys()):
        first: dict[str, int] = {}
        for row in np.flatnonzero(~left_out).tolist():
            first.setdefault(rows.keys[column][row], row)
        named: dict[str, list[str]] = {}
        for label in first:
            if (attribute := attribute_of(label)) is not None:
                named.setdefault(attribute, []).append(label)
        blocks, sums = _equal_blocks(rows, column, ~left_out)
        of_blocks = [kinds for block in blocks if (kinds := {attribute_of(label) for label in block} - {None})]
        sure = [attribute for attribute, labels in named.items() if len(labels) >= _LEAST_STACKED]
        if len(sure) > 1 or (len(of_blocks) > 1 and not set.intersection(*of_blocks)):
            one, other = (sure if len(sure) > 1 else [*named])[:2]
            label = named[other][0]
            begin = "" if column in rows.in_header else f"{place.format(row=first[label] + 1)}, "
            raise InputError(
                f"{begin}{quoted(label)} of {quoted(column)}{begin and ','} is a group of {other}, and "
                f"{listed(named[one], most=_MOST_NAMED, quotes=True)} are groups of {one}: one column has both, "
                f"so people are counted more than once. {_each_alone(rows, column, named[one])}."
            )
        if blocks:
            parts = [listed(block, most=_MOST_NAMED, quotes=True) for block in blocks[:2]]
            notes.append(
                f"The counts of {parts[0]} of {shortened(column)} have the same sums ({listed(sums)}) as those of "
                f"{parts[1]}, which may be chance. If they are the same people, these are counted more than once. "
                f"{with_options(_each_alone(rows, column, blocks[0]), flag)}."
            )
    return notes


def _equal_blocks(rows: CountRows, column: str, used: Flags) -> tuple[list[list[str]], list[str]]:
    """Return blocks of labels, two or more each, whose counts have the same sums in all cells of other columns.

    The second result are the sums. There are none where a label is in several blocks, or their counts are the same.
    """
    others = [name for name in rows.keys if name not in {column, *rows.apart, *rows.measured}]
    cells: dict[tuple[str, ...], int] = {}
    places: dict[tuple[str, int], int] = {}
    times: dict[tuple[int, str], int] = {}
    at: list[tuple[int, int, int]] = []
    for row in np.flatnonzero(used & rows.high.any(axis=1)).tolist():
        cell = cells.setdefault(tuple(rows.keys[name][row] for name in others), len(cells))
        label = rows.keys[column][row]
        time = times[cell, label] = times.get((cell, label), 0) + 1
        at.append((places.setdefault((label, time), len(places)), cell, row))
        if len(places) > _MOST_STACKED or len(cells) > _MOST_CELLS:
            return [], []
    ends = np.zeros((2, len(places), len(cells), rows.low.shape[1]), dtype=np.int64)
    for place, cell, row in at:
        ends[:, place, cell] = rows.low[row], rows.high[row]
    low, high = ends.reshape(2, len(places), len(cells) * rows.low.shape[1])
    labels = [label for label, _ in places]
    for blocks in _runs_of_one_sum(low, high):
        parts = [labels[block] for block in blocks]
        known = [{label for label in part if not is_unknown(label)} for part in parts]
        counts = [sorted(map(tuple, low[block])) for block in blocks]
        if sum(map(len, known)) == len(set.union(*known)) and counts[0] != counts[1]:
            sums = ends[0, blocks[0]].sum(axis=(0, 1))
            return parts, [f"{count:,}" for count in sums]
    return [], []


def _runs_of_one_sum(low: Whole, high: Whole) -> Iterator[list[slice]]:
    """Yield the ways to divide rows into runs, of two or more, whose counts have, or can have, the same sums."""
    least, most = (np.vstack([np.zeros_like(low[:1]), part.cumsum(axis=0)]) for part in (low, high))
    for size in range(_LEAST_STACKED, len(low) - 1):
        width = most[size] - least[size]
        if not (width == 0).any() or (width < least[size]).sum() < 2:
            continue  # one count alone has the same sum too often
        ends = [0, size]
        while (start := ends[-1]) < len(low):
            after = slice(start + _LEAST_STACKED, None)
            fits = (least[after] - least[start] <= most[size]) & (most[after] - most[start] >= least[size])
            place = np.flatnonzero(fits.all(axis=1))
            if not place.size:
                break
            ends.append(start + _LEAST_STACKED + int(place[0]))
        else:
            yield [slice(*pair) for pair in pairwise(ends)]


def sql_text(value: str) -> str:
    """Return a text as a condition has it."""
    return "'" + value.replace("'", "''") + "'"


def condition_text(column: str, is_true: str) -> str:
    """Return `--where` with a condition on a column, as a message has it."""
    name = column if column.isidentifier() else '\\"' + column + '\\"'
    return option_text("where", f'"{name} {is_true}"')


def _parts_text(rows: CountRows, column: str, members: Mapping[int, Whole], known: Flags) -> str | None:
    """Return the labels that a row is the sum of, where they are few; None where they are all others with a name."""
    row, parts = next(iter(members.items()))
    same = _same(rows, row, [name for name in rows.keys if name != column])
    same[row] = False
    rest = np.flatnonzero(same & ~known & rows.high.any(axis=1))
    if np.isin(rest, parts).all():
        return None if known[row] else "all others"
    names = list(dict.fromkeys(rows.keys.get(column, rows.context.get(column, ()))[part] for part in parts))
    return listed(names, most=_MOST_NAMED, quotes=True)


def _not_the_sum(rows: CountRows, row: int, column: str, place: str) -> str:
    label = _label(rows, column, row)
    named = quoted(label)
    return (
        f"{place.format(row=row + 1)} is called {named} in {quoted(column)}, the name of a total, but its counts "
        f"({listed([f'{count:,}' for count in rows.low[row]], most=2)}) are not the sum of all other rows, nor of some "
        f"that follow each other: say {option_text('totals', 'drop')} to leave it out, or "
        f"{option_text('totals', 'keep')} if it is a group."
    )
