"""Backups of a store while it is written, and what becomes of a store that one is restored into."""

import contextlib
import itertools
import re
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest
from judged import judgements, recorded
from test_store import TAMPERING, checked, writer

from evenhand.analyses.monitor import backup, restore
from evenhand.analyses.options.monitoring import BackupOptions, RestoreOptions
from evenhand.errors import CheckFailed, InputError, ServiceError
from evenhand.monitoring.store import log_head, migrations, opened_store
from system_packages import needed


def backed_up(store, out, **more):
    return backup(BackupOptions(store=str(store), out=out, **more)).content


def restored(copy, store, **more):
    return restore(Path(copy), RestoreOptions(store=str(store), **more)).content


def head(store):
    with opened_store(store) as opened:
        return log_head(opened).digest


def test_a_backup_while_two_write_is_the_store_at_one_moment(file, tmp_path):
    recorded(file, judgements(5), name="first")
    both = [writer(file, start, start + 8) for start in (0, 100)]
    for process in both:
        process.stdout.readline()  # it has begun
    copies = []
    while any(process.poll() is None for process in both) or not copies:
        copies.append(tmp_path / f"{len(copies)}.db")
        backed_up(file, copies[-1])
    for process in both:
        assert process.wait() == 0
        process.stdout.close()
    seen = [checked(copy) for copy in copies]  # each with a whole log, and the counts of that log
    assert all(before <= after for before, after in itertools.pairwise(seen))
    assert len(seen[0]) < 17
    assert copies[0].stat().st_mode & 0o077 == 0
    assert {path.name for path in tmp_path.iterdir()} == {"history.db", *(copy.name for copy in copies)}


def test_a_store_is_restored_where_there_is_none_or_in_place_while_it_is_open(file, tmp_path):
    recorded(file, judgements(5), name="kept")
    kept = backed_up(file, tmp_path / "copy.db")
    assert kept["head"] == head(file)
    recorded(file, judgements(5, seed=1), name="lost")
    with pytest.raises(InputError, match=r"history\.db already exists. Use --force to replace all it holds"):
        restored(tmp_path / "copy.db", file)
    assert checked(file) == {"kept", "lost"}
    with opened_store(file) as reader:  # as a server has it
        assert restored(tmp_path / "copy.db", file, force=True)["head"] == kept["head"]
        assert reader.rows("SELECT name FROM batches") == [("kept",)]
    restored(tmp_path / "copy.db", tmp_path / "new.db")
    assert checked(tmp_path / "new.db") == checked(file) == {"kept"}
    recorded(tmp_path / "new.db", judgements(5, seed=2), name="later")
    assert checked(tmp_path / "new.db") == {"kept", "later"}


def test_a_copy_of_an_older_store_is_of_its_schema(file, tmp_path):
    with opened_store(file, create=True, schema=migrations()[:1]):
        pass
    backed_up(file, tmp_path / "copy.db")
    restored(tmp_path / "copy.db", tmp_path / "new.db")
    for place in (file, tmp_path / "copy.db", tmp_path / "new.db"):
        with opened_store(place, as_is=True) as store:
            assert store.rows("SELECT value FROM settings WHERE name = 'schema'") == [("1",)]


@pytest.mark.parametrize("change", TAMPERING)
def test_a_changed_log_is_neither_backed_up_nor_restored(file, tmp_path, change):
    for seed in range(3):
        recorded(file, judgements(30, seed=seed))
    shutil.copy(file, tmp_path / "changed.db")
    sql, told = TAMPERING[change]
    with contextlib.closing(sqlite3.connect(tmp_path / "changed.db")) as other:
        other.executescript(sql)
    before = head(file)
    for attempt in (
        lambda: backed_up(tmp_path / "changed.db", tmp_path / "copy.db"),
        lambda: restored(tmp_path / "changed.db", tmp_path / "copy.db"),
        lambda: restored(tmp_path / "changed.db", file, force=True),
    ):
        with pytest.raises(CheckFailed, match=told):
            attempt()
    assert head(file) == before
    assert {path.name for path in tmp_path.iterdir()} == {"history.db", "changed.db"}


def test_what_cannot_be_copied_is_said_in_a_line(file, tmp_path, monkeypatch):
    recorded(file, judgements(5))
    copy, damaged = tmp_path / "copy.db", tmp_path / "damaged.db"
    backed_up(file, copy)
    damaged.write_bytes(b"no store at all" * 100)
    (tmp_path / "gone.db-wal").write_bytes(b"of another")
    for attempt, told in (
        (lambda: backed_up(file, copy), r"copy\.db already exists and may hold a store. Use --force"),
        (lambda: backed_up(tmp_path / "absent.db", copy, force=True), r"No store .*absent\.db"),
        (lambda: restored(damaged, file, force=True), r"damaged\.db is not an SQLite file, or it is damaged"),
        (lambda: restored(copy, copy, force=True), r"copy\.db is the store itself"),
        (lambda: restored(copy, tmp_path / "gone.db"), r"gone\.db-wal belongs to an earlier"),
        (
            lambda: restored(copy, damaged, force=True),
            r"damaged\.db is not an SQLite .* Move it away, with damaged\.db-wal",
        ),
    ):
        with pytest.raises(InputError, match=told):
            attempt()
    monkeypatch.setattr("evenhand.monitoring.store.WAIT_SECONDS", 0.05)
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        backed_up(file, copy, force=True)  # readers don't wait for a writer
        with pytest.raises(ServiceError, match=r"history\.db is being written by another process"):
            restored(copy, file, force=True)
    assert checked(file)


@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_a_database_of_a_server_is_backed_up_by_the_commands_that_the_messages_name(place, tmp_path):
    programs = {name: needed("postgres", shutil.which(name)) for name in ("pg_dump", "pg_restore")}
    recorded(place, judgements(5), name="kept")
    copy = tmp_path / "FILE"

    def told(attempt):
        with pytest.raises(InputError) as refused:
            attempt()
        assert "kept-secret" not in str(refused.value)
        name, *words = re.search(r"for PostgreSQL use: (.+)$", str(refused.value))[1].split()
        command = [programs[name], *(place if word == "URL" else word for word in words)]
        assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0

    told(lambda: backed_up(place, copy))
    recorded(place, judgements(5, seed=1), name="lost")
    told(lambda: restored(copy, place))
    assert checked(place) == {"kept"}
