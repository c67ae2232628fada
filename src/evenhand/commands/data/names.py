"""`evenhand data names`: the study's selection of first names, from a user's table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
import polars as pl

from evenhand.errors import InputError
from evenhand.intake.text_tables import read_text_table
from evenhand.probes.an2024.names.columns import name_columns
from evenhand.probes.an2024.names.selection import Selection, selected_names
from evenhand.runs.options.files import NameOptions
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.files import refuse_existing, write_file

__all__ = ["NamesResult", "choose_names"]


@dataclass(frozen=True, kw_only=True)
class NamesResult:
    """The names as CSV and as JSON, and a summary for the terminal."""

    csv: str
    json: str
    summary: str


def choose_names(table: Path, options: NameOptions, *, notice: Callable[[str], None]) -> NamesResult:
    """Select names from a table and write them; what was understood and what is missing goes to `notice`.

    Raises
    ------
    InputError
        The table, an option or the file to write can't be used.

    """
    out = options.out
    if out is not None:
        refuse_existing(out, force=options.force)
    frame = _read(table, notice)
    columns = name_columns(
        frame.columns,
        name=options.name_column,
        count=options.count_column,
        races=_pairs(options.race, option="--race"),
        genders=_pairs(options.gender, option="--gender"),
    )
    chosen = selected_names(
        frame,
        columns,
        top=options.top,
        min_count=options.min_count,
        min_share=options.min_share,
        races_as=options.races_as,
        genders_as=options.genders_as,
    )
    count = columns.count if columns.count is not None else "the sum of the races"
    notice(
        f"Read {table.name}: names in {columns.name}; count {count}; races as {chosen.races_as} in "
        f"{_listed(columns.races)}; genders as {chosen.genders_as} in {_listed(columns.genders)}."
    )
    for line in _missing(chosen, options.top):
        notice(line)
    content = csv_bytes(chosen.names)
    if out is not None:
        write_file(out, content)
    return NamesResult(
        csv=content.decode(), json=_json(chosen), summary=_summary(chosen) + (f"\n{out}" if out is not None else "")
    )


def _read(path: Path, notice: Callable[[str], None]) -> pl.DataFrame:
    if not path.is_file():
        raise InputError(f"No file {path}; expected .csv or .parquet.")
    if path.suffix.lower() == ".parquet":
        try:
            frame = pl.read_parquet(path)
        except (pl.exceptions.PolarsError, OSError) as error:
            first = str(error).splitlines()[0]
            raise InputError(f"{path} can't be read as Parquet: {first}") from error
        if not frame.height:
            raise InputError(f"{path} has no rows.")
        return frame
    if path.suffix.lower() not in {".csv", ".tsv", ".txt"}:
        raise InputError(f"{path} has the ending {path.suffix or '(none)'}; expected .csv or .parquet.")
    table = read_text_table(path)
    if table.notes:
        notice(f"{path.name} was read {' and '.join(table.notes)}.")
    return table.frame


def _listed(groups: Mapping[str, str]) -> str:
    return ", ".join(column if column.lower() == group else f"{column} ({group})" for group, column in groups.items())


def _missing(chosen: Selection, top: int) -> list[str]:
    """Return a line for the race × gender groups with fewer names than asked for."""
    fewer = chosen.groups.filter(pl.col("chosen") < top)
    if not fewer.height:
        return []
    told = ", ".join(f"{row['race']} {row['gender']} {row['chosen']}" for row in fewer.iter_rows(named=True))
    return [f"Short of {top} names: {told}."]


def _summary(chosen: Selection) -> str:
    lines = [f"{chosen.names.height:,} of {chosen.read:,} names chosen."]
    lines += [f"  {count:,} left out {reason}" for reason, count in chosen.left_out.items() if count]
    for row in chosen.groups.filter(pl.col("eligible") > 0).iter_rows(named=True):
        lines.append(f"  {row['race']} {row['gender']}: {row['chosen']:,} of {row['eligible']:,} that fit")
    return "\n".join(lines)


def _json(chosen: Selection) -> str:
    content = {
        "read": chosen.read,
        "races_as": chosen.races_as,
        "genders_as": chosen.genders_as,
        "left_out": dict(chosen.left_out),
        "groups": chosen.groups.to_dicts(),
        "names": chosen.names.to_dicts(),
    }
    return orjson.dumps(content, option=orjson.OPT_INDENT_2).decode()


def _pairs(typed: Sequence[str], *, option: str) -> dict[str, str] | None:
    """Return GROUP=COLUMN pairs, None where there are none.

    >>> _pairs(["white=W", "black=B"], option="--race")
    {'white': 'W', 'black': 'B'}
    """
    found: dict[str, str] = {}
    for pair in typed:
        group, equals, column = (part.strip() for part in pair.partition("="))
        if not (group and equals and column):
            raise InputError(f"{option} is {pair!r}; expected GROUP=COLUMN, like {option} {_EXAMPLES[option]}.")
        if group.lower() in found:
            raise InputError(f"{option} names {group.lower()} twice.")
        found[group.lower()] = column
    return found or None


_EXAMPLES = {"--race": "white=pct_white", "--gender": "female=pct_female"}
