"""Tables of users, opened for counting in an engine: files, databases, frames.

An engine answers counts by keys and sums; rows stay in it. Files and frames are counted by DuckDB in this process,
connection URLs by their engine.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from evenhand.data import file_formats
from evenhand.data.databases import connected, opened_frame
from evenhand.data.open_table import OpenTable
from evenhand.data.opened_text import opened_text
from evenhand.data.table_shapes import Layout
from evenhand.data.workbooks import check_unpacked, opened_periods, opened_sheets, opened_workbook, sheet_of
from evenhand.errors import InputError, option_text
from evenhand.results.files import UNPACK_LIMIT, Budget
from evenhand.results.messages import is_url

TEXT = (".csv", ".tsv", ".txt")
#: The value of `header_row` for a file without a header.
NO_HEADER: Final = "none"
_NO_ROWS: Final = f"{option_text('header_row')} and {option_text('footer')} belong to CSV files and workbooks."
WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods")
#: Endings of files that are opened, besides packed ones.
ENDINGS: Final = (*TEXT, *file_formats.READERS, *WORKBOOKS)
EXPECTED = f"expected {', '.join(ENDINGS)}, - for standard input, or a connection URL such as postgres://…"


@contextmanager
def open_table(
    source: Any,
    *,
    sheet: str | None = None,
    sheets: Sequence[str] = (),
    table: str | None = None,
    header_row: int | str | None = None,
    footer: int | None = None,
    unpack_limit: int = UNPACK_LIMIT,
) -> Iterator[OpenTable]:
    """Open a file, standard input ('-'), a connection URL or a frame for counting.

    `sheets` of a workbook are read as one table, with a column for the name of the sheet. `header_row` is the row of
    the header in a CSV or sheet, from 1, or 'none'; `footer` how many rows lie below the table. Without them both are
    looked for. `unpack_limit` is how many megabytes a workbook may unpack to.

    Raises
    ------
    InputError
        There is no such file, sheet or table, it has no rows, its ending or scheme is not
        known, it is unclear where the table begins or ends, a workbook unpacks to too much,
        or an extra is missing.
    ServiceError
        The database can't be reached.

    >>> import polars as pl
    >>> with open_table(pl.DataFrame({"hired": [1, 0]})) as table:
    ...     table.fetch(table.expr.count().as_table()).item()
    2
    """
    with ExitStack() as closing:
        row = 0 if header_row == NO_HEADER else header_row
        layout = Layout(header_row=None if row is None else int(row), footer=footer)
        if sheets:
            path = Path(source) if isinstance(source, str | Path) else Path()
            workbook = path.suffix.lower() in WORKBOOKS and path.is_file()
            _require(workbook and table is None, f"{option_text('sheets')} belongs to workbooks, such as .xlsx.")
            check_unpacked(path, Budget(unpack_limit))
            yield opened_sheets(path, sheets, closing, Budget(unpack_limit), layout)
            return
        yield _opened(source, sheet, table, layout=layout, budget=Budget(unpack_limit), closing=closing)


@contextmanager
def open_periods(tables: Mapping[str, Any], **opening: Any) -> Iterator[OpenTable]:
    """Open several tables as one, with the period of each row; options as in `open_table`.

    >>> import polars as pl
    >>> hired = pl.DataFrame({"hired": [1, 0]})
    >>> with open_periods({"2024": hired, "2025": hired.head(1)}) as table:
    ...     table.fetch(table.expr.group_by("period").count().order_by("period")).rows()
    [('2024', 2), ('2025', 1)]
    """
    with ExitStack() as closing:
        opened = {period: closing.enter_context(open_table(source, **opening)) for period, source in tables.items()}
        yield opened_periods(opened, closing)


def sheet_names(source: Any, *, unpack_limit: int = UNPACK_LIMIT) -> list[str]:
    """Return the sheets of a workbook; no other source has any.

    Raises
    ------
    InputError
        It is no workbook, whatever its ending says, or unpacks to too much.

    >>> sheet_names("hired.csv")
    []
    """
    path = Path(source) if isinstance(source, str | Path) else Path()
    if path.suffix.lower() not in WORKBOOKS or not path.is_file() or not path.stat().st_size:
        return []
    budget = Budget(unpack_limit)
    check_unpacked(path, budget)
    return sheet_of(path, None, budget).sheets


def _opened(
    source: Any, sheet: str | None, table: str | None, *, layout: Layout, budget: Budget, closing: ExitStack
) -> OpenTable:
    if isinstance(source, str) and is_url(source):
        _require(
            sheet is None,
            f"{option_text('sheet')} belongs to workbooks; {source.split(':')[0]} has tables: use "
            f"{option_text('table', 'NAME')}.",
        )
        _require(layout == Layout(), _NO_ROWS)
        return connected(source, table, closing)
    if not isinstance(source, str | Path):
        _require(sheet is None and table is None, "A frame has neither sheets nor tables.")
        _require(layout == Layout(), _NO_ROWS)
        return opened_frame(source, closing)
    if str(source) == file_formats.STANDARD_INPUT:
        path = file_formats.standard_input(closing)
        with file_formats.named_as(path, "standard input"):
            opened = _opened(path, sheet, table, layout=layout, budget=budget, closing=closing)
        return replace(opened, name="standard input", details=opened.details | {"source": "standard input"})
    path = Path(source)
    _require(table is None, f"{option_text('table')} belongs to connection URLs; {path} is a file.")
    return _opened_file(path, sheet, layout, budget, closing)


def _opened_file(path: Path, sheet: str | None, layout: Layout, budget: Budget, closing: ExitStack) -> OpenTable:
    ending = path.suffix.lower()
    if not path.is_file():
        problem = "is a folder" if path.is_dir() else "is a device or a pipe" if path.exists() else "does not exist"
        raise InputError(f"{path} {problem}; {EXPECTED}.")
    if not path.stat().st_size:
        raise InputError(f"{path} is empty.")
    if ending in file_formats.PACKED:
        ending = Path(path.stem).suffix.lower()
        _require(ending in {*TEXT, *file_formats.JSON}, f"{path} has the ending {''.join(path.suffixes)}; {EXPECTED}.")
    if ending in WORKBOOKS:
        return opened_workbook(path, sheet, closing, budget, layout)
    _require(sheet is None, f"{option_text('sheet')} belongs to workbooks; {path} is none.")
    if ending in TEXT:
        return opened_text(path, closing, layout)
    _require(layout == Layout(), _NO_ROWS)
    if ending in file_formats.READERS:
        return file_formats.READERS[ending](path, closing, budget)
    _require(ending != ".xlsb", f"{path} has the ending .xlsb, which is not read; save it as .xlsx.")
    _require(ending != ".json", f"{path} has the ending .json, which is not read; save it as .jsonl, an object a line.")
    raise InputError(f"{path} has the ending {ending or '(none)'}; {EXPECTED}.")


def _require(condition: bool, message: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not condition:
        raise InputError(message)
