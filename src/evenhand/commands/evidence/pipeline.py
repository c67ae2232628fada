"""`evenhand report` of a folder with runs below it: the pipeline, each stage with its evidence."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from os.path import relpath
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile

from evenhand.commands.evidence.protocol import bundled_run
from evenhand.commands.evidence.runs import BundledFolder
from evenhand.errors import InputError
from evenhand.evidence.contents import CONTENTS
from evenhand.evidence.page import pipeline_page
from evenhand.evidence.pipeline import Place
from evenhand.monitoring.history.daily import MASKING
from evenhand.runs.manifest import read_manifest
from evenhand.tables.files import refuse_existing, write_file

__all__ = ["holds_runs", "write_pipeline"]

PIPELINE: Final = "pipeline.html"
_RECORDED: Final = "SELECT (SELECT count(*) FROM batches) + (SELECT count(*) FROM series)"


def holds_runs(folder: Path) -> bool:
    """Return whether a folder is no run itself, but has some below it."""
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
    runs = [replace(bundled_run(each, given={}, asked_by=None), not_inside=()) for each in _runs(folder, path.parent)]
    if not runs:
        raise InputError(f"{folder} holds no finished run; expected the folder of a run, or one with runs below it.")
    audits, log, masking = (
        [Place(told=file.name, link=relpath(file, path.parent)) for file in sorted(folder.glob(wanted)) if known(file)]
        for wanted, known in (
            ("*.zip", _is_bundle),
            ("*.db", partial(_is_store, _RECORDED)),
            ("*.db", partial(_is_store, MASKING)),
        )
    )
    audits = [replace(each, told=f"{each.told}, for an auditor to check") for each in audits]
    write_file(path, pipeline_page(runs, audits=audits, log=log, masking=masking))
    return path


def _runs(folder: Path, start: Path) -> Iterator[BundledFolder]:
    """Yield finished runs below a folder, that of a suite before those of its probes."""
    for path in sorted(file.parent for file in folder.glob("**/manifest.json")):
        manifest = read_manifest(path)
        if manifest is not None and manifest.is_finished:
            yield BundledFolder(path=path, manifest=manifest, name=relpath(path, start))


def _is_bundle(path: Path) -> bool:
    try:
        with ZipFile(path) as archive:
            return CONTENTS in archive.namelist()
    except (BadZipFile, OSError):
        return False


def _is_store(query: str, path: Path) -> bool:
    """Return whether a file is a store of monitoring that has what a query counts; nothing is written.

    Who may only read leaves SQLite's -wal and -shm behind, so it is opened as by who may write.
    """
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True)) as opened:
            return bool(opened.execute(query).fetchone()[0])
    except sqlite3.Error:
        return False
