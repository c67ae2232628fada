"""The folder of a run that begins, is replaced or goes on: locked while it is written."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenhand.collect.journal.lock import RunLock
from evenhand.errors import InputError
from evenhand.runs.manifest import Manifest, read_manifest
from evenhand.runs.records.stamps import utc_now
from evenhand.tables.run_folder import RunFolder, prepare_run_folder

__all__ = ["OpenedRun", "opened_run", "status_kept"]


@dataclass(frozen=True, kw_only=True)
class OpenedRun:
    """A folder that only this process writes, and the manifest of the run that goes on there, if one does."""

    folder: RunFolder
    previous: Manifest | None

    def begin(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest of the run that begins, or goes on."""
        self.folder.write_manifest(manifest)


@contextmanager
def opened_run(
    out: Path, *, force: bool, resume: bool = False, before_clearing: Callable[[Path], None] | None = None
) -> Iterator[OpenedRun]:
    """Open the folder of a run; with `force` an earlier run in it is removed, with `resume` it goes on.

    `before_clearing` is called with the folder before anything is removed.

    Raises
    ------
    ForeignFolder, InputError
        The folder can't be used; nothing was changed.

    """
    folder = prepare_run_folder(out, force=force, resume=resume)
    with RunLock(folder.path):
        previous = read_manifest(folder.path) if resume else None
        if force and not resume:
            if before_clearing is not None:
                before_clearing(folder.path)
            folder.clear()
        yield OpenedRun(folder=folder, previous=previous)


@contextmanager
def status_kept(folder: RunFolder, manifest: Mapping[str, Any], previous: Manifest | None) -> Iterator[None]:
    """Leave the manifest as it was where a damaged journal can't be read: nothing is running then."""
    try:
        yield
    except InputError:
        if previous is None or manifest.get("requests", 0) > (previous.requests or 0):
            folder.write_manifest({**manifest, "status": "incomplete", "finished": utc_now()})
        else:
            folder.write_manifest(previous.as_written, hashes=False)
        raise
