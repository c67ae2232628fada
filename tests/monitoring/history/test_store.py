"""Stores: their schema, their log, and what becomes of both when writers are killed, meet, or have no room."""

import contextlib
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import textwrap
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest
from judged import frame, judgements, recorded

from evenhand.analyses.monitor import verify
from evenhand.analyses.options.monitoring import VerifyOptions
from evenhand.errors import CheckFailed, InputError, ServiceError
from evenhand.monitoring.recording import Batch, missing_counts, record_batch
from evenhand.monitoring.store import SCHEMA, add_entry, log_head, migrations, opened_store, verified_log

HERE = Path(__file__).parent
#: Records small batches until it is killed, and says of each that it is there.
WRITER = """
    import sys
    sys.path.insert(0, {here!r})
    from judged import frame, judgements, recorded
    for number in range({first}, {last}):
        recorded({place!r}, judgements(30, seed=number), name=f"batch {{number}}")
        print(number, flush=True)
"""


def writer(place, first, last, **more):
    script = textwrap.dedent(WRITER.format(here=str(HERE), place=place, first=first, last=last))
    return subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, **more)


def checked(place):
    """Return the batches of a store, whose log and counts are whole."""
    with opened_store(place) as store:
        assert verified_log(store).wrong is None
        assert missing_counts(store) is None
        assert store.connection.damage() is None
        return {name for (name,) in store.rows("SELECT name FROM batches")}


def test_a_killed_writer_leaves_what_it_had_recorded(place):
    process = writer(place, 0, 100)
    done = [f"batch {process.stdout.readline().strip()}" for _ in range(3)]
    process.kill()
    done += [f"batch {line.strip()}" for line in process.stdout]
    process.wait()
    process.stdout.close()
    there = checked(place)
    assert set(done) <= there
    assert len(there) <= len(done) + 1  # recorded, and killed before it could say so


@pytest.mark.parametrize("moment", ["statement:20", "committed:2"])
def test_what_was_killed_in_the_middle_is_recorded_once_by_the_next(place, moment):
    recorded(place, judgements(30, seed=9), name="before")
    environment = os.environ | {"EVENHAND_FAULT": moment}
    killed = writer(place, 0, 3, start_new_session=True, env=environment)
    told = killed.stdout.read()
    killed.stdout.close()
    assert killed.wait() == -signal.SIGKILL
    there = checked(place)
    assert {"before", *(f"batch {line}" for line in told.split())} <= there
    for number in range(3):
        recorded(place, judgements(30, seed=number), name=f"batch {number}")
    assert checked(place) == {"before", "batch 0", "batch 1", "batch 2"}


def test_a_clock_that_is_set_back_loses_nothing(place):
    for number, day in enumerate((3, 1, 2)):
        rows = frame(judgements(30, seed=number))
        batch = Batch(model="screener", name=f"batch {number}")
        batch.add([rows])
        with opened_store(place, create=True, clock=lambda day=day: datetime(2026, 5, day, tzinfo=UTC)) as store:
            assert record_batch(store, batch).new
            assert not record_batch(store, batch).new
    assert checked(place) == {"batch 0", "batch 1", "batch 2"}


def test_two_writers_wait_for_each_other(place):
    recorded(place, judgements(5), name="first")
    both = [writer(place, start, start + 2) for start in (0, 100)]
    for process in both:
        process.communicate()
        assert process.returncode == 0
    assert checked(place) == {"first", *(f"batch {start + n}" for start in (0, 100) for n in range(2))}


def test_a_full_disk_loses_nothing_that_was_recorded(file):
    recorded(file, judgements(30), name="before")
    size = Path(file).stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handled = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20_000, before[1]))
        with pytest.raises(ServiceError, match=r"history\.db can't be written .*Nothing was recorded"):
            recorded(file, judgements(3000, days=60, seed=1), name="too much")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handled)
    assert checked(file) == {"before"}
    recorded(file, judgements(30, seed=1), name="after")
    assert checked(file) == {"before", "after"}


def test_a_writer_that_waits_too_long_says_so(file, monkeypatch):
    recorded(file, judgements(5))
    monkeypatch.setattr("evenhand.monitoring.store.WAIT_SECONDS", 0.05)
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ServiceError, match="being written by another process"):
            recorded(file, judgements(5, seed=1))


def test_an_older_store_is_brought_up_to_date_or_left_as_it_is(place):
    recorded(place, judgements(5))
    told = []
    broken = [*migrations(), "CREATE TABLE more (a TEXT); CREATE TABLE more (b TEXT);"]
    with pytest.raises((sqlite3.Error, ServiceError)):
        opened_store(place, schema=broken, notice=told.append)
    with opened_store(place, schema=[*migrations(), "CREATE TABLE more (a TEXT);"], notice=told.append) as store:
        assert store.rows("SELECT * FROM more") == []
        assert missing_counts(store) is None
    assert told == [f"{store.place} was migrated from schema {SCHEMA} to {SCHEMA + 1}; the records are unchanged."]
    with pytest.raises(InputError, match=f"has schema {SCHEMA + 1}, and this version .* up to {SCHEMA}; update"):
        opened_store(place)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"at,score\n1,2\n", "is not an SQLite file, or it is damaged"),
        (None, "is a database of another program"),
        ("cut", "is damaged"),
        ("overwritten", "is damaged"),
    ],
)
def test_what_is_no_store_is_refused_and_left_as_it_is(file, content, told):
    path = Path(file)
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is None:
        with contextlib.closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TABLE theirs (a TEXT)")
    else:
        recorded(file, judgements(300))
        whole = path.read_bytes()
        middle = len(whole) // 3
        path.write_bytes(
            whole[:9_000] if content == "cut" else whole[:middle] + b"\xff" * 9_000 + whole[middle + 9_000 :]
        )
    before = path.read_bytes()
    with pytest.raises(InputError, match=told), opened_store(file) as store:
        verify_all(store)
    assert path.read_bytes() == before


def verify_all(store):
    damage = store.connection.damage()
    if damage:
        raise InputError(f"{store.place} is damaged ({damage})")
    assert verified_log(store).wrong is None


def test_a_place_that_is_none_is_named(tmp_path):
    for place, told in [
        (str(tmp_path), "is a folder"),
        (str(tmp_path / "no" / "history.db"), "is in no folder that exists"),
        ("mysql://me:secret@host/base", "mysql://host/base is neither a file nor postgres"),
        ("postgres://me:secret@127.0.0.1:1/base", "postgres://127.0.0.1:1/base failed"),
    ]:
        with pytest.raises((InputError, ServiceError), match=told) as found:
            opened_store(place, create=True)
        assert "secret" not in str(found.value)
    with pytest.raises(InputError, match="No store"):
        opened_store(str(tmp_path / "history.db"))


TAMPERING = {
    "changed": (
        "UPDATE log SET entry = replace(entry, '\"n\":30', '\"n\":31') WHERE number = 1",
        "entry 1 was changed",
    ),
    "taken out": ("DELETE FROM log WHERE number = 2", "entry 2 is missing"),
    "digest": ("UPDATE log SET digest = 'a' WHERE number = 3", "entry 3 was changed"),
    "swapped": (
        "UPDATE log SET number = -number WHERE number IN (2, 3); UPDATE log SET number = 5 + number WHERE number < 0",
        "entry 2 does not follow",
    ),
    "counts": ("UPDATE counts SET n = n + 1 WHERE rowid = 1", "has 91 judgements, and 90 were recorded"),
}


@pytest.mark.parametrize("change", TAMPERING)
def test_a_change_is_found(file, change):
    for seed in range(3):
        recorded(file, judgements(30, seed=seed))
    options = VerifyOptions(store=file)
    kept = verify(options, notice=print).content
    assert kept["entries"] == 4  # three batches, and the reference groups
    sql, told = TAMPERING[change]
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.executescript(sql)
    with pytest.raises(CheckFailed, match=told):
        verify(options, notice=print)


def test_a_log_that_was_written_anew_lacks_the_head_that_was_kept(file, tmp_path):
    recorded(file, judgements(30))
    head = verify(VerifyOptions(store=file), notice=print).content["head"]
    recorded(file, judgements(30, seed=1))
    assert verify(VerifyOptions(store=file, head=head), notice=print).content["entries"] == 3
    anew = str(tmp_path / "anew.db")
    recorded(anew, judgements(30, seed=2))
    with pytest.raises(CheckFailed, match=f"has no entry {head}"):
        verify(VerifyOptions(store=anew, head=head), notice=print)


def test_an_entry_is_the_sha_256_of_sorted_json(file):
    import hashlib

    with opened_store(file, create=True) as store:
        with store.writing() as writing:
            add_entry(writing, "note", {"b": 1, "a": "ü"})
        text, digest = store.rows("SELECT entry, digest FROM log")[0]
        assert log_head(store).digest == digest == hashlib.sha256(text.encode()).hexdigest()
    content = '{"content":{"a":"ü","b":1},"kind":"note","number":1,"previous":"' + "0" * 64 + '","time":"'
    time = orjson.loads(text)["time"]
    assert text == f'{content}{time}"}}'
    assert time.endswith("Z")
