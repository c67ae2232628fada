"""Removing the text of answers from a run that has been measured."""

import hashlib
import os
from pathlib import Path

import orjson

from evenhand.collect.journal.files import journal_files
from evenhand.tables.files import sync_folder
from evenhand.tables.schemas import ANSWERS

__all__ = ["redact_journal"]

_BUFFER = 1 << 20
#: Fields that stay: none of them holds words of an answer. Others go, as nobody knows what they hold.
_KEPT = frozenset({*ANSWERS, "chunk"} - {"text"})


def redact_journal(folder: Path, *, hashes: bool = False) -> None:
    """Take the text out of every line of a journal; what was asked, when and with what result stays.

    With `hashes` the sha256 of each text stands beside it.

    Each file is replaced by a redacted copy that is on the disk already. After a crash in
    between some files are redacted and some are not; a second call finishes. The blocks
    that held the text are freed, not overwritten: what a disk keeps of them is the
    disk's matter.

    The journal must be closed, its outcomes must be on the disk.
    """
    for file in journal_files(folder):
        part = file.path.with_name(f".{file.path.name}.part")
        with file.path.open("rb", buffering=_BUFFER) as lines, part.open("wb", buffering=_BUFFER) as redacted:
            redacted.writelines(_redacted(line, hashes=hashes) for line in lines)
            redacted.flush()
            os.fsync(redacted.fileno())
        part.replace(file.path)
    # What a crash left behind of a report, of findings or of tables may show an answer.
    for leftover in [*folder.glob(".*.part"), *folder.glob(".*.parquet.*")]:
        leftover.unlink()
    sync_folder(folder)


def _redacted(line: bytes, *, hashes: bool) -> bytes:
    record = orjson.loads(line)
    kept = {
        name: None if name == "text" else value for name, value in record.items() if name in _KEPT or name == "text"
    }
    text = record.get("text")
    if hashes:
        kept["text_sha256"] = None if text is None else hashlib.sha256(text.encode()).hexdigest()
    return orjson.dumps(kept, option=orjson.OPT_APPEND_NEWLINE)
