"""Options of `evenhand mask`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from evenhand.analyses.options.output import Replacing, UnpackLimit, whole_number
from evenhand.masking.pronouns import MaskSettings
from evenhand.options import Option
from evenhand.results.files import UNPACK_LIMIT


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
