"""`evenhand.evaluate`: scores beside what happened, from Python."""

import warnings
from typing import Any

from evenhand.commands.evaluate.run import run_evaluate
from evenhand.options import declared, from_python, python_names
from evenhand.runs.options.evaluate import EvaluateOptions
from evenhand.runs.records.evaluate import EvaluateRun
from evenhand.tables.messages.in_python import in_python

__all__ = ["evaluate"]


@from_python()
def evaluate(frame: Any, *, options: EvaluateOptions) -> EvaluateRun:
    """Return the finished evaluation of a score beside what happened; options as in `evenhand evaluate`.

    `frame` is a pandas, polars or pyarrow table, an Ibis table, a path or a connection URL. `label` names the column
    with what happened, `score` that of the score; `cutoff` says who is selected, `protected` lists the groups'
    columns. Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.

    >>> import polars as pl, tempfile, warnings
    >>> warnings.simplefilter("ignore")
    >>> stayed, score = [1, 0, 1, 0, 0, 1, 0, 1], [n / 9 for n in range(8)]
    >>> frame = pl.DataFrame({"sex": ["f", "m"] * 4, "stayed": stayed, "score": score})
    >>> run = evaluate(frame, label="stayed", score="score", cutoff=0.4, protected=["sex"], out=tempfile.mkdtemp())
    >>> run.finding("auc").estimate, run.finding("tpr_sex_m").estimate
    (0.5, 1.0)
    """
    names = python_names(declared(EvaluateOptions))

    def warn(line: str) -> None:
        warnings.warn(in_python(line, names), stacklevel=3)

    return run_evaluate(frame, options, notice=warn)
