"""Commands about answers that several machines collected."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli._app import collect
from evenhand.cli._options import Corpus, FailOn, Force, Json, Labels, Quiet, RedactAnswers, Templates
from evenhand.cli._show import notice, show


@collect.callback()
def collect_root() -> None:
    """Join what several machines asked with --shard."""


@collect.command("merge")
def collect_merge(
    parts: Annotated[list[Path], typer.Argument(metavar="DIR…", help="Folders of runs with --shard i/n.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the whole run.")],
    force: Force = False,
    corpus: Corpus = None,
    templates: Templates = None,
    labels: Labels = None,
    redact_answers: RedactAnswers = False,
    fail_on: FailOn = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Join the parts of a run into one; measure and report as if one machine had asked."""
    from evenhand.commands.collect_merge import merge_runs

    show(
        lambda _: merge_runs(
            parts,
            out=out,
            force=force,
            notice=notice,
            settings={"corpus": corpus, "templates": templates, "labels": labels},
            redact_answers=redact_answers,
        ),
        json,
        quiet,
        fail_on,
    )
