"""The one writer of CSV: spreadsheets open what it writes safely."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import polars as pl

#: Cells that begin with one of these may run as a formula when a spreadsheet opens them.
FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001 - full-width signs run, too
GUARD: Final = "'"
_MARK: Final = b"\xef\xbb\xbf"


def csv_bytes(frame: pl.DataFrame, *, mark: bool = False) -> bytes:
    r"""Return a table as CSV in UTF-8: no text runs as a formula, null and empty text are blank.

    With `mark` it begins with a byte order mark: without one some spreadsheets read
    letters beyond ASCII wrongly.

    >>> csv_bytes(pl.DataFrame({"group": ["=1+1", "white", None], "n": [1, 2, 3]}))
    b"group,n\n'=1+1,1\nwhite,2\n,3\n"
    """
    texts = frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String)).with_columns(
        pl.col(pl.String).replace("", None)
    )
    safe = [
        pl.col(name).replace(values, pl.Series([guarded(value) for value in values], dtype=pl.String))
        for name, kind in texts.schema.items()
        if kind == pl.String and (values := _to_guard(texts[name])).len()
    ]
    file = io.BytesIO(_MARK if mark else b"")
    file.seek(0, io.SEEK_END)
    texts.with_columns(safe).rename({name: guarded(name) for name in texts.columns}).write_csv(file)
    return file.getvalue()


def _to_guard(column: pl.Series) -> pl.Series:
    """Return the values that a guard goes before, each once."""
    values = column.unique().drop_nulls()
    return values.filter(values.str.slice(0, 1).is_in([*FORMULA_SIGNS, GUARD]))


def guarded(text: str) -> str:
    """Return a cell that no spreadsheet takes for a formula; `unguarded` gives the text back.

    >>> guarded("=1+1"), guarded("'tis"), guarded("Dear [name]")
    ("'=1+1", "''tis", 'Dear [name]')
    """
    return GUARD + text if text.startswith((*FORMULA_SIGNS, GUARD)) else text


def unguarded(cell: str) -> str:
    """Return the text of a guarded cell; other cells stay as they are.

    >>> unguarded("'=1+1"), unguarded("''tis"), unguarded("'tis")
    ('=1+1', "'tis", "'tis")
    """
    return cell[1:] if cell.startswith(GUARD) and cell[1:].startswith((*FORMULA_SIGNS, GUARD)) else cell


def read_csv(path: Path, columns: Mapping[str, pl.DataType] | None = None) -> pl.DataFrame:
    """Return a table that `csv_bytes` wrote: guards are taken off; other columns of numbers alone are numbers."""
    return pl.read_csv(path, schema_overrides=columns, infer_schema_length=None).with_columns(
        pl.col(pl.String).map_elements(unguarded, pl.String)
    )
