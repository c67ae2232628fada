"""Commands about answers that several machines collected."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli._command import command, family
from evenhand.cli._options import Shown
from evenhand.cli._show import notice, show
from evenhand.runs.options.probe import MergeOptions
from evenhand.runs.options.settings import offered

__all__ = ["collect"]

collect = family()


@collect.callback()
def collect_root() -> None:
    """Join what several machines asked with --shard."""


@collect.command("merge")
@command(settings=offered(where=lambda each: each.kind is Path))
def collect_merge(
    parts: Annotated[list[Path], typer.Argument(metavar="DIR…", help="Folders of runs with --shard i/n.")],
    options: MergeOptions,
    settings: Mapping[str, Path],
    shown: Shown,
) -> None:
    """Join the parts of a run into one; measure and report as if one machine had asked."""
    from evenhand.commands.collect_merge import merge_runs

    show(lambda _: merge_runs(parts, options, files=settings, notice=notice), shown)
