"""`evenhand demo`: the whole tour on the embedded default."""

from evenhand.commands.audit import run_audit
from evenhand.runs.finished_run import Run
from evenhand.runs.options.output import Output
from evenhand.runs.options.suite import SuiteOptions
from evenhand.runs.progress import Notices, Progress

__all__ = ["DEMO_MODEL", "run_demo"]

#: Strong enough to be seen, weak enough that the intervals matter.
DEMO_MODEL = "sim:stereotyping?strength=0.3"


def run_demo(output: Output, *, notice: Notices, progress: Progress | None = None) -> Run:
    """Return the finished audit of a simulated model."""
    options = SuiteOptions(model=DEMO_MODEL, out=output.out, force=output.force, seed=output.seed)
    return run_audit(options, notice=notice, progress=progress, command="demo")
