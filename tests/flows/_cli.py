"""Runs the command line as a user does: a process, its exit code, its two streams."""

import contextlib
import functools
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import orjson

LOOPBACK = Path(__file__).parents[1] / "loopback.py"


def environment(**more):
    """Return this environment without keys, so that no test can reach a paid service."""
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    return {**kept, **more}


def evenhand(*args, cwd, env=None):
    """Return the finished process of `evenhand ARGS`: a fork of one with libraries loaded, its own with an `env`."""
    command = [sys.executable, "-m", "evenhand", *map(str, args)]
    if env is None and hasattr(os, "fork"):
        return _forked(command, cwd)
    return subprocess.run(
        command, cwd=cwd, env=env or environment(), capture_output=True, text=True, timeout=_LONGEST, check=False
    )


_LONGEST = 120


@functools.cache
def _loaded():
    """Return the process whose forks are the command lines; it ends with this one, when its stdin does."""
    command = [sys.executable, str(Path(__file__).with_name("_forks.py"))]
    one_thread = environment(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=one_thread, stdin=pipe, stdout=pipe, text=True, start_new_session=True)


def _forked(command, cwd):
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        asked = {"args": command[3:], "cwd": str(cwd), "env": environment(), "out": str(out), "err": str(err)}
        process = _loaded()
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
        if not select.select([process.stdout], [], [], _LONGEST)[0]:
            os.killpg(process.pid, signal.SIGKILL)  # the fork as well
            process.wait()
            _loaded.cache_clear()
            raise subprocess.TimeoutExpired(command, _LONGEST)
        code = int(process.stdout.readline())
        return subprocess.CompletedProcess(command, code, out.read_text("utf-8"), err.read_text("utf-8"))


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
def loopback(*args):
    """Yield the base URL of a loopback server that runs as its own process."""
    process = subprocess.Popen([sys.executable, str(LOOPBACK), "--port", "0", *args], stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def seen(base_url):
    """Return what the loopback server was asked."""
    with urllib.request.urlopen(f"{base_url.removesuffix('/v1')}/seen", timeout=10) as response:
        return orjson.loads(response.read())
