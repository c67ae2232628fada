"""Columns of too many values are told before their counts leave the engine."""

from typing import Any

from evenhand.errors import InputError
from evenhand.hiring.columns.lookup import is_text
from evenhand.intake.tables import OpenTable
from evenhand.tables.messages.quoting import quoted, shortened

__all__ = ["check_cardinality"]

#: Raw values, spellings that differ in case and outer spaces taken together.
MOST_POSITIONS = 100_000
MOST_VALUES = 1_000
#: Combinations of qualifications.
MOST_GIVEN = 50_000


def check_cardinality(table: OpenTable, rows: Any, names: dict[str, tuple[str, str]]) -> None:
    """Count the different values of each key in the engine.

    `names` has the option and the column of each key of `rows`.

    Raises
    ------
    InputError
        A column has more values than could be groups, decisions, stages, positions or qualifications.

    """
    keys = [key for key in names if key in rows.columns and not key.startswith("given_")]
    if keys:
        found = table.fetch(rows.aggregate(**{key: _folded(rows[key]).nunique() for key in keys}))
        for key in keys:
            option, name = names[key]
            most = MOST_POSITIONS if key == "position" else MOST_VALUES
            if found[key][0] > most:
                age = " (for ages or dates of birth use --age)" if option == "--protected" else ""
                raise InputError(
                    f"The column {quoted(name)} of {table.name} has {found[key][0]:,} different values, more than the "
                    f"{most:,} of {option}; group them first, or name another column{age}."
                )
    given = [key for key in names if key.startswith("given_")]
    if given:
        _check_given(table, rows.select(given), [names[key][1] for key in given])


def _check_given(table: OpenTable, rows: Any, names: list[str]) -> None:
    if table.fetch(rows.distinct().count().as_table())[0, 0] <= MOST_GIVEN:
        return
    values = table.fetch(rows.aggregate(**{key: rows[key].nunique() for key in rows.columns})).row(0)
    most = max(zip(values, names, strict=True))
    raise InputError(
        f"--given {','.join(map(shortened, names))} has more than {MOST_GIVEN:,} combinations of values, "
        f"{quoted(most[1])} alone {most[0]:,} different ones; round it or group it."
    )


def _folded(column: Any) -> Any:
    return column.strip().lower() if is_text(column) else column
