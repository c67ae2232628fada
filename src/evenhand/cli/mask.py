"""`evenhand mask`: résumés without what tells who the person is."""

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.cli._app import app
from evenhand.cli._options import FileForce, FileQuiet, ResultJson, UnpackLimit
from evenhand.cli._show import notice, print_json, print_out, split
from evenhand.tables.shown import one_line
from evenhand.tables.unpacking import UNPACK_LIMIT

if TYPE_CHECKING:
    from evenhand.commands.mask import FilesDone
    from evenhand.resumes.mask import MaskOptions
    from evenhand.runs.processes import Progress

__all__ = ["mask"]


@app.command("mask")
def mask(
    out: Annotated[Path, typer.Option("--out", help="File to write; a folder for several inputs.")],
    inputs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="INPUT…", help=".txt, .md, .json (JSON Resume), .docx, .pdf; folders."),
    ] = None,
    jsonl: Annotated[
        Path | None, typer.Option("--jsonl", metavar="IN", help='Rows {"text": …, "known_names": […]}.')
    ] = None,
    known_name: Annotated[
        list[str] | None, typer.Option("--known-name", help="Name of the person; repeat for others. Never split.")
    ] = None,
    optional: Annotated[
        list[str] | None,
        typer.Option("--optional", help="Also mask: phone, address, dob, graduation_year, school."),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Also proxies (languages, women's colleges) and any word of the name; known names must be found.",
        ),
    ] = False,
    pronouns: Annotated[str, typer.Option("--pronouns", help="token, or neutral: they, with the verb.")] = "token",
    unpack_limit: UnpackLimit = UNPACK_LIMIT,
    force: FileForce = False,
    json: ResultJson = False,
    quiet: FileQuiet = False,
) -> None:
    """Mask names, gender, ethnicity, religion, disability, family status, orientation, e-mails and URLs."""
    import orjson

    from evenhand.commands.mask_jsonl import mask_jsonl, mask_options

    if (jsonl is None) == (not inputs):
        raise typer.BadParameter("Give documents or folders to mask, or texts: --jsonl FILE")
    options = mask_options(optional=split(optional or []), strict=strict, pronouns=pronouns)
    if jsonl is None:
        done = _files(inputs or [], out, options, known_name or [], unpack_limit, force, quiet)
        _show(done, json, quiet)
        raise typer.Exit(done.exit_code)
    with _progress(quiet) as progress:
        written = mask_jsonl(
            jsonl, out=out, options=options, known_names=known_name or [], force=force, progress=progress
        )
    if json:
        print_json(orjson.dumps(written.content).decode())
        return
    if not quiet:
        notice(written.summary)
    print_out(str(written.path))


def _files(
    inputs: list[Path],
    out: Path,
    options: "MaskOptions",
    known_names: list[str],
    unpack_limit: int,
    force: bool,
    quiet: bool,
) -> "FilesDone":
    from evenhand.commands.mask import mask_files

    with _progress(quiet) as progress:
        return mask_files(
            inputs,
            out=out,
            options=options,
            known_names=known_names,
            unpack_limit=unpack_limit,
            force=force,
            progress=progress,
        )


def _progress(quiet: bool) -> "AbstractContextManager[Progress | None]":
    """Return what draws the progress on a terminal, and nothing elsewhere."""
    if quiet or not sys.stderr.isatty():
        return nullcontext()
    from evenhand.commands.screen import progress_bar

    return progress_bar("masking")


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
