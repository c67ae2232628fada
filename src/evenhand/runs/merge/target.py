"""The folder that parts are joined into: what it holds already, and taking its new journal over."""

import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evenhand.collect.journal.files import journal_files, journal_name
from evenhand.collect.journal.lock import LOCK_FILE, RunLock
from evenhand.tables.run_folder import RunFolder, own_files, prepare_run_folder

__all__ = ["merge_target", "merged_probe", "take_over"]


@contextmanager
def merge_target(out: Path, *, force: bool) -> Iterator[tuple[RunFolder, Path]]:
    """Yield the locked folder of the whole run, and an empty one beside it to write journals in.

    Where an error comes before anything was taken over, no trace of either is left.
    """
    existed = out.exists()
    folder = prepare_run_folder(out, force=force)
    resolved = out.resolve()
    beside = resolved.with_name(f".{resolved.name}.joining")
    try:
        with RunLock(folder.path):
            shutil.rmtree(beside, ignore_errors=True)
            try:
                yield folder, beside
            finally:
                shutil.rmtree(beside, ignore_errors=True)
    finally:
        if not existed and {entry.name for entry in folder.path.iterdir()} == {LOCK_FILE}:
            (folder.path / LOCK_FILE).unlink()
            folder.path.rmdir()


@contextmanager
def merged_probe(out: Path) -> Iterator[RunFolder]:
    """Yield the locked folder of one probe of a suite; what it holds stays until it is taken over."""
    folder = prepare_run_folder(out, force=True)
    with RunLock(folder.path):
        yield folder


def take_over(folder: RunFolder, manifest: dict[str, Any], journal: Path | None, *, kept: Collection[str] = ()) -> None:
    """Replace a run by a manifest and a journal; folders in it with names in `kept` stay.

    The new lines are there before the old ones go, so that a crash in between loses no answer.
    """
    old = own_files(folder.path)
    before = journal_files(folder.path)
    files = [] if journal is None else journal_files(journal)
    first = before[-1].number + 1 if before else 0
    new = [folder.path / journal_name(number) for number, _ in enumerate(files, first)]
    for file, path in zip(files, new, strict=True):
        shutil.move(file.path, path)
    folder.write_manifest(manifest)
    for earlier in old:
        if earlier != folder.path / "manifest.json" and earlier.relative_to(folder.path).parts[0] not in kept:
            earlier.unlink(missing_ok=True)
    for number, path in enumerate(new):
        path.replace(folder.path / journal_name(number))
