"""Commands about runs: the tour, comparisons, reports."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli._command import command
from evenhand.cli._options import Shown
from evenhand.cli._show import notice, print_out, show
from evenhand.runs.options.files import ReportOptions
from evenhand.runs.options.measuring import CompareOptions
from evenhand.runs.options.output import Output

__all__ = ["compare", "demo", "report"]


@command(without=("fail_on",))
def demo(output: Output, shown: Shown) -> None:
    from evenhand.commands.demo import run_demo

    show(lambda progress: run_demo(output, notice=notice, progress=progress), shown)


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
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a finished run.")], options: ReportOptions
) -> None:
    from evenhand.commands.report import write_again

    print_out(str(write_again(run, options.out, force=options.force)))
