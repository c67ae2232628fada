"""`evenhand bundle`: runs as one file that an outside auditor can check, and the pipeline page of several runs."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from os.path import relpath
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile

from evenhand.analyses.manifest import installed_versions, read_manifest
from evenhand.analyses.options.output import BundleOptions
from evenhand.analyses.progress import Progress
from evenhand.errors import InputError
from evenhand.evidence import runs as evidence_runs
from evenhand.evidence.archive import CONTENTS, Contents, Lock, Log, contents_bytes, file_of, write_archive
from evenhand.evidence.keys import ENVELOPE, fingerprint, read_private_key, signed, statement
from evenhand.evidence.page import PAGE, Place, bundle_page, pipeline_page
from evenhand.monitoring.daily import MASKING
from evenhand.monitoring.store import log_head, opened_store
from evenhand.report.words.numbers import counted
from evenhand.results.files import refuse_existing, scratch_folder, sha256_of, write_file, written
from evenhand.results.result import read_result


@dataclass(frozen=True, kw_only=True)
class Bundled:
    """A bundle that was written: its hash, what is in it and what is not, and the key that signed it."""

    path: Path
    sha256: str
    bytes: int
    runs: tuple[str, ...]
    files: int
    key: str | None
    redacted: bool
    not_inside: tuple[str, ...]


def write_bundle(paths: Sequence[Path], options: BundleOptions, *, progress: Progress | None = None) -> Bundled:
    """Write finished runs into one file; return what was written; `progress` gets which of them is being read.

    Raises
    ------
    InputError
        A run is not finished or was changed since, the key is none, or the file can't be written.

    """
    out = options.out
    if out.suffix != ".zip":
        raise InputError(f"--out is {out}; expected a file that ends in .zip.")
    refuse_existing(out, force=options.force)
    key = None if options.key is None else read_private_key(options.key)
    folders = evidence_runs.bundled_folders(paths)
    for run in folders:
        if out.resolve().is_relative_to(run.path.resolve()):
            raise InputError(f"--out {out} lies in the run {run.path}; choose another place.")
    with scratch_folder() as work:
        input_files = _input_files(folders, options)
        if options.redact_answers:
            folders = [evidence_runs.redacted_copy(folder, work / "redacted" / folder.name) for folder in folders]
        sources = _sources(folders, input_files, work, progress)
        contents = _contents(folders, input_files, options)
        sources = {PAGE: _written_file(work / PAGE, bundle_page(contents)), **sources}
        contents = replace(contents, files=tuple(file_of(name, path) for name, path in sources.items()))
        sources = {CONTENTS: _written_file(work / CONTENTS, contents_bytes(contents)), **sources}
        listed = [file_of(CONTENTS, sources[CONTENTS]), *contents.files]
        if key is not None:
            envelope = _written_file(work / ENVELOPE, signed(statement(contents, listed), key))
            sources[ENVELOPE] = envelope
            listed.append(file_of(ENVELOPE, envelope))
        with written(out) as file:
            if write_archive(file, sources) != listed:
                raise InputError("A file of the runs was changed while it was bundled; bundle them again.")
    return Bundled(
        path=out,
        sha256=sha256_of(out),
        bytes=out.stat().st_size,
        runs=tuple(folder.name for folder in folders),
        files=len(listed),
        key=None if key is None else fingerprint(key.public_key()),
        redacted=contents.redacted,
        not_inside=tuple(_not_inside(contents)),
    )


def _input_files(folders: Sequence[evidence_runs.BundledFolder], options: BundleOptions) -> dict[str, Path]:
    """Return the files that are put inside, by their sha256, each of which a run was made from."""
    if options.files and options.redact_answers:
        raise InputError("--with and --redact-answers are both given, but a file may hold answers; drop one of them.")
    made_from = {sha for folder in folders for sha in _input_hashes(folder)} if options.files else set()
    input_files = {}
    for path in options.files:
        if not path.is_file():
            raise InputError(f"--with {path} is not a file.")
        input_files[sha256_of(path)] = path
        if sha256_of(path) not in made_from:
            raise InputError(
                f"--with {path} is not a file that one of the runs was made from: no manifest has its sha256."
            )
    return input_files


def _input_hashes(folder: evidence_runs.BundledFolder) -> set[str]:
    return evidence_runs.hashes_of(folder.manifest, read_result(folder.path).audit.parameters)


def _sources(
    folders: Sequence[evidence_runs.BundledFolder],
    input_files: Mapping[str, Path],
    work: Path,
    progress: Progress | None,
) -> dict[str, Path]:
    """Return all files by their names in the bundle; those that are made stand below `work`."""
    sources: dict[str, Path] = {}
    for number, folder in enumerate(folders):
        if progress is not None:
            progress("bundle: reading", number, len(folders), str(folder.path))
        files = dict(evidence_runs.files_of(folder, work / f"drawn-{number}"))
        folder_hashes = sorted(sha for sha in _input_hashes(folder) if sha in input_files) if input_files else []
        files |= {
            f"{evidence_runs.INPUTS_FOLDER}/{place}{_ending(input_files[sha])}": input_files[sha]
            for place, sha in enumerate(folder_hashes, 1)
        }
        inputs = evidence_runs.RunInputs(manifest=folder.manifest, given=input_files)
        if inputs.has_prompts:
            files[evidence_runs.STIMULI] = work / f"{number}-{evidence_runs.STIMULI}"
            try:
                evidence_runs.write_stimuli(folder.path, inputs.plan.design, files[evidence_runs.STIMULI])
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                problem = "is not as evenhand wrote it; restore it, or run again"
                raise InputError(f"{folder.path / 'manifest.json'} {problem}.") from error
        sources |= {f"{folder.name}/{name}": path for name, path in sorted(files.items())}
    return sources


def _ending(path: Path) -> str:
    """Return the ending of a file, by which it is read; none that a bundle can't name."""
    return path.suffix if path.suffix[1:].isascii() and path.suffix[1:].isalnum() else ""


def _contents(
    folders: Sequence[evidence_runs.BundledFolder], input_files: Mapping[str, Path], options: BundleOptions
) -> Contents:
    """Return what bundle.json says, but for its list of files."""
    available = {**input_files, **evidence_runs.outcomes_of(folder.path for folder in folders)}
    return Contents(
        redacted=options.redact_answers,
        runs=tuple(evidence_runs.bundled_run(folder, given=available, asked_by=options.auditor) for folder in folders),
        packages=installed_versions(),
        lock=_lock(),
        log=None if options.store is None else _log(options.store),
    )


def _log(store: str) -> Log:
    """Return the head of a store's log, which then stands where whoever changes the store can't change it."""
    with opened_store(store, notice=lambda _: None) as opened:
        head = log_head(opened)
        return Log(store=opened.place, entries=head.entries, head=head.digest, masking=bool(opened.rows(MASKING)[0][0]))


def _not_inside(contents: Contents) -> Iterator[str]:
    """Yield what is not inside, each once, and of which runs."""
    lines = dict.fromkeys(line for run in contents.runs for line in run.not_inside)
    for line in lines:
        runs = [run.folder for run in contents.runs if line in run.not_inside]
        yield f"{line} ({runs[0] if len(runs) == 1 else counted(len(runs), 'run')})"


def _written_file(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def _lock() -> Lock | None:
    """Return the lock file of the sources that evenhand runs from; None where it was installed without."""
    path = Path(str(files("evenhand"))).parents[1] / "uv.lock"
    return Lock(file=path.name, sha256=sha256_of(path)) if path.is_file() else None


PIPELINE: Final = "pipeline.html"
_RECORDED: Final = "SELECT (SELECT count(*) FROM batches) + (SELECT count(*) FROM series)"


def holds_runs(folder: Path) -> bool:
    """Say whether a folder is no run itself, but has some below it."""
    none = not any((folder / name).exists() for name in ("manifest.json", "findings.json"))
    return none and any(folder.glob("*/**/manifest.json"))


def write_pipeline(folder: Path, out: Path | None, *, force: bool) -> Path:
    """Write the page of the runs below a folder; return its path. Links lead from there.

    Raises
    ------
    InputError
        There is no finished run below it, or the file is there already.

    """
    path = folder / PIPELINE if out is None else out
    refuse_existing(path, force=force)
    runs = [
        replace(evidence_runs.bundled_run(run, given={}, asked_by=None), not_inside=())
        for run in _runs(folder, path.parent)
    ]
    if not runs:
        raise InputError(f"{folder} holds no finished run; expected the folder of a run, or one with runs below it.")
    audits, log, masking = (
        [
            Place(told=file.name, link=relpath(file, path.parent))
            for file in sorted(folder.glob(required))
            if known(file)
        ]
        for required, known in (
            ("*.zip", _is_bundle),
            ("*.db", partial(_is_store, _RECORDED)),
            ("*.db", partial(_is_store, MASKING)),
        )
    )
    audits = [replace(audit, told=f"{audit.told}, for an auditor to check") for audit in audits]
    write_file(path, pipeline_page(runs, audits=audits, log=log, masking=masking))
    return path


def _runs(folder: Path, start: Path) -> Iterator[evidence_runs.BundledFolder]:
    """Yield finished runs below a folder, that of a suite before those of its probes."""
    for path in sorted(file.parent for file in folder.glob("**/manifest.json")):
        manifest = read_manifest(path)
        if manifest is not None and manifest.is_finished:
            yield evidence_runs.BundledFolder(path=path, manifest=manifest, name=relpath(path, start))


def _is_bundle(path: Path) -> bool:
    try:
        with ZipFile(path) as archive:
            return CONTENTS in archive.namelist()
    except (BadZipFile, OSError):
        return False


def _is_store(query: str, path: Path) -> bool:
    """Say whether a file is a store of monitoring that has what a query counts; nothing is written.

    Who may only read leaves SQLite's -wal and -shm behind, so it is opened as by who may write.
    """
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True)) as opened:
            return bool(opened.execute(query).fetchone()[0])
    except sqlite3.Error:
        return False
