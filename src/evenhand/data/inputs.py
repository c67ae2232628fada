"""Input files other than tables to count: saved answers, names with the groups they signal, and positions.

Saved answers come as JSONL, Parquet or CSV, one row per attempt, and are checked. --map renames the values of a column,
such as A to asian.
"""

import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Self

import orjson
import polars as pl

from evenhand.data.labels import EXPECTED_MAP, read_maps
from evenhand.data.lexicons.names import TABLES, GroupName, group_names
from evenhand.data.text_tables import read_text_table
from evenhand.data.toml_files import json_rows
from evenhand.errors import InputError, option_text
from evenhand.results.files import parsed_json
from evenhand.results.messages import listed, quoted, shortened, spelled

_FREQUENCIES = ("frequency", "count")


def name_source(typed: str | Path) -> Path | str:
    """Return what names are read from: a file, or the name of a table of the package where there is no such file.

    >>> name_source("an2024"), name_source("names.csv")
    ('an2024', PosixPath('names.csv'))
    """
    return str(typed) if str(typed) in TABLES and not Path(typed).exists() else Path(typed)


def read_group_names(path: Path | str) -> tuple[GroupName, ...]:
    """Return names from a CSV with `name`, the groups they signal (`group`, or `gender`, `race`), maybe `frequency`.

    Names are first and last names, or given names alone in every row. A text is the name of a table of the package.

    Raises
    ------
    InputError
        The file can't be read, a column is missing, a row has no name or no group, has a given name alone where others
        have two, or a frequency is no number.

    """
    if isinstance(path, str):
        return group_names(path)
    frame = read_text_table(path).frame
    signals = [column for column in ("gender", "race", "group") if column in frame.columns]
    if "name" not in frame.columns or not signals:
        raise InputError(
            f"{path} has the columns {listed(frame.columns)}; expected group,name, or name with gender and race."
        )
    frequency = next((column for column in _FREQUENCIES if column in frame.columns), None)
    names = tuple(
        _name(row, f"Row {number} of {path}", signals, frequency)
        for number, row in enumerate(frame.iter_rows(named=True), 1)
    )
    alone = [" " not in name.name for name in names]
    if any(alone) and not all(alone):
        row = alone.index(not alone[0])
        kinds = ("a given name alone", "first and last name")
        here, first = kinds if alone[row] else kinds[::-1]
        raise InputError(
            f"Row {row + 1} of {path}: {quoted(names[row].name)} is {here}, and row 1 has {first}; use one kind "
            "in all rows."
        )
    return names


def _name(row: Mapping[str, str | None], place: str, signals: Sequence[str], frequency: str | None) -> GroupName:
    name = " ".join((row["name"] or "").split())
    if not name:
        raise InputError(f"{place} has no name; expected a name such as Jane Doe, or a given name such as Jane.")
    missing = [column for column in signals if not (row[column] or "").strip()]
    if missing:
        raise InputError(f"{place}: {quoted(name)} has no {missing[0]}; fill it in, or leave the row out.")
    typed = row[frequency] if frequency is not None else None
    try:
        often = float(typed) if typed is not None else None
    except ValueError:
        often = -1.0
    if often is not None and not 0 < often < float("inf"):
        raise InputError(f"{place}: the {frequency} of {quoted(name)} is {quoted(typed)}; expected a number above 0.")
    return GroupName(name=name, signals={column: (row[column] or "").strip() for column in signals}, frequency=often)


def value_maps(typed: str | Sequence[str] | Mapping[str, Any]) -> tuple[str, ...]:
    """Return the value of --map as one text per column; a part without a column continues the column before it.

    Raises
    ------
    InputError
        A part is no FROM=TO, or a value has two names.

    >>> value_maps(["race:A=asian,B=black,gender:f=female", "race:W=white"])
    ('race:A=asian,B=black,W=white', 'gender:f=female')
    >>> value_maps({"gender": {"f": "female", 1: "male"}})
    ('gender:f=female,1=male',)
    """
    maps = {name: dict(pairs) for name, pairs in typed.items()} if isinstance(typed, Mapping) else read_maps(typed)
    for column, names in maps.items():
        for before, now in names.items():
            if not str(before).strip() or not str(now).strip() or "," in f"{before}{now}" or "=" in str(now):
                raise InputError(f"{option_text('map')} holds {quoted(f'{column}:{before}={now}')}; {EXPECTED_MAP}.")
    return tuple(
        f"{column}:{','.join(f'{before}={now}' for before, now in names.items())}"
        for column, names in maps.items()
        if names
    )


def renamed_values(frame: pl.DataFrame, maps: Sequence[str], *, source: Path) -> pl.DataFrame:
    """Return a table with values renamed by `maps` (of `value_maps`), as texts; blank cells stay blank.

    Raises
    ------
    InputError
        There is no such column, or a value of it is in no map; rows are counted from 1.

    >>> renamed_values(pl.DataFrame({"race": ["A", None]}), ["race:A=asian"], source=Path("a.csv"))["race"].to_list()
    ['asian', None]
    """
    for column, names in read_maps(maps).items():
        if column not in frame.columns:
            near = get_close_matches(column, frame.columns, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise InputError(
                f"{option_text('map')}: no column {quoted(column)} in {source}. Columns: {listed(frame.columns)}.{hint}"
            )
        cells = _texts(frame[column])
        unknown = (~cells.is_in(list(names)) & (cells != "")).fill_null(value=False).arg_true()
        if len(unknown):
            value = quoted(cells[unknown[0]])
            raise InputError(
                f"Row {unknown[0] + 1} of {source}: {option_text('map')} has no name for the "
                f"{column} {value}, only for "
                f"{listed(list(names))}; name each value, one that stays as it is too."
            )
        frame = frame.with_columns(cells.replace(names).alias(column))
    return frame


def _texts(cells: pl.Series) -> pl.Series:
    """Return cells as trimmed texts; whole numbers have no decimals."""
    if cells.dtype.is_float() and (cells.drop_nulls() % 1 == 0).all():
        cells = cells.cast(pl.Int64)
    if cells.dtype.is_nested():
        raise InputError(
            f"{option_text('map')}: the column {quoted(cells.name)} holds lists or objects; expected texts or numbers."
        )
    return cells.cast(pl.String).str.strip_chars()


EXPECTED_POSITION = '{"id": "…", "title": "…", "text": "…", "skills": ["…"]}'
#: Keys that are fields of a position; others become `columns`.
_POSITION_FIELDS = frozenset({"id", "title", "text", "skills", "location", "must", "nice", "years"})
_LISTS = ("skills", "must", "nice")


@dataclass(frozen=True, kw_only=True)
class Position:
    """A position: its text for a scorer, its recruiter's requirements, and other columns by name.

    `must` and `nice` are required and preferred skills; `years` are the fewest and the most years of experience, None
    for an open end.
    """

    id: str
    title: str
    text: str = ""
    skills: tuple[str, ...] = ()
    location: str | None = None
    must: tuple[str, ...] = ()
    nice: tuple[str, ...] = ()
    years: tuple[float | None, float | None] = (None, None)
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def listed(self) -> tuple[str, ...]:
        """Return all its skills, required ones first."""
        return *self.must, *self.nice, *self.skills

    @property
    def advertisement(self) -> str:
        """Return the text that a scorer sees."""
        parts = [
            self.title,
            self.text.strip(),
            f"Skills: {', '.join(self.skills)}" if self.skills else "",
            f"Location: {self.location}" if self.location else "",
        ]
        return "\n\n".join(part for part in parts if part)


def read_positions(path: Path) -> tuple[Position, ...]:
    """Return the positions of a JSONL file, or of a CSV with the same columns and skills separated by semicolons.

    A position without an id gets its place in the file, counted from 1.

    Raises
    ------
    InputError
        The file can't be read, a position has no title, or two have one id.

    """
    suffix = path.suffix.lower()
    if suffix in {".jsonl", ".ndjson"}:
        rows: Iterable[tuple[str, dict[str, Any]]] = (
            (f"Line {number} of {path}", row) for number, row in json_rows(path, expected=EXPECTED_POSITION)
        )
    elif suffix in {".csv", ".tsv", ".txt"}:
        rows = _table_rows(path)
    else:
        raise InputError(f"{path} has the ending {suffix or '(none)'}; expected positions as .jsonl or .csv.")
    positions: dict[str, Position] = {}
    for place, row in rows:
        position = _position(row, place, default=str(len(positions) + 1))
        if position.id in positions:
            raise InputError(f"{place}: the id {quoted(position.id)} already exists; give each position its own id.")
        positions[position.id] = position
    return tuple(positions.values())


def _table_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    frame = read_text_table(path).frame
    if "title" not in frame.columns:
        raise InputError(f"No column 'title' in {path}: positions without titles. Columns: {listed(frame.columns)}.")
    for number, row in enumerate(frame.iter_rows(named=True), 1):
        for name in _LISTS:
            if row.get(name) is not None:
                row[name] = [skill.strip() for skill in row[name].split(";") if skill.strip()]
        if row.get("years") is not None:
            row["years"] = row["years"].replace("–", "-").split("-")
        yield f"Row {number} of {path}", row


def _position(row: Mapping[str, Any], place: str, *, default: str) -> Position:
    title = _text(row, "title", place)
    if title is None:
        raise InputError(f"{place} has no title; a position needs a title: add a 'title'.")
    return Position(
        id=_text(row, "id", place) or default,
        title=title,
        text=_text(row, "text", place) or "",
        skills=_skills(row, "skills", place),
        location=_text(row, "location", place),
        must=_skills(row, "must", place),
        nice=_skills(row, "nice", place),
        years=_years(row.get("years"), place),
        columns={
            name: value
            for name in row
            if name not in _POSITION_FIELDS and (value := _text(row, name, place)) is not None
        },
    )


def _text(row: Mapping[str, Any], name: str, place: str) -> str | None:
    """Return a stripped text, None where it is blank; numbers count as text."""
    value = row.get(name)
    if isinstance(value, bool | int | float):
        value = str(value)
    if not isinstance(value, str | None):
        raise InputError(f"{place}: {quoted(name)} is {quoted(value)}; expected text.")
    return (value.strip() or None) if value is not None else None


def _skills(row: Mapping[str, Any], name: str, place: str) -> tuple[str, ...]:
    value = row.get(name)
    if value is None:
        return ()
    if not (
        isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(skill, str) for skill in value)
    ):
        raise InputError(f'{place}: {name} is {quoted(value)}; expected a list of texts, such as ["welding"].')
    return tuple(skill for text in value if (skill := text.strip()))


def _years(value: Any, place: str) -> tuple[float | None, float | None]:
    """Return the fewest and the most years of experience; a single number is the fewest."""
    if value is None:
        return None, None
    ends = list(value) if isinstance(value, list | tuple) else [value]
    try:
        low, high = (None if end in {None, ""} else float(end) for end in [*ends, None][:2])
    except (TypeError, ValueError):
        low, high = -1.0, None
    if len(ends) > 2 or (low or 0) < 0 or (high is not None and high < (low or 0)):
        raise InputError(f"{place}: years is {quoted(value)}; expected the fewest and the most years, such as [2, 5].")
    return low, high


#: Columns that hold text or null.
TEXTS = ("answer", "finish_reason", "error")
#: One of them with another value. Quotes within a text have a backslash, so this never matches inside a text.
_NO_TEXT = "|".join(rf'"{name}"[ \t]*:[ \t]*[^"n \t]' for name in TEXTS)
#: Values in values, which Polars reads until its stack is full; a bracket behind a colon, or at the start of a line.
_NESTED = r'(?m)"\s*:\s*[\[{]|^\s*\['
#: Bytes of a file and rows of a table that are read at a time.
_BLOCK, _ROWS = 16 << 20, 50_000
#: The most characters of a message from the Parquet reader.
_LONGEST = 200
EXPECTED_ANSWERS = "expected .jsonl (one object per line), .parquet or .csv"


@dataclass(frozen=True, kw_only=True)
class ScoreColumns:
    """The columns of saved scores, None where they have their usual names."""

    document: str | None = None
    position: str | None = None
    score: str | None = None


def read_saved_answers(path: Path, *, maps: Sequence[str] = ()) -> pl.DataFrame:
    """Return the rows of saved answers with `item`, `attempt`, `answer`, `finish_reason`, `error`.

    Without a column `item` it is null; without `attempt` the rows of an item are numbered 0, 1, … in the order of
    the file. A number as an answer becomes its text. All other columns are unchanged, except for values renamed by
    `maps` (of `value_maps`).

    Raises
    ------
    InputError
        The file can't be read, is empty, has no column `answer`, or a value has the
        wrong type or is in no map; the row is named, counted from 1.

    """
    saved = packed_answers(path, maps=maps)
    return saved.rows.with_columns(pl.concat(map(unpacked, saved.texts)).alias("answer"))


@dataclass(frozen=True, kw_only=True)
class PackedAnswers:
    """Saved answers whose texts, most of what they take in memory, are compressed in pieces.

    In `rows` the column `answer` is null.
    """

    rows: pl.DataFrame
    texts: Sequence[bytes]

    @classmethod
    def of(cls, pieces: Iterable[pl.DataFrame]) -> Self:
        """Return answers that come in pieces."""
        rows, texts = list[pl.DataFrame](), list[bytes]()
        for piece in pieces:
            is_text = piece.schema.get("answer") in (pl.String, pl.Null)
            none = pl.repeat(None, piece.height, dtype=pl.String, eager=True).alias("answer")
            texts.append(packed(piece["answer"].cast(pl.String) if is_text else none))
            rows.append(piece.with_columns(none) if is_text else piece)
        return cls(rows=pl.concat(rows, how="diagonal_relaxed") if rows else pl.DataFrame(), texts=texts)

    def joined(self, rows: pl.DataFrame, *, name: str) -> Iterator[pl.DataFrame]:
        """Yield other rows, one for each answer, in pieces, with the answers in the column `name`."""
        start = 0
        for texts in map(unpacked, self.texts):
            yield rows.slice(start, len(texts)).with_columns(texts.alias(name))
            start += len(texts)


def packed(texts: pl.Series) -> bytes:
    """Return compressed texts."""
    content = io.BytesIO()
    texts.alias("text").to_frame().write_ipc(content, compression="zstd")
    return content.getvalue()


def unpacked(content: bytes) -> pl.Series:
    """Return the texts of `packed`."""
    return pl.read_ipc(io.BytesIO(content)).to_series()


def packed_answers(path: Path, *, maps: Sequence[str] = ()) -> PackedAnswers:
    """Return the rows that `read_saved_answers` returns, with packed texts.

    Raises
    ------
    InputError
        As there.

    """
    if not path.is_file():
        raise InputError(f"No file {path}; {EXPECTED_ANSWERS}.")
    suffix = path.suffix.lower()
    if suffix in {".jsonl", ".ndjson", ".json"}:
        pieces = _jsonl_pieces(path)
    elif suffix == ".parquet":
        pieces = _parquet_pieces(path)
    elif suffix in {".csv", ".tsv"}:
        pieces = iter([_with_numbered_attempts(read_text_table(path).frame)])
    else:
        raise InputError(f"{path} has the ending {suffix or '(none)'}; {EXPECTED_ANSWERS}.")
    of_answers = [text for text in maps if text.startswith("answer:")]
    saved = PackedAnswers.of(renamed_values(piece, of_answers, source=path) for piece in pieces)
    if not saved.rows.height:
        raise InputError(f"{path} has no rows.")
    rows = renamed_values(saved.rows, [text for text in maps if text not in of_answers], source=path)
    return replace(saved, rows=_with_common_columns(rows, path))


def _parquet_pieces(path: Path) -> Iterator[pl.DataFrame]:
    try:
        rows = pl.scan_parquet(path)
        start = 0
        while (piece := rows.slice(start, _ROWS).collect()).height or not start:
            yield piece
            start += _ROWS
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        first = spelled(shortened(str(error).splitlines()[0], most=_LONGEST))
        raise InputError(f"{path} can't be read as Parquet: {first}") from error


def _with_numbered_attempts(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a table of texts with attempts as whole numbers, where all of them are."""
    if "attempt" not in frame.columns:
        return frame
    numbers = frame["attempt"].str.strip_chars().cast(pl.Int64, strict=False)
    return frame if numbers.null_count() > frame["attempt"].null_count() else frame.with_columns(numbers)


def _jsonl_pieces(path: Path) -> Iterator[pl.DataFrame]:
    """Yield the rows of a file in pieces; those of texts, numbers and booleans are read as a whole.

    Others are parsed line by line, so that messages can name the line.
    """
    number = 1
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            block += file.readline()
            plain = _read_plain_jsonl(block)
            yield _read_jsonl(block, number, path) if plain is None else plain
            number += block.count(b"\n")


def _read_plain_jsonl(block: bytes) -> pl.DataFrame | None:
    """Return rows of texts, numbers and booleans, None where they may hold anything else."""
    try:
        text = pl.Series([block.decode()])
        if text.str.contains(_NO_TEXT)[0] or text.str.contains(_NESTED)[0]:
            return None
        frame = pl.read_ndjson(block, infer_schema_length=None)
    except (UnicodeDecodeError, pl.exceptions.PolarsError, OSError):
        return None
    kinds = (pl.String, pl.Int64, pl.Float64, pl.Boolean, pl.Null)
    if not all(kind in kinds for kind in frame.dtypes):
        return None
    # Polars reads half of a surrogate pair as U+0000.
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    damaged = any(frame[name].str.contains("\x00", literal=True).any() for name in texts)
    return None if damaged or any("\x00" in name for name in frame.columns) else frame


def _read_jsonl(block: bytes, first: int, path: Path) -> pl.DataFrame:
    columns: dict[str, list[Any]] = {}
    rows = 0
    for number, line in enumerate(block.split(b"\n"), start=first):
        content = line.removeprefix(b"\xef\xbb\xbf").strip()
        if not content:
            continue
        # One record at a time: nested values are stored as text, not as objects.
        for name, value in _record(content, number, path).items():
            column = columns.setdefault(name, [])
            column.extend([None] * (rows - len(column)))
            column.append(value)
        rows += 1
    series = []
    for name, values in columns.items():
        values.extend([None] * (rows - len(values)))
        try:
            series.append(pl.Series(name, values, strict=True))
        except (TypeError, OverflowError, pl.exceptions.PolarsError):
            # Mixed types in one column: numbers as text, for instance. Each reader checks what it needs.
            series.append(pl.Series(name, [_as_text(value) for value in values], dtype=pl.String))
    return pl.DataFrame(series)


def _record(content: bytes, number: int, path: Path) -> dict[str, Any]:
    """Return the object of one line, with nested values as JSON text for the probe to parse.

    Half of a surrogate pair becomes U+FFFD, as in the journal.
    """
    try:
        record = parsed_json(content)
    except orjson.JSONDecodeError as error:
        if b"\x00" in content or content.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise InputError(f"Line {number} of {path} is not UTF-8; save the file as UTF-8.") from error
        try:
            record = _without_lone_surrogates(json.loads(content))
        except RecursionError:
            raise _too_deep(number, path) from None
        except ValueError:
            raise InputError(f"Line {number} of {path} is not valid JSON: {error}.") from error
    if not isinstance(record, dict):
        raise InputError(f"Line {number} of {path} is a JSON {type(record).__name__}; expected an object per line.")
    answer = record.get("answer")
    if type(answer) is int or (isinstance(answer, float) and math.isfinite(answer)):
        # A score that was saved as a number becomes text, as in a CSV.
        record["answer"] = _as_text(answer)
    for name in TEXTS:
        if not isinstance(record.get(name), str | None):
            raise InputError(f"Line {number} of {path}: {name} is {quoted(record[name])}; expected text or null.")
    try:
        return {name: _as_text(value) if isinstance(value, list | dict) else value for name, value in record.items()}
    except RecursionError:
        raise _too_deep(number, path) from None


def _too_deep(number: int, path: Path) -> InputError:
    return InputError(f"Line {number} of {path} is nested too deeply; expected an object of texts.")


def _without_lone_surrogates(value: Any) -> Any:
    """Return a value with halves of surrogate pairs replaced in all its texts, nested ones too."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list():
            return [_without_lone_surrogates(item) for item in value]
        case dict():
            return {_without_lone_surrogates(key): _without_lone_surrogates(item) for key, item in value.items()}
    return value


def _as_text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        # Whole numbers of more than 64 bits, and nesting below the 254th level.
        return json.dumps(value, ensure_ascii=False)


def _with_common_columns(frame: pl.DataFrame, path: Path) -> pl.DataFrame:
    # Where decisions are known (an2024), no text is needed.
    if "answer" not in frame.columns and "accepted" not in frame.columns:
        raise InputError(f"No column 'answer' in {path}. Columns: {listed(frame.columns)}.")
    texts = []
    for name in TEXTS:
        if name not in frame.columns:
            texts.append(pl.lit(None, pl.String).alias(name))
        elif frame[name].dtype in (pl.String, pl.Null):
            texts.append(pl.col(name).cast(pl.String))
        else:
            raise InputError(f"The column {quoted(name)} of {path} holds {frame[name].dtype}; expected text or null.")
    if "item" in frame.columns:
        item = pl.col("item").cast(pl.String)
        blank = frame["item"].is_null().arg_true()
        if len(blank):
            raise InputError(f"Row {blank[0] + 1} of {path} has no item; give every row one, or leave the column out.")
    else:
        item = pl.lit(None, pl.String)
    return frame.with_columns(item.alias("item"), *texts).with_columns(_attempt(frame, path).alias("attempt"))


def _attempt(frame: pl.DataFrame, path: Path) -> pl.Expr | pl.Series:
    if "attempt" not in frame.columns:
        return pl.lit(None, pl.Int32)
    attempts = frame["attempt"].cast(pl.Int32, strict=False)
    wrong = (attempts.is_null() | (attempts < 0)).arg_true()
    if len(wrong):
        raise InputError(
            f"Row {wrong[0] + 1} of {path}: attempt {quoted(frame['attempt'][wrong[0]])} is not a whole number from 0."
        )
    return attempts
