"""What can be set of hiring-bloomberg: the CVs, and how often they are put in another order."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from evenhand.options import Group, Option

__all__ = ["Settings"]


@dataclass(frozen=True, kw_only=True)
class Settings(Group):
    """Other CVs, another number of orders."""

    corpus: Annotated[Path | None, Option("CVs and job ads in the layout of Bloomberg's resumes_to_rank.json.")] = None
    num_reorders: Annotated[int | None, Option("Orders of CVs per role and race; default 250 (hiring-bloomberg).")] = (
        None
    )
