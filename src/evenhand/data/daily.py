"""Dated judgements: a table of decisions and scores becomes counts by day.

Times become seconds since 1970 in UTC, the same on all engines. Rows leave the engine a stretch of days at a time.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo, available_timezones

import ibis
import polars as pl

from evenhand.data import labels as data_labels
from evenhand.data import roles
from evenhand.data.applicant_query import ApplicantQuery, label_notes
from evenhand.data.attributes import attributes_of
from evenhand.data.conditions import filtered_rows
from evenhand.data.counting import mapped
from evenhand.data.group_labels import label_rules
from evenhand.data.open_table import OpenTable, checked_column, is_text
from evenhand.data.score_cells import UNREADABLE, USABLE, number, score_state
from evenhand.data.stages import without_nan
from evenhand.data.totals import NAMED, total_name
from evenhand.data.written_numbers import with_plain_numbers
from evenhand.errors import InputError, option_text
from evenhand.results.messages import listed, quoted
from evenhand.results.schemas import BREAKDOWN, DATED, LARGEST, PROTECTED, STATUSES
from evenhand.stats.rounding import ADDED, LEAST, PER_UNIT


@dataclass(frozen=True, kw_only=True)
class DatedQuery:
    """The columns of a table of judgements, as typed.

    `zone` applies to times without a time zone; `future` admits times after now. `selected_value`, `undecided` and
    `label_value` name values in columns that hold other values than yes and no.
    """

    time: str
    zone: str | None = None
    future: bool = False
    score: str | None = None
    selected: str | None = None
    selected_value: str | None = None
    undecided: tuple[str, ...] = ()
    label: str | None = None
    label_value: str | None = None
    status: str | None = None
    latency: str | None = None
    position: str | None = None
    stage: str | None = None
    decided_by: str | None = None
    by: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    mapped: tuple[str, ...] = ()
    unit: str | None = None
    where: tuple[str, ...] = ()


#: The content of a cell: a moment, a local time without a zone, a day, nothing, or something else.
_MOMENT, _LOCAL, _DAY, _EMPTY, _OTHER = range(5)
_OFFSET: Final = "([+-])([0-9]{2}):?([0-9]{2})$"
#: Of how many scores distinct ones are counted.
_MOST_COMPARED: Final = 1_000_000
#: Seconds by which the clocks of two machines may differ.
_SLACK: Final = 300
_DAY_SECONDS: Final = 86_400


@dataclass(frozen=True, kw_only=True)
class Times:
    """The times of a table's rows.

    `known` (the row has a time) and `second` (since 1970 in UTC) are expressions; `total` is the sum of the seconds.
    `rows` has the number of rows of each day as written; `empty` counts rows without a time. With `plain_days` some
    cells hold only a day, taken as a day of UTC.
    """

    column: Any
    known: Any
    second: Any
    total: int
    rows: dict[date, int]
    empty: int
    plain_days: bool

    def between(self, first: date, last: date) -> Any:
        """Return which rows are dated from `first` to `last` as written, so that an engine can skip the others."""
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
        It holds something else, times without a zone where the query has none, or times after now.

    """
    name = quoted(column.get_name())
    state, local = _parts(column)
    dated_rows = rows.select(state=state, local=local, day=local // _DAY_SECONDS)
    counts = table.fetch(
        dated_rows.group_by("state", "day").aggregate(
            n=dated_rows.count(), first=dated_rows.local.min(), last=dated_rows.local.max()
        )
    )
    by_state = {key[0]: part for key, part in counts.partition_by("state", as_dict=True).items()}
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
                f"Times in {name} of {table.name} have no time zone; give it: "
                f"{option_text('time_zone', 'UTC')}, or a place such as Europe/Berlin."
            )
        second = local - _offset(state, local, by_state[_LOCAL], query.zone)
    seconds = rows.select(second=second)
    ends = seconds.aggregate(latest=seconds.second.max(), sum=seconds.second.sum())
    latest, total = (int(value) for value in table.fetch(ends).row(0))
    if not query.future and latest > now.timestamp() + _SLACK:
        latest_time = f"{datetime.fromtimestamp(latest, UTC):%Y-%m-%d %H:%M} UTC"
        raise InputError(
            f"Times in {name} of {table.name} are in the future, the latest {latest_time}; correct them, or "
            f"accept them with {option_text('future')}."
        )
    dated = counts.filter(pl.col("state") != _EMPTY).group_by("day").agg(pl.col("n").sum())
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
    """Return the content of cells and their seconds since 1970: in UTC where a zone is given, else local."""
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
    usable = text.re_search(data_labels.MOMENT_OR_ZONE)
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
    zoned = ibis.ifelse(offset, safe, "0000-00-00 00:00+0000")
    hours = zoned.re_extract(_OFFSET, 2).cast("int64") * 3600 + zoned.re_extract(_OFFSET, 3).cast("int64") * 60
    shift = ibis.ifelse(zoned.re_extract(_OFFSET, 1) == "-", -hours, hours)
    return state.cast("int32"), day + seconds - shift


def _offset(state: Any, local: Any, bounds: Any, zone: str) -> Any:
    """Return the seconds by which local times are ahead of UTC, from the zone's clock changes within `bounds`."""
    if zone not in available_timezones():
        raise InputError(
            f"{option_text('time_zone', quoted(zone))} is not known; expected UTC, or a place such as Europe/Berlin."
        )
    (_, first), *changes = _changes(ZoneInfo(zone), int(bounds["first"].min()), int(bounds["last"].max()))
    ahead: Any = (
        ibis.cases(*((local >= at, offset) for at, offset in reversed(changes)), else_=first) if changes else first
    )
    return ibis.ifelse(state == _LOCAL, ahead, 0)


def _changes(zone: ZoneInfo, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yield each change of the zone's clock: its local second, and the seconds ahead of UTC from then on."""
    before = None
    for at in range(first - first % 900, last + 900, 900):
        local = datetime(1970, 1, 1, tzinfo=zone) + timedelta(seconds=at)
        offset = int((local.utcoffset() or timedelta()).total_seconds())
        if offset != before:
            yield at, offset
            before = offset


#: Only a blank cell is no position, stage or department: any other text may be the name of one.
_BLANK = frozenset({""})


@dataclass(frozen=True, kw_only=True)
class Meanings:
    """The key columns in the engine; `of` has the keys, values and type of each column derived from them."""

    columns: Mapping[str, Any]
    of: Mapping[str, tuple[tuple[str, ...], Mapping[Any, Hashable | None], pl.DataType]]
    notes: tuple[str, ...]


def meanings_of(table: OpenTable, rows: Any, query: DatedQuery) -> Meanings:
    """Return the meanings of the values in a table's key columns; each column is counted once.

    Raises
    ------
    InputError
        A column does not exist or has too many values, or a decision, label or status is not understood.

    """
    named = {
        "position": ("--position", query.position),
        "stage": ("--stage", query.stage),
        "decided_by": ("--decided-by", query.decided_by),
        "selected": ("--selected", query.selected),
        "label": ("--label", query.label),
        "status": ("--status", query.status),
    }
    named |= {f"{BREAKDOWN}{name}": ("--by", name) for name in query.by}
    columns = {key: checked_column(table, name, option) for key, (option, name) in named.items() if name is not None}
    numbered = rows if query.where else table.expr
    attributes = attributes_of(table, numbered, ApplicantQuery(protected=query.protected)) if query.protected else ()
    for attribute in attributes:
        columns |= attribute.keys
    if not columns:
        return Meanings(columns={}, of={}, notes=())
    options = {key: (option, name) for key, (option, name) in named.items() if name is not None}
    options |= {key: ("--protected", attribute.name) for attribute in attributes for key in attribute.keys}
    keys = rows.select(**{key: without_nan(column) for key, column in columns.items()})
    roles.check_cardinality(table, keys, options)
    rules = label_rules(mapped=query.mapped, columns=query.protected)
    values_of: dict[str, Any] = {}
    notes: list[str] = []
    read: dict[str, data_labels.Labels] = {}
    for key, (_, name) in options.items():
        counts = table.fetch(keys.group_by(key).aggregate(n=keys.count()))
        if key in {"selected", "label"}:
            values_of |= _decisions(counts.rename({key: "decision"}), key, name, query)
        elif key == "status":
            values_of[key] = ((key,), _statuses(counts, name), pl.String())
        elif key.startswith("key_"):
            attribute = next(candidate for candidate in attributes if key in candidate.keys)
            labels = attribute.labels(counts, rules)
            values_of[PROTECTED + attribute.name] = ((key,), labels.of, pl.String())
            read[name] = labels
        else:
            labels = data_labels.labels_of(counts.iter_rows(), _BLANK)
            values_of[key] = ((key,), labels.of, pl.String())
            read.setdefault(name, labels)
            names = {label for label in labels.of.values() if label and total_name(label, of_groups=False) == NAMED}
            notes += [
                f"{quoted(label)} in {quoted(name)} is named like a total, and its rows were counted as judgements; if "
                "they are sums of others, delete them."
                for label in sorted(names)
            ]
    notes = [*label_notes(read, recorded=True), *notes]
    if query.selected is not None and query.label is not None:
        pairs = table.fetch(keys.group_by("selected", "label").aggregate(n=keys.count()))
        for key, (raw, value_of, kind) in ((key, values_of[key]) for key in ("selected", "label")):
            pairs = mapped(pairs, list(raw), value_of, f"read {key}", kind)
        answers = pairs.select(pl.col("read selected").alias("answer"), pl.col("read label").alias("label"), "n")
        notes += filter(None, [roles.copy_note(answers, query.selected, query.label)])
    return Meanings(columns=columns, of=values_of, notes=tuple(notes))


def _decisions(counts: pl.DataFrame, key: str, name: str, query: DatedQuery) -> dict[str, Any]:
    """Return the meaning of decisions and, for `selected`, which values wait for a decision."""
    selected_value, undecided = (
        (query.selected_value, query.undecided) if key == "selected" else (query.label_value, ())
    )
    if key == "selected" and selected_value is None:
        roles.refuse_bad_outcome(name, counts["decision"])
    decisions = data_labels.decisions_of(counts, name, selected_value, undecided)
    values_of: dict[str, Any] = {key: ((key,), decisions.of, pl.Boolean())}
    if key == "selected":
        none = {data_labels.fold(value) for value in decisions.undecided}
        waits = {
            value: value is not None and data_labels.fold(data_labels.text_of(value) or "") in none
            for value in decisions.of
        }
        values_of["waits"] = ((key,), waits, pl.Boolean())
    return values_of


def _statuses(counts: pl.DataFrame, name: str) -> dict[Any, str]:
    """Return the status of each value; an empty cell is an observed judgement."""
    status_of = {}
    for value in counts["status"]:
        status = data_labels.fold(data_labels.text_of(value) or "") or "observed"
        if status not in STATUSES:
            raise InputError(f"The column {quoted(name)} holds {quoted(value)}; expected {listed(STATUSES)}.")
        status_of[value] = status
    return status_of


#: About how many rows leave the engine in one query.
ROWS_AT_ONCE: Final = 500_000
_FIRST, _LAST = date(1, 1, 1), date(9998, 12, 31)


@dataclass(frozen=True, kw_only=True)
class Dated:
    """The judgements of a table, ready to be counted; `columns` are the raw columns fetched."""

    table: OpenTable
    query: DatedQuery
    rows: Any
    columns: Mapping[str, Any]
    times: Times
    meanings: Meanings

    @property
    def notes(self) -> list[str]:
        """Return what the user should know about how the table was read."""
        notes = [*self.table.notes, *self.meanings.notes]
        if self.times.empty:
            n = self.times.empty
            rows, were = ("1 row has", "was") if n == 1 else (f"{n:,} rows have", "were")
            notes.append(f"{rows} no time in {quoted(self.query.time)} and {were} left out.")
        if self.times.plain_days:
            notes.append(f"Days in {quoted(self.query.time)} were taken as they stand, as days of UTC.")
        return notes

    def frames(self) -> Iterator[pl.DataFrame]:
        """Yield counts with the columns of `DATED`, one frame per stretch of days as written."""
        for first, last in self._stretches():
            part = self.rows.filter(self.times.between(first, last)).select(**self.columns)
            yield self._read(self.table.fetch(part.group_by(part.columns).aggregate(n=part.count())))

    def _stretches(self) -> list[tuple[date, date]]:
        """Return stretches of days with about `ROWS_AT_ONCE` rows each."""
        starts, size = [_FIRST], 0
        for day, n in self.times.rows.items():
            if size and size + n > ROWS_AT_ONCE:
                starts.append(day)
                size = 0
            size += n
        return list(zip(starts, [*(day - timedelta(days=1) for day in starts[1:]), _LAST], strict=True))

    def _read(self, counted: pl.DataFrame) -> pl.DataFrame:
        """Return counts of raw values as counts by their meanings."""
        frame = counted
        for name, (keys, values_of, kind) in self.meanings.of.items():
            frame = mapped(frame, list(keys), values_of, f"read {name}", kind)
        has_score = pl.col("score").is_not_null() if "score" in frame.columns else pl.lit(value=False)
        decided = pl.col("read selected").is_not_null() if "read selected" in frame.columns else pl.lit(value=False)
        waits = pl.col("read waits") if "read waits" in frame.columns else pl.lit(value=False)
        status = pl.col("read status") if "read status" in frame.columns else pl.lit("observed")
        expects_result = self.query.score is not None or self.query.selected is not None
        has_status = self.query.status is not None
        failed = status == "error"
        silent = ~has_score & ~decided & ~waits if expects_result else pl.lit(value=False)
        frame = frame.with_columns(
            (pl.lit(date(1970, 1, 1)) + pl.duration(days=pl.col("second") // _DAY_SECONDS)).cast(pl.Date).alias("day"),
            (failed if has_status else pl.lit(None)).alias("failed"),
            (~failed & ((status != "observed") | silent) if has_status or expects_result else pl.lit(None)).alias(
                "undetected"
            ),
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
    >>> from evenhand.data.tables import open_table
    >>> rows = {"at": ["2026-03-01T23:30:00-02:00", "2026-03-01"], "score": [0.5, 0.25]}
    >>> with open_table(pl.DataFrame(rows)) as opened:
    ...     dated = dated_judgements(opened, DatedQuery(time="at", score="score"), now=datetime(2026, 4, 1, tzinfo=UTC))
    ...     pl.concat(dated.frames()).select("day", "score", "n").sort("day").rows()
    [(datetime.date(2026, 3, 1), 101500, 1), (datetime.date(2026, 3, 2), 104000, 1)]
    """
    table = with_plain_numbers(table, {query.score: "--score", query.latency: "--latency"})
    filtered = filtered_rows(table, query.where).expr
    times = read_times(table, filtered, checked_column(table, query.time, "--time"), query, now=now)
    rows = filtered.filter(times.known)
    meanings = meanings_of(table, rows, query)
    columns = {key: without_nan(column) for key, column in meanings.columns.items()}
    notes = list(meanings.notes)
    for key, option, name in (("score", "--score", query.score), ("seconds", "--latency", query.latency)):
        if name is not None:
            columns[key], said = _kept(table, rows, checked_column(table, name, option), option)
            notes += said
    if query.unit is None:
        columns["second"] = times.second - times.second % _DAY_SECONDS
    else:
        columns |= {
            "second": times.second,
            "unit": checked_column(table, query.unit, "--unit").cast("string"),
        }
    return Dated(
        table=table,
        query=query,
        rows=rows,
        columns=columns,
        times=times,
        meanings=replace(meanings, notes=tuple(notes)),
    )


def _kept(table: OpenTable, rows: Any, column: Any, option: str) -> tuple[Any, list[str]]:
    """Return the codes of numbers (see stats/rounding.py), null where a cell holds none, and what to say of them.

    A latency whose name has another unit becomes seconds.

    Raises
    ------
    InputError
        A cell holds text that is no number, or a number that is too large; seconds are below 0.

    """
    state, value = score_state(column)
    unit = roles.seconds_in(column.get_name()) if option == "--latency" else None
    value = value if unit is None else value * number(unit)
    codes = _codes(value)
    usable = rows.select(state=state, value=value)
    ranges = table.fetch(usable.group_by("state").aggregate(low=usable.value.min(), high=usable.value.max()))
    name = f"The column {quoted(column.get_name())} of {table.name}"
    if (ranges["state"] == UNREADABLE).any():
        first = table.fetch(rows.filter(state == UNREADABLE).select(value=column.cast("string")).limit(1))["value"][0]
        raise InputError(f"{name} holds {quoted(first)}; expected numbers.")
    low, high = ranges.select(pl.col("low").min(), pl.col("high").max()).row(0)
    if low is not None and max(-low, high) > LARGEST:
        raise InputError(f"{name} holds numbers beyond {LARGEST:,.0f}; give another column with {option}.")
    if option == "--latency" and low is not None and low < 0:
        raise InputError(f"{name} holds {low}; expected seconds from 0.")
    usable_codes = ibis.ifelse(state == USABLE, codes, ibis.null("int64"))
    if unit is not None:
        return usable_codes, [
            f"{quoted(column.get_name())} is in units of {unit:g} seconds by its name; seconds are recorded."
        ]
    return usable_codes, _lost_values(table, rows, column, value) if option == "--score" else []


def _codes(value: Any) -> Any:
    """Return the codes of numbers in the engine, as `kept_codes` does."""
    size = value.abs()
    per_unit, added = (
        ibis.cases(
            *((size >= number(least), number(chosen)) for least, chosen in zip(LEAST[:0:-1], of[:0:-1], strict=True)),
            else_=number(of[0]),
        )
        for of in (PER_UNIT, ADDED)
    )
    return (value.sign() * ((size * per_unit + number(0.5)).floor() + added)).cast("int64")


def _lost_values(table: OpenTable, rows: Any, column: Any, value: Any) -> list[str]:
    """Return how many distinct scores become one with others, nothing where none do."""
    values = rows.select(value=value, code=_codes(value)).limit(_MOST_COMPARED)
    distinct = values.aggregate(before=values.value.nunique(), after=values.code.nunique(), rows=values.count())
    before, after, n_rows = table.fetch(distinct).row(0)
    if before == after:
        return []
    first = f" in the first {_MOST_COMPARED:,} rows" if n_rows == _MOST_COMPARED else ""
    return [
        "Scores are kept to four decimals, below 1 to four significant digits: "
        f"{before:,} distinct values of {quoted(column.get_name())} become {after:,}{first}."
    ]
