"""Fingerprints of data files, so that a run says what it was made of."""

import hashlib
from pathlib import Path

__all__ = ["sha256_of"]


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file as 64 hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
