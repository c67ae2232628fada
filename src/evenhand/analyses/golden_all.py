"""`evenhand monitor golden run-all`: the models of a file on the newest version, one after another, for a timer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from evenhand.analyses.golden import GoldenRun, run_golden
from evenhand.analyses.options.golden import GoldenAllOptions, GoldenRunOptions
from evenhand.analyses.options.output import default_out
from evenhand.analyses.progress import Progress
from evenhand.data.toml_files import read_toml
from evenhand.errors import EvenhandError, InputError
from evenhand.monitoring.store import store_now
from evenhand.options import build_group, declared
from evenhand.report.words.numbers import counted
from evenhand.report.words.results import with_interval
from evenhand.results import measures
from evenhand.results.finding import as_json
from evenhand.results.messages import Notices, listed, quoted
from evenhand.results.terminal import CommandOutput, command_output

#: Options that the command gives, or that make no sense for a run that nobody watches.
_GIVEN: Final = ("store", "out", "force", "version", "resume", "retry_errors", "until_width", "shard", "batch")


@dataclass(frozen=True, kw_only=True)
class AllRuns(CommandOutput):
    """What became of each model; `failure` is the first that failed."""

    failure: EvenhandError | None


def run_all(
    source: Path,
    options: GoldenAllOptions,
    *,
    notice: Notices,
    progress: Progress | None = None,
    clock: Callable[[], datetime] = store_now,
) -> AllRuns:
    """Run each model of a file on the newest version; one that fails keeps no other from its run.

    Raises
    ------
    InputError
        The file can't be used; nothing was sent.

    """
    folder = options.out or default_out("golden-all")
    every = {name: value for name, value in vars(options).items() if name in _GIVEN}
    chosen = [
        _options(table, f"{source}, run {number}", every | {"out": folder / str(number)})
        for number, table in enumerate(_tables(source), 1)
    ]
    names = [run.model for run in chosen]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{source} has the model {quoted(name)} twice; give each run a model of its own.")
    rows: list[dict[str, Any]] = []
    lines, failure, last = [], None, None
    for run in chosen:
        try:
            last = run_golden(run, notice=notice, progress=progress, clock=clock)
        except EvenhandError as error:
            failure = failure or error
            rows.append({"model": run.model, "failed": str(error)})
            lines.append(f"{run.model} failed: {error}")
        else:
            rows.append(_row(last))
            lines.append(_line(last))
    if last is not None:
        lines.append(_coverage_line(last))
    content = {"runs": rows, "coverage": [] if last is None else as_json(last.audit.coverage)}
    made = command_output(content, *lines, str(folder))
    return AllRuns(content=content, text=made.text, failure=failure)


def _tables(source: Path) -> list[Mapping[str, Any]]:
    values = read_toml(source).values
    tables = values.get("run")
    if set(values) - {"run"} or not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise InputError(f"{source} has other keys than runs; each run begins with a line [[run]].")
    return tables


def _options(table: Mapping[str, Any], named: str, every: Mapping[str, Any]) -> GoldenRunOptions:
    """Return the options of a run: the keys of its table are those of `golden run`, without dashes before them."""
    known = {entry.flag.removeprefix("--"): entry for entry in declared(GoldenRunOptions) if entry.name not in _GIVEN}
    unknown = next((key for key in table if key not in known), None)
    if unknown is not None:
        raise InputError(f"{named} has a key {quoted(unknown)}; expected options of golden run: {listed(known)}.")
    for key, entry in known.items():
        if entry.required and key not in table:
            raise InputError(f"{named} has no {key}.")
    values = {known[key].name: known[key].value(value, named=f"{named}: {key}") for key, value in table.items()}
    return build_group(GoldenRunOptions, {**values, **every})


def _row(run: GoldenRun) -> dict[str, Any]:
    audit = run.audit
    found = {name: _found(run, name) for name in (measures.ACCURACY, measures.DRAWN_ACCURACY, measures.DRAWN_KAPPA)}
    values = {name: None if finding is None else finding.estimate for name, finding in found.items()}
    return {"model": audit.judged_as, "version": audit.version, "out": str(run.folder), **values}


def _line(run: GoldenRun) -> str:
    drawn, kappa = _found(run, measures.DRAWN_ACCURACY), _found(run, measures.DRAWN_KAPPA)
    estimate = (
        "" if drawn is None else f"; of recorded people accuracy {with_interval(drawn)}, kappa {with_interval(kappa)}"
    )
    cases = _found(run, measures.ACCURACY)
    return f"{run.audit.judged_as}: accuracy of the golden cases {with_interval(cases)}{estimate}."


def _coverage_line(run: GoldenRun) -> str:
    """Return whom the cases are of; the table is on the page of each run."""
    whole, *parts = run.audit.coverage
    without = [f"{row.name} {row.value}" for row in parts if not row.cases]
    ages = (
        ""
        if whole.median_age is None
        else f"; the newest is {counted(whole.newest_age or 0, 'day')} old, the median {whole.median_age:,.0f}"
    )
    missing = f" No case is of {listed(without)}." if without else ""
    return f"Version {run.audit.version}: {counted(whole.cases, 'case')}, {whole.drawn:,} drawn{ages}.{missing}"


def _found(run: GoldenRun, measure: str) -> Any:
    return next((row for row in run.findings if row.measure == measure and not row.focal), None)
