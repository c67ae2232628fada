"""`evenhand monitor record`: judgements of a model, and findings of runs, into the store."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from evenhand.commands.impact.options import listed, parted, undecided_values
from evenhand.commands.monitor.evaluated import evaluated_masking
from evenhand.commands.monitor.told import Told, told
from evenhand.errors import InputError
from evenhand.hiring.daily.counts import dated_judgements
from evenhand.hiring.daily.query import DatedQuery
from evenhand.intake.tables import OpenTable, is_url, open_table
from evenhand.monitoring.history.recording import Batch, Recorded, record_batch
from evenhand.monitoring.history.runs import FinishedRun, record_run
from evenhand.monitoring.history.store import opened_store, utc_now, utc_text
from evenhand.report.page.document import read_document
from evenhand.report.words.numbers import counted
from evenhand.runs.manifest import read_manifest
from evenhand.runs.options.monitoring.monitor import RecordOptions
from evenhand.runs.progress import Notices
from evenhand.tables.fingerprints import sha256_of
from evenhand.tables.messages.quoting import shortened

__all__ = ["record"]


def record(source: Any, options: RecordOptions, *, notice: Notices, clock: Callable[[], datetime] = utc_now) -> Told:
    """Record a table of judgements, or a finished run; return what became of it.

    Raises
    ------
    InputError
        Columns, values, times or options that can't be used, or a store that is none.
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
    return told(recorded.json, _text(recorded))


def _run_in(folder: Path, options: RecordOptions, clock: Callable[[], datetime]) -> FinishedRun:
    """Return the finished run in a folder."""
    read = read_document(folder)
    manifest = read_manifest(folder)
    return FinishedRun(
        id=sha256_of(folder / "findings.json"),
        model=options.model or read.audit.model or "",
        kind=read.audit.kind,
        title=read.audit.title,
        created=(manifest.finished if manifest is not None else None) or utc_text(clock()),
        folder=str(folder.absolute()),
        findings={"/".join(filter(None, (row.probe, row.name))): row.as_dict() for row in read.findings},
    )


def _record_run(run: FinishedRun, options: RecordOptions, *, notice: Notices, clock: Callable[[], datetime]) -> Told:
    """Record the findings of a finished run."""
    with opened_store(options.store, create=True, notice=notice, clock=clock) as store:
        new = record_run(store, run)
    title, of = shortened(run.title), f" of {shortened(run.model)}" if run.model else ""
    n = counted(len(run.findings), "finding")
    text = (
        f"Recorded the run {title}{of}: {n}." if new else f"The run {title} was recorded before; nothing was changed."
    )
    return told({"run": run.id, "model": run.model, "new": new, "findings": len(run.findings)}, text)


def _text(recorded: Recorded) -> str:
    """Return what became of a batch, in a line."""
    first, last = recorded.days[0], recorded.days[-1]
    days = first if first == last else f"{first} to {last}"
    if not recorded.new:
        return (
            f"Batch {shortened(recorded.name)} of {shortened(recorded.model)} was recorded before, on "
            f"{recorded.recorded[:10]}; nothing was changed."
        )
    told = [counted(recorded.n, "judgement")] if recorded.n or not (recorded.labels or recorded.without) else []
    told += [counted(recorded.labels, "label")] if recorded.labels or not told else []
    more = f" {counted(recorded.known, 'row was', 'rows were')} counted before." if recorded.known else ""
    without = counted(recorded.without, "label found", "labels found")
    again = "record them again with a --batch-id once decisions are there"
    more += f" {without} no decision of the same unit; {again}." if recorded.without else ""
    of = f"of {shortened(recorded.model)}, {days}, as batch {shortened(recorded.name)}"
    return f"Recorded {' and '.join(told)} {of}.{more}"


def _labels_only(options: RecordOptions) -> bool:
    """Say whether a table has labels for decisions that are there, and nothing else."""
    return not any((options.score, options.selected, options.status, options.latency))


def _check(options: RecordOptions) -> None:
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


def _query(options: RecordOptions, table: OpenTable) -> DatedQuery:
    columns = table.expr.columns
    selected, value = parted(options.selected, "=", columns)
    label, label_value = parted(options.label, "=", columns)
    return DatedQuery(
        time=str(options.time),
        zone=options.time_zone,
        future=options.future,
        score=options.score,
        selected=selected or None,
        selected_value=value or None,
        undecided=undecided_values(options.undecided, selected, columns),
        label=label or None,
        label_value=label_value or None,
        status=options.status,
        latency=options.latency,
        position=options.position,
        stage=options.stage,
        decided_by=options.decided_by,
        by=listed(options.by, columns),
        protected=listed(options.protected, columns),
        unit=options.unit,
        where=options.where,
    )
