"""What is shown of a result, and arguments that commands share."""

from dataclasses import dataclass
from typing import Annotated

import typer

from evenhand.options import Group, Option
from evenhand.probes import NAMES

__all__ = ["PROBE_HELP", "AsJson", "ProbeName", "Shown", "ShownResult"]

PROBE_HELP = f"{', '.join(NAMES[:-1])} or {NAMES[-1]}."
ProbeName = Annotated[str, typer.Argument(metavar="PROBE", help=PROBE_HELP)]


@dataclass(frozen=True, kw_only=True)
class Shown(Group):
    """What is shown of a run, and whether it counts as failed."""

    fail_on: Annotated[
        tuple[str, ...],
        Option(
            "Exit 1 if it holds: below, difference, gap:MEASURE=LIMIT, mark:B|C|D, not-equivalent, undetected:SHARE, "
            "worse:MEASURE=LIMIT.",
            commas=True,
        ),
    ] = ()
    json: Annotated[bool, Option("Print findings.json on stdout and nothing else there.")] = False
    quiet: Annotated[bool, Option("No summary and no progress.")] = False


@dataclass(frozen=True, kw_only=True)
class AsJson(Group):
    """Whether a result is shown as JSON."""

    json: Annotated[bool, Option("Print the result as JSON on stdout and nothing else there.")] = False


@dataclass(frozen=True, kw_only=True)
class ShownResult(AsJson):
    """What is shown of a result that is no run."""

    quiet: Annotated[bool, Option("No summary and no remarks.")] = False
