"""`evenhand impact` on 10,000,000 applicants × 2,000 positions × 6 races × 3 genders.

    python bench/impact.py [--rows 10000000] [--repeats 3] [--fairlearn PYTHON]

Arms, interleaved, on one Parquet file: DuckDB's bare group-by (a process of its own; the query
alone beside it), `evenhand impact` with all statistics per position, with the 18 intersections
besides, and with a row as 0 to 9 people; then 24 rows of few and of very many people. With the
Python of an environment that has fairlearn: MetricFrame's selection rates and ratios of the 18
groups, without any interval or test.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

RACES = (
    *("White", "Black or African American", "Asian", "Hispanic or Latino"),
    *("Two or More Races", "American Indian or Alaska Native"),
)
GENDERS = ("female", "male", "non-binary")
POSITIONS = 2_000
BARE = """
import sys, time, duckdb
began = time.perf_counter()
found = duckdb.sql(f"select position, race, gender, selected, count(*) from '{sys.argv[1]}' group by all").fetchnumpy()
print(time.perf_counter() - began)
"""


def write_applicants(path: Path, rows: int) -> None:
    rng = np.random.default_rng(0)
    race = rng.choice(6, rows, p=[0.45, 0.18, 0.15, 0.14, 0.05, 0.03])
    gender = rng.choice(3, rows, p=[0.48, 0.5, 0.02])
    position = rng.integers(0, POSITIONS, rows)
    rate = 0.2 * np.array([1, 0.85, 1, 0.9, 0.95, 0.9])[race] * np.array([0.93, 1, 0.95])[gender]
    pl.DataFrame(
        {
            "race": pl.Series(RACES).gather(race),
            "gender": pl.Series(GENDERS).gather(gender),
            "position": pl.Series([f"position {number:04d}" for number in range(POSITIONS)]).gather(position),
            "selected": rng.random(rows) < rate,
            "people": rng.integers(0, 10, rows),
        }
    ).write_parquet(path)


def few_rows(path: Path, people: int, command: list[str]) -> list[str]:
    """Write a table of 24 rows, each so many people; return the command that reads it like the large one."""
    rows = [f"{y},{g},{p},{people}" for y in ("yes", "no") for g in ("f", "m") for p in "abcdef"]
    path.write_text("\n".join(["hired,gender,job,people", *rows]))
    asked = ["--selected", "hired", "--protected", "gender", "--position", "job", "--count", "people"]
    return [*command[:4], str(path), *asked, *command[-5:]]


def timed(command: list[str]) -> tuple[float, str]:
    began = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return time.perf_counter() - began, done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--fairlearn")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = folder / "applicants.parquet"
        write_applicants(table, given.rows)
        columns = ["--selected", "selected", "--protected", "race,gender", "--position", "position"]
        command = [sys.executable, "-m", "evenhand", "impact", str(table), *columns]
        command += ["--no-report", "--quiet", "--force", "--out", str(folder / "run")]
        arms = {
            "DuckDB, bare group-by": [sys.executable, "-c", BARE, str(table)],
            "evenhand impact": command,
            "evenhand impact, intersections": [*command, "--intersectional"],
            "evenhand impact, --count": [*command, "--count", "people"],
        }
        seconds: dict[str, list[float]] = {arm: [] for arm in arms}
        query = []
        for _ in range(given.repeats):
            for arm, words in arms.items():
                took, printed = timed(words)
                seconds[arm].append(took)
                if arm.startswith("DuckDB"):
                    query.append(float(printed))
        bare = float(np.median(query))
        print(f"{'DuckDB, the query alone':34} {bare:7.2f} s")
        for arm, times in seconds.items():
            print(f"{arm:34} {np.median(times):7.2f} s, {np.median(times) / bare:5.1f}× the query alone")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"largest process {peak:,.0f} MB")
        for told, each in (("24 people in 24 rows", 1), ("10⁹ people in 24 rows", 10**9 // 24)):
            took = [timed(few_rows(folder / "few.csv", each, command))[0] for _ in range(given.repeats)]
            print(f"{told:34} {np.median(took):7.2f} s")
        if given.fairlearn:
            arm = Path(__file__).with_name("_fairlearn_arm.py")
            took, printed = timed([given.fairlearn, str(arm), str(table), str(given.rows), "0"])
            ours = float(np.median(seconds["evenhand impact, intersections"]))
            print(f"{'fairlearn, MetricFrame':34} {took:7.1f} s ({printed.strip()}), {took / ours:.0f}× of ours")


if __name__ == "__main__":
    main()
