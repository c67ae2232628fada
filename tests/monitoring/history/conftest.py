"""Stores that tests write: a file of SQLite, and a database of its own on a PostgreSQL server."""

import itertools
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
_NUMBERS = itertools.count(1)


@pytest.fixture(params=["sqlite", "postgres"])
def place(request, tmp_path):
    """Return where a new store may be made, in both engines in turn."""
    if request.param == "sqlite":
        return str(tmp_path / "history.db")
    url = request.getfixturevalue("postgres_server")
    import psycopg

    name = f"store_{next(_NUMBERS)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return url.removesuffix("/postgres") + f"/{name}"


@pytest.fixture
def file(tmp_path):
    """Return where a new file of a store may be made."""
    return str(tmp_path / "history.db")
