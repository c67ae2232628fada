"""`evenhand impact --ll144-tables`: the three tables of a published bias audit, whose margins may disagree."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl

from evenhand.analyses import impact_query
from evenhand.analyses.options.impact import ImpactOptions
from evenhand.comparisons.impact_cells import TABLE, table_of
from evenhand.comparisons.regulations import required_attributes
from evenhand.data.applicant_query import Applicants
from evenhand.data.applicants import count_applicants
from evenhand.data.labels import comma_separated
from evenhand.data.tables import open_table
from evenhand.errors import InputError, option_text
from evenhand.results.applicant_audit import CountColumns
from evenhand.results.messages import listed, shortened
from evenhand.results.schemas import PROTECTED

#: Options of one table with a row per applicant.
_OF_ONE_TABLE: Final = (
    *(
        "selected",
        "score",
        "counts",
        "count",
        "unit",
        "stage",
        "where",
        "given",
        "cluster",
        "block",
        "period",
        "share",
        "age",
    ),
    *("sheet", "table"),
)
#: Categories of which the note names the numbers.
_MOST_NAMED: Final = 3


@dataclass(frozen=True, kw_only=True)
class LawTables:
    """The applicants of three tables, with the names and fingerprints of the tables."""

    applicants: Applicants
    name: str
    fingerprints: dict[str, str]


def read_law_tables(options: ImpactOptions) -> LawTables:
    """Return the applicants of three tables: of sex, of race or ethnicity, and of both; each counts for its part.

    Raises
    ------
    InputError
        Options don't fit, or the tables are not these three.

    """
    _check(options)
    protected = comma_separated(options.protected)
    required = required_attributes(protected)
    wanted = {frozenset(attributes): attributes for attributes in required.tables}
    parts: dict[tuple[str, ...], Applicants] = {}
    names: list[str] = []
    fingerprints: dict[str, str] = {}
    with ExitStack() as opened:
        for path in options.ll144_tables:
            table = opened.enter_context(open_table(path, unpack_limit=options.unpack_limit))
            attributes = wanted.get(frozenset(protected) & frozenset(table.expr.columns))
            if attributes is None:
                raise InputError(
                    f"{table.name} of {option_text('ll144_tables')} has neither column of {option_text('protected')} "
                    f"{listed(protected)}. Columns: {listed(table.expr.columns)}."
                )
            if attributes in parts:
                other = names[list(parts).index(attributes)]
                raise InputError(
                    f"{option_text('ll144_tables')}: {other} and {table.name} are both by {' and '.join(attributes)}; "
                    f"give a table by {required.sex}, one by {required.race}, and one by both."
                )
            eeo1 = options.eeo1 if required.race in attributes else None
            own = replace(options, protected=tuple(n for n in protected if n in attributes), eeo1=eeo1)
            part = count_applicants(table, impact_query.query_of(own, columns=table.expr.columns))
            notes = tuple(f"{table.name}: {note}" for note in part.accounting.notes)
            parts[attributes] = replace(part, accounting=replace(part.accounting, notes=notes))
            names.append(table.name)
            fingerprints |= table.fingerprints
    return LawTables(
        applicants=_together(parts, [parts[attributes] for attributes in required.tables], protected),
        name=", ".join(names),
        fingerprints=fingerprints,
    )


def _check(options: ImpactOptions) -> None:
    """Raise InputError for options that three tables of counts can't have."""
    name = option_text("ll144_tables")
    if not options.ll144:
        raise InputError(f"{name} needs {option_text('ll144')}: the tables are those of a published audit.")
    if len(options.ll144_tables) != 3:
        raise InputError(
            f"{name} names {len(options.ll144_tables)} tables; give three, by sex, by race or ethnicity, and by both."
        )
    if options.applicants is None or options.selected_count is None:
        raise InputError(
            f"{name} needs {option_text('applicants', 'COLUMN')} and {option_text('selected_count', 'COLUMN')}: a row "
            "of a published table is a category."
        )
    if extra := next((option for option in _OF_ONE_TABLE if getattr(options, option)), None):
        raise InputError(
            f"{name} and {option_text(extra)} are both given; {option_text(extra)} takes one table: drop one of them."
        )


def _together(
    by_table: Mapping[tuple[str, ...], Applicants], parts: Sequence[Applicants], protected: Sequence[str]
) -> Applicants:
    """Return the applicants of all tables, with the table that each count is of."""
    frames = [part.counts.with_columns(pl.lit(table_of(names)).alias(TABLE)) for names, part in by_table.items()]
    columns = [*(PROTECTED + name for name in protected), "n", "successes", TABLE]
    together = pl.concat(frames, how="diagonal")
    counts = together.select([name for name in together.columns if name not in columns] + columns)
    accounts = [part.accounting for part in parts]
    single: dict[str, Any] = {
        field: {name: value for account in accounts[:2] for name, value in getattr(account, field).items()}
        for field in ("unknown", "unknown_labels", "unsure")
    }
    people = [account.rows_used or 0 for account in accounts]
    counted = [account.count or CountColumns(column="") for account in accounts]
    accounting = replace(
        accounts[0],
        **single,
        source=None,
        rows_read=max(people),
        rows_used=max(people),
        count=replace(counted[0], rows=sum(count.rows for count in counted), people=max(people)),
        folded=tuple(entry for account in accounts for entry in account.folded),
        eeo1=accounts[1].eeo1,
        nobody=tuple(group for account in accounts for group in account.nobody or ()) or None,
        notes=(_disagreement(parts, people), *(note for account in accounts for note in account.notes)),
    )
    return replace(parts[0], attributes=tuple(protected), counts=counts, accounting=accounting)


def _disagreement(parts: Sequence[Applicants], people: Sequence[int]) -> str:
    """Return whether the tables have the same people, by their totals and the categories of the crossed one."""
    sex, race, crossed = parts
    (sex_name,), (race_name,) = sex.attributes, race.attributes
    totals = f"{sex_name} has {people[0]:,}, {race_name} {people[1]:,}, crossed {people[2]:,} people"
    differing = []
    for part in (sex, race):
        column = PROTECTED + part.attributes[0]
        both = [
            applicants.counts.filter(pl.col(column).is_not_null()).group_by(column).agg(pl.col("n", "successes").sum())
            for applicants in (part, crossed)
        ]
        joined = both[0].join(both[1], on=column, how="full", suffix="_crossed", coalesce=True).fill_null(0)
        for label, n, selected, n_crossed, selected_crossed in joined.sort(column).iter_rows():
            if (n, selected) != (n_crossed, selected_crossed):
                differing.append(f"{shortened(label)} {selected:,} of {n:,} and {selected_crossed:,} of {n_crossed:,}")
    if not differing and len(set(people)) == 1:
        return f"The three tables agree: {totals}."
    more = len(differing) - _MOST_NAMED
    named = ", ".join(differing[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    margins = f" Against the sums of the crossed table: {named}." if differing else ""
    return f"The three tables disagree: {totals}.{margins} Each is used for its own part, and none is summed."
