"""What the columns of a table may be: told with the reason, for a person to confirm; nothing is counted by a guess."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import ibis

from evenhand.data.applicant_query import ApplicantQuery
from evenhand.data.count_tables import column_of_counts, is_numeric
from evenhand.data.feature_columns import ParsedColumn, columns_of
from evenhand.data.labels import decisions_of, is_text, labels_of, likely_meaning
from evenhand.data.open_table import OpenTable
from evenhand.errors import InputError
from evenhand.results.applicant_audit import ColumnPreview
from evenhand.results.messages import listed, quoted

#: Columns that are looked at, and values of one that are told.
MOST_COLUMNS: Final = 200
MOST_VALUES: Final = 40
MOST_GROUPS: Final = 20
MOST_POSITIONS: Final = 1_000
_LISTED: Final = {
    "protected": "gender sex race ethnicity ethnic hispanic nationality religion disability disabled veteran "
    "orientation caste",
    "selected": "hired hire selected selection admitted admit admission accepted offered offer passed decision outcome "
    "called callback invited interviewed shortlisted promoted approved result status",
    "position": "position job department dept role requisition vacancy opening team",
    "score": "score rating probability points",
    "unit": "applicant candidate person",
    "age": "age",
}
#: Words in the names of columns, by the option that takes such a column.
NAMES: Final = {option: frozenset(words.split()) for option, words in _LISTED.items()}


#: The option and the reason, by column.
Guesses = dict[str, tuple[str, str]]


def column_previews(table: OpenTable) -> tuple[int, list[ColumnPreview]]:
    """Return the number of rows, and what the columns hold and may be, the first 200.

    A column is guessed by its name and its values together; where two are as likely, none is.

    Raises
    ------
    ServiceError
        The engine failed.

    """
    columns = columns_of(table)
    found = [_column_preview(table, name, columns.readings[name]) for name in list(columns.readings)[:MOST_COLUMNS]]
    guesses = _guesses(table, found, columns.rows)
    return columns.rows, [
        replace(each, role=guesses[each.name][0], reason=guesses[each.name][1]) if each.name in guesses else each
        for each in found
    ]


def _column_preview(table: OpenTable, name: str, reading: ParsedColumn) -> ColumnPreview:
    column = table.expr[name]
    value = column.strip().nullif("") if is_text(column) else column
    folded = value.lower() if is_text(column) else value
    exact = not reading.many or _word(name, "unit")
    different = folded.nunique() if exact else ibis.null("int64")
    asked = table.expr.aggregate(n=different, empty=value.isnull().cast("int64").sum())
    n, empty = table.fetch(asked).row(0)
    found = ColumnPreview(name=name, holds=reading.kind, different=n, empty=empty or 0)
    if not found.has(0, MOST_VALUES):
        return found
    cells = table.fetch(table.expr.group_by(decision=column).aggregate(n=table.expr.count()))
    labels = labels_of(list(cells.iter_rows()), frozenset({""})).of
    values: dict[str, int] = {}
    for cell, n in cells.sort("n", descending=True).iter_rows():
        values[labels[cell] or ""] = values.get(labels[cell] or "", 0) + n
    try:
        plain = bool(decisions_of(cells, name, None).selected)
    except InputError:
        plain = False
    return replace(
        found,
        values=dict(sorted(values.items(), key=lambda each: (-each[1], each[0]))),
        plain=plain,
        meanings={label: likely_meaning(label) for label in values if label},
    )


def _word(name: str, option: str) -> str | None:
    """Return the word of a column's name that those of an option have.

    >>> _word("AdmitDecision_2", "selected")
    'admit'
    """
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).casefold())
    return next((word for word in words if word in NAMES[option]), None)


def _guesses(table: OpenTable, looked: Sequence[ColumnPreview], rows: int) -> Guesses:
    groups = [each for each in looked if _word(each.name, "protected") and each.has(2, MOST_GROUPS)]
    found: Guesses = {}
    for each in groups:
        found |= _only([each], "protected", "{called}, and it has {n} values.")
    found |= _counts(table, [each for each in looked if each.name not in found], groups=tuple(found))
    rest = [each for each in looked if each.name not in found]
    if not any(role == "selected_count" for role, _ in found.values()):
        found |= _selected(rest)
    numbers = [each for each in rest if each.holds == "number" and each.name not in found]
    if not any(role.startswith("selected") for role, _ in found.values()):
        found |= _only(
            [each for each in numbers if _word(each.name, "score")], "score", "{called}, and it holds numbers."
        )
    found |= _only([each for each in numbers if _word(each.name, "age")], "age", "{called}, and it holds numbers.")
    places = [each for each in rest if _word(each.name, "position") and each.has(2, MOST_POSITIONS)]
    found |= _only(places, "position", "{called}, and it has {n:,} values.")
    people = [each for each in rest if _word(each.name, "unit") and each.has(MOST_GROUPS + 1, rows - each.empty - 1)]
    return found | _only(people, "unit", "{called}, and some of its {n:,} values stand in several rows.")


def _counts(table: OpenTable, looked: Sequence[ColumnPreview], *, groups: tuple[str, ...]) -> Guesses:
    """Return the columns of a table of counts: how many people a row is, or how many applied and were selected."""
    column = column_of_counts(table, ApplicantQuery(protected=groups))
    if column is None or column not in {each.name for each in looked}:
        return {}
    reason = "Its name is that of a count, it holds numbers, and each row is another combination."
    others = [each for each in looked if each.name != column and not each.plain and _word(each.name, "selected")]
    chosen = _only(
        [each for each in others if is_numeric(table, each.name)], "selected_count", "It holds numbers, too."
    )
    return {column: ("applicants" if chosen else "count", reason)} | chosen


def _selected(looked: Sequence[ColumnPreview]) -> Guesses:
    """Return the column that says who was selected: by name and yes or no, else by yes and no, else by name."""
    plain = [each for each in looked if each.plain and each.has(2, 2)]
    named = [each for each in looked if _word(each.name, "selected") and each.has(2, MOST_GROUPS)]
    for those, reason in (
        ([each for each in plain if each in named], "{called}, and it holds {values}."),
        (plain, "It is the only column that holds yes and no: {values}."),
        ([each for each in named if each.holds == "text"], "{called}, and it holds {values}."),
    ):
        if those:
            return _only(those, "selected", reason)
    return {}


def _only(those: Sequence[ColumnPreview], role: str, reason: str) -> Guesses:
    """Return the guess if one column fits; of several none is more likely than the others."""
    if len(those) != 1:
        return {}
    one = those[0]
    called = f"Its name has the word {quoted(_word(one.name, role) if role in NAMES else None)}"
    values = listed([label for label in one.values if label], most=4, quotes=True)
    return {one.name: (role, reason.format(called=called, n=one.different, values=values))}
