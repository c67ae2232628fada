"""Files of statistics packages, Stata, SPSS and SAS: values come as their labels."""

from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import polars as pl

from evenhand.errors import InputError
from evenhand.intake._open_table import OpenTable, message_of
from evenhand.intake.databases.embedded import opened_rows
from evenhand.tables.fingerprints import sha256_of
from evenhand.tables.messages.quoting import listed
from evenhand.tables.unpacking import Budget

__all__ = ["STATISTICS", "opened_statistics"]

#: What reads each ending, and whose files those are.
STATISTICS: Final = {
    ".dta": ("read_dta", "Stata"),
    ".sav": ("read_sav", "SPSS"),
    ".zsav": ("read_sav", "SPSS"),
    ".sas7bdat": ("read_sas7bdat", "SAS"),
}
#: Bytes that a cell takes in memory, at least.
CELL: Final = 8
_SHOWN: Final = 6


def opened_statistics(path: Path, closing: ExitStack, budget: Budget) -> OpenTable:
    """Open a file of Stata, SPSS or SAS; values with a label are read as that, and what the package calls missing is.

    The labels of a SAS file stand in FILE.sas7bcat beside it.

    Raises
    ------
    InputError
        pyreadstat is not installed, or the file can't be read or is larger than --unpack-limit allows.

    """
    try:
        import pyreadstat  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise InputError(
            f"{path} is read with pyreadstat; install it with: pip install 'evenhand[formats]'."
        ) from error
    reader, package = STATISTICS[path.suffix.lower()]
    read = getattr(pyreadstat, reader)
    catalog = path.with_suffix(".sas7bcat")
    beside = {"catalog_file": str(catalog)} if package == "SAS" and catalog.is_file() else {}
    try:
        _, about = read(str(path), metadataonly=True)
        try:
            budget.unpacked((about.number_rows or 0) * len(about.column_names) * CELL)
        except InputError as error:
            raise InputError(f"{path} {error}") from error
        frame, about = read(str(path), output_format="polars", **beside)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, UnicodeDecodeError) as error:
        raise InputError(f"{path} can't be read as a file of {package}: {message_of(error)}.") from error
    labelled = [name for name in frame.columns if about.variable_value_labels.get(name)]
    frame = frame.with_columns(_labelled(frame[name], about.variable_value_labels[name]) for name in labelled)
    frame = frame.with_columns(pl.col(pl.String).replace("", None))
    table = opened_rows(frame, name=path.name, details={"source": path.name}, closing=closing)
    notes = [f"Values were read as their labels in {listed(labelled, most=_SHOWN, quotes=True)}."] if labelled else []
    return OpenTable(
        **{**vars(table), "notes": (*table.notes, *notes), "fingerprints": {path.name: sha256_of(path)}},
    )


def _labelled(column: pl.Series, labels: dict[Any, str]) -> pl.Series:
    """Return a column as text: the label of each value that has one, other values as they are."""
    values = column.unique().drop_nulls().to_list()
    told = [str(labels.get(value, _plain(value))) for value in values]
    return column.replace_strict(values, told, default=None, return_dtype=pl.String).alias(column.name)


def _plain(value: Any) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)
