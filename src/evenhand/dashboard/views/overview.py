"""Overview: the state of every model, open alarms first."""

import polars as pl

from evenhand.dashboard.asked import Asked
from evenhand.dashboard.views.view import Address, View
from evenhand.monitoring.state import ModelDay, State, state_of
from evenhand.report.page.live import LivePage
from evenhand.report.page.parts import Column, Part, Section, Table
from evenhand.report.words.alarms import alarm_text, value_text
from evenhand.report.words.numbers import count_text, counted

__all__ = ["ADDRESSES", "overview"]

#: Measures that counts of people could be computed from, of few judgements.
_TELLING = frozenset({"selection_rate", "agreement", "log_impact_ratio"})
_SHOWN = {
    "n": "n",
    "median_score": "Median score",
    "selection_rate": "Selection rate",
    "agreement": "Agreement",
    "undetected_rate": "Unreadable",
    "error_rate": "Errors",
    "latency_p95": "Seconds, 95 %",
}


def overview(state: State, *, exact: bool) -> View:
    """Return the state of all models; numbers of people, and rates that tell them, only where they are `exact`."""
    last = state.last_days
    sections = [_alarms(state, exact=exact)] if state.alarms else []
    if last:
        sections.append(Section(name="models", heading="Models", parts=[Part(tables=[_table(last, exact=exact)])]))
    frame = pl.DataFrame(
        [{"model": each.model, "day": each.day} | _numbers(each, exact=exact) for each in last],
        infer_schema_length=None,
    )
    return View(page=LivePage(title="Overview", answer=_answer(state), sections=sections), frame=frame, exact_link=True)


def _answer(state: State) -> str:
    models = counted(len(state.models), "model")
    if not state.last_days:
        return "No judgements were recorded yet: evenhand monitor record --help tells how."
    if state.checked is None:
        return f"{models} recorded. No check was made yet: evenhand monitor check tells what changed."
    alarms = "No alarm is" if not state.alarms else counted(len(state.alarms), "alarm is", "alarms are")
    return f"{alarms} open among {models}, as of the last check, up to {state.checked} (UTC)."


def _alarms(state: State, *, exact: bool) -> Section:
    return Section(name="alarms", heading="Open alarms", text=[alarm_text(each, values=exact) for each in state.alarms])


def _numbers(day: ModelDay, *, exact: bool) -> dict[str, float | None]:
    measures = {name: value for name, value in day.measures.items() if exact or name not in _TELLING}
    return ({"n": day.n} if exact else {}) | measures


def _table(days: list[ModelDay], *, exact: bool) -> Table:
    found = [(each, _numbers(each, exact=exact)) for each in days]
    shown = {name: told for name, told in _SHOWN.items() if any(name in measures for _, measures in found)}
    columns = [Column(label="Model", numeric=False), *map(_column, ["Last day", *shown.values()])]
    rows = [[each.model, each.day, *(_cell(name, measures.get(name)) for name in shown)] for each, measures in found]
    return Table(caption="Each model on its last day (UTC)", columns=columns, rows=rows)


def _column(label: str) -> Column:
    return Column(label=label)


def _cell(name: str, value: float | None) -> str:
    return count_text(value) if name == "n" and value else value_text(name, value)


def _answered(asked: Asked) -> View:
    with asked.shown.opened() as store:
        state = state_of(store)
    return overview(state, exact=asked.exact)


ADDRESSES = (Address(path="/", title="Overview", answer=_answered),)
