"""The functions of `import evenhand` that score résumés: perturbation tests and match scores."""

from pathlib import Path

from evenhand.analyses.match import run_explain, run_recommend, run_score, run_train
from evenhand.analyses.match_people import MatchRun
from evenhand.analyses.options import scores
from evenhand.analyses.perturb import run_perturb
from evenhand.analyses.perturb_asking import PerturbRun
from evenhand.analyses.study import StudyRun, run_study
from evenhand.api import warner
from evenhand.options import from_python


@from_python(without=("write_arms", "until_width"))
def perturb(options: scores.PerturbOptions) -> PerturbRun | StudyRun:
    """Return the finished perturbation test of a scorer, or of scores that exist; options as in `evenhand perturb`.

    `resumes` is a folder of résumés or JSONL, `positions` a file of positions; without both, synthetic ones are sent.
    `scores` is a pandas, polars or pyarrow table, an Ibis table, a path or a connection URL. Remarks come as Python
    warnings, failures as `evenhand.errors.EvenhandError`.

    >>> import tempfile
    >>> run = perturb(scorer="sim:shift?female=-1", margin=2, sample=6, names_per_group=10, out=tempfile.mkdtemp())
    >>> run.finding("name_female_male_score_difference").verdict
    'difference'
    """
    notice = warner(scores.PerturbOptions, stacklevel=3)
    if options.scores is not None:
        return run_study(options.scores, options.study, notice=notice)
    return run_perturb(options, notice=notice)


@from_python()
def match_train(pairs: str | Path, *, options: scores.TrainOptions) -> MatchRun:
    """Return the finished training of a matcher on labelled pairs; options as in `evenhand match train`.

    The run's folder has matcher.json. Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.
    """
    return run_train(Path(pairs), options, notice=warner(scores.TrainOptions, stacklevel=3))


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
