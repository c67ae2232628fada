"""Commands for outside auditors: bundles, their verification, keys."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from evenhand.analyses.options.output import BundleOptions, KeyOptions, VerifyOptions
from evenhand.cli._command import ResultOutputOptions, command, family
from evenhand.cli._show import print_json, print_out, with_progress


@command()
def bundle(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of finished runs.")],
    options: BundleOptions,
    shown: ResultOutputOptions,
) -> None:
    from evenhand.evidence.bundle import write_bundle
    from evenhand.evidence.verify import bundle_text, json_of

    written = _result_with_progress(lambda progress: write_bundle(runs, options, progress=progress), shown)
    if shown.json:
        print_json(json_of(written))
        return
    if not shown.quiet:
        print_out(bundle_text(written))
    print_out(str(written.path))


@command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE.zip", help="A bundle.")],
    options: VerifyOptions,
    shown: ResultOutputOptions,
) -> None:
    from evenhand.evidence.verify import json_of, verified_text, verify_bundle

    found = _result_with_progress(lambda progress: verify_bundle(file, options, progress=progress), shown)
    if shown.json:
        print_json(json_of(found))
    elif not shown.quiet:
        print_out(verified_text(found))


def _result_with_progress(make: Callable[[Any], Any], shown: ResultOutputOptions) -> Any:
    """Return what is made; on a terminal the progress is drawn."""
    return make(None) if shown.quiet or not sys.stderr.isatty() else with_progress(make)


keys = family(no_args_is_help=True)


@keys.callback()
def keys_root() -> None:
    """Make keys that sign bundles."""


@keys.command("new")
@command()
def keys_new(options: KeyOptions, shown: ResultOutputOptions) -> None:
    """Make a new pair of Ed25519 keys."""
    from evenhand.evidence.keys import new_keys
    from evenhand.evidence.verify import json_of, keys_text

    made = new_keys(options.out)
    if shown.json:
        print_json(json_of(made))
        return
    if not shown.quiet:
        print_out(keys_text(made))
    print_out(str(made.private))
