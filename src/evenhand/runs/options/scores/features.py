"""What `evenhand features` is asked: which columns are features, and what is expected of them."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

from evenhand.options import Group, Option
from evenhand.runs.options.impact import Source
from evenhand.runs.options.output import Reported

__all__ = ["FeatureOptions", "Vetting"]

#: Rows by which features are held against attributes jointly.
SAMPLE = 20_000
#: Cells of a column of text that are scanned.
SCAN = 200


@dataclass(frozen=True, kw_only=True)
class Vetting(Group):
    """What is told of the features."""

    expect: Annotated[Path | None, Option("Expectations of features and shares of groups (TOML).")] = None
    protected: Annotated[
        tuple[str, ...], Option("Columns with the groups; numbers are split in two.", commas=True)
    ] = ()
    label: Annotated[str | None, Option("Column that a model is to learn.", expected="the name of a column")] = None
    without: Annotated[tuple[str, ...], Option("Columns that are no features, such as ids.", commas=True)] = ()
    compare_with: Annotated[
        str | None, Option("Table to tell drift from: a file, or a connection URL with --table.")
    ] = None
    age: Annotated[str | None, Option("Column with ages or dates of birth: the groups 40 or older, under 40.")] = None
    age_at: Annotated[date | None, Option("The day for dates of birth.")] = None
    unknown: Annotated[tuple[str, ...], Option("Further labels that mean: not known.", commas=True)] = ()
    sample: Annotated[
        int,
        Option(
            "Rows for all features jointly; 0: leave that out.",
            check=lambda rows: rows >= 0,
            expected="a whole number from 0",
        ),
    ] = SAMPLE
    scan: Annotated[
        int,
        Option(
            "Cells of each text column that are scanned as mask does; 0: none.",
            check=lambda cells: cells >= 0,
            expected="a whole number from 0",
        ),
    ] = SCAN


@dataclass(frozen=True, kw_only=True)
class FeatureOptions(Reported, Source, Vetting):
    """The options of `evenhand features`."""
