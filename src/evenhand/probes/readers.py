"""Helpers of all probes' readers: why an answer ended, reasoning left out, refusals, checked columns.

Rows of saved answers are counted from 1, in the order of the file.
"""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

import polars as pl

from evenhand.errors import InputError
from evenhand.results.messages import listed, quoted
from evenhand.word_tables import WordTable

#: Words and patterns of all probes' readers.
ANSWER_WORDS = WordTable("evenhand.probes", "reader.toml")


def is_filtered(finish_reason: str | None) -> bool:
    """Return whether a content filter stopped the answer.

    >>> is_filtered("content_filter"), is_filtered("stop")
    (True, False)
    """
    return _plain(finish_reason) in ANSWER_WORDS.filtered


def is_cut(finish_reason: str | None) -> bool:
    """Return whether the answer ran into a limit of length.

    >>> is_cut("FinishReason.MAX_TOKENS"), is_cut(None)
    (True, False)
    """
    return _plain(finish_reason) in ANSWER_WORDS.cut_off


def unread_reason(text: str | None, finish_reason: str | None, error_class: str | None) -> str | None:
    """Return why there is no answer: "missing", "error", "content filter" or "cut off"; None if there is one."""
    if error_class:
        return "missing" if error_class == "missing" else "error"
    if is_filtered(finish_reason):
        return "content filter"
    if text is None:
        return "cut off" if is_cut(finish_reason) else "missing"
    return None


def _plain(finish_reason: str | None) -> str:
    # Some clients write an enumeration's name: FinishReason.MAX_TOKENS.
    return "" if finish_reason is None else finish_reason.strip().lower().rpartition(".")[2]


_FINAL_CHANNEL = ("<|channel|>final<|message|>", "assistantfinal")


def without_reasoning(text: str) -> str:
    """Return a normalised text without reasoning blocks; an unclosed block swallows the rest.

    >>> without_reasoning("<think>you have been selected?</think>we regret to inform you")
    'we regret to inform you'
    """
    for mark in _FINAL_CHANNEL:
        if mark in text and ("<|channel|>" in text or text.lstrip().startswith("analysis")):
            return text[text.rindex(mark) + len(mark) :]
    if "<|channel|>analysis" in text:
        return ""
    parts: list[str] = []
    position = 0
    inside = False
    for match in ANSWER_WORDS.reasoning.finditer(text):
        closing = any(match.groups())
        if not closing and not inside:
            parts.append(text[position : match.start()])
            inside = True
        elif closing:
            # A closing tag alone: the opening one belonged to the prompt.
            if not inside:
                parts.clear()
            inside = False
            position = match.end()
    if not inside:
        parts.append(text[position:])
    return "".join(parts)


def declines_task(sentence: str, *, informed: bool = False) -> bool:
    """Return whether a sentence declines to write; `informed`: it follows 'inform you'."""
    if informed:
        return ANSWER_WORDS.informed.search(sentence) is not None
    return ANSWER_WORDS.declining.search(sentence) is not None and ANSWER_WORDS.superlative.search(sentence) is None


def require_columns(saved: pl.DataFrame, names: Sequence[str], *, probe: str) -> None:
    """Refuse a table that lacks one of the columns."""
    missing = [name for name in names if name not in saved.columns]
    if missing:
        message = (
            f"Saved answers of {probe} need the column{'s' if len(missing) > 1 else ''} {', '.join(missing)}. "
            f"Columns found: {listed(saved.columns) or 'none'}."
        )
        raise InputError(message)


def normalised(values: pl.Expr) -> pl.Expr:
    """Return text in lower case, single-spaced, with straight apostrophes."""
    return (
        values.cast(pl.String)
        .str.normalize("NFKC")
        .str.replace_all("[\u2018\u2019\u02bc`]", "'")
        .str.replace_all(r"\s+", " ")
        .str.strip_chars()
        .str.to_lowercase()
    )


def normalised_series(values: pl.Series) -> pl.Series:
    """Return `normalised` text of a column; each distinct text is looked at once."""
    texts = values.cast(pl.String)
    distinct = texts.unique().drop_nulls()
    return texts.replace_strict(distinct, pl.select(normalised(pl.lit(distinct))).to_series(), default=None)


def text_column(saved: pl.DataFrame, name: str, *, allowed: Sequence[str]) -> pl.Series:
    """Return a column as one of `allowed`, matched without regard to case."""
    values = normalised_series(saved[name])
    wrong = (~values.is_in(list(allowed)).fill_null(value=False)).arg_true()
    if len(wrong):
        cell = saved[name][wrong[0]]
        message = f"Row {wrong[0] + 1}: {name} {quoted(cell)} is not one of {', '.join(allowed)}."
        raise InputError(message)
    return values


def code_column(saved: pl.DataFrame, name: str, *, size: int) -> pl.Series:
    """Return a column of whole numbers from 0 to size − 1."""
    cells = saved[name]
    values = cells.cast(pl.Float64, strict=False)
    codes = values.cast(pl.Int32, strict=False)
    wrong = (codes.is_null() | (codes.cast(pl.Float64) != values) | (codes < 0) | (codes >= size)).fill_null(value=True)
    if wrong.any():
        first = wrong.arg_true()[0]
        message = (
            f"Row {first + 1}: {name} {quoted(cells[first])} is no whole number from 0 to {size - 1} (counted from 0)."
        )
        raise InputError(message)
    return codes


def known_groups(
    saved: pl.DataFrame,
    *,
    column: str,
    table: pl.DataFrame,
    wanted: Mapping[str, Sequence[str] | None],
) -> pl.DataFrame:
    """Return `column` as the table spells it, with the attributes `wanted`.

    An attribute that the user's rows carry wins over the table; where neither has it,
    the row is refused. `wanted` maps an attribute to its allowed values, or to None
    for a number.
    """
    cells = saved.select(pl.col(column).cast(pl.String), normalised_series(saved[column]).alias("key"))
    lookup = table.select(normalised(pl.col(column)).alias("key"), pl.col(column).alias("known"), *wanted).unique(
        "key", keep="first"
    )
    joined = cells.join(lookup, on="key", how="left", maintain_order="left")
    # An unknown name in several spellings is called as it comes first.
    parts = [pl.coalesce("known", pl.col(column).first().over("key")).alias(column)]
    for attribute, allowed in wanted.items():
        if attribute in saved.columns:
            stated = _saved_attribute(saved, attribute, allowed)
            joined = joined.with_columns(stated.alias(f"own {attribute}"))
            parts.append(pl.coalesce(f"own {attribute}", attribute).alias(attribute))
        else:
            parts.append(pl.col(attribute))
    result = joined.select(parts)
    blank = result[column].is_null() | (cells["key"].fill_null("") == "")
    for attribute in wanted:
        unknown = (blank | result[attribute].is_null()).arg_true()
        if len(unknown):
            _refuse(saved, unknown[0], column=column, attribute=attribute, table=table)
    return result


def _saved_attribute(saved: pl.DataFrame, attribute: str, allowed: Sequence[str] | None) -> pl.Series:
    """Return the user's own attribute, checked; null and blank stay null."""
    if allowed is None:
        values = saved[attribute].cast(pl.Float64, strict=False)
        wrong = (values.is_null() & saved[attribute].is_not_null()).arg_true()
    else:
        values = normalised_series(saved[attribute]).replace("", None)
        wrong = (~values.is_in(list(allowed)) & values.is_not_null()).arg_true()
    if len(wrong):
        expected = "a number" if allowed is None else f"one of {', '.join(allowed)}"
        message = f"Row {wrong[0] + 1}: {attribute} {quoted(saved[attribute][wrong[0]])} is not {expected}."
        raise InputError(message)
    return values


def _refuse(saved: pl.DataFrame, position: int, *, column: str, attribute: str, table: pl.DataFrame) -> None:
    """Say which row has an unknown name, and what would mend it."""
    cell = saved[column][position]
    near = get_close_matches(str(cell), table[column].to_list(), n=1)
    hint = f" Did you mean {quoted(near[0])}?" if near else ""
    message = (
        f"Row {position + 1}: {column} {quoted(cell)} is not in our tables, and the row has no {attribute}.{hint} "
        f"Give the column {attribute} to use your own."
    )
    raise InputError(message)
