"""Funnels: one row per person or group with every stage that was reached, as rows of each stage with a decision.

A funnel has a column for each stage (dates, yes and no, or counts), or one column with the furthest stage. From each
stage to the next it becomes the rows that `--stage` reads: those who reached a stage, selected where they reached the
next one. The last rows are of the bottom line, in which everybody is followed from the first stage to the last.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Final

import ibis

from evenhand.data.applicant_query import MOST_PEOPLE, NOT_SELECTED, SELECTED, ApplicantQuery
from evenhand.data.conditions import filtered_rows
from evenhand.data.count_tables import by_decision, count_in, people, weight_of
from evenhand.data.group_labels import label_rules
from evenhand.data.labels import EMPTY, MOST_VALUES, NO, YES, as_typed, fold, labels_of, named_values, plain_value
from evenhand.data.open_table import OpenTable, checked_column, is_text
from evenhand.data.published_cells import suppressed_range
from evenhand.data.score_cells import first_row
from evenhand.data.stages import BOTTOM_LINE, Stages
from evenhand.data.written_numbers import THOUSANDS, with_plain_numbers
from evenhand.errors import InputError, option_text
from evenhand.results.messages import listed, quoted, shortened

#: A cell as it is classified: every day is one value, and so is every number of people above 1.
_DAY, _PEOPLE = "(a day)", "(a number of people)"
#: What a cell says of its stage. The states of a row, as digits of one number, are its code.
_BLANK, _NOT_REACHED, _UNDECIDED, _REACHED = range(4)
_STATES = 4
#: A stage has more people than the one before it: as many lack the earlier one that the order is doubtful.
_MOST_SKIPPED = 0.1
#: Days as a program may number them: since 1900, as YYYYMMDD, as seconds since 1970. No funnel has only such counts.
_DAY_NUMBERS: Final = ((30_000, 60_000), (19_000_101, 21_001_231), (10**9, MOST_PEOPLE))
#: Days before 1902 and after 2099, and the first one that computers count, stand for none.
_FIRST_YEAR, _LAST_YEAR, _EPOCH = 1902, 2099, "1970-01-01"
_MOST_LISTED = 6


@cache
def _words() -> Mapping[str, Mapping[str, list[str]]]:
    return tomllib.loads(files("evenhand.data").joinpath("funnels.toml").read_text("utf-8"))


@cache
def _meaning(name: str) -> frozenset[str]:
    return frozenset(fold(word) for words in _words()[name].values() for word in words)


@cache
def _written_day() -> str:
    """Return the pattern of a day in any usual order, in lower case: 2026-03-01, 1.3.26, 03/31/26, 1 march, mar-26."""
    day, month, year = "(0?[1-9]|[12][0-9]|3[01])", "(0?[1-9]|1[0-2])", "((19(0[2-9]|[1-9][0-9])|20[0-9]{2})|[0-9]{2})"
    name = f"({'|'.join(month for names in _words()['months'].values() for month in names)})[^0-9 .,/-]*"
    orders = [rf"({day}{sign}{month}|{month}{sign}{day}){sign}{year}" for sign in ("[.] ?", "/", "-")]
    orders += [rf"(19(0[2-9]|[1-9][0-9])|20[0-9]{{2}}){sign}{month}{sign}{day}" for sign in ("-", "/", "[.]")]
    orders += [rf"{name}[ .-]+{year}", rf"{day}[. -]+{name}[ .,-]*{year}", rf"{name}[ .]+{day},? +{year}"]
    return rf"^({'|'.join(orders)})([ ,t]+[0-9]{{1,2}}:[0-9]{{2}}.*)?$"


@dataclass(frozen=True, kw_only=True)
class Reach:
    """How many stages a row reached, and whether the next one is undecided."""

    stages: int
    undecided: bool


@dataclass(frozen=True, kw_only=True)
class Funnel:
    """The stages of a funnel, the table and query that count it, and the columns from which `by_stage` makes rows.

    `columns` are those of the rows: the number of people of each stage, or a code, of which `reached` says how far the
    row came. `sizes` is the number of people at each stage, `missing` those at none. `people` is the accounting of a
    table of counts.
    """

    names: tuple[str, ...]
    column: str
    table: OpenTable
    query: ApplicantQuery
    columns: Mapping[str, Any]
    sizes: tuple[int, ...]
    missing: int = 0
    reached: Mapping[int, Reach] = field(default_factory=dict)
    people: dict[str, Any] | None = None
    notes: tuple[str, ...] = field(default=())

    @property
    def steps(self) -> tuple[str, ...]:
        """Return the name of each step, from one stage to the next."""
        return tuple(f"{later} of {earlier}" for earlier, later in pairwise(self.names))

    def by_stage(self, rows: Any) -> Any:
        """Return rows for each stage and for the bottom line, each with a decision.

        Rows that are equal are counted before: engines read the cells of the stages once.
        """
        names = [name for name in rows.columns if name not in self.columns and name != "weight"]
        if self.people is not None:
            rows = rows.group_by(names).aggregate(**{name: rows[name].sum().cast("int64") for name in self.columns})
        elif "unit" not in names:
            rows = rows.group_by([*names, *self.columns]).aggregate(weight=people(rows))
        keys = [rows[name] for name in names]
        last = len(self.names)
        spans = [(at, at + 1, step) for at, step in enumerate(self.steps, 1)]
        spans += [(1, last, BOTTOM_LINE)] if last > 2 else []
        parts = []
        for first, later, name in spans:
            stage = ibis.literal(name).name("stage")
            if self.people is not None:
                weights = {"weight": rows[f"stage_{first}"], "chosen": rows[f"stage_{later}"]}
                parts.append(by_decision(rows.filter(weights["weight"] > 0).select(*keys, stage, **weights)))
                continue
            there = rows.filter(rows.code.isin([code for code, reach in self.reached.items() if reach.stages >= first]))
            cases = [
                (code, SELECTED if reach.stages >= later else NOT_SELECTED)
                for code, reach in self.reached.items()
                if reach.stages >= first and (reach.stages >= later or not reach.undecided)
            ]
            nothing = ibis.null("string")
            decision = there.code.cases(*cases, else_=nothing) if cases else nothing
            weight = {"weight": there.weight} if "weight" in rows.columns else {}
            parts.append(there.select(*(there[name] for name in names), stage, decision=decision, **weight))
        return ibis.union(parts[0], *parts[1:]) if len(parts) > 1 else parts[0]

    @property
    def stages(self) -> Stages:
        """Return the stages that somebody reached."""
        sizes = {step: n for step, n in zip(self.steps, self.sizes, strict=False) if n}
        return Stages(
            names=tuple(sizes),
            of={name: name for name in (*sizes, BOTTOM_LINE)},
            missing=self.missing,
            left_out={},
            accounting={"column": self.column, "stages": list(sizes), "how": "given", "rows": sizes},
            labels=labels_of((), frozenset()),
            followed=True,
        )


def funnel_of(table: OpenTable, query: ApplicantQuery) -> Funnel:
    """Return the funnel of the rows of a table that meet the conditions.

    Raises
    ------
    InputError
        A column, a stage or a value can't be read, or a row contradicts itself.

    """
    rows = filtered_rows(table, query.where).expr
    funnel = _of_furthest(table, rows, query) if query.furthest is not None else _of_columns(table, rows, query)
    if query.totals is not None and funnel.people is None and query.count is None:
        raise InputError(
            f"{option_text('totals', query.totals)} needs numbers of people; a row of {table.name} is one person."
        )
    return funnel


def _of_furthest(table: OpenTable, rows: Any, query: ApplicantQuery) -> Funnel:
    """Return the funnel of a column with the furthest stage."""
    name = str(query.furthest)
    column = checked_column(table, name, option_text("furthest"))
    selected = rows.select(value=column, **_weight(table, query))
    counted = table.fetch(
        selected.group_by("value").aggregate(n=people(selected)).select("value", "n"), most=MOST_VALUES
    )
    values = list(counted.iter_rows())
    labels = labels_of(values, EMPTY)
    sizes: dict[str, int] = {}
    for value, n in values:
        if (label := labels.of[value]) is not None:
            sizes[label] = sizes.get(label, 0) + n
    order = _joined(query.furthest_order, sizes)
    stages = {fold(stage): place for place, stage in enumerate(order, 1)}
    if len(stages) < len(order):
        raise InputError(f"{option_text('furthest', shortened(name))} names a stage twice: {listed(order)}.")
    if not any(fold(label) in stages for label in sizes):
        raise InputError(
            f"{option_text('furthest', shortened(name))}: none of the stages {listed(order, quotes=True)} is in the "
            f"column {quoted(name)}. Values: {listed(sizes, most=_MOST_LISTED, quotes=True)}."
        )
    undecided = named_values([value for _, value in query.undecided_at], list(sizes), name, option="undecided")
    unread = {label: n for label, n in sizes.items() if fold(label) not in stages and fold(label) not in undecided}
    if unread:
        raise InputError(_unlisted(name, unread, order))
    code_of: dict[Any, int] = {}
    reached = {0: Reach(stages=0, undecided=False)}
    by_code: dict[int, int] = {}
    for value, n in values:
        label = labels.of[value]
        if label is not None:
            place, is_open = stages.get(fold(label), 1), fold(label) in undecided
            code_of[value] = 2 * place + is_open
            reached[code_of[value]] = Reach(stages=place, undecided=is_open)
        code = code_of.get(value, 0)
        by_code[code] = by_code.get(code, 0) + n
    notes = _standing(name, order, {fold(label): n for label, n in sizes.items()}, undecided, len(order))
    return Funnel(
        names=order,
        column=name,
        table=table,
        query=replace(query, selected=order[-1]),
        columns={"code": _code(column, code_of)},
        sizes=_sizes(reached, by_code, len(order)),
        missing=by_code.get(0, 0),
        reached=reached,
        notes=notes,
    )


def _sizes(reached: Mapping[int, Reach], people_of: Mapping[int, int], stages: int) -> tuple[int, ...]:
    """Return the number of people at each stage."""
    return tuple(
        sum(n for code, n in people_of.items() if reached[code].stages >= stage) for stage in range(1, stages + 1)
    )


def _joined(order: Sequence[str], values: Mapping[str, int]) -> tuple[str, ...]:
    """Return the stages, with those parts joined again that are one value with a comma in it."""
    known = {fold(value) for value in values}
    stages: list[str] = []
    parts = list(order)
    while parts:
        longest = next((n for n in range(len(parts), 1, -1) if fold(", ".join(parts[:n])) in known), 1)
        stages.append(", ".join(parts[:longest]))
        parts = parts[longest:]
    return tuple(stages)


def _unlisted(name: str, unread: Mapping[str, int], order: Sequence[str]) -> str:
    """Return what to say of values that are no stage of the order."""
    labels = sorted(unread, key=lambda label: (-unread[label], label))
    named = listed([f"{quoted(label)} ({unread[label]:,})" for label in labels], most=_MOST_LISTED)
    typed = as_typed(f"{shortened(name)}={','.join(map(shortened, labels))}")
    return (
        f"{option_text('furthest')}: the column {quoted(name)} also holds {named}; that does not say which of the "
        f"stages was reached ({listed(order)}). If it is a stage, name it in its place; if not, write in the table how "
        f"far these people came, or leave them out of every count: {option_text('undecided', typed)}."
    )


def _standing(
    name: str, names: Sequence[str], sizes: Mapping[str, int], undecided: frozenset[str], last: int
) -> tuple[str, ...]:
    """Return notes on stages at which nobody stands, and on people who stand at one before the last."""
    absent = [stage for stage in names if fold(stage) not in sizes]
    notes = (f"Nobody in {shortened(name)} stands at {listed(absent, quotes=True)}.",) if absent else ()
    standing = [
        f"{sizes[fold(stage)]:,} at {quoted(stage)}"
        for stage in names[: last - 1]
        if sizes.get(fold(stage)) and fold(stage) not in undecided
    ]
    if not standing:
        return notes
    stage = next(stage for stage in names if sizes.get(fold(stage)) and fold(stage) not in undecided)
    option = f"--undecided {as_typed(f'{shortened(name)}={shortened(stage)}')}"
    return (
        *notes,
        f"{shortened(name)} does not say who is still undecided and who was turned down: people who stand before the "
        f"last stage count as not selected for the next one ({listed(standing)}). {option} leaves those at a stage out "
        "of the count of the next one.",
    )


def _code(column: Any, codes: Mapping[Any, int]) -> Any:
    """Return the code of each row's value, 0 where it has none; the column is in the expression once."""
    return column.cases(*codes.items(), else_=0).cast("int64") if codes else ibis.literal(0, type="int64")


def _weight(table: OpenTable, query: ApplicantQuery) -> dict[str, Any]:
    weight = weight_of(table, query)
    return {} if weight is None else {"weight": weight}


def _of_columns(table: OpenTable, rows: Any, query: ApplicantQuery) -> Funnel:
    """Return the funnel of a column for each stage."""
    columns = {name: checked_column(table, name, option_text("funnel")) for name in query.funnel}
    for name, column in columns.items():
        kind = column.type()
        known = kind.is_null() or kind.is_boolean() or kind.is_numeric() or kind.is_date() or kind.is_timestamp()
        if not (known or is_text(column)):
            raise InputError(
                f"The column {quoted(name)} holds {shortened(str(kind))}; expected the stages of "
                f"{option_text('funnel')}: days, yes and no, or numbers of people."
            )
    marks = {name: _marked(column) for name, column in columns.items()}
    seen = {name: _seen(table, rows, column, query) for name, column in columns.items()}
    if any(_PEOPLE in values for values in seen.values()):
        option = option_text("funnel")
        plain = with_plain_numbers(table, dict.fromkeys(columns, option), counts=True)
        if plain is not table:
            table, rows = plain, filtered_rows(plain, query.where).expr
            marks = {name: _marked(plain.expr[name]) for name in columns}
            seen = {name: _seen(plain, rows, plain.expr[name], query) for name in columns}
        return _of_counts(table, rows, query, marks, seen)
    return _of_people(table, rows, query, marks, seen)


def _seen(table: OpenTable, rows: Any, column: Any, query: ApplicantQuery) -> dict[Any, int]:
    """Return the values of a column, marked, and how many people have each; equal cells are marked once."""
    selected = rows.select(value=column, **_weight(table, query))
    cells = selected.group_by("value").aggregate(n=people(selected))
    marked = cells.select(value=_marked(cells.value), n=cells.n)
    counted = marked.group_by("value").aggregate(n=marked.n.sum()).select("value", "n")
    return dict(table.fetch(counted, most=MOST_VALUES).iter_rows())


def _marked(column: Any) -> Any:
    """Return the cells of a stage as few values: every day is one, and so is every number of people above 1."""
    kind = column.type()
    if kind.is_null():
        return ibis.null("string")
    if kind.is_boolean():
        return ibis.ifelse(column, "true", ibis.ifelse(column.isnull(), ibis.null("string"), "false"))
    if kind.is_date() or kind.is_timestamp():
        text = column.cast("date").cast("string")
        year = column.year()
        none = (year < _FIRST_YEAR) | (year > _LAST_YEAR) | (text == _EPOCH)
        return ibis.cases((column.isnull(), ibis.null("string")), (none, text), else_=_DAY)
    number = (count_in(column) > 1, _PEOPLE)
    if not is_text(column):
        return ibis.cases(number, (column == 0, "0"), (column == 1, "1"), else_=column.cast("string"))
    trimmed = column.strip()
    number = (number[0] | trimmed.re_search(THOUSANDS), _PEOPLE)
    day = trimmed.lower().re_search(_written_day()) & ~trimmed.startswith(_EPOCH)
    return ibis.cases(number, (day, _DAY), else_=trimmed)


def _blank(value: Any) -> bool:
    return value is None or fold(value) in EMPTY


def _of_counts(
    table: OpenTable, rows: Any, query: ApplicantQuery, marks: Mapping[str, Any], seen: Mapping[str, Mapping[Any, int]]
) -> Funnel:
    """Return the funnel of a table with numbers of people."""
    option = option_text("funnel")
    counted = next(name for name, values in seen.items() if _PEOPLE in values)
    for name, values in seen.items():
        odd = [value for value in values if not _blank(value) and value not in {_PEOPLE, "0", "1"}]
        if odd:
            place, (value,) = first_row(table, rows, marks[name].isin(odd), value=table.expr[name].cast("string"))
            if suppressed_range(value) is not None:
                raise InputError(_hidden(place, value, name, query.funnel))
            raise InputError(
                f"{option}: {place} holds {quoted(value)} in {quoted(name)}, but {quoted(counted)} holds numbers of "
                "people; expected numbers in every stage, such as 120, or, if a row is a person, days or yes and no."
            )
    for field_name, given in (("count", query.count), ("unit", query.unit)):
        if given is not None:
            raise InputError(
                f"{option_text(field_name, given)} and {option} with numbers of people in {quoted(counted)} are "
                "both given; the rows are groups, not persons: drop one."
            )
    if query.undecided_at:
        raise InputError(
            f"{option_text('undecided')} needs a row per person; {quoted(counted)} holds numbers of people."
        )
    numbers = {name: ibis.coalesce(count_in(table.expr[name]), 0) for name in seen}
    n_rows, sizes = _totals(table, rows, numbers)
    _check_falling(table, rows, numbers)
    blank = sum(n for values in seen.values() for value, n in values.items() if _blank(value))
    cells = "1 blank cell was" if blank == 1 else f"{blank:,} blank cells were"
    return Funnel(
        names=query.funnel,
        column=", ".join(query.funnel),
        table=table,
        query=replace(query, applicants=query.funnel[0], selected=query.funnel[-1]),
        columns={f"stage_{place}": number for place, number in enumerate(numbers.values(), 1)},
        sizes=sizes,
        people={
            "column": query.funnel[0],
            "selected_column": query.funnel[-1],
            "rows": n_rows,
            "people": sizes[0],
        },
        notes=(f"In the columns of --funnel {cells} read as nobody.",) if blank else (),
    )


def _hidden(place: str, value: str, name: str, stages: Sequence[str]) -> str:
    """Return what to say of a number of people that is not shown."""
    later = max(stages.index(name), 1)
    before, after = (as_typed(shortened(stage)) for stage in stages[later - 1 : later + 1])
    return (
        f"{option_text('funnel')}: {place} holds {quoted(value)} in {quoted(name)}, a count that is not shown; a "
        f"funnel needs counts that are known. For bounds compare one step alone: {option_text('applicants', before)} "
        f"{option_text('selected_count', after)} {option_text('suppressed', '1-4')}, with what such counts may be."
    )


def _check_falling(table: OpenTable, rows: Any, numbers: Mapping[str, Any]) -> None:
    """Raise InputError where a stage has more people than the one before."""
    for earlier, later in pairwise(numbers):
        more = numbers[later] > numbers[earlier]
        if table.fetch(rows.aggregate(n=ibis.ifelse(more, 1, 0).sum()))["n"][0]:
            place, (n, before) = first_row(table, rows, more, n=numbers[later], before=numbers[earlier])
            raise InputError(
                f"{option_text('funnel')}: {place} has {n:,} people in {quoted(later)} and {before:,} in "
                f"{quoted(earlier)}, the stage before; correct the row, or give the stages in their order."
            )


def _totals(table: OpenTable, rows: Any, numbers: Mapping[str, Any]) -> tuple[int, tuple[int, ...]]:
    """Return how many rows there are, and how many people at each stage.

    Raises
    ------
    InputError
        There is nobody, or too many, or the numbers look like days.

    """
    names = listed(numbers, quotes=True)
    first = next(iter(numbers))
    sums = {"rows": rows.count()}
    for place, number in enumerate(numbers.values()):
        sums |= {f"sum_{place}": number.cast("float64").sum()}
        sums |= {f"low_{place}": number.min(where=number > 0), f"high_{place}": number.max()}
    found = table.fetch(rows.aggregate(**sums)).row(0, named=True)
    ends = [n for name, n in found.items() if name.startswith(("low", "high"))]
    sizes = [found[f"sum_{place}"] or 0 for place in range(len(numbers))]
    filled = [end for end in ends if end]
    if any(low <= min(filled) and max(filled) <= high for low, high in _DAY_NUMBERS):
        raise InputError(
            f"{option_text('funnel')}: all numbers in {names} lie between {min(filled)} and {max(filled)}, like "
            "dates that a program stores as numbers; write them as dates, such as 2026-03-01."
        )
    if sizes[0] > MOST_PEOPLE:
        raise InputError(f"{option_text('funnel')}: {quoted(first)} has more than {MOST_PEOPLE:,} people in all.")
    return found["rows"], tuple(map(int, sizes))


def _of_people(
    table: OpenTable, rows: Any, query: ApplicantQuery, marks: Mapping[str, Any], seen: Mapping[str, Mapping[Any, int]]
) -> Funnel:
    """Return the funnel of a table with a row per person."""
    columns = {name: table.expr[name] for name in query.funnel}
    names = query.funnel
    states = {name: _states(table, rows, query, name, mark=marks[name], seen=values) for name, values in seen.items()}
    if not any(_REACHED in of.values() for of in states.values()):
        raise InputError(f"{option_text('funnel')}: nobody in {table.name} reached {listed(names, quotes=True)}.")
    code = ibis.literal(0, type="int64")
    for place, name in enumerate(names):
        code += _digit(columns[name], marks[name], states[name], seen[name]) * _STATES**place
    selected = rows.select(code=code, **_weight(table, query))
    counted = selected.group_by("code").aggregate(n=people(selected)).select("code", "n")
    sizes = dict(table.fetch(counted).iter_rows())
    digits = {code: [code // _STATES**place % _STATES for place in range(len(names))] for code in sizes}
    reached = {code: _reach(of) for code, of in digits.items()}
    filled = [sum(n for at, n in sizes.items() if digits[at][place] == _REACHED) for place in range(len(names))]
    notes = _read_as(seen, states)
    for place, name in enumerate(names):
        before = {at for at, reach in reached.items() if reach.stages > place + 1}
        denied = [at for at in before if digits[at][place] == _NOT_REACHED]
        if denied:
            where, (value,) = first_row(table, rows, code.isin(denied), value=table.expr[name].cast("string"))
            raise InputError(
                f"{option_text('funnel')}: {where} holds {quoted(value)} in {quoted(name)} but the person "
                "reached a later stage; correct the row: leave the cell blank, or give a date or yes if the "
                "stage was reached."
            )
        skipped = sum(sizes[at] for at in before if digits[at][place] != _REACHED)
        notes += _skipped(names, place, skipped, filled)
    for place, name in enumerate(names[1:], 1):
        n = sum(sizes[at] for at, reach in reached.items() if reach.undecided and reach.stages == place)
        if n:
            are = "1 person is" if n == 1 else f"{n:,} people are"
            bottom = ", nor of the bottom line" if len(names) > 2 else ""
            notes.append(f"{are} undecided at {quoted(name)}: in no count of that stage{bottom}.")
    return Funnel(
        names=names,
        column=", ".join(names),
        table=table,
        query=replace(query, selected=names[-1]),
        columns={"code": code},
        sizes=_sizes(reached, sizes, len(names)),
        missing=sum(n for at, n in sizes.items() if not reached[at].stages),
        reached=reached,
        notes=tuple(notes),
    )


def _digit(column: Any, mark: Any, states: Mapping[Any, int], seen: Mapping[Any, int]) -> Any:
    """Return the state of each row at a stage; all texts of the column but days are in `seen`."""
    if not is_text(column):
        return _code(mark, states)
    texts = {value: states.get(value, _BLANK) for value in seen if value is not None and value != _DAY}
    return ibis.coalesce(column.strip(), "").cases(*({"": _BLANK} | texts).items(), else_=_REACHED).cast("int64")


def _reach(states: Sequence[int]) -> Reach:
    """Return how far a row came: whoever is at a stage was at those before; the next entry says if that is undecided.

    >>> _reach([_REACHED, _BLANK, _REACHED, _UNDECIDED]), _reach([_REACHED, _BLANK, _NOT_REACHED])
    (Reach(stages=3, undecided=True), Reach(stages=1, undecided=False))
    """
    stages = max((place for place, state in enumerate(states, 1) if state == _REACHED), default=0)
    following = next((state for state in states[stages:] if state != _BLANK), _BLANK)
    return Reach(stages=stages, undecided=following == _UNDECIDED)


def _skipped(names: Sequence[str], place: int, skipped: int, filled: Sequence[int]) -> list[str]:
    """Return a note on people without an entry at a stage who reached a later one.

    Raises
    ------
    InputError
        They are so many that the stages may be in another order, or the stage be none that all pass through.

    """
    name = names[place]
    if place + 1 < len(names) and filled[place + 1] > filled[place] and skipped > _MOST_SKIPPED * filled[place]:
        raise InputError(
            f"{option_text('funnel')}: {filled[place + 1]:,} people reached {quoted(names[place + 1])} and "
            f"{filled[place]:,} {quoted(name)}, the stage before. Give the stages in their order, starting with "
            "the one that all applicants reached; leave out a stage that people may skip."
        )
    if not skipped:
        return []
    have = "1 person has" if skipped == 1 else f"{skipped:,} people have"
    return [f"{have} no entry in {quoted(name)} but reached a later stage: counted as having reached {quoted(name)}."]


def _states(
    table: OpenTable, rows: Any, query: ApplicantQuery, name: str, *, mark: Any, seen: Mapping[Any, int]
) -> dict[Any, int]:
    """Return whether each value of a column means that the stage was reached; blank values are left out."""
    filled = [value for value in seen if not _blank(value)]
    rules = label_rules(mapped=query.mapped, columns=query.mapped_columns)
    mapped = {label: plain_value(target) for label, target in rules.mapped(name, filled).items()}
    undecided = named_values(
        [value for column, value in query.undecided_at if column == name], filled, name, option="undecided"
    )
    cross = not any(plain_value(value) in _meaning("reached") for value in filled)
    reached = _meaning("reached") | (_meaning("cross") if cross else frozenset())
    states: dict[Any, int] = {}
    unread = []
    for value in filled:
        label = mapped.get(fold(value), plain_value(value))
        if fold(value) in undecided:
            states[value] = _UNDECIDED
        elif value == _DAY or label in reached:
            states[value] = _REACHED
        elif label in _meaning("not_reached"):
            states[value] = _NOT_REACHED
        else:
            unread.append(value)
    if unread:
        place, (value,) = first_row(table, rows, mark.isin(unread), value=mark)
        more = f" ({len(unread) - 1:,} more such values)" if len(unread) > 1 else ""
        pair = f"{shortened(name)}:{shortened(value)}"
        raise InputError(
            f"{option_text('funnel')}: {place} holds {quoted(value)} in {quoted(name)}{more}; expected a day, "
            "yes or no, or blank where the stage was not reached. Map it: "
            f"{option_text('map', as_typed(f'{pair}=yes'))}, {option_text('map', as_typed(f'{pair}=no'))}, or "
            f"{option_text('undecided', as_typed(f'{shortened(name)}={shortened(value)}'))} if it means no "
            "decision yet."
        )
    return states


def _read_as(seen: Mapping[str, Mapping[Any, int]], states: Mapping[str, Mapping[Any, int]]) -> list[str]:
    """Return a note on the values that were read as reached or not reached, but for yes, no and days."""
    words: dict[int, dict[str, int]] = {}
    for name, of in states.items():
        for value, state in of.items():
            if value != _DAY and plain_value(value) not in YES | NO:
                counts = words.setdefault(state, {})
                counts[value] = counts.get(value, 0) + seen[name][value]
    parts = [
        f"{meaning}: {listed([f'{quoted(value)} ({n:,})' for value, n in words[state].items()], most=_MOST_LISTED)}"
        for state, meaning in ((_REACHED, "reached"), (_NOT_REACHED, "not reached"), (_UNDECIDED, "undecided"))
        if state in words
    ]
    return [f"Read in the columns of --funnel: {'; '.join(parts)}."] if parts else []
