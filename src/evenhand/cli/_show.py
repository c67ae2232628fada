"""Output: results on stdout, progress and remarks on stderr, the exit code."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from evenhand.analyses.progress import Pace
from evenhand.analyses.progress import Progress as Report
from evenhand.analyses.run import Run
from evenhand.patterns import lazy_re
from evenhand.report.page.contents import page_of
from evenhand.report.page.document import REPORT, read_document
from evenhand.report.page.parts import Table
from evenhand.report.terminal import Screen
from evenhand.results.messages import one_line, shortened, spelled, spelled_json

if TYPE_CHECKING:
    from evenhand.cli._command import ResultOutputOptions, RunOutputOptions


MOST_ROWS = 40
_LONG_WORD = lazy_re(r"\S{61,}")


@contextmanager
def progress_bar(*, clock: Callable[[], float] = time.monotonic) -> Iterator[Report]:
    """Yield a function that draws the task, its progress, rate and time left on stderr."""
    texts = [TextColumn(f"{{task.fields[{name}]}}", markup=False) for name in ("doing", "figures")]
    columns = (texts[0], BarColumn(bar_width=None), texts[1])
    bar = _Bar(*columns, console=Console(stderr=True), transient=True)
    current, pace, task = "", Pace(clock), bar.add_task("", doing="", figures="", note="")

    def show_progress(doing: str, done: int = 0, total: int | None = None, note: str = "", /) -> None:
        nonlocal current, pace
        if doing != current:
            current, pace = doing, Pace(clock)
            bar.reset(task, total=total)
        figures = "" if total is None else pace.text(done, total)
        bar.update(task, completed=done, total=total, doing=doing, figures=figures, note=note)
        bar.start()

    try:
        yield show_progress
    finally:
        bar.stop()


class _Bar(Progress):
    """A line of progress, and notes on delays in lines of their own."""

    def get_renderables(self) -> Iterator[RenderableType]:
        yield self.make_tasks_table(self.tasks)
        yield from (Text(note) for note in (task.fields["note"] for task in self.tasks) if note)


def run_text(run: Run) -> str:
    """Return the summary of a finished run: tables and sentences from the top of its page, and next steps."""
    content = read_document(run.folder)
    audit, screen = content.audit, Screen()
    if audit.simulated:
        screen.say(f"SIMULATED: {audit.simulated_note or ''}")
    screen.say(" · ".join(_short(part) for part in (audit.title, audit.model) if part))
    opening = page_of(content).opening(content)
    for table in [*opening.tables, *(table for figure in opening.figures for table in figure.tables)]:
        _draw(table, screen)
    for sentence in (*opening.sentences, *(f"Warning: {line}" for line in audit.warnings)):
        screen.say()
        screen.say(_short(sentence))
    if opening.steps:
        screen.say("\nWhat to look at next:")
    for step in opening.steps:
        screen.say(_short(step.question), bullet="- ")
        if step.command:
            screen.type(step.command_in(run.folder))
    if (run.folder / REPORT).is_file():
        screen.say()
        screen.keep(f"Open {run.folder / REPORT}")
    return screen.text


def _short(text: str) -> str:
    """Return the text with long words cut: a label may be as long as a page.

    >>> len(_short("Group " + "x" * 1000))
    66
    """
    return _LONG_WORD.sub(lambda word: shortened(word[0]), text)


def _draw(table: Table, screen: Screen) -> None:
    screen.say()
    rows = [[_short(cell) for cell in row] for row in table.rows[:MOST_ROWS]]
    screen.draw(replace(table, caption=_short(table.caption), rows=rows))
    if len(table.rows) > MOST_ROWS:
        screen.say(f"{len(table.rows) - MOST_ROWS} more are in findings.json.")


LONGEST_NOTICE = 2000


def show(make: Any, output: "RunOutputOptions") -> None:
    """Make the run, print its result, and exit with 1 if a condition of --fail-on holds."""
    from evenhand.analyses.fail_on import check_conditions, conditions_met

    conditions = list(output.fail_on)
    check_conditions(conditions)
    run: Run = with_progress(make, output)
    if output.json:
        print_json((run.folder / "findings.json").read_text("utf-8"), run)
    elif output.quiet:
        print_out(str(run.folder), run)
    else:
        print_out(f"{run_text(run)}\n{run.folder}", run)
    met = conditions_met(conditions, run.findings)
    if met:
        notice(f"--fail-on holds: {'; '.join(met)}")
        raise typer.Exit(1)


def with_progress(make: Callable[[Any], Any], output: "RunOutputOptions | ResultOutputOptions") -> Any:
    """Return the result of `make`, drawing its progress if stderr is a terminal."""
    if output.quiet or not sys.stderr.isatty():
        return make(None)
    with progress_bar() as progress:
        return make(progress)


def print_result(result: Any, output: "ResultOutputOptions") -> None:
    """Print a result with `json` and `text`, as its options say."""
    if output.json:
        print_json(result.json)
    elif not output.quiet:
        print_out(result.text)


def print_out(text: str, run: "Run | None" = None) -> None:
    """Write a text to stdout, with control characters escaped."""
    _write(spelled(text), run)


def print_json(text: str, run: "Run | None" = None) -> None:
    """Write JSON to stdout, with control characters escaped, which changes no value."""
    _write(spelled_json(text), run)


def print_data(text: str) -> None:
    """Write a table to stdout, unchanged to a file or program."""
    _write(spelled(text) if sys.stdout.isatty() else text, None)


def print_bytes(content: bytes) -> None:
    """Write bytes to stdout, unchanged to a file or program."""
    if sys.stdout.isatty():
        _write(spelled(content.decode(errors="replace")), None)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def _write(text: str, run: "Run | None") -> None:
    """Write to stdout; a closed pipe or a full disk does not lose the run."""
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            location = f"; the run is in {run.folder}" if run is not None else ""
            notice(f"The result can't be written to stdout ({error.strerror}){location}.")
            raise typer.Exit(3) from error


def split(values: list[str]) -> list[str]:
    """Return a list option's values, also separated at commas."""
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def notice(line: str) -> None:
    """Write a remark to stderr: one line of at most 2,000 characters, wrapped on a terminal."""
    text = shortened(one_line(line), most=LONGEST_NOTICE)
    if sys.stderr.isatty():
        from evenhand.report.terminal import Screen

        screen = Screen()
        screen.say(text)
        text = screen.text
    sys.stderr.write(f"{text}\n")  # not by typer, which would write into a line of progress
    sys.stderr.flush()


def silent(_: str) -> None:
    """Say nothing."""
