"""`evenhand monitor record`: record a table of judgements, a finished run, or an evaluation of masking in a store.

An evaluation of masking is what `evenhand mask --evaluate --out FILE.json` writes.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

import orjson

from evenhand.analyses.manifest import read_manifest
from evenhand.analyses.options import monitoring
from evenhand.data.daily import DatedQuery, dated_judgements
from evenhand.data.labels import comma_separated, parted, undecided_pairs
from evenhand.data.open_table import OpenTable
from evenhand.data.roles import check_roles
from evenhand.data.tables import open_table
from evenhand.errors import InputError
from evenhand.monitoring.daily import MEASURED, DailyValue
from evenhand.monitoring.recording import Batch, FinishedRun, Recorded, record_batch, record_run
from evenhand.monitoring.store import opened_store, store_now, utc_text
from evenhand.results.files import file_json, sha256_of
from evenhand.results.finding import copied
from evenhand.results.messages import Notices, is_url, number_of, shortened
from evenhand.results.result import read_result
from evenhand.results.terminal import CommandOutput, command_output

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
        content = file_json(path)
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
        raise InputError(f"{path} is neither a table nor a file of evenhand mask --evaluate --out.") from error
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
    with open_table(source, **options.opening) as table:
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
    n = number_of(len(run.findings), "finding")
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
    counts = [number_of(recorded.n, "judgement")] if recorded.n or not (recorded.labels or recorded.without) else []
    counts += [number_of(recorded.labels, "label")] if recorded.labels or not counts else []
    known = number_of(recorded.known, "row was not counted: its unit has", "rows were not counted: their units have")
    apart = "for a different decision, give the column that distinguishes them, such as --position"
    more = f" {known} a decision of that day, position, stage and decider; {apart}." if recorded.known else ""
    without = number_of(recorded.without, "label found", "labels found")
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
            raise InputError(
                f"{flag} is missing: recording needs the model that judged and the times of its judgements."
            )
    if not any((options.score, options.selected, options.label, options.status, options.latency)):
        raise InputError("Nothing to record: give --score, --selected, --label, --status or --latency COLUMN.")
    if _labels_only(options) and options.unit is None:
        raise InputError(
            "Labels alone need --unit COLUMN to find their decisions; or add --score or --selected COLUMN."
        )
    if options.batch_id is not None and not options.batch_id.strip():
        raise InputError("--batch-id is blank; give a name, or leave it out.")


def _query(options: monitoring.RecordOptions, table: OpenTable) -> DatedQuery:
    columns = table.expr.columns
    selected, value = parted(options.selected, "=", columns)
    label, label_value = parted(options.label, "=", columns)
    query = DatedQuery(
        time=str(options.time),
        zone=options.time_zone,
        **copied(options, "future score status latency position stage decided_by unit where"),
        selected=selected or None,
        selected_value=value or None,
        undecided=tuple(value for _, value in undecided_pairs(options.undecided, (selected,), columns)),
        label=label or None,
        label_value=label_value or None,
        by=comma_separated(options.by, columns),
        protected=comma_separated(options.protected, columns),
        mapped=tuple(options.map),
    )
    check_roles(query)
    return query
