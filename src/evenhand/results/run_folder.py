"""The folder that a run leaves on disk: who may write into it, and its manifest."""

import fcntl
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import orjson

from evenhand.errors import ForeignFolder, InputError
from evenhand.results.files import sha256_of, write_atomically
from evenhand.results.kinds import UNKNOWN, run_kind
from evenhand.results.messages import quoted
from evenhand.results.result import Result

LOCK_FILE = ".lock"
MANIFEST_SCHEMA = "evenhand.run/1"
FINISHED = "finished"
#: The environment variable that says who has runs made.
AUDITOR = "EVENHAND_AUDITOR"

#: What a crash may leave of a file that was being written.
_LEFTOVER = r"\.({})\.(part|\d{{6}})"
#: What systems put into any folder that somebody looked at; it stays, as the lock does.
_PASSED_OVER = frozenset({LOCK_FILE, ".DS_Store", "Thumbs.db", "desktop.ini"})


class RunLock:
    """Holds a run folder until `release`, the end of the `with` block or of the process.

    The kernel frees the lock when the process dies, kill -9 included. The file itself
    stays: removing it would let two processes lock two files of one name.

    Raises
    ------
    InputError
        another process holds the folder, or it can't be locked.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK_FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise InputError(f"Cannot write in {folder}: {error.strerror}.") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 32).decode("ascii", "replace").strip()
            os.close(descriptor)
            who = f"process {holder}" if holder.isdigit() else "another process"
            message = f"{folder} is in use by {who}. Wait for its end, or give another folder with --out."
            raise InputError(message) from None
        except OSError as error:
            os.close(descriptor)
            message = f"{folder} cannot be locked ({error.strerror}). Give a folder on a local disk with --out."
            raise InputError(message) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Let others use the folder; a second call does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()


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

    def write_manifest(self, manifest: Mapping[str, Any], *, hashes: bool = True) -> None:
        """Write what was asked; a reader sees the old manifest or the new one, never half.

        That of a finished run has the hashes of what the run leaves, but for what is drawn from it, so that a change
        made afterwards shows; without `hashes` it stays as it is. Who has it made is what EVENHAND_AUDITOR says.
        """
        auditor = os.environ.get(AUDITOR)
        content = {"schema": MANIFEST_SCHEMA, **({"asked_by": auditor} if auditor else {}), **manifest}
        if hashes:
            content.pop("files", None)
            if manifest.get("status") == FINISHED:
                content["files"] = {file.name: sha256_of(file) for file in self.kept_files(manifest.get("kind"))}
        write_atomically(self.path / "manifest.json", orjson.dumps(content, option=orjson.OPT_INDENT_2))

    def kept_files(self, kind: object) -> list[Path]:
        """Return the files of a run of this kind that nothing can draw again, in the order of their names."""
        known = run_kind(kind)
        own_files, ignored = re.compile(known.files), re.compile(rf"manifest\.json|{known.drawn}")
        files = [file for file in self.path.iterdir() if file.is_file() and own_files.fullmatch(file.name)]
        return sorted(file for file in files if not ignored.fullmatch(file.name))

    def write_result(self, result: Result[Any, Any]) -> None:
        """Write findings.json."""
        write_atomically(self.findings, orjson.dumps(result.content, option=orjson.OPT_INDENT_2))

    def clear(self) -> None:
        """Remove what its manifest names, the manifest last, and nothing where anything else lies here.

        Raises
        ------
        ForeignFolder
            Something lies here that is not of this run.

        """
        files = manifest_files(self.path)
        for file in sorted(files, key=lambda file: (file.name == "manifest.json", -len(file.parts))):
            file.unlink(missing_ok=True)


def manifest_files(path: Path) -> list[Path]:
    """Return the files that the manifest of a run folder names; those of a suite's probes lie in folders of their own.

    Raises
    ------
    ForeignFolder
        Anything else lies here, a symbolic link among them, or the kind of run is not known.

    """
    manifest = manifest_values(path)
    if manifest is None:
        return []
    kind = run_kind(manifest.get("kind"))
    if kind is UNKNOWN:
        kind_text = quoted(manifest.get("kind"))
        raise ForeignFolder(f"{path} holds a run of {kind_text}, unknown to this version; nothing was changed.")
    own_files = re.compile(f"{kind.files}|{_LEFTOVER.format(kind.files)}")
    probes = manifest.get("probes") if kind.probes_below else ()
    files: list[Path] = []
    for entry in sorted(path.iterdir()):
        link = entry.is_symlink()
        if entry.name in _PASSED_OVER and not link:
            continue
        if entry.is_file() and not link and own_files.fullmatch(entry.name):
            files.append(entry)
        elif entry.is_dir() and not link and _is_spent(entry):
            continue
        elif entry.is_dir() and not link and entry.name in (probes or ()) and manifest_values(entry) is not None:
            files += manifest_files(entry)
        else:
            note = " (a symbolic link)" if link else ""
            raise ForeignFolder(
                f"{path} holds {quoted(entry.name)}{note}, which is not of its run; nothing was changed. "
                "Move it away, or choose another --out."
            )
    return files


def _is_spent(folder: Path) -> bool:
    """Say whether a folder is what clearing leaves of a suite's probe: its lock, or nothing."""
    return all(entry.name in _PASSED_OVER and not entry.is_symlink() for entry in folder.iterdir())


def prepare_run_folder(path: Path, *, force: bool = False, resume: bool = False) -> RunFolder:
    """Return a folder that a run may write into, made if it is not there.

    Nothing is removed here: a caller who was given `force` clears the folder once it
    holds the lock.

    Raises
    ------
    ForeignFolder
        The folder holds files, but no manifest of ours; or with `force` more than its run.
    InputError
        It holds a run and neither `force` nor `resume` is given, or there is no run to resume.

    """
    if path.exists() and not path.is_dir():
        message = f"--out {path} is a file; expected a folder."
        raise InputError(message)
    manifest = manifest_values(path) if path.exists() else None
    if resume and manifest is None:
        message = f"There is no run to resume in {path}: it has no manifest.json. Leave out --resume to start one."
        raise InputError(message)
    if manifest is None and path.exists() and any(entry.name != ".lock" for entry in path.iterdir()):
        message = f"{path} holds files that are not from an evenhand run; nothing was changed. Choose another --out."
        raise ForeignFolder(message)
    if manifest is not None and not (force or resume):
        message = f"{path} holds a run already. Use --resume to go on with it, --force to replace it, or another --out."
        raise InputError(message)
    if force and path.is_symlink():
        raise InputError(f"--out {path} is a symbolic link; with --force give the folder that it leads to.")
    if force:
        manifest_files(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"The folder {path} can't be made: {error.strerror}."
        raise InputError(message) from error
    return RunFolder(path)


def refuse_clearing_input(out: Path | None, inputs: Iterable[Any], *, force: bool) -> None:
    """Refuse to clear a folder that holds what is read, or that is it.

    Raises
    ------
    InputError
        An input lies in `out`, which --force would clear.

    """
    if out is None or not force:
        return
    target = out.resolve()
    for path in inputs:
        is_path = isinstance(path, Path) or (isinstance(path, str) and "://" not in path)
        if is_path and Path(path).resolve().is_relative_to(target):
            raise InputError(f"--out {out} holds {path}, which is read; --force would remove it. Choose another --out.")


def manifest_values(path: Path) -> dict[str, Any] | None:
    """Return what the manifest of a folder holds, None where there is none; `runs.manifest` tells what it means.

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
