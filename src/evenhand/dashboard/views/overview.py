"""Overview: the state of every model, open alarms first."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from math import isfinite
from typing import Final
from urllib.parse import urlencode

import polars as pl

from evenhand.dashboard.disclosure import FEWEST_OF_A_DAY, Counts
from evenhand.dashboard.request import Dashboards, PageRequest
from evenhand.dashboard.views.monitoring import as_published
from evenhand.dashboard.views.ratios import plain, ratio_notes
from evenhand.dashboard.views.view import Address, View, company_forms, start_view
from evenhand.dashboard.views.worst import (
    design_effects,
    differences,
    diversity_link,
    every_process,
    worst_section,
    worst_sentence,
)
from evenhand.errors import EvenhandError
from evenhand.monitoring.daily import COUNTED, DailySeries, daily_series
from evenhand.monitoring.state import ModelDay, State, state_of
from evenhand.monitoring.store import Store
from evenhand.monitoring.words import alarm_text, unwatched_text, value_text
from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.page.live import LivePage
from evenhand.report.page.parts import Column, Figure, Part, Section, Table
from evenhand.report.words.numbers import count_text, counted

#: Measures of COUNTED that reveal no count of people where they are of FEWEST_OF_A_DAY or more.
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


def overview(state: State, scores: Sequence[DailySeries], processes: Mapping[str, Counts], *, exact: bool) -> View:
    """Return the state of all models, and the worst differences between groups in the counts of any process.

    Numbers of judgements of a day, and rates that reveal them, only with `exact`. The median scores of some models are
    drawn.
    """
    rings = Counter(alarm.model for alarm in state.alarms)
    last = _ordered(state)
    found = differences(tuple(processes.items()))
    sections = [_alarms(state, processes, exact=exact)] if state.alarms else []
    worst = worst_section(found, processes)
    sections += [worst] if worst else []
    if last:
        table = _table(last, rings, exact=exact)
        part = Part(figures=[_scores(scores, table)]) if scores else Part(tables=[table])
        sections.append(Section(name="models", heading="Models", parts=[part]))
    frame = pl.DataFrame(
        [
            {"model": day.model, "open_alarms": rings[day.model], "day": day.day} | _numbers(day, exact=exact)
            for day in last
        ],
        infer_schema_length=None,
    )
    few = any(0 < n < FEWEST_OF_A_DAY for day in last for name, n in day.known.items() if name in _UNSUPPRESSED)
    notes = [f"Measures of fewer than {FEWEST_OF_A_DAY} judgements are left out."] if few and not exact else []
    if found:
        effects = {effect for counts in processes.values() for effect in design_effects(counts)}
        notes += ratio_notes([each.finding for each in found], list(processes.values()), effects=effects)
    page = LivePage(title="Overview", answer=_answer(state) + worst_sentence(found), sections=sections, notes=notes)
    return View(page=page, frame=frame, exact_link=True)


def _answer(state: State) -> str:
    models = counted(len(state.models), "model")
    if not state.last_days:
        return "No judgements were recorded yet: evenhand monitor record --help tells how."
    if state.checked is None:
        return f"{models} recorded. No check was made yet: evenhand monitor check tells what changed."
    alarms = "No alarm is" if not state.alarms else counted(len(state.alarms), "alarm is", "alarms are")
    unwatched = unwatched_text(state.models, state.watched)
    return f"{alarms} open among {models}, as of the last check, up to {state.checked} (UTC).{unwatched}"


def _alarms(state: State, processes: Mapping[str, Counts], *, exact: bool) -> Section:
    parts = []
    for alarm in state.alarms:
        counts = processes.get(alarm.model)
        shown = as_published(alarm, counts)
        link, link_text = f"/monitoring?{urlencode({'model': alarm.model})}", f"{alarm.model} over time"
        if shown.finding is not None and counts is not None:
            (attribute,) = shown.finding["focal"]
            stage = shown.slice.get("stage", "")
            by = next((name for name in shown.slice if name in counts.values), "")
            link = diversity_link(alarm.model, attribute, by=by, stage=stage if stage in counts.stages else "")
            link_text = f"{alarm.model} by {plain(by or attribute)}"
        parts.append(Part(text=[alarm_text(shown, values=exact)], link=link, link_text=link_text))
    return Section(name="alarms", heading="Open alarms", parts=parts)


def _numbers(day: ModelDay, *, exact: bool) -> dict[str, float | None]:
    if exact:
        return {"n": day.n, **day.measures}
    values = {name: value for name, value in day.measures.items() if name not in COUNTED or name in _UNSUPPRESSED}
    return {
        name: value if name not in COUNTED or day.known.get(name, 0) >= FEWEST_OF_A_DAY else None
        for name, value in values.items()
    }


def _table(days: list[ModelDay], rings: Mapping[str, int], *, exact: bool) -> Table:
    measured = [(day, _numbers(day, exact=exact)) for day in days]
    names = {name for _, measures in measured for name in measures}
    labels = {name: label for name, label in _MEASURE_LABELS.items() if name in names}
    columns = [Column(label="Model", numeric=False), *map(_column, ["Open alarms", "Last day", *labels.values()])]
    rows = [
        [day.model, str(rings[day.model]), day.day, *(_cell(name, measures.get(name)) for name in labels)]
        for day, measures in measured
    ]
    return Table(caption="Each model on its last day (UTC)", columns=columns, rows=rows)


def _scores(scores: Sequence[DailySeries], table: Table) -> Figure:
    points = [
        LinePoint(
            at=float(day.astype("datetime64[s]").astype("int64")),
            value=float(value) if isfinite(value) else None,
            text=f"{daily.model}, {day}: {value_text(daily.measure, float(value))}",
            series=daily.model,
            mark=False,
        )
        for daily in scores
        for day, value in list(zip(daily.days, daily.moving_median(_WINDOW), strict=True))[::-_STEP][::-1]
    ]
    return Figure(
        title=f"Median score of {_WINDOW} days, over the last {_DAYS}",
        note="",
        chart=lambda width: line_chart(points, title="Median score", along="Day (UTC)", width=width, axis="time"),
        tables=[table],
    )


def _read_scores(store: Store, state: State, *, least: int) -> list[DailySeries]:
    """Return the recent median scores of the models listed first, where there are any."""
    models = [day.model for day in _ordered(state) if "median_score" in day.measures][:_MOST_MODELS_PLOTTED]
    if not models:
        return []
    since = date.fromisoformat(max(day.day for day in state.last_days)) - timedelta(days=_DAYS)
    series = daily_series(store, models=models, measures=["median_score"], since=since)
    unsliced = [daily.without_small(least) for daily in series if not daily.slice]
    return [daily for daily in unsliced if daily.days.size]


def _ordered(state: State) -> list[ModelDay]:
    """Return the models, those with most alarms first."""
    rings = Counter(alarm.model for alarm in state.alarms)
    return sorted(state.last_days, key=lambda day: (-rings[day.model], day.model))


def _column(label: str) -> Column:
    return Column(label=label)


def _cell(name: str, value: float | None) -> str:
    return count_text(value) if name == "n" and value else value_text(name, value)


def prepare(shown: Dashboards) -> None:
    """Compare the groups of all processes before somebody asks; what is wrong with the store is told then."""
    with suppress(EvenhandError), shown.opened() as store:
        differences(tuple(every_process(shown, store, published=True).items()))


def _requested_view(request: PageRequest) -> View:
    if request.shown.store is None:
        return start_view(request, "Overview")
    with request.shown.opened() as store:
        state = state_of(store, last=True)
        scores = _read_scores(store, state, least=0 if request.exact else FEWEST_OF_A_DAY)
        processes = every_process(request.shown, store, published=not request.exact)
    if not state.last_days:
        return start_view(request, "Overview")
    view = overview(state, scores, processes, exact=request.exact)
    return replace(view, page=replace(view.page, forms=company_forms(request) if request.shown.is_synthetic else ()))


ADDRESSES = (Address(path="/", title="Overview", answer=_requested_view),)
