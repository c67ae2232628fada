"""What `evenhand perturb` is asked: whose résumés, in which arms, scored by what, judged how."""

from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Annotated, SupportsFloat

from evenhand.errors import InputError
from evenhand.findings.scores.perturbation.margin import margin_of
from evenhand.models.model import Generation
from evenhand.options import Group, Option
from evenhand.runs.options.output import Output
from evenhand.runs.options.probe import Cost, Parts, Repetitions, Service, Stopping
from evenhand.runs.options.scores.scoring import Scoring

__all__ = ["ArmOptions", "JudgingOptions", "PeopleOptions", "PerturbOptions", "margin_text"]


def _from_one(number: int) -> bool:
    return number >= 1


def margin_text(typed: str | SupportsFloat) -> str:
    """Return a margin as it was typed.

    >>> margin_text(2), margin_text("0.2sd")
    ('2', '0.2sd')
    """
    text = typed.strip() if isinstance(typed, str) else f"{float(typed):.15g}"
    margin_of(text)
    return text


@dataclass(frozen=True, kw_only=True)
class PeopleOptions(Group):
    """Whose résumés are sent for which positions."""

    resumes: Annotated[
        Path | None,
        Option(
            "Résumés: a folder of documents, or JSONL with id, text and known_names. "
            "Default: synthetic ones, for synthetic positions.",
            flag="RESUMES",
            placed=True,
        ),
    ] = None
    positions: Annotated[
        Path | None, Option("Positions: JSONL or CSV with id, title, text.", metavar="FILE", placed=True)
    ] = None
    sample: Annotated[
        int | None,
        Option(
            "Résumés drawn; default: all of your own, 48 of the synthetic ones.",
            check=_from_one,
            expected="a whole number from 1",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class ArmOptions(Group):
    """In what the arms differ, and under which names."""

    by: Annotated[tuple[str, ...], Option("gender, race, gender,race crossed, or group with --names.", commas=True)] = (
        "gender",
    )
    arms: Annotated[
        tuple[str, ...],
        Option("What shows the group: name, name+pronouns, affinity (a line of membership), combined.", commas=True),
    ] = ("name",)
    placebo: Annotated[bool, Option("Leave out the arm whose names change within the group.")] = True
    names: Annotated[
        Path | None,
        Option("CSV of names: name with gender and race, or group,name. Default: 800 names.", metavar="CSV"),
    ] = None
    names_per_group: Annotated[
        int,
        Option(
            "Names of each group; from 10 on they vary in the interval.",
            check=_from_one,
            expected="a whole number from 1",
        ),
    ] = 10


@dataclass(frozen=True, kw_only=True)
class JudgingOptions(Group):
    """What was fixed before scores were seen."""

    margin: Annotated[
        str | None,
        Option(
            "Difference that counts as none, fixed beforehand: points, or standard deviations as in 0.2sd.",
            metavar="POINTS|SD",
            read=margin_text,
            expected="a number above 0 such as 2, or 0.2sd",
        ),
    ] = None
    cutoff: Annotated[
        float | None,
        Option(
            "Selected are scores above it, or ranks up to it; default: the median.", check=isfinite, expected="a number"
        ),
    ] = None
    top: Annotated[
        int,
        Option("Places within a position that count as the top.", check=_from_one, expected="a whole number from 1"),
    ] = 5
    reference: Annotated[
        str | None, Option("Group that others are held against, such as male, or male,white.", metavar="GROUP")
    ] = None


@dataclass(frozen=True, kw_only=True)
class PerturbOptions(Output, Parts, Stopping, Cost, Service, JudgingOptions, ArmOptions, PeopleOptions, Scoring):
    """The options of `evenhand perturb`."""

    write_arms: Annotated[
        Path | None,
        Option(
            "Ask nothing: write the documents of all arms to this new folder, to be scored elsewhere.",
            metavar="DIR",
            kept=False,
            again=False,
        ),
    ] = None
    join: Annotated[
        tuple[Path, ...],
        Option(
            "Folders of parts that were asked with --shard: their scores are taken over.",
            metavar="DIR",
            commas=True,
            kept=False,
            again=False,
        ),
    ] = ()
    show_pairs: Annotated[
        int | None,
        Option(
            "Texts of so many pairs stand on the page; default: 3 synthetic ones, none of your own people.",
            check=lambda number: number >= 0,
            expected="a whole number from 0",
        ),
    ] = None
    repetitions: Repetitions = 1
    generation: Generation = field(default_factory=Generation)

    def __post_init__(self) -> None:
        """Refuse what is missing, and options that contradict each other."""
        super().__post_init__()
        if (self.resumes is None) != (self.positions is None):
            lacking = "Résumés need --positions" if self.positions is None else "--positions needs résumés"
            raise InputError(f"{lacking}: a scorer is shown both. Give both, or neither.")
        if self.resume and self.force:
            raise InputError("--resume and --force can't be given together: one goes on, the other starts anew.")
        if self.resume and self.out is None:
            raise InputError("--resume needs --out, the folder of the run to go on with.")
        if self.write_arms is not None:
            if self.scorer:
                raise InputError(
                    "--write-arms asks nothing, so --scorer has no place beside it; leave one of them out."
                )
            return
        if not self.scorer:
            raise InputError("Nothing scores: give --scorer, or --write-arms DIR to have the arms scored elsewhere.")
        if self.margin is None:
            raise InputError(
                "--margin is missing: fix beforehand which difference of scores counts as none, such as 2, or 0.2sd."
            )
