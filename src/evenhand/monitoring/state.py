"""The state of a store: the last day of each model, open alarms, exact counts, and metrics for Prometheus."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, Literal

import numpy as np
import orjson
import polars as pl
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.monitoring.alarms import Alarm, alarms, last_check, watched_models
from evenhand.monitoring.counts import KEYS, NOTHING, CellCounts, ValueCounts, cell_secret, secret_number, summed
from evenhand.monitoring.golden_labels import CounterfactualLabels, counterfactual_labels
from evenhand.monitoring.store import LogHead, Store, Writing, log_head
from evenhand.results.schemas import BREAKDOWN, PROTECTED
from evenhand.stats import counted_quantile
from evenhand.stats.rounding import kept_codes, kept_numbers

#: Counts of people, and the sums of their secret numbers.
NUMBERS: Final = ("decided", "selected", "decided_key", "selected_key")
_MONTH: Final = f"{BREAKDOWN}month"
#: The separator of a stage and a cut-off; no typed text contains it.
_ABOVE: Final = "\x1f"


@dataclass(frozen=True, kw_only=True)
class CountRequest:
    """The counts to return: a stage, days from `first` to `last` (both included), values of breakdowns ('' unknown).

    Without a `cutoff` the decisions count; with one a score above it is a selection.
    """

    stage: str = ""
    first: str = ""
    last: str = "9999-12-31"
    within: Mapping[str, str] = field(default_factory=dict)
    cutoff: float | Literal["median"] | None = None


def decided_models(store: Store | Writing) -> list[str]:
    """Return the models that have decisions, those with groups and then with stages first."""
    return [
        model
        for model, *_ in store.rows(
            "SELECT model, max(CASE WHEN groups <> '{}' THEN 1 ELSE 0 END) AS grouped, count(DISTINCT stage) AS stages "
            "FROM cells WHERE EXISTS (SELECT 1 FROM counts WHERE cell = id AND decided > 0) "
            "GROUP BY model ORDER BY grouped DESC, stages DESC, model"
        )
    ]


def counts_version(store: Store, model: str) -> str:
    """Return a text that changes when judgements of a model are recorded: the number and time of the last batch."""
    ((batches, last),) = store.rows("SELECT count(*), max(recorded) FROM batches WHERE model = ?", (model,))
    return f"{batches} {last or ''}".strip()


def late_batches(store: Store, model: str) -> int:
    """Return the number of batches with days of months that had ended when they were recorded."""
    ((late,),) = store.rows(
        "SELECT count(*) FROM batches WHERE model = ? AND substr(first_day, 1, 7) < substr(recorded, 1, 7)", (model,)
    )
    return int(late)


def stage_above(stage: str, cutoff: float) -> str:
    """Return the name among stages of the selection by scores above a cut-off."""
    return f"{stage}{_ABOVE}{cutoff:g}"


def stage_cutoff(stage: str) -> tuple[str, float | None]:
    """Return the stage, and the cut-off of a selection by scores; None for the decisions.

    >>> stage_cutoff(stage_above("screened", 0.5)), stage_cutoff("screened")
    (('screened', 0.5), ('screened', None))
    """
    plain_stage, above, cutoff = stage.partition(_ABOVE)
    return plain_stage, float(cutoff) if above else None


def monthly_counts(store: Store | Writing, model: str, cutoffs: Sequence[float] = ()) -> pl.DataFrame:
    """Return rows with stage, counts and keys (NUMBERS), groups (protected.*) and breakdowns (by.*), one the month.

    For each of the `cutoffs` each stage also occurs as `stage_above`, with people who have a score as decided and those
    above it as selected. Breakdowns without values are left out; '' means unknown. What was recorded for a month that
    had ended changes all of the month's keys.
    """
    secret = cell_secret(store)
    rows = store.rows(
        "SELECT cell, substr(day, 1, 7), sum(decided), sum(selected), sum(decided_key), sum(selected_key) "
        "FROM counts JOIN cells ON id = cell WHERE model = ? GROUP BY cell, substr(day, 1, 7)",
        (model,),
    )
    numbers = dict.fromkeys(NUMBERS, pl.Int64)
    schema = {"cell": pl.Int64, _MONTH: pl.String} | numbers
    counted = pl.DataFrame([(cell, month, *map(int, of)) for cell, month, *of in rows], schema=schema, orient="row")
    factors = {month: 2 * secret_number(secret, late) + 1 for month, late in _versions(store, model).items()}
    factor = counted[_MONTH].replace_strict(factors, default=1, return_dtype=pl.UInt64).to_numpy()
    counted = counted.with_columns(  # numbers that wrap around at 2^64 are the same below KEYS
        pl.Series(name, (counted[name].to_numpy().astype(np.uint64) * factor % KEYS).astype(np.int64))
        for name in NUMBERS[2:]
    ).join(_cells(store, model), on="cell", how="left")
    if cutoffs:
        scored = pl.DataFrame(list(_scored(store, model, cutoffs, secret)), infer_schema_length=None)
        counted = (
            pl.concat([counted, scored.with_columns(pl.col(NUMBERS).cast(pl.Int64))], how="diagonal_relaxed")
            if scored.height
            else counted
        )
    texts = [name for name in counted.columns if name.startswith((BREAKDOWN, PROTECTED))]
    return counted.select("stage", *NUMBERS, *sorted(name for name in texts if (counted[name] != "").any()))


def _versions(store: Store | Writing, model: str) -> Counter[str]:
    """Return how many batches were recorded for each month after it had ended."""
    late: Counter[str] = Counter()
    for first, last, recorded in store.rows(
        "SELECT substr(first_day, 1, 7), substr(last_day, 1, 7), substr(recorded, 1, 7) FROM batches WHERE model = ?",
        (model,),
    ):
        month = first
        while month <= last and month < recorded:
            late[month] += 1
            month = month_name(month_number(month) + 1)
    return late


def month_number(month: str) -> int:
    """Return the number of a month, a multiple of 12 for each January.

    >>> month_number("2026-03"), month_name(month_number("2026-03") - 3)
    (24314, '2025-12')
    """
    year, number = month.split("-")
    return int(year) * 12 + int(number) - 1


def month_name(number: int) -> str:
    """Return the month of a number."""
    return f"{number // 12:04}-{number % 12 + 1:02}"


def month_end(number: int) -> date:
    """Return the last day of the month of a number.

    >>> month_end(month_number("2024-02"))
    datetime.date(2024, 2, 29)
    """
    year, month = divmod(number + 1, 12)
    return date(year, month + 1, 1) - timedelta(days=1)


def _cell_columns(position: str, decided_by: str, breakdown: str, groups: str) -> dict[str, str]:
    """Return the breakdowns and groups of a cell as columns."""
    by = {"position": position, "decided_by": decided_by, **orjson.loads(breakdown)}
    row = {BREAKDOWN + name: value for name, value in by.items()}
    return row | {PROTECTED + name: group for name, group in orjson.loads(groups).items()}


def _scored(store: Store | Writing, model: str, cutoffs: Sequence[float], secret: bytes) -> Iterator[dict[str, Any]]:
    """Yield the number of scores in each cell and month, and of those above each cut-off, with keys of their own."""
    parts: dict[tuple[str, ...], list[ValueCounts]] = {}
    for *place, scores in store.rows(
        "SELECT stage, position, decided_by, breakdown, groups, substr(day, 1, 7), scores "
        "FROM counts JOIN cells ON id = cell WHERE model = ?",
        (model,),
    ):
        parts.setdefault(tuple(place), []).append(ValueCounts.unpacked(bytes(scores)))
    for (stage, *cell, month), counts in parts.items():
        scored = ValueCounts.together(counts)
        for cutoff in cutoffs if scored.n else ():
            above = int(scored.counts[kept_numbers(scored.values) > cutoff].sum())
            rest = secret_number(secret, stage, [*cell, month], scored.n)
            key = (
                secret_number(secret, stage, [*cell, month], cutoff, above)
                if 0 < above < scored.n
                else rest * (above > 0)
            )
            numbers = dict(zip(NUMBERS, (scored.n, above, rest, key), strict=True))
            yield {"stage": stage_above(stage, cutoff), _MONTH: month} | numbers | _cell_columns(*cell)


def decided_people(store: Store | Writing, model: str, *, every: bool = True) -> pl.DataFrame | None:
    """Return the single decisions of a model that were recorded with a unit; None where not `every` one was, or none.

    Rows have the `day`, the `unit` as a number, `score` and `selected` (null where unknown), and stage, groups and
    breakdowns as `monthly_counts`.
    """
    if not store.rows("SELECT 1 FROM decisions LIMIT 1"):
        return None
    ((n,),) = store.rows("SELECT coalesce(sum(n), 0) FROM counts JOIN cells ON id = cell WHERE model = ?", (model,))
    columns = {"cell": pl.Int64, "day": pl.String, "unit": pl.Binary, "score": pl.Int64, "selected": pl.Int64}
    names = ", ".join(columns)
    rows = store.rows(f"SELECT {names} FROM decisions JOIN cells ON id = cell WHERE model = ?", (model,))  # noqa: S608
    if not rows or len(rows) > n or (every and len(rows) < n):
        return None
    people = pl.DataFrame(rows, schema=columns, orient="row").with_columns(
        pl.col("unit").rank("dense").cast(pl.Int64), pl.col("day").str.head(7).alias(_MONTH)
    )
    scores = pl.Series("score", kept_numbers(people["score"].fill_null(0)))
    people = people.with_columns(pl.when(pl.col("score").is_not_null()).then(scores).alias("score"))
    return people.join(_cells(store, model), on="cell", how="left").drop("cell")


def _cells(store: Store | Writing, model: str) -> pl.DataFrame:
    """Return the cells of a model by number: stage, breakdowns without the month, and groups."""
    cells = [
        {"cell": number, "stage": stage} | _cell_columns(*place)
        for number, stage, *place in store.rows(
            "SELECT id, stage, position, decided_by, breakdown, groups FROM cells WHERE model = ?", (model,)
        )
    ]
    names = dict.fromkeys(name for cell in cells for name in cell)
    return pl.DataFrame(cells, schema=dict.fromkeys(["stage", *names], pl.String) | {"cell": pl.Int64})


def decided_levels(store: Store, model: str) -> dict[str, list[str]]:
    """Return the stages of a model's judgements, who decided, positions and the values of each column of --by."""
    levels: dict[str, set[str]] = {}
    for stage, *place, breakdown in store.rows(
        "SELECT DISTINCT stage, decided_by, position, breakdown FROM cells WHERE model = ?", (model,)
    ):
        columns = dict(zip(("decided_by", "position"), place, strict=True)) | orjson.loads(breakdown)
        for name, value in {"stage": stage, **columns}.items():
            levels.setdefault(name, set()).add(value or "")
    return {name: sorted(values) for name, values in levels.items()}


def people_counts(people: pl.DataFrame, request: CountRequest) -> pl.DataFrame:
    """Return the rows of `group_counts` with a further column, `unit`, from those of `decided_people`."""
    chosen = (pl.col("stage") == request.stage) & pl.col("day").is_between(pl.lit(request.first), pl.lit(request.last))
    for name, value in request.within.items():
        chosen &= pl.col(BREAKDOWN + name).fill_null("") == value
    selected, rows = pl.col("selected"), people.filter(chosen)
    if request.cutoff is not None:
        scores = np.unique(rows["score"].drop_nulls(), return_counts=True)
        selected = pl.col("score") > _cutoff(*scores, request.cutoff)
    groups = [name for name in people.columns if name.startswith(PROTECTED)]
    return (
        rows.filter(selected.is_not_null())
        .group_by(pl.col(f"{BREAKDOWN}decided_by").alias("decided_by"), *groups, "unit")
        .agg(n=pl.len().cast(pl.Int64), successes=selected.sum().cast(pl.Int64))
    )


def group_counts(store: Store, model: str, request: CountRequest) -> pl.DataFrame:
    """Return rows with `decided_by`, groups (protected.*), n and the number of successes, exactly.

    A score equal to the `cutoff` is not selected. Scores are compared as they are stored, from 1 on in steps
    of .0001, below to four significant digits; the median is that of all scores of the period, whoever decided.

    Raises
    ------
    InputError
        The request has a cut-off, and none of these judgements has a score.

    """
    cells: dict[tuple[str, str], list[CellCounts]] = {}
    for decided_by, position, breakdown, groups, decided, selected, scores in store.rows(
        "SELECT decided_by, position, breakdown, groups, decided, selected, scores FROM counts JOIN cells ON id = cell "
        "WHERE model = ? AND stage = ? AND day >= ? AND day <= ?",
        (model, request.stage, request.first, request.last),
    ):
        place = {"decided_by": decided_by, "position": position, **orjson.loads(breakdown)}
        if all((place.get(name) or "") == value for name, value in request.within.items()):
            known = NOTHING if request.cutoff is None else ValueCounts.unpacked(bytes(scores))
            counts = CellCounts(decided=int(decided), selected=int(selected), scores=known)
            cells.setdefault((decided_by, groups), []).append(counts)
    counts_by_cell = {key: summed(parts) for key, parts in cells.items()}
    cutoff = None
    if request.cutoff is not None:
        scores = ValueCounts.together([part.scores for part in counts_by_cell.values()])
        cutoff = _cutoff(kept_numbers(scores.values), scores.counts, request.cutoff)
    rows = []
    for (decided_by, groups), counts in sorted(counts_by_cell.items()):
        n, successes = counts.decided, counts.selected
        if cutoff is not None:
            n, successes = counts.scores.n, int(counts.scores.counts[kept_numbers(counts.scores.values) > cutoff].sum())
        group_columns = {PROTECTED + name: group for name, group in orjson.loads(groups).items()}
        rows.append({"decided_by": decided_by, "n": n, "successes": successes} | group_columns)
    names = sorted({name for row in rows for name in row} - {"decided_by", "n", "successes"})
    texts = dict.fromkeys(("decided_by", *names), pl.String())
    return pl.DataFrame(rows, schema={**texts, "n": pl.Int64(), "successes": pl.Int64()})


def is_kept(number: float) -> bool:
    """Return whether a score of this number is kept as it is."""
    return bool(kept_numbers(kept_codes(number)) == number)


def _cutoff(scores: NDArray[np.float64], counts: NDArray[np.int64], cutoff: float | Literal["median"]) -> float:
    """Return the cut-off of scores, ascending with their frequencies, as a number."""
    if not scores.size:
        raise InputError("These judgements have no scores, so no cut-off applies.")
    if cutoff != "median":
        return cutoff
    return float(counted_quantile(scores, counts, share=0.5).estimate or 0.0)


@dataclass(frozen=True, kw_only=True)
class ModelDay:
    """A day (UTC) of a model: its number of judgements, and its measures; `known` has the n of each measure."""

    model: str
    day: str
    n: int
    measures: Mapping[str, float | None]
    known: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class State:
    """The state of a store: days by day and model, alarms that are not resolved, and the head of its log.

    `dropped` has the number of judgements that recorders of services dropped, by model; `checked` is the last day of
    the last check, None where there was no check, and `watched` the models of which it watched a series, None where
    that isn't known; `today` is the day (UTC); `twins` are each person's labels of counterfactual pairs.
    """

    models: Sequence[str]
    days: Sequence[ModelDay]
    dropped: Mapping[str, int]
    alarms: Sequence[Alarm]
    checked: date | None
    watched: Sequence[str] | None
    today: date
    log: LogHead
    twins: Sequence[CounterfactualLabels]

    @property
    def last_days(self) -> list[ModelDay]:
        """Return the last day of each model that has one."""
        return list({model_day.model: model_day for model_day in self.days}.values())

    @property
    def json(self) -> dict[str, Any]:
        """Return the output of `monitor status --json`."""
        return {
            "days": [
                {"day": model_day.day, "model": model_day.model, "n": model_day.n, **model_day.measures}
                for model_day in self.days
            ],
            "dropped": dict(self.dropped),
            "alarms": [alarm.json for alarm in self.alarms],
            "checked": None if self.checked is None else self.checked.isoformat(),
            "twins": [asdict(labels) for labels in self.twins],
            "log": {"entries": self.log.entries, "head": self.log.digest},
        }


def state_of(store: Store, *, last: bool = False) -> State:
    """Return the state of a store, with all days or, faster, with the `last` one of each model."""
    return State(
        models=model_names(store),
        days=_model_days(store, last=last),
        dropped={
            model: int(n)
            for model, n in store.rows("SELECT model, sum(dropped) FROM batches GROUP BY model ORDER BY model")
            if n
        },
        alarms=alarms(store, states=("pending", "firing", "acknowledged")),
        checked=last_check(store),
        watched=watched_models(store),
        today=store.clock().date(),
        log=log_head(store),
        twins=counterfactual_labels(store),
    )


def _model_days(store: Store, *, last: bool) -> list[ModelDay]:
    """Return all days of all models, or the `last` one of each."""
    of_days = "SELECT model, day, sum(n) FROM counts JOIN cells ON id = cell WHERE {} GROUP BY model, day"
    chosen = "day = (SELECT max(day) FROM daily_values WHERE series = id)" if last else "1 = 1"
    rows = store.rows(
        "SELECT model, day, measure, value, n FROM series JOIN daily_values ON series = id "  # noqa: S608 - ours
        f"WHERE slice = '{{}}' AND {chosen} ORDER BY model, measure"
    )
    if last:
        known = dict(store.rows("SELECT model, max(last_day) FROM batches GROUP BY model"))
        for model, day, *_ in rows:
            known[model] = max(known.get(model, ""), day)
        counted = [row for day in {*known.values()} for row in store.rows(of_days.format("day = ?"), (day,))]
        days = {(day, model): 0 for model, day in known.items()}
    else:
        counted = store.rows(of_days.format("1 = 1"))
        days = {(day, model): 0 for model, day, *_ in rows} | {(day, model): 0 for model, day, _ in counted}
    days |= {(day, model): int(n) for model, day, n in counted if (day, model) in days}
    measured: dict[tuple[str, str], list[tuple[str, float | None, int]]] = {}
    for model, day, *measure in rows:
        measured.setdefault((day, model), []).append(tuple(measure))
    return [
        ModelDay(
            model=model,
            day=day,
            n=n,
            measures={measure: value for measure, value, _ in measured.get((day, model), ())},
            known={measure: int(of) for measure, _, of in measured.get((day, model), ())},
        )
        for (day, model), n in sorted(days.items(), key=lambda item: item[0][::-1] if last else item[0])
    ]


def model_names(store: Store) -> list[str]:
    """Return the names of the models of a store, in order."""
    return [name for (name,) in store.rows("SELECT name FROM models ORDER BY name")]


def last_day(store: Store, model: str) -> date | None:
    """Return the last day with counts or measures of a model."""
    ((recorded,),) = store.rows("SELECT max(last_day) FROM batches WHERE model = ?", (model,))
    ((measured,),) = store.rows(
        "SELECT max(day) FROM (SELECT (SELECT max(day) FROM daily_values WHERE series = id) AS day FROM series "
        "WHERE model = ?) AS last",
        (model,),
    )
    latest = max(recorded or "", measured or "")
    return date.fromisoformat(latest) if latest else None


@dataclass(frozen=True, kw_only=True)
class Gap:
    """Days of a window up to `until` on which a model has too few judgements, of all that count, and the longest run.

    Weekends count where the model has data on any.
    """

    model: str
    until: date
    missing: int
    days: int
    first: date
    last: date


def gaps(store: Store, *, until: date, days: int, least: int = 1) -> list[Gap]:
    """Return the models with days of fewer than `least` judgements in a window, those with the longest run first.

    A model's window begins with its first day.
    """
    since = until - timedelta(days=days - 1)
    begins = dict(store.rows("SELECT model, min(first_day) FROM batches GROUP BY model"))
    known: dict[str, set[date]] = {model: set() for model, first in begins.items() if first <= until.isoformat()}
    for model, day, n in store.rows(
        "SELECT model, day, max(n) FROM series JOIN daily_values ON series = id WHERE slice = '{}' AND day >= ? "
        "AND day <= ? GROUP BY model, day",
        (since.isoformat(), until.isoformat()),
    ):
        if model in known and n >= least:
            known[model].add(date.fromisoformat(day))
    found = []
    for model, recorded in known.items():
        first = max(since, date.fromisoformat(begins[model]))
        every = [first + timedelta(days=place) for place in range((until - first).days + 1)]
        if recorded and not any(day.weekday() >= _SATURDAY for day in recorded):
            every = [day for day in every if day.weekday() < _SATURDAY]
        runs: list[list[date]] = [[]]
        for day in every:
            runs = [*runs, []] if day in recorded else [*runs[:-1], [*runs[-1], day]]
        longest = max(runs, key=len)
        if longest:
            missing = len(set(every) - recorded)
            found.append(
                Gap(model=model, until=until, missing=missing, days=len(every), first=longest[0], last=longest[-1])
            )
    return sorted(found, key=lambda gap: (gap.first - gap.last, gap.model))


_SATURDAY: Final = 5
#: Further models and series are left out and counted: Prometheus stores a series for each label value.
MOST_MODELS: Final = 200
MOST_SERIES: Final = 5_000


def metrics_text(store: Store) -> str:
    """Return the metrics of a store.

    Raises
    ------
    InputError
        prometheus-client is not installed.

    """
    try:
        from prometheus_client import CollectorRegistry, Gauge, generate_latest
    except ImportError as error:
        raise InputError(
            "--prometheus needs prometheus-client; install it with: pip install 'evenhand[monitor]'."
        ) from error
    registry = CollectorRegistry()

    def gauge(name: str, told: str, *labels: str) -> Gauge:
        return Gauge(f"evenhand_{name}", told, labels, registry=registry)

    state = state_of(store, last=True)
    last = state.last_days[:MOST_MODELS]
    judgements = gauge("judgements", "Judgements on the model's last day (UTC).", "model")
    day = gauge("last_day_timestamp_seconds", "Start of the model's last day (UTC).", "model")
    for model_day in last:
        judgements.labels(model_day.model).set(model_day.n)
        day.labels(model_day.model).set(_seconds(model_day.day))
    value = gauge(
        "daily_value",
        "A measure on the model's last day; attribute and group are empty over all judgements.",
        *("model", "measure", "attribute", "group"),
    )
    n_series, left_out = 0, len(state.last_days) - len(last)
    for model, measure, attribute, group, number in _values(
        store, {model_day.model: model_day.day for model_day in last}
    ):
        if n_series == MOST_SERIES:
            left_out += 1
            continue
        value.labels(model, measure, attribute, group).set(number)
        n_series += 1
    open_alarms = gauge("alarms", "Alarms that are not resolved.", "model", "severity", "state")
    models = {model_day.model for model_day in last}
    open_counts = Counter((alarm.model, alarm.severity, alarm.state) for alarm in state.alarms if alarm.model in models)
    for (model, severity, status), n in open_counts.items():
        open_alarms.labels(model, severity, status).set(n)
    dropped = gauge("dropped", "Judgements that recorders of services dropped.", "model")
    for model, n in state.dropped.items():
        if model in models:
            dropped.labels(model).set(n)
    gauge("log_entries", "Entries of the store's log.").set(state.log.entries)
    gauge("left_out", "Models and series beyond what is shown.").set(left_out)
    return generate_latest(registry).decode()


def _values(store: Store, last: Mapping[str, str]) -> Iterator[tuple[str, str, str, str, float]]:
    """Yield model, measure, attribute, group and value of each model's last day, overall and of one attribute."""
    for model, day in last.items():
        for measure, slice_, value in store.rows(
            "SELECT measure, slice, value FROM daily_values JOIN series ON id = series "
            "WHERE model = ? AND day = ? AND value IS NOT NULL ORDER BY measure, slice",
            (model, day),
        ):
            cut = orjson.loads(slice_)
            if len(cut) < 2:
                attribute, group = next(iter(cut.items()), ("", ""))
                yield model, measure, *((group, "") if attribute == "attribute" else (attribute, group)), value


def _seconds(day: str) -> float:
    return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()
