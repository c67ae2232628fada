"""Where a run is written, and what its random numbers are drawn by."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from evenhand.options import Group, Option

__all__ = ["LARGEST_SEED", "Force", "Output", "Reported", "Seed", "default_out", "seed_option"]

#: Servers take 64-bit seeds, and each repetition adds one.
LARGEST_SEED = 2**53


def seed_option(told: str) -> Option:
    """Return the option of a seed."""
    return Option(
        told,
        check=lambda seed: 0 <= seed <= LARGEST_SEED,
        expected=f"a whole number from 0 to {LARGEST_SEED}",
        same=True,
    )


Seed = Annotated[int, seed_option("Fixes which prompts are drawn, their order, and all resampling.")]


Force = Annotated[
    bool, Option("Replace a run that --out holds; other folders are left alone.", kept=False, again=False)
]


@dataclass(frozen=True, kw_only=True)
class Output(Group):
    """Where a run is written; without `out` below runs/."""

    out: Annotated[
        Path | None, Option("Folder of the run; default runs/<command>-<UTC time>.", kept=False, again=False)
    ] = None
    force: Force = False
    seed: Seed = 0

    def folder(self, command: str) -> Path:
        """Return the folder of a run of `command`."""
        return self.out if self.out is not None else default_out(command)


@dataclass(frozen=True, kw_only=True)
class Reported(Output):
    """Where a run is written, and whether its page is drawn; `evenhand report` draws it later."""

    report: Annotated[bool, Option("Write tables and findings only, which is faster.", kept=False, again=False)] = True


def default_out(command: str, *, now: datetime | None = None, runs: Path = Path("runs")) -> Path:
    """Return a folder below runs/ that is not there yet, named by command and UTC time."""
    moment = (now if now is not None else datetime.now(UTC)).strftime("%Y%m%dT%H%M%SZ")
    path, number = runs / f"{command}-{moment}", 2
    while path.exists():
        path, number = runs / f"{command}-{moment}-{number}", number + 1
    return path
