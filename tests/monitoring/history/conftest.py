"""Stores that tests write: a file of SQLite, and a database of its own on a PostgreSQL server."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def file(tmp_path):
    """Return where a new file of a store may be made."""
    return str(tmp_path / "history.db")
