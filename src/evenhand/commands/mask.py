"""`evenhand mask`: documents masked, one or many, under names that tell nothing."""

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from evenhand.errors import CheckFailed, InputError, Interrupted
from evenhand.resumes.documents.formats import (
    SUFFIXES,
    ending_of,
    is_document,
    is_passed_over,
    masked_document,
)
from evenhand.resumes.documents.request import Request
from evenhand.resumes.mask import MaskOptions, check_names
from evenhand.resumes.spans import OPTIONAL
from evenhand.runs.processes import cores, processes
from evenhand.runs.progress import Progress
from evenhand.tables.files import refuse_existing, write_file
from evenhand.tables.messages.quoting import one_line
from evenhand.tables.unpacking import UNPACK_LIMIT, Budget

__all__ = ["FileDone", "FilesDone", "mask_files", "readable"]

#: Processes take a second to start; so many files are masked in one.
FEW = 3
_LONGEST_ENDING = 6


@dataclass(frozen=True, kw_only=True)
class FileDone:
    """What became of one file; `output` is there where something was written, else `problem`."""

    source: Path
    output: Path | None = None
    spans: dict[str, int] = field(default_factory=dict)
    kept: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    problem: str | None = None
    kind: Literal["masked", "unreadable", "leak", "bug"] = "masked"

    @property
    def content(self) -> dict[str, Any]:
        """The result as JSON."""
        return {
            "input": readable(str(self.source)),
            "output": None if self.output is None else readable(str(self.output)),
            "status": self.kind,
            "spans": self.spans,
            "kept": self.kept,
            "notes": list(self.notes),
            "problem": None if self.problem is None else one_line(readable(self.problem)),
        }


@dataclass(frozen=True, kw_only=True)
class FilesDone:
    """What became of all files, in the order in which they were given; how many of other endings were left out.

    `not_reached`: how many were left when the user stopped it.
    """

    files: tuple[FileDone, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    not_reached: int = 0

    @property
    def content(self) -> dict[str, Any]:
        """The result as JSON: the only place where inputs and outputs stand side by side."""
        return {
            "files": [file.content for file in self.files],
            **self._counts,
            "left_out": dict(self.left_out),
            "not_reached": self.not_reached,
        }

    @property
    def _counts(self) -> dict[str, int]:
        return {kind: sum(file.kind == kind for file in self.files) for kind in ("masked", "unreadable", "leak", "bug")}

    @property
    def exit_code(self) -> int:
        """0, or the worst that happened: an interruption, a bug, a leak, a file that can't be read."""
        counts = self._counts
        if self.not_reached:
            return Interrupted.exit_code
        return 70 if counts["bug"] else 5 if counts["leak"] else 2 if counts["unreadable"] else 0

    @property
    def interruption(self) -> str | None:
        """One line on what was not reached when the user stopped it, None where all was."""
        if not self.not_reached:
            return None
        return f"Interrupted, {self.not_reached:,} files were not reached; what was written is whole."

    @property
    def summary(self) -> str:
        """One line for the terminal."""
        spans = sum((Counter(file.spans) for file in self.files), Counter())
        counts = sum((Counter(file.kept) for file in self.files), Counter())
        kept = {name: counts[name] for name in OPTIONAL if counts[name]}
        told = ", ".join(f"{category} {count:,}" for category, count in sorted(spans.items()))
        if kept:
            asked = f"; add --optional {','.join(kept)}"
            told = f"{told or 'nothing'}; kept: {', '.join(f'{name} {count:,}' for name, count in kept.items())}{asked}"
        masked = self._counts["masked"]
        notes = f" {'; '.join(self.files[0].notes)}." if len(self.files) == 1 and self.files[0].notes else ""
        if self.left_out:
            left = ", ".join(f"{ending} {count:,}" for ending, count in self.left_out.items())
            notes += f" Left out, as they are no documents: {left}."
        return (
            f"{masked:,} of {len(self.files) + self.not_reached:,} files written; masked: {told or 'nothing'}.{notes}"
        )


def readable(text: str) -> str:
    r"""Return a text without the marks that stand for bytes of a file's name that are no UTF-8.

    >>> print(readable("\udcff.txt"))
    \xff.txt
    """
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def mask_files(
    inputs: Sequence[Path],
    *,
    out: Path,
    options: MaskOptions,
    known_names: Sequence[str] = (),
    unpack_limit: int = UNPACK_LIMIT,
    force: bool = False,
    progress: Progress | None = None,
) -> FilesDone:
    """Mask documents; one to the file `out`, several or a folder's into the folder `out`.

    Outputs in a folder are numbered in the order of their inputs' digests, as an order by
    name would tell about names. A file that can't be read stops no other. When the user stops
    it, what was done so far comes back.

    Raises
    ------
    InputError
        No file to mask, `out` can't be written to, or the limit is no number of megabytes.

    """
    check_names(known_names)
    Budget(unpack_limit)
    found = _found(inputs, out)
    single = len(inputs) == 1 and not inputs[0].is_dir() and not out.is_dir()
    targets = {found.files[0]: _single_target(found.files[0], out)} if single else _targets(found.files, out)
    _refuse(targets, single=single, force=force)
    if not single and targets:
        _make_folder(out)
    jobs = [_Job(source, target, options, tuple(known_names), unpack_limit) for source, target in targets.items()]
    done = dict(found.problems)

    def take(file: FileDone) -> None:
        done[file.source] = file
        if progress is not None:
            progress("masking", len(done) - len(found.problems), len(jobs))

    with suppress(KeyboardInterrupt):  # what was done so far is told
        _run(jobs, take)
    left_out = {ending: found.left_out[ending] for ending in sorted(found.left_out)}
    files = tuple(done[source] for source in found.order if source in done)
    return FilesDone(files=files, left_out=left_out, not_reached=len(found.order) - len(files))


@dataclass(frozen=True)
class _Job:
    source: Path
    target: Path
    options: MaskOptions
    known_names: tuple[str, ...]
    unpack_limit: int


@dataclass
class _Found:
    """The files to mask, each once; what can't be read; the order of both; other files, by ending."""

    files: list[Path] = field(default_factory=list)
    problems: dict[Path, FileDone] = field(default_factory=dict)
    order: list[Path] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def add(self, path: Path, there: dict[Path, Path]) -> None:
        if there.setdefault(path.resolve(), path) is path:
            self.files.append(path)
            self.order.append(path)

    def refuse(self, path: Path, problem: str) -> None:
        if path not in self.problems:
            self.problems[path] = FileDone(source=path, kind="unreadable", problem=problem)
            self.order.append(path)


def _found(inputs: Sequence[Path], out: Path) -> _Found:
    """Return what is given, and what a folder and its folders hold; a single input that can't be read is an error."""
    found = _Found()
    there: dict[Path, Path] = {}
    for path in inputs:
        if path.is_dir():
            if out.resolve().is_relative_to(path.resolve()):
                raise InputError(f"--out {out} lies in {path}, the folder to mask; give one beside it.")
            _look_into(path, found, there)
            continue
        try:
            _check_input(path)
        except InputError as error:
            if len(inputs) == 1:
                raise
            found.refuse(path, str(error))
        else:
            found.add(path, there)
    return found


def _check_input(path: Path) -> None:
    if not path.exists():
        raise InputError(f"No file {path}.")
    ending_of(path)
    if not path.is_file():
        raise InputError(f"{path} is no file.")


def _look_into(folder: Path, found: _Found, there: dict[Path, Path]) -> None:
    """Add a folder's documents, in all of its folders; links to folders are not followed."""
    before = len(found.order)

    def refuse(error: OSError) -> None:
        found.refuse(Path(error.filename), f"The folder {error.filename} can't be read: {error.strerror}.")

    paths = [Path(at) / name for at, _, names in os.walk(folder, onerror=refuse) for name in names]
    for path in sorted(paths):
        if is_document(path) and (path.is_file() or not path.exists()):  # a link to nowhere is told when it is read
            found.add(path, there)
        elif not is_passed_over(path):
            ending = path.suffix.lower()
            found.left_out[ending if ending[1:].isalnum() and len(ending) <= _LONGEST_ENDING else "others"] += 1
    if len(found.order) == before:
        raise InputError(f"{folder} holds no file to mask; expected .txt, .md, .json, .docx or .pdf.")


def _single_target(source: Path, out: Path) -> Path:
    if ending_of(source) != SUFFIXES.get(out.suffix.lower()):
        raise InputError(
            f"--out {out} has another ending than {source.name}; formats are not converted. "
            f"Give a file with {ending_of(source)}, or a folder that is there."
        )
    return out


def _targets(sources: Sequence[Path], out: Path) -> dict[Path, Path]:
    """Return a numbered output for each input; the numbers follow the digests of contents."""
    if out.exists() and not out.is_dir():
        raise InputError(f"--out {out} is a file; expected a folder for several inputs.")
    if out.suffix.lower() in SUFFIXES and not out.is_dir():
        raise InputError(f"--out {out} reads like a file; expected a folder for several inputs.")
    digests = []
    for source in sources:
        try:
            digests.append((hashlib.sha256(source.read_bytes()).digest(), source))
        except OSError:
            digests.append((b"", source))  # told when its turn comes
    width = len(str(len(sources)))
    return {
        source: out / f"resume-{number:0{width}d}{ending_of(source)}"
        for number, (_, source) in enumerate(sorted(digests), 1)
    }


def _refuse(targets: dict[Path, Path], *, single: bool, force: bool) -> None:
    places = {source.resolve() for source in targets}
    sources = {_identity(source) for source in targets} - {None}
    for target in targets.values():
        if target.resolve() in places or _identity(target) in sources:
            raise InputError(f"--out {target} is a file to mask; give another.")
        if target.parent.is_dir() or single:
            refuse_existing(target, force=force)
        if target.parent.is_dir() and not os.access(target.parent, os.W_OK):
            raise InputError(f"{target.parent} can't be written to; give another --out.")


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what hard links of one file share, None where there is no file."""
    try:
        told = path.stat()
    except OSError:
        return None
    return told.st_dev, told.st_ino


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"The folder {out} can't be made: {error.strerror}.") from error


def _run(jobs: Sequence[_Job], take: Callable[[FileDone], None]) -> None:
    """Hand on what becomes of each job, in any order; when interrupted, also of those that are under way."""
    if len(jobs) <= FEW:
        for job in jobs:
            take(_masked(job))
        return
    left = dict.fromkeys(jobs)
    pool = processes(min(cores(), len(jobs)))
    waiting: dict[Future[FileDone], _Job] = {}
    try:
        for job in jobs:
            waiting[pool.submit(_masked, job)] = job
        for future in as_completed(tuple(waiting)):
            take(future.result())
            del left[waiting.pop(future)]
    except BrokenProcessPool:
        _one_by_one(list(left), take)
    except KeyboardInterrupt:
        pool.shutdown(cancel_futures=True)  # waits for what is under way: it is written, and so counts
        for future in waiting:
            if not future.cancelled() and future.exception() is None:
                take(future.result())
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _one_by_one(jobs: Sequence[_Job], take: Callable[[FileDone], None]) -> None:
    """Hand on the rest after a file ended its process: each in a process of its own, so that one ends no other."""
    for job in jobs:
        with processes(1) as pool:
            try:
                take(pool.submit(_masked, job).result())
            except BrokenProcessPool:
                take(
                    FileDone(
                        source=job.source,
                        kind="unreadable",
                        problem=f"Reading {job.source} ended its process; it is left out.",
                    )
                )


def _masked(job: _Job) -> FileDone:
    """Mask one file and write it."""
    request = Request(
        options=job.options,
        known_names=job.known_names,
        file_name=job.source.name,
        unpack_limit=job.unpack_limit,
    )
    try:
        document = masked_document(job.source, request)
        write_file(job.target, document.content)
    except InputError as error:
        return _not_written(job, "unreadable", str(error))
    except CheckFailed as error:
        return _not_written(job, "leak", f"{job.source}: {error}")
    except Exception as error:  # noqa: BLE001 - a bug with one file stops no other; the exit code tells
        return _not_written(job, "bug", _told(job.source, error))
    return FileDone(
        source=job.source, output=job.target, spans=dict(document.spans), kept=dict(document.kept), notes=document.notes
    )


def _not_written(job: _Job, kind: Literal["unreadable", "leak", "bug"], problem: str) -> FileDone:
    """Return what went wrong; a file with the output's name is of an earlier run, maybe of another document."""
    earlier = f" {job.target} is of an earlier run." if job.target.exists() else ""
    return FileDone(source=job.source, kind=kind, problem=f"{problem}{earlier}")


def _told(source: Path, error: Exception) -> str:
    """Return where a bug is, without the text that it met."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f", {Path(trace.tb_frame.f_code.co_filename).name} line {trace.tb_lineno}"
    return f"{source} could not be masked: a bug in evenhand ({type(error).__name__}{place})."
