"""`evenhand monitor` of what was recorded: show status, check rules, act on alarms, verify, back up."""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import orjson

from evenhand.analyses.ci_files import UNGATED, Case, Outcome, Summary
from evenhand.analyses.options import monitoring
from evenhand.errors import CheckFailed, InputError, ServiceError
from evenhand.monitoring.alarms import (
    LONGEST_MUTE,
    OPEN,
    Alarm,
    Checked,
    Watched,
    acknowledge,
    alarms,
    assign,
    check_store,
    mute,
)
from evenhand.monitoring.recording import missing_counts
from evenhand.monitoring.rules import Described, Rules, described, read_rules
from evenhand.monitoring.state import ModelDay, State, metrics_text, state_of
from evenhand.monitoring.store import (
    LogHead,
    Sqlite,
    Store,
    Writing,
    log_head,
    opened_store,
    store_name,
    store_now,
    verified_log,
)
from evenhand.monitoring.webhook import Webhook, deliver
from evenhand.monitoring.words import (
    LAST_DAY,
    action_text,
    alarm_name,
    alarm_text,
    counterfactual_pairs_text,
    lack_texts,
    measure_name,
    rate_text,
    scores_table,
    season_text,
    slice_text,
    units_text,
    unwatched_text,
    value_text,
)
from evenhand.report.page.parts import Table, headings
from evenhand.report.words.numbers import ABSENT, count_text, counted
from evenhand.results.files import refuse_existing, unfinished, written
from evenhand.results.messages import Notices, number_of, shortened
from evenhand.results.terminal import CommandOutput, Screen


def status(options: monitoring.StatusOptions, *, json: bool, notice: Notices) -> str:
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
    state = store_state(options, notice=notice)
    return orjson.dumps(state.json, option=orjson.OPT_INDENT_2).decode() if json else status_text(state)


def store_state(options: monitoring.StoreOptions, *, notice: Notices) -> State:
    """Return days, alarms and log of the store."""
    with opened_store(options.store, notice=notice) as store:
        return state_of(store)


def status_text(state: State) -> str:
    """Return the state as text: open alarms first, then the last day of each model."""
    screen = Screen()
    _alarms(state, screen)
    last = state.last_days
    if last:
        screen.say()
        screen.draw(_table(last))
    silent = sorted(set(state.models) - {day.model for day in last})
    if silent:
        screen.say(f"Without a day: {', '.join(map(shortened, silent))}.")
    for pair in state.twins:
        if not pair.higher_first and not pair.higher_second:
            continue
        screen.say()
        screen.say(counterfactual_pairs_text(pair))
    for model, n in state.dropped.items():
        screen.say(f"Recorders of {shortened(model)} dropped {counted(n, 'judgement')}; the counts don't include them.")
    screen.say()
    screen.say(f"The log has {counted(state.log.entries, 'entry', 'entries')}. Its head:")
    screen.keep(state.log.digest)
    return screen.text


def _alarms(state: State, screen: Screen) -> None:
    if not state.last_days:
        screen.say("The store has no judgements yet; see evenhand monitor record --help.")
        return
    if state.checked is None:
        screen.say("No check was made yet; run evenhand monitor check.")
        return
    if not state.alarms:
        unwatched = unwatched_text(state.models, state.watched)
        screen.say(f"No alarm is open, as of the last check, up to {state.checked} (UTC).{unwatched}")
        return
    number = counted(len(state.alarms), "alarm is", "alarms are")
    screen.say(f"{number} open, as of the last check, up to {state.checked} (UTC):")
    _list(state.alarms, screen)


def _table(days: list[ModelDay]) -> Table:
    """Return the last day of each model, without measures that no model has."""
    measured = {name: label for name, label in LAST_DAY.items() if any(name in day.measures for day in days)}
    columns = headings("Model", "Last day", "n", *measured.values())
    rows = []
    for day in days:
        n = count_text(day.n) if day.n else ABSENT
        rows.append(
            [shortened(day.model), day.day, n, *(value_text(name, day.measures.get(name)) for name in measured)]
        )
    return Table(caption="Each model on its last day (UTC):", columns=columns, rows=rows)


#: The environment variable with the secret that signs webhooks.
SIGNED_WITH: Final = "EVENHAND_WEBHOOK_SECRET"


@dataclass(frozen=True, kw_only=True)
class CheckOutput(CommandOutput):
    """The result of a check, the firing alarms, the series under a rule, and the error of sending.

    `compared` are the pairs of groups that the last look for standing disparities compared; `muted` firing alarms are
    among the firing, `unwatched` counts series without a baseline.
    """

    firing: Sequence[Alarm]
    muted: int
    series: Sequence[Watched]
    compared: int
    unwatched: Mapping[str, int]
    unsent: ServiceError | None

    @property
    def watched(self) -> int:
        """Return how many series are watched."""
        return sum(series.since is not None for series in self.series)

    @property
    def watches(self) -> bool:
        """Return whether anything is watched."""
        return bool(self.watched or self.compared)


def gate_line(checked: CheckOutput) -> str:
    """Return what --fail-on alarm found, in a line."""
    muted = f", {checked.muted} of them muted" if checked.muted else ""
    held = f"holds: {len(checked.firing)} firing{muted}" if checked.firing else "does not hold: none is firing"
    pairs = f" and {number_of(checked.compared, 'pair')} of groups compared" if checked.compared else ""
    judged = f"{held}, over {checked.watched} series watched{pairs}"
    judged = judged if checked.watches else "can't be judged: none is watched"
    names = ", ".join(f"{name} ({n})" for name, n in checked.unwatched.items())
    return f"--fail-on alarm {judged}.{f' Not watched: {names}.' if names else ''}"


def check(
    options: monitoring.CheckOptions, *, notice: Notices, clock: Callable[[], datetime] = store_now
) -> CheckOutput:
    """Check the rules against the store; store alarms and send them.

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
        raise InputError(f"--as-of {as_of} is in the future; expected a day up to {today} (UTC).")
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
    firing = [alarm for alarm in checked.open if alarm.state == "firing"]
    return CheckOutput(
        content=_content(checked, scores),
        text=_check_text(checked, rules, scores),
        firing=firing,
        muted=sum(alarm.muted(today) for alarm in firing),
        series=checked.watched,
        compared=sum(checked.standing.compared.values()),
        unwatched=Counter(
            f"{series.series.measure} of {shortened(series.series.model)}"
            for series in checked.watched
            if series.since is None
        ),
        unsent=unsent,
    )


def check_summary(checked: CheckOutput, *, gated: bool) -> Summary:
    """Return what a CI system reads of a check: each series, and each alarm, as a test case."""

    def case(name: str, measure: str, text: str, failure: str = "", skipped: str = "") -> Case:
        outcome: Outcome = "skipped" if skipped or not gated else "failure" if failure else "passed"
        why = skipped or (failure if gated else UNGATED)
        return Case(name=name, group=f"monitor.{measure}", text=text, outcome=outcome, why=why)

    def of(series: Watched | Alarm) -> str:
        rule, of = (series.rule, series) if isinstance(series, Alarm) else (series.rule.name, series.series)
        name = alarm_name(series) if isinstance(series, Alarm) else measure_name(of.measure)
        other = f" ({rule})" if measure_name(rule) != measure_name(of.measure) else ""
        return f"{of.model}: {name}{slice_text(of.slice)}{other}"

    line, firing = gate_line(checked), {of(alarm) for alarm in checked.firing}
    cases = [case(of(alarm), alarm.measure, alarm_text(alarm), "--fail-on alarm holds.") for alarm in checked.firing]
    cases += [
        case(of(series), series.series.measure, f"Watched since {series.since}: no alarm is firing.")
        if series.since is not None
        else case(of(series), series.series.measure, "Not watched.", skipped="It has no baseline yet.")
        for series in checked.series
        if of(series) not in firing
    ]
    if checked.compared:
        text = f"{number_of(checked.compared, 'pair')} of groups compared."
        cases.append(case("standing disparities", "standing", text))
    if gated and not checked.firing and not checked.watches:
        cases.append(Case(name="--fail-on alarm", group="monitor", text=line, outcome="error", why=line))
    number = counted(len(checked.firing), "alarm is", "alarms are") if checked.firing else "No alarm is"
    return Summary(
        command="monitor check",
        heading=f"{number} firing",
        lines=[line] if gated else [],
        sentences=[alarm_text(alarm) for alarm in checked.firing],
        cases=cases,
    )


def acknowledge_alarm(
    number: int, options: monitoring.AcknowledgeOptions, *, notice: Notices, clock: Callable[[], datetime] = store_now
) -> CommandOutput:
    """Store that somebody has seen an alarm; return the alarm.

    Raises
    ------
    InputError
        There is no such alarm or store, the alarm is not firing, or no person is named.

    """
    by = _given("by", options.by, "name who acknowledges the alarm")
    return _acted(options, partial(acknowledge, number=number, by=by, note=options.note.strip()), notice, clock)


def assign_alarm(
    number: int, options: monitoring.AssignOptions, *, notice: Notices, clock: Callable[[], datetime] = store_now
) -> CommandOutput:
    """Store who looks after an alarm; return the alarm.

    Raises
    ------
    InputError
        There is no such alarm or store, the alarm is over, or no person is named.

    """
    by, to = _given("by", options.by, "name who assigns the alarm"), _given("to", options.to, "name a person or role")
    return _acted(options, partial(assign, number=number, by=by, to=to, note=options.note.strip()), notice, clock)


def mute_alarm(
    number: int, options: monitoring.MuteOptions, *, notice: Notices, clock: Callable[[], datetime] = store_now
) -> CommandOutput:
    """Store until when an alarm is muted, and why; return the alarm.

    Raises
    ------
    InputError
        There is no such alarm or store, the alarm is over, or person, reason or day can't be used.

    """
    by, reason = _given("by", options.by, "name who mutes the alarm"), _given("note", options.note, "give the reason")
    if not 0 < options.days <= LONGEST_MUTE:
        raise InputError(f"--days {options.days}: expected a number from 1 to {LONGEST_MUTE}.")
    until = clock().date() + timedelta(days=options.days)
    return _acted(options, partial(mute, number=number, by=by, reason=reason, until=until), notice, clock)


def _given(name: str, text: str, repair: str) -> str:
    if not text.strip():
        raise InputError(f"--{name} is blank; {repair}.")
    return text.strip()


def _acted(
    options: monitoring.StoreOptions,
    act: Callable[[Writing], Alarm],
    notice: Notices,
    clock: Callable[[], datetime],
) -> CommandOutput:
    with opened_store(options.store, notice=notice, clock=clock) as store, store.writing() as writing:
        alarm = act(writing)
    screen = Screen()
    _list([alarm], screen)
    return CommandOutput(content=alarm.json, text=screen.text)


def listed_alarms(options: monitoring.AlarmsOptions, *, notice: Notices) -> CommandOutput:
    """Return the alarms of a store, the newest first, and what was done about each."""
    with opened_store(options.store, notice=notice) as store:
        found = alarms(store, states=() if options.resolved else OPEN)
    screen = Screen()
    if not found:
        screen.say("No alarm was ever raised." if options.resolved else "No alarm is open.")
    for alarm in found:
        _list([alarm], screen)
        for action in alarm.actions:
            screen.say(action_text(action), bullet="   –  ")
    return CommandOutput(content={"alarms": [alarm.json for alarm in found]}, text=screen.text)


def _idle(checked: Checked, rules: Rules) -> list[str]:
    used = {series.rule.name for series in checked.watched} | checked.standing.used
    names = [rule.name for rule in rules.rules] + [rule.name for rule in rules.levels]
    return [name for name in names if name not in used]


def _content(checked: Checked, scores: Sequence[Described]) -> dict[str, Any]:
    return {
        "as_of": checked.as_of.isoformat(),
        "kept": checked.kept,
        "alarms": [alarm.json for alarm in (*checked.open, *checked.over)],
        "watched": [series.json for series in checked.watched],
        "false_alarms_a_year": dict(checked.rates),
        "standing": {
            "look": None if checked.standing.look is None else checked.standing.look.isoformat(),
            "compared": dict(checked.standing.compared),
        },
        "scores": [score.json for score in scores],
        "log": {"entries": checked.log.entries, "head": checked.log.digest},
    }


def _check_text(checked: Checked, rules: Rules, scores: Sequence[Described]) -> str:
    """Return the text of a check: alarms first."""
    screen = Screen()
    through = f"up to {checked.as_of} (UTC)"
    if checked.open:
        number = counted(len(checked.open), "alarm is", "alarms are")
        screen.say(f"{number} open, {through}:")
        _list(checked.open, screen)
    else:
        screen.say(f"No alarm is open, {through}.")
    if checked.over:
        screen.say()
        since = "since the last check" if checked.kept and checked.last is not None else "by then"
        screen.say(f"Over {since}:")
        _list(checked.over, screen)
    screen.say()
    watched, standing = _watched_text(checked), _standing_text(checked, rules)
    if watched:
        screen.say(watched)
    for text in lack_texts([series.json for series in checked.watched if series.lack is not None]):
        screen.say(text, bullet="–  ")
    if standing:
        screen.say(standing)
    if not checked.kept:
        screen.say(
            f"The store was already checked up to {checked.last}, so this check is a replay: nothing was stored "
            "or sent."
        )
    if scores:
        screen.say()
        screen.draw(scores_table(scores))
    return screen.text


def _list(listed: Sequence[Alarm], screen: Screen) -> None:
    for alarm in listed:
        screen.say(alarm_text(alarm), bullet=f"{alarm.id or '–'}  ")


def _watched_text(checked: Checked) -> str:
    """Return how many series are watched, and the rate of false alarms."""
    ready = [series for series in checked.watched if series.since is not None]
    models = {series.series.model for series in ready}
    if not checked.watched and checked.standing.compared:
        return ""
    if not checked.watched:
        return "Nothing is watched: no series of the store falls under the rules."
    parts = []
    if ready:
        verb = "are" if len(ready) > 1 else "is"
        parts.append(f"{counted(len(ready), 'series', 'series')} of {counted(len(models), 'model')} {verb} watched")
    if unwatched := sum(series.since is None for series in checked.watched):
        parts.append(f"{counted(unwatched, 'series is', 'series are')} not watched yet")
    fixed = any(series.rule.comparison != "changes" for series in ready)
    fixed_text = " Nothing limits how often a rule with a fixed threshold rings by chance." if fixed else ""
    return f"{'; '.join(parts)}.{units_text(ready)}{rate_text(checked.rates)}{season_text(ready)}{fixed_text}"


def _standing_text(checked: Checked, rules: Rules) -> str:
    """Return how many pairs of groups were compared at the last look, and the rate of false findings."""
    standing = checked.standing
    if standing.look is None:
        return ""
    months = max(rule.months for rule in rules.levels)
    through = f"{counted(months, 'month')} to {standing.look:%Y-%m}"
    n = sum(standing.compared.values())
    if not n:
        least = min(rule.minimum_n for rule in rules.levels)
        return f"Standing disparities are not judged: no two groups have {least} decisions each in the {through}."
    pairs = counted(n, "pair of groups was", "pairs of groups were")
    return (
        f"Standing disparities: {pairs} compared over up to {through}. If nothing differs, one is found in at most 5 % "
        "of years, over all models, unless people with several decisions were recorded without a unit."
    )


def verify(options: monitoring.VerifyOptions, *, notice: Notices) -> CommandOutput:
    """Verify a store: its file, its log, and that no judgement of the log is missing.

    Raises
    ------
    CheckFailed
        An entry was changed, removed or inserted, the given head is not in the log, or counts are missing.
    InputError
        There is no store, or its file is damaged.

    """
    with opened_store(options.store, notice=notice) as store:
        head = _verified_head(store)
        if options.head is not None and not store.rows("SELECT number FROM log WHERE digest = ?", (options.head,)):
            raise CheckFailed(
                f"The log of {store.place} has no entry {options.head}: it is the head of another store, or the log "
                f"was rewritten."
            )
    screen = Screen()
    screen.say(f"The log is unchanged: {counted(head.entries, 'entry', 'entries')}.")
    screen.keep(f"Head: {head.digest}")
    screen.say("Keep the head in another place: with --head, it proves later that no entry before it was changed.")
    content = {"entries": head.entries, "head": head.digest, "wrong": None}
    return CommandOutput(content=content, text=screen.text)


def _verified_head(store: Store) -> LogHead:
    """Return the head of a store's log, once its file, its log and its counts are verified."""
    damage = store.connection.damage()
    if damage is not None:
        raise InputError(f"{store.place} is damaged ({damage}); restore a copy.")
    log = verified_log(store)
    if log.wrong is not None:
        raise CheckFailed(f"The log of {store.place} was changed: {log.reason}.")
    missing = missing_counts(store)
    if missing is not None:
        raise CheckFailed(f"The counts of {store.place} differ from those of its log: {missing}.")
    return log.head


def backup(options: monitoring.BackupOptions) -> CommandOutput:
    """Copy a store's file as it is at one moment, while others write; the copy takes its name once it is verified.

    Raises
    ------
    CheckFailed
        The log or the counts are not as they were written; nothing was written.
    InputError
        There is no store, it is in PostgreSQL or damaged, or the file is there already.
    ServiceError
        There is no room for the copy.

    """
    refuse_existing(options.out, force=options.force, holds="a store")
    with _file_store(options.store, "pg_dump -Fc -n evenhand -f FILE URL") as store:
        head = _copy(store, options.out)
    return _copied_output(f"Copied {options.store} to {options.out}", head, path=str(options.out))


def restore(file: Path, options: monitoring.RestoreOptions) -> CommandOutput:
    """Make a backup the content of a store, once it is verified.

    Raises
    ------
    CheckFailed
        The log or the counts of the backup are not as they were written; the store is as it was.
    InputError
        There is no backup, or there is a store already that --force does not replace.
    ServiceError
        Another writer does not end, or there is no room.

    """
    place = Path(options.store)
    if "://" not in options.store and not file.is_file():
        raise InputError(f"No file {file}; give a file that evenhand monitor backup wrote.")
    with _file_store(options.store, "pg_restore -c -1 -d URL FILE", opened=str(file)) as copy:
        head, replaced = _verified_head(copy), None
        if not place.exists():
            left = [name for name in (f"{place.name}-wal", f"{place.name}-journal") if place.with_name(name).exists()]
            if left:
                raise InputError(f"{left[0]} belongs to an earlier {place}; move it away first.")
            _copy(copy, place)
        elif place.samefile(file):
            raise InputError(f"{file} is the store itself; give its backup.")
        elif not options.force:
            raise InputError(f"{place} already exists. Use --force to replace all it holds, or another --store.")
        else:
            replaced = _replace(copy, place)
    done = f"Restored {options.store} from {file}"
    if replaced is not None:
        done += f", in place of {counted(replaced.entries, 'entry', 'entries')} up to {replaced.digest}"
    return _copied_output(done, head, path=str(place))


def _file_store(place: str, instead: str, *, opened: str = "") -> Store:
    """Return the store that is a file; refuse one of a server, which has commands for it."""
    if "://" in place:
        raise InputError(f"--store {store_name(place)} is not a file; for PostgreSQL use: {instead}")
    return opened_store(opened or place, as_is=True)


def _copy(store: Store, path: Path) -> LogHead:
    """Write a copy of a store that only this account reads; return the head of its log, which was verified."""
    with written(path, private=True), closing(Sqlite(unfinished(path), create=True)) as copy:
        _file_of(store).copy_to(copy)
        return _verified_head(Store(place=store.place, connection=copy))


def _replace(copy: Store, place: Path) -> LogHead:
    """Replace what a store holds; return the head that it had."""
    try:
        store = opened_store(place, as_is=True)
    except InputError as error:
        raise InputError(f"{error} Move it away, with {place.name}-wal, so that nothing has to be replaced.") from error
    with store:
        replaced = log_head(store)
        _file_of(copy).copy_to(_file_of(store))
        _verified_head(store)
    return replaced


def _file_of(store: Store) -> Sqlite:
    assert isinstance(store.connection, Sqlite)
    return store.connection


def _copied_output(done: str, head: LogHead, *, path: str) -> CommandOutput:
    screen = Screen()
    screen.say(f"{done}, and verified it: its log has {counted(head.entries, 'entry', 'entries')}.")
    screen.keep(f"Head: {head.digest}")
    return CommandOutput(content={"path": path, "entries": head.entries, "head": head.digest}, text=screen.text)
