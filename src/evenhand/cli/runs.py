"""Commands on runs: demo, comparison, report, merging, export, dashboards."""

from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Annotated

import typer

from evenhand.analyses.options.output import ExportOptions, Output, ReportOptions, ServeOptions
from evenhand.analyses.options.probes import MergeOptions, offered
from evenhand.cli._command import (
    ResultOutputOptions,
    RunOutputOptions,
    command,
    notice,
    print_json,
    print_out,
    print_path,
    print_result,
    print_written,
    show,
    with_progress,
)
from evenhand.cli._help import family


@command()
def demo(options: Output, output: ResultOutputOptions) -> None:
    from evenhand.analyses.demo import demo_text, run_demo

    done = with_progress(lambda progress: run_demo(options, _typed, progress=progress), output)
    print_written(done.path, output, json=done.json, text=demo_text(done))


def _typed(line: Sequence[str]) -> str:
    """Return what a command prints; its remarks are dropped."""
    from evenhand.cli import app

    printed = StringIO()
    with redirect_stdout(printed), redirect_stderr(StringIO()):
        app([*line], standalone_mode=False)
    return printed.getvalue()


@command()
def doctor(output: ResultOutputOptions) -> None:
    from evenhand.analyses.doctor import doctor as examined
    from evenhand.errors import CheckFailed

    found = examined()
    print_result(found, output)
    if missing := found.content["core"]["missing"]:
        raise CheckFailed(f"The core is incomplete: {', '.join(missing)}. Install evenhand again.")


@command()
def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a finished run, or folder that contains runs.")],
    options: ReportOptions,
    output: ResultOutputOptions,
) -> None:
    from evenhand.analyses.finish import rewrite_report
    from evenhand.evidence.bundle import holds_runs, write_pipeline

    write = write_pipeline if holds_runs(run) else rewrite_report
    print_path(write(run, options.out, force=options.force), output)


collect = family()


@collect.callback()
def collect_root() -> None:
    """Join the parts of a run made with --shard."""


@collect.subcommand("merge", settings=offered(where=lambda field: field.kind is Path))
def collect_merge(
    parts: Annotated[list[Path], typer.Argument(metavar="DIR…", help="Folders of runs made with --shard.")],
    options: MergeOptions,
    settings: Mapping[str, Path],
    output: RunOutputOptions,
) -> None:
    """Join the parts of a run, and analyse them as one run."""
    from evenhand.analyses.merge import merge_runs

    show(lambda _: merge_runs(parts, options, files=settings, notice=notice), output, "merge")


export = family(no_args_is_help=True)


@export.callback()
def export_root() -> None:
    """Write a run in the format of another package."""


@export.subcommand(
    "inspect", settings=offered(where=lambda field: field.kind is Path and field.option.changes == "prompts")
)
def export_inspect(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a finished run of one probe.")],
    options: ExportOptions,
    settings: Mapping[str, Path],
    output: ResultOutputOptions,
) -> None:
    """Write a sample of answers and all findings as an inspect_ai log, for its viewer."""
    from evenhand.integrations.export import export_inspect as write_log

    written = write_log(run, options, files=settings)
    if output.json:
        import orjson

        content = {"path": str(written.path), "samples": written.samples, "answers": written.answers}
        print_json(orjson.dumps(content).decode())
        return
    if not output.quiet:
        count = f"{written.samples:,} of {written.answers:,} answers"
        notice(f"{count}; look at them with: inspect view --log-dir {options.out.parent}")
    print_out(str(written.path))


@command()
def serve(options: ServeOptions) -> None:
    try:
        from evenhand.dashboard.serve import serve as serve_dashboard
    except ModuleNotFoundError as error:
        from evenhand.errors import InputError

        raise InputError(f"{error.name} is not installed; pip install 'evenhand[serve]' brings it.") from error
    serve_dashboard(options, notice=notice, say=print_out)
