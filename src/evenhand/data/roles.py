"""The roles of a table's columns: one column for each, of a kind that fits, and what the names of columns say of them.

Every command on tables checks the columns that its options name here.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, Final

import polars as pl

from evenhand.data.labels import MOST_POSITIONS, MOST_QUALIFICATIONS, MOST_VALUES, NO, YES, as_typed, fold, text_of
from evenhand.data.open_table import OpenTable, is_text
from evenhand.errors import InputError, flag, option_text
from evenhand.patterns import WordTable
from evenhand.results.messages import quoted, shortened

WORDS = WordTable("evenhand.data", "roles.toml")

#: Fields of queries that are called otherwise than their option.
_FIELDS: Final = {"cluster": "clusters", "block": "blocks"}
_COUNTS = ("count", "applicants", "selected_count", "selection_rate")
_ANSWERS = ("label", "selected", "score", "against")
#: Options that can't name one column with any of others, and why.
_APART: Final[tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...]] = (
    (
        ("label",),
        ("score", "against", "selected"),
        "a score or decision can't be compared with itself: give the column with the outcome",
    ),
    (("against",), ("score",), "name the previous version's score"),
    (("applicants",), ("selected_count", "selection_rate"), "name a column for each"),
    (
        ("cluster", "block"),
        ("protected", "by", *_ANSWERS, *_COUNTS, "stage"),
        "it is for what several rows share, such as an advertisement or a person",
    ),
    (("weight",), ("protected", *_ANSWERS, *_COUNTS, "position", "given", "cluster"), "a weight is not a group"),
    (("unit",), ("protected", "by", "given", *_ANSWERS), "a unit is the person or the case that several rows are of"),
    (_COUNTS, ("protected", "by", *_ANSWERS, "position", "given", "unit"), "a count is not a group, decision or score"),
    (("protected", "by"), (*_ANSWERS, "status", "latency"), "a column is a group or an answer, not both"),
    (("position", "given"), ("protected", *_ANSWERS), "groups are compared within its values"),
    (("given",), ("position", "block"), "the analysis adjusts for it once"),
    (
        ("period",),
        ("protected", "position", "stage", "unit", "given", "cluster", "block", *_ANSWERS, *_COUNTS),
        "a period is when people were decided on",
    ),
    (
        ("funnel", "furthest"),
        ("protected", "position", "given", "unit", "age", "cluster", "block", "count"),
        "a stage is not a group, position or person",
    ),
)  # fmt: skip


def check_roles(*queries: Any) -> None:
    """Raise InputError if options of a command's queries name one column for two roles that it can't have both.

    >>> from evenhand.data.applicant_query import ApplicantQuery
    >>> check_roles(ApplicantQuery(protected=("sex",), selected="hired", clusters=("sex",)))
    Traceback (most recent call last):
    evenhand.errors.InputError: --cluster and --protected both name 'sex'; it is for what several rows share, such as \
an advertisement or a person.
    """
    for options, others, why in _APART:
        for option in options:
            for other in others:
                if twice := sorted(set(_columns(queries, option)) & set(_columns(queries, other))):
                    raise InputError(
                        f"{option_text(option)} and {option_text(other)} both name {quoted(twice[0])}; {why}."
                    )


#: Options that name columns, in the order in which a column's are listed.
_NAMING: Final = (
    *("protected", "by", "age", "selected", "funnel", "furthest", "score", "against", "label", *_COUNTS, "wide"),
    *("position", "stage", "unit", "given", "cluster", "block", "weight", "period"),
)


def named_columns(*queries: Any) -> dict[str, list[str]]:
    """Return the options that name each column, as on the command line."""
    named: dict[str, list[str]] = {}
    for option in _NAMING:
        for column in _columns(queries, option):
            for name in column[1:] if isinstance(column, tuple) else (column,):  # (label, selected, applicants)
                named.setdefault(name, []).append(flag("counts" if option == "wide" else option))
    return named


def _columns(queries: Sequence[Any], option: str) -> tuple[str, ...]:
    """Return the columns of an option, none where no query has it."""
    named = [getattr(query, field, None) for query in queries for field in (option, _FIELDS.get(option, option))]
    columns = next((value for value in named if value), ())
    return (columns,) if isinstance(columns, str) else tuple(columns)


#: Options of columns with groups. One with more values than this, in more than half of its rows another, is an id.
GROUPS, MOST_OF_FEW, MOST_DISTINCT = frozenset({"--protected", "--by"}), 20, 0.5


def refuse_ids(table: str, column: str, option: str, *, distinct: int, filled: int) -> None:
    """Raise InputError for a group column that numbers its rows, of which `filled` are not empty."""
    if distinct > MOST_OF_FEW and distinct > MOST_DISTINCT * filled:
        raise InputError(
            f"The column {quoted(column)} of {table} has {distinct:,} different values in {filled:,} rows, like "
            f"an id; group them first, or give another column for {option}."
        )


def check_cardinality(table: OpenTable, rows: Any, names: dict[str, tuple[str, str]]) -> None:
    """Count the different values of each key in the engine.

    `names` has the option and the column of each key of `rows`. A table of few rows has few values.

    Raises
    ------
    InputError
        A column has more values than could be groups, decisions, stages, positions or qualifications.

    """
    if table.rows is not None and table.rows <= MOST_OF_FEW:
        return
    keys = [key for key in names if key in rows.columns and not key.startswith("given_")]
    if keys:
        counts = {key: _normalised(rows[key]).nunique() for key in keys}
        counts |= {f"filled_{key}": rows[key].count() for key in keys}
        distinct = table.fetch(rows.aggregate(**counts))
        for key in keys:
            option, name = names[key]
            most = MOST_POSITIONS if key == "position" else MOST_VALUES
            if distinct[key][0] > most:
                age = f" (for ages or dates of birth use {option_text('age')})" if option == "--protected" else ""
                raise InputError(
                    f"The column {quoted(name)} of {table.name} has {distinct[key][0]:,} different values, more "
                    f"than the {most:,} of {option}; group them first, or give another column{age}."
                )
            if option in GROUPS and "weight" not in rows.columns:  # of counts a row is a group
                refuse_ids(table.name, name, option, distinct=distinct[key][0], filled=distinct[f"filled_{key}"][0])
    qualifications = [key for key in names if key.startswith("given_")]
    if qualifications:
        _check_qualifications(table, rows.select(qualifications), [names[key][1] for key in qualifications])


def _check_qualifications(table: OpenTable, rows: Any, names: list[str]) -> None:
    if table.fetch(rows.distinct().count().as_table())[0, 0] <= MOST_QUALIFICATIONS:
        return
    values = table.fetch(rows.aggregate(**{key: rows[key].nunique() for key in rows.columns})).row(0)
    most = max(zip(values, names, strict=True))
    raise InputError(
        f"{option_text('given', ','.join(map(shortened, names)))} has more than {MOST_QUALIFICATIONS:,} "
        "combinations of values, "
        f"{quoted(most[1])} alone {most[0]:,} different ones; round it or group it."
    )


def _normalised(column: Any) -> Any:
    return column.strip().lower() if is_text(column) else column


def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a column's name, without case and accents.

    >>> name_words("AdmitDecision_2"), name_words("GEKÜNDIGT")
    (('admit', 'decision'), ('gekundigt',))
    """
    apart = unicodedata.normalize("NFD", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)).casefold()
    bare = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return tuple(re.findall(r"[^\W\d_]+", bare))


def names_bad_outcome(name: str) -> bool:
    """Say whether the name of a column says an outcome that people do not want.

    >>> names_bad_outcome("Rejected"), names_bad_outcome("NotHired"), names_bad_outcome("not rejected")
    (True, True, False)
    """
    return WORDS.bad_outcome.search(" ".join(name_words(name))) is not None


def refuse_bad_outcome(column: str, values: Iterable[Any]) -> None:
    """Raise InputError for a decision column of yes and no whose name says a bad outcome, until a value is named."""
    labels = {fold(text).removesuffix(".0"): text.strip() for text in map(text_of, values) if text is not None}
    no, yes = (
        next((labels[key] for key in sorted(labels) if key in words), None)
        for words in (NO | WORDS.no_in_words, YES | WORDS.yes_in_words)
    )
    if not names_bad_outcome(column) or (no is None and yes is None):
        return
    name = shortened(column)
    ways = [option_text("selected", as_typed(f"{name}={value}")) for value in (no or "no", yes or "yes")]
    raise InputError(
        f"{quoted(column)} has the name of a bad outcome, and people with it would count as selected. Give "
        f"{ways[0]} (people without it are selected), or {ways[1]} (people with it are counted)."
    )


def seconds_in(name: str) -> float | None:
    """Return how many seconds the unit in a column's name is, None where it names none.

    >>> seconds_in("latency_ms"), seconds_in("latencyMillis"), seconds_in("latency")
    (0.001, 0.001, None)
    """
    return next((WORDS.seconds[word] for word in reversed(name_words(name)) if word in WORDS.seconds), None)


def copy_note(answers: pl.DataFrame, answer: str, label: str) -> str | None:
    """Return what to say of a score or decision that is the label itself; None where it is not, or of few rows.

    `answers` has the columns answer (yes and no, or 1 and 0), label and n, how many rows have both.
    """
    known = answers.drop_nulls().with_columns(pl.col("answer").cast(pl.Float64))
    pairs = known.select("answer", "label").unique().sort("answer")
    if known["n"].sum() <= MOST_OF_FEW or pairs["answer"].to_list() != [0, 1] or pairs["label"].n_unique() < 2:
        return None
    how = "equals" if pairs["label"][1] else "is the opposite of"
    return (
        f"{quoted(answer)} {how} {quoted(label)} in every row: if one was made from the other, their agreement says "
        "nothing."
    )
