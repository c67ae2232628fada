"""Settings of hiring-bloomberg: the CVs, and how often they are reordered."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from evenhand.options import Group, Option

#: The word for synthetic CVs; a file of that name is meant by ./generated.
GENERATED = "generated"


def corpus_source(source: str | Path) -> Path | str:
    """Return where CVs come from: a file, or the word for synthetic ones."""
    if source == GENERATED:
        return GENERATED
    # Absolute, so that a repeated command doesn't take the file for the word.
    return Path(source).absolute() if Path(source) == Path(GENERATED) else Path(source)


@dataclass(frozen=True, kw_only=True)
class Settings(Group):
    """Other CVs, another number of orders."""

    corpus: Annotated[
        Path | str | None,
        Option(
            "CVs and job ads: a file like Bloomberg's resumes_to_rank.json, or 'generated' for synthetic ones "
            "(hiring-bloomberg).",
            metavar=f"FILE|{GENERATED}",
            read=corpus_source,
            expected=f"a file or '{GENERATED}'",
        ),
    ] = None
    num_reorders: Annotated[
        int | None, Option("Number of orders of the CVs per role and race; default 250 (hiring-bloomberg).")
    ] = None
