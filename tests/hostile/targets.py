"""What the fuzzer attacks. A new reader is one line: in `readers.py`, or here where only a file can hold it."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evenhand.data.inputs import read_saved_answers
from evenhand.errors import EvenhandError
from evenhand.masking.documents.formats import masked_document
from evenhand.masking.documents.request import Request, within_limits
from evenhand.models.model import Failure
from evenhand.results.files import UNPACK_LIMIT
from hostile import readers, seeds

__all__ = ["Target", "targets"]


@dataclass(frozen=True, kw_only=True)
class Target:
    """A reader, whole inputs of the kind that it reads, and how it may refuse one; `zipped` inputs are archives."""

    read: Callable[[bytes], object]
    seeds: Sequence[bytes]
    refusals: tuple[type[Exception], ...] = (EvenhandError,)
    zipped: bool = False


def targets() -> dict[str, Target]:
    """Return all targets by name."""
    files = {
        **{name: _file(ending, read, _SEEDS[ending]) for name, (ending, read) in readers.FILES.items()},
        "saved answers, Parquet": _file(".parquet", read_saved_answers, seeds.TABLES),
        "Parquet": _file(".parquet", readers.opened, seeds.TABLES),
        "workbook": _file(".xlsx", readers.opened, (seeds.workbook(),), zipped=True),
        "text to mask": _file(".txt", _masked, seeds.TEXT),
        "Markdown to mask": _file(".md", _masked, seeds.TEXT),
        "JSON to mask": _file(".json", _masked, seeds.RESUME),
        "Word document to mask": _file(".docx", _masked, (seeds.document(".docx"),), zipped=True),
        "PDF to mask": _file(".pdf", _masked, (seeds.document(".pdf"),)),
    }
    return {
        **{f"answer: {name}": _text(read, seeds.ANSWERS) for name, read in readers.ANSWERS.items()},
        **{
            f"reply: {name}": Target(read=read, seeds=seeds.REPLIES, refusals=(EvenhandError, Failure))
            for name, read in readers.REPLIES.items()
        },
        **{
            f"option: {name}": _text(read, seeds.CONDITIONS if name == "--where" else seeds.OPTIONS)
            for name, read in readers.OPTIONS.items()
        },
        **{f"file: {name}": target for name, target in files.items()},
    }


_SEEDS = {".csv": seeds.CSV, ".jsonl": seeds.JSONL, ".json": seeds.JSON, ".toml": seeds.TOML}


def _text(read: Callable[[str], object], given: Sequence[bytes]) -> Target:
    return Target(read=lambda content: read(content.decode("utf-8", "replace")), seeds=given)


def _file(ending: str, read: Callable[[Path], object], given: Sequence[bytes], *, zipped: bool = False) -> Target:
    def read_file(content: bytes) -> object:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"given{ending}"
            path.write_bytes(content)
            return read(path)

    return Target(read=read_file, seeds=given, zipped=zipped)


def _masked(path: Path) -> object:
    return within_limits(masked_document, path, Request(), source=str(path), unpack_limit=UNPACK_LIMIT)
