"""Saved answers from JSONL, Parquet or CSV: one row per attempt, checked."""

import json
import math
import mmap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import polars as pl

from evenhand.errors import InputError
from evenhand.intake.text_tables import read_text_table
from evenhand.intake.value_maps import renamed_values
from evenhand.patterns import lazy_re
from evenhand.tables.messages.quoting import listed, quoted, shortened, spelled

__all__ = ["read_saved_answers"]

#: Columns that hold text or nothing.
TEXTS = ("answer", "finish_reason", "error")
#: One of them with another value; a quote within a text is written with a backslash, so no text looks like this.
_NO_TEXT = lazy_re(rb'"(?:answer|finish_reason|error)"[ \t]*:[ \t]*(?!["n \t])')
#: Characters of a message of the reader of Parquet.
_LONGEST = 200
EXPECTED = "expected .jsonl (one object per line), .parquet or .csv"


def read_saved_answers(path: Path, *, maps: Sequence[str] = ()) -> pl.DataFrame:
    """Return the rows of saved answers with `item`, `attempt`, `answer`, `finish_reason`, `error`.

    Without `item` each row is its own item; without `attempt` the rows of an item are
    counted 0, 1, … in the order of the file. An answer that is a number is read as its text in
    JSONL, as in CSV. All other columns stay as they are, but for
    values that `maps` (of `value_maps`) name otherwise.

    Raises
    ------
    InputError
        The file can't be read, is empty, has no column `answer`, or a value has the
        wrong type or is in no map; the row is named, counted from 1.

    """
    if not path.is_file():
        message = f"No file {path}; {EXPECTED}."
        raise InputError(message)
    suffix = path.suffix.lower()
    if suffix in {".jsonl", ".ndjson", ".json"}:
        plain = _read_plain_jsonl(path)
        frame = plain if plain is not None else _read_jsonl(path)
    elif suffix == ".parquet":
        try:
            frame = pl.read_parquet(path)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
            first = spelled(shortened(str(error).splitlines()[0], most=_LONGEST))
            message = f"{path} can't be read as Parquet: {first}"
            raise InputError(message) from error
    elif suffix in {".csv", ".tsv"}:
        frame = _with_numbered_attempts(read_text_table(path).frame)
    else:
        message = f"{path} has the ending {suffix or '(none)'}; {EXPECTED}."
        raise InputError(message)
    if not frame.height:
        message = f"{path} has no rows."
        raise InputError(message)
    return _with_common_columns(renamed_values(frame, maps, source=path), path)


def _with_numbered_attempts(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a table of texts whose attempts are whole numbers where all of them read as such."""
    if "attempt" not in frame.columns:
        return frame
    numbers = frame["attempt"].str.strip_chars().cast(pl.Int64, strict=False)
    return frame if numbers.null_count() > frame["attempt"].null_count() else frame.with_columns(numbers)


def _read_plain_jsonl(path: Path) -> pl.DataFrame | None:
    """Return records of texts, numbers and booleans, read at once; None where anything else may be there.

    What can't be read so is read line by line, which tells what is wrong, and where.
    """
    with path.open("rb") as file:
        head = file.readline()
    try:
        record = orjson.loads(head)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(record, dict) or any(isinstance(value, list | dict) for value in record.values()):
        return None
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        if _NO_TEXT.search(content) is not None:
            return None
    try:
        frame = pl.read_ndjson(path, infer_schema_length=None)
    except (pl.exceptions.PolarsError, OSError):
        return None
    kinds = (pl.String, pl.Int64, pl.Float64, pl.Boolean, pl.Null)
    if not all(kind in kinds for kind in frame.dtypes):
        return None
    # Half of a surrogate pair is read as U+0000.
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    damaged = any(frame[name].str.contains("\x00", literal=True).any() for name in texts)
    return None if damaged or any("\x00" in name for name in frame.columns) else frame


def _read_jsonl(path: Path) -> pl.DataFrame:
    columns: dict[str, list[Any]] = {}
    rows = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            content = line.removeprefix(b"\xef\xbb\xbf").strip()
            if not content:
                continue
            # One record at a time: what it nests is kept as text, not as objects.
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
    """Return the object of one line, what it nests as JSON text, for the probe that knows it.

    Half of a surrogate pair becomes U+FFFD, as in the journal.
    """
    try:
        record = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        if b"\x00" in content or content.startswith((b"\xff\xfe", b"\xfe\xff")):
            message = f"Line {number} of {path} is not UTF-8; save the file as UTF-8."
            raise InputError(message) from error
        try:
            record = _mended(json.loads(content))
        except RecursionError:
            raise _too_deep(number, path) from None
        except ValueError:
            message = f"Line {number} of {path} is no JSON: {error}."
            raise InputError(message) from error
    if not isinstance(record, dict):
        message = f"Line {number} of {path} is a JSON {type(record).__name__}; expected an object per line."
        raise InputError(message)
    answer = record.get("answer")
    if type(answer) is int or (isinstance(answer, float) and math.isfinite(answer)):
        # A score that was saved as a number, as a CSV has it.
        record["answer"] = _as_text(answer)
    for name in TEXTS:
        if not isinstance(record.get(name), str | None):
            message = f"Line {number} of {path}: {name} is {quoted(record[name])}; expected text or null."
            raise InputError(message)
    try:
        return {name: _as_text(value) if isinstance(value, list | dict) else value for name, value in record.items()}
    except RecursionError:
        raise _too_deep(number, path) from None


def _too_deep(number: int, path: Path) -> InputError:
    return InputError(f"Line {number} of {path} is nested too deeply; expected an object of texts.")


def _mended(value: Any) -> Any:
    """Return a value in whose texts, also those that it nests, no half of a surrogate pair stands."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list():
            return [_mended(each) for each in value]
        case dict():
            return {_mended(key): _mended(each) for key, each in value.items()}
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
        message = f"No column 'answer' in {path}. Columns: {listed(frame.columns)}."
        raise InputError(message)
    texts = []
    for name in TEXTS:
        if name not in frame.columns:
            texts.append(pl.lit(None, pl.String).alias(name))
        elif frame[name].dtype in (pl.String, pl.Null):
            texts.append(pl.col(name).cast(pl.String))
        else:
            message = f"The column {quoted(name)} of {path} holds {frame[name].dtype}; expected text or null."
            raise InputError(message)
    if "item" in frame.columns:
        item = pl.col("item").cast(pl.String)
        blank = frame["item"].is_null().arg_true()
        if len(blank):
            message = f"Row {blank[0] + 1} of {path} has no item; give every row one, or leave the column out."
            raise InputError(message)
    else:
        item = pl.int_range(pl.len()).cast(pl.String)
    return frame.with_columns(item.alias("item"), *texts).with_columns(_attempt(frame, path).alias("attempt"))


def _attempt(frame: pl.DataFrame, path: Path) -> pl.Expr | pl.Series:
    if "attempt" not in frame.columns:
        return pl.lit(None, pl.Int32)
    attempts = frame["attempt"].cast(pl.Int32, strict=False)
    wrong = (attempts.is_null() | (attempts < 0)).arg_true()
    if len(wrong):
        message = (
            f"Row {wrong[0] + 1} of {path}: attempt {quoted(frame['attempt'][wrong[0]])} is no whole number from 0."
        )
        raise InputError(message)
    return attempts
