"""`evenhand evaluate` on 5,000,000 people of 18 groups: seconds and peak memory of the whole command, report included.

Run: python bench/evaluate.py [ROWS]
The scores are probabilities with 16 digits, so hardly two are equal and nothing is joined.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROWS = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 5_000_000
GROUPS = 18

MAKE = """
import duckdb
duckdb.sql(f'''COPY (SELECT 'group ' || (random() * {groups})::int % {groups} AS people, score,
  random() < .6 * score + .2 AS stayed FROM (SELECT random() AS score FROM range({rows})))
  TO '{path}' (FORMAT parquet)''')
"""


def measured(arguments: list[str]) -> tuple[float, float, int]:
    """Return seconds, CPU seconds and peak memory in MB of a fresh process."""
    start, before = time.perf_counter(), os.times()
    process = subprocess.Popen([sys.executable, "-m", "evenhand", *arguments], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0, arguments
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - start, cpu, used.ru_maxrss // 1024


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "people.parquet")
        subprocess.run([sys.executable, "-c", MAKE.format(rows=ROWS, groups=GROUPS, path=path)], check=True)
        size = path.stat().st_size // 2**20
        print(f"{ROWS:,} rows, {GROUPS} groups, {size} MB of Parquet; load {os.getloadavg()[0]:.1f}")
        asked = ["--label", "stayed", "--score", "score", "--protected", "people", "--out", f"{folder}/run", "--force"]
        for name, more in {"ranking and calibration": [], "with a cut-off": ["--cutoff", "0.5"]}.items():
            seconds, cpu, peak = measured(["evaluate", str(path), *asked, *more, "--quiet"])
            print(f"{name:28}{seconds:7.2f} s {cpu:7.2f} s of CPU {peak:6,} MB")


if __name__ == "__main__":
    main()
