"""inspect_ai in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("_inspect_process.py")
#: Doctests are looked for in every file; importing this one imports inspect_ai.
collect_ignore = [PROGRAM.name]
sys.path[:0] = [str(PROGRAM.parent), str(PROGRAM.parents[1] / "flows")]


@pytest.fixture(scope="session")
def inspect_does(tmp_path_factory):
    """Return a function from a job to its result; _inspect_process.py says what jobs there are."""
    folder = tmp_path_factory.mktemp("inspect")
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    with (folder / "stderr").open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, str(PROGRAM)],
            cwd=folder,
            env=kept,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )

    def do(job):
        process.stdin.write(json.dumps({"folder": str(folder / "logs"), **job}) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        assert line, (folder / "stderr").read_text()[-2000:]
        return json.loads(line)

    yield do
    process.stdin.close()
    process.wait(timeout=60)
    process.stdout.close()
