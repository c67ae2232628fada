"""Names that users bring, with the groups they signal."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from evenhand.errors import InputError
from evenhand.intake.text_tables import read_text_table
from evenhand.lexicons.names import GroupName
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["read_group_names"]

_FREQUENCIES = ("frequency", "count")


def read_group_names(path: Path) -> tuple[GroupName, ...]:
    """Return the names of a CSV: `name`, what they signal (`group`, or `gender` and `race`), maybe `frequency`.

    Raises
    ------
    InputError
        The file can't be read, a column is missing, a name has one word or signals nothing, or a frequency is none.

    """
    frame = read_text_table(path).frame
    signals = [column for column in ("gender", "race", "group") if column in frame.columns]
    if "name" not in frame.columns or not signals:
        raise InputError(
            f"{path} has the columns {listed(frame.columns)}; expected group,name, or name with gender and race."
        )
    frequency = next((column for column in _FREQUENCIES if column in frame.columns), None)
    return tuple(
        _name(row, f"Row {number} of {path}", signals, frequency)
        for number, row in enumerate(frame.iter_rows(named=True), 1)
    )


def _name(row: Mapping[str, str | None], place: str, signals: Sequence[str], frequency: str | None) -> GroupName:
    name = " ".join((row["name"] or "").split())
    if len(name.split()) < 2:
        raise InputError(f"{place}: {quoted(name)} is no first and last name; expected a name such as Jane Doe.")
    missing = [column for column in signals if row[column] is None]
    if missing:
        raise InputError(f"{place}: {quoted(name)} has no {missing[0]}; fill it in, or leave the row out.")
    told = row[frequency] if frequency is not None else None
    try:
        often = float(told) if told is not None else None
    except ValueError:
        often = -1.0
    if often is not None and not 0 < often < float("inf"):
        raise InputError(f"{place}: the {frequency} of {quoted(name)} is {quoted(told)}; expected a number above 0.")
    return GroupName(name=name, signals={column: (row[column] or "").strip() for column in signals}, frequency=often)
