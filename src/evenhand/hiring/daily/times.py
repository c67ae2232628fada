"""Times of a table as seconds since 1970 in UTC, alike in all engines."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

import ibis
import polars as pl

from evenhand.errors import InputError
from evenhand.hiring.columns.iso_dates import MOMENT_OR_ZONE
from evenhand.hiring.columns.lookup import is_text
from evenhand.hiring.daily.query import DatedQuery
from evenhand.intake.tables import OpenTable
from evenhand.tables.messages.quoting import quoted

__all__ = ["Times", "read_times"]

#: What a cell holds: a moment, a local time without its zone, a day, nothing, or something else.
_MOMENT, _LOCAL, _DAY, _EMPTY, _OTHER = range(5)
_OFFSET: Final = "([+-])([0-9]{2}):?([0-9]{2})$"
#: Clocks of two machines differ.
_SLACK: Final = 300
_DAY_SECONDS: Final = 86_400


@dataclass(frozen=True, kw_only=True)
class Times:
    """The times of a table's rows: the rows on each day as it is written, and how their UTC seconds are told.

    `known` and `second` are expressions, `total` is the sum of the seconds. `rows` has the rows of each day, `empty`
    counts those without a time; `plain_days` says that some cells hold a day only, which is taken as it stands.
    """

    column: Any
    known: Any
    second: Any
    total: int
    rows: dict[date, int]
    empty: int
    plain_days: bool

    def between(self, first: date, last: date) -> Any:
        """Return which rows are written as of these days or one between, so that an engine can skip the others."""
        if is_text(self.column):
            return self.column.strip().substr(0, 10).between(first.isoformat(), last.isoformat())
        kind = self.column.type()
        if kind.is_date():
            return self.column.between(first, last)
        zone = None if kind.timezone is None else UTC
        start, end = (datetime.combine(day, time(), tzinfo=zone) for day in (first, last + timedelta(days=1)))
        return (self.column >= ibis.literal(start, type=kind)) & (self.column < ibis.literal(end, type=kind))


def read_times(table: OpenTable, rows: Any, column: Any, query: DatedQuery, *, now: datetime) -> Times:
    """Return the times of a column.

    Raises
    ------
    InputError
        It holds something else, times without a zone and the query names none, or times after now.

    """
    name = quoted(column.get_name())
    state, local = _parts(column)
    seen = rows.select(state=state, local=local, day=local // _DAY_SECONDS)
    found = table.fetch(
        seen.group_by("state", "day").aggregate(n=seen.count(), first=seen.local.min(), last=seen.local.max())
    )
    by_state = {key[0]: part for key, part in found.partition_by("state", as_dict=True).items()}
    if _OTHER in by_state:
        first = table.fetch(rows.filter(state == _OTHER).select(value=column.cast("string")).limit(1))["value"][0]
        raise InputError(
            f"The column {name} of {table.name} holds {quoted(first)}; expected times such as 2026-03-01T09:30:00Z."
        )
    if not set(by_state) - {_EMPTY}:
        raise InputError(f"The column {name} of {table.name} has no times.")
    second = local
    if _LOCAL in by_state:
        if query.zone is None:
            raise InputError(
                f"Times in {name} of {table.name} tell no zone; say which it is: --time-zone UTC, or a place such as "
                "Europe/Berlin."
            )
        second = local - _offset(state, local, by_state[_LOCAL], query.zone)
    seconds = rows.select(second=second)
    ends = seconds.aggregate(latest=seconds.second.max(), sum=seconds.second.sum())
    latest, total = (int(value) for value in table.fetch(ends).row(0))
    if not query.future and latest > now.timestamp() + _SLACK:
        told = f"{datetime.fromtimestamp(latest, UTC):%Y-%m-%d %H:%M} UTC"
        raise InputError(
            f"Times in {name} of {table.name} are in the future, the latest {told}; mend them, or record them with "
            "--future."
        )
    dated = found.filter(pl.col("state") != _EMPTY).group_by("day").agg(pl.col("n").sum())
    return Times(
        column=column,
        known=state != _EMPTY,
        second=second,
        total=total,
        rows={date(1970, 1, 1) + timedelta(days=day): n for day, n in sorted(dated.select("day", "n").iter_rows())},
        empty=0 if _EMPTY not in by_state else int(by_state[_EMPTY]["n"].sum()),
        plain_days=_DAY in by_state,
    )


def _parts(column: Any) -> tuple[Any, Any]:
    """Return what cells hold, and their seconds since 1970: of UTC where a zone is told, else local."""
    kind = column.type()
    if kind.is_timestamp():
        state = ibis.ifelse(column.isnull(), _EMPTY, _LOCAL if kind.timezone is None else _MOMENT)
        seconds = column.epoch_seconds().cast("int64")
    elif kind.is_date():
        state = ibis.ifelse(column.isnull(), _EMPTY, _DAY)
        seconds = column.cast("timestamp").epoch_seconds().cast("int64")
    elif is_text(column):
        return _text_parts(column.strip())
    else:
        raise InputError(
            f"The column {quoted(column.get_name())} holds {kind}; expected times, or text such as "
            "2026-03-01T09:30:00Z."
        )
    return state.cast("int32"), seconds


def _text_parts(text: Any) -> tuple[Any, Any]:
    usable = text.re_search(MOMENT_OR_ZONE)
    safe = ibis.ifelse(usable, text, ibis.null("string"))
    with_time = safe.length() > 10
    offset = with_time & safe.re_search(_OFFSET)
    state = ibis.cases(
        (text.isnull() | (text == ""), _EMPTY),
        (~usable, _OTHER),
        (with_time & (safe.endswith("Z") | offset), _MOMENT),
        (with_time, _LOCAL),
        else_=_DAY,
    )
    day = safe.substr(0, 10).cast("date").cast("timestamp").epoch_seconds().cast("int64")
    clock = ibis.ifelse(with_time, safe, "0000-00-00 00:00:00")
    seconds = (
        clock.substr(11, 2).cast("int64") * 3600
        + clock.substr(14, 2).cast("int64") * 60
        + ibis.ifelse(clock.substr(16, 1) == ":", clock.substr(17, 2), "00").cast("int64")
    )
    told = ibis.ifelse(offset, safe, "0000-00-00 00:00+0000")
    hours = told.re_extract(_OFFSET, 2).cast("int64") * 3600 + told.re_extract(_OFFSET, 3).cast("int64") * 60
    shift = ibis.ifelse(told.re_extract(_OFFSET, 1) == "-", -hours, hours)
    return state.cast("int32"), day + seconds - shift


def _offset(state: Any, local: Any, found: Any, zone: str) -> Any:
    """Return how many seconds local times are ahead of UTC, from the changes of the zone's clocks in their range."""
    if zone not in available_timezones():
        raise InputError(f"--time-zone {quoted(zone)} is not known; expected UTC, or a place such as Europe/Berlin.")
    (_, first), *changes = _changes(ZoneInfo(zone), int(found["first"].min()), int(found["last"].max()))
    ahead: Any = (
        ibis.cases(*((local >= at, offset) for at, offset in reversed(changes)), else_=first) if changes else first
    )
    return ibis.ifelse(state == _LOCAL, ahead, 0)


def _changes(zone: ZoneInfo, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield local seconds from which on the zone is so many seconds ahead of UTC."""
    before = None
    for at in range(first - first % 900, last + 900, 900):
        local = datetime(1970, 1, 1, tzinfo=zone) + timedelta(seconds=at)
        offset = int((local.utcoffset() or timedelta()).total_seconds())
        if offset != before:
            yield at, offset
            before = offset
