"""Where tests of the store may make one, in both engines."""

import itertools

import pytest

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
