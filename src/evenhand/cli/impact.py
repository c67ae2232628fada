"""Commands on applicants: the analysis of a selection, and the number of decisions that it needs."""

import json
from dataclasses import dataclass
from typing import Annotated

import typer

from evenhand.analyses.options.impact import ImpactOptions, ImpactPlanOptions
from evenhand.cli._command import (
    ResultOutputOptions,
    RunOutputOptions,
    command,
    notice,
    print_json,
    print_out,
    print_result,
    show,
)
from evenhand.options import Group, Option, words

TABLE_HELP = (
    ".csv, .jsonl, .parquet, .feather, .xlsx, .dta, .sav or .sas7bdat; - for standard input; the folder of a finished "
    "probe; or a connection URL with --table (duckdb://, sqlite://, postgres://, pyspark://)."
)


@dataclass(frozen=True, kw_only=True)
class Checked(Group):
    """Whether the table is only previewed."""

    check: Annotated[
        bool, Option("Tell what the columns hold and may be, and whom the options count; compute and write nothing.")
    ] = False


@command()
def impact(
    options: ImpactOptions,
    output: RunOutputOptions,
    checked: Checked,
    source: Annotated[str | None, typer.Argument(metavar="TABLE", help=TABLE_HELP)] = None,
) -> None:
    if checked.check:
        from evenhand.analyses.impact_check import checked_table, checked_text
        from evenhand.results.finding import as_json

        preview = checked_table(source, options, more=words(output, without={"json", "quiet"}))
        if output.json:
            print_json(json.dumps(as_json(preview), indent=2))
        else:
            print_out(checked_text(preview))
        return
    from evenhand.analyses.impact import run_impact

    show(lambda _: run_impact(source, options, notice=notice), output, "availability" if options.share else "impact")


@command()
def plan_impact(options: ImpactPlanOptions, output: ResultOutputOptions) -> None:
    from evenhand.analyses.plan_decisions import plan_decisions

    print_result(plan_decisions(options), output)
