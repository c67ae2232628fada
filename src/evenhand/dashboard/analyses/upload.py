"""A file that a form brings: written to disk while it comes, after the form is known to be ours."""

import os
import secrets
import shutil
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request

from evenhand.dashboard.analyses.kept import plain_name

__all__ = ["Received", "received_file"]

MEGABYTE: Final = 2**20
#: Of a field that is typed, and parts of a form.
LONGEST_FIELD: Final = 4_096
MOST_PARTS: Final = 8


@dataclass(frozen=True, kw_only=True)
class Received:
    """A file that was received: where it lies, and what it is called here."""

    path: Path
    name: str


async def received_file(
    request: Request, *, folder: Path, largest: int, check: Callable[[dict[str, str]], Any]
) -> Received:
    """Return the file of a form of at most so many megabytes, written to a new file of the folder.

    `check` gets the fields that stand before the file, and raises where the form is not ours.

    Raises
    ------
    HTTPException
        There is no file, it is too large or no table, or what was sent is no form.

    """
    announced = request.headers.get("content-length", "")
    size = int(announced) if announced.isdecimal() and len(announced) < 20 else None
    if size is None or size > (largest + 1) * MEGABYTE:
        raise HTTPException(413, f"A file may have {largest:,} MB; this has more, or its size was not told.")
    if shutil.disk_usage(folder).free < 2 * size:
        raise HTTPException(507, "The disk of the server has no room for this file.")
    path = folder / f"incoming-{secrets.token_hex(8)}"
    try:
        name = await _written(request, path, largest=largest, check=check)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return Received(path=path, name=name)


async def _written(request: Request, path: Path, *, largest: int, check: Callable[[dict[str, str]], Any]) -> str:
    """Write the file of the form; return what it is called here."""
    name, fields = "", dict[str, str]()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        async for part, content in _parts(request, largest=largest):
            if part.filename is None:
                given = fields.get(part.name, "") + content.decode("utf-8", "replace")
                if len(given) > LONGEST_FIELD:
                    raise HTTPException(413, "What was sent is too long.")
                fields[part.name] = given
                continue
            if not name and part.filename:
                check(fields)
                name = plain_name(part.filename)
            file.write(content)
        empty = not file.tell()
    if not name or empty:
        raise HTTPException(400, "No file was chosen, or it is empty; go back and choose one.")
    return name


async def _parts(request: Request, *, largest: int) -> AsyncIterator[tuple[Any, bytes]]:
    """Yield each part's name and file name with a piece of its content."""
    from multipart import MultipartError, ParserLimitReached, PushMultipartParser  # noqa: PLC0415 - of the extra

    header = Message()
    header["content-type"] = request.headers.get("content-type", "")
    boundary = header.get_param("boundary")
    if header.get_content_type() != "multipart/form-data" or not isinstance(boundary, str):
        raise HTTPException(400, "What was sent is no form with a file.")
    part = None
    try:
        with PushMultipartParser(
            boundary, max_segment_size=largest * MEGABYTE, max_segment_count=MOST_PARTS, strict=True
        ) as parser:
            async for chunk in request.stream():
                for event in parser.parse(chunk) if chunk else ():
                    if event is None or isinstance(event, bytes | bytearray):
                        yield part, bytes(event or b"")
                    else:
                        part = event
    except ParserLimitReached as error:
        raise HTTPException(413, f"A file may have {largest:,} MB; this has more.") from error
    except MultipartError as error:
        raise HTTPException(400, "What was sent is no form with a file, or it broke off.") from error
