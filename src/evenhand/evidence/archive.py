"""The bundle file: a ZIP archive with reproducible bytes, and bundle.json, which lists its content and audit protocols.

Nothing in it is compressed: other versions of zlib pack the same files into other bytes, and an uncompressed file can't
unpack to more than its size.
"""

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, Any, BinaryIO, Final
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import orjson
from pydantic import TypeAdapter, ValidationError

from evenhand.errors import CheckFailed, InputError
from evenhand.patterns import lazy_re
from evenhand.results.files import disk_refusal, file_bytes
from evenhand.results.finding import as_json
from evenhand.results.messages import quoted

#: The time, the system and the permissions of every entry: a regular file of Unix that all may read.
ENTRY_TIME: Final = (1980, 1, 1, 0, 0, 0)
UNIX: Final = 3
MODE: Final = 0o100644
LONGEST_NAME: Final = 240
_PIECE: Final = 1 << 20
_NAME: Final = lazy_re(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*")
#: What zipfile raises of a file whose bytes are not those of an archive.
_DAMAGED: Final = (BadZipFile, EOFError, OSError, ValueError, NotImplementedError, RuntimeError, struct.error)


@dataclass(frozen=True, kw_only=True)
class File:
    """A file of a bundle: its name there, its size in bytes and its hash."""

    name: str
    bytes: int
    sha256: str


def file_of(name: str, path: Path) -> File:
    """Return what a bundle says of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return File(name=name, bytes=path.stat().st_size, sha256=digest)


def write_archive(file: BinaryIO, sources: Mapping[str, Path]) -> list[File]:
    """Write files under their names, in this order, and return them; the same files give the same bytes."""
    files = []
    with ZipFile(file, "w", ZIP_STORED) as archive:
        for name, path in sources.items():
            entry = ZipInfo(name, ENTRY_TIME)
            entry.create_system, entry.external_attr, entry.file_size = UNIX, MODE << 16, path.stat().st_size
            with path.open("rb") as source, archive.open(entry, "w") as target:
                digest = _copied(source, target)
            files.append(File(name=name, bytes=entry.file_size, sha256=digest))
    return files


def unpacked(path: Path, to: Path) -> list[File]:
    """Unpack a bundle below an empty folder and return its files, in their order.

    Raises
    ------
    InputError
        It is no archive that `write_archive` could have written; nothing that it names was followed.
    CheckFailed
        A file in it is damaged.

    """
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is not a file; expected a bundle.")  # /dev/zero would be read for good
    try:
        size = path.stat().st_size
        archive = ZipFile(path)
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}.") from error
    except _DAMAGED as error:
        raise InputError(
            f"{path} is not a bundle, or only a part of one: it can't be read as a ZIP archive."
        ) from error
    with archive:
        entries = archive.infolist()
        _refuse_foreign(path, entries, size)
        return [_unpacked(archive, entry, to, source=path) for entry in entries]


def _refuse_foreign(path: Path, entries: list[ZipInfo], size: int) -> None:
    """Refuse what no bundle has, before anything is written."""
    known: set[str] = set()
    for entry in entries:
        name, shown_name = entry.filename, quoted(entry.filename)
        if not _NAME.fullmatch(entry.orig_filename) or len(name) > LONGEST_NAME:
            raise InputError(
                f"{path} names {shown_name}, which is not the name of a file in a bundle; nothing was unpacked."
            )
        if name.casefold() in known:
            raise InputError(f"{path} holds {shown_name} twice; nothing was unpacked.")
        known.add(name.casefold())
        if entry.external_attr >> 16 != MODE:
            raise InputError(f"{path} holds {shown_name}, which is not a plain file; nothing was unpacked.")
        if entry.compress_type != ZIP_STORED or entry.flag_bits & 1 or entry.compress_size != entry.file_size:
            raise InputError(f"{path} is compressed, and bundles are not; nothing was unpacked. Get the original file.")
    parents = {parent.as_posix() for entry in entries for parent in Path(entry.filename).parents}
    for entry in entries:
        if entry.filename in parents:
            raise InputError(f"{path} holds {quoted(entry.filename)} as a file and as a folder; nothing was unpacked.")
    if sum(entry.file_size for entry in entries) > size:
        raise InputError(f"{path} claims to hold more than its own size; nothing was unpacked.")


def _unpacked(archive: ZipFile, entry: ZipInfo, to: Path, *, source: Path) -> File:
    path = to / entry.filename
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with archive.open(entry) as content, path.open("wb") as target:
            digest = _copied(content, target)
    except _DAMAGED as error:
        if reason := disk_refusal(error):
            raise InputError(
                f"{source} can't be unpacked: {reason}; set TMPDIR to a folder with free space."
            ) from error
        raise CheckFailed(
            f"{source}: {entry.filename} is damaged; its bytes are not those that were bundled."
        ) from error
    return File(name=entry.filename, bytes=path.stat().st_size, sha256=digest)


def _copied(source: IO[bytes], target: IO[bytes]) -> str:
    digest = hashlib.sha256()
    while piece := source.read(_PIECE):
        digest.update(piece)
        target.write(piece)
    return digest.hexdigest()


def first_difference(first: BinaryIO, second: BinaryIO) -> int | None:
    """Return the first byte in which two files differ, counted from 0; None where they are the same.

    >>> from io import BytesIO
    >>> first_difference(BytesIO(b"abc"), BytesIO(b"abd")), first_difference(BytesIO(b"ab"), BytesIO(b"abc"))
    (2, 2)
    """
    at = 0
    while True:
        left, right = first.read(_PIECE), second.read(_PIECE)
        if left != right:
            differing = (place for place, (a, b) in enumerate(zip(left, right, strict=False)) if a != b)
            return at + next(differing, min(len(left), len(right)))
        if not left:
            return None
        at += len(left)


BUNDLE_SCHEMA: Final = "evenhand.bundle/1"
CONTENTS: Final = "bundle.json"


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """The audit protocol of a run: what was asked, by whom, on which data, with which options, and limits.

    `asked_by` is None where nobody said it. `data` are fingerprints of what was read, `input` the columns and rows of a
    table among that. `decided` are the options of the run, `planned` the measures that its claims are about; a bundle
    can't tell when either was chosen.
    """

    question: str | None
    asked_by: str | None
    data: Mapping[str, str]
    input: Mapping[str, Any]
    decided: Mapping[str, Any]
    planned: tuple[str, ...]
    warnings: tuple[str, ...]
    limits: tuple[str, ...]
    command: str


@dataclass(frozen=True, kw_only=True)
class BundledRun:
    """A run: what its page says first (`found`), its audit protocol, and what of it is not in the bundle."""

    folder: str
    kind: str
    title: str
    model: str
    simulated: bool
    started: str | None
    finished: str | None
    versions: Mapping[str, str]
    found: tuple[str, ...]
    protocol: Protocol
    not_inside: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Lock:
    """The file that fixes the version of every package."""

    file: str
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Log:
    """The head of a monitoring store's log: how many entries it has, and the digest of the last.

    `masking` says that the store has what was recorded of masking.
    """

    store: str
    entries: int
    head: str
    masking: bool


@dataclass(frozen=True, kw_only=True)
class Contents:
    """What bundle.json says: `packages` and `lock` are those that the bundle was made with."""

    schema: str = BUNDLE_SCHEMA
    redacted: bool
    runs: tuple[BundledRun, ...]
    packages: Mapping[str, str]
    lock: Lock | None
    log: Log | None = None
    files: tuple[File, ...] = field(default=())


def contents_bytes(contents: Contents) -> bytes:
    """Return bundle.json."""
    return orjson.dumps(as_json(contents), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def read_contents(path: Path, *, source: Path) -> Contents:
    """Return what bundle.json says; `source` is the bundle that it was unpacked from.

    Raises
    ------
    InputError
        It is not there, or of another version.
    CheckFailed
        It is not as it was written.

    """
    if not path.is_file():
        raise InputError(f"{source} is not a bundle: it holds no {CONTENTS}.")
    content = file_bytes(path)
    try:
        values = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise CheckFailed(f"{source}: {CONTENTS} is damaged: it is not valid JSON.") from error
    schema = values.get("schema") if isinstance(values, dict) else None
    if schema != BUNDLE_SCHEMA:
        raise InputError(
            f"{source} is a bundle of the schema {quoted(schema)}; this version reads {BUNDLE_SCHEMA}. Verify "
            "it with the version of evenhand that made it, or a newer one."
        )
    try:
        contents = _adapter().validate_python(values)
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise CheckFailed(f"{source}: {CONTENTS} is damaged at {place}.") from error
    try:
        rewritten = contents_bytes(contents)
    except (RecursionError, TypeError) as error:
        raise CheckFailed(f"{source}: {CONTENTS} is nested too deeply.") from error
    if rewritten != content:
        raise CheckFailed(f"{source}: {CONTENTS} is not as evenhand writes it.")
    return contents


@cache
def _adapter() -> TypeAdapter[Contents]:
    return TypeAdapter(Contents)
