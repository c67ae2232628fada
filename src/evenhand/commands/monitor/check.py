"""`evenhand monitor check` and `acknowledge`: the rules, the alarms, and who has seen them."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from evenhand.commands.monitor.told import Told
from evenhand.commands.terminal import Screen
from evenhand.errors import InputError, ServiceError
from evenhand.monitoring.alarms.checking import Checked, check_store
from evenhand.monitoring.alarms.delivery import deliver
from evenhand.monitoring.alarms.described import Described, described
from evenhand.monitoring.alarms.rules import Rules, read_rules
from evenhand.monitoring.alarms.webhook import Webhook
from evenhand.monitoring.history.alarms import Alarm, acknowledge
from evenhand.monitoring.history.store import opened_store, utc_now
from evenhand.report.words.alarms import alarm_text
from evenhand.report.words.moved import scores_table
from evenhand.report.words.numbers import counted
from evenhand.runs.options.monitoring.monitor import AcknowledgeOptions, CheckOptions
from evenhand.runs.progress import Notices
from evenhand.tables.messages.quoting import shortened

__all__ = ["CheckTold", "acknowledge_alarm", "check"]

#: The variable of the environment with the secret that signs.
SIGNED_WITH: Final = "EVENHAND_WEBHOOK_SECRET"


@dataclass(frozen=True, kw_only=True)
class CheckTold(Told):
    """What a check says, which alarms are firing, and why they could not be sent."""

    firing: Sequence[Alarm]
    unsent: ServiceError | None


def check(options: CheckOptions, *, notice: Notices, clock: Callable[[], datetime] = utc_now) -> CheckTold:
    """Hold the rules against what was recorded, keep what changed, and send it.

    Raises
    ------
    InputError
        There is no store, or rules, day or webhook can't be used; nothing was changed.
    ServiceError
        The store can't be written.

    """
    rules = read_rules(options.rules)
    webhook = None
    if options.webhook is not None:
        webhook = Webhook(url=options.webhook, secret=os.environ.get(SIGNED_WITH, ""))
    today = clock().date()
    as_of = options.as_of or today - timedelta(days=1)
    if as_of > today:
        raise InputError(f"--as-of {as_of} has not come yet; expected a day up to {today} (UTC).")
    unsent = None
    with opened_store(options.store, notice=notice, clock=clock) as store:
        checked = check_store(store, rules, as_of=as_of)
        scores = described(store, rules.baseline, as_of=as_of)
        if webhook is not None and checked.kept:
            try:
                deliver(store, webhook)
            except ServiceError as error:
                unsent = error
    for name in _idle(checked, rules) if options.rules else ():
        notice(f"Rule {shortened(name)} fits no series of the store; see its measure, slice and models.")
    return CheckTold(
        content=_content(checked, scores),
        text=_text(checked, rules, scores),
        firing=[each for each in checked.open if each.state == "firing"],
        unsent=unsent,
    )


def acknowledge_alarm(
    number: int, options: AcknowledgeOptions, *, notice: Notices, clock: Callable[[], datetime] = utc_now
) -> Told:
    """Keep that somebody has seen an alarm; return the alarm.

    Raises
    ------
    InputError
        There is no such alarm or store, the alarm does not ring, or nobody is named.

    """
    if not options.by.strip():
        raise InputError("--by is blank; name who acknowledges the alarm.")
    with (
        opened_store(options.store, notice=notice, clock=clock) as store,
        store.writing() as writing,
    ):
        alarm = acknowledge(writing, number, by=options.by.strip(), note=options.note.strip())
    screen = Screen()
    _list([alarm], screen)
    return Told(content=alarm.json, text=screen.text)


def _idle(checked: Checked, rules: Rules) -> list[str]:
    used = {each.rule.name for each in checked.watched}
    return [each.name for each in rules.rules if each.name not in used]


def _content(checked: Checked, scores: Sequence[Described]) -> dict[str, Any]:
    watched = [
        {
            "rule": each.rule.name,
            "measure": each.series.measure,
            "model": each.series.model,
            "slice": dict(each.series.slice),
            "days": each.days,
            "since": None if each.since is None else each.since.isoformat(),
        }
        for each in checked.watched
    ]
    return {
        "as_of": checked.as_of.isoformat(),
        "kept": checked.kept,
        "alarms": [each.json for each in (*checked.open, *checked.over)],
        "watched": watched,
        "scores": [each.json for each in scores],
        "log": {"entries": checked.log.entries, "head": checked.log.digest},
    }


def _text(checked: Checked, rules: Rules, scores: Sequence[Described]) -> str:
    """Return what a check found: alarms first."""
    screen = Screen()
    through = f"up to {checked.as_of} (UTC)"
    if checked.open:
        told = counted(len(checked.open), "alarm is", "alarms are")
        screen.say(f"{told} open, {through}:")
        _list(checked.open, screen)
    else:
        screen.say(f"No alarm is open, {through}.")
    if checked.over:
        screen.say()
        screen.say("Over since the last check:" if checked.kept else "Over by then:")
        _list(checked.over, screen)
    screen.say()
    screen.say(_watched_text(checked, rules))
    if not checked.kept:
        screen.say(
            f"The store was checked up to {checked.last} before, so nothing of this was kept or sent: it is what a "
            "check would have found then."
        )
    if scores:
        screen.say()
        screen.draw(scores_table(scores))
    return screen.text


def _list(alarms: Sequence[Alarm], screen: Screen) -> None:
    for each in alarms:
        screen.say(alarm_text(each), bullet=f"{each.id or '–'}  ")


def _watched_text(checked: Checked, rules: Rules) -> str:
    """Return how much is watched, and how often that rings by chance."""
    ready = [each for each in checked.watched if each.since is not None]
    models = {each.series.model for each in ready}
    if not checked.watched:
        return "Nothing is watched: no series of the store falls under the rules."
    told = []
    if ready:
        verb = "are" if len(ready) > 1 else "is"
        told.append(f"{counted(len(ready), 'series', 'series')} of {counted(len(models), 'model')} {verb} watched")
    few = len(checked.watched) - len(ready)
    if few:
        days = rules.baseline.days
        told.append(f"{counted(few, 'series has', 'series have')} fewer days than a baseline needs ({days})")
    by_chance = any(each.rule.comparison == "changes" for each in ready)
    chance = " By chance about one change a year rings for each model, over all its series." if by_chance else ""
    return f"{'; '.join(told)}.{chance}"
