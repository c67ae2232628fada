"""What is drawn of a run, drawn anew from the rest of it."""

from collections.abc import Iterable
from pathlib import Path

from evenhand import report
from evenhand.tables.run_folder import RunFolder

__all__ = ["drawn_anew"]


def drawn_anew(run: Path, kind: object, to: Path) -> dict[str, Path]:
    """Return what `evenhand report` writes of a run, by the names of the files, drawn into the new folder `to`.

    Raises
    ------
    InputError
        The findings are missing or broken, or of another schema.

    """
    kept = RunFolder(run).kept_files(kind)
    to.mkdir(parents=True)
    for file in kept:
        (to / file.name).symlink_to(file.resolve())
    report.write_files(to)
    return {file.name: file for file in _sorted(to.iterdir()) if not file.is_symlink()}


def _sorted(files: Iterable[Path]) -> list[Path]:
    return sorted(files, key=lambda file: file.name)
