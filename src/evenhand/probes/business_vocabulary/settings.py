"""Settings of business-vocabulary: the prompts, and how words are counted."""

from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Annotated

from evenhand.options import Group, Option


@dataclass(frozen=True, kw_only=True)
class Settings(Group):
    """Other prompts, other inventories, another smoothing."""

    templates: Annotated[Path | None, Option("TOML or JSON list of {male, female} prompts (business-vocabulary).")] = (
        None
    )
    inventories: Annotated[
        Path | None,
        Option(
            "CSV with inventory,gender,term: your own word lists (business-vocabulary).",
            changes="reading",
            shared=True,
        ),
    ] = None
    smoothing: Annotated[
        float | None,
        Option(
            "Number added to male and female counts; default 5, and 0 on the card (business-vocabulary).",
            check=lambda added: isfinite(added) and added >= 0,
            expected="a number from 0",
            changes="numbers",
            shared=True,
        ),
    ] = None
