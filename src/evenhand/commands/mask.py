"""`evenhand mask`: documents masked, one or many, under names that tell nothing."""

import hashlib
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal

from evenhand.commands._data_files import refuse_existing, write_file
from evenhand.errors import CheckFailed, InputError, Interrupted
from evenhand.resumes.documents.formats import ending_of, is_document, masked_document
from evenhand.resumes.documents.request import Request
from evenhand.resumes.mask import MaskOptions

__all__ = ["FileDone", "FilesDone", "mask_files"]

Progress = Callable[[int, int], None]
#: Processes take a second to start; so many files are masked in one.
FEW = 3


@dataclass(frozen=True, kw_only=True)
class FileDone:
    """What became of one file; `output` is there where something was written, else `problem`."""

    source: Path
    output: Path | None = None
    spans: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    problem: str | None = None
    kind: Literal["masked", "unreadable", "leak", "bug"] = "masked"

    @property
    def content(self) -> dict[str, Any]:
        """The result as JSON."""
        return {
            "input": str(self.source),
            "output": None if self.output is None else str(self.output),
            "status": self.kind,
            "spans": self.spans,
            "notes": list(self.notes),
            "problem": self.problem,
        }


@dataclass(frozen=True, kw_only=True)
class FilesDone:
    """What became of all files, in the order in which they were given."""

    files: tuple[FileDone, ...]

    @property
    def content(self) -> dict[str, Any]:
        """The result as JSON: the only place where inputs and outputs stand side by side."""
        return {"files": [file.content for file in self.files], **self._counts}

    @property
    def _counts(self) -> dict[str, int]:
        return {kind: sum(file.kind == kind for file in self.files) for kind in ("masked", "unreadable", "leak", "bug")}

    @property
    def exit_code(self) -> int:
        """0, or the worst that happened: a bug, a leak, a file that can't be read."""
        counts = self._counts
        return 70 if counts["bug"] else 5 if counts["leak"] else 2 if counts["unreadable"] else 0

    @property
    def summary(self) -> str:
        """One line for the terminal."""
        spans: dict[str, int] = {}
        for file in self.files:
            for category, count in file.spans.items():
                spans[category] = spans.get(category, 0) + count
        told = ", ".join(f"{category} {count:,}" for category, count in sorted(spans.items()))
        masked = self._counts["masked"]
        notes = f" {'; '.join(self.files[0].notes)}." if len(self.files) == 1 and self.files[0].notes else ""
        return f"{masked:,} of {len(self.files):,} files written; masked: {told or 'nothing'}.{notes}"


def mask_files(
    inputs: Sequence[Path],
    *,
    out: Path,
    options: MaskOptions,
    known_names: Sequence[str] = (),
    force: bool = False,
    progress: Progress | None = None,
) -> FilesDone:
    """Mask documents; one to the file `out`, several or a folder's into the folder `out`.

    Outputs in a folder are numbered in the order of their inputs' digests, as an order by
    name would tell about names. A file that can't be read stops no other.

    Raises
    ------
    InputError
        No file to mask, or `out` can't be written to.
    Interrupted
        The user stopped it.

    """
    sources = _sources(inputs, out)
    single = len(inputs) == 1 and not inputs[0].is_dir() and not out.is_dir()
    targets = {sources[0]: _single_target(sources[0], out)} if single else _targets(sources, out)
    _refuse(targets, force=force)
    if not single:
        _make_folder(out)
    jobs = [_Job(source, target, options, tuple(known_names)) for source, target in targets.items()]
    done: dict[Path, FileDone] = {}
    try:
        for file in _run(jobs):
            done[file.source] = file
            if progress is not None:
                progress(len(done), len(jobs))
    except KeyboardInterrupt as interrupt:
        raise Interrupted(
            f"Interrupted after {len(done)} of {len(jobs)} files; what was written is whole."
        ) from interrupt
    return FilesDone(files=tuple(done[source] for source in sources))


@dataclass(frozen=True)
class _Job:
    source: Path
    target: Path
    options: MaskOptions
    known_names: tuple[str, ...]


def _sources(inputs: Sequence[Path], out: Path) -> list[Path]:
    """Return the files to mask, each once; a folder's in all of its folders."""
    found: dict[Path, Path] = {}
    for given in inputs:
        if given.is_dir():
            if out.resolve().is_relative_to(given.resolve()):
                raise InputError(f"--out {out} lies in {given}, the folder to mask; give one beside it.")
            files = sorted(path for path in given.rglob("*") if path.is_file() and is_document(path))
            if not files:
                raise InputError(f"{given} holds no file to mask; expected .txt, .md, .json, .docx or .pdf.")
        elif not given.exists():
            raise InputError(f"No file {given}.")
        else:
            ending_of(given)
            files = [given]
        for path in files:
            found.setdefault(path.resolve(), path)
    return list(found.values())


def _single_target(source: Path, out: Path) -> Path:
    if ending_of(source) != ending_of(out):
        raise InputError(f"--out {out} has another ending than {source.name}; formats are not converted.")
    return out


def _targets(sources: Sequence[Path], out: Path) -> dict[Path, Path]:
    """Return a numbered output for each input; the numbers follow the digests of contents."""
    if out.exists() and not out.is_dir():
        raise InputError(f"--out {out} is a file; expected a folder for several inputs.")
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


def _refuse(targets: dict[Path, Path], *, force: bool) -> None:
    given = {source.resolve() for source in targets}
    for target in targets.values():
        if target.resolve() in given or (target.exists() and any(target.samefile(source) for source in targets)):
            raise InputError(f"--out {target} is a file to mask; give another.")
        if target.parent.is_dir() or len(targets) == 1:
            refuse_existing(target, force=force)
        if target.parent.is_dir() and not os.access(target.parent, os.W_OK):
            raise InputError(f"{target.parent} can't be written to; give another --out.")


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"The folder {out} can't be made: {error.strerror}.") from error


def _run(jobs: Sequence[_Job]) -> Iterator[FileDone]:
    """Yield what becomes of each job, in any order."""
    if len(jobs) <= FEW:
        for job in jobs:
            yield _masked(job)
        return
    left = dict.fromkeys(jobs)
    pool = _pool(min(os.cpu_count() or 1, len(jobs)))
    try:
        waiting: dict[Future[FileDone], _Job] = {pool.submit(_masked, job): job for job in jobs}
        for future in as_completed(waiting):
            file = future.result()
            del left[waiting.pop(future)]
            yield file
    except BrokenProcessPool:
        yield from _one_by_one(list(left))
    finally:
        pool.shutdown(cancel_futures=True)


def _one_by_one(jobs: Sequence[_Job]) -> Iterator[FileDone]:
    """Yield the rest after a file ended its process: each in a process of its own, so that one ends no other."""
    for job in jobs:
        with _pool(1) as pool:
            try:
                yield pool.submit(_masked, job).result()
            except BrokenProcessPool:
                yield FileDone(
                    source=job.source,
                    kind="unreadable",
                    problem=f"Reading {job.source} ended its process; it is left out.",
                )


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_ignore_interrupts)


def _ignore_interrupts() -> None:
    """Let the parent end the work: Ctrl-C reaches every process of a terminal."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _masked(job: _Job) -> FileDone:
    """Mask one file and write it."""
    request = Request(options=job.options, known_names=job.known_names, file_name=job.source.name)
    try:
        document = masked_document(job.source, request)
        write_file(job.target, document.content)
    except InputError as error:
        return FileDone(source=job.source, kind="unreadable", problem=str(error))
    except CheckFailed as error:
        return FileDone(source=job.source, kind="leak", problem=f"{job.source}: {error}")
    except Exception as error:  # noqa: BLE001 - a bug with one file stops no other; the exit code tells
        return FileDone(source=job.source, kind="bug", problem=_told(job.source, error))
    return FileDone(source=job.source, output=job.target, spans=dict(document.spans), notes=document.notes)


def _told(source: Path, error: Exception) -> str:
    """Return where a bug is, without the text that it met."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f", {Path(trace.tb_frame.f_code.co_filename).name} line {trace.tb_lineno}"
    return f"{source} could not be masked: a bug in evenhand ({type(error).__name__}{place})."
