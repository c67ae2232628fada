"""Commands that write runs in other packages' shapes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli._command import command, family
from evenhand.cli._options import ShownResult
from evenhand.cli._show import notice, print_json, print_out
from evenhand.runs.options.files import ExportOptions
from evenhand.runs.options.settings import offered

__all__ = ["export"]

export = family(no_args_is_help=True)


@export.callback()
def export_root() -> None:
    """Write a run in the shape of another package."""


@export.command("inspect")
@command(settings=offered(where=lambda each: each.kind is Path and each.option.changes == "prompts"))
def export_inspect(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a finished run of one probe.")],
    options: ExportOptions,
    settings: Mapping[str, Path],
    shown: ShownResult,
) -> None:
    """Write some answers and all findings as a log of inspect_ai, for its viewer."""
    from evenhand.commands.export_inspect import export_inspect as write_log

    written = write_log(run, options, files=settings)
    if shown.json:
        import orjson

        content = {"path": str(written.path), "samples": written.samples, "answers": written.answers}
        print_json(orjson.dumps(content).decode())
        return
    if not shown.quiet:
        told = f"{written.samples:,} of {written.answers:,} answers"
        notice(f"{told}; look at them with: inspect view --log-dir {options.out.parent}")
    print_out(str(written.path))
