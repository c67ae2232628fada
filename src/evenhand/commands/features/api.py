"""`evenhand.features`: the vetting of a table of features from Python."""

import warnings
from typing import Any

from evenhand.commands.features.run import run_features
from evenhand.options import declared, from_python, python_names
from evenhand.runs.options.scores.features import FeatureOptions
from evenhand.runs.records.scores.features import FeaturesRun
from evenhand.tables.messages.in_python import in_python

__all__ = ["features"]


@from_python()
def features(frame: Any, *, options: FeatureOptions) -> FeaturesRun:
    """Return the finished vetting of a table of features; options as in `evenhand features`.

    `frame` is a pandas, polars or pyarrow table, an Ibis table, a path, or a connection URL. `protected` lists columns,
    `label` is what a model is to learn, `expect` a TOML file. `run.features` is the table of distributions,
    `run.proxies` how well each feature tells each group. Remarks come as Python warnings, failures as
    `evenhand.errors.EvenhandError`.

    >>> import polars as pl, tempfile
    >>> frame = pl.DataFrame({"sex": ["f", "m"] * 20, "height": [160 + n % 2 * 15 + n for n in range(40)], "one": 1})
    >>> run = features(frame, protected=["sex"], out=tempfile.mkdtemp())
    >>> run.features.select("feature", "min", "p50", "max", "verdict").rows()
    [('height', 160.0, 187.0, 214.0, 'not checked'), ('one', 1.0, 1.0, 1.0, 'violates')]
    >>> run.proxies.select("feature", "group", "direction", pl.col("auc").round(2)).row(0)
    ('height', 'm', 'higher', 0.82)
    """
    names = python_names(declared(FeatureOptions))

    def warn(line: str) -> None:
        warnings.warn(in_python(line, names), stacklevel=3)

    return run_features(frame, options, notice=warn)
