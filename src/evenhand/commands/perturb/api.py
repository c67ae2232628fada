"""`evenhand.perturb`: a perturbation test from Python."""

import warnings

from evenhand.commands.perturb.run import run_perturb
from evenhand.options import declared, from_python, python_names
from evenhand.runs.options.scores.perturb import PerturbOptions
from evenhand.runs.records.scores.perturb import PerturbRun
from evenhand.tables.messages.in_python import in_python

__all__ = ["perturb"]


@from_python(without=("write_arms", "until_width"))
def perturb(options: PerturbOptions) -> PerturbRun:
    """Return the finished perturbation test of a scorer; options as in `evenhand perturb`.

    `resumes` is a folder of résumés or JSONL, `positions` a file of positions; without both, synthetic ones are sent.
    Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.

    >>> import tempfile
    >>> run = perturb(scorer="sim:shift?female=-1", margin=2, sample=6, names_per_group=10, out=tempfile.mkdtemp())
    >>> run.finding("name_female_male_score_difference").verdict
    'difference'
    """
    names = python_names(declared(PerturbOptions))

    def warn(line: str) -> None:
        warnings.warn(in_python(line, names), stacklevel=3)

    return run_perturb(options, notice=warn)
