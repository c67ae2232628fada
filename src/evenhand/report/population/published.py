"""The figures that a study published, laid out like this run's table of the same number."""

from collections.abc import Mapping, Sequence

from evenhand.report.page.parts import Column, Table
from evenhand.report.words.numbers import ABSENT, count_text
from evenhand.report.words.wording import capital, group_label, in_words
from evenhand.tables.audit.probe import Facts, Published

__all__ = ["level_text", "published_note", "published_tables"]

LEVEL_WORDS = {
    "omitted": "not specified",
    "high": "highly qualified",
    "medium": "somewhat qualified",
    "low": "not qualified",
}
#: Per table, what names a line and what names a column.
LAYOUT: Mapping[int, tuple[tuple[str, ...], tuple[str, ...]]] = {
    1: (("group",), ("model", "column")),
    2: (("model", "group"), ("column",)),
    3: (("model", "group"), ("column",)),
    4: (("column", "model"), ("group",)),
    5: (("model",), ("column",)),
    6: (("group",), ("model",)),
}
HEADS = {"group": "Group", "model": "Model", "column": "Role"}


def level_text(column: str, level: str) -> str:
    """Return a level as tables head it.

    >>> level_text("qualification", "omitted"), level_text("seed", "42")
    ('Not specified', 'Seed 42')
    """
    if column == "qualification":
        return capital(LEVEL_WORDS.get(level, in_words(level)))
    if level.isdigit():
        return f"{'Instruction' if column == 'template' else capital(in_words(column))} {level}"
    return capital(level)


def published_note(facts: Facts) -> str:
    """Return what the published tables are and are not; empty without any."""
    if not facts.published:
        return ""
    return (
        f"Tables 'as published' are reference data, not measured here: {facts.published_source or ''}. The study "
        "asked other models, in part with other instructions, and had a classifier of its own: compare directions, not "
        "decimals. Its significance marks are not restated."
    )


def published_tables(facts: Facts, number: int) -> list[Table]:
    """Return the published table of that number, in a list; an empty one where there is none."""
    rows = [row for row in facts.published or () if int(row.table) == number]
    if not rows or number not in LAYOUT:
        return []
    lines_by, columns_by = LAYOUT[number]
    down = list(dict.fromkeys(_label(row, lines_by, number) for row in rows))
    across = list(dict.fromkeys(_label(row, columns_by, number) for row in rows))
    values = {(_label(row, lines_by, number), _label(row, columns_by, number)): row.value for row in rows}
    first = ", ".join(HEADS[key].lower() if place else HEADS[key] for place, key in enumerate(lines_by))
    return [
        Table(
            caption=f"Table {number} as published: reference data, not measured here",
            columns=[Column(label=first, numeric=False), *(Column(label=head) for head in across)],
            rows=[[line, *(_value(values.get((line, head))) for head in across)] for line in down],
        )
    ]


def _label(row: Published, keys: Sequence[str], number: int) -> str:
    """Return the label of a line or column: 'Mistral-7b, 7 roles'."""
    column = level_text("qualification" if number == 3 else "", row.column)
    group = capital(group_label({key: value for key, value in (("race", row.race), ("gender", row.gender)) if value}))
    own = {"group": group, "model": row.model, "column": column}
    return ", ".join(own[key] for key in keys)


def _value(text: str | None) -> str:
    if text is None:
        return ABSENT
    return count_text(int(text)) if text.isdigit() else text
