"""`evenhand impact --check`: what the columns of a table hold and may be, and whom the options count."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from evenhand.analyses import impact_query
from evenhand.analyses.options.impact import ImpactOptions
from evenhand.analyses.run import source_text
from evenhand.data.applicant_query import Applicants
from evenhand.data.applicants import count_applicants
from evenhand.data.guesses import MOST_COLUMNS, column_previews, open_question
from evenhand.data.roles import named_columns
from evenhand.data.tables import open_table, sheet_names
from evenhand.errors import InputError, flag, with_options
from evenhand.options import words
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
        screen.say("Command of the analysis:" if preview.question is None else "Add the missing option to:")
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
        raise InputError("--check needs a TABLE, without --ll144-tables or numbers in --counts.")
    sheets = sheet_names(source, unpack_limit=options.unpack_limit)
    if len(sheets) > 1 and options.sheet is None and not options.sheets:
        return applicant_audit.TablePreview(source=str(source), sheets=tuple(sheets))
    with open_table(source, sheets=options.sheets, **options.opening) as table:
        rows, columns = column_previews(table)
        lacking = _lacking(options)
        selecting = {*_SELECTED, "applicants"} - {*lacking}  # what is given otherwise needs no guess
        columns = [replace(column, role=None, reason="") if column.role in selecting else column for column in columns]
        names = table.expr.columns
        notes = [*table.notes]
        if len(names) > MOST_COLUMNS:
            notes.append(f"{table.name} has {len(names):,} columns; the first {MOST_COLUMNS} were looked at.")
        notes += [f"The column {name!r} can't be used: {reason}." for name, reason in table.damaged.items()]
        used = _guessed(options, columns) if lacking else options
        applicants, question, roles = None, None, dict[str, list[str]]()
        if _lacking(used):
            question = with_options(open_question(table, columns), flag)
        else:
            try:
                query = impact_query.query_of(used, columns=names, sheets=table.sheets)
                roles = named_columns(query)
                applicants = count_applicants(table, query)
            except InputError as error:
                if not lacking or not roles.keys() <= {*names}:
                    raise
                question = str(error)
        guesses = {name for option in lacking for name in _names(used, option)}
    return applicant_audit.TablePreview(
        source=table.name,
        sheets=tuple(sheets),
        rows=rows,
        columns=tuple(
            replace(column, given="" if column.name in guesses else ", ".join(roles.get(column.name, ())))
            for column in columns
        ),
        notes=tuple(dict.fromkeys([*notes, *(() if applicants is None else applicants.accounting.notes)])),
        rows_read=None if applicants is None else applicants.accounting.rows_read,
        rows_used=None if applicants is None else applicants.accounting.rows_used,
        groups=None if applicants is None else tuple(_groups(applicants)),
        guessed=bool(lacking),
        question=question,
        command="" if _lacking(used) else _command(source, used, more),
    )


#: Options of which one says who is compared, or who was selected, and those of them that are guessed.
_COMPARED, _SELECTED = ("protected", "age", "eeo1", "counts"), ("selected", "selected_count", "selection_rate", "score")
_SELECTING = (*_SELECTED, "applicants", "counts", "funnel", "furthest", "share")


def _lacking(options: ImpactOptions) -> tuple[str, ...]:
    """Return the options that may be guessed, of who is compared and of who was selected, where none is given."""
    compared, selecting = (any(getattr(options, name) for name in names) for names in (_COMPARED, _SELECTING))
    return (
        *(() if compared else ("protected",)),
        *(() if selecting else (*_SELECTED, "applicants", "count", "position", "unit")),
    )


def _names(options: ImpactOptions, option: str) -> tuple[str, ...]:
    value = getattr(options, option)
    return (value,) if isinstance(value, str) else tuple(value or ())


def _guessed(options: ImpactOptions, columns: Sequence[applicant_audit.ColumnPreview]) -> ImpactOptions:
    """Return the options with the guessed roles of those that are lacking; no decision whose values are not clear."""
    known: dict[str, Any] = {}
    for column in columns:
        if column.role == "protected":
            known["protected"] = (*known.get("protected", ()), column.name)
        elif column.role and (column.role != "selected" or column.plain) and not getattr(options, column.role):
            known[column.role] = column.name
    return replace(options, **{name: value for name, value in known.items() if name in _lacking(options)})


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
