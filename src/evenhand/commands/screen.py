"""What a person sees in the terminal: progress while it runs, how its page opens after."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from textwrap import fill

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table as Drawn
from rich.text import Text

from evenhand.commands.terminal import Screen
from evenhand.patterns import lazy_re
from evenhand.report.page.contents import page_of
from evenhand.report.page.document import REPORT, read_document
from evenhand.report.page.parts import Column, Table
from evenhand.runs.finished_run import Run
from evenhand.runs.progress import Progress as Report
from evenhand.tables.messages.quoting import shortened

__all__ = ["progress_bar", "run_text"]

MOST_ROWS = 40
#: A column is no wider for its heading than this.
LONGEST_HEADING = 14
_LONG_WORD = lazy_re(r"\S{61,}")


@contextmanager
def progress_bar() -> Iterator[Report]:
    """Yield a function that draws on stderr what is being done, how much of it is, its rate and the time left."""
    words = (TextColumn("{task.description}", markup=False), BarColumn(bar_width=20))
    figures = (_Done(), _Rate(), TimeRemainingColumn(), TextColumn("{task.fields[note]}", markup=False))
    with Progress(*words, *figures, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, note="")

        def told(doing: str, done: int = 0, total: int | None = None, note: str = "", /) -> None:
            nonlocal task
            if doing != bar.tasks[0].description:
                bar.remove_task(task)
                task = bar.add_task(doing, total=total, note=note)
            bar.update(task, completed=done, total=total, note=note)

        yield told


class _Done(MofNCompleteColumn):
    """How many are done of how many, where that is known."""

    def render(self, task: Task) -> Text:
        return super().render(task) if task.total is not None else Text()


class _Rate(ProgressColumn):
    """How many are done in a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.1f}/s" if task.speed else "")


def run_text(run: Run) -> str:
    """Return how the page of a finished run opens: its tables, its sentences, what to look at next."""
    content = read_document(run.folder)
    audit, screen = content.audit, Screen()
    if audit.simulated:
        screen.print("SIMULATED:", audit.simulated_note or "")
    screen.print(" · ".join(part for part in (audit.title, audit.model) if part))
    opening = page_of(content).opening(content)
    for table in [*opening.tables, *(table for figure in opening.figures for table in figure.tables)]:
        _draw(table, screen)
    for sentence in opening.sentences:
        screen.print(f"\n{_short(sentence)}")
    for warning in audit.warnings:
        screen.print(f"\nWarning: {_short(warning)}")
    if opening.steps:
        screen.print("\nWhat to look at next:")
    for step in opening.steps:
        screen.print(f"- {_short(step.question)}")
        if step.command:
            screen.print(f"  {step.command}", soft_wrap=True)
    if (run.folder / REPORT).is_file():
        screen.print(f"\nOpen {run.folder / REPORT}", soft_wrap=True)
    return screen.text


def _short(text: str) -> str:
    """Return the text with words that no line could hold cut: a label may be as long as a page.

    >>> len(_short("Group " + "x" * 1000))
    66
    """
    return _LONG_WORD.sub(lambda word: shortened(word[0]), text)


def _draw(table: Table, screen: Screen) -> None:
    """Draw a table as wide as the terminal; where its numbers do not fit beside each other, a block per row."""
    screen.print(f"\n{_short(table.caption)}")
    rows = [[_short(cell) for cell in row] for row in table.rows[:MOST_ROWS]]
    least = [_least(column, [row[place] for row in rows]) for place, column in enumerate(table.columns)]
    if sum(least) + 2 * len(least) <= screen.width:
        drawn = Drawn(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="")
        for column, width in zip(table.columns, least, strict=True):
            heading = fill(_unbroken(column.label), max(width, LONGEST_HEADING), break_long_words=False)
            drawn.add_column(heading, justify="right" if column.numeric else "left", min_width=width)
        for row in rows:
            drawn.add_row(*row)
        screen.print(drawn)
    else:
        for first, *others in rows:
            screen.print(first)
            for column, cell in zip(table.columns[1:], others, strict=True):
                screen.print(f"  {column.label}: {cell}")
    if len(table.rows) > MOST_ROWS:
        screen.print(f"{len(table.rows) - MOST_ROWS} more are in findings.json.")


def _unbroken(text: str) -> str:
    """Return the text with its percentages in one piece."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def _least(column: Column, cells: Sequence[str]) -> int:
    """Return how wide a column must be at least: numbers stand in one line, words are broken between words."""
    parts = cells if column.numeric else [word for cell in cells for word in cell.split()]
    return max(map(len, [*parts, *column.label.split()]), default=0)
