"""`evenhand.match_train` and its kin: match scores from Python."""

import warnings
from pathlib import Path

from evenhand.commands.match.explain import run_explain
from evenhand.commands.match.recommend import run_recommend
from evenhand.commands.match.score import run_score
from evenhand.commands.match.train import run_train
from evenhand.options import declared, from_python, python_names
from evenhand.runs.options.scores.match import RecommendOptions, ScoreOptions, TrainOptions
from evenhand.runs.records.scores.match import MatchRun
from evenhand.tables.messages.in_python import in_python

__all__ = ["match_explain", "match_recommend", "match_score", "match_train"]


@from_python()
def match_train(pairs: str | Path, *, options: TrainOptions) -> MatchRun:
    """Return the finished training of a matcher on labelled pairs; options as in `evenhand match train`.

    The run's folder has matcher.json. Remarks come as Python warnings, failures as `evenhand.errors.EvenhandError`.
    """
    names = python_names(declared(TrainOptions))

    def warn(line: str) -> None:
        warnings.warn(in_python(line, names), stacklevel=3)

    return run_train(Path(pairs), options, notice=warn)


@from_python()
def match_score(options: ScoreOptions) -> MatchRun:
    """Return the finished scoring of pairs, whose folder has scores.csv; options as in `evenhand match score`."""
    return run_score(options)


@from_python()
def match_explain(options: ScoreOptions) -> MatchRun:
    """Return the finished explanation of pairs, whose folder has explanations.jsonl; as `evenhand match explain`."""
    return run_explain(options)


@from_python()
def match_recommend(options: RecommendOptions) -> MatchRun:
    """Return the finished ranking, whose folder has recommendations.jsonl; as `evenhand match recommend`."""
    return run_recommend(options)
