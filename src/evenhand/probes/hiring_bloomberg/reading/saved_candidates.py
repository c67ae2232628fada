"""The candidates of saved prompts, one row each, checked. Rows are counted from 1."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import orjson
import polars as pl

from evenhand.errors import InputError
from evenhand.lexicons.names import GENDERS, RACES, bloomberg_names
from evenhand.probes.hiring_bloomberg.reading.candidates import plain_name
from evenhand.probes.shared.saved import folded
from evenhand.tables.messages.quoting import quoted

__all__ = ["saved_candidates"]

FIELDS = ("name", "gender", "race", "slot")
_PIECE = 512
_AS_TEXT = pl.List(pl.Struct(dict.fromkeys(FIELDS, pl.String)))
EXPECTED = (
    'expected a list of two or more, each like {"name": "Jane Li", "gender": "female", "race": "asian", "slot": 1}'
)


def saved_candidates(saved: pl.DataFrame) -> pl.DataFrame:
    """Return one row per candidate: `row` (from 0), `name, gender, race, slot`, in slot order.

    Names are spelled as in our table where they are in it. What a candidate itself says
    of gender and race wins, then the column `race` of the prompt, then our table.

    Raises
    ------
    InputError
        The candidates of a row are no list of at least two, or one of them has no name,
        a name or slot that another has too, or an unknown gender, race or slot.

    """
    frame = _long(saved["candidates"])
    names = _known_names(frame["name"])
    frame = frame.join(names, on="name", how="left", maintain_order="left")
    _refuse(frame, pl.col("key").fill_null("") == "", "has no name; give every candidate one")
    _refuse(
        frame,
        pl.struct("row", "key").is_duplicated(),
        "has a name that is there twice; an answer could not tell the two apart",
    )
    frame = frame.with_columns(
        _own(frame, "gender", allowed=GENDERS), _own(frame, "race", allowed=RACES), _slots(frame)
    )
    if "race" in saved.columns:
        frame = _with_race_of_prompt(frame, saved)
    frame = frame.with_columns(pl.coalesce("gender", "known gender"), pl.coalesce("race", "known race"))
    for attribute in ("gender", "race"):
        _refuse_unknown(frame, attribute)
    return frame.select("row", pl.coalesce("known", "name").alias("name"), "gender", "race", "slot").sort(
        "row", "slot", maintain_order=True
    )


def _long(candidates: pl.Series) -> pl.DataFrame:
    """Return `row, place` (from 1) and the fields as they were given, one row per candidate."""
    if candidates.dtype == pl.String:
        frame, counts = _from_text(candidates)
    else:
        frame, counts = _from_lists(candidates)
    few = (counts < 2).fill_null(value=True).arg_true()
    if len(few):
        count = counts[few[0]]
        what = "is None" if count is None else "holds 1 candidate" if count == 1 else "is an empty list"
        raise InputError(f"Row {few[0] + 1}: candidates {what}; {EXPECTED}.")
    dtype = frame["name"].dtype
    if dtype not in (pl.String, pl.Null):
        raise InputError(f"Row 1: the names of the candidates are {dtype}; expected text.")
    return frame.with_columns(
        pl.col("name").cast(pl.String).str.strip_chars(),
        pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("row").alias("place"),
    )


def _from_lists(candidates: pl.Series) -> tuple[pl.DataFrame, pl.Series]:
    values = candidates.arr.to_list() if isinstance(candidates.dtype, pl.Array) else candidates
    if candidates.dtype == pl.Null:
        values = candidates.cast(pl.List(pl.Null))
    inner = values.dtype.inner if isinstance(values.dtype, pl.List) else None
    if not isinstance(inner, pl.Struct) and inner != pl.Null:
        raise InputError(f"Row 1: candidates is {candidates.dtype}; {EXPECTED}.")
    counts = values.list.len()
    exploded = pl.DataFrame({"candidate": values}).with_row_index("row").filter(counts > 0).explode("candidate")
    known = [field.name for field in inner.fields] if isinstance(inner, pl.Struct) else []
    fields = [
        (pl.col("candidate").struct.field(name) if name in known else pl.lit(None, pl.String)).alias(name)
        for name in FIELDS
    ]
    return exploded.select(pl.col("row").cast(pl.Int64), *fields), counts


def _from_text(candidates: pl.Series) -> tuple[pl.DataFrame, pl.Series]:
    """Read candidates that came as JSON text: a column of several types is read as text."""
    try:
        # A piece at a time: a parsed document takes ten times the memory of its text.
        decoded = pl.concat(
            [candidates.slice(start, _PIECE).str.json_decode(_AS_TEXT) for start in range(0, len(candidates), _PIECE)]
        )
    except pl.exceptions.PolarsError:
        return _one_by_one(candidates)
    # Blank text is left out by that reader, which shows in the length.
    return _from_lists(decoded) if len(decoded) == len(candidates) else _one_by_one(candidates)


def _one_by_one(candidates: pl.Series) -> tuple[pl.DataFrame, pl.Series]:
    """Read candidates that are no JSON lists of objects throughout, and name the first that is none."""
    rows: list[int] = []
    columns: dict[str, list[str | None]] = {name: [] for name in FIELDS}
    counts: list[int] = []
    for row, text in enumerate(candidates):
        listed = _parsed(text, row)
        counts.append(len(listed))
        for place, candidate in enumerate(listed, start=1):
            if not isinstance(candidate, dict):
                raise InputError(f"Row {row + 1}: candidate {place} is {_shown(candidate)}; {EXPECTED}.")
            if not isinstance(candidate.get("name"), str | None):
                raise InputError(
                    f"Row {row + 1}: candidate {place} has the name {quoted(candidate['name'])}; expected text."
                )
            rows.append(row)
            for name, column in columns.items():
                value = candidate.get(name)
                column.append(None if value is None else str(value))
    frame = pl.DataFrame(
        {"row": pl.Series(rows, dtype=pl.Int64)}
        | {name: pl.Series(column, dtype=pl.String) for name, column in columns.items()}
    )
    return frame, pl.Series(counts, dtype=pl.Int64)


def _parsed(text: str | None, row: int) -> list[Any]:
    try:
        value = orjson.loads(text or "null")
    except orjson.JSONDecodeError:
        value = text
    if not isinstance(value, list):
        raise InputError(f"Row {row + 1}: candidates is {_shown(value)}; {EXPECTED}.")
    return value


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _known_names(names: pl.Series) -> pl.DataFrame:
    """Return each distinct name with its `key` for comparing, and what our table knows of it."""
    distinct = names.drop_nulls().unique(maintain_order=True)
    frame = pl.DataFrame({"name": distinct, "key": pl.Series([plain_name(name) for name in distinct], dtype=pl.String)})
    table = bloomberg_names().select(
        pl.col("name").alias("known"), pl.col("gender").alias("known gender"), pl.col("race").alias("known race")
    )
    keys = pl.Series("key", [plain_name(name) for name in table["known"]], dtype=pl.String)
    return frame.join(table.with_columns(keys).unique("key", keep="first"), on="key", how="left")


def _own(frame: pl.DataFrame, attribute: str, *, allowed: Sequence[str]) -> pl.Series:
    """Return what the candidates say of themselves, checked; null and blank are null."""
    distinct = pl.DataFrame({attribute: frame[attribute].unique()})
    known = distinct.with_columns(folded(pl.col(attribute)).replace("", None).alias("folded"))
    values = frame.select(attribute).join(known, on=attribute, how="left", maintain_order="left")["folded"]
    values = values.alias(attribute)
    wrong = (~values.is_in(list(allowed)) & values.is_not_null()).arg_true()
    if len(wrong):
        row, place = frame["row"][wrong[0]] + 1, frame["place"][wrong[0]]
        value = frame[attribute][wrong[0]]
        message = f"Row {row}: candidate {place} has the {attribute} {quoted(value)}; expected {', '.join(allowed)}."
        raise InputError(message)
    return values


def _slots(frame: pl.DataFrame) -> pl.Series:
    """Return the slots as whole numbers; without any in its prompt, the places in the list."""
    saved = frame["slot"]
    numbers = saved.cast(pl.Float64, strict=False)
    slots = numbers.cast(pl.Int32, strict=False)
    wrong = saved.is_not_null() & (slots.is_null() | (slots.cast(pl.Float64) != numbers) | (slots < 0))
    checked = frame.with_columns(
        slots.alias("slot"),
        wrong.alias("wrong"),
        saved.is_null().alias("no slot"),
    ).with_columns(pl.col("no slot").all().over("row").alias("none"))
    _refuse(checked, pl.col("wrong"), "has a slot that is no whole number from 0")
    _refuse(checked, pl.col("no slot") & ~pl.col("none"), "has no slot, and others of its prompt have one")
    filled = checked.with_columns(pl.when("none").then("place").otherwise("slot").alias("slot"))
    _refuse(filled, pl.struct("row", "slot").is_duplicated(), "has a slot that is there twice")
    return filled["slot"]


def _with_race_of_prompt(frame: pl.DataFrame, saved: pl.DataFrame) -> pl.DataFrame:
    """Fill the candidates' race from the column `race`, which must agree with their own."""
    of_prompt = saved.select(folded(pl.col("race")).replace("", None).alias("of prompt"))["of prompt"]
    wrong = (~of_prompt.is_in(list(RACES)) & of_prompt.is_not_null()).arg_true()
    if len(wrong):
        value = saved["race"][wrong[0]]
        message = (
            f"Row {wrong[0] + 1}: race {quoted(value)} is not one of {', '.join(RACES)}; "
            "leave it empty where a prompt mixes races."
        )
        raise InputError(message)
    frame = frame.with_columns(of_prompt.gather(frame["row"]))
    _refuse(
        frame,
        (pl.col("race") != pl.col("of prompt")).fill_null(value=False),
        "has another race than the column race says; leave that empty where a prompt mixes races",
    )
    return frame.with_columns(pl.coalesce("race", "of prompt"))


def _refuse(frame: pl.DataFrame, wrong: pl.Expr, what: str) -> None:
    """Name the first candidate for whom `wrong` holds."""
    found = frame.filter(wrong)
    if found.height:
        row, place, name = found.select("row", "place", "name").row(0)
        whom = f"candidate {place}" if not name else f"candidate {place}, {quoted(name)},"
        raise InputError(f"Row {row + 1}: {whom} {what}.")


def _refuse_unknown(frame: pl.DataFrame, attribute: str) -> None:
    found = frame.filter(pl.col(attribute).is_null())
    if found.height:
        row, place, name = found.select("row", "place", "name").row(0)
        near = get_close_matches(name, bloomberg_names()["name"].to_list(), n=1)
        hint = f" Did you mean {quoted(near[0])}?" if near else ""
        message = (
            f"Row {row + 1}: candidate {place}, {quoted(name)}, is not in our tables and has no {attribute}.{hint} "
            f"Give each candidate a {attribute} to use your own names."
        )
        raise InputError(message)
