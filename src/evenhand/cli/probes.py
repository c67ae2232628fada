"""Commands that put probes to models; each probe's own settings are their options."""

from typing import Annotated

import typer

from evenhand.cli._command import command
from evenhand.cli._options import PROBE_HELP, ProbeName, Shown, ShownResult
from evenhand.cli._show import notice, print_json, print_out, show
from evenhand.runs.options.probe import PlanOptions, ProbeOptions
from evenhand.runs.options.settings import offered
from evenhand.runs.options.suite import SUITES, SuiteOptions

__all__ = ["audit", "plan", "probe"]


@command(settings=offered([name for suite in SUITES.values() for name in suite]), without=("preset",))
def audit(options: SuiteOptions, shown: Shown) -> None:
    from evenhand.commands.audit import run_audit

    show(lambda progress: run_audit(options, notice=notice, progress=progress), shown)


@command(settings=offered())
def probe(name: ProbeName, options: ProbeOptions, shown: Shown) -> None:
    from evenhand.commands.probe import run_probe

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
    shown: ShownResult,
) -> None:
    from evenhand.commands.plan import make_plan

    made = make_plan(name, options)
    if shown.json:
        print_json(made.json)
    elif not shown.quiet:
        print_out(made.text)
