"""Names of the user's own, as many of each group."""

from collections import Counter
from pathlib import Path

import polars as pl

from evenhand.errors import InputError
from evenhand.intake.group_names import read_group_names
from evenhand.lexicons.names import GENDERS, RACES
from evenhand.probes.shared.saved import folded_series, text_column
from evenhand.tables.messages.quoting import quoted

__all__ = ["FEWEST", "read_names"]

#: Names of each group; with one, a group can't be told from the name.
FEWEST = 2


def read_names(path: Path) -> pl.DataFrame:
    """Return the names of a CSV with `name, gender, race`, one of each group after the other.

    Raises
    ------
    InputError
        The file can't be read, a column is missing, a name is blank or there twice, a group is unknown, or the
        groups have not equally many names, two at least.

    """
    found = read_group_names(path)
    missing = [column for column in ("gender", "race") if column not in found[0].signals]
    if missing:
        raise InputError(f"{path} has no column {' or '.join(missing)}; expected a CSV with name, gender, race.")
    name = pl.Series([each.name for each in found])
    repeated = folded_series(name).is_duplicated().arg_true()
    if len(repeated):
        raise InputError(f"{path} has the name {quoted(name[repeated[0]])} more than once. Give each name once.")
    table = pl.DataFrame({column: [each.signals[column] for each in found] for column in ("gender", "race")})
    try:
        groups = {
            "gender": text_column(table, "gender", allowed=GENDERS),
            "race": text_column(table, "race", allowed=RACES),
        }
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    frame = pl.DataFrame({"name": name, **groups})
    _check_groups(frame, path)
    place = pl.int_range(pl.len()).over("race", "gender")
    return frame.with_columns(place.alias("round")).sort("round", "race", "gender", maintain_order=True).drop("round")


def _check_groups(frame: pl.DataFrame, path: Path) -> None:
    counts = Counter(frame.select("race", "gender").iter_rows())
    if len(counts) < 2:
        raise InputError(f"{path} has names of one group only. Give names of two groups at least.")
    few, most = (pick(counts, key=lambda group: counts[group]) for pick in (min, max))
    if counts[few] < FEWEST:
        raise InputError(
            f"{path} has {counts[few]} name of {' '.join(few)}: the name's effect and the group's would be one. "
            f"Give {FEWEST} or more, better 10, of each group."
        )
    if counts[few] != counts[most]:
        raise InputError(
            f"{path} has {counts[few]} names of {' '.join(few)} and {counts[most]} of {' '.join(most)}. Give "
            "as many of each group, so that every résumé is sent under all of them alike."
        )
