"""Ten million scored pairs of 60 days recorded, and a Recorder: seconds, peak memory, size of the store.

python bench/record.py [--rows 10000000] [--days 60] [--one-at-a-time 100000]
"""

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

import evenhand as eh

LINE = "record {table} --store {store} --model screener --time at --score score --selected invited --latency seconds"
CUT = "--position position --by department --protected gender,race"


def table(path: Path, rows: int, days: int) -> None:
    """Write the pairs, in the order of their times, as a service's export has them."""
    rng = np.random.default_rng(1)
    start = np.datetime64("2026-03-01T00:00:00", "us")
    at = start + np.sort(rng.integers(0, days * 86_400_000_000, rows)).astype("timedelta64[us]")
    score = rng.beta(5, 4, rows)
    pl.DataFrame({"at": at, "score": score, "invited": score > 0.6, "seconds": rng.gamma(2, 0.2, rows)}).with_columns(
        pl.col("at").dt.replace_time_zone("UTC"),
        *(
            pl.Series(name, rng.choice(values, rows), dtype=pl.String)
            for name, values in {
                "position": [f"job {n}" for n in range(10)],
                "department": ["north", "south", "west"],
                "gender": ["female", "male"],
                "race": ["Asian", "Black", "Hispanic", "White"],
            }.items()
        ),
    ).write_parquet(path)


def recorded(path: Path, folder: Path) -> None:
    """Record the pairs in a process of its own; print what it took."""
    words = f"{LINE} {CUT}".format(table=path, store=folder / "history.db").split()
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "evenhand", "monitor", *words])
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    assert status == 0
    size = (folder / "history.db").stat().st_size / 1e6
    cpu = used.ru_utime + used.ru_stime
    print(f"{seconds:.1f} s, {cpu:.1f} s of CPU, {used.ru_maxrss / 1024:.0f} MB; the store has {size:.1f} MB")


def one_at_a_time(rows: int, folder: Path) -> None:
    """Record judgements as a service does; print what the caller waits for each, and what the store takes."""
    recorder = eh.monitor.Recorder(folder / "service.db", model="screener", every=3600, most=rows)
    scores = np.random.default_rng(1).beta(5, 4, rows).tolist()
    start = time.perf_counter()
    for score in scores:
        recorder.record(score=score, selected=score > 0.6, protected={"gender": "female"})
    taken = time.perf_counter()
    recorder.flush()
    written = time.perf_counter()
    recorder.close()
    each = (taken - start) / rows * 1e6
    print(f"Recorder: {each:.1f} µs for the caller of each of {rows:,}; written in {written - taken:.2f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--one-at-a-time", type=int, default=100_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pairs = Path(folder, "pairs.parquet")
        # In a process of its own: a child's peak begins with the memory of the process that started it.
        writing = multiprocessing.get_context("spawn").Process(target=table, args=(pairs, asked.rows, asked.days))
        writing.start()
        writing.join()
        print("load", *(f"{each:.1f}" for each in os.getloadavg()))
        recorded(pairs, Path(folder))
        one_at_a_time(asked.one_at_a_time, Path(folder))
