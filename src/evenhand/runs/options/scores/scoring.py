"""What scores résumés, how it is asked, and in which range its numbers are."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from evenhand.options import Group, Option

__all__ = ["Scoring"]


@dataclass(frozen=True, kw_only=True)
class Scoring(Group):
    """The scorer, and how it is asked."""

    scorer: Annotated[
        str,
        Option(
            'https://… (POST {"resume","position"} → {"score"}), python:module:function, replay:SCORES.csv, '
            "matcher:FILE (match train), sim:shift?GROUP=x, or any model (openai:NAME, sim:KIND, …) asked as "
            "resume-score.",
            kept=False,
        ),
    ] = ""
    request: Annotated[Path | None, Option("JSON template of what an https: scorer is sent.", kept=False)] = None
    score_at: Annotated[
        str | None, Option("JSON pointer to the score in the answer; default /score.", metavar="POINTER", kept=False)
    ] = None
    range: Annotated[
        str | None,
        Option(
            "Lowest and highest score, such as 0-1; others count as unread. Default: any; 0-100 for models.",
            metavar="LOW-HIGH",
            kept=False,
        ),
    ] = None
    wording: Annotated[
        str | None, Option("How a model is asked: number, rubric or json; default number.", kept=False)
    ] = None
