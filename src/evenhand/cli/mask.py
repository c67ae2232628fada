"""`evenhand mask`: mask documents, standard input or JSONL, and evaluate masking."""

import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evenhand.analyses.options.masking import Masking
from evenhand.cli._command import ResultOutputOptions, command, notice, print_bytes, print_json, print_out
from evenhand.results.messages import one_line

if TYPE_CHECKING:
    from evenhand.analyses.mask import FilesDone
    from evenhand.analyses.progress import Progress
    from evenhand.masking.pronouns import MaskOptions


@command()
def mask(
    masking: Masking,
    output: ResultOutputOptions,
    inputs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="INPUT…",
            help=".txt, .md, .json (JSON Resume), .docx, .pdf, .html, .odt, .rtf; folders; - is standard input.",
        ),
    ] = None,
) -> None:
    import orjson

    from evenhand.analyses.mask import STANDARD_INPUT, mask_jsonl

    if (masking.jsonl is not None) + (masking.evaluate is not None) + bool(inputs) != 1:
        raise typer.BadParameter("Give documents or folders to mask, or texts: --jsonl FILE, --evaluate FILE")
    documents = bool(inputs) and STANDARD_INPUT not in (inputs or [])
    if masking.mapping is not None and not documents:
        raise typer.BadParameter("--mapping is for documents; give files or folders, or leave it out")
    options = masking
    if masking.evaluate is not None:
        _evaluate(masking.evaluate, masking, options, output)
        return
    if inputs is not None and STANDARD_INPUT in inputs:
        if len(inputs) > 1:
            raise typer.BadParameter("Standard input (-) can't be masked with other inputs; leave them out")
        _piped(masking, options, output)
        return
    if masking.out is None:
        raise typer.BadParameter("Give --out: the file to write, or a folder for several inputs")
    if masking.jsonl is None:
        done = _files(inputs or [], masking, masking.out, options, output.quiet)
        _show(done, output.json, output.quiet)
        raise typer.Exit(done.exit_code)
    with _progress(output.quiet) as progress:
        written = mask_jsonl(
            masking.jsonl,
            out=masking.out,
            options=options,
            known_names=masking.known_names,
            force=masking.force,
            workers=masking.jobs,
            progress=progress,
        )
    if output.json:
        print_json(orjson.dumps(written.content).decode())
        return
    if not output.quiet:
        notice(written.summary)
    print_out(str(written.path))


def _evaluate(source: Path, masking: Masking, options: "MaskOptions", output: ResultOutputOptions) -> None:
    import orjson

    from evenhand.analyses.mask_quality import evaluate_masking

    evaluated = evaluate_masking(
        source, options=options, known_names=masking.known_names, out=masking.out, force=masking.force
    )
    if output.json:
        print_json(orjson.dumps(evaluated.content, option=orjson.OPT_INDENT_2).decode())
    elif not output.quiet:
        print_out(evaluated.text)
    if masking.out is not None and not output.json:
        print_out(str(masking.out))


def _piped(masking: Masking, options: "MaskOptions", output: ResultOutputOptions) -> None:
    """Mask standard input, to --out or to stdout; the summary goes to stderr."""
    from evenhand.analyses.mask import mask_piped

    if masking.out is None and output.json:
        raise typer.BadParameter("--json needs --out FILE with standard input, whose masked text goes to stdout")
    piped = mask_piped(
        sys.stdin.buffer.read(),
        out=masking.out,
        options=options,
        known_names=masking.known_names,
        unpack_limit=masking.unpack_limit,
        force=masking.force,
    )
    if masking.out is not None:
        _show(piped.done, output.json, output.quiet)
        return
    if not output.quiet:
        notice(piped.done.summary)
    print_bytes(piped.content)


def _files(inputs: list[Path], masking: Masking, out: Path, options: "MaskOptions", quiet: bool) -> "FilesDone":
    from evenhand.analyses.mask import mask_files

    with _progress(quiet) as progress:
        return mask_files(
            inputs,
            out=out,
            options=options,
            known_names=masking.known_names,
            unpack_limit=masking.unpack_limit,
            force=masking.force,
            mapping=masking.mapping,
            workers=masking.jobs,
            progress=progress,
        )


def _progress(quiet: bool) -> "AbstractContextManager[Progress | None]":
    """Return a progress bar on a terminal, and a null context elsewhere."""
    if quiet or not sys.stderr.isatty():
        return nullcontext()
    from evenhand.cli.progress import progress_bar

    return progress_bar()


def _show(done: "FilesDone", json: bool, quiet: bool) -> None:
    """Print the output of each input: on stdout only, as it undoes the masking of names."""
    import orjson

    from evenhand.analyses.mask import readable

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
