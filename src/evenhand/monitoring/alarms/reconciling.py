"""What becomes of the alarms of a store when its rules were evaluated anew."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from evenhand.monitoring.alarms.episodes import Episode
from evenhand.monitoring.history.alarms import Alarm, State
from evenhand.monitoring.history.log import canonical_json

__all__ = ["OPEN", "reconciled"]

#: The states of an alarm that is not over.
OPEN: tuple[State, ...] = ("pending", "firing", "acknowledged")


def reconciled(kept: Sequence[Alarm], episodes: Sequence[Episode]) -> list[Alarm]:
    """Return the alarms that are new or have changed, in the order in which they rang.

    An episode is an alarm: that of its rule and series whose day lies within, else a new one. An alarm is pending
    until its condition held for as many days as the rule asks, then firing; acknowledged it stays until it is
    over; over is resolved. One that has no episode any more (late data, another rule) is over, too. What was
    pending and never fired is not kept unless the store has it.
    """
    known: dict[tuple[str, ...], list[Alarm]] = {}
    for alarm in sorted(kept, key=lambda each: each.day):
        known.setdefault(_key(alarm), []).append(alarm)
    changed, met = [], set()
    for episode in episodes:
        own = [each for each in known.get(_episode_key(episode), []) if _within(each.day, episode)]
        met |= {each.id for each in own[-1:]}
        if own:
            state = _next(own[-1].state, episode)
            if own[-1].state == "pending" and state == "resolved" and episode.fired is not None:
                changed.append(replace(own[-1], state="firing"))  # since the last check it fired, and is over
            if state != own[-1].state:
                changed.append(replace(own[-1], state=state))
        elif episode.fired is not None or episode.ended is None:
            changed.append(_alarm(episode))
    changed += [replace(each, state="resolved") for each in kept if each.state in OPEN and each.id not in met]
    return sorted(changed, key=lambda each: (each.day, each.id))


def _next(state: State, episode: Episode) -> State:
    """Return the state of an alarm after its episode was seen."""
    if episode.ended is not None:
        return "resolved"
    if state in {"pending", "resolved"}:
        return _open(episode)
    return state


def _open(episode: Episode) -> State:
    return "pending" if episode.fired is None else "firing"


def _alarm(episode: Episode) -> Alarm:
    series = episode.series
    return Alarm(
        rule=episode.rule.name,
        measure=series.measure,
        model=series.model,
        slice=series.slice,
        day=episode.day,
        since=episode.since,
        state=_open(episode) if episode.ended is None else "resolved",
        value=episode.value,
        threshold=episode.threshold,
        severity=episode.rule.severity,
    )


def _within(day: date, episode: Episode) -> bool:
    return episode.since <= day and (episode.ended is None or day < episode.ended)


def _key(alarm: Alarm) -> tuple[str, ...]:
    return alarm.rule, alarm.measure, alarm.model, canonical_json(alarm.slice)


def _episode_key(episode: Episode) -> tuple[str, ...]:
    series = episode.series
    return episode.rule.name, series.measure, series.model, canonical_json(series.slice)
