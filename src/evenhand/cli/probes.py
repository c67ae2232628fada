"""Commands on probes; the settings of each probe are options of the commands."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.analyses.options.probes import SUITES, MeasureOptions, PlanOptions, ProbeOptions, SuiteOptions, offered
from evenhand.cli._command import ResultOutputOptions, RunOutputOptions, command, notice, print_result, show
from evenhand.probes import NAMES, PROBES

PROBE_HELP = f"{', '.join(NAMES[:-1])} or {NAMES[-1]}."
ProbeName = Annotated[str, typer.Argument(metavar="PROBE", help=PROBE_HELP)]


@command(
    settings=offered([name for suite in SUITES.values() for name in suite]),
    without=("preset", "judge", "judge_base_url"),
)
def audit(options: SuiteOptions, output: RunOutputOptions) -> None:
    from evenhand.analyses.probes import run_audit

    show(lambda progress: run_audit(options, notice=notice, progress=progress), output, "suite")


@command(settings=offered())
def probe(name: ProbeName, options: ProbeOptions, output: RunOutputOptions) -> None:
    from evenhand.analyses.probes import run_probe

    show(
        lambda progress: run_probe(name, options, notice=notice, progress=progress),
        output,
        "probe",
        without=_without(name, output),
    )


@command(settings=offered())
def plan(
    name: Annotated[
        str,
        typer.Argument(
            metavar="PROBE|SUITE",
            help=f"{PROBE_HELP[:-1]}; the suite {', '.join(SUITES)}; or impact (see plan impact --help).",
        ),
    ],
    options: PlanOptions,
    output: ResultOutputOptions,
) -> None:
    from evenhand.analyses.plan import make_plan

    print_result(make_plan(name, options), output)


@command(settings=offered())
def measure(
    name: Annotated[
        str, typer.Argument(metavar="PROBE", help=f"{PROBE_HELP[:-1]}; or the folder of a run, without ANSWERS.")
    ],
    options: MeasureOptions,
    output: RunOutputOptions,
    answers: Annotated[
        Path | None, typer.Argument(metavar="ANSWERS", help="Saved answers to PROBE: JSONL, Parquet or CSV.")
    ] = None,
) -> None:
    from evenhand.analyses.probes import measure_run, measure_saved

    if answers is None:
        show(lambda progress: measure_run(Path(name), options, notice=notice, progress=progress), output, "measure")
        return
    show(
        lambda progress: measure_saved(name, answers, options, notice=notice, progress=progress),
        output,
        "measure",
        without=_without(name, output),
    )


def _without(name: str, output: RunOutputOptions) -> frozenset[str]:
    """Return the conditions of --fail-on that a probe can't have; none are looked up where none was given."""
    if not output.fail_on or name not in PROBES:
        return frozenset()
    from evenhand.analyses.fail_on import conditions_without

    return conditions_without(PROBES[name].measured)
