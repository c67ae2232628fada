"""Monitoring: the measures of a model over time, alarms marked, each to be acknowledged with a note."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache, partial
from typing import Final
from urllib.parse import urlencode

import numpy as np
import polars as pl
from numpy.typing import NDArray
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from evenhand.dashboard.disclosure import LEAST
from evenhand.dashboard.request import PageRequest
from evenhand.dashboard.views.view import Address, View, start_view
from evenhand.monitoring.alarms import Alarm, acknowledge, alarms, last_check
from evenhand.monitoring.daily import DailySeries, daily_series
from evenhand.monitoring.rules import RATES, BaselineDays, described
from evenhand.monitoring.state import counts_version, last_day, model_names
from evenhand.monitoring.store import Store, opened_store
from evenhand.monitoring.words import alarm_text, scores_table, value_text
from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.page.live import ActionForm, Choice, Field, LivePage
from evenhand.report.page.parts import Column, Figure, Part, Section, Table
from evenhand.report.words.numbers import counted

#: What is drawn, none of which tells how many people there were.
MEASURES: Final = {
    "median_score": "Median score",
    "error_rate": "Errors",
    "undetected_rate": "Unreadable judgements",
    "latency_p50": "Seconds an answer took, median",
    "latency_p95": "Seconds an answer took, 95th percentile",
    "masking_recall": "Masking recall",
    "golden_accuracy": "Golden cases judged as people did",
}
#: How many days are shown, and how far points are apart in days, so that a picture has about sixty.
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
_NEVER: Final = "None on any of these days."
_SMALL: Final = f"Days on which a measure is of fewer than {LEAST} judgements are left out."


@dataclass(frozen=True, kw_only=True)
class _ModelHistory:
    """A model over some days up to `day`: series from a week before on, all alarms, how its scores moved."""

    model: str
    day: date
    span: str
    series: Sequence[DailySeries]
    alarms: Sequence[Alarm]
    moved: Sequence[Table]
    checked: date | None


def _read(store: Store, place: str, model: str, span: str, *, least: int) -> _ModelHistory | None:
    day = last_day(store, model)
    if day is None:
        return None
    since = day - timedelta(days=_SPANS[span][1] + _WINDOW - 2)
    series = daily_series(store, models=[model], measures=list(MEASURES), since=since, until=day)
    told = [each.without_small(least) for each in series if not each.slice]
    return _ModelHistory(
        model=model,
        day=day,
        span=span,
        series=[each for each in told if each.days.size and day - each.days[-1].item() < timedelta(_SPANS[span][1])],
        alarms=[each for each in alarms(store) if each.model == model],
        moved=_moved(place, model, day, counts_version(store, model)),
        checked=last_check(store),
    )


@lru_cache(maxsize=512)
def _moved(place: str, model: str, day: date, version: str) -> Sequence[Table]:  # noqa: ARG001 - counts have changed
    """Return how the scores of a model moved, computed once per version of its counts."""
    with opened_store(place) as store:
        found = described(store, BaselineDays(), as_of=day, models=[model])
    return [scores_table(found)] if found else []


def _view(shown: _ModelHistory, models: Sequence[str], *, acknowledges: bool, exact: bool) -> View:
    """Return a model over time; where `exact`, the values of alarms are told."""
    open_ones = [each for each in shown.alarms if each.state in {"pending", "firing"}]
    seen = [each for each in shown.alarms if each.state == "acknowledged"]
    over = [each for each in shown.alarms if each.state == "resolved"]
    listed = [*open_ones, *seen, *over][:_MOST_ALARMS]
    sections = [Section(name="alarms", heading="Alarms", text=[alarm_text(each, values=exact) for each in listed])]
    ordered = sorted(shown.series, key=lambda each: list(MEASURES).index(each.measure))
    for each in ordered:
        rang = [alarm for alarm in shown.alarms if alarm.measure == each.measure and not alarm.slice]
        never = not each.value.any() and not rang
        parts = [Part(text=[_NEVER]) if never else Part(figures=[_figure(each, rang, shown)])]
        sections.append(Section(name=each.measure, heading=MEASURES[each.measure], parts=parts))
    if shown.moved:
        sections.append(Section(name="drift", heading="Drift of the scores", parts=[Part(tables=shown.moved)]))
    page = LivePage(
        title="Monitoring",
        answer=_answer(shown, open_ones),
        sections=[each for each in sections if each.text or each.parts],
        choices=[
            _model_choice(models, shown.model),
            Choice(
                name="days", label="Over", options={key: each[0] for key, each in _SPANS.items()}, chosen=shown.span
            ),
        ],
        deeds=[_acknowledge_form(each) for each in open_ones[:_MOST_ALARMS] if acknowledges],
        notes=[] if exact else [_SMALL],
    )
    return View(page=page, frame=_frame(ordered), exact_link=True)


def _answer(shown: _ModelHistory, open_ones: Sequence[Alarm]) -> str:
    if shown.checked is None:
        return f"No check of {shown.model} was made yet: evenhand monitor check tells what changed."
    told = counted(len(open_ones), "alarm is", "alarms are") if open_ones else "No alarm is"
    return (
        f"{told} open at {shown.model} that nobody has acknowledged, as of the last check, up to {shown.checked} (UTC)."
    )


def _acknowledge_form(alarm: Alarm) -> ActionForm:
    return ActionForm(
        action=f"/monitoring/alarms/{alarm.id}",
        heading=f"Acknowledge alarm {alarm.id}: {alarm.measure.replace('_', ' ')} since {alarm.since or alarm.day}",
        button="Acknowledge",
        fields=[Field(name="note", label="What was found, or is done about it")],
    )


def _figure(series: DailySeries, rang: Sequence[Alarm], shown: _ModelHistory) -> Figure:
    """Return the median of a week along the days, with alarms as points; in a table the last days themselves."""
    _, days, step = _SPANS[shown.span]
    share = series.measure in RATES
    told = partial(_measure_text, series.measure)
    factor = 100.0 if share else 1.0
    last = np.datetime64(shown.day, "D")
    median = series.moving_median(_WINDOW)
    alarmed = np.isin(series.days, np.array([each.day for each in rang], dtype="datetime64[D]"))
    ago = (last - series.days).astype(np.int64)
    drawn = np.flatnonzero((ago < days) & ((np.arange(ago.size)[::-1] % step == 0) | alarmed))
    points = [
        LinePoint(
            at=float(series.days[at].astype("datetime64[s]").astype(np.int64)),
            value=_known(median[at] * factor),
            text=f"{series.days[at]}: {told(median[at])}{' – alarm' if alarmed[at] else ''}",
            mark=bool(alarmed[at]),
        )
        for at in drawn
    ]
    ringing = [each for each in rang if each.state != "resolved" and each.threshold is not None]
    lines = [MarkedLine(value=(each.threshold or 0.0) * factor, text="limit") for each in ringing[:1]]
    name = MEASURES[series.measure]
    rows = [
        [str(series.days[at]), told(series.value[at]), told(median[at]), "alarm" if alarmed[at] else ""]
        for at in range(max(series.days.size - _LAST, 0), series.days.size)
    ]
    columns = [
        Column(label="Day (UTC)", numeric=False),
        Column(label=name),
        Column(label=f"Median of {_WINDOW} days"),
        Column(label="Alarm", numeric=False),
    ]
    marks = "; points are days on which an alarm rang" if alarmed[drawn].any() else ""
    return Figure(
        title=f"Median of {_WINDOW} days{marks}",
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


def _measure_text(measure: str, value: float) -> str:
    return value_text(measure, _known(value))


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _frame(series: Sequence[DailySeries]) -> pl.DataFrame:
    def together(parts: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        return np.concatenate([np.empty(0), *parts])

    return pl.DataFrame(
        {
            "day": [day for each in series for day in np.datetime_as_string(each.days).tolist()],
            "measure": [each.measure for each in series for _ in each.days],
            "value": together([each.value for each in series]),
            f"median_{_WINDOW}_days": together([each.moving_median(_WINDOW) for each in series]),
        },
        nan_to_null=True,
    )


def _answered(asked: PageRequest) -> View:
    if asked.shown.store is None:
        return start_view(asked, "Monitoring")
    with asked.shown.opened() as store:
        models = model_names(store)
        model = asked.chosen("model", models)
        if model is None:
            return start_view(asked, "Monitoring")
        span = asked.chosen("days", list(_SPANS)) or "90"
        shown = _read(store, asked.shown.store, model, span, least=0 if asked.exact else LEAST)
    if shown is None:
        told = f"Nothing was recorded of {model} yet."
        return View(page=LivePage(title="Monitoring", answer=told, choices=[_model_choice(models, model)]))
    return _view(shown, models, acknowledges=asked.visitor.may("labeller"), exact=asked.exact)


def _model_choice(models: Sequence[str], model: str) -> Choice:
    return Choice(name="model", label="Model", options={name: name for name in models}, chosen=model)


def _acknowledged(asked: PageRequest) -> Response:
    """Acknowledge an alarm with a note, and return to its model."""
    note = " ".join(asked.form.get("note", "").split())[:_LONGEST_NOTE]
    if not note:
        raise HTTPException(400, "A note says what was found, or is done about it; go back and write one.")
    with asked.shown.opened() as store, store.writing() as writing:
        alarm = acknowledge(writing, asked.parts["number"], by=asked.visitor.name, note=note)
    return RedirectResponse(f"/monitoring?{urlencode({'model': alarm.model})}", 303)


ADDRESSES = (
    Address(path="/monitoring", title="Monitoring", answer=_answered),
    Address(path="/monitoring/alarms/{number:int}", answer=_acknowledged, method="POST", role="labeller"),
)
