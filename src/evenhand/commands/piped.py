"""`evenhand mask -`: a document that comes by standard input."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evenhand.commands.mask import FileDone, FilesDone
from evenhand.resumes.documents.formats import ending_of, masked_content
from evenhand.resumes.documents.request import Request
from evenhand.resumes.mask import MaskOptions, check_names
from evenhand.tables.files import refuse_existing, write_file
from evenhand.tables.unpacking import UNPACK_LIMIT

__all__ = ["STANDARD_INPUT", "Piped", "mask_piped"]

#: What stands for standard input among inputs.
STANDARD_INPUT: Final = Path("-")


@dataclass(frozen=True, kw_only=True)
class Piped:
    """A masked document that came by standard input, and what became of it."""

    content: bytes
    done: FilesDone


def mask_piped(
    content: bytes,
    *,
    out: Path | None,
    options: MaskOptions,
    known_names: Sequence[str] = (),
    unpack_limit: int = UNPACK_LIMIT,
    force: bool = False,
) -> Piped:
    """Mask a document that comes by standard input, and write it to the file `out` if there is one.

    Its format is that of the ending of `out`, else text.

    Raises
    ------
    InputError
        It can't be read, or `out` can't be written to.
    CheckFailed
        Something still stands in the result; nothing was written.

    """
    check_names(known_names)
    ending = ".txt" if out is None else ending_of(out)
    if out is not None:
        refuse_existing(out, force=force)
    request = Request(options=options, known_names=tuple(known_names), unpack_limit=unpack_limit)
    document = masked_content(content, ending, request, source="Standard input")
    if out is not None:
        write_file(out, document.content)
    spans, kept = dict(document.spans), dict(document.kept)
    done = FileDone(source=STANDARD_INPUT, output=out, spans=spans, kept=kept, notes=document.notes)
    return Piped(content=document.content, done=FilesDone(files=(done,)))
