"""`evenhand mask`: mask documents, standard input or JSONL, and evaluate masking."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import orjson
import typer

from evenhand.analyses.options.masking import Masking
from evenhand.cli._command import (
    ResultOutputOptions,
    command,
    notice,
    print_bytes,
    print_json,
    print_out,
    print_result,
    with_progress,
)
from evenhand.results.messages import one_line

if TYPE_CHECKING:
    from evenhand.analyses.mask import FilesDone


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
    from evenhand.analyses.mask import STANDARD_INPUT, mask_files, mask_jsonl

    if (masking.jsonl is not None) + (masking.evaluate is not None) + bool(inputs) != 1:
        raise typer.BadParameter("Give documents or folders to mask, or texts: --jsonl FILE, --evaluate FILE")
    piped = STANDARD_INPUT in (inputs or [])
    if masking.mapping is not None and (piped or not inputs):
        raise typer.BadParameter("--mapping is for documents; give files or folders, or leave it out")
    if masking.evaluate is not None:
        from evenhand.analyses.mask_quality import evaluate_masking

        print_result(evaluate_masking(masking.evaluate, masking), output)
        if masking.out is not None and not output.json:
            print_out(str(masking.out))
        return
    if inputs is not None and piped:
        _piped(inputs, masking, output)
        return
    out = masking.out
    if out is None:
        raise typer.BadParameter("Give --out: the file to write, or a folder for several inputs")
    if masking.jsonl is None:
        done = with_progress(lambda progress: mask_files(inputs or [], masking, out=out, progress=progress), output)
        _show(done, output)
        raise typer.Exit(done.exit_code)
    source = masking.jsonl
    written = with_progress(lambda progress: mask_jsonl(source, masking, out=out, progress=progress), output)
    if output.json:
        print_json(orjson.dumps(written.content).decode())
        return
    if not output.quiet:
        notice(written.text)
    print_out(str(out))


def _piped(inputs: list[Path], masking: Masking, output: ResultOutputOptions) -> None:
    """Mask standard input, to --out or to stdout; the summary goes to stderr."""
    from evenhand.analyses.mask import mask_piped

    if len(inputs) > 1:
        raise typer.BadParameter("Standard input (-) can't be masked with other inputs; leave them out")
    if masking.out is None and output.json:
        raise typer.BadParameter("--json needs --out FILE with standard input, whose masked text goes to stdout")
    piped = mask_piped(sys.stdin.buffer.read(), masking)
    if masking.out is not None:
        _show(piped.done, output)
        return
    if not output.quiet:
        notice(piped.done.summary)
    print_bytes(piped.content)


def _show(done: "FilesDone", output: ResultOutputOptions) -> None:
    """Print the output of each input: on stdout only, as it undoes the masking of names."""
    from evenhand.analyses.mask import readable

    for file in done.files:
        if file.problem is not None:
            notice(readable(file.problem))
    if done.interruption is not None:
        notice(done.interruption)
    if output.json:
        print_json(orjson.dumps(done.content).decode())
        return
    if not output.quiet:
        notice(done.summary)
    for file in done.files:
        if file.output is not None:
            print_out(one_line(readable(f"{file.source} → {file.output}")))
