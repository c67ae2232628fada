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
from evenhand.errors import InputError
from evenhand.options import Group, Option, words

TABLE_HELP = (
    ".csv, .jsonl, .parquet, .feather, .xlsx, .dta, .sav or .sas7bdat; - for standard input; the folder of a "
    "finished probe; or a connection URL with --table (duckdb://, sqlite://, postgres://, pyspark://). Several "
    "tables are periods: 2024=a.csv 2025=b.csv."
)


@dataclass(frozen=True, kw_only=True)
class Checked(Group):
    """Whether the table is only previewed."""

    check: Annotated[
        bool,
        Option(
            "Preview the table: suggest the role of each column and count the people that the options select, "
            "without a run."
        ),
    ] = False


@command()
def impact(
    options: ImpactOptions,
    output: RunOutputOptions,
    checked: Checked,
    source: Annotated[list[str] | None, typer.Argument(metavar="TABLE", help=TABLE_HELP)] = None,
) -> None:
    if checked.check:
        from evenhand.analyses.impact_check import checked_table, checked_text
        from evenhand.results.finding import as_json

        preview = checked_table(_one(source), options, more=words(output, without={"json", "quiet"}))
        if output.json:
            print_json(json.dumps(as_json(preview), indent=2))
        else:
            print_out(checked_text(preview))
        return
    from evenhand.analyses.impact import run_impact
    from evenhand.analyses.impact_query import is_period

    several = source is not None and (len(source) > 1 or is_period(source[0]))
    table = source if several else _one(source)
    show(lambda _: run_impact(table, options, notice=notice), output, "availability" if options.share else "impact")


def _one(source: list[str] | None) -> str | None:
    if source is not None and len(source) > 1:
        raise InputError("--check takes one TABLE; give one of them.")
    return source[0] if source else None


@command()
def plan_impact(options: ImpactPlanOptions, output: ResultOutputOptions) -> None:
    from evenhand.analyses.plan_decisions import plan_decisions

    print_result(plan_decisions(options), output)
