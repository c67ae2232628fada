"""`evenhand bundle`: runs as one file that an outside auditor can check."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from evenhand.commands.evidence.asked import GIVEN, STIMULI, AskedRun, hashes_of, write_stimuli
from evenhand.commands.evidence.protocol import bundled_run
from evenhand.commands.evidence.runs import BundledFolder, bundled_folders, files_of, outcomes_of, redacted_copy
from evenhand.errors import InputError
from evenhand.evidence.archive import file_of, write_archive
from evenhand.evidence.contents import CONTENTS, Contents, Lock, Log, contents_bytes
from evenhand.evidence.keys import fingerprint, read_private_key
from evenhand.evidence.page import PAGE, bundle_page
from evenhand.evidence.statement import ENVELOPE, signed, statement
from evenhand.monitoring.history.daily import MASKING
from evenhand.monitoring.history.log import log_head
from evenhand.monitoring.history.store import opened_store
from evenhand.report.words.numbers import counted
from evenhand.runs.options.files import BundleOptions
from evenhand.runs.progress import Progress
from evenhand.runs.records.versions import installed_versions
from evenhand.tables.audit.reading import read_found
from evenhand.tables.files import refuse_existing, written
from evenhand.tables.fingerprints import sha256_of

__all__ = ["Bundled", "write_bundle"]


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
    folders = bundled_folders(paths)
    for each in folders:
        if out.resolve().is_relative_to(each.path.resolve()):
            raise InputError(f"--out {out} lies in the run {each.path}; choose another place.")
    with TemporaryDirectory(prefix="evenhand-") as temporary:
        work = Path(temporary)
        given = _given(folders, options)
        if options.redact_answers:
            folders = [redacted_copy(folder, work / "redacted" / folder.name) for folder in folders]
        sources = _sources(folders, given, work, progress)
        contents = _contents(folders, given, options)
        sources = {PAGE: _made(work / PAGE, bundle_page(contents)), **sources}
        contents = replace(contents, files=tuple(file_of(name, path) for name, path in sources.items()))
        sources = {CONTENTS: _made(work / CONTENTS, contents_bytes(contents)), **sources}
        listed = [file_of(CONTENTS, sources[CONTENTS]), *contents.files]
        if key is not None:
            envelope = _made(work / ENVELOPE, signed(statement(contents, listed), key))
            sources[ENVELOPE] = envelope
            listed.append(file_of(ENVELOPE, envelope))
        with written(out) as file:
            if write_archive(file, sources) != listed:
                raise InputError("A file of the runs was changed while it was bundled; bundle them again.")
    return Bundled(
        path=out,
        sha256=sha256_of(out),
        bytes=out.stat().st_size,
        runs=tuple(each.name for each in folders),
        files=len(listed),
        key=None if key is None else fingerprint(key.public_key()),
        redacted=contents.redacted,
        not_inside=tuple(_not_inside(contents)),
    )


def _given(folders: Sequence[BundledFolder], options: BundleOptions) -> dict[str, Path]:
    """Return the files that are put inside, by their sha256, each of which a run was made from."""
    if options.files and options.redact_answers:
        raise InputError("--with and --redact-answers are both given, and a file may hold answers; drop one of them.")
    made_from = {sha for folder in folders for sha in _made_from(folder)} if options.files else set()
    given = {}
    for path in options.files:
        if not path.is_file():
            raise InputError(f"--with {path} is no file.")
        given[sha256_of(path)] = path
        if sha256_of(path) not in made_from:
            raise InputError(
                f"--with {path} is no file that one of the runs was made from: no manifest has its sha256."
            )
    return given


def _made_from(folder: BundledFolder) -> set[str]:
    return hashes_of(folder.manifest, read_found(folder.path).audit.parameters)


def _sources(
    folders: Sequence[BundledFolder], given: Mapping[str, Path], work: Path, progress: Progress | None
) -> dict[str, Path]:
    """Return all files by their names in the bundle; those that are made stand below `work`."""
    sources: dict[str, Path] = {}
    for number, folder in enumerate(folders):
        if progress is not None:
            progress("bundle: reading", number, len(folders), str(folder.path))
        files = dict(files_of(folder, work / f"drawn-{number}"))
        own = sorted(sha for sha in _made_from(folder) if sha in given) if given else []
        files |= {f"{GIVEN}/{place}{_ending(given[sha])}": given[sha] for place, sha in enumerate(own, 1)}
        asked = AskedRun(manifest=folder.manifest, given=given)
        if asked.has_prompts:
            files[STIMULI] = work / f"{number}-{STIMULI}"
            try:
                write_stimuli(folder.path, asked.plan.design, files[STIMULI])
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                told = "is not as evenhand wrote it; restore it, or run again"
                raise InputError(f"{folder.path / 'manifest.json'} {told}.") from error
        sources |= {f"{folder.name}/{name}": path for name, path in sorted(files.items())}
    return sources


def _ending(path: Path) -> str:
    """Return the ending of a file, by which it is read; none that a bundle can't name."""
    return path.suffix if path.suffix[1:].isascii() and path.suffix[1:].isalnum() else ""


def _contents(folders: Sequence[BundledFolder], given: Mapping[str, Path], options: BundleOptions) -> Contents:
    """Return what bundle.json says, but for its list of files."""
    there = {**given, **outcomes_of(each.path for each in folders)}
    return Contents(
        redacted=options.redact_answers,
        runs=tuple(bundled_run(each, given=there, asked_by=options.auditor) for each in folders),
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


def _made(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def _lock() -> Lock | None:
    """Return the lock file of the sources that evenhand runs from; None where it was installed without."""
    path = Path(str(files("evenhand"))).parents[1] / "uv.lock"
    return Lock(file=path.name, sha256=sha256_of(path)) if path.is_file() else None
