"""Alarms in words."""

import math
from collections.abc import Mapping
from typing import Final

from evenhand.monitoring.alarms.standardised import RATES, TIMES
from evenhand.monitoring.history.alarms import Alarm
from evenhand.report.words.numbers import ABSENT, Scale
from evenhand.tables.messages.quoting import shortened

__all__ = ["alarm_text", "slice_text", "value_text"]

_SHARE, _SECONDS = Scale(factor=100, suffix=" %", decimals=1), Scale(suffix=" s", decimals=2)
_SCALES: Final[Mapping[str, Scale]] = {
    **dict.fromkeys(RATES, _SHARE),
    **dict.fromkeys(TIMES, _SECONDS),
    "median_score": Scale(decimals=4),
}
_PLAIN: Final = Scale(decimals=3)


def alarm_text(alarm: Alarm, *, values: bool = True) -> str:
    """Return an alarm as a sentence: what changed, by when it rang, and its state; with the `values` or without."""
    side = ""
    if values and alarm.value is not None and alarm.threshold is not None:
        side = "above" if alarm.value > alarm.threshold else "below"
        side = f", {side} the limit of {value_text(alarm.measure, alarm.threshold)}"
    what = f"{alarm.measure.replace('_', ' ').removeprefix('log ')}{slice_text(alarm.slice)}"
    value = f": {value_text(alarm.measure, alarm.value)}" if values else ""
    since = "" if alarm.since in {None, alarm.day} else f"; changed about {alarm.since}"
    by = "" if alarm.acknowledged_by is None else f" by {shortened(alarm.acknowledged_by)}"
    note = "" if not alarm.note else f": {shortened(alarm.note)}"
    state = f"{alarm.state}{by if alarm.state == 'acknowledged' else ''}"
    return f"{shortened(alarm.model)}: {what}{value} on {alarm.day}{side}{since} ({alarm.severity}, {state}{note})."


def slice_text(slice_: Mapping[str, str]) -> str:
    """Return a slice as it follows a measure.

    >>> slice_text({"stage": "screen", "gender": "female"}), slice_text({"attribute": "race"})
    (' of stage screen, gender female', ' by race')
    """
    told = [f"{name} {shortened(value)}" for name, value in slice_.items() if name != "attribute"]
    by = f" by {shortened(slice_['attribute'])}" if "attribute" in slice_ else ""
    return f"{' of ' if told else ''}{', '.join(told)}{by}"


def value_text(measure: str, value: float | None) -> str:
    """Return a value of a measure; a log impact ratio as the ratio.

    >>> value_text("selection_rate", 0.251), value_text("log_impact_ratio", -0.2231), value_text("auc", None)
    ('25.1 %', '0.800', '–')
    """
    if value is None:
        return ABSENT
    if measure == "log_impact_ratio":
        value = math.exp(value)
    return _SCALES.get(measure, _PLAIN).text(value)
