"""`evenhand.impact`: the analysis of applicants from Python."""

import warnings
from typing import Any

from evenhand.commands.impact.run import run_impact
from evenhand.options import declared, from_python, python_names
from evenhand.runs.options.impact import ImpactOptions
from evenhand.runs.records.impact import ImpactRun
from evenhand.tables.messages.in_python import in_python

__all__ = ["impact"]


@from_python()
def impact(frame: Any = None, *, options: ImpactOptions) -> ImpactRun:
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
    names = python_names(declared(ImpactOptions))

    def warn(line: str) -> None:
        warnings.warn(in_python(line, names), stacklevel=3)

    return run_impact(frame, options, notice=warn)
