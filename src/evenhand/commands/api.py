"""What `import evenhand` offers: the commands as functions."""

import warnings
from pathlib import Path

from evenhand.commands._plan import ProbeOptions, Service
from evenhand.commands._run import Run
from evenhand.commands.audit import run_audit
from evenhand.commands.measure import measure_saved
from evenhand.commands.probe import run_probe
from evenhand.models._model import Generation

__all__ = ["audit", "measure", "probe"]


def audit(
    model: str,
    *,
    out: str | Path | None = None,
    suite: str = "standard",
    sample: int | None = None,
    design: str | None = None,
    repetitions: int = 1,
    seed: int = 0,
    temperature: float | None = None,
    max_tokens: int | None = None,
    base_url: str | None = None,
    timeout: float = 120.0,
    concurrency: int = 16,
    force: bool = False,
    resume: bool = False,
) -> Run:
    """Return the finished run of a suite of probes.

    The folder `out` then holds one folder per probe, findings.json and report.html.
    Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.

    >>> import tempfile
    >>> run = audit("sim:masculine", out=Path(tempfile.mkdtemp()) / "run", sample=200)
    >>> run.finding("diff_acceptance_rate")["estimate"], run.report_path.exists()
    (1.0, True)
    """
    options = ProbeOptions(
        model=model,
        sample=sample,
        design=design,
        repetitions=repetitions,
        seed=seed,
        generation=Generation(temperature=temperature, max_tokens=max_tokens),
        service=Service(base_url=base_url, timeout=timeout, concurrency=concurrency),
        out=None if out is None else Path(out),
        force=force,
        resume=resume,
    )
    return run_audit(options, suite=suite, notice=_warn)


def probe(
    name: str,
    model: str,
    *,
    out: str | Path | None = None,
    sample: int | None = None,
    design: str | None = None,
    repetitions: int = 1,
    seed: int = 0,
    temperature: float | None = None,
    max_tokens: int | None = None,
    base_url: str | None = None,
    timeout: float = 120.0,
    concurrency: int = 16,
    force: bool = False,
    resume: bool = False,
) -> Run:
    """Return the finished run of one probe; as `audit` otherwise."""
    options = ProbeOptions(
        model=model,
        sample=sample,
        design=design,
        repetitions=repetitions,
        seed=seed,
        generation=Generation(temperature=temperature, max_tokens=max_tokens),
        service=Service(base_url=base_url, timeout=timeout, concurrency=concurrency),
        out=None if out is None else Path(out),
        force=force,
        resume=resume,
    )
    return run_probe(name, options, notice=_warn)


def measure(
    name: str, answers: str | Path, *, out: str | Path | None = None, seed: int = 0, force: bool = False
) -> Run:
    """Return the findings of saved answers (JSONL or Parquet) of the probe `name`."""
    return measure_saved(
        name, Path(answers), seed=seed, out=None if out is None else Path(out), force=force, notice=_warn
    )


def _warn(line: str) -> None:
    warnings.warn(line, stacklevel=2)
