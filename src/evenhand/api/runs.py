"""The functions of `import evenhand` that ask models and measure answers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evenhand.analyses.compare_runs import compare as compare_models
from evenhand.analyses.options import probes
from evenhand.analyses.plan import make_plan
from evenhand.analyses.probes import measure_saved, run_audit, run_probe
from evenhand.analyses.run import Run
from evenhand.api import warner
from evenhand.errors import InputError
from evenhand.options import from_python


@from_python(
    settings=probes.offered([name for suite in probes.SUITES.values() for name in suite]),
    without=("preset", "judge", "judge_base_url"),
)
def audit(options: probes.SuiteOptions) -> Run:
    """Return the finished run of a suite of probes.

    The folder `out` then holds one folder per probe, findings.json and report.html.
    Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.

    >>> import tempfile
    >>> run = audit("sim:masculine", out=Path(tempfile.mkdtemp()) / "run", sample=200)
    >>> run.finding("diff_acceptance_rate").estimate, run.report_path.exists()
    (1.0, True)
    """
    return run_audit(options, notice=warner(probes.SuiteOptions))


@from_python(settings=probes.offered())
def probe(name: str, options: probes.ProbeOptions) -> Run:
    """Return the finished run of one probe; as `audit` otherwise."""
    return run_probe(name, options, notice=warner(probes.ProbeOptions))


@from_python(settings=probes.offered())
def plan(name: str, options: probes.PlanOptions) -> dict[str, Any]:
    """Return requests, tokens, cost and the minimum detectable effects of a probe or suite; no model is queried.

    >>> plan("hiring-an", "openai:gpt-4o", sample=400)["requests"]
    400
    """
    return dict(make_plan(name, options).content)


@from_python(settings=probes.offered())
def measure(name: str, answers: str | Path, options: probes.MeasureOptions) -> Run:
    """Return the findings of saved answers (JSONL, Parquet or CSV) of the probe `name`."""
    return measure_saved(name, Path(answers), options, notice=warner(probes.MeasureOptions))


@from_python()
def compare(runs: Sequence[str | Path | Run], options: probes.CompareOptions) -> Run:
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
        raise InputError(f"runs is one string; expected several runs or folders: compare([{runs!r}, …]).")
    paths = [run.folder if isinstance(run, Run) else Path(run) for run in runs]
    return compare_models(paths, options, notice=warner(probes.CompareOptions))
