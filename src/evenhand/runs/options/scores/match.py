"""What `evenhand match` is asked: whom and what, what a model is trained on, whom it ranks."""

from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Annotated

from evenhand.errors import InputError
from evenhand.matching.features.declared import NAMES
from evenhand.options import Group, Option
from evenhand.runs.options.output import Reported

__all__ = ["MatchPeople", "RecommendOptions", "ScoreOptions", "TrainOptions"]


def _from_one(number: int) -> bool:
    return number >= 1


@dataclass(frozen=True, kw_only=True)
class MatchPeople(Group):
    """Whose résumés are matched with which positions."""

    people: Annotated[
        Path, Option("Résumés: a folder of documents, or JSONL with id, text and known_names.", metavar="FILE|DIR")
    ]
    positions: Annotated[
        Path,
        Option("Positions: JSONL or CSV with id, title, text, skills, must, nice, years.", metavar="FILE"),
    ]
    cache: Annotated[
        Path,
        Option("Masked texts are kept there, by a hash of what they were made of.", kept=False, again=False),
    ] = Path("runs/masked.sqlite")


@dataclass(frozen=True, kw_only=True)
class TrainOptions(Reported, MatchPeople):
    """The options of `evenhand match train`."""

    label: Annotated[str, Option("Column of PAIRS that is learned: yes or no, or COL=VALUE.", metavar="COL[=VALUE]")]
    protected: Annotated[
        tuple[str, ...],
        Option("Protected attributes: columns of PAIRS or of people; they never enter a score.", commas=True),
    ]
    fairness: Annotated[
        float,
        Option(
            "Strength of the penalty on differences of mean scores between groups.",
            check=lambda strength: isfinite(strength) and 0 <= strength <= 100,
            expected="a number from 0 to 100",
        ),
    ] = 0.0
    test_share: Annotated[
        float,
        Option(
            "Share of people, and of positions, held out for the test.",
            check=lambda share: 0 < share < 1,
            expected="a number between 0 and 1",
        ),
    ] = 0.2
    without: Annotated[
        tuple[str, ...],
        Option(
            f"Features to leave out: {', '.join(NAMES)}.",
            commas=True,
            check=lambda name: name in NAMES,
            expected=f"one of {', '.join(NAMES)}",
        ),
    ] = ()

    def __post_init__(self) -> None:
        """Refuse what leaves nothing to learn from."""
        super().__post_init__()
        if not self.protected:
            raise InputError("Which groups are compared? Give --protected COLUMNS, such as --protected gender,race.")
        column = self.label.partition("=")[0]
        if column in self.protected:
            raise InputError(f"--label and --protected both name {column}: a protected attribute is nothing to learn.")
        if set(self.without) == set(NAMES):
            raise InputError("--without leaves out every feature; keep one of them.")


@dataclass(frozen=True, kw_only=True)
class ScoreOptions(Reported, MatchPeople):
    """The options of `evenhand match score` and `match explain`."""

    matcher: Annotated[Path, Option("The matcher.json of `evenhand match train`.", metavar="FILE")]
    pairs: Annotated[
        Path | None,
        Option("CSV or Parquet with the columns person and position; default: everybody with every position."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class RecommendOptions(ScoreOptions):
    """The options of `evenhand match recommend`."""

    ranked: Annotated[
        str,
        Option(
            "For whom: people get positions, positions get candidates.",
            flag="--for",
            choices=("people", "positions"),
        ),
    ] = "people"
    top: Annotated[
        int,
        Option("Ranks that count as a success in outcomes.parquet.", check=_from_one, expected="a whole number from 1"),
    ] = 1
    listed: Annotated[
        int, Option("Ranks that are listed for each.", check=_from_one, expected="a whole number from 1")
    ] = 10

    @property
    def for_people(self) -> bool:
        """Say whether people get positions."""
        return self.ranked == "people"
