"""`evenhand monitor`: record judgements and findings, show status, check rules, acknowledge alarms, verify the log.

`record` takes tables, run folders, and evaluations of masking (`evenhand mask --evaluate --out FILE.json`).
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import orjson

from evenhand.analyses.impact_query import comma_separated, parted, undecided_values
from evenhand.analyses.manifest import read_manifest
from evenhand.analyses.options import monitoring
from evenhand.analyses.progress import Notices
from evenhand.data.daily import DatedQuery, dated_judgements
from evenhand.data.databases import is_url
from evenhand.data.open_table import OpenTable
from evenhand.data.tables import open_table
from evenhand.errors import CheckFailed, InputError, ServiceError
from evenhand.monitoring.alarms import Alarm, Checked, acknowledge, check_store
from evenhand.monitoring.daily import MEASURED, DailyValue
from evenhand.monitoring.recording import Batch, FinishedRun, Recorded, missing_counts, record_batch, record_run
from evenhand.monitoring.rules import Described, Rules, described, read_rules
from evenhand.monitoring.state import ModelDay, State, metrics_text, state_of
from evenhand.monitoring.store import opened_store, store_now, utc_text, verified_log
from evenhand.monitoring.webhook import Webhook, deliver
from evenhand.monitoring.words import alarm_text, counterfactual_pairs_text, scores_table, unwatched_text
from evenhand.report.page.parts import Column, Table
from evenhand.report.terminal import Screen
from evenhand.report.words.numbers import ABSENT, Scale, count_text, counted
from evenhand.results.files import sha256_of
from evenhand.results.finding import copied
from evenhand.results.messages import shortened
from evenhand.results.result import read_result


@dataclass(frozen=True, kw_only=True)
class CommandOutput:
    """The result of a command, as JSON values and as text."""

    content: Mapping[str, Any]
    text: str

    @property
    def json(self) -> str:
        """Return the content as JSON text."""
        return orjson.dumps(self.content, option=orjson.OPT_INDENT_2).decode()


def command_output(content: Mapping[str, Any], *texts: str) -> CommandOutput:
    """Return a result with a text of a few paragraphs."""
    screen = Screen()
    for text in texts:
        screen.say(text)
    return CommandOutput(content=content, text=screen.text)


#: The model of values of masking, unless --model is given.
MASKING: Final = "masking"


def evaluated_masking(path: Path, *, model: str | None) -> FinishedRun:
    """Return an evaluation of masking, with its values of the day.

    Raises
    ------
    InputError
        The file is no such evaluation.

    """
    try:
        content = orjson.loads(path.read_bytes())
        day = datetime.fromisoformat(content["evaluated"]).date()
        named_model = model or MASKING
        rates = content["masking_rates"]
        values = [_value(rate, model=named_model, day=day) for rate in rates if rate["measure"] in MEASURED]
        return FinishedRun(
            id=sha256_of(path),
            model=named_model,
            kind="masking",
            title=f"Masking of {content['file']}",
            created=content["evaluated"],
            folder=str(path.absolute()),
            findings={_name(rate): rate for rate in rates},
            values=values,
        )
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path} is no file of evenhand mask --evaluate --out, and no table.") from error
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}.") from error


def _value(rate: dict[str, Any], *, model: str, day: date) -> DailyValue:
    cut = {name: rate[name] for name in ("category", "origin") if rate[name] is not None}
    return DailyValue(
        model=model,
        measure=rate["measure"],
        day=day,
        value=rate["estimate"],
        n=rate["n"],
        slice=cut,
        standard_error=rate["standard_error"],
        reason=rate["reason"],
    )


def _name(rate: dict[str, Any]) -> str:
    parts: Sequence[str | None] = (rate["measure"], rate["category"], rate["origin"])
    return "/".join(part for part in parts if part is not None)


def record(
    source: Any, options: monitoring.RecordOptions, *, notice: Notices, clock: Callable[[], datetime] = store_now
) -> CommandOutput:
    """Record a table of judgements, or a finished run; return what was recorded.

    Raises
    ------
    InputError
        Columns, values, times, options or the store can't be used.
    ServiceError
        A database can't be reached or written; nothing was recorded.

    """
    if isinstance(source, str | Path) and not is_url(str(source)):
        if Path(source).is_dir():
            return _record_run(_run_in(Path(source), options, clock), options, notice=notice, clock=clock)
        if Path(source).suffix.lower() == ".json":
            evaluated = evaluated_masking(Path(source), model=options.model)
            return _record_run(evaluated, options, notice=notice, clock=clock)
    _check(options)
    with open_table(source, sheet=options.sheet, table=options.table, unpack_limit=options.unpack_limit) as table:
        dated = dated_judgements(table, _query(options, table), now=clock())
        for line in dated.notes:
            notice(line)
        batch = Batch(
            model=str(options.model),
            name=options.batch_id,
            fingerprint=next(iter(table.fingerprints.values()), None),
            salt=str(dated.times.total),
        )
        batch.add(dated.frames())
        with opened_store(options.store, create=True, notice=notice, clock=clock) as store:
            decisions = None if options.unit is None else dated.frames()
            recorded = record_batch(store, batch, decisions=decisions, labels_only=_labels_only(options))
    return command_output(recorded.json, _record_text(recorded))


def _run_in(folder: Path, options: monitoring.RecordOptions, clock: Callable[[], datetime]) -> FinishedRun:
    document = read_result(folder)
    manifest = read_manifest(folder)
    return FinishedRun(
        id=sha256_of(folder / "findings.json"),
        model=options.model or document.audit.model or "",
        kind=document.audit.kind,
        title=document.audit.title,
        created=(manifest.finished if manifest is not None else None) or utc_text(clock()),
        folder=str(folder.absolute()),
        findings={"/".join(filter(None, (row.probe, row.name))): row.as_dict() for row in document.findings},
    )


def _record_run(
    run: FinishedRun, options: monitoring.RecordOptions, *, notice: Notices, clock: Callable[[], datetime]
) -> CommandOutput:
    with opened_store(options.store, create=True, notice=notice, clock=clock) as store:
        new = record_run(store, run)
    title, model = shortened(run.title), f" of {shortened(run.model)}" if run.model else ""
    n = counted(len(run.findings), "finding")
    text = (
        f"Recorded the run {title}{model}: {n}."
        if new
        else f"The run {title} was recorded before; nothing was changed."
    )
    return command_output({"run": run.id, "model": run.model, "new": new, "findings": len(run.findings)}, text)


def _record_text(recorded: Recorded) -> str:
    """Return one line on a recorded batch."""
    first, last = recorded.days[0], recorded.days[-1]
    days = first if first == last else f"{first} to {last}"
    if not recorded.new:
        return (
            f"Batch {shortened(recorded.name)} of {shortened(recorded.model)} was recorded before, on "
            f"{recorded.recorded[:10]}; nothing was changed."
        )
    counts = [counted(recorded.n, "judgement")] if recorded.n or not (recorded.labels or recorded.without) else []
    counts += [counted(recorded.labels, "label")] if recorded.labels or not counts else []
    more = f" {counted(recorded.known, 'row was', 'rows were')} counted before." if recorded.known else ""
    without = counted(recorded.without, "label found", "labels found")
    repair = "record them again with a --batch-id once decisions are there"
    more += f" {without} no decision of the same unit; {repair}." if recorded.without else ""
    batch = f"of {shortened(recorded.model)}, {days}, as batch {shortened(recorded.name)}"
    return f"Recorded {' and '.join(counts)} {batch}.{more}"


def _labels_only(options: monitoring.RecordOptions) -> bool:
    """Return whether a table has only labels, for decisions already recorded."""
    return not any((options.score, options.selected, options.status, options.latency))


def _check(options: monitoring.RecordOptions) -> None:
    for flag, value in (("--model NAME", options.model), ("--time COLUMN", options.time)):
        if not (value or "").strip():
            raise InputError(f"What is recorded needs {flag}: whose judgements these are, and when they were made.")
    if not any((options.score, options.selected, options.label, options.status, options.latency)):
        raise InputError("Nothing to record: name --score, --selected, --label, --status or --latency COLUMN.")
    if _labels_only(options) and options.unit is None:
        raise InputError(
            "Labels alone need --unit COLUMN, to find their decisions; or name --score or --selected COLUMN, too."
        )
    if options.batch_id is not None and not options.batch_id.strip():
        raise InputError("--batch-id is blank; leave it out, or name the batch.")


def _query(options: monitoring.RecordOptions, table: OpenTable) -> DatedQuery:
    columns = table.expr.columns
    selected, value = parted(options.selected, "=", columns)
    label, label_value = parted(options.label, "=", columns)
    return DatedQuery(
        time=str(options.time),
        zone=options.time_zone,
        **copied(options, "future score status latency position stage decided_by unit where"),
        selected=selected or None,
        selected_value=value or None,
        undecided=undecided_values(options.undecided, selected, columns),
        label=label or None,
        label_value=label_value or None,
        by=comma_separated(options.by, columns),
        protected=comma_separated(options.protected, columns),
    )


_NUMBER, _SHARE = Scale(decimals=4), Scale(factor=100, suffix=" %", decimals=1)
#: The measures on the screen; --json has all of them.
_MEASURE_COLUMNS = {
    "median_score": ("Median score", _NUMBER),
    "selection_rate": ("Selection rate", _SHARE),
    "agreement": ("Agreement", _SHARE),
    "undetected_rate": ("Unreadable", _SHARE),
    "masking_recall": ("Masking recall", _SHARE),
    "golden_accuracy": ("Golden accuracy", _SHARE),
    "labeller_agreement": ("Labels agree", _SHARE),
    "latency_p95": ("Seconds, 95 %", Scale(decimals=2)),
}


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
        unwatched = unwatched_text(state.models, state.watched)
        screen.say(f"No alarm is open, as of the last check, up to {state.checked} (UTC).{unwatched}")
        return
    alarms = counted(len(state.alarms), "alarm is", "alarms are")
    screen.say(f"{alarms} open, as of the last check, up to {state.checked} (UTC):")
    _list(state.alarms, screen)


def _table(days: list[ModelDay]) -> Table:
    """Return the last day of each model, without measures that no model has."""
    measured = {name: column for name, column in _MEASURE_COLUMNS.items() if any(name in day.measures for day in days)}
    columns = [Column(label="Model", numeric=False), Column(label="Last day"), Column(label="n")]
    columns += [Column(label=label) for label, _ in measured.values()]
    rows = []
    for day in days:
        n = count_text(day.n) if day.n else ABSENT
        rows.append([shortened(day.model), day.day, n, *(_cell(day, name) for name in measured)])
    return Table(caption="Each model on its last day (UTC):", columns=columns, rows=rows)


def _cell(day: ModelDay, measure: str) -> str:
    value, scale = day.measures.get(measure), _MEASURE_COLUMNS[measure][1]
    return ABSENT if value is None else f"{scale.number(value)}{scale.suffix}"


#: The environment variable with the secret that signs webhooks.
SIGNED_WITH: Final = "EVENHAND_WEBHOOK_SECRET"


@dataclass(frozen=True, kw_only=True)
class CheckOutput(CommandOutput):
    """The result of a check, the firing alarms, whether any series was watched, and the error of sending."""

    firing: Sequence[Alarm]
    watches: bool
    unsent: ServiceError | None


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
    return CheckOutput(
        content=_content(checked, scores),
        text=_check_text(checked, rules, scores),
        firing=[alarm for alarm in checked.open if alarm.state == "firing"],
        watches=any(series.since is not None for series in checked.watched),
        unsent=unsent,
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
    if not options.by.strip():
        raise InputError("--by is blank; name who acknowledges the alarm.")
    with (
        opened_store(options.store, notice=notice, clock=clock) as store,
        store.writing() as writing,
    ):
        alarm = acknowledge(writing, number, by=options.by.strip(), note=options.note.strip())
    screen = Screen()
    _list([alarm], screen)
    return CommandOutput(content=alarm.json, text=screen.text)


def _idle(checked: Checked, rules: Rules) -> list[str]:
    used = {series.rule.name for series in checked.watched}
    return [rule.name for rule in rules.rules if rule.name not in used]


def _content(checked: Checked, scores: Sequence[Described]) -> dict[str, Any]:
    watched = [
        {
            "rule": series.rule.name,
            "measure": series.series.measure,
            "model": series.series.model,
            "slice": dict(series.series.slice),
            "days": series.days,
            "since": None if series.since is None else series.since.isoformat(),
        }
        for series in checked.watched
    ]
    return {
        "as_of": checked.as_of.isoformat(),
        "kept": checked.kept,
        "alarms": [alarm.json for alarm in (*checked.open, *checked.over)],
        "watched": watched,
        "scores": [score.json for score in scores],
        "log": {"entries": checked.log.entries, "head": checked.log.digest},
    }


def _check_text(checked: Checked, rules: Rules, scores: Sequence[Described]) -> str:
    """Return the text of a check: alarms first."""
    screen = Screen()
    through = f"up to {checked.as_of} (UTC)"
    if checked.open:
        alarms = counted(len(checked.open), "alarm is", "alarms are")
        screen.say(f"{alarms} open, {through}:")
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
    for alarm in alarms:
        screen.say(alarm_text(alarm), bullet=f"{alarm.id or '–'}  ")


def _watched_text(checked: Checked, rules: Rules) -> str:
    """Return how many series are watched, and the rate of false alarms."""
    ready = [series for series in checked.watched if series.since is not None]
    models = {series.series.model for series in ready}
    if not checked.watched:
        return "Nothing is watched: no series of the store falls under the rules."
    parts = []
    if ready:
        verb = "are" if len(ready) > 1 else "is"
        parts.append(f"{counted(len(ready), 'series', 'series')} of {counted(len(models), 'model')} {verb} watched")
    few = len(checked.watched) - len(ready)
    if few:
        days = rules.baseline.days
        parts.append(f"{counted(few, 'series has', 'series have')} fewer days than a baseline needs ({days})")
    kinds = {series.rule.comparison == "changes" for series in ready}
    chance = " By chance about one change a year rings for each model, over all its series." if True in kinds else ""
    fixed = " Nothing limits how often a rule with a fixed threshold rings by chance." if False in kinds else ""
    return f"{'; '.join(parts)}.{chance}{fixed}"


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
        damage = store.connection.damage()
        if damage is not None:
            raise InputError(f"{store.place} is damaged ({damage}); restore a copy.")
        log = verified_log(store)
        if log.wrong is not None:
            raise CheckFailed(f"The log of {store.place} is not as it was written: {log.reason}.")
        if options.head is not None and not store.rows("SELECT number FROM log WHERE digest = ?", (options.head,)):
            raise CheckFailed(
                f"The log of {store.place} has no entry {options.head}: it is that of another store, or was written "
                "anew."
            )
        missing = missing_counts(store)
        if missing is not None:
            raise CheckFailed(f"The counts of {store.place} are not those of its log: {missing}.")
    screen = Screen()
    screen.say(f"The log is as it was written: {counted(log.head.entries, 'entry', 'entries')}.")
    screen.keep(f"Head: {log.head.digest}")
    screen.say("Keep the head elsewhere: it proves later, by --head, that nothing before it was changed.")
    content = {"entries": log.head.entries, "head": log.head.digest, "wrong": None}
    return CommandOutput(content=content, text=screen.text)
