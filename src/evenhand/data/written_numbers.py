"""Numbers as people write them: with signs between thousands, and with decimal commas.

How a column is written shows in all of its cells, and in the others of its file. What could be read in two ways is
refused. Engines then read plain numbers: the table's expression is changed, and a note says so.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import ibis

from evenhand.data.open_table import OpenTable, is_text
from evenhand.data.score_cells import NO_SCORE, NUMBER
from evenhand.data.text_tables import SEPARATOR_NAMES
from evenhand.errors import InputError
from evenhand.results.messages import quoted

#: Spaces between thousands: plain, no-break, thin and narrow; and apostrophes.
SPACES, APOSTROPHES = " \u00a0\u2009\u202f", "'\u2019"
_BETWEEN = f"[{SPACES}{APOSTROPHES}]"
_SIGN, _FIRST = "^[+-]?", "[1-9][0-9]{0,2}"
#: A cell that is sure or may be to hold signs between thousands.
THOUSANDS = f"{_SIGN}{_FIRST}((,[0-9]{{3}})+|([.][0-9]{{3}})+|({_BETWEEN}[0-9]{{3}})+)$"


@dataclass(frozen=True, kw_only=True)
class _Shape:
    """How a cell is written: its pattern, the sign between thousands and that of decimals, as far as they are sure."""

    pattern: str
    groups: str = ""
    decimal: str = ""


#: The first shape that fits is that of a cell. Those with three digits behind one sign may be either.
_SHAPES: Mapping[str, _Shape] = {
    "whole": _Shape(pattern=rf"{_SIGN}[0-9]+$"),
    "comma or thousands": _Shape(pattern=rf"{_SIGN}{_FIRST},[0-9]{{3}}$"),
    "point or thousands": _Shape(pattern=rf"{_SIGN}{_FIRST}[.][0-9]{{3}}$"),
    "decimal comma": _Shape(pattern=rf"{_SIGN}[0-9]*,[0-9]+$", decimal=","),
    "decimal point": _Shape(pattern=NUMBER, decimal="."),
    "commas": _Shape(pattern=rf"{_SIGN}{_FIRST}(,[0-9]{{3}})+$", groups=","),
    "commas, decimal point": _Shape(pattern=rf"{_SIGN}{_FIRST}(,[0-9]{{3}})+[.][0-9]+$", groups=",", decimal="."),
    "points": _Shape(pattern=rf"{_SIGN}{_FIRST}([.][0-9]{{3}})+$", groups="."),
    "points, decimal comma": _Shape(pattern=rf"{_SIGN}{_FIRST}([.][0-9]{{3}})+,[0-9]+$", groups=".", decimal=","),
    "spaces": _Shape(pattern=rf"{_SIGN}{_FIRST}({_BETWEEN}[0-9]{{3}})+$", groups=" "),
    "spaces, decimal comma": _Shape(
        pattern=rf"{_SIGN}{_FIRST}({_BETWEEN}[0-9]{{3}})+,[0-9]+$", groups=" ", decimal=","
    ),
    "spaces, decimal point": _Shape(
        pattern=rf"{_SIGN}{_FIRST}({_BETWEEN}[0-9]{{3}})+[.][0-9]+$", groups=" ", decimal="."
    ),
}
_COMMA, _POINT = "comma or thousands", "point or thousands"
#: What a cell holds that is not written as engines read it; a point may be between thousands where cells are counts.
_UNUSUAL = f"[,{SPACES}{APOSTROPHES}]"
#: Rows of which one shows that a column may hold numbers.
_HEAD = 1000
#: Other columns in which decimals are looked for.
_MOST_OTHERS = 50
_NAMES = {",": "commas", ".": "points", " ": "spaces or apostrophes"}


@dataclass(frozen=True, kw_only=True)
class _Column:
    """A column of text: by shape, an example of its cells, and one that doesn't end in three zeros."""

    name: str
    option: str
    examples: Mapping[str, str]
    not_round: Mapping[str, str]


def with_plain_numbers(
    table: OpenTable, columns: Mapping[str | None, str], *, counts: bool = False, sure_only: bool = False
) -> OpenTable:
    """Return a table whose named columns of text hold numbers as engines read them.

    `columns` has the option of each; None is a column that was not named. Of `counts`, which are whole, the columns are
    written alike. With `sure_only` a column that has other cells, or could be read in two ways, stays as it is.

    Raises
    ------
    InputError
        A column could be read in two ways.

    """
    texts = {
        name: option
        for name, option in columns.items()
        if name is not None and name in table.expr.columns and name not in table.damaged and is_text(table.expr[name])
    }
    unusual = _UNUSUAL.replace("[", "[.") if counts else _UNUSUAL
    found = _holding(table, texts, unusual)
    if not found:
        return table
    shaped = [_column(table, name, texts[name]) for name in (texts if counts else found)]
    notes, changed = [], {}
    for together in [shaped] if counts else [[column] for column in shaped]:
        try:
            groups, decimal = _convention(table, together, counts=counts)
        except InputError:
            if sure_only:
                continue
            raise
        for column in together:
            cells = {shape: cell for shape, cell in column.examples.items() if shape}
            used = {_SHAPES[shape].groups for shape in cells} - {""}
            used |= {sign for sign, shape in ((",", _COMMA), (".", _POINT)) if shape in cells and sign in groups}
            comma = decimal == "," and any("," in cell for cell in cells.values())
            if not (used or comma) or (sure_only and "" in column.examples):
                continue
            changed[column.name] = _plain(table.expr[column.name].strip(), used, comma=comma, whole=counts)
            notes.append(_note(column, used, comma=comma))
    if not changed:
        return table
    return replace(table, expr=table.expr.mutate(**changed), notes=(*table.notes, *notes))


def with_plain_features(table: OpenTable) -> OpenTable:
    """Return a table whose columns of text hold plain numbers where their first rows are written otherwise.

    A column that could be read in two ways, or has other cells, stays text.
    """
    names = [name for name in table.expr.columns if name not in table.damaged and is_text(table.expr[name])]
    if not names:
        return table
    head = table.fetch(table.expr.select(*names).limit(_HEAD))
    shapes = [shape.pattern for shape in _SHAPES.values() if shape.groups or shape.decimal == ","]
    written = [name for name in names if head[name].str.strip_chars().str.contains("|".join(shapes)).any()]
    return with_plain_numbers(table, dict.fromkeys(written, "the column"), sure_only=True)


def _holding(table: OpenTable, names: Iterable[str], pattern: str) -> list[str]:
    """Return the columns of which some cell has a pattern within."""
    tests = {name: table.expr[name].strip().re_search(pattern) for name in names}
    if not tests:
        return []
    counts = table.fetch(
        table.expr.aggregate(
            **{f"c{place}": ibis.ifelse(test, 1, 0).max() for place, test in enumerate(tests.values())}
        )
    ).row(0)
    return [name for name, found in zip(tests, counts, strict=True) if found]


def _column(table: OpenTable, name: str, option: str) -> _Column:
    """Return the shapes of a column's cells; other cells that are not empty have the shape ''."""
    cell = table.expr[name].strip()
    shapes = list(_SHAPES)
    empty = cell.isnull() | cell.lower().isin(NO_SCORE)
    cases = [(cell.re_search(_SHAPES[shape].pattern), place) for place, shape in enumerate(shapes)]
    code = ibis.cases((empty, -2), *cases, else_=-1).cast("int32")
    rows = table.expr.select(code=code, cell=cell).filter(lambda rows: rows.code > -2)
    uneven = ibis.ifelse(rows.cell.endswith("000"), ibis.null("string"), rows.cell)
    frame = table.fetch(
        rows.mutate(uneven=uneven)
        .group_by("code")
        .aggregate(first=lambda rows: rows.cell.min(), uneven=lambda rows: rows.uneven.min())
    )
    examples, not_round = {}, {}
    for place, first, other in frame.select("code", "first", "uneven").sort("code", descending=True).iter_rows():
        shape = shapes[place] if place >= 0 else ""
        examples[shape] = first
        if other is not None:
            not_round[shape] = other
    return _Column(name=name, option=option, examples=examples, not_round=not_round)


def _convention(table: OpenTable, columns: Sequence[_Column], *, counts: bool) -> tuple[set[str], str]:
    """Return the signs between thousands, and that of decimals."""
    examples = {shape: (column, cell) for column in columns for shape, cell in column.examples.items() if shape}
    by_groups, by_decimal = (
        {getattr(_SHAPES[shape], part): example for shape, example in examples.items() if getattr(_SHAPES[shape], part)}
        for part in ("groups", "decimal")
    )
    for sign in set(by_groups) & set(by_decimal):
        _refuse(table, by_groups[sign], by_decimal[sign])
    for found in (by_groups, by_decimal):
        if "," in found and "." in found:
            _refuse(table, found[","], found["."])
    groups, decimal = set(by_groups), next(iter(by_decimal), "")
    if _COMMA in examples and not groups & {",", "."} and not decimal:
        of = _comma_is(table, columns, counts=counts)
        groups |= {","} if of == "groups" else set()
        decimal = "," if of == "decimal" else ""
    elif _COMMA in examples and (decimal == "." or "," in groups):
        groups |= {","}
    elif _COMMA in examples:
        if counts and any(_COMMA in column.not_round for column in columns):
            _refuse(table, examples[_COMMA], by_groups.get(".") or by_decimal[","])
        decimal = ","
    if _POINT in examples:
        groups, decimal = _with_points(table, columns, groups, decimal, counts=counts)
    return groups, decimal


def _comma_is(table: OpenTable, columns: Sequence[_Column], *, counts: bool) -> str:
    """Return what the comma of cells such as '1,204' is, where nothing else in their columns says so."""
    column, cell = next((column, column.examples[_COMMA]) for column in columns if _COMMA in column.examples)
    if counts and any(_COMMA in column.not_round for column in columns):
        return "groups"  # a count is no fraction
    by_file = _file_has_decimal_commas(table, columns)
    if counts != by_file:
        return "groups" if counts else "decimal"
    _refuse_value(table, column, cell, counts=counts)
    return ""


def _with_points(
    table: OpenTable, columns: Sequence[_Column], groups: set[str], decimal: str, *, counts: bool
) -> tuple[set[str], str]:
    """Return the signs of columns that have cells such as '1.204'."""
    column, cell = next((column, column.examples[_POINT]) for column in columns if _POINT in column.examples)
    if "." in groups or decimal == "." or "," in groups:
        return groups, decimal or ("." if "," in groups else "")
    if decimal == "," and not counts:
        other = next(
            (column, text) for column in columns for kind, text in column.examples.items() if kind and "," in text
        )
        _refuse(table, (column, cell), other)
    if not counts:
        return groups, "."
    uneven = any(_POINT in column.not_round for column in columns)
    whole = any("whole" in column.examples for column in columns)
    if decimal == "," or " " in groups:
        return groups | {"."}, decimal
    if not uneven and not whole:
        if _file_has_decimal_commas(table, columns):
            _refuse_value(table, column, cell, counts=True)
        return groups, "."
    if not _file_has_decimal_commas(table, columns):
        column = next((column for column in columns if _POINT in column.not_round), column)
        _refuse_value(table, column, column.not_round.get(_POINT, cell), counts=True)
    return groups | {"."}, decimal


def _file_has_decimal_commas(table: OpenTable, columns: Sequence[_Column]) -> bool:
    """Say whether a file writes decimals with commas: by its semicolons, or by another column."""
    if table.details.get("separator") == SEPARATOR_NAMES[";"]:
        return True
    named = {column.name for column in columns}
    others = [
        name
        for name in table.expr.columns
        if name not in named and name not in table.damaged and is_text(table.expr[name])
    ][:_MOST_OTHERS]
    with_commas = _holding(table, others, rf"{_SIGN}([0-9]+,[0-9]{{1,2}}|0,[0-9]+)\s*%?$")
    return bool(with_commas) and not _holding(table, with_commas, "[^0-9,% \u00a0\u202f+-]")


def _plain(cell: Any, groups: set[str], *, comma: bool, whole: bool) -> Any:
    """Return cells without signs between thousands and with a decimal point, where they are written so.

    Cells of counts (`whole`) that are fractions stay as they are, for messages about them.
    """
    decimals = rf"[{',' if comma else '.'}]{'0' if whole else '[0-9]'}+"
    for sign in sorted(groups):
        between = _BETWEEN if sign == " " else f"[{sign}]"
        written = cell.re_search(rf"{_SIGN}{_FIRST}({between}[0-9]{{3}})+({decimals})?$")
        bare = cell
        for letter in SPACES + APOSTROPHES if sign == " " else sign:
            bare = bare.replace(letter, "")
        cell = ibis.ifelse(written, bare, cell)
    if comma:
        cell = ibis.ifelse(cell.re_search(rf"{_SIGN}[0-9]*{decimals}$"), cell.replace(",", "."), cell)
    return cell


def _note(column: _Column, groups: set[str], *, comma: bool) -> str:
    parts = [f"{' and '.join(_NAMES[sign] for sign in sorted(groups))} between thousands"] if groups else []
    parts += ["a decimal comma"] if comma else []
    more = "; a cut-off has a decimal point, such as 2.5" if comma and column.option == "--score" else ""
    return f"Numbers of {quoted(column.name)} were read with {' and '.join(parts)}{more}."


def _place(table: OpenTable, column: _Column, cell: str) -> str:
    """Return the row of a cell, where the table keeps the order of a file."""
    if not table.ordered:
        return "a row"
    numbered = table.expr.mutate(row=ibis.row_number() + 1)
    first = table.fetch(
        numbered.filter(numbered[column.name].strip() == cell).aggregate(row=lambda rows: rows.row.min())
    )
    return f"row {first['row'][0]}"


def _refuse(table: OpenTable, one: tuple[_Column, str], other: tuple[_Column, str]) -> None:
    parts = [f"{quoted(cell)} in {_place(table, column, cell)}" for column, cell in (one, other)]
    names = list(dict.fromkeys(quoted(column.name) for column, _ in (one, other)))
    have = f"The column {names[0]} of {table.name} holds" if len(names) == 1 else f"{' and '.join(names)} hold"
    raise InputError(
        f"{have} {parts[0]} and {parts[1]}: their decimal or thousands separators differ; write all numbers in "
        "one form, with a decimal point."
    )


def _refuse_value(table: OpenTable, column: _Column, cell: str, *, counts: bool) -> None:
    plain = "".join(letter for letter in cell if letter not in ",.")
    decimals = "" if counts else f", and decimals with a point: {cell.replace(',', '.')}0"
    raise InputError(
        f"{column.option} {column.name}: {_place(table, column, cell)} of {table.name} holds {quoted(cell)}, "
        f"which may be {int(plain):,} or a fraction; write thousands without separators: {plain}{decimals}."
    )
