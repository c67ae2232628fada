"""`evenhand.impact`: the analysis of applicants from Python."""

import warnings
from pathlib import Path
from typing import Any, SupportsFloat

from evenhand.commands.impact import run_impact
from evenhand.commands.impact_options import ImpactOptions
from evenhand.errors import InputError
from evenhand.runs.finished_run import ImpactRun
from evenhand.tables.shown import quoted

__all__ = ["impact"]


def impact(frame: Any = None, **options: Any) -> ImpactRun:
    """Return the finished analysis of a table of applicants; options as in `evenhand impact`.

    `frame` is a pandas, polars or pyarrow table, an Ibis table, a path, a connection URL, the folder of a
    finished probe, or numbers, selected and applicants by group. `protected` lists columns; `selected`, or `score`
    with `cutoff`, `median` or `means`, says who is selected; `reference` may be 'highest', 'largest' or
    {'gender': 'male'}. Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.

    >>> import polars as pl, tempfile, warnings
    >>> warnings.simplefilter("ignore")
    >>> frame = pl.DataFrame({"sex": ["f", "m"] * 20, "hired": ["no", "yes", "no", "no"] * 10})
    >>> run = impact(frame, selected="hired", protected=["sex"], out=tempfile.mkdtemp())
    >>> run.rows.select("focal", "impact_ratio", "four_fifths").row(0)
    ('f', 0.0, 'below')
    >>> run = impact({"women": (557, 1835), "men": (1198, 2691)}, out=tempfile.mkdtemp())
    >>> round(run.finding("impact_ratio_group_women").estimate, 4)
    0.6818
    """

    def warn(line: str) -> None:
        warnings.warn(line, stacklevel=3)

    return run_impact(frame, _python_options(options), notice=warn)


def _python_options(given: dict[str, Any]) -> ImpactOptions:
    """Return options with the names and shapes of Python as those of the command line."""
    named = dict(given)
    reference = named.pop("reference", ())
    if isinstance(reference, dict):
        named["references"] = tuple(f"{attribute}={group}" for attribute, group in reference.items())
    else:
        named["references"] = (reference,) if isinstance(reference, str) else tuple(reference)
    cutoff = named.pop("cutoff", None)
    given_cutoffs = () if cutoff is None else cutoff if isinstance(cutoff, list | tuple) else (cutoff,)
    named["cutoffs"] = tuple(_number(value, "cutoff") for value in given_cutoffs)
    if "min_share" in named:
        named["min_share"] = _number(named["min_share"], "min_share")
    if named.get("reference_floor") is not None:
        named["reference_floor"] = _number(named["reference_floor"], "reference_floor")
    for name in ("protected", "where", "given", "unknown", "undecided", "counts"):
        values = (named[name],) if isinstance(named.get(name), str) else tuple(named.get(name) or ())
        wrong = next((value for value in values if not isinstance(value, str)), None)
        if wrong is not None:
            raise InputError(f"{name} holds {quoted(wrong)}; expected texts.")
        named[name] = values
    _check_columns(named)
    limit = named.get("unpack_limit", 1)
    if isinstance(limit, bool) or not isinstance(limit, int):
        raise InputError(f"unpack_limit is {quoted(limit)}; expected whole megabytes.")
    if named.get("out") is not None:
        named["out"] = Path(named["out"])
    known = ImpactOptions.__dataclass_fields__
    for name in named:
        if name not in known:
            names = sorted({"cutoffs": "cutoff", "references": "reference"}.get(each, each) for each in known)
            raise InputError(f"impact has no option {quoted(name)}; there are {', '.join(names)}.")
    return ImpactOptions(**named)


def _check_columns(named: dict[str, Any]) -> None:
    for name in ("selected", "score", "count", "applicants", "selected_count", "position", "stage", "unit"):
        if not isinstance(named.get(name), str | None):
            raise InputError(f"{name} is {quoted(named[name])}; expected the name of a column.")


def _number(value: Any, name: str) -> float:
    """Return a number that was given as one."""
    if isinstance(value, bool) or not isinstance(value, SupportsFloat):
        raise InputError(f"{name} is {quoted(value)}; expected a number.")
    return float(value)
