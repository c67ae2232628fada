"""Commands that make, measure, compare and report runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evenhand.cli._app import app
from evenhand.cli._options import (
    PROBE_HELP,
    All,
    BaseTemplates,
    BaseUrl,
    Batch,
    CompatName,
    Concurrency,
    Corpus,
    DesignOption,
    FailOn,
    FileForce,
    FileQuiet,
    Force,
    Json,
    Labels,
    MaxCost,
    MaxRequests,
    MaxTokens,
    Mixed,
    ModelOption,
    MonteCarlo,
    NumReorders,
    Out,
    Preset,
    Prices,
    Quiet,
    RedactAnswers,
    Repetitions,
    ResultJson,
    Resume,
    Roles,
    Rpm,
    Sample,
    Seed,
    Seeds,
    Shard,
    Smoothing,
    Temperature,
    Templates,
    Timeout,
    Tpm,
    UntilWidth,
    plan_options,
    run_options,
)
from evenhand.cli._show import notice, print_json, print_out, show

if TYPE_CHECKING:
    from evenhand.runs.finished_run import Run


@app.callback(invoke_without_command=True)
def root(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Measure discrimination in AI hiring."""
    if version:
        from importlib.metadata import version as installed

        print_out(f"evenhand {installed('evenhand')}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        print_out(ctx.get_help())
        raise typer.Exit(2)


@app.command()
def demo(out: Out = None, force: Force = False, seed: Seed = 0, json: Json = False, quiet: Quiet = False) -> None:
    """Audit a simulated, stereotyping model: the whole tour without a key."""
    from evenhand.commands.demo import run_demo

    show(lambda progress: run_demo(out=out, force=force, seed=seed, notice=notice, progress=progress), json, quiet, [])


@app.command()
def audit(
    model: ModelOption,
    suite: Annotated[str, typer.Option("--suite", help="Which probes to run.")] = "standard",
    sample: Sample = None,
    everything: All = False,
    design: DesignOption = None,
    repetitions: Repetitions = 1,
    resume: Resume = False,
    corpus: Corpus = None,
    num_reorders: NumReorders = None,
    templates: Templates = None,
    smoothing: Smoothing = None,
    base_url: BaseUrl = None,
    temperature: Temperature = None,
    max_tokens: MaxTokens = None,
    timeout: Timeout = 120.0,
    concurrency: Concurrency = 16,
    rpm: Rpm = None,
    tpm: Tpm = None,
    max_requests: MaxRequests = None,
    max_cost: MaxCost = None,
    prices: Prices = None,
    until_width: UntilWidth = None,
    batch: Batch = False,
    shard: Shard = None,
    redact_answers: RedactAnswers = False,
    fail_on: FailOn = None,
    out: Out = None,
    force: Force = False,
    seed: Seed = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Put a suite of probes to a model; one folder per probe and a summary report."""
    from evenhand.commands.audit import run_audit

    options = run_options(locals())
    show(lambda progress: run_audit(options, suite=suite, notice=notice, progress=progress), json, quiet, fail_on)


@app.command()
def probe(
    name: Annotated[str, typer.Argument(metavar="PROBE", help=PROBE_HELP)],
    model: ModelOption,
    sample: Sample = None,
    everything: All = False,
    design: DesignOption = None,
    repetitions: Repetitions = 1,
    resume: Resume = False,
    corpus: Corpus = None,
    num_reorders: NumReorders = None,
    templates: Templates = None,
    smoothing: Smoothing = None,
    roles: Roles = None,
    seeds: Seeds = None,
    base_templates: BaseTemplates = None,
    labels: Labels = None,
    mixed: Mixed = False,
    monte_carlo: MonteCarlo = None,
    preset: Preset = None,
    base_url: BaseUrl = None,
    temperature: Temperature = None,
    max_tokens: MaxTokens = None,
    timeout: Timeout = 120.0,
    concurrency: Concurrency = 16,
    rpm: Rpm = None,
    tpm: Tpm = None,
    max_requests: MaxRequests = None,
    max_cost: MaxCost = None,
    prices: Prices = None,
    until_width: UntilWidth = None,
    batch: Batch = False,
    shard: Shard = None,
    redact_answers: RedactAnswers = False,
    fail_on: FailOn = None,
    out: Out = None,
    force: Force = False,
    seed: Seed = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Put one probe to a model."""
    from evenhand.commands.probe import run_probe

    options = run_options(locals())
    show(lambda progress: run_probe(name, options, notice=notice, progress=progress), json, quiet, fail_on)


@app.command()
def plan(
    name: Annotated[str, typer.Argument(metavar="PROBE|SUITE", help=f"{PROBE_HELP[:-1]}; or the suite standard.")],
    model: ModelOption,
    sample: Sample = None,
    everything: All = False,
    design: DesignOption = None,
    repetitions: Repetitions = 1,
    corpus: Corpus = None,
    num_reorders: NumReorders = None,
    templates: Templates = None,
    smoothing: Smoothing = None,
    roles: Roles = None,
    seeds: Seeds = None,
    base_templates: BaseTemplates = None,
    labels: Labels = None,
    mixed: Mixed = False,
    monte_carlo: MonteCarlo = None,
    preset: Preset = None,
    temperature: Temperature = None,
    max_tokens: MaxTokens = None,
    prices: Prices = None,
    batch: Batch = False,
    seed: Seed = 0,
    json: ResultJson = False,
    quiet: FileQuiet = False,
) -> None:
    """Estimate requests, tokens, cost and the smallest detectable effect; nothing is asked."""
    from evenhand.commands.plan import make_plan

    made = make_plan(name, plan_options(locals()))
    if json:
        print_json(made.json)
    elif not quiet:
        print_out(made.text)


@app.command()
def measure(
    name: Annotated[str, typer.Argument(metavar="PROBE", help=PROBE_HELP)],
    answers: Annotated[Path, typer.Argument(metavar="ANSWERS", help="Saved answers, JSONL or Parquet.")],
    compat: Annotated[
        CompatName | None, typer.Option("--compat", help="Give the numbers of another package's definitions.")
    ] = None,
    templates: Templates = None,
    smoothing: Smoothing = None,
    roles: Roles = None,
    labels: Labels = None,
    mixed: Mixed = False,
    monte_carlo: MonteCarlo = None,
    no_report: Annotated[bool, typer.Option("--no-report", help="Write findings only, which is faster.")] = False,
    fail_on: FailOn = None,
    out: Out = None,
    force: Force = False,
    seed: Seed = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compute findings from answers that exist."""
    from evenhand.commands.measure import measure_saved

    def make(_: Any) -> "Run":
        return measure_saved(
            name,
            answers,
            seed=seed,
            out=out,
            force=force,
            notice=notice,
            with_report=not no_report,
            compat=None if compat is None else compat.value,
            settings={
                "templates": templates,
                "smoothing": smoothing,
                "roles": roles,
                "labels": labels,
                "mixed": mixed or None,
                "monte_carlo": monte_carlo,
            },
        )

    show(make, json, quiet, fail_on)


@app.command()
def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN…", help="Folders of finished runs.")],
    any_stimuli: Annotated[
        bool, typer.Option("--any-stimuli", help="Compare although the prompts differ (unpaired).")
    ] = False,
    fail_on: FailOn = None,
    out: Out = None,
    force: Force = False,
    seed: Seed = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Put models side by side: intervals, marks, differences."""
    from evenhand.commands.compare import compare as compare_models

    show(
        lambda _: compare_models(runs, out=out, force=force, seed=seed, any_stimuli=any_stimuli, notice=notice),
        json,
        quiet,
        fail_on,
    )


@app.command()
def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a finished run.")],
    out: Annotated[Path | None, typer.Option("--out", help="Where to write; default RUN/report.html.")] = None,
    force: FileForce = False,
) -> None:
    """Write the report of a finished run again."""
    from evenhand.commands.report import write_again

    print_out(str(write_again(run, out, force=force)))
