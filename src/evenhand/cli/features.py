"""The command that vets a table of features."""

from typing import Annotated

import typer

from evenhand.cli._command import command
from evenhand.cli._options import Shown
from evenhand.cli._show import notice, show
from evenhand.runs.options.scores.features import FeatureOptions

__all__ = ["features"]

TABLE_HELP = (
    ".csv, .parquet or .xlsx, or a connection URL with --table (duckdb://, sqlite://, postgres://, pyspark://)."
)


@command()
def features(
    source: Annotated[str, typer.Argument(metavar="TABLE", help=TABLE_HELP)], options: FeatureOptions, shown: Shown
) -> None:
    from evenhand.commands.features.run import run_features

    show(lambda _: run_features(source, options, notice=notice), shown)
