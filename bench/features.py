"""`evenhand features` on 5,000,000 rows of 40 columns: two attributes, a label and 37 features.

    python bench/features.py [--rows 5000000]

The columns are normal, log-normal, mostly zero, whole numbers, yes and no, categories and days. Printed are wall and
CPU seconds of the whole process, report included, without all features jointly; and its peak memory.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl


def write_table(path: Path, rows: int) -> None:
    rng = np.random.default_rng(0)
    columns = {
        "gender": pl.Series(["female", "male"]).gather(rng.integers(0, 2, rows)),
        "race": pl.Series(["White", "Black", "Asian", "Hispanic"]).gather(rng.integers(0, 4, rows)),
        "hired": rng.random(rows) < 0.2,
        "applied": pl.Series(rng.integers(10_000, 20_000, rows).astype(np.int32)).cast(pl.Date),
    }
    columns |= {f"normal_{n}": rng.normal(n, 1 + n, rows) for n in range(10)}
    columns |= {f"long_tail_{n}": rng.lognormal(n, 1, rows) for n in range(4)}
    columns |= {f"whole_{n}": rng.integers(0, 10 ** (1 + n % 4), rows) for n in range(8)}
    columns |= {f"zeros_{n}": np.where(rng.random(rows) < 0.7, 0.0, rng.exponential(5, rows)) for n in range(4)}
    columns |= {f"yes_{n}": rng.random(rows) < 0.1 * (n + 1) for n in range(4)}
    for n in range(6):
        names = pl.Series([f"category {each}" for each in range(5 * (n + 1))])
        columns[f"category_{n}"] = names.gather(rng.integers(0, len(names), rows))
    pl.DataFrame(columns).write_parquet(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.write is not None:
        write_table(given.write, given.rows)
        return
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder, "features.parquet")
        # Another process: the peak of a process that starts one is handed on to it.
        subprocess.run([sys.executable, __file__, "--rows", str(given.rows), "--write", str(table)], check=True)
        command = [sys.executable, "-m", "evenhand", "features", str(table), "--protected", "gender,race"]
        command += ["--label", "hired", "--sample", "0", "--quiet", "--out", str(Path(folder, "run"))]
        began = time.perf_counter()
        _, status, used = os.wait4(subprocess.Popen(command, stdout=subprocess.DEVNULL).pid, 0)
        wall = time.perf_counter() - began
        if status:
            sys.exit(f"evenhand features ended with {status}")
        print(f"{given.rows:,} rows × 40 columns: {wall:.1f} s, {used.ru_utime + used.ru_stime:.1f} s of CPU")
        print(f"peak memory {used.ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
