"""Arms for systems that nothing can be asked of: blinded documents to upload, and the key that stays."""

from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Final

import polars as pl

from evenhand.commands.perturb.layout import Document, Layout
from evenhand.errors import InputError
from evenhand.resumes.documents.word.written import docx_bytes
from evenhand.tables.audit.perturb import group_label
from evenhand.tables.csv_files import csv_bytes
from evenhand.tables.files import write_atomically

__all__ = ["KEY", "Written", "write_arms"]

#: The file of a run that says what stands behind each id.
KEY: Final = "arms-key.csv"
_ROWS: Final = ("id", "position", "title", "document", "text", "position_text")


@dataclass(frozen=True, kw_only=True)
class Written:
    """What was written: how many documents, for how many positions, and the rows of arms.csv."""

    documents: int
    positions: int
    rows: int


def write_arms(layout: Layout, *, to: Path, key: Path) -> Written:
    """Write every document of a layout to a new folder, and to the file `key` what each of them is.

    The folder gets `documents/ID.docx`, `texts/ID.txt`, `positions/N.txt` and arms.csv, a row for each document and
    position: `id, position, title, document, text, position_text`. Rows are in the order of ids, which is random.
    Nothing in the folder says whose or of which arm a document is, but for its text.

    Raises
    ------
    InputError
        The folder is there and holds something, or can't be written.

    """
    if to.exists() and not (to.is_dir() and not any(to.iterdir())):
        raise InputError(f"--write-arms {to} is there already; give a new folder.")
    part = to.with_name(f".{to.name}.part")
    try:
        rmtree(part, ignore_errors=True)
        for name in ("documents", "texts", "positions"):
            (part / name).mkdir(parents=True)
        rows, known = _written(layout, part)
        (part / "arms.csv").write_bytes(
            csv_bytes(pl.DataFrame(rows, schema=list(_ROWS), orient="row").sort("id", "position"))
        )
        write_atomically(key, csv_bytes(known.sort("id")))
        if to.exists():
            to.rmdir()
        part.rename(to)
    except OSError as error:
        raise InputError(f"--write-arms {to} can't be written: {error.strerror}.") from error
    finally:
        rmtree(part, ignore_errors=True)
    return Written(documents=known.height, positions=len(layout.applicants.sent_for), rows=len(rows))


def _written(layout: Layout, folder: Path) -> tuple[list[tuple[str, ...]], pl.DataFrame]:
    """Write documents, texts and positions; return the rows of arms.csv and the key."""
    positions = layout.applicants.positions
    for place in layout.applicants.sent_for:
        _write_text(folder / "positions" / f"{place + 1}.txt", positions[place].text)
    rows: list[tuple[str, ...]] = []
    known = []
    for document in layout.documents():
        paths = (f"documents/{document.id}.docx", f"texts/{document.id}.txt")
        (folder / paths[0]).write_bytes(docx_bytes(document.text.text))
        _write_text(folder / paths[1], document.text.text)
        known.append(_known(layout, document))
        for place in layout.applicants.positions_of(document.template):
            position = positions[place]
            rows.append((document.id, position.id, position.title, *paths, f"positions/{place + 1}.txt"))
    return rows, pl.DataFrame(known)


def _known(layout: Layout, document: Document) -> dict[str, str | int | None]:
    arm, template = document.arm, layout.applicants.templates[document.template]
    return {
        "id": document.id,
        "person": template.id,
        "own": layout.own(template),
        "arm": arm.label,
        "names": group_label(arm.names),
        "line": None if arm.line is None else group_label(arm.line),
        "name": document.text.name.name.text,
        "number": document.number,
        "file_name": document.text.file_name,
    }


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="replace", newline="")
