"""`evenhand monitor status`: the state of each model."""

import orjson

from evenhand.commands.terminal import Screen
from evenhand.errors import InputError
from evenhand.monitoring.exposition import metrics_text
from evenhand.monitoring.history.store import opened_store
from evenhand.monitoring.state import ModelDay, State, state_of
from evenhand.report.page.parts import Column, Table
from evenhand.report.words.alarms import alarm_text
from evenhand.report.words.golden import twins_text
from evenhand.report.words.numbers import ABSENT, Scale, count_text, counted
from evenhand.runs.options.monitoring.monitor import StatusOptions, StoreOptions
from evenhand.runs.progress import Notices
from evenhand.tables.messages.quoting import shortened

__all__ = ["found_state", "status", "status_text"]

_NUMBER, _SHARE = Scale(decimals=4), Scale(factor=100, suffix=" %", decimals=1)
#: The measures on the screen; --json has all of them.
_SHOWN = {
    "median_score": ("Median score", _NUMBER),
    "selection_rate": ("Selection rate", _SHARE),
    "agreement": ("Agreement", _SHARE),
    "undetected_rate": ("Unreadable", _SHARE),
    "masking_recall": ("Masking recall", _SHARE),
    "golden_accuracy": ("Golden accuracy", _SHARE),
    "labeller_agreement": ("Labels agree", _SHARE),
    "latency_p95": ("Seconds, 95 %", Scale(decimals=2)),
}


def status(options: StatusOptions, *, json: bool, notice: Notices) -> str:
    """Return the state of the store as text, as JSON, or as metrics of Prometheus.

    Raises
    ------
    InputError
        There is no store, or --json and --prometheus are both given.

    """
    if json and options.prometheus:
        raise InputError("--json and --prometheus are both given; drop one.")
    if options.prometheus:
        with opened_store(options.store, notice=notice) as store:
            return metrics_text(store).rstrip("\n")
    found = found_state(options, notice=notice)
    return orjson.dumps(found.json, option=orjson.OPT_INDENT_2).decode() if json else status_text(found)


def found_state(options: StoreOptions, *, notice: Notices) -> State:
    """Return the state of the store."""
    with opened_store(options.store, notice=notice) as store:
        return state_of(store)


def status_text(state: State) -> str:
    """Return the state as a person reads it: open alarms first, then the last day of each model."""
    screen = Screen()
    _alarms(state, screen)
    last = state.last_days
    if last:
        screen.say()
        screen.draw(_table(last))
    silent = sorted(set(state.models) - {each.model for each in last})
    if silent:
        screen.say(f"Without a day: {', '.join(map(shortened, silent))}.")
    for each in state.twins:
        if not each.higher_first and not each.higher_second:
            continue
        screen.say()
        screen.say(twins_text(each))
    for model, n in state.dropped.items():
        screen.say(f"Recorders of {shortened(model)} dropped {counted(n, 'judgement')}, which the counts lack.")
    screen.say()
    screen.say(f"The log has {counted(state.log.entries, 'entry', 'entries')}. Its head:")
    screen.keep(state.log.digest)
    return screen.text


def _alarms(state: State, screen: Screen) -> None:
    if not state.last_days:
        screen.say("No judgements were recorded yet: evenhand monitor record --help.")
        return
    if state.checked is None:
        screen.say("No check was made yet: evenhand monitor check tells what changed.")
        return
    if not state.alarms:
        screen.say(f"No alarm is open, as of the last check, up to {state.checked} (UTC).")
        return
    told = counted(len(state.alarms), "alarm is", "alarms are")
    screen.say(f"{told} open, as of the last check, up to {state.checked} (UTC):")
    for each in state.alarms:
        screen.say(alarm_text(each), bullet=f"{each.id}  ")


def _table(days: list[ModelDay]) -> Table:
    """Return the last day of each model; measures that none has are left out."""
    shown = {name: told for name, told in _SHOWN.items() if any(name in each.measures for each in days)}
    columns = [Column(label="Model", numeric=False), Column(label="Last day"), Column(label="n")]
    columns += [Column(label=label) for label, _ in shown.values()]
    rows = []
    for each in days:
        n = count_text(each.n) if each.n else ABSENT
        rows.append([shortened(each.model), each.day, n, *(_cell(each, name) for name in shown)])
    return Table(caption="Each model on its last day (UTC):", columns=columns, rows=rows)


def _cell(day: ModelDay, measure: str) -> str:
    value, scale = day.measures.get(measure), _SHOWN[measure][1]
    return ABSENT if value is None else f"{scale.number(value)}{scale.suffix}"
