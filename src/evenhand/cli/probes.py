"""The command that measures answers; each probe's own settings are its options.

Commands that put probes to models; each probe's own settings are their options.
"""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.analyses.options.probes import SUITES, MeasureOptions, PlanOptions, ProbeOptions, SuiteOptions, offered
from evenhand.cli._command import PROBE_HELP, ProbeName, ResultOutputOptions, RunOutputOptions, command
from evenhand.cli._show import notice, print_json, print_out, show


@command(settings=offered([name for suite in SUITES.values() for name in suite]), without=("preset",))
def audit(options: SuiteOptions, shown: RunOutputOptions) -> None:
    from evenhand.analyses.probes import run_audit

    show(lambda progress: run_audit(options, notice=notice, progress=progress), shown)


@command(settings=offered())
def probe(name: ProbeName, options: ProbeOptions, shown: RunOutputOptions) -> None:
    from evenhand.analyses.probes import run_probe

    show(lambda progress: run_probe(name, options, notice=notice, progress=progress), shown)


@command(settings=offered())
def plan(
    name: Annotated[
        str,
        typer.Argument(
            metavar="PROBE|SUITE",
            help=f"{PROBE_HELP[:-1]}; the suite {', '.join(SUITES)}; or impact (plan impact --help).",
        ),
    ],
    options: PlanOptions,
    shown: ResultOutputOptions,
) -> None:
    from evenhand.analyses.plan import make_plan

    made = make_plan(name, options)
    if shown.json:
        print_json(made.json)
    elif not shown.quiet:
        print_out(made.text)


@command(settings=offered(where=lambda each: each.option.measured))
def measure(
    name: ProbeName,
    answers: Annotated[Path, typer.Argument(metavar="ANSWERS", help="Saved answers: JSONL, Parquet or CSV.")],
    options: MeasureOptions,
    shown: RunOutputOptions,
) -> None:
    from evenhand.analyses.probes import measure_saved

    show(lambda progress: measure_saved(name, answers, options, notice=notice, progress=progress), shown)
