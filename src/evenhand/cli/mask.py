"""`evenhand mask`: résumés without what tells who the person is."""

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli._command import command
from evenhand.cli._options import ShownResult
from evenhand.cli._show import notice, print_json, print_out
from evenhand.runs.options.files import Masking
from evenhand.tables.messages.quoting import one_line

if TYPE_CHECKING:
    from evenhand.commands.mask import FilesDone
    from evenhand.resumes.mask import MaskOptions
    from evenhand.runs.progress import Progress

__all__ = ["mask"]


@command()
def mask(
    masking: Masking,
    shown: ShownResult,
    inputs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="INPUT…", help=".txt, .md, .json (JSON Resume), .docx, .pdf; folders."),
    ] = None,
) -> None:
    import orjson

    from evenhand.commands.mask_jsonl import mask_jsonl, mask_options

    if (masking.jsonl is None) == (not inputs):
        raise typer.BadParameter("Give documents or folders to mask, or texts: --jsonl FILE")
    options = mask_options(masking)
    if masking.jsonl is None:
        done = _files(inputs or [], masking, options, shown.quiet)
        _show(done, shown.json, shown.quiet)
        raise typer.Exit(done.exit_code)
    with _progress(shown.quiet) as progress:
        written = mask_jsonl(
            masking.jsonl,
            out=masking.out,
            options=options,
            known_names=masking.known_names,
            force=masking.force,
            progress=progress,
        )
    if shown.json:
        print_json(orjson.dumps(written.content).decode())
        return
    if not shown.quiet:
        notice(written.summary)
    print_out(str(written.path))


def _files(inputs: list[Path], masking: Masking, options: "MaskOptions", quiet: bool) -> "FilesDone":
    from evenhand.commands.mask import mask_files

    with _progress(quiet) as progress:
        return mask_files(
            inputs,
            out=masking.out,
            options=options,
            known_names=masking.known_names,
            unpack_limit=masking.unpack_limit,
            force=masking.force,
            progress=progress,
        )


def _progress(quiet: bool) -> "AbstractContextManager[Progress | None]":
    """Return what draws the progress on a terminal, and nothing elsewhere."""
    if quiet or not sys.stderr.isatty():
        return nullcontext()
    from evenhand.commands.screen import progress_bar

    return progress_bar()


def _show(done: "FilesDone", json: bool, quiet: bool) -> None:
    """Print which output belongs to which input: on stdout only, as it undoes the masking of names."""
    import orjson

    from evenhand.commands.mask import readable

    for file in done.files:
        if file.problem is not None:
            notice(readable(file.problem))
    if done.interruption is not None:
        notice(done.interruption)
    if json:
        print_json(orjson.dumps(done.content).decode())
        return
    if not quiet:
        notice(done.summary)
    for file in done.files:
        if file.output is not None:
            print_out(one_line(readable(f"{file.source} → {file.output}")))
