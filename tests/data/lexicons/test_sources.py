"""Every data file is declared with its source, and is what was declared."""

import hashlib
import tomllib
from pathlib import Path

import polars as pl
import pytest

PACKAGE = Path(__file__).parents[3] / "src" / "evenhand"
DATA = (".csv", ".tsv", ".json", ".jsonl", ".parquet", ".txt")
REQUIRED = {"origin", "citation", "retrieved", "licence", "sha256", "rows", "script", "limits"}

SOURCES = sorted(PACKAGE.rglob("SOURCES.toml"))
DECLARED = [
    (source.parent / name, entry)
    for source in SOURCES
    for name, entry in tomllib.loads(source.read_text(encoding="utf-8")).items()
]


def test_every_data_file_is_declared():
    files = {path for path in PACKAGE.rglob("*") if path.suffix in DATA}
    files |= {path for path in (PACKAGE / "data" / "lexicons").glob("*.toml") if path.name != "SOURCES.toml"}
    files.add(PACKAGE / "synthetic" / "identities.toml")
    assert files == {path for path, _ in DECLARED}


@pytest.mark.parametrize(("path", "entry"), DECLARED, ids=lambda value: getattr(value, "name", None))
def test_file_has_the_declared_hash_and_rows(path, entry):
    assert set(entry) >= REQUIRED
    assert hashlib.sha256(path.read_bytes()).hexdigest() == entry["sha256"]
    if path.suffix == ".toml":
        assert len(tomllib.loads(path.read_text(encoding="utf-8"))) == entry["rows"]
        return
    frame = {".jsonl": pl.read_ndjson, ".parquet": pl.read_parquet}.get(path.suffix, pl.read_csv)(path)
    assert frame.height == entry["rows"]


def test_files_of_others_are_named_beside_the_licence():
    ours = {"Apache-2.0", "facts", "that of the package"}
    others = {path.name for path, entry in DECLARED if entry["licence"] not in ours}
    others |= {path.name for path in PACKAGE.rglob("*.ttf")}
    assert len(others) == 8
    notice = (PACKAGE.parents[1] / "NOTICE").read_text("utf-8")
    assert sorted(name for name in others if name not in notice) == []
