"""What a person sees in the terminal: progress while it runs, headline findings after."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from evenhand.commands.terminal import Screen
from evenhand.runs.finish import Progress as Report
from evenhand.runs.finished_run import Run
from evenhand.tables.audit.probe import ProbeAudit
from evenhand.tables.finding import Finding

__all__ = ["findings_text", "progress_bar"]


@contextmanager
def progress_bar(doing: str = "asking") -> Iterator[Report]:
    """Yield a function that draws what is done and planned on stderr."""
    note = TextColumn("{task.fields[note]}", markup=False)
    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), note)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=None, note="")
        yield lambda done, total, note="", /: bar.update(task, completed=done, total=total, note=note)


def findings_text(run: Run) -> str:
    """Return the headline findings and the undetected rate as a table for the terminal.

    Another package's own definitions have no headline; all that they say of the whole run is shown.
    """
    compat = run.audit.compat if isinstance(run.audit, ProbeAudit) else None
    title = f"{run.audit.title} · {run.audit.model}" + (f" · {compat}" if compat else "")
    table = Table(title=title, title_justify="left")
    table.add_column("measure", overflow="fold")
    table.add_column("estimate", justify="right", no_wrap=True)
    table.add_column("95 % interval, widest", justify="right")
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("mark")
    table.add_column("verdict")
    shown = [row for row in run.findings if (not row.slice if compat else _is_headline(row))]
    for row in shown:
        table.add_row(*_cells(row))
    screen = Screen()
    if run.audit.simulated:
        screen.print("SIMULATED:", run.audit.simulated_note or "")
    screen.print(table)
    if compat and len(shown) < len(run.findings):
        screen.print(f"{len(run.findings) - len(shown)} more, of parts of the run, are in findings.json.")
    return screen.text


def _is_headline(row: Finding) -> bool:
    overall = row.measure == "undetected_rate_attempts" and not row.focal and not row.slice
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
