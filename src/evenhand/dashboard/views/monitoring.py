"""Monitoring: the measures of a model over time, and its alarms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache, partial
from math import exp
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.dashboard.disclosure import FEWEST_OF_A_DAY, Counts
from evenhand.dashboard.request import PageRequest, link_to
from evenhand.dashboard.views.view import Address, View, same, start_view
from evenhand.monitoring.alarms import Alarm, Place, alarms, lacks, last_check, watched_models
from evenhand.monitoring.daily import COUNTED, DailySeries, daily_series
from evenhand.monitoring.rules import IMPACT, RATES, BaselineDays, described
from evenhand.monitoring.state import counts_version, last_day, model_names
from evenhand.monitoring.store import Store, opened_store
from evenhand.monitoring.words import (
    alarm_name,
    handling_text,
    lack_texts,
    measure_name,
    scores_table,
    slice_text,
    unwatched_text,
    value_text,
)
from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.lines import LinePoint, MarkedSpan, line_chart
from evenhand.report.page.live import Choice, LivePage
from evenhand.report.page.parts import Column, Figure, Part, Section, Table, table
from evenhand.report.words.numbers import count_text, counted
from evenhand.report.words.results import capital

#: Measures that are drawn; none reveals how many people there were.
MEASURES: Final = {
    "median_score": "Median score",
    "error_rate": "Errors",
    "undetected_rate": "Unreadable judgements",
    "latency_p50": "Latency, median",
    "latency_p95": "Latency, 95th percentile",
    "masking_recall": "Masking recall",
    "golden_accuracy": "Accuracy on golden cases",
}
#: Label, days shown, and days between points, so that a chart has about sixty.
_SPANS: Final[Mapping[str, tuple[str, int, int]]] = {
    "90": ("90 days", 90, 2),
    "365": ("a year", 365, 6),
    "all": ("two years", 730, 12),
}
#: Days whose median is drawn; rows of a table; alarms that are listed.
_WINDOW: Final = 7
_LAST: Final = 7
_MOST_ALARMS: Final = 20
_NEVER: Final = "There were none on the {} shown."
_SMALL: Final = f"Days with fewer than {FEWEST_OF_A_DAY} judgements of a measure are not shown."


@dataclass(frozen=True, kw_only=True)
class _ModelHistory:
    """A model up to `day`: series from a week before the span on, all alarms, the drift of its scores."""

    model: str
    day: date
    span: str
    series: Sequence[DailySeries]
    alarms: Sequence[Alarm]
    moved: Sequence[Table]
    checked: date | None
    today: date
    watched: Sequence[str] | None
    lacks: Sequence[Mapping[str, Any]]


def as_published(alarm: Alarm, counts: Counts | None) -> Alarm:
    """Return an alarm that names no group, stage or decider of people which the published counts don't name."""
    return replace(alarm, slice=_named(alarm.measure, alarm.slice, counts))


def _named(measure: str, slice_: Mapping[str, str], counts: Counts | None) -> Mapping[str, str]:
    of_people = measure in COUNTED or measure == Place.measure
    return counts.named(slice_) if counts is not None and counts.published and of_people else slice_


def _read(
    store: Store, place: str, model: str, span: str, *, least: int, counts: Counts | None
) -> _ModelHistory | None:
    day = last_day(store, model)
    if day is None:
        return None
    since = day - timedelta(days=_SPANS[span][1] + _WINDOW - 2)
    series = daily_series(store, models=[model], measures=list(MEASURES), since=since, until=day)
    unsliced = [daily.without_small(least) for daily in series if not daily.slice]
    return _ModelHistory(
        model=model,
        day=day,
        span=span,
        series=[
            daily for daily in unsliced if daily.days.size and day - daily.days[-1].item() < timedelta(_SPANS[span][1])
        ],
        alarms=[as_published(alarm, counts) for alarm in alarms(store) if alarm.model == model],
        moved=_moved(place, model, day, counts_version(store, model)),
        checked=last_check(store),
        today=store.clock().date(),
        watched=watched_models(store),
        lacks=[one | {"slice": _named(one["measure"], one["slice"], counts)} for one in lacks(store, model)],
    )


@lru_cache(maxsize=512)
def _moved(place: str, model: str, day: date, version: str) -> Sequence[Table]:  # noqa: ARG001 - counts have changed
    """Return the drift of a model's scores, computed once per version of its counts."""
    with opened_store(place) as store:
        change = described(store, BaselineDays(), as_of=day, models=[model])
    return [scores_table(change)] if change else []


def _view(history: _ModelHistory, models: Sequence[str], filters: Mapping[str, str], *, exact: bool) -> View:
    """Return a model over time; with `exact`, alarms have their values."""
    open_ones = [alarm for alarm in history.alarms if alarm.state in {"pending", "firing"}]
    listed = sorted(history.alarms, key=lambda alarm: _STATES.index(alarm.state))[:_MOST_ALARMS]
    alarmed = [Part(tables=[alarms_table(listed, filters, today=history.today, values=exact)])] if listed else []
    sections = [Section(name="alarms", heading="Alarms", parts=alarmed)]
    lacking = [f"{text[0].upper()}{text[1:]}" for text in lack_texts(history.lacks, exact=exact)]
    sections.append(Section(name="unwatched", heading="Not watched for changes", text=lacking))
    ordered = sorted(history.series, key=lambda daily: list(MEASURES).index(daily.measure))
    for daily in ordered:
        rang = [alarm for alarm in history.alarms if alarm.measure == daily.measure and not alarm.slice]
        never = not daily.value.any() and not rang
        _, days, step = _SPANS[history.span]
        first = history.day - timedelta(days=days - 1)
        none = _NEVER.format(counted(int((daily.days >= np.datetime64(first, "D")).sum()), "day"))
        parts = [
            Part(text=[none]) if never else Part(figures=[measure_figure(daily, rang, filters, first=first, step=step)])
        ]
        sections.append(Section(name=daily.measure, heading=MEASURES[daily.measure], parts=parts))
    if history.moved:
        sections.append(Section(name="drift", heading="Drift of the scores", parts=[Part(tables=history.moved)]))
    page = LivePage(
        title="Monitoring",
        answer=_answer(history, open_ones),
        further=_further(history),
        sections=[section for section in sections if section.text or section.parts],
        choices=[
            _model_choice(models, history.model),
            Choice(
                name="days", label="Over", options={key: span[0] for key, span in _SPANS.items()}, chosen=history.span
            ),
        ],
        notes=[] if exact else [_SMALL],
    )
    return View(page=page, frame=_frame(ordered), exact_link=True)


def _answer(history: _ModelHistory, open_ones: Sequence[Alarm]) -> str:
    if history.checked is None:
        return f"{history.model} was not checked yet; run evenhand monitor check."
    number = counted(len(open_ones), "unacknowledged alarm") if open_ones else "no unacknowledged alarm"
    muted = sum(alarm.muted(history.today) for alarm in open_ones)
    of_them = f", {count_text(muted)} muted" if muted else ""
    return f"{history.model} has {number}{of_them}."


def _further(history: _ModelHistory) -> list[str]:
    if history.checked is None:
        return []
    unwatched = unwatched_text([history.model], history.watched)
    return [f"The last check covered the days to {history.checked} (UTC).{unwatched}"]


#: Alarms that nobody has seen come first.
_STATES: Final = ("firing", "pending", "acknowledged", "resolved")
_SEVERITIES: Final[Mapping[str, str]] = {"critical": "◆", "warning": "◇"}


def alarm_link(alarm: Alarm, filters: Mapping[str, str]) -> str:
    """Return the address of an alarm."""
    return link_to(f"/monitoring/alarms/{alarm.id}", filters)


def alarms_table(listed: Sequence[Alarm], filters: Mapping[str, str], *, today: date, values: bool) -> Table:
    """Return alarms, a row each that leads to its page; with the `values` or without."""
    rows = [
        [
            capital(f"{alarm_name(alarm)}{slice_text(alarm.slice)}"),
            alarm.model,
            f"{_SEVERITIES.get(alarm.severity, '○')} {alarm.severity}",
            *([value_text(alarm.measure, alarm.value), value_text(alarm.measure, alarm.threshold)] if values else []),
            str(alarm.since or alarm.day),
            handling_text(alarm, today),
        ]
        for alarm in listed
    ]
    heads = ["Alarm", "Process or model", "Severity", *(["Value", "Limit"] if values else []), "Since", "State"]
    return replace(table("Alarms and their state", heads, rows), links=[alarm_link(alarm, filters) for alarm in listed])


def measure_figure(
    series: DailySeries,
    rang: Sequence[Alarm],
    filters: Mapping[str, str],
    *,
    first: date,
    step: int,
    days: int = _WINDOW,
    spans: Sequence[MarkedSpan] = (),
) -> Figure:
    """Return the `days` up to each day from the first on, with alarms as points; the table has the last days."""
    share, ratio = series.measure in RATES, series.measure == IMPACT
    measure_text = partial(_measure_text, series.measure)

    def shown(value: float) -> float:
        return exp(value) if ratio else value * 100 if share else value

    window, over = _over_window(series, days)
    alarm_of_day = {np.datetime64(alarm.day, "D"): alarm for alarm in rang}
    alarmed = np.isin(series.days, np.array([*alarm_of_day], dtype="datetime64[D]"))
    places = np.arange(series.days.size)[::-1]
    drawn = np.flatnonzero((series.days >= np.datetime64(first, "D")) & ((places % step == 0) | alarmed))
    points = [
        LinePoint(
            at=_seconds(series.days[at]),
            value=_known(shown(window[at])),
            text=f"{series.days[at]}: {measure_text(window[at])}{' – alarm' if alarmed[at] else ''}",
            mark=bool(alarmed[at]),
            link=alarm_link(alarm_of_day[series.days[at]], filters) if alarmed[at] else "",
        )
        for at in drawn
    ]
    ringing = [alarm for alarm in rang if alarm.state != "resolved" and alarm.threshold is not None]
    lines = [MarkedLine(value=shown(alarm.threshold or 0.0), text="limit") for alarm in ringing[:1]]
    name = MEASURES.get(series.measure) or capital(measure_name(series.measure))
    shown_last = range(max(series.days.size - _LAST, 0), series.days.size)
    columns = {
        "Day (UTC)": [str(series.days[at]) for at in shown_last],
        name: [measure_text(series.value[at]) for at in shown_last],
        **({over: [measure_text(window[at]) for at in shown_last]} if days > 1 else {}),
        "Alarm": ["alarm" if alarmed[at] else "" for at in shown_last],
    }
    marks = "; points mark days with an alarm" if alarmed[drawn].any() else ""
    return Figure(
        title=f"{over}{marks}",
        note="",
        chart=lambda width: line_chart(
            points,
            title=f"{name}, percent" if share else name,
            along="Day (UTC)",
            width=width,
            lines=lines,
            axis="time",
            zero=share,
            spans=spans,
        ),
        tables=[
            Table(
                caption=f"The last {len(shown_last)} days",
                columns=[Column(label=head, numeric=head not in {"Day (UTC)", "Alarm"}) for head in columns],
                rows=list(zip(*columns.values(), strict=True)),
            )
        ],
    )


def _over_window(series: DailySeries, days: int) -> tuple[NDArray[np.float64], str]:
    """Return what each day's point is, and its name: of rates that of all judgements of the window, else the median."""
    if days == 1:
        return series.value, "Value of each day"
    if series.measure in RATES:
        return series.moving_rate(days), f"Rate over {days} days"
    return series.moving_median(days), f"Median over {days} days"


def _seconds(day: np.datetime64) -> float:
    return float(day.astype("datetime64[s]").astype(np.int64))


def _measure_text(measure: str, value: float) -> str:
    return value_text(measure, _known(value))


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _frame(series: Sequence[DailySeries]) -> pl.DataFrame:
    def together(parts: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        return np.concatenate([np.empty(0), *parts])

    return pl.DataFrame(
        {
            "day": [day for daily in series for day in np.datetime_as_string(daily.days).tolist()],
            "measure": [daily.measure for daily in series for _ in daily.days],
            "value": together([daily.value for daily in series]),
            f"over_{_WINDOW}_days": together([_over_window(daily, _WINDOW)[0] for daily in series]),
        },
        nan_to_null=True,
    )


def _requested_view(request: PageRequest) -> View:
    if request.shown.store is None:
        return start_view(request, "Monitoring")
    with request.shown.opened() as store:
        models = model_names(store)
        model = request.chosen("model", models)
        if model is None:
            return start_view(request, "Monitoring")
        span = request.chosen("days", list(_SPANS)) or "90"
        counts = None if request.exact else request.shown.processes.within(store, model, published=True)
        least = 0 if request.exact else FEWEST_OF_A_DAY
        history = _read(store, request.shown.store, model, span, least=least, counts=counts)
    if history is None:
        answer = f"Nothing is recorded for {model} yet."
        return View(page=LivePage(title="Monitoring", answer=answer, choices=[_model_choice(models, model)]))
    return _view(history, models, request.filters, exact=request.exact)


def _model_choice(models: Sequence[str], model: str) -> Choice:
    return Choice(name="model", label="Model", options=same(models), chosen=model)


ADDRESSES = (Address(path="/monitoring", title="Monitoring", answer=_requested_view),)
