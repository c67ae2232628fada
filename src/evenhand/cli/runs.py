"""Commands about runs: the tour, comparisons, reports."""

import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli._command import command
from evenhand.cli._options import Shown, ShownResult
from evenhand.cli._show import notice, print_json, print_out, show, with_progress
from evenhand.runs.options.files import ReportOptions
from evenhand.runs.options.measuring import CompareOptions
from evenhand.runs.options.output import Output

__all__ = ["compare", "demo", "report"]


@command()
def demo(output: Output, shown: ShownResult) -> None:
    from evenhand.commands.demo.page import demo_text
    from evenhand.commands.demo.run import run_demo

    quiet = shown.quiet or not sys.stderr.isatty()
    done = (
        run_demo(output, _typed)
        if quiet
        else with_progress(lambda progress: run_demo(output, _typed, progress=progress))
    )
    if shown.json:
        print_json(done.json)
        return
    if not shown.quiet:
        print_out(demo_text(done))
    print_out(str(done.path))


def _typed(line: Sequence[str]) -> str:
    """Return what a command prints; its remarks are dropped."""
    from evenhand.cli._app import app

    printed = StringIO()
    with redirect_stdout(printed), redirect_stderr(StringIO()):
        app([*line], standalone_mode=False)
    return printed.getvalue()


@command()
def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN…", help="Folders of finished runs.")],
    options: CompareOptions,
    shown: Shown,
) -> None:
    from evenhand.commands.compare import compare as compare_models

    show(lambda _: compare_models(runs, options, notice=notice), shown)


@command()
def report(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="The folder of a finished run, or one with runs below it.")
    ],
    options: ReportOptions,
) -> None:
    from evenhand.commands.evidence.pipeline import holds_runs, write_pipeline
    from evenhand.commands.report import write_again

    write = write_pipeline if holds_runs(run) else write_again
    print_out(str(write(run, options.out, force=options.force)))
