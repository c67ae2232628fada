"""Which tests there are depends on nothing but the files: processes that share them out must find the same ones."""

import os
import subprocess
import sys

import pytest

#: Another process as it may be: years later, with more cores, its folders listed the other way round.
ELSEWHERE = """
import os, sys, time
import pytest

class Scanned:
    def __init__(self, *path, scan=os.scandir):
        with scan(*path) as entries:
            self.entries = sorted(entries, key=lambda entry: entry.name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def __iter__(self):
        return self

    def __next__(self):
        if not self.entries:
            raise StopIteration
        return self.entries.pop()

time.time = lambda now=time.time: now() + 2e8
os.listdir = lambda *path, listed=os.listdir: sorted(listed(*path), reverse=True)
os.cpu_count = lambda: 64
os.scandir = Scanned
sys.exit(pytest.main(sys.argv[1:]))
"""


def test_every_process_collects_the_same_tests_in_the_same_order(request):
    """One collection is that of this run: alone, this file only looks at itself."""
    options = request.config.option
    if options.failedfirst or options.newfirst:
        pytest.skip("another order was asked for.")
    command = [sys.executable, "-c", ELSEWHERE, "--collect-only", "-p", "no:cacheprovider", "-m", options.markexpr]
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    other = subprocess.run(
        [*command, *request.config.args],
        cwd=request.config.rootpath,
        env=os.environ | {"PYTHONHASHSEED": seed, "TZ": "Pacific/Kiritimati"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert other.returncode == 0, other.stdout[-2000:] + other.stderr[-2000:]
    here = [item.nodeid for item in request.session.items]
    chosen = set(here)
    assert [line for line in other.stdout.splitlines() if line in chosen] == here
