"""`evenhand demo`: the whole tour on the embedded default."""

from pathlib import Path

from evenhand.commands.audit import run_audit
from evenhand.runs.finish import Notices, Progress
from evenhand.runs.finished_run import Run
from evenhand.runs.options import ProbeOptions

__all__ = ["DEMO_MODEL", "run_demo"]

#: Strong enough to be seen, weak enough that the intervals matter.
DEMO_MODEL = "sim:stereotyping?strength=0.3"


def run_demo(*, out: Path | None, force: bool, seed: int, notice: Notices, progress: Progress | None = None) -> Run:
    """Return the finished audit of a simulated model."""
    options = ProbeOptions(model=DEMO_MODEL, out=out, force=force, seed=seed)
    return run_audit(options, notice=notice, progress=progress, command="demo")
