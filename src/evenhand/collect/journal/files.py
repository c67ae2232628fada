"""The files of a journal, in order."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenhand.patterns import lazy_re

__all__ = ["JournalFile", "journal_files", "journal_name", "line_id"]

_NAME = lazy_re(r"answers-(\d{3,})\.jsonl")
_ID_LENGTH = 16


@dataclass(frozen=True, slots=True)
class JournalFile:
    """One file of a journal and its number."""

    number: int
    path: Path


def journal_name(number: int) -> str:
    """Return the name of a journal's file.

    >>> journal_name(1)
    'answers-001.jsonl'
    """
    return f"answers-{number:03d}.jsonl"


def journal_files(folder: Path) -> list[JournalFile]:
    """Return the files of the journal in `folder`, oldest first."""
    if not folder.is_dir():
        return []
    matches = [(_NAME.fullmatch(path.name), path) for path in folder.iterdir()]
    files = [JournalFile(int(match[1]), path) for match, path in matches if match is not None]
    return sorted(files, key=lambda file: file.number)


def line_id(record: dict[str, Any]) -> int:
    """Return the id of a journal line as a number.

    Raises ValueError, TypeError or KeyError where there is none.

    >>> line_id({"id": "00000000000000ff"})
    255
    """
    text = record["id"]
    if len(text) != _ID_LENGTH:
        raise ValueError("an id has 16 hex digits")
    return int.from_bytes(bytes.fromhex(text), "big")
