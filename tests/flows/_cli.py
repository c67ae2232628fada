"""Runs the command line as a user does: its exit code, its two streams."""

import atexit
import contextlib
import gc
import io
import os
import shlex
import subprocess
import sys
import urllib.request
from pathlib import Path
from unittest.mock import patch

import orjson
from _promises import broken_promises

from evenhand.cli import main
from loopback import Loopback, faults_from
from loopback_scorer import running


def environment(**more):
    """Return this environment without keys, so that no test can reach a paid service."""
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    return {**kept, **more}


def words_of(*lines):
    """Return the words of command lines."""
    return shlex.split(" ".join(lines))


def evenhand(*args, cwd, env=None, typed=b"", code=0):
    """Return what `evenhand ARGS` ends with, which is `code`: both streams. It runs in this process.

    The first of `args` may be several words. `typed` is what it reads on its standard input; with None for `code` any
    will do.
    """
    args = [*words_of(*args[:1]), *map(str, args[1:])]
    command = ["evenhand", *args]
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    thresholds = gc.get_threshold()
    with (
        contextlib.chdir(cwd),
        patch.dict(os.environ, env or environment(), clear=True),
        patch.object(sys, "argv", command),
        patch.object(sys.modules["__main__"], "__package__", None),  # where it is the test runner's, usage names that
        Path(os.devnull).open(encoding="utf-8") as nothing,
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)) if typed else nothing),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            ended = end.code
        finally:
            gc.set_threshold(*thresholds)
            atexit.unregister(gc.freeze)
    told = [stream.buffer.getvalue().decode() for stream in (out, err)]
    assert code in {None, ended}, "\n".join([f"exit code {ended}", *told])
    broken = list(broken_promises(args, ended, *told))
    assert not broken, broken
    return subprocess.CompletedProcess(command, ended, *told)


def refused(*args, told, cwd, **more):
    """Type what ends with code 2: what is `told` stands in its one line, nothing on stdout, and no file is written."""
    before = sorted(Path(cwd).rglob("*"))
    done = evenhand(*args, cwd=cwd, code=2, **more)
    assert (done.stdout, done.stderr.count("\n")) == ("", 1), done
    assert [each for each in ([told] if isinstance(told, str) else told) if each not in done.stderr] == [], done.stderr
    assert sorted(Path(cwd).rglob("*")) == before
    return done


def own_process(*args, cwd, env=None):
    """Return the finished process of `evenhand ARGS`, for what another environment does to it."""
    command = [sys.executable, "-m", "evenhand", *words_of(*args[:1]), *map(str, args[1:])]
    return subprocess.run(
        command, cwd=cwd, env=env or environment(), capture_output=True, text=True, timeout=120, check=False
    )


def findings(folder):
    """Return the findings of a run by name, and its audit block."""
    content = orjson.loads((Path(folder) / "findings.json").read_bytes())
    return {row["name"]: row for row in content["findings"]}, content["audit"]


def journal(folder):
    """Return all journaled lines of a run."""
    lines = []
    for file in sorted(Path(folder).glob("answers-*.jsonl")):
        lines += [orjson.loads(line) for line in file.read_bytes().splitlines()]
    return lines


@contextlib.contextmanager
def loopback(*, faults="", then="ok"):
    """Yield the base URL of a chat server that runs in a thread."""
    with running(Loopback(faults_from(faults), then=then)) as server:
        yield server.url


def seen(base_url):
    """Return what the loopback server was asked."""
    with urllib.request.urlopen(f"{base_url.removesuffix('/v1')}/seen", timeout=10) as response:
        return orjson.loads(response.read())
