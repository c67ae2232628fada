"""Whoever only looks needs no room and no right to write: a full disk, and a folder that may only be read."""

import contextlib
import os
import resource
import shutil
import signal
import sqlite3
import tempfile
import time
from pathlib import Path

import pytest
from _cli import evenhand
from _files_named import decisions

from asked_pages import Browser
from evenhand.dashboard.access import Access
from evenhand.dashboard.app import application
from evenhand.dashboard.request import Dashboards
from evenhand.errors import InputError
from evenhand.monitoring.store import opened_store

NOBODY = 65_534
RECORD = ("monitor", "record", "decisions.csv", "--store", "h.db", "--model", "m", "--time", "decided_at")
READING = [
    ("monitor", "status", "--store", "h.db", "--json"),
    ("monitor", "status", "--store", "h.db", "--prometheus"),
    ("monitor", "verify", "--store", "h.db"),
    ("monitor", "golden", "agreement", "--store", "h.db"),
    ("verify", "b.zip"),
]
PAGES = ("/monitoring", "/bias", "/diversity", "/audits", "/audits/run/report", "/bias?format=csv", "/metrics")


@pytest.fixture(scope="module")
def folder():
    """Return a folder that anybody may enter, with a store, a run and a bundle."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        folder.chmod(0o755)
        (folder / "decisions.csv").write_text(decisions())
        for words in (
            (*RECORD, "--time-zone", "UTC", "--selected", "invited", "--protected", "gender"),
            ("impact", "--counts", "women=30/100,men=60/100", "--out", "runs/run"),
            ("bundle", "runs/run", "--out", "b.zip"),
        ):
            evenhand(*words, cwd=folder)
        yield folder
        folder.chmod(0o755)


@contextlib.contextmanager
def full_disk(_folder):
    """Let this process write nothing into any file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handled = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handled)


@contextlib.contextmanager
def read_only(folder):
    """Let this process make no file in a folder, nor change one; root is nobody for a while."""
    paths = [folder, *folder.rglob("*")]
    before = {path: path.stat().st_mode for path in paths}
    temporary = tempfile.tempdir
    for path, mode in before.items():
        path.chmod(mode & ~0o222 | 0o444)
    if root := os.geteuid() == 0:
        os.seteuid(NOBODY)
    tempfile.tempdir = str(folder)  # so that nothing can be written where temporary files go, either
    try:
        yield
    finally:
        tempfile.tempdir = temporary
        if root:
            os.seteuid(0)
        for path, mode in before.items():
            path.chmod(mode)


STATES = {"full": full_disk, "read-only": read_only}


def pages(folder):
    """Return the pages of the dashboards that a viewer sees."""
    browser = Browser(application(Dashboards(access=Access(host="127.0.0.1"), store="h.db", runs=Path("runs"))))
    with contextlib.chdir(folder):
        while "refresh" in browser.get("/bias").headers:
            time.sleep(0.05)
        answers = [browser.get(page) for page in PAGES]
    return [(answer.status_code, answer.text.replace(token(answer.text), "")) for answer in answers]


def token(text):
    return text.partition('name="form" value="')[2].partition('"')[0]


@pytest.mark.parametrize("state", STATES)
def test_what_only_reads_reads_on(folder, state):
    # Temporary files of a bundle need some room; on a full disk memory has it, which a limit of this process has not.
    commands = READING[: -1 if state == "full" else None]
    before = [evenhand(*words, cwd=folder, code=None) for words in commands], pages(folder)
    assert {status for status, _ in before[1]} == {200}
    with STATES[state](folder):
        now = [evenhand(*words, cwd=folder, code=None) for words in commands], pages(folder)
    for one, other in zip(before[0], now[0], strict=True):
        assert (other.returncode, other.stderr, other.stdout) == (one.returncode, one.stderr, one.stdout)
    assert before[1] == now[1]


@pytest.mark.parametrize("state", STATES)
def test_what_would_write_says_that_it_cannot(folder, state):
    evenhand("monitor check --store h.db", cwd=folder)
    with STATES[state](folder):
        code = {"full": 3, "read-only": 2}[state]
        checked = evenhand("monitor check --store h.db", cwd=folder, code=code)
    assert (checked.stderr[:21], checked.stderr.count("\n")) == ("h.db can't be written", 1)
    evenhand("monitor verify --store h.db", cwd=folder)


def test_a_log_that_was_never_brought_into_the_file_is_read_with_its_index_or_refused(folder):
    """Two copies of a store that a writer left open, one without the index of its write-ahead log."""
    for name in ("left", "cut"):
        (folder / name).mkdir()
    with contextlib.closing(sqlite3.connect(folder / "h.db", isolation_level=None)) as writer:
        writer.execute("INSERT INTO models VALUES ('late', '2026')")
        for file in folder.glob("h.db*"):
            shutil.copy(file, folder / "left")
            if file.suffix != ".db-shm":
                shutil.copy(file, folder / "cut")
        writer.execute("DELETE FROM models WHERE name = 'late'")
    with read_only(folder):
        with opened_store(folder / "left" / "h.db") as store:
            assert ("late",) in store.rows("SELECT name FROM models")
            with pytest.raises(InputError, match="can't be written"), store.writing() as writing:
                writing.execute("DELETE FROM models")
        with pytest.raises(InputError, match=r"h\.db-wal holds recent entries\. Copy both"):
            opened_store(folder / "cut" / "h.db")
