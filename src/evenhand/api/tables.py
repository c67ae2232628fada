"""The functions of `import evenhand` that analyse tables of people."""

from collections.abc import Callable
from typing import Any

from evenhand.analyses.evaluate import EvaluateRun, run_evaluate
from evenhand.analyses.features import FeaturesRun, run_features
from evenhand.analyses.impact import ImpactRun, run_impact
from evenhand.analyses.options import scores
from evenhand.analyses.options.impact import ImpactOptions
from evenhand.analyses.run import Run, run_analysis
from evenhand.api import warner
from evenhand.options import from_python
from evenhand.results.kinds import loaded, run_kind


def function_of(kind: str) -> Callable[..., Run]:
    """Return the function that makes runs of a kind of what it reads and of its options, as its command does."""

    def made(frame: Any, *, options: Any) -> Run:
        return run_analysis(kind, frame, options, notice=warner(type(options), stacklevel=3))

    made.__name__, made.__annotations__["options"] = kind, loaded(run_kind(kind).options)
    return from_python()(made)


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
    return run_impact(frame, options, notice=warner(ImpactOptions, stacklevel=3))


@from_python()
def evaluate(frame: Any, *, options: scores.EvaluateOptions) -> EvaluateRun:
    """Return the finished evaluation of a score by its outcomes; options as in `evenhand evaluate`.

    `frame` is a pandas, polars or pyarrow table, an Ibis table, a path or a connection URL. `label` names the column
    of outcomes, `score` that of the score; `cutoff` says who is selected, `protected` lists the groups'
    columns. Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.

    >>> import polars as pl, tempfile, warnings
    >>> warnings.simplefilter("ignore")
    >>> stayed, score = [1, 0, 1, 0, 0, 1, 0, 1], [n / 9 for n in range(8)]
    >>> frame = pl.DataFrame({"sex": ["f", "m"] * 4, "stayed": stayed, "score": score})
    >>> run = evaluate(frame, label="stayed", score="score", cutoff=0.4, protected=["sex"], out=tempfile.mkdtemp())
    >>> run.finding("auc").estimate, run.finding("tpr_sex_m").estimate
    (0.5, 1.0)
    """
    return run_evaluate(frame, options, notice=warner(scores.EvaluateOptions, stacklevel=3))


@from_python()
def features(frame: Any, *, options: scores.FeatureOptions) -> FeaturesRun:
    """Return the finished vetting of a table of features; options as in `evenhand features`.

    `frame` is a pandas, polars or pyarrow table, an Ibis table, a path, or a connection URL. `protected` lists columns,
    `label` is the column a model is to learn, `expect` a TOML file. `run.features` is the table of distributions,
    `run.proxies` how well each feature predicts each group. Remarks come as Python warnings, failures as
    `evenhand.errors.EvenhandError`.

    >>> import polars as pl, tempfile
    >>> frame = pl.DataFrame({"sex": ["f", "m"] * 20, "height": [160 + n % 2 * 15 + n for n in range(40)], "one": 1})
    >>> run = features(frame, protected=["sex"], out=tempfile.mkdtemp())
    >>> run.features.select("feature", "min", "p50", "max", "verdict").rows()
    [('height', 160.0, 187.0, 214.0, 'not checked'), ('one', 1.0, 1.0, 1.0, 'violates')]
    >>> run.proxies.select("feature", "group", "direction", pl.col("auc").round(2)).row(0)
    ('height', 'm', 'higher', 0.82)
    """
    return run_features(frame, options, notice=warner(scores.FeatureOptions, stacklevel=3))
