"""`evenhand mask`: mask documents, standard input, or rows of JSONL.

Outputs in a folder get neutral names (`mask_files`). Many files or rows are masked in several processes. A run into a
folder that ended early goes on from its `Journal`, which stands beside the folder until all is written, and holds
digests, which name nobody; a mapping, which the user asks for, is a journal that stays and has the inputs' names.
"""

import hashlib
import os
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal

import orjson

from evenhand.analyses.options.masking import Masking
from evenhand.analyses.progress import Progress, cores, processes
from evenhand.data.toml_files import jsonl_lines
from evenhand.errors import CheckFailed, InputError, Interrupted
from evenhand.masking.documents import formats
from evenhand.masking.documents.request import Request, absent_names, names_missing, within_limits
from evenhand.masking.mask import check_names, mask_text
from evenhand.masking.names.mentions import ORDINARY, ordinary_uses
from evenhand.masking.pronouns import OPTIONAL
from evenhand.results.files import (
    Budget,
    append_line,
    claim,
    file_bytes,
    parsed_json,
    refuse_existing,
    write_file,
    written,
)
from evenhand.results.messages import one_line
from evenhand.results.terminal import CommandOutput

#: Processes take a second to start; so many files are masked in one.
FEW = 3
_LONGEST_ENDING = 6


@dataclass(frozen=True, kw_only=True)
class FileDone:
    """The result of one file: `output` if it was written, by this run or an `earlier` one, else `problem`."""

    source: Path
    output: Path | None = None
    spans: dict[str, int] = field(default_factory=dict)
    kept: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    problem: str | None = None
    kind: Literal["masked", "unreadable", "leak", "bug", "planned"] = "masked"
    earlier: bool = False

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
    """The results of all files, in the order given.

    `left_out` counts files with other endings, by ending; `not_reached` those left when the user interrupted.
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
            "earlier": self._earlier,
            "left_out": dict(self.left_out),
            "not_reached": self.not_reached,
        }

    @property
    def _earlier(self) -> int:
        return sum(file.earlier for file in self.files)

    @property
    def _counts(self) -> dict[str, int]:
        return {kind: sum(file.kind == kind for file in self.files) for kind in ("masked", "unreadable", "leak", "bug")}

    @property
    def exit_code(self) -> int:
        """0, or the code of the worst event: interruption, bug, leak, unreadable file."""
        counts = self._counts
        if self.not_reached:
            return Interrupted.exit_code
        return 70 if counts["bug"] else 5 if counts["leak"] else 2 if counts["unreadable"] else 0

    @property
    def interruption(self) -> str | None:
        """One line on the files not reached when the user interrupted; None if all were."""
        if not self.not_reached:
            return None
        return f"Interrupted, {self.not_reached:,} files were not reached; what was written is whole."

    @property
    def summary(self) -> str:
        """One line for the terminal."""
        spans = sum((Counter(file.spans) for file in self.files), Counter())
        counts = sum((Counter(file.kept) for file in self.files), Counter())
        unmasked = {name: counts[name] for name in OPTIONAL if counts[name]}
        summary = ", ".join(f"{category} {count:,}" for category, count in sorted(spans.items()))
        if unmasked:
            listed = ", ".join(f"{name} {count:,}" for name, count in unmasked.items())
            summary = f"{summary or 'nothing'}; kept: {listed}; add --optional {','.join(unmasked)}"
        done = f"{self._counts['masked']:,} of {len(self.files) + self.not_reached:,} files written"
        done += f", {self._earlier:,} of them by an earlier run" if self._earlier else ""
        notes = f" {'; '.join(self.files[0].notes)}." if len(self.files) == 1 and self.files[0].notes else ""
        if self.left_out:
            left = ", ".join(f"{ending} {count:,}" for ending, count in self.left_out.items())
            notes += f" Left out, because they are not documents:  {left}."
        return f"{done}; masked: {summary or 'nothing'}.{notes}"


def readable(text: str) -> str:
    r"""Return a text with escapes for the bytes of a file's name that are no UTF-8.

    >>> print(readable("\udcff.txt"))
    \xff.txt
    """
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _request(masking: Masking) -> Request:
    """Return how each document or row is masked, its own names apart."""
    check_names(masking.known_names)
    return Request(options=masking, known_names=masking.known_names, unpack_limit=masking.unpack_limit)


def mask_files(inputs: Sequence[Path], masking: Masking, *, out: Path, progress: Progress | None = None) -> FilesDone:
    """Mask documents: one into the file `out`, several or a folder's into the folder `out`.

    Outputs in a folder are numbered by the digests of their inputs, as an order by name would reveal names. A file
    that can't be read stops no other. After an interruption the results so far are returned; the next run goes on
    from them, unless `force` has it begin anew.

    Raises
    ------
    InputError
        No file to mask, `out` or the mapping can't be written to, or the limit is no number of megabytes.

    """
    request, mapping = _request(masking), masking.mapping
    Budget(masking.unpack_limit)
    collected = _input_files(inputs, out)
    single = len(inputs) == 1 and not inputs[0].is_dir() and not out.is_dir()
    if mapping is not None and mapping.resolve().is_relative_to(out.resolve()):
        raise InputError(f"--mapping {mapping} lists the inputs and lies in --out {out}; give another folder.")
    with nullcontext() if single or not collected.files else _held_folder(out):
        journal = Journal.of(mapping or (None if single else journal_path(out)), force=masking.force)
        digests = _digests(collected.files)
        keys = {source: input_key(digest, request) for source, digest in digests.items() if digest}
        if single:
            targets = {source: _single_target(source, out) for source in collected.files}
        else:
            targets = _targets(digests, out, lambda names: journal.assigned(keys, names))
        _refuse(targets, mapping, journal.rows, single=single, force=masking.force)

        def row_of(file: FileDone) -> Row:
            content = {**file.content, "key": keys.get(file.source)}
            return content if mapping is not None else {name: content[name] for name in _NAMELESS}

        earlier = {source: row for source, target in targets.items() if (row := journal.done(target, keys.get(source)))}
        done = dict(collected.problems)
        for source, row in earlier.items():
            spans, kept, notes = row["spans"], row["kept"], tuple(row["notes"])
            done[source] = FileDone(
                source=source, output=targets[source], spans=spans, kept=kept, notes=notes, earlier=True
            )
        planned = [FileDone(source=source, output=target, kind="planned") for source, target in targets.items()]
        journal.write(row_of(done.get(file.source, file)) for file in planned)
        jobs = [_Job(source, target, request) for source, target in targets.items() if source not in done]

        def take(file: FileDone) -> None:
            done[file.source] = file
            journal.add(row_of(file))
            if progress is not None:
                progress("masking", len(done) - len(collected.problems), len(targets))

        with suppress(KeyboardInterrupt):  # the results so far are returned
            _run(jobs, take, min(masking.jobs or cores(), len(jobs)))
        left_out = {ending: collected.left_out[ending] for ending in sorted(collected.left_out)}
        files = tuple(done[source] for source in collected.order if source in done)
        if mapping is not None and len(files) == len(collected.order):
            journal.write(map(row_of, files))
        elif all(source in done and done[source].kind == "masked" for source in targets):
            journal.remove()
        return FilesDone(files=files, left_out=left_out, not_reached=len(collected.order) - len(files))


#: The first line of a journal.
_HEAD: Final = {"schema": "evenhand.mask_journal/1"}
Row = dict[str, Any]


def input_key(digest: bytes, request: Request) -> str:
    """Return what an output depends on, as a digest: the input's bytes, the options and the version."""
    options = request.options
    asked = [sorted(options.optional), options.strict, options.pronouns, *request.known_names, version("evenhand")]
    return hashlib.sha256(digest + orjson.dumps(asked)).hexdigest()


@dataclass(frozen=True)
class Journal:
    """A journal's file, None for none, and its last row of each output, by the output's name."""

    path: Path | None
    rows: Mapping[str, Row]

    @classmethod
    def of(cls, path: Path | None, *, force: bool) -> "Journal":
        """Return the journal of an earlier run; with `force` and where there is none, an empty one.

        Raises
        ------
        InputError
            The file is something else, or can't be read.

        """
        if path is None or force or not (path.exists() or path.is_symlink()):
            return cls(path, {})
        try:
            head, *lines = file_bytes(path).splitlines(keepends=True) or [b""]
            rows = [orjson.loads(line) for line in lines if line.endswith(b"\n")]  # a kill cuts the last line off
            if orjson.loads(head) == _HEAD:
                return cls(path, {Path(row["output"]).name: row for row in rows if row["output"] is not None})
        except OSError as error:
            raise InputError(f"{path} can't be read: {error.strerror}.") from error
        except (ValueError, TypeError, KeyError):
            pass
        raise InputError(
            f"{path} already exists and is not a mapping of evenhand mask. Use --force to replace it, or "
            "another --mapping."
        )

    def done(self, target: Path, key: str | None) -> Row | None:
        """Return the row of an output that is whole and depends on the same input and options."""
        row = self.rows.get(target.name, {})
        return row if row.get("status") == "masked" and row["key"] == key and target.is_file() else None

    def write(self, rows: Iterable[Row]) -> None:
        """Write the journal anew."""
        if self.path is not None:
            write_file(self.path, b"".join(_line(row) for row in (_HEAD, *rows)))

    def add(self, row: Row) -> None:
        """Add a row that a kill leaves there."""
        if self.path is not None:
            append_line(self.path, _line(row))

    def remove(self) -> None:
        """Remove the file."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def assigned(self, keys: Mapping[Path, str], names: Mapping[Path, str]) -> dict[Path, str]:
        """Return an output's name for each input: that of an earlier run for what hasn't changed, else the next free.

        `names` are the names that the inputs get in a new run, in order.
        """
        earlier: dict[str, list[str]] = {}
        for name, row in self.rows.items():
            earlier.setdefault(row.get("key", ""), []).append(name)
        assigned = {source: earlier[key].pop(0) for source, key in keys.items() if earlier.get(key)}
        taken = {Path(name).stem for name in assigned.values()}
        free: Iterator[str] = (stem for name in names.values() if (stem := Path(name).stem) not in taken)
        return assigned | {
            source: f"{next(free)}{Path(name).suffix}" for source, name in names.items() if source not in assigned
        }


def _line(row: Mapping[str, Any]) -> bytes:
    return orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)


def journal_path(out: Path) -> Path:
    """Return where the journal of a folder stands until all is written.

    >>> journal_path(Path("/people/masked")).as_posix()
    '/people/.masked.unfinished'
    """
    folder = out.resolve()
    return folder.parent / f".{folder.name}.unfinished"


#: What a journal holds of a file unless the user asks for a mapping.
_NAMELESS = ("output", "status", "spans", "kept", "notes", "key")


@dataclass(frozen=True)
class _Job:
    source: Path
    target: Path
    request: Request


@dataclass
class _InputFiles:
    """The files to mask, each once; unreadable ones; the order of both; counts of other files by ending."""

    files: list[Path] = field(default_factory=list)
    problems: dict[Path, FileDone] = field(default_factory=dict)
    order: list[Path] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def add(self, path: Path, seen: dict[Path, Path]) -> None:
        if seen.setdefault(path.resolve(), path) is path:
            self.files.append(path)
            self.order.append(path)

    def refuse(self, path: Path, problem: str) -> None:
        if path not in self.problems:
            self.problems[path] = FileDone(source=path, kind="unreadable", problem=problem)
            self.order.append(path)


def _input_files(inputs: Sequence[Path], out: Path) -> _InputFiles:
    """Return the given files and those of given folders; a single unreadable input is an error."""
    collected = _InputFiles()
    seen: dict[Path, Path] = {}
    for path in inputs:
        if path.is_dir():
            if out.resolve().is_relative_to(path.resolve()):
                raise InputError(f"--out {out} lies in {path}, the folder to mask; give a folder outside it.")
            _look_into(path, collected, seen)
            continue
        try:
            _check_input(path)
        except InputError as error:
            if len(inputs) == 1:
                raise
            collected.refuse(path, str(error))
        else:
            collected.add(path, seen)
    return collected


def _check_input(path: Path) -> None:
    if not path.exists():
        raise InputError(f"No file {path}.")
    formats.outputs_of(path)
    if not path.is_file():
        raise InputError(f"{path} is not a file.")


def _look_into(folder: Path, collected: _InputFiles, seen: dict[Path, Path]) -> None:
    """Add the documents of a folder and its subfolders; links to folders are not followed."""
    before = len(collected.order)

    def refuse(error: OSError) -> None:
        collected.refuse(Path(error.filename), f"The folder {error.filename} can't be read: {error.strerror}.")

    paths = [Path(at) / name for at, _, names in os.walk(folder, onerror=refuse) for name in names]
    for path in sorted(paths):
        if formats.is_document(path) and (
            path.is_file() or not path.exists()
        ):  # a broken link is reported when it is read
            collected.add(path, seen)
        elif not formats.is_passed_over(path):
            ending = path.suffix.lower()
            collected.left_out[ending if ending[1:].isalnum() and len(ending) <= _LONGEST_ENDING else "others"] += 1
    if len(collected.order) == before:
        raise InputError(f"{folder} holds no file to mask; expected {', '.join(formats.ENDINGS)}.")


def _single_target(source: Path, out: Path) -> Path:
    outputs = formats.outputs_of(source)
    if not formats.is_format(out.suffix, outputs):
        converted = (
            f"{source.suffix} is written as Markdown or Word" if len(outputs) > 1 else "formats are not converted"
        )
        raise InputError(
            f"--out {out} has another extension than {source.name}; {converted}. Give a file with "
            f"{' or '.join(outputs)}, or an existing folder."
        )
    return out


def _digests(sources: Sequence[Path]) -> dict[Path, bytes]:
    """Return the digests of files in their order; an empty one for what can't be read, as is reported later."""
    digests = []
    for source in sources:
        try:
            digests.append((hashlib.sha256(file_bytes(source)).digest(), source))
        except OSError:
            digests.append((b"", source))
    return {source: digest for digest, source in sorted(digests)}


def _targets(
    sources: Iterable[Path], out: Path, assigned: Callable[[Mapping[Path, str]], Mapping[Path, str]]
) -> dict[Path, Path]:
    """Return a numbered output for each input, as far as `assigned` gives it no other."""
    sources = tuple(sources)
    width = len(str(len(sources)))
    names = {
        source: f"resume-{number:0{width}d}{formats.outputs_of(source)[0]}" for number, source in enumerate(sources, 1)
    }
    return {source: out / name for source, name in assigned(names).items()}


def _refuse(
    targets: dict[Path, Path], mapping: Path | None, rows: Mapping[str, Row], *, single: bool, force: bool
) -> None:
    """Refuse to write over inputs, and over other files than those of the rows of an earlier run."""
    places = {source.resolve() for source in targets}
    sources = {_identity(source) for source in targets} - {None}
    for flag, target in (
        *(("--out", target) for target in targets.values()),
        *([("--mapping", mapping)] if mapping else []),
    ):
        if target.resolve() in places or _identity(target) in sources:
            raise InputError(f"{flag} {target} is a file to mask; give another.")
    for target in targets.values():
        if target.parent.is_dir() or single:
            refuse_existing(target, force=force or target.name in rows)
        if target.parent.is_dir() and not os.access(target.parent, os.W_OK):
            raise InputError(f"{target.parent} can't be written to; give another --out.")


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what hard links of one file share; None without a file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


@contextmanager
def _held_folder(out: Path) -> Iterator[None]:
    """Make a folder if there is none, and let no other process write into it; one that stays empty is removed."""
    if out.exists() and not out.is_dir():
        raise InputError(f"--out {out} is a file; expected a folder for several inputs.")
    if formats.is_document(out) and not out.is_dir():
        raise InputError(f"--out {out} looks like a file; expected a folder for several inputs.")
    new = not out.exists()
    try:
        out.mkdir(exist_ok=True)
        descriptor = os.open(out, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise InputError(f"The folder {out} can't be made: {error.strerror}.") from error
    try:
        claim(descriptor, out, out)
        yield
    finally:
        os.close(descriptor)
        if new:
            with suppress(OSError):
                out.rmdir()


def _run(jobs: Sequence[_Job], take: Callable[[FileDone], None], workers: int) -> None:
    """Pass on the result of each job, in any order; when interrupted, also of those under way."""
    if len(jobs) <= FEW:
        for job in jobs:
            take(_masked(job) if formats.is_text(job.source) else _masked_apart(job))
        return
    pool = ThreadPoolExecutor(workers)
    waiting = [pool.submit(_masked_apart, job) for job in jobs]
    taken: set[Future[FileDone]] = set()
    try:
        for future in as_completed(waiting):
            taken.add(future)
            take(future.result())
    except KeyboardInterrupt:
        pool.shutdown(cancel_futures=True)  # waits for jobs under way: their files are written, and so count
        for future in waiting:
            if not future.cancelled() and future not in taken and future.exception() is None:
                take(future.result())
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _masked_apart(job: _Job) -> FileDone:
    """Mask a document in a process with limits, which it may end."""
    try:
        return within_limits(_masked, job, source=str(job.source), unpack_limit=job.request.unpack_limit)
    except InputError as error:
        return _not_written(job, "unreadable", str(error))


def _masked(job: _Job) -> FileDone:
    try:
        document = formats.masked_document(job.source, replace(job.request, file_name=job.source.name), out=job.target)
        write_file(job.target, document.content)
    except InputError as error:
        return _not_written(job, "unreadable", str(error))
    except CheckFailed as error:
        return _not_written(job, "leak", f"{job.source}: {error}")
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - a bug with one file stops no other; the exit code shows it
        return _not_written(job, "bug", _bug_text(job.source, error))
    return FileDone(
        source=job.source, output=job.target, spans=dict(document.spans), kept=dict(document.kept), notes=document.notes
    )


def _not_written(job: _Job, kind: Literal["unreadable", "leak", "bug"], problem: str) -> FileDone:
    """Return the problem; a file with the output's name is of an earlier run, maybe of another document."""
    earlier = f" {job.target} is of an earlier run." if job.target.exists() else ""
    return FileDone(source=job.source, kind=kind, problem=f"{problem}{earlier}")


def _bug_text(source: Path, error: Exception) -> str:
    """Return where a bug is, without any text of the document."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = "" if trace is None else f", {Path(trace.tb_frame.f_code.co_filename).name} line {trace.tb_lineno}"
    return f"{source} could not be masked: a bug in evenhand ({type(error).__name__}{place})."


#: Standard input among inputs.
STANDARD_INPUT: Final = Path("-")


@dataclass(frozen=True, kw_only=True)
class Piped:
    """A masked document from standard input, and its result."""

    content: bytes
    done: FilesDone


def mask_piped(content: bytes, masking: Masking) -> Piped:
    """Mask a document from standard input, and write it to the file of --out if there is one.

    The ending of that file gives the format, else it is text.

    Raises
    ------
    InputError
        It can't be read, or --out can't be written to.
    CheckFailed
        A masked value is still in the result; nothing was written.

    """
    request, out = _request(masking), masking.out
    ending = ".txt" if out is None else out.suffix
    if out is not None:
        outputs = formats.outputs_of(out)
        if not formats.is_format(ending, outputs):
            raise InputError(f"--out {out} can't be written as {ending}; give a file with {' or '.join(outputs)}.")
        refuse_existing(out, force=masking.force)
    read = partial(formats.masked_content, content, ending, request, source="Standard input")
    document = within_limits(read, source="Standard input", unpack_limit=masking.unpack_limit)
    if out is not None:
        write_file(out, document.content)
    spans, kept = dict(document.spans), dict(document.kept)
    done = FileDone(source=STANDARD_INPUT, output=out, spans=spans, kept=kept, notes=document.notes)
    return Piped(content=document.content, done=FilesDone(files=(done,)))


def mask_jsonl(source: Path, masking: Masking, *, out: Path, progress: Progress | None = None) -> CommandOutput:
    """Mask each row's `text` and write `{"text", "spans"}` with the row's `id`, in the order of the file.

    A row may hold `known_names`; those of the options are added to each. All rows are checked before the first
    is masked; many are masked on all cores. Memory doesn't grow with the file.

    Raises
    ------
    InputError
        The file can't be read, a row has no text, or the file to write is there already.
    CheckFailed
        Masking is strict, and a known name is not in its row's text, or one given here in none; nothing is written.
    Interrupted
        Interrupted by the user; nothing is written.

    """
    request = _request(masking)
    refuse_existing(out, force=masking.force)
    if not source.is_file():
        raise InputError(f"No file {source}; expected JSONL with a text in each row.")
    if out.exists() and out.samefile(source):
        raise InputError(f"--out {out} is the file to mask; give another.")
    total = sum(1 for _ in _rows(source))
    if not total:
        raise InputError(f"{source} has no rows.")
    counts: Counter[str] = Counter()
    done = ordinary = 0
    absent = set(range(1, len(request.known_names) + 1)) if masking.strict else set()
    masked = _masked_batches(source, total, request, masking.jobs or cores())
    try:
        with written(out) as file, closing(masked):
            for batch in masked:
                file.write(batch.lines)
                counts.update(batch.spans)
                done += batch.rows
                ordinary += batch.ordinary
                absent &= batch.absent
                if progress is not None:
                    progress("masking", done, total)
            if absent:
                raise names_missing(sorted(absent), request.known_names, place=f"any row of {source}")
    except KeyboardInterrupt as interrupt:
        raise Interrupted(f"Interrupted after {done:,} of {total:,} rows; nothing was written.") from interrupt
    spans = dict(sorted(counts.items()))
    summary = ", ".join(f"{category} {count:,}" for category, count in spans.items())
    text = f"{total:,} {'text' if total == 1 else 'texts'}; masked: {summary or 'nothing'}."
    text += f" {ORDINARY.capitalize()}: {ordinary:,}." if ordinary else ""
    return CommandOutput(
        content={"path": str(out), "texts": total, "spans": spans, "ordinary_uses": ordinary}, text=text
    )


@dataclass(frozen=True)
class _Batch:
    lines: bytes
    rows: int
    spans: Counter[str]
    absent: frozenset[int]
    ordinary: int


#: Rows that one process masks at a time: a quarter of a second's work.
_ROWS = 64
#: Processes take a second to start; so many rows are masked in one.
_FEW = 512


def _masked_batches(source: Path, total: int, request: Request, workers: int) -> Generator[_Batch]:
    """Yield the results of rows in order, with just enough rows under way to keep all cores busy."""
    rows = _rows(source)
    batches = iter(lambda: list(islice(rows, _ROWS)), [])
    workers = min(workers, -(-total // _ROWS))
    if total <= _FEW or workers == 1:
        yield from (_masked_rows(batch, request) for batch in batches)
        return
    pool = processes(workers)
    waiting: deque[Future[_Batch]] = deque()
    try:
        for batch in batches:
            waiting.append(pool.submit(_masked_rows, batch, request))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _masked_rows(rows: list[dict[str, Any]], request: Request) -> _Batch:
    lines: list[bytes] = []
    spans: Counter[str] = Counter()
    ordinary = 0
    absent = frozenset(range(1, len(request.known_names) + 1))
    for row in rows:
        if request.options.strict:
            missing = absent_names(row["known_names"], row["text"])
            if missing:
                raise names_missing(missing, row["known_names"], place=row["place"])
            absent &= frozenset(absent_names(request.known_names, row["text"]))
        names = (*row["known_names"], *request.known_names)
        masked = mask_text(row["text"], known_names=names, options=request.options)
        ordinary += ordinary_uses(masked.text, names)
        spans.update(span.category for span in masked.spans)
        written = {
            **({"id": row["id"]} if "id" in row else {}),
            "text": masked.text,
            "spans": [[span.start, span.end, span.category] for span in masked.spans],
        }
        lines.append(orjson.dumps(written, option=orjson.OPT_APPEND_NEWLINE))
    return _Batch(b"".join(lines), len(rows), spans, absent, ordinary)


def _rows(source: Path) -> Iterator[dict[str, Any]]:
    """Yield the checked fields of each row."""
    with source.open("rb") as file:
        for number, line in jsonl_lines(file, source):
            yield _row(line, number, source)


def _row(line: bytes, number: int, source: Path) -> dict[str, Any]:
    """Return a checked row; messages quote none of its content."""
    try:
        row = parsed_json(line)
    except orjson.JSONDecodeError as error:
        raise InputError(f"Row {number} of {source} is not valid JSON ({error}).") from error
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise InputError(f'Row {number} of {source} has no text; expected {{"text": "…", "known_names": ["…"]}}.')
    names = row.get("known_names") or []
    if not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
        raise InputError(f"known_names in row {number} of {source} is not a list of names.")
    try:
        check_names(names)
    except InputError:
        raise InputError(
            f"known_names in row {number} of {source} holds something that is not a name: expected a word of "
            "two letters at least."
        ) from None
    place = f"row {number} of {source}"
    return {"text": row["text"], "known_names": names, "place": place} | ({"id": row["id"]} if "id" in row else {})
