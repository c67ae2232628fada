"""The command that says how many decisions an analysis of applicants needs.

The command that analyses whom a process selects.
"""

import json
from dataclasses import dataclass
from typing import Annotated

import typer

from evenhand.analyses.options.impact import ImpactOptions, ImpactPlanOptions
from evenhand.cli._command import ResultOutputOptions, RunOutputOptions, command
from evenhand.cli._show import notice, print_json, print_out, show
from evenhand.options import Group, Option

TABLE_HELP = (
    ".csv, .jsonl, .parquet, .feather, .xlsx, .dta, .sav or .sas7bdat; - for standard input; the folder of a finished "
    "probe; or a connection URL with --table (duckdb://, sqlite://, postgres://, pyspark://)."
)


@dataclass(frozen=True, kw_only=True)
class Checked(Group):
    """Whether the table is looked at only."""

    check: Annotated[
        bool, Option("Tell what the columns hold and may be, and whom the options count; compute and write nothing.")
    ] = False


@command()
def impact(
    options: ImpactOptions,
    shown: RunOutputOptions,
    checked: Checked,
    source: Annotated[str | None, typer.Argument(metavar="TABLE", help=TABLE_HELP)] = None,
) -> None:
    if checked.check:
        from evenhand.analyses.impact import checked_table, checked_text
        from evenhand.results.finding import as_json

        found = checked_table(source, options)
        if shown.json:
            print_json(json.dumps(as_json(found), indent=2))
        else:
            print_out(checked_text(found))
        return
    from evenhand.analyses.impact import run_impact

    show(lambda _: run_impact(source, options, notice=notice), shown)


@command()
def plan_impact(options: ImpactPlanOptions, shown: ResultOutputOptions) -> None:
    from evenhand.analyses.plan import plan_decisions

    made = plan_decisions(options)
    if shown.json:
        print_json(made.json)
    elif not shown.quiet:
        print_out(made.text)
