"""Runs the command line as a user does: a process, its exit code, its two streams."""

import contextlib
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import orjson

LOOPBACK = Path(__file__).parents[1] / "loopback.py"


def environment(**more):
    """Return this environment without keys, so that no test can reach a paid service."""
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    return {**kept, **more}


def evenhand(*args, cwd, env=None):
    """Return the finished process of `evenhand ARGS`."""
    command = [sys.executable, "-m", "evenhand", *map(str, args)]
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
