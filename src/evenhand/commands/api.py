"""What `import evenhand` offers: the commands that ask and measure, as functions."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evenhand.commands.audit import run_audit
from evenhand.commands.compare import compare as compare_models
from evenhand.commands.measure import measure_saved
from evenhand.commands.plan import make_plan
from evenhand.commands.probe import run_probe
from evenhand.errors import InputError
from evenhand.options import declared, from_python, python_names
from evenhand.runs.finished_run import Run
from evenhand.runs.options.measuring import CompareOptions, MeasureOptions
from evenhand.runs.options.probe import PlanOptions, ProbeOptions
from evenhand.runs.options.settings import offered
from evenhand.runs.options.suite import SUITES, SuiteOptions
from evenhand.runs.progress import Notices
from evenhand.tables.messages.in_python import in_python

__all__ = ["audit", "compare", "measure", "plan", "probe"]


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
    return run_audit(options, notice=_warner(SuiteOptions))


@from_python(settings=offered())
def probe(name: str, options: ProbeOptions) -> Run:
    """Return the finished run of one probe; as `audit` otherwise."""
    return run_probe(name, options, notice=_warner(ProbeOptions))


@from_python(settings=offered())
def plan(name: str, options: PlanOptions) -> dict[str, Any]:
    """Return requests, tokens, cost and the minimum detectable effects of a probe or suite; nothing is asked.

    >>> plan("hiring-an", "openai:gpt-4o", sample=400)["requests"]
    400
    """
    return dict(make_plan(name, options).content)


@from_python(settings=offered(where=lambda each: each.option.measured))
def measure(name: str, answers: str | Path, options: MeasureOptions) -> Run:
    """Return the findings of saved answers (JSONL, Parquet or CSV) of the probe `name`."""
    return measure_saved(name, Path(answers), options, notice=_warner(MeasureOptions))


@from_python()
def compare(runs: Sequence[str | Path | Run], options: CompareOptions) -> Run:
    """Return the comparison of finished runs of `probe`, `measure` or `audit`: models side by side.

    `runs` are runs, or their folders.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> runs = [probe("hiring-an", f"sim:{kind}", out=folder / kind, sample=200) for kind in ("unbiased", "masculine")]
    >>> both = compare(runs, out=folder / "both")
    >>> [round(row.estimate) for row in both.findings if row.measure == "diff_acceptance_rate"]
    [0, 1, -1]
    """
    if isinstance(runs, str):
        raise InputError(f"runs is one text; expected several runs or folders: compare([{runs!r}, …]).")
    paths = [each.folder if isinstance(each, Run) else Path(each) for each in runs]
    return compare_models(paths, options, notice=_warner(CompareOptions))


def _warner(group: Any) -> Notices:
    """Return what gives remarks as Python warnings; options are called as in Python."""
    names = python_names(declared(group))

    def warn(line: str) -> None:
        warnings.warn(in_python(line, names), stacklevel=2)

    return warn
