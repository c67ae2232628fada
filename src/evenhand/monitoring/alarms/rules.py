"""Rules: what is watched, and when it rings; read from TOML."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import Any, Final, Literal

from evenhand.errors import InputError
from evenhand.monitoring.alarms.standardised import RATES
from evenhand.monitoring.history.daily import MEASURES
from evenhand.stats.over_time.self_starting import BASELINE_DAYS
from evenhand.tables.messages.quoting import listed, quoted

__all__ = ["BaselineDays", "Rule", "Rules", "read_rules"]

COMPARISONS: Final = ("changes", "above", "below")
SEVERITIES: Final = ("info", "warning", "critical")
#: Measures whose values lie between 0 and 1.
SHARES: Final = RATES | {"auc", "worst_group_auc"}
#: Stands for any value in the slice of a rule.
ANY: Final = "*"
#: Days of a baseline: with fewer, weekdays and autocorrelation can't be taken out.
FEWEST_DAYS: Final = 21
MINIMUM_N: Final = 20


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What is watched of a measure, in which slice, and what has to hold on how many days in a row.

    The slice "each" stands for every one of a single name, such as each group; "*" in a table for any value.
    """

    name: str
    measure: str
    slice: Mapping[str, str] | Literal["overall", "each"] = "overall"
    comparison: str = "changes"
    threshold: float | None = None
    days: int = 1
    severity: str = "warning"
    minimum_n: int = MINIMUM_N
    models: tuple[str, ...] = ()

    def watches(self, model: str, measure: str, slice_: Mapping[str, str]) -> bool:
        """Return whether a series falls under the rule."""
        if measure != self.measure or (self.models and model not in self.models):
            return False
        if isinstance(self.slice, str):
            return len(slice_) == (1 if self.slice == "each" else 0)
        return self.slice.keys() == slice_.keys() and all(
            wanted in {ANY, slice_[name]} for name, wanted in self.slice.items()
        )


@dataclass(frozen=True, kw_only=True)
class BaselineDays:
    """How many days the first baseline has, and from when on days count, for each model or for all ("")."""

    days: int = BASELINE_DAYS
    since: Mapping[str, date] = field(default_factory=dict)

    def since_of(self, model: str) -> date | None:
        """Return from when on the days of a model count, None: from the first."""
        return self.since.get(model, self.since.get(""))


@dataclass(frozen=True, kw_only=True)
class Rules:
    """All rules of a file."""

    rules: tuple[Rule, ...]
    baseline: BaselineDays


def read_rules(path: Path | None = None) -> Rules:
    """Return the rules of a file, or the default ones.

    Raises
    ------
    InputError
        There is no such file, it is no TOML, or a rule can't be understood: the message names rule and repair.

    >>> len(read_rules().rules), read_rules().rules[2].slice
    (13, 'each')
    """
    named = "the default rules" if path is None else str(path)
    try:
        text = (
            files("evenhand.monitoring.alarms").joinpath("default_rules.toml").read_text("utf-8")
            if path is None
            else path.read_text("utf-8")
        )
        content = tomllib.loads(text)
    except OSError as error:
        raise InputError(f"--rules {named} can't be read: {error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"--rules {named} is not TOML: {error}") from error
    _known(content, ("baseline", "rule"), named)
    tables = content.get("rule")
    if not isinstance(tables, list) or not tables or not all(isinstance(each, dict) for each in tables):
        raise InputError(f"{named} has no rules; each begins with a line [[rule]].")
    rules = tuple(_rule(each, f"{named}, rule {number}") for number, each in enumerate(tables, start=1))
    twice = [each.name for each in rules if [other.name for other in rules].count(each.name) > 1]
    if twice:
        raise InputError(f"{named} has {quoted(twice[0])} twice; give each rule a name of its own.")
    return Rules(rules=rules, baseline=_baseline(content.get("baseline", {}), named))


def _rule(table: Mapping[str, Any], named: str) -> Rule:
    """Return one rule."""
    keys = ("name", "measure", "slice", "comparison", "threshold", "for", "severity", "minimum_n", "models")
    _known(table, keys, named)
    measure = table.get("measure")
    if not isinstance(measure, str) or measure not in MEASURES:
        what = "names no measure" if measure is None else f"has the measure {quoted(measure)}"
        raise InputError(f"{named} {what}; expected one of {listed(tuple(MEASURES))}.")
    comparison = table.get("comparison", "changes")
    _one_of(comparison, COMPARISONS, f"{named}: comparison")
    threshold = table.get("threshold")
    if (threshold is None) != (comparison == "changes"):
        repair = "needs a threshold" if threshold is None else "computes its limit; leave out threshold"
        raise InputError(f'{named}: comparison = "{comparison}" {repair}.')
    number = isinstance(threshold, int | float) and not isinstance(threshold, bool) and isfinite(threshold)
    if threshold is not None and not number:
        raise InputError(f"{named}: threshold is {quoted(threshold)}; expected a number.")
    if threshold is not None and measure in SHARES and not 0 <= threshold <= 1:
        raise InputError(f"{named}: threshold is {threshold}; expected a share from 0 to 1, such as 0.05 for 5 %.")
    severity = table.get("severity", "warning")
    _one_of(severity, SEVERITIES, f"{named}: severity")
    return Rule(
        name=_name(table.get("name", measure.replace("_", " ")), named),
        measure=measure,
        slice=_slice(table.get("slice", "overall"), named),
        comparison=comparison,
        threshold=None if threshold is None else float(threshold),
        days=_whole(table.get("for", 1), 1, f"{named}: for"),
        severity=severity,
        minimum_n=_whole(table.get("minimum_n", MINIMUM_N), 1, f"{named}: minimum_n"),
        models=_models(table.get("models", []), named),
    )


def _baseline(table: Any, named: str) -> BaselineDays:
    """Return what is said of the baseline."""
    if not isinstance(table, dict):
        raise InputError(f"{named}: baseline is {quoted(table)}; expected a table [baseline] with days or from.")
    _known(table, ("days", "from"), f"{named}, baseline")
    since = table.get("from", {})
    since = since if isinstance(since, dict) else {"": since}
    for model, day in since.items():
        if type(day) is not date:
            where = f"from.{model}" if model else "from"
            raise InputError(f"{named}, baseline: {where} is {quoted(day)}; expected a date such as 2026-03-01.")
    days = _whole(table.get("days", BASELINE_DAYS), FEWEST_DAYS, f"{named}, baseline: days")
    return BaselineDays(days=days, since=since)


def _known(table: Mapping[str, Any], keys: tuple[str, ...], named: str) -> None:
    strange = [key for key in table if key not in keys]
    if strange:
        raise InputError(f"{named} has {quoted(strange[0])}; known are {', '.join(keys)}.")


def _one_of(value: Any, choices: tuple[str, ...], named: str) -> None:
    if value not in choices:
        raise InputError(f"{named} is {quoted(value)}; expected {', '.join(choices[:-1])} or {choices[-1]}.")


def _whole(value: Any, least: int, named: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f"{named} is {quoted(value)}; expected a whole number from {least}.")
    return value


def _name(value: Any, named: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{named}: name is {quoted(value)}; expected text.")
    return value


def _slice(value: Any, named: str) -> Any:
    if value in ("overall", "each") or (isinstance(value, dict) and value and _texts(value.values())):
        return value
    expected = '"overall", "each" or a table such as { stage = "screen", gender = "*" }'
    raise InputError(f"{named}: slice is {quoted(value)}; expected {expected}.")


def _models(value: Any, named: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not _texts(value):
        raise InputError(f"{named}: models is {quoted(value)}; expected a list of names.")
    return tuple(value)


def _texts(values: Any) -> bool:
    return all(isinstance(each, str) for each in values)
