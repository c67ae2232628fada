"""Commands for outside auditors: bundles, their verification, keys."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.analyses.options.output import BundleOptions, KeyOptions, VerifyOptions
from evenhand.cli._command import ResultOutputOptions, command, print_json, print_out, print_written, with_progress
from evenhand.cli._help import family


@command()
def bundle(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of finished runs.")],
    options: BundleOptions,
    output: ResultOutputOptions,
) -> None:
    from evenhand.evidence.bundle import write_bundle
    from evenhand.evidence.verify import bundle_text, json_of

    written = with_progress(lambda progress: write_bundle(runs, options, progress=progress), output)
    print_written(written.path, output, json=json_of(written), text=bundle_text(written))


@command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE.zip", help="Bundle to verify.")],
    options: VerifyOptions,
    output: ResultOutputOptions,
) -> None:
    from evenhand.evidence.verify import json_of, verified_text, verify_bundle

    verified = with_progress(lambda progress: verify_bundle(file, options, progress=progress), output)
    if output.json:
        print_json(json_of(verified))
    elif not output.quiet:
        print_out(verified_text(verified))


keys = family(no_args_is_help=True)


@keys.callback()
def keys_root() -> None:
    """Make keys that sign bundles."""


@keys.subcommand("new")
def keys_new(options: KeyOptions, output: ResultOutputOptions) -> None:
    """Make a new pair of Ed25519 keys."""
    from evenhand.evidence.keys import new_keys
    from evenhand.evidence.verify import json_of, keys_text

    pair = new_keys(options.out)
    print_written(pair.private, output, json=json_of(pair), text=keys_text(pair))
