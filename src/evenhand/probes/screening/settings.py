"""Settings of screening: the user's design, positions and résumés, the pile, the steps, and arms."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from evenhand.options import Group, Option
from evenhand.probes.probe import Names, Positions, Resumes

STEPS: Final = ("shortlist", "questions", "scores", "decision")
#: The smallest and the largest pile.
PILES: Final = (4, 20)


def read_steps(text: str) -> str:
    """Return a list of steps as it is typed; in Python it may be a list.

    >>> read_steps("scores, decision"), read_steps(["shortlist"])
    ('scores,decision', 'shortlist')
    """
    parts = text.split(",") if isinstance(text, str) else list(text)
    return ",".join(str(part).strip() for part in parts)


@dataclass(frozen=True, kw_only=True)
class Settings(Group):
    """The user's design, positions and résumés, names, the pile and its steps, and arms."""

    #: Given by --design FILE.toml.
    design: Annotated[Path | None, Option("TOML file with positions, résumés, steps and prompts (screening).")] = None
    positions: Positions = None
    resumes: Resumes = None
    names: Names = None
    pile: Annotated[
        int | None,
        Option(
            "Number of applications in a prompt; default 8 (screening).",
            check=lambda size: PILES[0] <= size <= PILES[1],
            expected=f"a number from {PILES[0]} to {PILES[1]}",
        ),
    ] = None
    steps: Annotated[
        str | None,
        Option(
            f"Which of {','.join(STEPS)} to run; default all (screening).",
            metavar="LIST",
            read=read_steps,
            expected=f"some of {','.join(STEPS)}",
            shared=True,
        ),
    ] = None
    masked: Annotated[bool, Option("Also run with masked applications (screening).", shared=True)] = False
    instructed: Annotated[
        bool, Option("Also run with an instruction not to discriminate (screening).", shared=True)
    ] = False
    structured: Annotated[bool, Option("Require answers as JSON of a schema (openai:, anthropic:; screening).")] = False
    system: Annotated[Path | None, Option("Text file with the system prompt of all prompts (screening).")] = None
