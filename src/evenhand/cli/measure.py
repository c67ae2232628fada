"""The command that measures answers; each probe's own settings are its options."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli._command import command
from evenhand.cli._options import ProbeName, Shown
from evenhand.cli._show import notice, show
from evenhand.runs.options.measuring import MeasureOptions
from evenhand.runs.options.settings import offered

__all__ = ["measure"]


@command(settings=offered(where=lambda each: each.option.measured))
def measure(
    name: ProbeName,
    answers: Annotated[Path, typer.Argument(metavar="ANSWERS", help="Saved answers: JSONL, Parquet or CSV.")],
    options: MeasureOptions,
    shown: Shown,
) -> None:
    from evenhand.commands.measure import measure_saved

    show(lambda progress: measure_saved(name, answers, options, notice=notice, progress=progress), shown)
