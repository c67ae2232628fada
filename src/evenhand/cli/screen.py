"""What a person sees in the terminal: progress while a run goes on, the summary of its page afterwards."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from evenhand.analyses.progress import Pace
from evenhand.analyses.progress import Progress as Report
from evenhand.patterns import lazy_re
from evenhand.report.page.contents import page_of
from evenhand.report.page.parts import Table
from evenhand.report.terminal import Screen
from evenhand.results.messages import shortened
from evenhand.results.result import REPORT, Result

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


def run_text(result: Result[Any, Any], folder: Path) -> str:
    """Return the summary of the run in a folder: tables and sentences from the top of its page, and next steps."""
    content = result.legible()
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
            screen.type(step.command_in(folder))
    if (folder / REPORT).is_file():
        screen.say()
        screen.keep(f"Open {folder / REPORT}")
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
