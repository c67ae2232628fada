"""The command that evaluates scores beside what happened."""

from typing import Annotated

import typer

from evenhand.cli._command import command
from evenhand.cli._options import Shown
from evenhand.cli._show import notice, show
from evenhand.runs.options.evaluate import EvaluateOptions

__all__ = ["evaluate"]

TABLE_HELP = (
    ".csv, .parquet or .xlsx; or a connection URL with --table (duckdb://, sqlite://, postgres://, pyspark://)."
)


@command()
def evaluate(
    source: Annotated[str, typer.Argument(metavar="TABLE", help=TABLE_HELP)],
    options: EvaluateOptions,
    shown: Shown,
) -> None:
    from evenhand.commands.evaluate.run import run_evaluate

    show(lambda _: run_evaluate(source, options, notice=notice), shown)
