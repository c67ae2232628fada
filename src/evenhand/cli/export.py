"""Commands that write runs in other packages' shapes."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli._app import app
from evenhand.cli._options import Corpus, FileForce, FileQuiet, ResultJson, Templates
from evenhand.cli._show import notice, print_json, print_out

export = typer.Typer(
    help="Runs in the shapes of other packages.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)
app.add_typer(export, name="export")


@export.callback()
def export_root() -> None:
    """Write a run in the shape of another package."""


@export.command("inspect")
def export_inspect(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a finished run of one probe.")],
    out: Annotated[Path, typer.Option("--out", help="The log to write, FILE.eval.")],
    sample: Annotated[int, typer.Option("--sample", help="Answers to write, spread over statuses and groups.")] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Fixes which answers are drawn.")] = 0,
    corpus: Corpus = None,
    templates: Templates = None,
    force: FileForce = False,
    json: ResultJson = False,
    quiet: FileQuiet = False,
) -> None:
    """Write some answers and all findings as a log of inspect_ai, for its viewer."""
    from evenhand.commands.export_inspect import export_inspect as write_log

    files = {"corpus": corpus, "templates": templates}
    written = write_log(run, out=out, sample=sample, seed=seed, force=force, files=files)
    if json:
        import orjson

        content = {"path": str(written.path), "samples": written.samples, "answers": written.answers}
        print_json(orjson.dumps(content).decode())
        return
    if not quiet:
        shown = f"{written.samples:,} of {written.answers:,} answers"
        notice(f"{shown}; look at them with: inspect view --log-dir {out.parent}")
    print_out(str(written.path))
