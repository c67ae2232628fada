"""`evenhand impact --check`: what the columns of a table hold and may be, and whom the options count."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from evenhand.analyses import impact_query
from evenhand.analyses.options.impact import Comparison, Groups, ImpactOptions, Rows, Selection
from evenhand.analyses.run import source_text
from evenhand.data.applicant_query import Applicants
from evenhand.data.applicants import count_applicants
from evenhand.data.guesses import MOST_COLUMNS, column_previews, open_question
from evenhand.data.roles import named_columns
from evenhand.data.tables import open_table, sheet_names
from evenhand.errors import InputError, flag, with_options
from evenhand.options import declared, words
from evenhand.report.preview import columns_table, groups_tables
from evenhand.report.words.numbers import count_text, counted
from evenhand.results import applicant_audit
from evenhand.results.messages import listed, shortened
from evenhand.results.schemas import BOTTOM_LINE, PROTECTED
from evenhand.results.terminal import Screen


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
    screen.draw(columns_table(preview.columns))
    for column in preview.columns:
        if column.role and not column.given:
            screen.say(f"{flag(column.role)} {shortened(column.name)}? {column.reason}", bullet="- ")
    for note in preview.notes:
        screen.say(note)
    for table in groups_tables(preview):
        screen.say()
        screen.draw(table)
    if preview.groups is not None:
        by = "Counted by these guesses" if preview.guessed else "Counted"
        screen.say(f"{by}: {count_text(preview.rows_used)} of {count_text(preview.rows_read)}.")
    if preview.question:
        screen.say(preview.question)
    if preview.command:
        screen.say()
        screen.say("The command that computes it:" if preview.question is None else "Add what settles that to:")
        screen.type(preview.command)
    return screen.text


def checked_table(source: Any, options: ImpactOptions, *, more: Sequence[str] = ()) -> applicant_audit.TablePreview:
    """Return a preview of a table and the number of people in each group, by the options or by guesses.

    `more` are further words of the command that computes it.

    Raises
    ------
    InputError
        There is no table, or an option can't be used with it.
    ServiceError
        A database can't be reached.

    """
    if source is None:
        raise InputError("--check looks at a TABLE; give one, without --ll144-tables, and not numbers alone.")
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
        given = _asks(options)
        used = options if given else _guessed(options, columns)
        applicants, question = None, None
        if given:
            applicants = count_applicants(table, impact_query.query_of(used, columns=names, sheets=table.sheets))
        elif used is not options:
            try:
                applicants = count_applicants(table, impact_query.query_of(used, columns=names))
            except InputError as error:
                question = str(error)
        else:
            question = with_options(open_question(table, columns), flag)
        roles = named_columns(impact_query.query_of(used, columns=names, sheets=table.sheets)) if given else {}
    return applicant_audit.TablePreview(
        source=table.name,
        sheets=tuple(sheets),
        rows=rows,
        columns=tuple(replace(column, given=", ".join(roles.get(column.name, ()))) for column in columns),
        notes=tuple(dict.fromkeys([*notes, *(() if applicants is None else applicants.accounting.notes)])),
        rows_read=None if applicants is None else applicants.accounting.rows_read,
        rows_used=None if applicants is None else applicants.accounting.rows_used,
        groups=None if applicants is None else tuple(_groups(applicants)),
        guessed=not given,
        question=question,
        command="" if used is options and not given else _command(source, used, more),
    )


def _asks(options: ImpactOptions) -> bool:
    """Return whether an option determines who is counted."""
    return any(
        option.of(options) != option.default
        for group in (Selection, Comparison, Rows, Groups)
        for option in declared(group)
    )


def _guessed(options: ImpactOptions, columns: Sequence[applicant_audit.ColumnPreview]) -> ImpactOptions:
    """Return the options with the guessed roles; the same where they don't say who is compared and selected."""
    roles = {column.role: column for column in columns if column.role not in {None, "protected"}}
    protected = tuple(column.name for column in columns if column.role == "protected")
    decision = roles.get("selected")
    selects = {"selected": decision, **{name: roles.get(name) for name in ("applicants", "selected_count", "score")}}
    if not protected or not any(selects.values()) or (decision is not None and not decision.plain):
        return options
    known: dict[str, Any] = {
        name: column.name for name, column in (selects | {"position": roles.get("position")}).items() if column
    }
    return replace(options, protected=protected, **known)


def _command(source: Any, options: ImpactOptions, more: Sequence[str]) -> str:
    return shlex.join(["evenhand", "impact", source_text(source), *words(options), *more])


def _groups(applicants: Applicants) -> Iterator[applicant_audit.PreviewedGroup]:
    """Yield the groups with their people and selected, stage by stage, by the first approach."""
    frame = applicants.counts if applicants.counts.height or applicants.scores is None else applicants.scores
    cut = [name for name in ("approach", "cutoff") if name in frame.columns]
    first = frame.filter(pl.col(name).eq_missing(frame[name][0]) for name in cut) if frame.height else frame
    sums = [pl.col(name).sum() for name in ("n", "successes") if name in frame.columns]
    uncertain = applicants.accounting.uncertain
    ranges = uncertain.ranges if uncertain is not None and uncertain.suppressed else ()
    most = {(each.attribute, each.group, each.stage or ""): (each.n[1], each.selected[1]) for each in ranges}
    order = {stage: place for place, stage in enumerate((*applicants.stages, BOTTOM_LINE))}
    for name in applicants.attributes:
        groups = first.group_by("stage", pl.col(PROTECTED + name).fill_null("")).agg(sums)
        rows = groups.sort("n", PROTECTED + name, descending=[True, False]).iter_rows()
        for stage, group, n, *selected in sorted(rows, key=lambda row: order.get(row[0], 0)):
            most_counted, most_selected = most.get((name, group, stage), (None, None))
            yield applicant_audit.PreviewedGroup(
                attribute=name,
                group=group,
                stage=stage,
                counted=n,
                selected=selected[0] if selected else None,
                most_counted=most_counted,
                most_selected=most_selected,
            )
