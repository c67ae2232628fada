"""Overview: the state of every model, open alarms first."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import lru_cache
from math import isfinite
from typing import Final

import polars as pl
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from evenhand.dashboard.disclosure import FEWEST_OF_A_DAY, MONTH, Cell, Counts
from evenhand.dashboard.request import Dashboards, PageRequest, link_to
from evenhand.dashboard.views.monitoring import alarm_link, alarms_table, as_published
from evenhand.dashboard.views.over_time import over_time
from evenhand.dashboard.views.ratios import SHARE, people_text, ratio_notes
from evenhand.dashboard.views.view import Address, View, check_months, company_forms, months_of, same, start_view
from evenhand.dashboard.views.worst import (
    Difference,
    design_effects,
    differences,
    diversity_link,
    every_process,
    worst_section,
    worst_sentence,
)
from evenhand.errors import EvenhandError
from evenhand.monitoring.alarms import Alarm
from evenhand.monitoring.daily import COUNTED, DailySeries, daily_series
from evenhand.monitoring.state import Gap, ModelDay, State, gaps, state_of
from evenhand.monitoring.store import Store, opened_store
from evenhand.monitoring.words import LAST_DAY, gap_text, unwatched_text, value_text
from evenhand.report.charts.lines import LinePoint, line_chart
from evenhand.report.impact.views import SHORT, reference_name, short_ratio
from evenhand.report.page.live import Choice, LivePage, Tile
from evenhand.report.page.parts import Figure, Part, Section, Table, headings
from evenhand.report.page.parts import State as Mark
from evenhand.report.words.numbers import ABSENT, count_text, counted

#: Measures of COUNTED that reveal no count of people where they are of FEWEST_OF_A_DAY or more.
_UNSUPPRESSED: Final = frozenset({"median_score", "undetected_rate", "error_rate", "latency_p50", "latency_p95"})
#: Models whose scores are drawn; days that are, how far points are apart, and whose median each is.
_MOST_MODELS_PLOTTED: Final = 5
_DAYS: Final = 90
_STEP: Final = 3
_WINDOW: Final = 7


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What Overview shows: the state of the store, recent scores, processes in the months chosen, days without data.

    `model` and `attribute` narrow what is shown, "" is all; `filters` are those of the address.
    """

    state: State
    scores: Sequence[DailySeries]
    processes: Mapping[str, Counts]
    gaps: Sequence[Gap] = ()
    model: str = ""
    attribute: str = ""
    filters: Mapping[str, str] = field(default_factory=dict)
    exact: bool = False

    def has(self, model: str) -> bool:
        """Return whether a model is shown."""
        return self.model in {"", model}


def overview(shown: Shown) -> View:
    """Return the state of all models, and the worst differences between groups in the counts of any process.

    Numbers of judgements of a day, and rates that reveal them, only with `exact`. The median scores of some models are
    drawn.
    """
    state, processes, exact = shown.state, shown.processes, shown.exact
    rings = Counter(alarm.model for alarm in state.alarms)
    last = [day for day in _ordered(state) if shown.has(day.model)]
    found = [
        each
        for each in differences(tuple(processes.items()))
        if shown.has(each.model) and shown.attribute in {"", each.attribute}
    ]
    alarms = [alarm for alarm in state.alarms if shown.has(alarm.model)]
    sections = [worst_section(found, processes), _alarms(alarms, shown), _gaps(shown)]
    if last:
        table = replace(
            _table(last, rings, exact=exact),
            links=[link_to("/monitoring", shown.filters, {"model": day.model}) for day in last],
        )
        scores = [daily for daily in shown.scores if shown.has(daily.model)]
        part = Part(figures=[_scores(scores, table, shown)]) if scores else Part(tables=[table])
        sections.append(Section(name="models", heading="Models", parts=[part]))
    frame = pl.DataFrame(
        [
            {"model": day.model, "open_alarms": rings[day.model], "day": day.day} | _numbers(day, exact=exact)
            for day in last
        ],
        infer_schema_length=None,
    )
    few = any(0 < n < FEWEST_OF_A_DAY for day in last for name, n in day.known.items() if name in _UNSUPPRESSED)
    notes = [f"Measures of fewer than {FEWEST_OF_A_DAY} judgements are not shown."] if few and not exact else []
    if found:
        effects = {effect for counts in processes.values() for effect in design_effects(counts)}
        notes += ratio_notes([each.finding for each in found], list(processes.values()), effects=effects)
    worst = worst_sentence(found)
    page = LivePage(
        title="Overview",
        answer=f"{_answer(state, alarms)}{f'; {worst}' if worst else ''}.",
        further=_further(state),
        tiles=_tiles(found, alarms, shown),
        sections=[section for section in sections if section is not None],
        choices=_choices(shown),
        notes=notes,
    )
    return View(page=page, frame=frame, exact_link=True)


def _answer(state: State, alarms: Sequence[Alarm]) -> str:
    if not state.last_days:
        return "No judgements are recorded yet: see evenhand monitor record --help"
    models = counted(len(state.models), "model")
    if state.checked is None:
        return f"{models} recorded and not checked yet: run evenhand monitor check"
    text = "No alarm is" if not alarms else counted(len(alarms), "alarm is", "alarms are")
    return f"{text} open among {models}"


def _further(state: State) -> list[str]:
    """Return what the last check did not watch, nothing where it watched all or there is nothing yet."""
    unwatched = unwatched_text(state.models, state.watched) if state.checked is not None and state.last_days else ""
    return [unwatched.strip()] if unwatched else []


def _choices(shown: Shown) -> list[Choice]:
    """Return the selects of the process, its groups and the months."""
    models = {"": "all"} | same(shown.state.models)
    attributes = {name: name for counts in shown.processes.values() for name in counts.groups}
    choices = [
        Choice(name="model", label="Process or model", options=models, chosen=shown.model),
        Choice(name="attribute", label="Groups", options={"": "all"} | attributes, chosen=shown.attribute),
    ]
    months = sorted({month for counts in shown.processes.values() for month in counts.months})
    for name, label, first in (("from", "From", "the first"), ("to", "To", "the last")):
        options = {"": first} | same(months)
        choices.append(Choice(name=name, label=label, options=options, chosen=shown.filters.get(name, "")[:7]))
    return [choice for choice in choices if len(choice.options) > 2]


#: Models whose days without data are listed.
_MOST_GAPS: Final = 5
#: Processes with tiles, those with the worst differences first.
_MOST_TILES: Final = 3
_DIFFERENCE, _NOT_DETECTED = ("difference", "◆"), ("undetected", "◇")
_UNJUDGED: Final = ("unjudged", "○")


def _mark(kind: tuple[str, str], text: str) -> Mark:
    return Mark(kind=kind[0], sign=kind[1], text=text)


def _tiles(found: Sequence[Difference], alarms: Sequence[Alarm], shown: Shown) -> list[Tile]:
    """Return the open alarms, and rate and impact ratio of the processes with the worst differences."""
    ordered = dict.fromkeys([*(each.model for each in found), *shown.processes])
    processes = {model: shown.processes.get(model) for model in ordered if shown.has(model)}
    published = [(model, counts) for model, counts in processes.items() if counts is not None and counts.stages]
    tiles = [_alarms_tile(alarms, shown)]
    for model, counts in published[:_MOST_TILES]:
        whole = [each for each in found if each.model == model and not each.by and each.sizeable]
        stage = whole[0].finding.slice["stage"] if whole else next(iter(counts.stages_at()), "")
        tiles.append(_rate_tile(counts, model, stage, shown))
        places = [each for each in found if each.model == model and each.finding.is_difference and each.sizeable]
        tiles.append(_ratio_tile(counts, model, next(iter(whole), None), next(iter(places), None)))
    return tiles


def _alarms_tile(alarms: Sequence[Alarm], shown: Shown) -> Tile:
    today = shown.state.today
    quiet = [alarm for alarm in alarms if alarm.state == "acknowledged" or alarm.muted(today)]
    if shown.state.checked is None:
        state = _mark(_UNJUDGED, "Not checked yet")
    elif len(quiet) < len(alarms):
        state = _mark(_DIFFERENCE, f"{count_text(len(alarms) - len(quiet))} to review")
    else:
        state = _mark(_NOT_DETECTED, "None to review")
    severe = Counter(alarm.severity for alarm in alarms)
    note = ", ".join(f"{n} {severity}" for severity, n in severe.most_common())
    muted = sum(alarm.muted(today) for alarm in alarms)
    note += f"; {muted} muted" if muted else ""
    checked = f"checked up to {shown.state.checked}" if shown.state.checked is not None else ""
    return Tile(
        label="Open alarms",
        value=count_text(len(alarms)) if alarms else "0",
        note="; ".join(filter(None, [note, checked])),
        state=state,
        link="#alarms",
    )


def _at(stage: str) -> str:
    return f" at {stage}" if stage else ""


def _rate_tile(counts: Counts, model: str, stage: str, shown: Shown) -> Tile:
    """Return the selection rate at a stage; its state is whether an alarm says that it changed."""
    (cell,) = (each for each in counts.cells() if each.stage == stage)
    months = [each for each in _by_month(counts, ()) if each.stage == stage]
    ringing = [
        alarm
        for alarm in shown.state.alarms
        if (alarm.model, alarm.measure) == (model, "selection_rate") and not {*alarm.slice.values()} - {stage}
    ]
    if ringing:
        state = _mark(_DIFFERENCE, f"Changed about {ringing[0].since or ringing[0].day}")
    elif shown.state.checked is None or model not in (shown.state.watched or ()):
        state = _mark(_UNJUDGED, "Changes are not watched")
    else:
        state = _mark(_NOT_DETECTED, "No change detected")
    return Tile(
        label=f"{model}: selection rate",
        value="few people" if cell.withheld else SHARE.text(cell.rate),
        note=f"of {people_text(cell)}{_at(stage)}",
        state=state,
        trend=[each.rate if each.comparable else None for each in months],
        trend_text=_trend([each for each in months if each.comparable]),
        link=alarm_link(ringing[0], shown.filters)
        if ringing
        else diversity_link(model, next(iter(counts.groups), ""), by=MONTH, stage=stage, months=months_of(counts)),
    )


@lru_cache(maxsize=64)
def _by_month(counts: Counts, crossed: tuple[str, ...]) -> Sequence[Cell]:
    """Return the cells of each month, which a process keeps until another one has ended."""
    return over_time(counts, crossed).cells


def _trend(cells: Sequence[Cell]) -> str:
    if not cells:
        return ""
    first, last = cells[0], cells[-1]
    return f"From {SHARE.text(first.rate)} in {first.value} to {SHARE.text(last.rate)} in {last.value}"


def _ratio_tile(counts: Counts, model: str, worst: Difference | None, place: Difference | None) -> Tile:
    """Return the worst impact ratio of a process as a whole; its state is its verdict, or that of the worst place."""
    label = f"{model}: impact ratio"
    if worst is None:
        attribute = next(iter(counts.groups), "")
        link = diversity_link(model, attribute, by="", stage="", months=months_of(counts))
        note = "No two groups have 30 people and 2 % of all."
        return Tile(label=label, value=ABSENT, note=note, state=_mark(_UNJUDGED, "Not judged"), link=link)
    finding = worst.finding
    stage, focal, reference = finding.slice["stage"], tuple(finding.focal.values()), tuple(finding.reference.values())
    monthly = [each for each in _by_month(counts, (worst.attribute,)) if each.stage == stage]
    at = {(each.value, each.groups): each for each in monthly}
    months = list(dict.fromkeys(value for value, _ in at))
    trend = [_ratio(at[month, focal], at[month, reference]) for month in months]
    known = [(month, ratio) for month, ratio in zip(months, trend, strict=True) if ratio is not None]
    ends = [f"{SHORT.number(ratio)} in {month}" for month, ratio in known[:1] + known[-1:]]
    link = diversity_link(model, worst.attribute, by=MONTH, stage=stage, months=months_of(counts))
    if finding.is_difference:
        state = _mark(_DIFFERENCE, "Difference found")
    elif place is not None:
        state, link = _mark(_DIFFERENCE, "Differences in parts, not overall"), place.link(months_of(counts))
    else:
        state = _mark(_NOT_DETECTED, "No difference detected")
    return Tile(
        label=label,
        value=short_ratio(finding).partition(" ")[0],
        note=f"{reference_name(finding.focal)} compared with {reference_name(finding.reference)}{_at(stage)}",
        state=state,
        trend=trend,
        trend_text=f"From {' to '.join(ends)}" if ends else "",
        link=link,
    )


def _ratio(focal: Cell, reference: Cell) -> float | None:
    """Return the ratio of two rates that are shown."""
    if not focal.comparable or not reference.comparable or not focal.rate or not reference.rate:
        return None
    return focal.rate / reference.rate


def _alarms(alarms: Sequence[Alarm], shown: Shown) -> Section | None:
    if not alarms:
        return None
    return Section(
        name="alarms",
        heading="Open alarms",
        parts=[Part(tables=[alarms_table(alarms, shown.filters, today=shown.state.today, values=shown.exact)])],
    )


def _gaps(shown: Shown) -> Section | None:
    of = [gap for gap in shown.gaps if shown.has(gap.model)]
    if not of:
        return None
    text = [gap_text(gap, least=1 if shown.exact else FEWEST_OF_A_DAY) for gap in of[:_MOST_GAPS]]
    more = [f"{counted(len(of) - _MOST_GAPS, 'more model has', 'more models have')} shorter gaps."]
    return Section(name="gaps", heading="Days without data", text=text + (more if len(of) > _MOST_GAPS else []))


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
    labels = {name: label for name, label in {"n": "n", **LAST_DAY}.items() if name in names}
    columns = headings("Model", "Open alarms", "Last day", *labels.values())
    rows = [
        [day.model, str(rings[day.model]), day.day, *(_cell(name, measures.get(name)) for name in labels)]
        for day, measures in measured
    ]
    return Table(caption="Each model on its last day (UTC)", columns=columns, rows=rows)


def _scores(scores: Sequence[DailySeries], table: Table, shown: Shown) -> Figure:
    points = [
        LinePoint(
            at=float(day.astype("datetime64[s]").astype("int64")),
            value=float(value) if isfinite(value) else None,
            text=f"{daily.model}, {day}: {value_text(daily.measure, float(value))}",
            series=daily.model,
            mark=False,
            link=link_to("/monitoring", shown.filters, {"model": daily.model}),
        )
        for daily in scores
        for day, value in list(zip(daily.days, daily.moving_median(_WINDOW), strict=True))[::-_STEP][::-1]
    ]
    return Figure(
        title=f"Median score over {_WINDOW} days, last {_DAYS} days",
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


def _cell(name: str, value: float | None) -> str:
    return count_text(value) if name == "n" and value else value_text(name, value)


def prepare(shown: Dashboards) -> None:
    """Compare the groups of all processes before somebody asks; what is wrong with the store is told then."""
    with suppress(EvenhandError), shown.opened() as store:
        differences(tuple(every_process(shown, store, published=True).items()))


def _requested_view(request: PageRequest) -> View | Response:
    if request.shown.only_analyses and request.visitor.may("admin"):
        return RedirectResponse("/analyses", 303)
    if request.shown.store is None:
        return start_view(request, "Overview")
    with request.shown.opened() as store:
        state = state_of(store, last=True)
        least = 0 if request.exact else FEWEST_OF_A_DAY
        scores = _read_scores(store, state, least=least)
        every = every_process(request.shown, store, published=not request.exact)
    if not state.last_days:
        return start_view(request, "Overview")
    until = state.checked or max(date.fromisoformat(day.day) for day in state.last_days)
    # By all months: a process without any of those chosen has alarms too.
    state = replace(state, alarms=[as_published(alarm, every.get(alarm.model)) for alarm in state.alarms])
    processes = {model: counts for model, of in every.items() if (counts := _within(of, request.filters)) is not None}
    if every and not processes:
        months = " to ".join(request.filters.get(name, "") or "…" for name in ("from", "to"))
        raise HTTPException(400, f"No process has decisions from {months}.")
    attributes = {name for counts in processes.values() for name in counts.groups}
    model, attribute = (request.filters.get(name, "") for name in ("model", "attribute"))
    shown = Shown(
        state=state,
        scores=scores,
        processes=processes,
        gaps=_gaps_of(request.shown.store, state.log.digest, until, max(least, 1)),
        model=model if model in state.models else "",
        attribute=attribute if attribute in attributes else "",
        filters=request.filters,
        exact=request.exact,
    )
    view = overview(shown)
    return replace(view, page=replace(view.page, forms=company_forms(request) if request.shown.is_synthetic else ()))


@lru_cache(maxsize=256)
def _chosen(counts: Counts, first: str, last: str) -> Counts:
    """Return counts of some months, the same object each time, so that they are compared once."""
    return replace(counts, first=first, last=last)


def _within(counts: Counts, filters: Mapping[str, str]) -> Counts | None:
    """Return the counts in the months of an address; None where none of these has any."""
    months = counts.months
    if not months:
        return counts
    first = max(filters.get("from", "")[:7], months[0])
    last = min(filters.get("to", "")[:7] or months[-1], months[-1])
    check_months(first, last)
    return _chosen(counts, first, last) if first <= last else None


@lru_cache(maxsize=16)
def _gaps_of(place: str, version: str, until: date, least: int) -> list[Gap]:  # noqa: ARG001 - the store has changed
    with opened_store(place) as store:
        return gaps(store, until=until, days=_DAYS, least=least)


ADDRESSES = (Address(path="/", title="Overview", answer=_requested_view),)
