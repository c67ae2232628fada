"""What `import evenhand` offers: the commands that ask and measure, as functions."""

import warnings
from pathlib import Path
from typing import Any

from evenhand.commands.audit import run_audit
from evenhand.commands.measure import measure_saved
from evenhand.commands.plan import make_plan
from evenhand.commands.probe import run_probe
from evenhand.options import from_python
from evenhand.runs.finished_run import Run
from evenhand.runs.options.measuring import MeasureOptions
from evenhand.runs.options.probe import PlanOptions, ProbeOptions
from evenhand.runs.options.settings import offered
from evenhand.runs.options.suite import SUITES, SuiteOptions

__all__ = ["audit", "measure", "plan", "probe"]


@from_python(settings=offered([name for suite in SUITES.values() for name in suite]), without=("preset",))
def audit(options: SuiteOptions) -> Run:
    """Return the finished run of a suite of probes.

    The folder `out` then holds one folder per probe, findings.json and report.html.
    Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.

    >>> import tempfile
    >>> run = audit("sim:masculine", out=Path(tempfile.mkdtemp()) / "run", sample=200)
    >>> run.finding("diff_acceptance_rate").estimate, run.report_path.exists()
    (1.0, True)
    """
    return run_audit(options, notice=_warn)


@from_python(settings=offered())
def probe(name: str, options: ProbeOptions) -> Run:
    """Return the finished run of one probe; as `audit` otherwise."""
    return run_probe(name, options, notice=_warn)


@from_python(settings=offered())
def plan(name: str, options: PlanOptions) -> dict[str, Any]:
    """Return requests, tokens, cost and the minimum detectable effects of a probe or suite; nothing is asked.

    >>> plan("hiring-an", "openai:gpt-4o", sample=400)["requests"]
    400
    """
    return dict(make_plan(name, options).content)


@from_python(settings=offered(where=lambda each: each.option.measured))
def measure(name: str, answers: str | Path, options: MeasureOptions) -> Run:
    """Return the findings of saved answers (JSONL or Parquet) of the probe `name`."""
    return measure_saved(name, Path(answers), options, notice=_warn)


def _warn(line: str) -> None:
    warnings.warn(line, stacklevel=2)
