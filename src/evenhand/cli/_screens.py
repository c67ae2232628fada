"""What a person sees of a finished run in the terminal, by its kind; each kind loads what it needs."""

from collections.abc import Callable, Mapping
from typing import Final

from evenhand.runs.finished_run import ImpactRun, Run

__all__ = ["SCREENS", "screen_text"]


def _findings(run: Run) -> str:
    from evenhand.commands.screen import findings_text

    return findings_text(run)


def _impact(run: Run) -> str:
    from evenhand.commands.impact.screen import impact_text

    assert isinstance(run, ImpactRun)
    return impact_text(run)


#: The screen of each kind of run; a new kind is an entry here.
SCREENS: Final[Mapping[str, Callable[[Run], str]]] = {
    "probe": _findings,
    "measure": _findings,
    "suite": _findings,
    "compare": _findings,
    "impact": _impact,
}


def screen_text(run: Run) -> str:
    """Return what a person sees of a finished run."""
    return SCREENS[run.audit.kind](run)
