"""What `import evenhand` offers: the commands as functions."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

from evenhand.commands.audit import run_audit
from evenhand.commands.measure import measure_saved
from evenhand.commands.plan import make_plan
from evenhand.commands.probe import run_probe
from evenhand.models.model import Generation
from evenhand.runs.finished_run import Run
from evenhand.runs.options import ProbeOptions, Service, Shards

__all__ = ["RunOptions", "audit", "measure", "plan", "probe"]


#: Options that only some probes have.
SETTINGS = (
    *("corpus", "num_reorders", "templates", "smoothing"),
    *("roles", "seeds", "base_templates", "labels", "mixed", "monte_carlo"),
)


class RunOptions(TypedDict, total=False):
    """The options of `audit` and `probe`; what is left out has the command line's default."""

    out: str | Path
    sample: int
    design: str
    repetitions: int
    seed: int
    temperature: float
    max_tokens: int
    base_url: str | Sequence[str]
    timeout: float
    concurrency: int
    rpm: float
    tpm: float
    max_requests: int
    max_cost: float
    prices: str | Path
    until_width: float
    batch: bool
    shard: str
    redact_answers: bool
    force: bool
    resume: bool
    corpus: str | Path
    num_reorders: int
    templates: str | Path
    smoothing: float
    roles: str | Path
    seeds: str
    base_templates: int
    labels: str | Path
    mixed: bool
    monte_carlo: int
    preset: str


def audit(model: str, *, suite: str = "standard", **options: Unpack[RunOptions]) -> Run:
    """Return the finished run of a suite of probes.

    The folder `out` then holds one folder per probe, findings.json and report.html.
    Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.

    >>> import tempfile
    >>> run = audit("sim:masculine", out=Path(tempfile.mkdtemp()) / "run", sample=200)
    >>> run.finding("diff_acceptance_rate").estimate, run.report_path.exists()
    (1.0, True)
    """
    return run_audit(_options(model, options), suite=suite, notice=_warn)


def probe(name: str, model: str, **options: Unpack[RunOptions]) -> Run:
    """Return the finished run of one probe; as `audit` otherwise."""
    return run_probe(name, _options(model, options), notice=_warn)


def plan(name: str, model: str, **options: Unpack[RunOptions]) -> dict[str, Any]:
    """Return requests, tokens, cost and the smallest detectable effects of a probe or suite; nothing is asked.

    >>> plan("hiring-an", "openai:gpt-4o", sample=400)["requests"]
    400
    """
    return dict(make_plan(name, _options(model, options)).content)


def measure(
    name: str,
    answers: str | Path,
    *,
    out: str | Path | None = None,
    seed: int = 0,
    force: bool = False,
    compat: str | None = None,
    templates: str | Path | None = None,
    smoothing: float | None = None,
    roles: str | Path | None = None,
    labels: str | Path | None = None,
    mixed: bool = False,
    monte_carlo: int | None = None,
) -> Run:
    """Return the findings of saved answers (JSONL or Parquet) of the probe `name`."""
    return measure_saved(
        name,
        Path(answers),
        seed=seed,
        out=None if out is None else Path(out),
        force=force,
        notice=_warn,
        compat=compat,
        settings=_settings(
            {
                "templates": templates,
                "smoothing": smoothing,
                "roles": None if roles is None else str(roles),
                "labels": labels,
                "mixed": mixed,
                "monte_carlo": monte_carlo,
            }
        ),
    )


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that were given, files as paths."""
    files = ("corpus", "templates", "labels")
    return {
        name: Path(value) if name in files else value
        for name, value in given.items()
        if value is not None and value is not False
    }


def _options(model: str, given: RunOptions) -> ProbeOptions:
    """Return the options of a run, sorted to where they belong."""
    rest: dict[str, Any] = dict(given)
    of_model = {key: rest.pop(key) for key in ("temperature", "max_tokens") if key in rest}
    of_service: dict[str, Any] = {key: rest.pop(key) for key in ("timeout", "concurrency", "rpm", "tpm") if key in rest}
    addresses = rest.pop("base_url", ())
    of_service["base_urls"] = (addresses,) if isinstance(addresses, str) else tuple(addresses)
    if rest.get("prices") is not None:
        rest["prices"] = Path(rest["prices"])
    if rest.get("shard") is not None:
        rest["shard"] = Shards.parse(rest["shard"])
    settings: dict[str, Any] = {key: rest.pop(key) for key in SETTINGS if key in rest}
    out = rest.pop("out", None)
    return ProbeOptions(
        model=model,
        generation=Generation(**of_model),
        service=Service(**of_service),
        out=None if out is None else Path(out),
        settings=_settings(settings),
        **rest,
    )


def _warn(line: str) -> None:
    warnings.warn(line, stacklevel=2)
