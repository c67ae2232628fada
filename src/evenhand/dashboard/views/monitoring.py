"""Monitoring: the measures of a model over time, alarms marked, each to be acknowledged with a note."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlencode

import polars as pl
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from evenhand.dashboard.asked import Asked
from evenhand.dashboard.views.view import Address, View
from evenhand.monitoring.history.alarms import Alarm, acknowledge, alarms
from evenhand.monitoring.history.daily import DailySeries, daily_series
from evenhand.monitoring.state import model_names
from evenhand.report.charts import LinePoint, MarkedLine, line_chart
from evenhand.report.page.live import Choice, Deed, Field, LivePage
from evenhand.report.page.parts import Column, Figure, Part, Section, Table
from evenhand.report.words.alarms import alarm_text, value_text
from evenhand.report.words.numbers import counted

__all__ = ["ADDRESSES", "MEASURES", "monitoring"]

#: What is drawn, none of which tells how many people there were.
MEASURES: Final = {
    "median_score": "Median score",
    "undetected_rate": "Unreadable judgements",
    "error_rate": "Errors",
    "latency_p50": "Seconds, median",
    "latency_p95": "Seconds, 95 %",
    "masking_recall": "Masking recall",
    "golden_accuracy": "Golden cases judged as people did",
}
_LAST: Final = 14
_LONGEST_NOTE: Final = 500


def monitoring(
    series: Sequence[DailySeries],
    own: Sequence[Alarm],
    *,
    model: str,
    models: Sequence[str],
    acknowledges: bool,
    exact: bool,
) -> View:
    """Return a model over time with its `own` alarms; where `exact`, the values of alarms are told."""
    drawn = [each for each in series if not each.slice and each.measure in MEASURES]
    open_ones = [each for each in own if each.state in {"pending", "firing"}]
    sections = []
    if own:
        sections.append(Section(name="alarms", heading="Alarms", text=[alarm_text(each, values=exact) for each in own]))
    for each in drawn:
        name = MEASURES[each.measure]
        figure = _figure(each, [alarm for alarm in own if alarm.measure == each.measure and not alarm.slice])
        sections.append(Section(name=each.measure, heading=name, parts=[Part(figures=[figure])]))
    deeds = [
        Deed(
            action=f"/monitoring/alarms/{each.id}",
            heading=f"Acknowledge alarm {each.id}: {each.measure.replace('_', ' ')} since {each.since or each.day}",
            button="Acknowledge",
            fields=[Field(name="note", label="What was found, or is done about it")],
        )
        for each in open_ones
        if acknowledges
    ]
    told = counted(len(open_ones), "alarm is", "alarms are") if open_ones else "No alarm is"
    page = LivePage(
        title="Monitoring",
        answer=f"{told} open at {model} that nobody has acknowledged."
        if drawn
        else f"Nothing that is drawn here was recorded of {model}.",
        sections=sections,
        choices=[Choice(name="model", label="Model", options={name: name for name in models}, chosen=model)],
        deeds=deeds,
    )
    rows = [
        {"day": str(day), "measure": each.measure, "value": float(value)}
        for each in drawn
        for day, value in zip(each.days, each.value, strict=True)
    ]
    frame = pl.DataFrame(rows, schema={"day": pl.String, "measure": pl.String, "value": pl.Float64})
    return View(page=page, frame=frame.with_columns(pl.col("value").fill_nan(None)), exact_link=True)


def _figure(series: DailySeries, own: Sequence[Alarm]) -> Figure:
    rang = {str(each.day) for each in own}
    values = [None if value != value else float(value) for value in series.value]  # noqa: PLR0124 - NaN is not itself
    points = [
        LinePoint(
            at=float(day.astype("datetime64[s]").astype("int64")),
            value=value,
            text=f"{day}: {value_text(series.measure, value)}{' – alarm' if str(day) in rang else ''}",
            mark=str(day) in rang,
        )
        for day, value in zip(series.days, values, strict=True)
    ]
    lines = [MarkedLine(value=each.threshold, text="limit") for each in own[:1] if each.threshold is not None]
    rows = [
        [str(day), value_text(series.measure, value), "alarm" if str(day) in rang else ""]
        for day, value in list(zip(series.days, values, strict=True))[-_LAST:]
    ]
    columns = [
        Column(label="Day (UTC)", numeric=False),
        Column(label=MEASURES[series.measure]),
        Column(label="Alarm", numeric=False),
    ]
    return Figure(
        title=f"{MEASURES[series.measure]} by day; points are days on which an alarm rang",
        note="",
        chart=lambda width: line_chart(
            points, title=MEASURES[series.measure], along="Day (UTC)", width=width, lines=lines, axis="time"
        ),
        tables=[Table(caption=f"The last {len(rows)} days", columns=columns, rows=rows)],
    )


def _answered(asked: Asked) -> View:
    with asked.shown.opened() as store:
        models = model_names(store)
        model = asked.chosen("model", models)
        if model is None:
            return View(page=LivePage(title="Monitoring", answer="No judgements were recorded yet."))
        series = daily_series(store, models=[model], measures=list(MEASURES))
        own = [each for each in alarms(store) if each.model == model and each.state != "resolved"]
    may = asked.visitor.may("labeller")
    return monitoring(series, own, model=model, models=models, acknowledges=may, exact=asked.exact)


def _acknowledged(asked: Asked) -> Response:
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
