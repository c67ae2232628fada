"""Tables of counts as people publish them, brought into plain whole numbers before they are counted.

Such a table is small, so its rows are read once: columns of several groups become rows, selection rates numbers of
people, counts that are not shown ranges, and totals are left out. A larger table stays in its engine as it is.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import ibis
import numpy as np
import polars as pl

from evenhand.data.applicant_query import MOST_PEOPLE, ApplicantQuery
from evenhand.data.conditions import FilteredRows
from evenhand.data.count_tables import count_in, problem_of_count
from evenhand.data.databases import opened_rows
from evenhand.data.group_labels import label_rules
from evenhand.data.labels import text_of
from evenhand.data.open_table import OpenTable, checked_column, is_text
from evenhand.data.published_cells import Range, Rate, read_rates, suppressed_count
from evenhand.data.totals import CountRows, condition_text, stacked_notes, total_rows
from evenhand.errors import InputError, option_text
from evenhand.results.applicant_audit import TotalRows
from evenhand.results.messages import quoted, shortened

#: A table of more rows is counted in its engine, and totals are not looked for in it.
MOST_ROWS = 20_000
#: Columns of text, besides those of options, in which a total may be named.
_MOST_CONTEXT = 20


@dataclass(frozen=True, kw_only=True)
class PublishedCounts:
    """The rows to count, and the totals among them.

    Where counts are not known exactly, `lowest` and `highest` are the same rows with the lowest and the highest
    selection rate. `suppressed` says that such counts are not shown, so that no number stands for them; else it is
    the rates that are rounded, to `decimals` decimals.
    """

    table: OpenTable
    query: ApplicantQuery
    filtered: FilteredRows
    totals: tuple[TotalRows, ...] = ()
    lowest: FilteredRows | None = None
    highest: FilteredRows | None = None
    suppressed: int = 0
    decimals: tuple[int, ...] = ()


def published_counts(
    table: OpenTable,
    query: ApplicantQuery,
    filtered: FilteredRows,
    closing: ExitStack,
    *,
    more: Mapping[str, str] | None = None,
) -> PublishedCounts:
    """Return the rows of a table of counts in whole numbers, without totals; other tables as they are.

    `more` are further columns by which people are counted, each with its option.

    Raises
    ------
    InputError
        A cell is no count and no rate, or a row is a total by its name and not by its counts, and nobody says what
        it is.

    """
    as_it_is = PublishedCounts(table=table, query=query, filtered=filtered)
    if query.count is None and query.applicants is None and not query.wide:
        return as_it_is
    source = _Source(table=table, query=query, filtered=filtered, keys=key_columns(query) | dict(more or {}))
    frame = source.read()
    if frame is None:
        if source.plain:
            return as_it_is
        option = "counts" if query.wide else "selection_rate" if query.selection_rate else "suppressed"
        raise InputError(f"{table.name} has more than {MOST_ROWS:,} rows, too many for {option_text(option)}.")
    cells = source.cells(frame)
    if cells is None:
        return as_it_is  # the engine names the cell
    rows = source.count_rows(cells.frame, cells)
    source.refuse_margins(rows)
    place = source.place("{row}", capital=True)
    left_out, totals = total_rows(rows, totals=query.totals, place=place)
    table = replace(table, notes=(*stacked_notes(rows, left_out, place=place), *table.notes))
    if query.wide:  # a row of the table is one for each group here
        among = len(query.wide)
        totals = tuple(
            entry if entry.column == query.protected[0] else replace(entry, rows=-(-entry.rows // among))
            for entry in totals
        )
    retained = cells.take(~left_out)
    if source.plain and not left_out.any():
        return replace(as_it_is, table=table, totals=totals)
    plain, whole = source.plain_query()

    def opened(applicants: np.ndarray[Any, Any], selected: np.ndarray[Any, Any] | None) -> FilteredRows:
        columns = [] if query.funnel else [pl.Series(whole[0], applicants)]
        columns += [] if selected is None or query.funnel else [pl.Series(whole[1], selected)]
        rows = opened_rows(
            retained.frame.with_columns(columns), name=table.name, details=table.details, closing=closing
        )
        return FilteredRows(expr=rows.expr, left_out=filtered.left_out)

    low, high = retained.low, retained.high
    # The fewest people that there can be; rates are lowest with the fewest selected of the most people.
    main = opened(low[:, 0], retained.central[:, 1] if low.shape[1] > 1 else None)
    notes = [*table.notes]
    if cells.unsigned:
        notes.append(
            f"Numbers of {quoted(query.selection_rate or '')} without a percent sign were read as percentages, as its "
            "name says."
        )
    result = PublishedCounts(
        table=replace(
            table, expr=main.expr, as_text=False, ordered=False, notes=tuple(notes), rows=retained.frame.height
        ),
        query=plain,
        filtered=main,
        totals=totals,
        suppressed=int((low != high).sum()) if query.selection_rate is None else 0,
        decimals=tuple(sorted(retained.decimals)),
    )
    if low.shape[1] == 1 or (low == high).all():
        return result
    return replace(
        result,
        lowest=opened(high[:, 0], low[:, 1]),
        highest=opened(np.maximum(low[:, 0], high[:, 1]), high[:, 1]),
    )


def key_columns(query: ApplicantQuery) -> dict[str, str]:
    """Return the columns by whose labels people are counted, each with its option."""
    people = query.applicants is None and not query.wide
    selected = query.selected if people and not query.is_funnel else None
    single = {"--position": query.position, "--stage": query.stage, "--age": query.age, "--selected": selected}
    single |= {
        "--period": query.period,
        "--furthest": query.furthest,
        "--score": query.score,
        "--against": query.against,
    }
    several = {"--protected": query.protected, "--eeo1": query.eeo1 or (), "--given": query.given}
    several |= {"--cluster": query.clusters, "--block": query.blocks, "--funnel": query.funnel if people else ()}
    attribute = query.protected[0] if query.wide else None
    columns = {name: option for option, names in several.items() for name in names if name not in {None, attribute}}
    return columns | {name: option for option, name in single.items() if name is not None}


@dataclass(frozen=True, kw_only=True)
class _Cells:
    """The rows with their counts: the lowest, the highest and the one in the middle, shape (rows, counts)."""

    frame: pl.DataFrame
    low: np.ndarray[Any, np.dtype[np.int64]]
    high: np.ndarray[Any, np.dtype[np.int64]]
    central: np.ndarray[Any, np.dtype[np.int64]]
    decimals: frozenset[int] = frozenset()
    unsigned: bool = False

    def take(self, rows: np.ndarray[Any, np.dtype[np.bool_]]) -> "_Cells":
        return replace(
            self,
            frame=self.frame.filter(pl.Series(rows)),
            low=self.low[rows],
            high=self.high[rows],
            central=self.central[rows],
        )


@dataclass(frozen=True, kw_only=True)
class _Source:
    """A table of counts and what is asked of it."""

    table: OpenTable
    query: ApplicantQuery
    filtered: FilteredRows
    keys: Mapping[str, str]

    @property
    def plain(self) -> bool:
        """Say whether an engine can count the table as it is, its totals apart."""
        return self.query.suppressed is None and self.query.selection_rate is None and not self.query.wide

    @property
    def columns(self) -> list[tuple[str | None, dict[str, str]]]:
        """The groups that have columns of their own, None for rows that are groups; and their columns by option."""
        query = self.query
        if query.wide:
            return [(label, {"--counts ": n, "--counts": selected}) for label, selected, n in query.wide]
        if query.applicants is not None and query.funnel:
            return [(None, {"--funnel" + " " * place: name for place, name in enumerate(query.funnel)})]
        named = {"--count": query.count, "--applicants": query.applicants, "--selected-count": query.selected_count}
        named["--selection-rate"] = query.selection_rate
        return [(None, {option: name for option, name in named.items() if name is not None})]

    def place(self, row: int | str, *, capital: bool = False) -> str:
        """Return how a message names a row: by its number where the table keeps the order of a file."""
        numbered = self.table.numbers(self.filtered.expr)
        text = f"row {row} of {self.table.name}" if numbered else f"a row of {self.table.name}"
        return text[:1].upper() + text[1:] if capital else text

    def read(self) -> pl.DataFrame | None:
        """Return the columns that are counted and some others of text; None for a large table."""
        table = self.table
        keys = self.keys
        for name, option in keys.items():
            checked_column(table, name, option)
        counts = {name: option.strip() for _, columns in self.columns for option, name in columns.items()}
        whole = {}
        for name, option in counts.items():
            column = checked_column(table, name, option)
            if option != "--selection-rate":
                count = count_in(column)
                # The funnel has checked its cells: those that hold no number are blank, and there is nobody.
                whole[f"count {name}"] = ibis.coalesce(count, 0) if option == "--funnel" else count
        others = [
            name
            for name in table.expr.columns
            if name not in {*keys, *counts} and is_text(table.expr[name]) and name not in table.damaged
        ]
        rows = self.filtered.expr
        columns = [*keys, *counts, *others[:_MOST_CONTEXT]]
        frame = table.fetch(rows.select(*columns, **whole).limit(MOST_ROWS + 1), most=MOST_ROWS + 1)
        return None if frame.height > MOST_ROWS else frame

    def cells(self, frame: pl.DataFrame) -> _Cells | None:
        """Return the counts of the rows; None where a cell is no count and an engine can say so."""
        parts, decimals, unsigned = [], set(), False
        for label, columns in self.columns:
            ranges: list[list[tuple[int, int, int]]] = []
            for option, name in columns.items():
                if option == "--selection-rate":
                    applicants = [central for _, _, central in ranges[0]]
                    selected, rates = self._selected(frame[name].to_list(), applicants, name)
                    unsigned = unsigned or any(rate.unsigned for rate in rates)
                    ranges.append(selected)
                    decimals |= {rate.decimals for rate in rates}
                    continue
                counts = self._counts(frame[name].to_list(), frame[f"count {name}"].to_list(), option.strip(), name)
                if counts is None:
                    return None
                ranges.append(counts)
            values = np.array(ranges, dtype=np.int64).transpose(1, 0, 2).reshape(frame.height, len(ranges), 3)
            parts.append(
                (frame if label is None else frame.with_columns(pl.lit(label).alias(self.query.protected[0])), values)
            )
        rows = np.arange(frame.height)
        order = np.argsort(np.tile(rows, len(parts)), kind="stable")  # the groups of a row stay together
        values = np.concatenate([values for _, values in parts])[order]
        together = pl.concat([part for part, _ in parts])[order]
        low, high = values[:, :, 0].copy(), values[:, :, 1].copy()
        if low.shape[1] > 1:
            self._check_selected(low, high, order % max(frame.height, 1))
            low[:, 0], high[:, 1] = np.maximum(low[:, 0], low[:, 1]), np.minimum(high[:, 1], high[:, 0])
        central = np.where(low == high, low, values[:, :, 2]) if self.query.selection_rate else low
        return _Cells(
            frame=together, low=low, high=high, central=central, decimals=frozenset(decimals), unsigned=unsigned
        )

    def _counts(
        self, cells: Sequence[Any], counts: Sequence[int | None], option: str, name: str
    ) -> list[tuple[int, int, int]] | None:
        """Return the range of each count; None where a cell is none that may be counted."""
        ranges = []
        for row, (cell, count) in enumerate(zip(cells, counts, strict=True), start=1):
            known: Range | None = None if count is None else (count, count)
            if known is None and self.plain:
                return None
            text = text_of(cell) or ""
            if known is None and self.query.suppressed is not None:
                try:
                    known = suppressed_count(text, self.query.suppressed)
                except InputError as error:
                    raise InputError(
                        f"{option} {name}: {self.place(row)} holds {quoted(text.strip())}, {error.args[0]}"
                    ) from error
            if known is None:
                problem = problem_of_count(text, name, may_be_hidden=self.query.suppressed is None)
                raise InputError(f"{option} {name}: {self.place(row)} {problem}")
            ranges.append((*known, known[0]))
        return ranges

    def _selected(
        self, cells: Sequence[Any], applicants: Sequence[int], name: str
    ) -> tuple[list[tuple[int, int, int]], list[Rate]]:
        """Return the range of those selected in each row, and the rates."""
        selected, rates = [], []
        for row, (cell, rate, n) in enumerate(
            zip(cells, read_rates([text_of(cell) for cell in cells], name), applicants, strict=True), start=1
        ):
            begin = f"{option_text('selection_rate', name)}: {self.place(row)}"
            if isinstance(rate, str):
                raise InputError(f"{begin} holds {quoted(str(cell).strip())}, which {rate}.")
            if rate is None:
                if n:
                    raise InputError(f"{begin} is empty; leave the row out, or give its rate.")
                selected.append((0, 0, 0))
                continue
            counted = rate.selected(n)
            if counted is None:
                raise InputError(
                    f"{begin} holds {quoted(str(cell).strip())}, but no whole number of {n:,} people gives this "
                    "rate; correct the rate or the number of applicants."
                )
            rates.append(rate)
            selected.append((*counted[1], counted[0]))
        return selected, rates

    def _check_selected(
        self, low: np.ndarray[Any, Any], high: np.ndarray[Any, Any], rows: np.ndarray[Any, Any]
    ) -> None:
        """Raise InputError where more people are selected than applied, or there are too many."""
        if self.plain:
            return  # the engine checks them
        wrong = np.flatnonzero(low[:, 1] > high[:, 0])
        if wrong.size:
            row = int(wrong[0])
            raise InputError(
                f"{self.place(int(rows[row]) + 1, capital=True)} has {low[row, 1]:,} selected of "
                f"{high[row, 0]:,}; correct the row, or swap the columns."
            )
        if high[:, 0].astype(np.float64).sum() > MOST_PEOPLE:
            raise InputError(
                f"{self.table.name} has more than {MOST_PEOPLE:,} people in all; expected numbers of people."
            )

    def count_rows(self, frame: pl.DataFrame, cells: _Cells) -> CountRows:
        """Return the rows for finding totals."""
        query, counts = self.query, {name for _, columns in self.columns for name in columns.values()}
        keys = [*self.keys, *([query.protected[0]] if query.wide else [])]
        others = [name for name in frame.columns if name not in {*keys, *counts} and not name.startswith("count ")]

        def labels(name: str) -> list[str]:
            return [" ".join((text_of(value) or "").split()) for value in frame[name].to_list()]

        rules = label_rules(query.unknown, query.mapped, columns=query.mapped_columns)
        groups = frozenset({*query.protected, *(query.eeo1 or ())})
        return CountRows(
            keys={name: labels(name) for name in keys},
            mapped={name: rules.mapped(name, labels(name)) for name in keys if name in groups & rules.maps.keys()},
            groups=groups,
            in_header=frozenset(query.protected[:1] if query.wide else ()),
            apart=frozenset({*query.clusters, *query.blocks}),
            measured=frozenset(name for name in (query.score, query.against) if name is not None),
            context={name: labels(name) for name in others},
            low=cells.low,
            high=cells.high,
        )

    def refuse_margins(self, rows: CountRows) -> None:
        """Raise InputError where each row has a group in one of the columns only: totals of several attributes."""
        filled = {name: np.array([bool(label) for label in rows.keys[name]]) for name in self.query.protected}
        several = [name for name, cells in filled.items() if cells.sum() > 1]
        if len(several) > 1 and (np.array(list(filled.values())).sum(axis=0) <= 1).all():
            one, other = several[:2]
            raise InputError(
                f"Each row of {self.table.name} has a group in {quoted(one)} or in {quoted(other)}, none in "
                "both: these are totals of each attribute, which count the same people twice. Analyse each "
                f"attribute alone: {option_text('protected', shortened(one))} "
                f"{condition_text(one, 'is not null')}."
            )

    def plain_query(self) -> tuple[ApplicantQuery, tuple[str, str]]:
        """Return the query of the plain rows, and the names of their columns of counts."""
        query = self.query
        if query.wide:
            applicants, selected = (" + ".join(shortened(columns[place]) for columns in query.wide) for place in (2, 1))
        else:
            applicants = query.count or query.applicants or ""
            selected = query.selected_count or query.selection_rate or ""
        plain = replace(query, suppressed=None, selection_rate=None, wide=(), where=(), totals=None)
        if query.count is None and not query.funnel:
            plain = replace(plain, applicants=applicants, selected_count=selected, selected=selected)
        return plain, (applicants, selected)
