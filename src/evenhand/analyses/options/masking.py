"""Options of `evenhand mask`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from evenhand.analyses.options.output import Replacing, UnpackLimit
from evenhand.masking.pronouns import OPTIONAL
from evenhand.options import Group, Option
from evenhand.results.files import UNPACK_LIMIT


@dataclass(frozen=True, kw_only=True)
class MaskSettings(Group):
    """What is masked in addition to the default, and how."""

    known_names: Annotated[
        tuple[str, ...], Option("Name of the person; repeat for others. Never split.", flag="--known-name")
    ] = ()
    optional: Annotated[
        tuple[str, ...],
        Option(
            f"Also mask: {', '.join(OPTIONAL)}.",
            commas=True,
            check=lambda category: category in OPTIONAL,
            expected=f"some of {', '.join(OPTIONAL)}",
        ),
    ] = ()
    strict: Annotated[
        bool, Option("Also proxies (languages, women's colleges) and any word of the name; known names must be found.")
    ] = False
    pronouns: Annotated[
        str,
        Option(
            "token, or neutral: they, with the verb.",
            check=lambda instead: instead in {"token", "neutral"},
            expected="token or neutral",
        ),
    ] = "token"


@dataclass(frozen=True, kw_only=True)
class Masking(MaskSettings, Replacing):
    """The options of `evenhand mask`."""

    out: Annotated[Path | None, Option("File to write; a folder for several inputs.")] = None
    mapping: Annotated[
        Path | None,
        Option(
            "File for a line of JSON per document: input, output, counts by category; also to go on from.",
            metavar="FILE",
        ),
    ] = None
    jobs: Annotated[
        int | None,
        Option(
            "Processes for several documents or rows; default one a core.",
            check=lambda jobs: jobs >= 1,
            expected="a whole number from 1",
        ),
    ] = None
    jsonl: Annotated[Path | None, Option('Rows {"text": …, "known_names": […]}.', metavar="IN")] = None
    evaluate: Annotated[
        Path | None,
        Option(
            'Recall, precision and over-masking of rows {"text": …, "spans": [[start, end, "NAME"], …], "origin": …}; '
            "--out writes them as JSON.",
            metavar="ANNOTATED",
        ),
    ] = None
    unpack_limit: UnpackLimit = UNPACK_LIMIT
