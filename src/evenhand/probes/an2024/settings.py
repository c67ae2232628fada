"""Settings of an2024: roles, seeds, instructions, the classifier's labels, and additional models."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from evenhand.options import Group, Option
from evenhand.probes.probe import INSTRUCTIONS, Names

#: The sets of roles that the study has.
STUDY = ("7", "41")


def role_source(source: str | int | Path) -> Path | str:
    """Return which roles are asked about: a file, or how many of the study's."""
    return str(source) if str(source) in STUDY else Path(str(source))


@dataclass(frozen=True, kw_only=True)
class Settings(Group):
    """Other roles, names, seeds and instructions, a classifier of the user's labels, further models and tests."""

    roles: Annotated[
        Path | str | None,
        Option(
            "Roles: 7, 41 (default), or a CSV with the column role (an2024).",
            metavar="7|41|FILE",
            read=role_source,
            expected="'7', '41' or a file",
        ),
    ] = None
    names: Names = None
    seeds: Annotated[str | None, Option("Seeds with which each prompt is sent; default 1,42,50 (an2024).")] = None
    base_templates: Annotated[
        int | None,
        Option(
            "Number of the study's 5 instructions to use, from the first (an2024).",
            check=lambda number: 1 <= number <= len(INSTRUCTIONS),
            expected=f"a number from 1 to {len(INSTRUCTIONS)}",
        ),
    ] = None
    labels: Annotated[
        Path | None,
        Option(
            "CSV or JSONL with text,label[,name] to train the classifier of e-mails on (an2024).",
            changes="reading",
        ),
    ] = None
    mixed: Annotated[
        bool,
        Option(
            "Add a mixed-effects logistic model; needs the extra evenhand[mixed] (an2024).",
            changes="numbers",
        ),
    ] = False
    monte_carlo: Annotated[
        int | None,
        Option(
            "Also run the study's permutation test, with this number of permutations (an2024).",
            check=lambda permutations: permutations >= 1,
            expected="a number of permutations, like 5000",
            changes="numbers",
        ),
    ] = None
