"""Runs: the result in Python (`Run`), the locked folder (`opened_run`), and writing one at once (`write_at_once`)."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import orjson
import polars as pl

from evenhand.analyses.manifest import Manifest, begun, package_versions, read_manifest, utc_now
from evenhand.analyses.options.output import Output
from evenhand.errors import InputError, NoSuchFinding
from evenhand.options import Group, to_manifest, words
from evenhand.report.files import readable_frame, write_files
from evenhand.report.page.html import Plot, findings_plot, summary_html
from evenhand.results.audit import Header, ProbeAudit
from evenhand.results.files import write_file, written
from evenhand.results.finding import Finding
from evenhand.results.kinds import loaded, run_kind
from evenhand.results.messages import Notices, listed, one_line, public_url, quoted, shortened
from evenhand.results.result import FILE, Result, RunFolder, RunLock, csv_bytes, prepare_run_folder, read_result


@dataclass(frozen=True, kw_only=True, repr=False)
class Run(Result[Header, Any]):
    """A finished run: its result, and the folder that holds it.

    `runs` holds the runs of a suite by probe, else nothing.
    """

    folder: Path
    runs: dict[str, "ProbeRun"] = field(default_factory=dict)

    @property
    def report_path(self) -> Path:
        """Return the path of the report."""
        return self.folder / "report.html"

    @property
    def outcomes(self) -> pl.DataFrame:
        """Return the outcomes; for a suite, of all its probes with the column context.probe."""
        if not self.runs:
            return pl.read_parquet(self.folder / "outcomes.parquet")
        frames = [run.outcomes.with_columns(pl.lit(name).alias("context.probe")) for name, run in self.runs.items()]
        return pl.concat(frames, how="diagonal")

    @property
    def findings_frame(self) -> pl.DataFrame:
        """Return the findings as a table, one row each: the columns of findings.csv, those that matter most first."""
        return readable_frame(self.findings)

    def plot(self, measure: str | None = None) -> Plot:
        """Return a chart of the planned findings of a measure with their intervals, the first by default, as SVG.

        A notebook shows it, and it is a text: `Path("chart.svg").write_text(run.plot())`.

        Raises
        ------
        InputError
            No finding of it has an interval.

        """
        return findings_plot(self.findings, measure)

    def finding(self, name: str) -> Finding:
        """Return the finding called `name`.

        Raises
        ------
        NoSuchFinding
            There is none; the message names similar ones. It is a KeyError, too.

        """
        for row in self.findings:
            if row.name == name:
                return row
        names = [row.name for row in self.findings]
        near = (
            get_close_matches(str(name), names, n=3, cutoff=0.5)
            or [candidate for candidate in names if str(name) in candidate][:3]
        )
        hint = f"Did you mean {' or '.join(near)}?" if near else f"There are {listed(names, most=5)}."
        raise NoSuchFinding(f"No finding is called {quoted(name)}. {hint}")

    def __repr__(self) -> str:
        title = " · ".join(filter(None, (self.audit.title, self.audit.model)))
        return (
            f"<{type(self).__name__}: {one_line(shortened(title))}, {len(self.findings):,} findings in {self.folder}>"
        )

    def _repr_html_(self) -> str:
        return summary_html(self.audit, self.findings, folder=self.folder)


@dataclass(frozen=True, kw_only=True, repr=False)
class ProbeRun(Run):
    """A finished run of one probe."""

    audit: ProbeAudit


def finished_probe(folder: Path) -> ProbeRun:
    """Return the finished run of one probe in a folder.

    Raises
    ------
    InputError
        Its findings.json can't be read, or is of something else.

    """
    content = read_result(folder)
    if not isinstance(content.audit, ProbeAudit):
        raise InputError(f"{folder / FILE} is not the run of one probe; run the probe again.")
    return ProbeRun(folder=folder, audit=content.audit, findings=content.findings)


@dataclass(frozen=True, kw_only=True)
class OpenedRun:
    """A folder that only this process writes, and the manifest of the run to resume, if any."""

    folder: RunFolder
    previous: Manifest | None

    def begin(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest of the run that begins or resumes."""
        self.folder.write_manifest(manifest)


@contextmanager
def opened_run(
    out: Path, *, force: bool, resume: bool | None = None, before_clearing: Callable[[Path], None] | None = None
) -> Iterator[OpenedRun]:
    """Open the folder of a run; `force` removes an earlier run in it, `resume` continues it.

    `before_clearing` is called with the folder before anything is removed.

    Raises
    ------
    ForeignFolder, InputError
        The folder can't be used; nothing was changed.

    """
    folder = prepare_run_folder(out, force=force, resume=resume)
    with RunLock(folder.path):
        previous = read_manifest(folder.path) if resume else None
        if force and not resume:
            if before_clearing is not None:
                before_clearing(folder.path)
            folder.clear()
        yield OpenedRun(folder=folder, previous=previous)


def refuse_clearing_input(out: Path | None, inputs: Iterable[Any], *, force: bool) -> None:
    """Refuse to clear a folder that holds what is read, or that is it.

    Raises
    ------
    InputError
        An input lies in `out`, which --force would clear.

    """
    if out is None or not force:
        return
    target = out.resolve()
    for path in inputs:
        is_path = isinstance(path, Path) or (isinstance(path, str) and "://" not in path)
        if is_path and Path(path).resolve().is_relative_to(target):
            raise InputError(
                f"--out {out} holds {path}, which is an input; --force would remove it. Choose another --out."
            )


@contextmanager
def preserved_status(folder: RunFolder, manifest: Mapping[str, Any], previous: Manifest | None) -> Iterator[None]:
    """Restore the manifest after an InputError, such as a damaged journal: nothing is running then."""
    try:
        yield
    except InputError:
        if previous is None or manifest.get("requests", 0) > (previous.requests or 0):
            folder.write_manifest({**manifest, "status": "incomplete", "finished": utc_now()})
        else:
            folder.write_manifest(previous.as_written, hashes=False)
        raise


def source_text(source: Any) -> str:
    """Return a table as typed on the command line, without the secrets of a connection URL; FRAME for a data frame."""
    from evenhand.results.messages import is_url  # noqa: PLC0415 - imports ibis, which callers have loaded

    if isinstance(source, str) and is_url(source):
        return public_url(source)
    return str(source) if isinstance(source, str | Path) else "FRAME"


#: Beside the files that `evenhand data company` writes, with the SHA-256 of each.
COMPANY = "company.json"
SYNTHETIC = "These people are synthetic: evenhand data company drew them, with differences that are known."


def synthetic_note(source: Any, fingerprints: Mapping[str, str]) -> str | None:
    """Return the note that a file was drawn by `evenhand data company`; None for any other source.

    `fingerprints` hold the SHA-256 of what was read.
    """
    try:
        path = Path(source)
        drawn = orjson.loads(path.with_name(COMPANY).read_bytes())["files"][path.name]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return SYNTHETIC if drawn in fingerprints.values() else None


def table_facts(command: Sequence[str], source: Any, options: Group, fingerprints: Mapping[str, str]) -> dict[str, Any]:
    """Return what the audit block of an analysed table says of how it was made, by the words of a command and options.

    `fingerprints` hold the SHA-256 of what was read.
    """
    note = synthetic_note(source, fingerprints)
    return {
        "simulated": note is not None,
        "simulated_note": note,
        "parameters": to_manifest(options, only_given=True),
        "fingerprints": fingerprints,
        "reproduce": shlex.join(["evenhand", *command, source_text(source), *words(options)]),
    }


RunT = TypeVar("RunT", bound=Run)


def write_findings(
    run: type[RunT], folder: RunFolder, result: Result[Any, Any], *, with_report: bool = True, **more: Any
) -> RunT:
    """Write the tables of a result (CSV or Parquet, by their names), its findings and, if wanted, the report."""
    shown = {name: table for name, table in result.tables.items() if name.endswith(".csv")}
    for name, table in result.tables.items():
        if name in shown:
            write_file(folder.path / name, csv_bytes(table))
        else:
            with written(folder.path / name) as file:
                table.write_parquet(file)
    made = run(folder=folder.path, audit=result.audit, findings=result.findings, **more)
    folder.write_result(made)
    if with_report:
        write_files(folder.path, made, at_hand=shown)
    return made


def write_at_once(
    run: type[RunT],
    folder: RunFolder,
    result: Result[Any, Any],
    *,
    files: Mapping[str, bytes] | None = None,
    with_report: bool = True,
    parameters: Mapping[str, object] | None = None,
) -> RunT:
    """Write the manifest, files and all that `write_findings` writes; return the run.

    The manifest is written first, as of a run in progress, and again at the end; its parameters are those of the
    facts, unless others are given.
    """
    audit = result.audit
    versions = {**package_versions(), **audit.versions}
    request = {
        "kind": audit.kind,
        **({"source": audit.source} if hasattr(audit, "source") else {"model": audit.model}),
        **({"input": result.input} if result.input else {}),
        "parameters": audit.parameters if parameters is None else parameters,
    }
    manifest = begun(request, versions=versions, fingerprints=dict(audit.fingerprints))
    folder.write_manifest(manifest)
    for name, content in (files or {}).items():
        write_file(folder.path / name, content)
    manifest |= {"status": "finished", "finished": utc_now()}
    audit = replace(audit, started=manifest["started"], finished=manifest["finished"], versions=versions)
    finished = write_findings(run, folder, replace(result, audit=audit), with_report=with_report)
    folder.write_manifest(manifest)
    return finished


def run_analysis(kind: str, source: Any, options: Any, *, notice: Notices) -> Run:
    """Analyse `source` as a kind of run declares it; return the finished run.

    Raises
    ------
    InputError, ServiceError
        The source or the options can't be used, or a database can't be reached.

    """
    declared = run_kind(kind)
    if declared.run is not None:
        run: Run = loaded(declared.run)(source, options, notice=notice)
        return run
    refuse_clearing_input(options.out, [source], force=options.force)
    return written_run(Run, loaded(declared.analyse)(source, options), options, kind, notice=notice)


def written_run(
    run: type[RunT],
    result: Result[Any, Any],
    options: Output,
    command: str,
    *,
    notice: Notices = lambda _: None,
    files: Mapping[str, bytes] | None = None,
) -> RunT:
    """Notice the remarks of a result and write it at once to the folder of the options; return the run."""
    with opened_run(options.folder(command), force=options.force) as opened:
        for line in result.notes:
            notice(line)
        report = getattr(options, "report", True)
        return write_at_once(run, opened.folder, result, files=files, with_report=report)
