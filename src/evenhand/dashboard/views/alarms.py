"""Alarms: the page of each one, with a chart, what to do, and forms to acknowledge, assign and mute it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Final

import numpy as np
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from evenhand.dashboard.access import Visitor
from evenhand.dashboard.disclosure import FEWEST_OF_A_DAY, MONTH, OTHER, Counts
from evenhand.dashboard.request import PageRequest, link_to
from evenhand.dashboard.views import ratios
from evenhand.dashboard.views.monitoring import MEASURES, alarm_link, as_published, measure_figure
from evenhand.dashboard.views.over_time import lines_over_time, over_time
from evenhand.dashboard.views.view import Address, View
from evenhand.dashboard.views.worst import diversity_link, first_place
from evenhand.errors import InputError
from evenhand.monitoring.alarms import LONGEST_MUTE, Alarm, acknowledge, alarm_of, assign, mute
from evenhand.monitoring.daily import DailySeries, daily_series
from evenhand.monitoring.rules import IMPACT, SELECTION
from evenhand.monitoring.state import decided_models
from evenhand.monitoring.store import Store, Writing
from evenhand.monitoring.words import (
    action_text,
    advice,
    alarm_name,
    alarm_text,
    handling_text,
    slice_text,
    value_text,
)
from evenhand.report.charts.lines import MarkedSpan
from evenhand.report.page.live import ActionForm, Field, LivePage
from evenhand.report.page.parts import Part, Section, Table, table
from evenhand.report.words.numbers import ABSENT
from evenhand.results.messages import quoted

_LONGEST_NOTE: Final = 500
#: Days of a chart before the change began and after the alarm rang, at least.
_BEFORE, _AFTER = 60, 30
_HIDDEN: Final = "only with exact numbers"
_NOT_DRAWN: Final = "Daily values would reveal counts of few people; only exact numbers show them."


@dataclass(frozen=True, kw_only=True)
class _Measured:
    """What is known of an alarm's series: days of it, where these may be shown, and the counts of its process."""

    series: DailySeries | None
    counts: Counts | None


def _requested_view(request: PageRequest) -> View:
    number = request.parts["number"]
    with request.shown.opened() as store:
        try:
            alarm = alarm_of(store, number)
        except InputError as error:
            raise HTTPException(404, str(error)) from error
        counts = None
        if alarm.model in decided_models(store):
            counts = request.shown.processes.within(store, alarm.model, published=not request.exact)
        measured = _Measured(series=_series(store, alarm, exact=request.exact), counts=counts)
        today = store.clock().date()
    return _view(as_published(alarm, counts), measured, request, today=today)


def _series(store: Store, alarm: Alarm, *, exact: bool) -> DailySeries | None:
    """Return the days around an alarm; without exact numbers only of what Monitoring shows as it is."""
    if not exact and (alarm.slice or alarm.measure not in MEASURES):
        return None
    since = (alarm.since or alarm.day) - timedelta(days=_BEFORE + 7)
    until = alarm.day + max(timedelta(days=_AFTER), alarm.day - (alarm.since or alarm.day))
    found = daily_series(store, models=[alarm.model], measures=[alarm.measure], since=since, until=until)
    least = 0 if exact else FEWEST_OF_A_DAY
    of = (daily.without_small(least) for daily in found if daily.slice == alarm.slice)
    return next((daily for daily in of if daily.days.size), None)


def _view(alarm: Alarm, measured: _Measured, request: PageRequest, *, today: date) -> View:
    exact, filters = request.exact, request.filters
    values = exact or _is_shown(alarm, measured.series)
    lead, link = _deeper(alarm, measured.counts, filters)
    facts = _facts(alarm, today=today, values=values)
    sections = [
        *_beside(_chart(alarm, measured, filters), facts),
        Section(name="todo", heading="What to do", text=[advice(alarm)], parts=[Part(link=link, link_text=lead)]),
        _done(alarm),
    ]
    page = LivePage(
        title=f"Alarm {alarm.id}",
        answer=alarm_text(alarm, values=values),
        sections=sections,
        forms=_forms(alarm, request.visitor, filters, today=today),
    )
    return View(page=page, exact_link=True)


def _is_shown(alarm: Alarm, series: DailySeries | None) -> bool:
    """Return whether the value is one of a day that Monitoring shows to everybody."""
    return series is not None and bool((series.days == np.datetime64(alarm.day, "D")).any())


def _beside(sections: Sequence[Section], facts: Table) -> list[Section]:
    """Return sections with the facts on the right of the first chart, whose own tables are folded."""
    first, *others = sections
    figures = [figure for part in first.parts for figure in part.figures]
    if not figures:
        return [replace(first, parts=[*first.parts, Part(tables=[facts])]), *others]
    tables = [facts, *(replace(of, folded=True, caption=of.caption or figures[0].title) for of in figures[0].tables)]
    return [replace(first, parts=[Part(figures=[replace(figures[0], tables=tables), *figures[1:]])]), *others]


def _facts(alarm: Alarm, *, today: date, values: bool) -> Table:
    direction = ABSENT
    if alarm.value is not None and alarm.threshold is not None:
        direction = "above the limit" if alarm.value > alarm.threshold else "below the limit"
    rows = {
        "Measure": alarm_name(alarm),
        "Scope": slice_text(alarm.slice).removeprefix(" of ").strip() or "all judgements",
        "Process or model": alarm.model,
        "Value": value_text(alarm.measure, alarm.value) if values else _HIDDEN,
        "Limit": value_text(alarm.measure, alarm.threshold) if values or alarm.finding is not None else _HIDDEN,
        "Direction": direction,
        "Changed about": str(alarm.since or alarm.day) if alarm.finding is None else "no change: a standing disparity",
        "Fired on": str(alarm.day),
        "Rule": alarm.rule,
        "Severity": alarm.severity,
        "State": handling_text(alarm, today),
    }
    return table("Alarm and state", ["What", "This alarm"], [[*row] for row in rows.items()])


def _done(alarm: Alarm) -> Section:
    text = [action_text(action) for action in alarm.actions]
    if not text and alarm.acknowledged_by:
        text = [f"Acknowledged by {alarm.acknowledged_by}{f': {alarm.note}' if alarm.note else ''}"]
    return Section(name="done", heading="Actions taken", text=text or ["None yet."])


def _chart(alarm: Alarm, measured: _Measured, filters: Mapping[str, str]) -> list[Section]:
    """Return the chart: of days where these are shown, else of the counts that every page shows."""
    begin = alarm.since or alarm.day
    name = "change to alarm" if begin < alarm.day else "alarm"
    span = MarkedSpan(low=_seconds(begin), high=_seconds(alarm.day), text=name)
    if measured.series is not None:
        first = begin - timedelta(days=_BEFORE)
        figure = measure_figure(measured.series, [alarm], filters, first=first, step=1, days=1, spans=[span])
        return [Section(name="chart", heading="The days around it", parts=[Part(figures=[figure])])]
    lines = _lines(alarm, measured.counts, span) if measured.counts is not None else []
    return lines or [Section(name="chart", heading="The days around it", text=[_NOT_DRAWN])]


def _lines(alarm: Alarm, counts: Counts, span: MarkedSpan) -> list[Section]:
    """Return rates and ratios of the alarm's place over time, "" where it may not be named."""
    if alarm.measure not in {SELECTION, IMPACT, "impact_ratio"} or OTHER in alarm.slice.values():
        return []
    crossed, by, stage = _place(alarm, counts)
    series = over_time(counts, crossed, by=by, value=alarm.slice.get(by, ""))
    if not crossed and not by and "stage" not in alarm.slice:
        series = replace(series, cells=[replace(cell, groups=(cell.stage or "all",)) for cell in series.cells])
    else:
        series = series.at(stage)
    reference = ""
    if crossed:
        named = (alarm.finding or {}).get("reference") or {}
        reference = named.get(crossed[0]) or ratios.fixed_reference(series.cells)
        both = {alarm.slice[crossed[0]], reference}
        series = replace(series, cells=[cell for cell in series.cells if cell.groups[0] in both])
    if not series.cells:
        return []
    lines = lines_over_time(series, counts, crossed, by=by or MONTH, reference=reference, spans=[span])
    of = f"{alarm.model}{f', at {stage}' if stage and crossed else ''}"
    place = f", {ratios.plain(by)} {alarm.slice[by]}" if by else ""
    ordered = sorted(lines.sections, key=lambda section: section.name != ("passed" if crossed else "rates"))
    return [replace(section, heading=f"{section.heading}: {of}{place}") for section in ordered]


def _place(alarm: Alarm, counts: Counts) -> tuple[list[str], str, str]:
    """Return the attribute of an alarm's group, the breakdown of its place, and its stage, by default the first."""
    stages = list(counts.stages_at())
    stage = alarm.slice.get("stage", "")
    return (
        [name for name in alarm.slice if name in counts.groups][:1],
        next((name for name in alarm.slice if name in counts.values and name), ""),
        stage if stage in stages else next(iter(stages), ""),
    )


def _deeper(alarm: Alarm, counts: Counts | None, filters: Mapping[str, str]) -> tuple[str, str]:
    """Return the words and the address of the page that goes on from an alarm."""
    if counts is None or alarm.measure not in {SELECTION, IMPACT, "impact_ratio"}:
        return f"{alarm.model} over time", link_to("/monitoring", filters, {"model": alarm.model})
    crossed, by, stage = _place(alarm, counts)
    attribute = crossed[0] if crossed else next(iter(counts.groups), "")
    by = by or ("" if alarm.finding is not None else first_place(counts))
    return f"{alarm.model} by {ratios.plain(by or attribute)}", diversity_link(
        alarm.model, attribute, by=by, stage=stage
    )


def _seconds(day: date) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def _forms(alarm: Alarm, visitor: Visitor, filters: Mapping[str, str], *, today: date) -> list[ActionForm]:
    """Return what a visitor may do about an alarm that is not over."""
    if alarm.state == "resolved":
        return []
    here = alarm_link(alarm, {})

    def form(name: str, heading: str, fields: Sequence[Field], note: str = "") -> ActionForm:
        path = f"{here}/{name}" if name else here
        return ActionForm(action=link_to(path, filters), heading=heading, button=heading, fields=fields, note=note)

    forms = []
    if visitor.may("labeller"):
        if alarm.state != "acknowledged":
            forms.append(form("", "Acknowledge", [Field(name="note", label="What you found, or what is being done")]))
        whom = [
            Field(name="to", label="Person or role"),
            Field(name="note", label="Task", required=False),
        ]
        forms.append(form("assign", "Assign", whom))
    if visitor.may("supervisor"):
        until = (today + timedelta(days=30)).isoformat()
        why = [Field(name="until", label="Until (UTC)", kind="date", value=until), Field(name="note", label="Reason")]
        note = (
            f"Until then, at most {LONGEST_MUTE} days, the alarm does not count as one to review; a gate still fails "
            "on it."
        )
        forms.append(form("mute", "Mute", why, note))
    return forms


def _acted(request: PageRequest, act: Callable[[Writing], Alarm]) -> Response:
    """Do something about an alarm, and return to its page."""
    with request.shown.opened() as store, store.writing() as writing:
        alarm = act(writing)
    return RedirectResponse(alarm_link(alarm, request.filters), 303)


def _text(request: PageRequest, name: str, problem: str = "") -> str:
    """Return a text that was typed on one line; raise HTTPException with the problem where it is blank."""
    typed = " ".join(request.form.get(name, "").split())[:_LONGEST_NOTE]
    if not typed and problem:
        raise HTTPException(400, f"{problem}; go back and write one.")
    return typed


def _acknowledge(request: PageRequest) -> Response:
    note, by = _text(request, "note", "A note says what you found, or what is being done"), request.visitor.name
    return _acted(request, lambda writing: acknowledge(writing, request.parts["number"], by=by, note=note))


def _assign(request: PageRequest) -> Response:
    to, note, by = _text(request, "to", "An alarm is assigned to a name"), _text(request, "note"), request.visitor.name
    return _acted(request, lambda writing: assign(writing, request.parts["number"], by=by, to=to, note=note))


def _mute(request: PageRequest) -> Response:
    reason, typed = _text(request, "note", "An alarm is muted for a reason"), request.form.get("until", "")
    try:
        until = date.fromisoformat(typed)
    except ValueError as error:
        raise HTTPException(400, f"{quoted(typed)} is not a day; write it as 2026-03-31.") from error
    by = request.visitor.name
    return _acted(request, lambda writing: mute(writing, request.parts["number"], by=by, reason=reason, until=until))


_ALARM: Final = "/monitoring/alarms/{number:int}"
ADDRESSES = (
    Address(path=_ALARM, answer=_requested_view),
    Address(path=_ALARM, answer=_acknowledge, method="POST", role="labeller"),
    Address(path=f"{_ALARM}/assign", answer=_assign, method="POST", role="labeller"),
    Address(path=f"{_ALARM}/mute", answer=_mute, method="POST", role="supervisor"),
)
