"""The folder that a run leaves on disk: who may write into it, and its manifest."""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from evenhand.errors import ForeignFolder, InputError
from evenhand.tables.finding import FINDINGS_SCHEMA, Finding

__all__ = [
    "MANIFEST_SCHEMA",
    "RunFolder",
    "prepare_run_folder",
    "read_manifest",
    "sync_file",
    "write_atomically",
    "written_atomically",
]

MANIFEST_SCHEMA = "evenhand.run/1"

#: All that evenhand writes into a run folder; --force removes these and nothing else.
OWN_FILES = re.compile(
    r"manifest\.json|(answers-\d+|batches)\.jsonl|(outcomes|words|counts)\.parquet|(words|impact|pooled|ll144|tables)\.csv"
    r"|findings\.(json|csv)|(report|ll144)\.html|\.lock"
)


@dataclass(frozen=True)
class RunFolder:
    """A folder with our manifest, or an empty one that is about to get it."""

    path: Path

    @property
    def outcomes(self) -> Path:
        """Return where the outcomes are."""
        return self.path / "outcomes.parquet"

    @property
    def words(self) -> Path:
        """Return where the words of documents are counted, if the answers are documents."""
        return self.path / "words.parquet"

    @property
    def findings(self) -> Path:
        """Return where the findings are."""
        return self.path / "findings.json"

    @property
    def report(self) -> Path:
        """Return where the report is."""
        return self.path / "report.html"

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Write what was asked; a reader sees the old manifest or the new one, never half."""
        content = orjson.dumps({"schema": MANIFEST_SCHEMA, **manifest}, option=orjson.OPT_INDENT_2)
        write_atomically(self.path / "manifest.json", content)

    def write_findings(self, audit: Mapping[str, Any], findings: list[Finding]) -> dict[str, Any]:
        """Write findings.json and return what it holds."""
        content = {"schema": FINDINGS_SCHEMA, "audit": dict(audit), "findings": [asdict(row) for row in findings]}
        write_atomically(self.findings, orjson.dumps(content, option=orjson.OPT_INDENT_2))
        return content

    def clear(self) -> None:
        """Remove the files of a run; whatever else lies here stays."""
        for file in sorted(self.path.iterdir()):
            if file.is_file() and OWN_FILES.fullmatch(file.name) and file.name != ".lock":
                file.unlink()
            elif file.is_dir() and (file / "manifest.json").is_file() and read_manifest(file) is not None:
                RunFolder(file).clear()


def prepare_run_folder(path: Path, *, force: bool = False, resume: bool = False) -> RunFolder:
    """Return a folder that a run may write into, made if it is not there.

    Nothing is removed here: a caller who was given `force` clears the folder once it
    holds the lock.

    Raises
    ------
    ForeignFolder
        The folder holds files, but no manifest of ours.
    InputError
        It holds a run and neither `force` nor `resume` is given, or there is no run to resume.

    """
    if path.exists() and not path.is_dir():
        message = f"--out {path} is a file; expected a folder."
        raise InputError(message)
    manifest = read_manifest(path) if path.exists() else None
    if resume and manifest is None:
        message = f"There is no run to resume in {path}: it has no manifest.json. Leave out --resume to start one."
        raise InputError(message)
    if manifest is None and path.exists() and any(entry.name != ".lock" for entry in path.iterdir()):
        message = f"{path} holds files that are not from an evenhand run; nothing was changed. Choose another --out."
        raise ForeignFolder(message)
    if manifest is not None and not (force or resume):
        message = f"{path} holds a run already. Use --resume to go on with it, --force to replace it, or another --out."
        raise InputError(message)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"The folder {path} can't be made: {error.strerror}."
        raise InputError(message) from error
    return RunFolder(path)


def read_manifest(path: Path) -> dict[str, Any] | None:
    """Return the manifest of a folder, None where there is none.

    Raises
    ------
    InputError
        There is a manifest.json, but it is damaged.

    """
    file = path / "manifest.json"
    if not file.is_file():
        return None
    try:
        manifest = orjson.loads(file.read_bytes())
    except orjson.JSONDecodeError as error:
        message = f"{file} is damaged ({error}); nothing was changed."
        raise InputError(message) from error
    if not isinstance(manifest, dict) or manifest.get("schema") != MANIFEST_SCHEMA:
        return None
    return manifest


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that it is whole or not there, also after a power cut."""
    with written_atomically(path) as file:
        file.write(content)


@contextmanager
def written_atomically(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write to; it takes its name when all is written, and what an error leaves is removed."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def sync_file(path: Path) -> None:
    """Bring a file to the disk, if it is there."""
    if path.is_file():
        with path.open("rb") as file:
            os.fsync(file.fileno())
