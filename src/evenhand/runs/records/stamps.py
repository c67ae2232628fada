"""When a run was made, and of which tables."""

from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from evenhand.tables.fingerprints import sha256_of

__all__ = ["lexicon_fingerprints", "utc_now"]


def lexicon_fingerprints() -> dict[str, str]:
    """Return the sha256 of each table that probes share or hold, by its path in the package."""
    package = Path(str(files("evenhand")))
    tables = ("lexicons/*.csv", "probes/*/*.csv", "probes/*/corpus/*.toml", "resumes/generated/*.csv")
    found = [file for pattern in (*tables, "resumes/generated/wording.toml") for file in package.glob(pattern)]
    return {file.relative_to(package).as_posix(): sha256_of(file) for file in sorted(found)}


def utc_now() -> str:
    """Return the time as ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
