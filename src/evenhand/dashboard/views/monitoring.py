"""Monitoring: the measures of a model over time, with alarms to acknowledge."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache, partial
from typing import Any, Final
from urllib.parse import urlencode

import numpy as np
import polars as pl
from numpy.typing import NDArray
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from evenhand.dashboard.disclosure import FEWEST_OF_A_DAY, Counts
from evenhand.dashboard.request import PageRequest
from evenhand.dashboard.views.view import Address, View, start_view
from evenhand.monitoring.alarms import Alarm, Place, acknowledge, alarms, lacks, last_check, watched_models
from evenhand.monitoring.daily import COUNTED, DailySeries, daily_series
from evenhand.monitoring.rules import RATES, BaselineDays, described
from evenhand.monitoring.state import counts_version, last_day, model_names
from evenhand.monitoring.store import Store, opened_store
from evenhand.monitoring.words import (
    alarm_name,
    alarm_text,
    lack_texts,
    scores_table,
    unwatched_text,
    value_text,
)
from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.page.live import ActionForm, Choice, Field, LivePage
from evenhand.report.page.parts import Column, Figure, Part, Section, Table
from evenhand.report.words.numbers import counted

#: Measures that are drawn; none reveals how many people there were.
MEASURES: Final = {
    "median_score": "Median score",
    "error_rate": "Errors",
    "undetected_rate": "Unreadable judgements",
    "latency_p50": "Seconds an answer took, median",
    "latency_p95": "Seconds an answer took, 95th percentile",
    "masking_recall": "Masking recall",
    "golden_accuracy": "Golden cases judged as people did",
}
#: Label, days shown, and days between points, so that a chart has about sixty.
_SPANS: Final[Mapping[str, tuple[str, int, int]]] = {
    "90": ("90 days", 90, 2),
    "365": ("a year", 365, 6),
    "all": ("two years", 730, 12),
}
#: Days whose median is drawn; rows of a table; characters of a note; alarms that are listed.
_WINDOW: Final = 7
_LAST: Final = 7
_LONGEST_NOTE: Final = 500
_MOST_ALARMS: Final = 20
_NEVER: Final = "None on the {} shown."
_SMALL: Final = f"Days on which a measure is of fewer than {FEWEST_OF_A_DAY} judgements are left out."


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
        watched=watched_models(store),
        lacks=[one | {"slice": _named(one["measure"], one["slice"], counts)} for one in lacks(store, model)],
    )


@lru_cache(maxsize=512)
def _moved(place: str, model: str, day: date, version: str) -> Sequence[Table]:  # noqa: ARG001 - counts have changed
    """Return the drift of a model's scores, computed once per version of its counts."""
    with opened_store(place) as store:
        change = described(store, BaselineDays(), as_of=day, models=[model])
    return [scores_table(change)] if change else []


def _view(history: _ModelHistory, models: Sequence[str], *, acknowledges: bool, exact: bool) -> View:
    """Return a model over time; with `exact`, alarms have their values."""
    open_ones = [alarm for alarm in history.alarms if alarm.state in {"pending", "firing"}]
    acknowledged = [alarm for alarm in history.alarms if alarm.state == "acknowledged"]
    resolved = [alarm for alarm in history.alarms if alarm.state == "resolved"]
    listed = [*open_ones, *acknowledged, *resolved][:_MOST_ALARMS]
    sections = [Section(name="alarms", heading="Alarms", text=[alarm_text(alarm, values=exact) for alarm in listed])]
    lacking = [f"{text[0].upper()}{text[1:]}" for text in lack_texts(history.lacks, exact=exact)]
    sections.append(Section(name="unwatched", heading="Not watched for changes", text=lacking))
    ordered = sorted(history.series, key=lambda daily: list(MEASURES).index(daily.measure))
    for daily in ordered:
        rang = [alarm for alarm in history.alarms if alarm.measure == daily.measure and not alarm.slice]
        never = not daily.value.any() and not rang
        none = _NEVER.format(counted(daily.days.size, "day"))
        parts = [Part(text=[none]) if never else Part(figures=[_figure(daily, rang, history)])]
        sections.append(Section(name=daily.measure, heading=MEASURES[daily.measure], parts=parts))
    if history.moved:
        sections.append(Section(name="drift", heading="Drift of the scores", parts=[Part(tables=history.moved)]))
    page = LivePage(
        title="Monitoring",
        answer=_answer(history, open_ones),
        sections=[section for section in sections if section.text or section.parts],
        choices=[
            _model_choice(models, history.model),
            Choice(
                name="days", label="Over", options={key: span[0] for key, span in _SPANS.items()}, chosen=history.span
            ),
        ],
        forms=[_acknowledge_form(alarm) for alarm in open_ones[:_MOST_ALARMS] if acknowledges],
        notes=[] if exact else [_SMALL],
    )
    return View(page=page, frame=_frame(ordered), exact_link=True)


def _answer(history: _ModelHistory, open_ones: Sequence[Alarm]) -> str:
    if history.checked is None:
        return f"No check of {history.model} was made yet: evenhand monitor check tells what changed."
    open_text = counted(len(open_ones), "alarm is", "alarms are") if open_ones else "No alarm is"
    return (
        f"{open_text} open at {history.model} that nobody has acknowledged, as of the last check, up to "
        f"{history.checked} (UTC).{unwatched_text([history.model], history.watched)}"
    )


def _acknowledge_form(alarm: Alarm) -> ActionForm:
    return ActionForm(
        action=f"/monitoring/alarms/{alarm.id}",
        heading=f"Acknowledge alarm {alarm.id}: {alarm_name(alarm)} since {alarm.since or alarm.day}",
        button="Acknowledge",
        fields=[Field(name="note", label="What was found, or is done about it")],
    )


def _figure(series: DailySeries, rang: Sequence[Alarm], history: _ModelHistory) -> Figure:
    """Return the week up to each day, with alarms as points; the table has the last days."""
    _, days, step = _SPANS[history.span]
    share = series.measure in RATES
    measure_text = partial(_measure_text, series.measure)
    factor = 100.0 if share else 1.0
    last = np.datetime64(history.day, "D")
    window, over = _over_window(series)
    alarmed = np.isin(series.days, np.array([alarm.day for alarm in rang], dtype="datetime64[D]"))
    ago = (last - series.days).astype(np.int64)
    drawn = np.flatnonzero((ago < days) & ((np.arange(ago.size)[::-1] % step == 0) | alarmed))
    points = [
        LinePoint(
            at=float(series.days[at].astype("datetime64[s]").astype(np.int64)),
            value=_known(window[at] * factor),
            text=f"{series.days[at]}: {measure_text(window[at])}{' – alarm' if alarmed[at] else ''}",
            mark=bool(alarmed[at]),
        )
        for at in drawn
    ]
    ringing = [alarm for alarm in rang if alarm.state != "resolved" and alarm.threshold is not None]
    lines = [MarkedLine(value=(alarm.threshold or 0.0) * factor, text="limit") for alarm in ringing[:1]]
    name = MEASURES[series.measure]
    rows = [
        [str(series.days[at]), measure_text(series.value[at]), measure_text(window[at]), "alarm" if alarmed[at] else ""]
        for at in range(max(series.days.size - _LAST, 0), series.days.size)
    ]
    columns = [
        Column(label="Day (UTC)", numeric=False),
        Column(label=name),
        Column(label=over),
        Column(label="Alarm", numeric=False),
    ]
    marks = "; points are days on which an alarm rang" if alarmed[drawn].any() else ""
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
        ),
        tables=[Table(caption=f"The last {len(rows)} days", columns=columns, rows=rows, folded=True)],
    )


def _over_window(series: DailySeries) -> tuple[NDArray[np.float64], str]:
    """Return what each day's point is, and its name: of rates that of all judgements of the window, else the median."""
    if series.measure in RATES:
        return series.moving_rate(_WINDOW), f"Rate of {_WINDOW} days"
    return series.moving_median(_WINDOW), f"Median of {_WINDOW} days"


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
            f"over_{_WINDOW}_days": together([_over_window(daily)[0] for daily in series]),
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
        answer = f"Nothing was recorded of {model} yet."
        return View(page=LivePage(title="Monitoring", answer=answer, choices=[_model_choice(models, model)]))
    return _view(history, models, acknowledges=request.visitor.may("labeller"), exact=request.exact)


def _model_choice(models: Sequence[str], model: str) -> Choice:
    return Choice(name="model", label="Model", options={name: name for name in models}, chosen=model)


def _acknowledge(request: PageRequest) -> Response:
    """Acknowledge an alarm with a note, and return to its model."""
    note = " ".join(request.form.get("note", "").split())[:_LONGEST_NOTE]
    if not note:
        raise HTTPException(400, "A note says what was found, or is done about it; go back and write one.")
    with request.shown.opened() as store, store.writing() as writing:
        alarm = acknowledge(writing, request.parts["number"], by=request.visitor.name, note=note)
    return RedirectResponse(f"/monitoring?{urlencode({'model': alarm.model})}", 303)


ADDRESSES = (
    Address(path="/monitoring", title="Monitoring", answer=_requested_view),
    Address(path="/monitoring/alarms/{number:int}", answer=_acknowledge, method="POST", role="labeller"),
)
