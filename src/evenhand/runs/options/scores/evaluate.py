"""What `evenhand evaluate` is asked: whose scores, what happened, how groups and versions are compared."""

from dataclasses import dataclass
from typing import Annotated, Final

from evenhand.options import Group, Option
from evenhand.runs.options.impact import Against, Source
from evenhand.runs.options.output import Reported

__all__ = ["WITHIN", "EvaluateOptions"]

#: How far apart similar people are at most, as a share of the columns' ranges.
WITHIN: Final = 0.05


def _column(told: str) -> Option:
    """Return an option that names a column."""
    return Option(told, check=lambda name: bool(name.strip()), expected="the name of a column")


@dataclass(frozen=True, kw_only=True)
class Judgements(Group):
    """Scores and what happened."""

    label: Annotated[str | None, _column("Column with what happened: yes or no, or COLUMN=VALUE for yes.")] = None
    score: Annotated[str | None, _column("Column with the score.")] = None
    cutoff: Annotated[float | None, Option("Selected are scores above it.", expected="a number, such as 0.5")] = None
    at_least: Annotated[bool, Option("A score equal to the cut-off is selected.")] = False
    top: Annotated[
        int | None,
        Option(
            "The scores are ranks, 1 is best: selected are ranks up to it.",
            check=lambda top: top >= 1,
            expected="a whole number from 1",
        ),
    ] = None
    against: Annotated[str | None, _column("Column with the previous version's score.")] = None
    against_cutoff: Annotated[
        float | None, Option("… and its cut-off, where it is another.", expected="a number, such as 0.5")
    ] = None


@dataclass(frozen=True, kw_only=True)
class People(Group):
    """Whose groups are compared, and which rows are one person."""

    protected: Annotated[tuple[str, ...], Option("Columns with the groups.")] = ()
    by: Annotated[tuple[str, ...], Option("Columns whose values are looked at one by one, such as a language.")] = ()
    cluster: Annotated[str | None, _column("Column with what rows share, such as the candidate.")] = None
    unit: Annotated[str | None, _column("Column with the person: repeated rows count once.")] = None
    count: Annotated[
        str | None, _column("Column of whole numbers: a row is that many people; none: a row is one person.")
    ] = None
    where: Annotated[tuple[str, ...], Option("Condition on the rows, in SQL; repeatable, each is counted.")] = ()
    unknown: Annotated[tuple[str, ...], Option("Further labels that mean: not known.", commas=True)] = ()
    similar: Annotated[tuple[str, ...], Option("Columns by which people are similar.")] = ()
    similar_within: Annotated[
        float,
        Option(
            "How far apart similar people are at most: the mean over the columns, each as a share of its range.",
            check=lambda share: 0 <= share < 1,
            expected="a share from 0 up to 1, such as 0.05",
        ),
    ] = WITHIN


@dataclass(frozen=True, kw_only=True)
class EvaluateOptions(Reported, Source, Against, People, Judgements):
    """The options of `evenhand evaluate`."""
