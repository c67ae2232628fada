"""Commands on scores: evaluation, features, perturbation tests, and `evenhand match`."""

from pathlib import Path
from typing import Annotated

import typer

from evenhand.analyses.options import scores
from evenhand.cli._command import RunOutputOptions, command, notice, print_result, show
from evenhand.cli._help import family
from evenhand.errors import InputError


@command(without=("until_width",))
def perturb(options: scores.PerturbOptions, output: RunOutputOptions) -> None:
    if options.scores is not None:
        from evenhand.analyses.study import run_study

        if "not-equivalent" in output.fail_on and options.margin is None:
            raise InputError(
                "--fail-on not-equivalent needs --margin: the largest difference that counts as equivalent, such "
                "as 0.2sd."
            )
        show(lambda _: run_study(options.scores, options.study, notice=notice), output, "study")
        return
    from evenhand.analyses.perturb import run_perturb, write_documents

    if options.write_arms is None or options.join:
        show(lambda progress: run_perturb(options, notice=notice, progress=progress), output, "perturb")
        return
    if output.fail_on or output.junit or output.markdown:
        given = "--fail-on needs" if output.fail_on else "--junit and --markdown need"
        raise InputError(f"{given} scores, and --write-arms has none yet; give it with --join SCORES.")
    print_result(write_documents(options), output, path=options.write_arms)


match = family()
#: Scores without groups have no claims.
_WITHOUT_CLAIMS = ("fail_on", "junit", "markdown")


@match.subcommand("train")
def match_train(
    pairs: Annotated[
        Path, typer.Argument(metavar="PAIRS", help="CSV or Parquet with the columns person, position and the label.")
    ],
    options: scores.TrainOptions,
    output: RunOutputOptions,
) -> None:
    """Train a matcher on labelled pairs, with a model card and the trade-off of accuracy and disparity."""
    from evenhand.analyses.match import run_train

    show(lambda progress: run_train(pairs, options, notice=notice, progress=progress), output, "match")


@match.subcommand("score", without=_WITHOUT_CLAIMS)
def match_score(options: scores.ScoreOptions, output: RunOutputOptions) -> None:
    """Score people for positions, from 0 to 1 and from 0 to 5 in half steps."""
    from evenhand.analyses.match import run_score

    show(lambda progress: run_score(options, progress=progress), output, "match")


@match.subcommand("explain", without=_WITHOUT_CLAIMS)
def match_explain(options: scores.ScoreOptions, output: RunOutputOptions) -> None:
    """Explain scores: the contribution of each feature, in numbers and words."""
    from evenhand.analyses.match import run_explain

    show(lambda progress: run_explain(options, progress=progress), output, "match")


@match.subcommand("recommend", without=_WITHOUT_CLAIMS)
def match_recommend(options: scores.RecommendOptions, output: RunOutputOptions) -> None:
    """Rank positions for people, or candidates for positions."""
    from evenhand.analyses.match import run_recommend

    show(lambda progress: run_recommend(options, progress=progress), output, "match")
