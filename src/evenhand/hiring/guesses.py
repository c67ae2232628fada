"""What the columns of a table may be: told with the reason, for a person to confirm; nothing is counted by a guess."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from evenhand.errors import InputError
from evenhand.hiring.columns.decisions import decisions_of, likely_meaning
from evenhand.hiring.columns.folding import Labels, labels_of
from evenhand.hiring.columns.lookup import checked_column, is_text
from evenhand.hiring.counting.count_tables import column_of_counts, is_numeric
from evenhand.hiring.features.profile import columns_of
from evenhand.hiring.query import ApplicantQuery
from evenhand.intake.tables import OpenTable
from evenhand.tables.audit.applicants.looked import LookedColumn
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["MOST_COLUMNS", "looked_columns"]

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
}
#: Words in the names of columns, by the option that takes such a column.
NAMES: Final = {option: frozenset(words.split()) for option, words in _LISTED.items()}


@dataclass(frozen=True, kw_only=True)
class _Seen:
    """A column as it is counted, before anything is guessed; `plain` says that it holds yes and no only."""

    name: str
    holds: str
    different: int
    empty: int
    rows: int
    labels: Labels | None = None
    values: Mapping[str, int] = field(default_factory=dict)
    plain: bool = False

    def named(self, option: str) -> str | None:
        """Return the word of the name that columns of an option have.

        >>> _Seen(name="AdmitDecision_2", holds="", different=0, empty=0, rows=0).named("selected")
        'admit'
        """
        words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", self.name).casefold())
        return next((word for word in words if word in NAMES[option]), None)


def looked_columns(table: OpenTable) -> tuple[int, list[LookedColumn]]:
    """Return the number of rows, and what the columns hold and may be, the first 200.

    A column is guessed by its name and its values together; where two are as likely, none is.

    Raises
    ------
    ServiceError
        The engine failed.

    """
    columns = columns_of(table)
    names = list(columns.readings)[:MOST_COLUMNS]
    counts = _counted(table, names)
    seen = [_seen(table, name, columns.readings[name].kind, *counts[name], rows=columns.rows) for name in names]
    roles = _roles(table, seen)
    return columns.rows, [_told(each, *roles.get(each.name, (None, ""))) for each in seen]


def _counted(table: OpenTable, names: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Return how many different values and empty cells each column has."""
    asked = {}
    for place, name in enumerate(names):
        column = table.expr[name]
        value = column.strip().lower() if is_text(column) else column
        empty = column.isnull() | (value == "") if is_text(column) else column.isnull()
        asked |= {f"n{place}": value.nullif("").nunique() if is_text(column) else value.nunique()}
        asked |= {f"e{place}": empty.cast("int64").sum()}
    if not asked:
        return {}
    found = table.fetch(table.expr.aggregate(**asked)).row(0, named=True)
    return {name: (found[f"n{place}"], found[f"e{place}"] or 0) for place, name in enumerate(names)}


def _seen(table: OpenTable, name: str, holds: str, different: int, empty: int, *, rows: int) -> _Seen:
    if different > MOST_VALUES:
        return _Seen(name=name, holds=holds, different=different, empty=empty, rows=rows)
    column = checked_column(table, name, "--columns")
    cells = table.fetch(table.expr.group_by(decision=column).aggregate(n=table.expr.count()))
    labels = labels_of(list(cells.iter_rows()), frozenset({""}))
    values: dict[str, int] = {}
    for value, n in cells.iter_rows():
        label = labels.of[value] or ""
        values[label] = values.get(label, 0) + n
    try:
        plain = bool(decisions_of(cells, name, None).selected)
    except InputError:
        plain = False
    ordered = dict(sorted(values.items(), key=lambda each: (-each[1], each[0])))
    return _Seen(
        name=name,
        holds=holds,
        different=different,
        empty=empty,
        rows=rows,
        labels=labels,
        values=ordered,
        plain=plain,
    )


def _told(seen: _Seen, role: str | None, reason: str) -> LookedColumn:
    return LookedColumn(
        name=seen.name,
        holds=seen.holds,
        different=seen.different,
        empty=seen.empty,
        values=seen.values,
        plain=seen.plain,
        meanings={label: likely_meaning(label) for label in seen.values if label},
        role=role,
        reason=reason,
    )


def _roles(table: OpenTable, seen: Sequence[_Seen]) -> dict[str, tuple[str, str]]:
    """Return the option and the reason by column."""
    found: dict[str, tuple[str, str]] = {}
    for each in seen:
        word = each.named("protected")
        if word is not None and 2 <= each.different <= MOST_GROUPS:
            found[each.name] = "protected", f"{_called(word)}, and has {each.different} values."
    for each in seen:
        words = re.findall(r"[a-z]+", each.name.casefold())
        if "age" in words and each.holds == "number" and each.name not in found:
            found[each.name] = "age", "Its name has the word 'age', and it holds numbers."
    found |= _counts(table, [each for each in seen if each.name not in found])
    rest = [each for each in seen if each.name not in found]
    if not any(role == "selected_count" for role, _ in found.values()):
        found |= _selected(rest)
    rest = [each for each in rest if each.name not in found]
    if not any(role.startswith("selected") for role, _ in found.values()):
        found |= _only(
            [each for each in rest if each.named("score") and each.holds == "number"],
            "score",
            "{called}, and it holds numbers.",
        )
    found |= _only(
        [each for each in rest if each.named("position") and 2 <= each.different <= MOST_POSITIONS],
        "position",
        "{called}, and has {n:,} values.",
    )
    repeated = [each for each in rest if each.named("unit") and each.different > MOST_GROUPS]
    found |= _only(
        [each for each in repeated if each.different + each.empty < each.rows],
        "unit",
        "{called}, and some of its {n:,} values stand in several rows.",
    )
    return found


def _counts(table: OpenTable, seen: Sequence[_Seen]) -> dict[str, tuple[str, str]]:
    """Return the columns of a table of counts: how many people a row is, or how many applied and were selected."""
    column = column_of_counts(table, ApplicantQuery(protected=()))
    if column is None or column not in {each.name for each in seen}:
        return {}
    reason = "Its name is that of a count, it holds numbers, and each row is another combination."
    chosen = [
        each
        for each in seen
        if each.name != column and not each.plain and each.named("selected") and is_numeric(table, each.name)
    ]
    if len(chosen) != 1:
        return {column: ("count", reason)}
    return {
        column: ("applicants", reason),
        chosen[0].name: ("selected_count", f"{_called(chosen[0].named('selected') or '')}, and it holds numbers."),
    }


def _selected(seen: Sequence[_Seen]) -> dict[str, tuple[str, str]]:
    """Return the column that says who was selected: by name and yes or no, else by yes and no, else by name."""
    plain = [each for each in seen if each.plain and each.different == 2]
    named = [each for each in seen if each.named("selected") and 2 <= each.different <= MOST_GROUPS]
    both = [each for each in plain if each in named]
    for those, reason in (
        (both, "{called}, and it holds {values}."),
        (plain, "It is the only column that holds yes and no: {values}."),
        ([each for each in named if each.labels is not None], "{called}, and it holds {values}."),
    ):
        if those:
            return _only(those, "selected", reason)
    return {}


def _only(those: Sequence[_Seen], role: str, reason: str) -> dict[str, tuple[str, str]]:
    """Return the guess if one column fits; of several none is more likely than the others."""
    if len(those) != 1:
        return {}
    one = those[0]
    word = one.named(role) if role in NAMES else None
    values = listed([label for label in one.values if label], most=4, quotes=True)
    return {one.name: (role, reason.format(called=_called(word or ""), n=one.different, values=values))}


def _called(word: str) -> str:
    return f"Its name has the word {quoted(word)}"
