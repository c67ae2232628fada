"""Fingerprints of data files, so that a run says what it was made of."""

import hashlib
from pathlib import Path

__all__ = ["sha256_of"]


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file as 64 hex digits; of a folder, that of its files' names and hashes."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        lines = "".join(f"{sha256_of(file)}  {file.relative_to(path).as_posix()}\n" for file in files)
        return hashlib.sha256(lines.encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
