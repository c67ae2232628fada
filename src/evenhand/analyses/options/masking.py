"""Options of `evenhand mask`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from evenhand.analyses.options.output import Replacing, UnpackLimit, whole_number
from evenhand.masking.pronouns import OPTIONAL
from evenhand.options import Group, Option
from evenhand.results.files import UNPACK_LIMIT


@dataclass(frozen=True, kw_only=True)
class MaskSettings(Group):
    """What is masked in addition to the default, and how."""

    known_names: Annotated[
        tuple[str, ...], Option("Name of the person in the document; repeatable.", flag="--known-name")
    ] = ()
    optional: Annotated[
        tuple[str, ...],
        Option(
            f"Additional categories to mask: {', '.join(OPTIONAL)}.",
            commas=True,
            check=lambda category: category in OPTIONAL,
            expected=f"some of {', '.join(OPTIONAL)}",
        ),
    ] = ()
    strict: Annotated[
        bool,
        Option(
            "Also mask proxies (languages, women's colleges) and every word of the name; fail if a known name is "
            "not found."
        ),
    ] = False
    pronouns: Annotated[
        str,
        Option(
            "Replacement of pronouns: token, or neutral (they, with the verb adapted).",
            check=lambda instead: instead in {"token", "neutral"},
            expected="token or neutral",
        ),
    ] = "token"


@dataclass(frozen=True, kw_only=True)
class Masking(MaskSettings, Replacing):
    """The options of `evenhand mask`."""

    out: Annotated[Path | None, Option("File to write, or folder for several inputs.")] = None
    mapping: Annotated[
        Path | None,
        Option(
            "File to write a line of JSON per document to: input, output, counts by category. An interrupted "
            "command continues from it.",
            metavar="FILE",
        ),
    ] = None
    jobs: Annotated[
        int | None,
        whole_number("Number of processes for several documents or rows; default: one per core."),
    ] = None
    jsonl: Annotated[
        Path | None, Option('Mask a JSONL file of rows {"text": …, "known_names": […]}.', metavar="IN")
    ] = None
    evaluate: Annotated[
        Path | None,
        Option(
            'Measure recall, precision and over-masking on rows {"text": …, "spans": [[start, end, "NAME"], …], '
            '"origin": …}; --out writes them as JSON.',
            metavar="ANNOTATED",
        ),
    ] = None
    unpack_limit: UnpackLimit = UNPACK_LIMIT
