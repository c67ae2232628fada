"""The functions of `import evenhand`: the commands on runs, with the same options and results."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evenhand.analyses.compare_runs import compare as compare_models
from evenhand.analyses.evaluate import EvaluateRun, run_evaluate
from evenhand.analyses.features import FeaturesRun, run_features
from evenhand.analyses.impact import ImpactRun, run_impact
from evenhand.analyses.match import run_explain, run_recommend, run_score, run_train
from evenhand.analyses.match_people import MatchRun
from evenhand.analyses.options import probes, scores
from evenhand.analyses.options.impact import ImpactOptions
from evenhand.analyses.options.output import BundleOptions, VerifyOptions
from evenhand.analyses.perturb import run_perturb
from evenhand.analyses.perturb_asking import PerturbRun
from evenhand.analyses.plan import make_plan
from evenhand.analyses.probes import measure_saved, run_audit, run_probe
from evenhand.analyses.progress import Notices
from evenhand.analyses.run import Run
from evenhand.errors import InputError
from evenhand.evidence.bundle import Bundled, write_bundle
from evenhand.evidence.verify import Verified, verify_bundle
from evenhand.options import declared, from_python, python_names
from evenhand.results.messages import in_python


@from_python(settings=probes.offered([name for suite in probes.SUITES.values() for name in suite]), without=("preset",))
def audit(options: probes.SuiteOptions) -> Run:
    """Return the finished run of a suite of probes.

    The folder `out` then holds one folder per probe, findings.json and report.html.
    Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.

    >>> import tempfile
    >>> run = audit("sim:masculine", out=Path(tempfile.mkdtemp()) / "run", sample=200)
    >>> run.finding("diff_acceptance_rate").estimate, run.report_path.exists()
    (1.0, True)
    """
    return run_audit(options, notice=_warner(probes.SuiteOptions))


@from_python(settings=probes.offered())
def probe(name: str, options: probes.ProbeOptions) -> Run:
    """Return the finished run of one probe; as `audit` otherwise."""
    return run_probe(name, options, notice=_warner(probes.ProbeOptions))


@from_python(settings=probes.offered())
def plan(name: str, options: probes.PlanOptions) -> dict[str, Any]:
    """Return requests, tokens, cost and the minimum detectable effects of a probe or suite; no model is queried.

    >>> plan("hiring-an", "openai:gpt-4o", sample=400)["requests"]
    400
    """
    return dict(make_plan(name, options).content)


@from_python(settings=probes.offered(where=lambda field: field.option.measured))
def measure(name: str, answers: str | Path, options: probes.MeasureOptions) -> Run:
    """Return the findings of saved answers (JSONL, Parquet or CSV) of the probe `name`."""
    return measure_saved(name, Path(answers), options, notice=_warner(probes.MeasureOptions))


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
        raise InputError(f"runs is one text; expected several runs or folders: compare([{runs!r}, …]).")
    paths = [run.folder if isinstance(run, Run) else Path(run) for run in runs]
    return compare_models(paths, options, notice=_warner(probes.CompareOptions))


def _warner(group: Any, *, stacklevel: int = 2) -> Notices:
    """Return a function that passes remarks on as Python warnings, with Python's names of options."""
    names = python_names(declared(group))

    def warn(line: str) -> None:
        warnings.warn(in_python(line, names), stacklevel=stacklevel)

    return warn


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
    return run_impact(frame, options, notice=_warner(ImpactOptions, stacklevel=3))


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
    return run_evaluate(frame, options, notice=_warner(scores.EvaluateOptions, stacklevel=3))


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
    return run_features(frame, options, notice=_warner(scores.FeatureOptions, stacklevel=3))


@from_python(without=("write_arms", "until_width"))
def perturb(options: scores.PerturbOptions) -> PerturbRun:
    """Return the finished perturbation test of a scorer; options as in `evenhand perturb`.

    `resumes` is a folder of résumés or JSONL, `positions` a file of positions; without both, synthetic ones are sent.
    Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.

    >>> import tempfile
    >>> run = perturb(scorer="sim:shift?female=-1", margin=2, sample=6, names_per_group=10, out=tempfile.mkdtemp())
    >>> run.finding("name_female_male_score_difference").verdict
    'difference'
    """
    return run_perturb(options, notice=_warner(scores.PerturbOptions, stacklevel=3))


@from_python()
def match_train(pairs: str | Path, *, options: scores.TrainOptions) -> MatchRun:
    """Return the finished training of a matcher on labelled pairs; options as in `evenhand match train`.

    The run's folder has matcher.json. Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.
    """
    return run_train(Path(pairs), options, notice=_warner(scores.TrainOptions, stacklevel=3))


@from_python()
def match_score(options: scores.ScoreOptions) -> MatchRun:
    """Return the finished scoring of pairs, whose folder has scores.csv; options as in `evenhand match score`."""
    return run_score(options)


@from_python()
def match_explain(options: scores.ScoreOptions) -> MatchRun:
    """Return the finished explanation of pairs, whose folder has explanations.jsonl; as `evenhand match explain`."""
    return run_explain(options)


@from_python()
def match_recommend(options: scores.RecommendOptions) -> MatchRun:
    """Return the finished ranking, whose folder has recommendations.jsonl; as `evenhand match recommend`."""
    return run_recommend(options)


@from_python()
def bundle(runs: str | Path | Run | Sequence[str | Path | Run], *, options: BundleOptions) -> Bundled:
    """Write finished runs, or their folders, into one file that an outside auditor can check.

    Raises
    ------
    InputError
        A run is unfinished or was changed, the key can't be used, or the file can't be written.

    >>> import tempfile
    >>> from evenhand import impact
    >>> folder = Path(tempfile.mkdtemp())
    >>> run = impact({"women": (557, 1835), "men": (1198, 2691)}, out=folder / "run")
    >>> written = bundle(run, out=folder / "run.zip")
    >>> written.runs, written.key is None
    (('runs/1-impact',), True)
    >>> [(run.recomputed, run.findings) for run in verify(written.path).runs]
    [(3, 3)]
    """
    several = [runs] if isinstance(runs, str | Path | Run) else runs
    return write_bundle([run.folder if isinstance(run, Run) else Path(run) for run in several], options)


@from_python()
def verify(file: str | Path, options: VerifyOptions) -> Verified:
    """Verify a bundle, recomputing its findings from its content.

    Raises
    ------
    InputError
        The file is no bundle, unsafe, or of a newer version, or the key can't be used.
    CheckFailed
        A part of the bundle was changed; the message names the first.

    """
    return verify_bundle(Path(file), options)
