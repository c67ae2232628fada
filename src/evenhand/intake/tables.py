"""Tables that users bring, opened so that an engine counts in them: files, databases, frames.

An engine answers counts by keys and sums; rows stay where they are. Files and frames are
counted by DuckDB in this process, a connection URL by the engine behind it.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from evenhand.errors import InputError
from evenhand.intake._open_table import OpenTable
from evenhand.intake._opened_text import opened_text
from evenhand.intake.databases.connections import connected, is_url
from evenhand.intake.databases.embedded import opened_frame, opened_parquet
from evenhand.intake.workbooks.cells import opened_workbook
from evenhand.tables.unpacking import UNPACK_LIMIT, Budget

__all__ = ["OpenTable", "is_url", "open_table"]

EXPECTED = "expected .csv, .tsv, .txt, .parquet, .xlsx, or a connection URL such as postgres://…"


@contextmanager
def open_table(
    source: Any, *, sheet: str | None = None, table: str | None = None, unpack_limit: int = UNPACK_LIMIT
) -> Iterator[OpenTable]:
    """Open a CSV, Parquet file, workbook, connection URL or frame for counting.

    `unpack_limit` is how many megabytes a workbook may unpack to.

    Raises
    ------
    InputError
        There is no such file, sheet or table, it has no rows, its ending or scheme is not
        known, a workbook unpacks to too much, or an extra is missing.
    ServiceError
        The database can't be reached.

    >>> import polars as pl
    >>> with open_table(pl.DataFrame({"hired": [1, 0]})) as table:
    ...     table.fetch(table.expr.count().as_table()).item()
    2
    """
    with ExitStack() as closing:
        yield _opened(source, sheet, table, Budget(unpack_limit), closing)


def _opened(source: Any, sheet: str | None, table: str | None, budget: Budget, closing: ExitStack) -> OpenTable:
    if isinstance(source, str) and is_url(source):
        _only(sheet is None, f"--sheet belongs to workbooks; {source.split(':')[0]} has tables: use --table NAME.")
        return connected(source, table, closing)
    if not isinstance(source, str | Path):
        _only(sheet is None and table is None, "A frame has neither sheets nor tables.")
        return opened_frame(source, closing)
    path = Path(source)
    _only(table is None, f"--table belongs to connection URLs; {path} is a file.")
    ending = path.suffix.lower()
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise InputError(f"{path} {what}; {EXPECTED}.")
    if not path.stat().st_size:
        raise InputError(f"{path} is empty.")
    if ending == ".gz":
        ending = Path(path.stem).suffix.lower()
        _only(ending in {".csv", ".tsv", ".txt"}, f"{path} has the ending {''.join(path.suffixes)}; {EXPECTED}.")
    if ending in {".xlsx", ".xlsm", ".xls", ".ods"}:
        return opened_workbook(path, sheet, closing, budget)
    _only(sheet is None, f"--sheet belongs to workbooks; {path} is none.")
    if ending in {".csv", ".tsv", ".txt"}:
        return opened_text(path, closing)
    if ending == ".parquet":
        return opened_parquet(path, closing)
    _only(ending != ".xlsb", f"{path} has the ending .xlsb, which is not read; save it as .xlsx.")
    raise InputError(f"{path} has the ending {ending or '(none)'}; {EXPECTED}.")


def _only(condition: bool, message: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not condition:
        raise InputError(message)
