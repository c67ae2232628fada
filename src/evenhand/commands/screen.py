"""What a person sees in the terminal: progress while it runs, headline findings after."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from evenhand.commands.terminal import Screen
from evenhand.runs.finish import Progress as Report
from evenhand.runs.finished_run import ProbeRun, Run
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import UNDETECTED_ATTEMPTS

__all__ = ["findings_text", "progress_bar", "saved_text"]


@contextmanager
def progress_bar(doing: str = "asking") -> Iterator[Report]:
    """Yield a function that draws what is done and planned on stderr."""
    note = TextColumn("{task.fields[note]}", markup=False)
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), note)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=None, note="")
        yield lambda done, total, note="", /: bar.update(task, completed=done, total=total, note=note)


def findings_text(run: Run) -> str:
    """Return the headline findings and the rate of unreadable answers as a table for the terminal."""
    return _screen(run, [row for row in run.findings if _is_headline(row)]).text


def saved_text(run: ProbeRun) -> str:
    """Return the same of saved answers; of another package's definitions, which have no headline, all of the whole run.

    `--compat` takes those.
    """
    compat = run.audit.compat
    if not compat:
        return findings_text(run)
    overall = [row for row in run.findings if not row.slice]
    screen = _screen(run, overall, f" · {compat}")
    if len(overall) < len(run.findings):
        screen.print(f"{len(run.findings) - len(overall)} more, of parts of the run, are in findings.json.")
    return screen.text


def _screen(run: Run, rows: Iterable[Finding], definitions: str = "") -> Screen:
    title = f"{run.audit.title} · {run.audit.model}{definitions}"
    table = Table(title=title, title_justify="left")
    table.add_column("measure", overflow="fold")
    table.add_column("estimate", justify="right", no_wrap=True)
    table.add_column("95 % confidence interval", justify="right")
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("mark")
    table.add_column("verdict")
    for row in rows:
        table.add_row(*_cells(row))
    screen = Screen()
    if run.audit.simulated:
        screen.print("SIMULATED:", run.audit.simulated_note or "")
    screen.print(table)
    return screen


def _is_headline(row: Finding) -> bool:
    overall = row.measure == UNDETECTED_ATTEMPTS and not row.focal and not row.slice
    return overall or row.role == "planned"


def _cells(row: Finding) -> list[str]:
    estimate = "none" if row.estimate is None else f"{row.estimate:+.4f}"
    interval = "none" if row.low is None or row.high is None else f"{row.low:+.4f} to {row.high:+.4f}"
    touched = row.marks_touched
    mark = row.mark or ""
    if len(touched) > 1:
        mark = f"{mark} ({touched[0]}–{touched[-1]})"
    name = row.name
    if "model" in row.reference:
        name = f"{row.measure}: {row.focal['model']} less {row.reference['model']}"
    return [name, estimate, interval, f"{row.n:,}", mark, row.verdict or row.reason or ""]
