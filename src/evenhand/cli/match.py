"""Commands that train a matcher, score with it, explain scores and recommend."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.cli._command import command, family
from evenhand.cli._options import Shown
from evenhand.cli._show import notice, show
from evenhand.runs.options.scores.match import RecommendOptions, ScoreOptions, TrainOptions

__all__ = ["match"]

match = family()


@match.command("train")
@command()
def match_train(
    pairs: Annotated[
        Path, typer.Argument(metavar="PAIRS", help="CSV or Parquet with the columns person, position and the label.")
    ],
    options: TrainOptions,
    shown: Shown,
) -> None:
    """Train a matcher on labelled pairs, with a card and the frontier of accuracy against disparity."""
    from evenhand.commands.match.train import run_train

    show(lambda progress: run_train(pairs, options, notice=notice, progress=progress), shown)


@match.command("score")
@command()
def match_score(options: ScoreOptions, shown: Shown) -> None:
    """Score people for positions: 0 to 1, and 0 to 5 in half steps."""
    from evenhand.commands.match.score import run_score

    show(lambda progress: run_score(options, progress=progress), shown)


@match.command("explain")
@command()
def match_explain(options: ScoreOptions, shown: Shown) -> None:
    """Explain scores: what each feature adds, in numbers and in words."""
    from evenhand.commands.match.explain import run_explain

    show(lambda progress: run_explain(options, progress=progress), shown)


@match.command("recommend")
@command()
def match_recommend(options: RecommendOptions, shown: Shown) -> None:
    """Rank positions for people, or candidates for positions."""
    from evenhand.commands.match.recommend import run_recommend

    show(lambda progress: run_recommend(options, progress=progress), shown)
