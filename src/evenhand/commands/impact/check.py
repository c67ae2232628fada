"""`evenhand impact --check`: what a table holds and whom the options count, before anything is computed."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from evenhand.commands.impact.options import query_of
from evenhand.commands.terminal import Screen
from evenhand.errors import InputError
from evenhand.hiring import Applicants, count_applicants
from evenhand.hiring.guesses import MOST_COLUMNS, looked_columns
from evenhand.intake.tables import open_table, sheet_names
from evenhand.options import declared
from evenhand.report.page.parts import Column, Table
from evenhand.report.words.numbers import ABSENT, count_text, counted
from evenhand.runs.options.impact import Comparison, Groups, ImpactOptions, Rows, Selection
from evenhand.tables.audit.applicants.looked import LookedColumn, LookedTable
from evenhand.tables.messages.quoting import listed, shortened
from evenhand.tables.schemas import PROTECTED

__all__ = ["checked_table", "checked_text"]

#: What a guess is called in front of people.
_ROLES: Final = {
    "selected": "--selected",
    "protected": "--protected",
    "age": "--age",
    "count": "--count",
    "applicants": "--applicants",
    "selected_count": "--selected-count",
    "score": "--score",
    "position": "--position",
    "unit": "--unit",
}


def checked_text(found: LookedTable) -> str:
    """Return what was looked at as a person reads it in the terminal."""
    screen = Screen()
    if found.rows is None:
        screen.say(f"{found.source} has {len(found.sheets)} sheets: {listed(found.sheets)}. Name one with --sheet.")
        return screen.text
    screen.say(f"{found.source}: {counted(found.rows, 'row')}, {counted(len(found.columns), 'column')}.")
    screen.say()
    screen.draw(_columns_table(found.columns))
    for each in found.columns:
        if each.role:
            screen.say(f"{_ROLES[each.role]} {shortened(each.name)}? {each.reason}", bullet="- ")
    for note in found.notes:
        screen.say(note)
    for attribute, groups in (found.people or {}).items():
        screen.say()
        screen.draw(_people_table(attribute, groups))
    if found.people is not None:
        screen.say(f"Counted: {count_text(found.rows_used)} of {count_text(found.rows_read)}.")
    return screen.text


def checked_table(source: Any, options: ImpactOptions) -> LookedTable:
    """Return what a table holds and, where options say what is asked of it, whom they count.

    Raises
    ------
    InputError
        There is no table, or options can't be used with it.
    ServiceError
        A database can't be reached.

    """
    if source is None or options.counts:
        raise InputError("--check looks at a TABLE; --counts has numbers to compute with.")
    sheets = sheet_names(source, unpack_limit=options.unpack_limit)
    if len(sheets) > 1 and options.sheet is None:
        return LookedTable(source=str(source), sheets=tuple(sheets))
    with open_table(source, sheet=options.sheet, table=options.table, unpack_limit=options.unpack_limit) as table:
        rows, columns = looked_columns(table)
        names = table.expr.columns
        notes = [*table.notes]
        if len(names) > MOST_COLUMNS:
            notes.append(f"{table.name} has {len(names):,} columns; the first {MOST_COLUMNS} were looked at.")
        notes += [f"The column {name!r} can't be used: {told}." for name, told in table.damaged.items()]
        found = count_applicants(table, query_of(options, columns=names)) if _asks(options) else None
    return LookedTable(
        source=table.name,
        sheets=tuple(sheets),
        rows=rows,
        columns=tuple(columns),
        notes=tuple(dict.fromkeys([*notes, *(() if found is None else found.accounting.notes)])),
        rows_read=None if found is None else found.accounting.rows_read,
        rows_used=None if found is None else found.accounting.rows_used,
        people=None if found is None else _people(found),
    )


def _asks(options: ImpactOptions) -> bool:
    """Return whether an option says what is counted."""
    return any(
        each.of(options) != each.default for group in (Selection, Comparison, Rows, Groups) for each in declared(group)
    )


def _people(found: Applicants) -> dict[str, dict[str, int]]:
    """Return how many of each group are counted, at the first stage and by one of the approaches."""
    frame = found.counts if found.counts.height or found.scores is None else found.scores
    kept = [name for name in ("approach", "cutoff", "stage") if name in frame.columns]
    first = frame.filter(pl.col(name).eq_missing(frame[name][0]) for name in kept) if frame.height else frame
    people = {}
    for name in found.attributes:
        groups = first.group_by(pl.col(PROTECTED + name).fill_null("")).agg(pl.col("n").sum())
        people[name] = dict(groups.sort("n", PROTECTED + name, descending=[True, False]).iter_rows())
    return people


def _columns_table(columns: Sequence[LookedColumn]) -> Table:
    heads = ("Column", "Holds", "Values", "Empty", "Most frequent")
    rows = [
        [
            shortened(each.name),
            each.holds,
            each.told,
            count_text(each.empty),
            listed([f"{shortened(label)} ({n:,})" for label, n in each.values.items() if label], most=3) or ABSENT,
        ]
        for each in columns
    ]
    numeric = {"Values", "Empty"}
    return Table(caption="", columns=[Column(label=head, numeric=head in numeric) for head in heads], rows=rows)


def _people_table(attribute: str, groups: Mapping[str, int]) -> Table:
    rows = [[group or "unknown", count_text(n)] for group, n in groups.items()]
    return Table(caption="", columns=[Column(label=attribute, numeric=False), Column(label="Counted")], rows=rows)
