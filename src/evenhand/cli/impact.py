"""The command that analyses whom a process selects."""

from typing import Annotated

import typer

from evenhand.cli._command import command
from evenhand.cli._options import Shown
from evenhand.cli._show import notice, show
from evenhand.runs.options.impact import ImpactOptions

__all__ = ["impact"]

TABLE_HELP = (
    ".csv, .jsonl, .parquet, .feather, .xlsx, .dta, .sav or .sas7bdat; - for standard input; the folder of a finished "
    "probe; or a connection URL with --table (duckdb://, sqlite://, postgres://, pyspark://)."
)


@command()
def impact(
    options: ImpactOptions,
    shown: Shown,
    source: Annotated[str | None, typer.Argument(metavar="TABLE", help=TABLE_HELP)] = None,
) -> None:
    from evenhand.commands.impact.run import run_impact

    show(lambda _: run_impact(source, options, notice=notice), shown)
