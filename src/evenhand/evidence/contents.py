"""bundle.json: what a bundle holds, of which runs, and what was asked there by whom."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import orjson
from pydantic import TypeAdapter, ValidationError

from evenhand.errors import CheckFailed, InputError
from evenhand.evidence.archive import File
from evenhand.tables.audit.written import as_json
from evenhand.tables.messages.quoting import quoted

__all__ = [
    "BUNDLE_SCHEMA",
    "CONTENTS",
    "BundledRun",
    "Contents",
    "Lock",
    "Log",
    "Protocol",
    "contents_bytes",
    "read_contents",
]

BUNDLE_SCHEMA: Final = "evenhand.bundle/1"
CONTENTS: Final = "bundle.json"


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """The audit protocol of a run: what was asked, by whom, on which data, what was decided beforehand, and limits.

    `asked_by` is None where nobody said it. `data` are fingerprints of what was read, `input` the columns and rows of a
    table among that. `decided` are the options that were fixed before the first answer or row was seen, `planned` the
    measures that were named then.
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
        raise InputError(f"{source} is no bundle: it holds no {CONTENTS}.")
    written = path.read_bytes()
    try:
        values = orjson.loads(written)
    except orjson.JSONDecodeError as error:
        raise CheckFailed(f"{source}: {CONTENTS} is damaged: it is no JSON.") from error
    schema = values.get("schema") if isinstance(values, dict) else None
    if schema != BUNDLE_SCHEMA:
        raise InputError(
            f"{source} is a bundle of the schema {quoted(schema)}; this version reads {BUNDLE_SCHEMA}. "
            "Verify it with the evenhand that made it, or a newer one."
        )
    try:
        contents = _adapter().validate_python(values)
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise CheckFailed(f"{source}: {CONTENTS} is damaged at {place}.") from error
    try:
        again = contents_bytes(contents)
    except (RecursionError, TypeError) as error:
        raise CheckFailed(f"{source}: {CONTENTS} is nested too deeply.") from error
    if again != written:
        raise CheckFailed(f"{source}: {CONTENTS} is not as evenhand writes it.")
    return contents


@cache
def _adapter() -> TypeAdapter[Contents]:
    return TypeAdapter(Contents)
