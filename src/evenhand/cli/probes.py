"""Commands on probes; the settings of each probe are options of the commands."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.analyses.options.probes import SUITES, MeasureOptions, PlanOptions, ProbeOptions, SuiteOptions, offered
from evenhand.cli._command import PROBE_HELP, ProbeName, ResultOutputOptions, RunOutputOptions, command
from evenhand.cli._show import notice, print_result, show


@command(settings=offered([name for suite in SUITES.values() for name in suite]), without=("preset",))
def audit(options: SuiteOptions, output: RunOutputOptions) -> None:
    from evenhand.analyses.probes import run_audit

    show(lambda progress: run_audit(options, notice=notice, progress=progress), output, "suite")


@command(settings=offered())
def probe(name: ProbeName, options: ProbeOptions, output: RunOutputOptions) -> None:
    from evenhand.analyses.probes import run_probe

    show(lambda progress: run_probe(name, options, notice=notice, progress=progress), output, "probe", probe=name)


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
    output: ResultOutputOptions,
) -> None:
    from evenhand.analyses.plan import make_plan

    print_result(make_plan(name, options), output)


@command(settings=offered(where=lambda field: field.option.measured))
def measure(
    name: ProbeName,
    answers: Annotated[Path, typer.Argument(metavar="ANSWERS", help="Saved answers: JSONL, Parquet or CSV.")],
    options: MeasureOptions,
    output: RunOutputOptions,
) -> None:
    from evenhand.analyses.probes import measure_saved

    show(
        lambda progress: measure_saved(name, answers, options, notice=notice, progress=progress),
        output,
        "measure",
        probe=name,
    )
