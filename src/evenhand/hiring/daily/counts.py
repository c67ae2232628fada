"""A table of judgements becomes counts by day, a stretch of days at a time."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

import ibis
import polars as pl

from evenhand.errors import InputError
from evenhand.hiring.columns.lookup import checked_column
from evenhand.hiring.columns.scores import UNREADABLE, USABLE, number, score_state
from evenhand.hiring.conditions.where import kept_rows
from evenhand.hiring.counting.stage_rows import without_nan
from evenhand.hiring.counting.tallies import mapped
from evenhand.hiring.daily.meanings import Meanings, meanings_of
from evenhand.hiring.daily.query import DatedQuery
from evenhand.hiring.daily.times import Times, read_times
from evenhand.intake.tables import OpenTable
from evenhand.tables.messages.quoting import quoted
from evenhand.tables.schemas import BREAKDOWN, DATED, LARGEST, PROTECTED, STEPS

__all__ = ["Dated", "dated_judgements"]

#: So many rows leave the engine at once.
ROWS_AT_ONCE: Final = 500_000
_FIRST, _LAST = date(1, 1, 1), date(9998, 12, 31)
_DAY_SECONDS: Final = 86_400


@dataclass(frozen=True, kw_only=True)
class Dated:
    """The judgements of a table, ready to be counted; `columns` are those asked of each row, as they are."""

    table: OpenTable
    query: DatedQuery
    rows: Any
    columns: Mapping[str, Any]
    times: Times
    meanings: Meanings

    @property
    def notes(self) -> list[str]:
        """Return what the user should know of how the table was read."""
        notes = [*self.table.notes, *self.meanings.notes]
        if self.times.empty:
            n = self.times.empty
            rows, were = ("1 row has", "was") if n == 1 else (f"{n:,} rows have", "were")
            notes.append(f"{rows} no time in {quoted(self.query.time)} and {were} left out.")
        if self.times.plain_days:
            notes.append(f"Days in {quoted(self.query.time)} were taken as they stand, as days of UTC.")
        return notes

    def frames(self) -> Iterator[pl.DataFrame]:
        """Yield counts with the columns of `DATED`, each frame of other days as they are written."""
        for first, last in self._stretches():
            part = self.rows.filter(self.times.between(first, last)).select(**self.columns)
            yield self._read(self.table.fetch(part.group_by(part.columns).aggregate(n=part.count())))

    def _stretches(self) -> list[tuple[date, date]]:
        """Return stretches of days that hold about as many rows as leave the engine at once."""
        starts, held = [_FIRST], 0
        for day, n in self.times.rows.items():
            if held and held + n > ROWS_AT_ONCE:
                starts.append(day)
                held = 0
            held += n
        return list(zip(starts, [*(day - timedelta(days=1) for day in starts[1:]), _LAST], strict=True))

    def _read(self, counted: pl.DataFrame) -> pl.DataFrame:
        """Return counts of raw values as counts of what they mean."""
        frame = counted
        for name, (keys, of, kind) in self.meanings.of.items():
            frame = mapped(frame, list(keys), of, f"read {name}", kind)
        has_score = pl.col("score").is_not_null() if "score" in frame.columns else pl.lit(value=False)
        decided = pl.col("read selected").is_not_null() if "read selected" in frame.columns else pl.lit(value=False)
        waits = pl.col("read waits") if "read waits" in frame.columns else pl.lit(value=False)
        status = pl.col("read status") if "read status" in frame.columns else pl.lit("observed")
        asked = self.query.score is not None or self.query.selected is not None
        told = self.query.status is not None
        failed = status == "error"
        silent = ~has_score & ~decided & ~waits if asked else pl.lit(value=False)
        frame = frame.with_columns(
            (pl.lit(date(1970, 1, 1)) + pl.duration(days=pl.col("second") // _DAY_SECONDS)).cast(pl.Date).alias("day"),
            (failed if told else pl.lit(None)).alias("failed"),
            (~failed & ((status != "observed") | silent) if told or asked else pl.lit(None)).alias("undetected"),
        )
        known = {name: pl.col(f"read {name}") for name in self.meanings.of if name not in {"waits", "status"}}
        known |= {
            name: pl.col(name)
            for name in ("day", "score", "seconds", "failed", "undetected", "n")
            if name in frame.columns
        }
        missing = {name: pl.lit(None) for name in DATED if name not in known}
        columns = [(known | missing)[name].cast(kind).alias(name) for name, kind in DATED.items()]
        columns += [pl.col(f"read {name}").alias(name) for name in known if name.startswith((BREAKDOWN, PROTECTED))]
        if self.query.unit is not None:
            columns += [pl.col("unit").cast(pl.String), pl.col("second")]
        return frame.select(columns)


def dated_judgements(table: OpenTable, query: DatedQuery, *, now: datetime) -> Dated:
    """Return the judgements of a table, read as `impact` reads applicants.

    Raises
    ------
    InputError
        A column, time or value that can't be used.
    ServiceError
        The engine failed.

    >>> from datetime import UTC
    >>> from evenhand.intake.tables import open_table
    >>> rows = {"at": ["2026-03-01T23:30:00-02:00", "2026-03-01"], "score": [0.5, 0.25]}
    >>> with open_table(pl.DataFrame(rows)) as opened:
    ...     found = dated_judgements(opened, DatedQuery(time="at", score="score"), now=datetime(2026, 4, 1, tzinfo=UTC))
    ...     pl.concat(found.frames()).select("day", "score", "n").sort("day").rows()
    [(datetime.date(2026, 3, 1), 2500, 1), (datetime.date(2026, 3, 2), 5000, 1)]
    """
    kept = kept_rows(table, query.where).expr
    times = read_times(table, kept, checked_column(table, query.time, "--time"), query, now=now)
    rows = kept.filter(times.known)
    meanings = meanings_of(table, rows, query)
    columns = {key: without_nan(column) for key, column in meanings.columns.items()}
    for key, option, name in (("score", "--score", query.score), ("seconds", "--latency", query.latency)):
        if name is not None:
            columns[key] = _steps(table, rows, checked_column(table, name, option), option)
    if query.unit is None:
        columns["second"] = times.second - times.second % _DAY_SECONDS
    else:
        columns |= {"second": times.second, "unit": checked_column(table, query.unit, "--unit").cast("string")}
    return Dated(table=table, query=query, rows=rows, columns=columns, times=times, meanings=meanings)


def _steps(table: OpenTable, rows: Any, column: Any, option: str) -> Any:
    """Return numbers in whole steps, null where a cell holds none.

    Raises
    ------
    InputError
        A cell holds text that is no number, or a number that is too large; seconds are below 0.

    """
    state, value = score_state(column)
    usable = rows.select(state=state, value=value)
    found = table.fetch(usable.group_by("state").aggregate(low=usable.value.min(), high=usable.value.max()))
    name = f"The column {quoted(column.get_name())} of {table.name}"
    if (found["state"] == UNREADABLE).any():
        first = table.fetch(rows.filter(state == UNREADABLE).select(value=column.cast("string")).limit(1))["value"][0]
        raise InputError(f"{name} holds {quoted(first)}; expected numbers.")
    low, high = found.select(pl.col("low").min(), pl.col("high").max()).row(0)
    if low is not None and max(-low, high) > LARGEST:
        raise InputError(f"{name} holds numbers beyond {LARGEST:,.0f}; name another for {option}.")
    if option == "--latency" and low is not None and low < 0:
        raise InputError(f"{name} holds {low}; expected seconds, which are not below 0.")
    whole = (value * number(STEPS)).round().cast("int64")
    return ibis.ifelse(state == USABLE, whole, ibis.null("int64"))
