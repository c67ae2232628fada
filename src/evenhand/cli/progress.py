"""Progress in the terminal while a run goes on."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

from evenhand.analyses.progress import Pace
from evenhand.analyses.progress import Progress as Report


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
