"""What a core install weighs, as `make check` lists it."""

import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).parents[1] / "scripts" / "weight.py"


def weighed(*options):
    return subprocess.run([sys.executable, PROGRAM, *options], capture_output=True, text=True, check=False)


def test_each_core_dependency_has_a_reason_and_all_stay_below_the_most():
    done = weighed()
    assert (done.returncode, done.stderr) == (0, "")
    *lines, total = done.stdout.splitlines()
    sizes = [float(line.split()[0]) for line in lines]
    assert abs(sum(sizes) - float(total.split()[0])) < len(sizes) / 10
    assert "polars: tables, with polars-runtime-32" in done.stdout
    brought = {name for line in lines for name in line.replace(",", "").replace(":", "").split()}
    assert not brought & {"pyarrow", "pandas", "requests"}


def test_more_than_the_most_fails_with_both_numbers():
    done = weighed("--most", "1")
    assert done.returncode == 1
    assert "more than 1 MB" in done.stderr
