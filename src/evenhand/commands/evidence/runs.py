"""The runs that go into a bundle: whole, finished and as they were left."""

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evenhand.errors import InputError
from evenhand.evidence.drawn import drawn_anew
from evenhand.runs.finish import hide_answers
from evenhand.runs.manifest import Manifest, read_manifest
from evenhand.tables.fingerprints import sha256_of
from evenhand.tables.run_folder import RunFolder, own_files

__all__ = ["BundledFolder", "bundled_folders", "check_unchanged", "files_of", "outcomes_of", "redacted_copy"]


@dataclass(frozen=True, kw_only=True)
class BundledFolder:
    """The folder of a run, its manifest, and its name in the bundle."""

    path: Path
    manifest: Manifest
    name: str


def bundled_folders(paths: Sequence[Path]) -> list[BundledFolder]:
    """Return the folders of finished runs, that of a suite before those of its probes.

    Names in a bundle tell the number of a run and its kind, so that what a folder is called changes no byte.

    Raises
    ------
    InputError
        A folder holds no run, one that is not finished or of an unknown kind, files that are not of its run, or it is
        given twice.

    """
    seen: set[Path] = set()
    found: list[BundledFolder] = []
    for number, path in enumerate(paths, 1):
        if path.resolve() in seen:
            raise InputError(f"{path} is given twice; give each run once.")
        seen.add(path.resolve())
        found += _opened(path, f"runs/{number}")
    return found


def _opened(path: Path, place: str) -> Iterator[BundledFolder]:
    manifest = read_manifest(path) if path.is_dir() else None
    if manifest is None:
        raise InputError(f"{path} holds no run of evenhand; expected the folder of a finished run.")
    if not manifest.is_finished:
        raise InputError(f"The run in {path} is not finished ({manifest.status}); finish it, then bundle it.")
    own_files(path)
    if path.is_symlink():
        raise InputError(f"{path} is a symbolic link; give the folder that it leads to.")
    name = place if "-" in place else f"{place}-{manifest.kind}"
    yield BundledFolder(path=path, manifest=manifest, name=name)
    for probe in manifest.probes if manifest.run_kind.probes_below else ():
        yield from _opened(path / probe, f"{name}/{probe}")


def check_unchanged(path: Path, manifest: Manifest) -> None:
    """Refuse a run of which a file was changed, added or taken away since it was finished.

    Raises
    ------
    InputError
        There is such a file; the first is named.

    """
    if not manifest.files:
        raise InputError(
            f"{path / 'manifest.json'} has no hashes of the run's files, as older versions wrote it; run it again."
        )
    kept = {file.name: file for file in RunFolder(path).kept_files(manifest.kind)}
    for name in sorted({*kept, *manifest.files}):
        if name not in kept:
            raise InputError(f"{path / name} is gone since the run was finished; restore it, or run again.")
        if name not in manifest.files:
            raise InputError(f"{path / name} came after the run was finished; move it away, or run again.")
        if sha256_of(kept[name]) != manifest.files[name]:
            raise InputError(f"{path / name} was changed since the run was finished; restore it, or run again.")


def outcomes_of(folders: Iterable[Path]) -> dict[str, Path]:
    """Return the runs that have outcomes, by the sha256 of these."""
    return {sha256_of(RunFolder(each).outcomes): each for each in folders if RunFolder(each).outcomes.is_file()}


def redacted_copy(folder: BundledFolder, to: Path) -> BundledFolder:
    """Return a copy of a run, in the new folder `to`, with hashes in the place of what a model wrote.

    Raises
    ------
    InputError
        A file was changed since the run was finished.

    """
    check_unchanged(folder.path, folder.manifest)
    to.mkdir(parents=True, exist_ok=True)
    for file in (folder.path / "manifest.json", *RunFolder(folder.path).kept_files(folder.manifest.kind)):
        shutil.copyfile(file, to / file.name)
    hide_answers(RunFolder(to))
    manifest = read_manifest(to)
    assert manifest is not None
    return replace(folder, path=to, manifest=manifest)


def files_of(folder: BundledFolder, work: Path) -> Mapping[str, Path]:
    """Return the files of a run by their names, what is drawn of it drawn anew below the new folder `work`.

    Raises
    ------
    InputError
        A file was changed since the run was finished, or a page is not what is drawn of the findings.

    """
    path, manifest = folder.path, folder.manifest
    check_unchanged(path, manifest)
    kept = RunFolder(path).kept_files(manifest.kind)
    drawn = drawn_anew(path, manifest.kind, work)
    for name, file in drawn.items():
        own = path / name
        if own.is_file() and own.read_bytes() != file.read_bytes():
            raise InputError(f"{own} is not what is drawn of the findings; evenhand report {path} draws it again.")
    files = {"manifest.json": path / "manifest.json", **{file.name: file for file in kept}, **drawn}
    return dict(sorted(files.items()))
