"""Overview: the state of every model, open alarms first."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from math import isfinite
from typing import Final
from urllib.parse import urlencode

import polars as pl

from evenhand.dashboard.disclosure import LEAST
from evenhand.dashboard.request import PageRequest
from evenhand.dashboard.views.view import Address, View, company_forms, start_view
from evenhand.monitoring.daily import COUNTED, DailySeries, daily_series
from evenhand.monitoring.state import ModelDay, State, state_of
from evenhand.monitoring.store import Store
from evenhand.monitoring.words import alarm_text, value_text
from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.page.live import LivePage
from evenhand.report.page.parts import Column, Figure, Part, Section, Table
from evenhand.report.words.numbers import count_text, counted

#: Measures of what counts tell that no count of people can be computed from, where they are of LEAST or more.
_UNSUPPRESSED: Final = frozenset({"median_score", "undetected_rate", "error_rate", "latency_p50", "latency_p95"})
#: Models whose scores are drawn; days that are, how far points are apart, and whose median each is.
_MOST_MODELS_PLOTTED: Final = 5
_DAYS: Final = 90
_STEP: Final = 3
_WINDOW: Final = 7
_MEASURE_LABELS = {
    "n": "n",
    "median_score": "Median score",
    "selection_rate": "Selection rate",
    "agreement": "Agreement",
    "undetected_rate": "Unreadable",
    "error_rate": "Errors",
    "latency_p95": "Seconds, 95 %",
}


def overview(state: State, scores: Sequence[DailySeries], *, exact: bool) -> View:
    """Return the state of all models; numbers of people, and rates that tell them, only where they are `exact`.

    The median scores of some models are drawn.
    """
    rings = Counter(each.model for each in state.alarms)
    last = _ordered(state)
    sections = [_alarms(state, exact=exact)] if state.alarms else []
    if last:
        table = _table(last, rings, exact=exact)
        part = Part(figures=[_scores(scores, table)]) if scores else Part(tables=[table])
        sections.append(Section(name="models", heading="Models", parts=[part]))
    frame = pl.DataFrame(
        [
            {"model": each.model, "open_alarms": rings[each.model], "day": each.day} | _numbers(each, exact=exact)
            for each in last
        ],
        infer_schema_length=None,
    )
    few = any(0 < n < LEAST for each in last for name, n in each.known.items() if name in _UNSUPPRESSED)
    notes = [f"Measures of fewer than {LEAST} judgements are left out."] if few and not exact else []
    page = LivePage(title="Overview", answer=_answer(state), sections=sections, notes=notes)
    return View(page=page, frame=frame, exact_link=True)


def _answer(state: State) -> str:
    models = counted(len(state.models), "model")
    if not state.last_days:
        return "No judgements were recorded yet: evenhand monitor record --help tells how."
    if state.checked is None:
        return f"{models} recorded. No check was made yet: evenhand monitor check tells what changed."
    alarms = "No alarm is" if not state.alarms else counted(len(state.alarms), "alarm is", "alarms are")
    return f"{alarms} open among {models}, as of the last check, up to {state.checked} (UTC)."


def _alarms(state: State, *, exact: bool) -> Section:
    parts = [
        Part(
            text=[alarm_text(each, values=exact)],
            link=f"/monitoring?{urlencode({'model': each.model})}",
            link_text=f"{each.model} over time",
        )
        for each in state.alarms
    ]
    return Section(name="alarms", heading="Open alarms", parts=parts)


def _numbers(day: ModelDay, *, exact: bool) -> dict[str, float | None]:
    if exact:
        return {"n": day.n, **day.measures}
    told = {name: value for name, value in day.measures.items() if name not in COUNTED or name in _UNSUPPRESSED}
    return {
        name: value if name not in COUNTED or day.known.get(name, 0) >= LEAST else None for name, value in told.items()
    }


def _table(days: list[ModelDay], rings: Mapping[str, int], *, exact: bool) -> Table:
    found = [(each, _numbers(each, exact=exact)) for each in days]
    shown = {name: told for name, told in _MEASURE_LABELS.items() if any(name in measures for _, measures in found)}
    columns = [Column(label="Model", numeric=False), *map(_column, ["Open alarms", "Last day", *shown.values()])]
    rows = [
        [each.model, str(rings[each.model]), each.day, *(_cell(name, measures.get(name)) for name in shown)]
        for each, measures in found
    ]
    return Table(caption="Each model on its last day (UTC)", columns=columns, rows=rows)


def _scores(scores: Sequence[DailySeries], table: Table) -> Figure:
    points = [
        LinePoint(
            at=float(day.astype("datetime64[s]").astype("int64")),
            value=float(value) if isfinite(value) else None,
            text=f"{each.model}, {day}: {value_text(each.measure, float(value))}",
            series=each.model,
            mark=False,
        )
        for each in scores
        for day, value in list(zip(each.days, each.moving_median(_WINDOW), strict=True))[::-_STEP][::-1]
    ]
    return Figure(
        title=f"Median score of {_WINDOW} days, over the last {_DAYS}",
        note="",
        chart=lambda width: line_chart(points, title="Median score", along="Day (UTC)", width=width, axis="time"),
        tables=[table],
    )


def _read_scores(store: Store, state: State, *, least: int) -> list[DailySeries]:
    """Return the median scores of late of the models that stand first, if they have any."""
    models = [each.model for each in _ordered(state) if "median_score" in each.measures][:_MOST_MODELS_PLOTTED]
    if not models:
        return []
    since = date.fromisoformat(max(each.day for each in state.last_days)) - timedelta(days=_DAYS)
    series = daily_series(store, models=models, measures=["median_score"], since=since)
    told = [each.without_small(least) for each in series if not each.slice]
    return [each for each in told if each.days.size]


def _ordered(state: State) -> list[ModelDay]:
    """Return the models, those with most alarms first."""
    rings = Counter(each.model for each in state.alarms)
    return sorted(state.last_days, key=lambda each: (-rings[each.model], each.model))


def _column(label: str) -> Column:
    return Column(label=label)


def _cell(name: str, value: float | None) -> str:
    return count_text(value) if name == "n" and value else value_text(name, value)


def _answered(asked: PageRequest) -> View:
    if asked.shown.store is None:
        return start_view(asked, "Overview")
    with asked.shown.opened() as store:
        state = state_of(store, last=True)
        scores = _read_scores(store, state, least=0 if asked.exact else LEAST)
    if not state.last_days:
        return start_view(asked, "Overview")
    view = overview(state, scores, exact=asked.exact)
    return replace(view, page=replace(view.page, deeds=company_forms(asked) if asked.shown.is_synthetic else ()))


ADDRESSES = (Address(path="/", title="Overview", answer=_answered),)
