"""`evenhand impact --check`: what the columns of a table hold and may be, and whom the options count."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from evenhand.analyses import impact_query
from evenhand.analyses.options.impact import Comparison, Groups, ImpactOptions, Rows, Selection
from evenhand.data.applicant_query import Applicants
from evenhand.data.applicants import count_applicants
from evenhand.data.guesses import MOST_COLUMNS, column_previews
from evenhand.data.tables import open_table, sheet_names
from evenhand.errors import InputError
from evenhand.options import declared
from evenhand.report.page.parts import Column, Table
from evenhand.report.words.numbers import ABSENT, count_text, counted
from evenhand.results import applicant_audit
from evenhand.results.messages import listed, shortened
from evenhand.results.schemas import PROTECTED
from evenhand.results.terminal import Screen

#: The option of a guessed role of a column.
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


def checked_text(preview: applicant_audit.TablePreview) -> str:
    """Return the preview as text for the terminal."""
    screen = Screen()
    if preview.rows is None:
        screen.say(
            f"{preview.source} has {len(preview.sheets)} sheets: {listed(preview.sheets)}. Name one with --sheet."
        )
        return screen.text
    screen.say(f"{preview.source}: {counted(preview.rows, 'row')}, {counted(len(preview.columns), 'column')}.")
    screen.say()
    screen.draw(_columns_table(preview.columns))
    for column in preview.columns:
        if column.role:
            screen.say(f"{_ROLES[column.role]} {shortened(column.name)}? {column.reason}", bullet="- ")
    for note in preview.notes:
        screen.say(note)
    for attribute, groups in (preview.people or {}).items():
        screen.say()
        screen.draw(_people_table(attribute, groups))
    if preview.people is not None:
        screen.say(f"Counted: {count_text(preview.rows_used)} of {count_text(preview.rows_read)}.")
    return screen.text


def checked_table(source: Any, options: ImpactOptions) -> applicant_audit.TablePreview:
    """Return a preview of a table and, given options, the number of people in each group.

    Raises
    ------
    InputError
        There is no table, or an option can't be used with it.
    ServiceError
        A database can't be reached.

    """
    if source is None:
        raise InputError("--check looks at one TABLE; give it without numbers of --counts and without --ll144-tables.")
    sheets = sheet_names(source, unpack_limit=options.unpack_limit)
    if len(sheets) > 1 and options.sheet is None and not options.sheets:
        return applicant_audit.TablePreview(source=str(source), sheets=tuple(sheets))
    with open_table(source, sheets=options.sheets, **options.opening) as table:
        rows, columns = column_previews(table)
        names = table.expr.columns
        notes = [*table.notes]
        if len(names) > MOST_COLUMNS:
            notes.append(f"{table.name} has {len(names):,} columns; the first {MOST_COLUMNS} were looked at.")
        notes += [f"The column {name!r} can't be used: {reason}." for name, reason in table.damaged.items()]
        applicants = None
        if _asks(options):
            applicants = count_applicants(table, impact_query.query_of(options, columns=names, sheets=table.sheets))
    return applicant_audit.TablePreview(
        source=table.name,
        sheets=tuple(sheets),
        rows=rows,
        columns=tuple(columns),
        notes=tuple(dict.fromkeys([*notes, *(() if applicants is None else applicants.accounting.notes)])),
        rows_read=None if applicants is None else applicants.accounting.rows_read,
        rows_used=None if applicants is None else applicants.accounting.rows_used,
        people=None if applicants is None else _people(applicants),
    )


def _asks(options: ImpactOptions) -> bool:
    """Return whether an option determines who is counted."""
    return any(
        option.of(options) != option.default
        for group in (Selection, Comparison, Rows, Groups)
        for option in declared(group)
    )


def _people(applicants: Applicants) -> dict[str, dict[str, int]]:
    """Return the number of people in each group, at the first stage and by the first approach."""
    frame = applicants.counts if applicants.counts.height or applicants.scores is None else applicants.scores
    if applicants.stages:
        frame = frame.filter(pl.col("stage") == applicants.stages[0])
    cut = [name for name in ("approach", "cutoff") if name in frame.columns]
    first = frame.filter(pl.col(name).eq_missing(frame[name][0]) for name in cut) if frame.height else frame
    people = {}
    for name in applicants.attributes:
        groups = first.group_by(pl.col(PROTECTED + name).fill_null("")).agg(pl.col("n").sum())
        people[name] = dict(groups.sort("n", PROTECTED + name, descending=[True, False]).iter_rows())
    return people


def _columns_table(columns: Sequence[applicant_audit.ColumnPreview]) -> Table:
    heads = ("Column", "Holds", "Values", "Empty", "Most frequent")
    rows = [
        [
            shortened(column.name),
            column.holds,
            column.told,
            count_text(column.empty),
            listed([f"{shortened(label)} ({n:,})" for label, n in column.values.items() if label], most=3) or ABSENT,
        ]
        for column in columns
    ]
    numeric = {"Values", "Empty"}
    return Table(caption="", columns=[Column(label=head, numeric=head in numeric) for head in heads], rows=rows)


def _people_table(attribute: str, groups: Mapping[str, int]) -> Table:
    rows = [[group or "unknown", count_text(n)] for group, n in groups.items()]
    return Table(caption="", columns=[Column(label=attribute, numeric=False), Column(label="Counted")], rows=rows)
