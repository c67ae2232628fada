"""What grows with what: CPU seconds and peak memory of commands at three sizes each, every size twice the one before.

    python bench/growth.py [NAME ...] [--part 1]

With a `--part` below 1 all sizes are that much smaller. The last figure is how many times the largest size takes of
the middle one: about 2 is linear, less is start-up, 4 is quadratic.
"""

import argparse
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import orjson
import polars as pl

import evenhand as eh

#: Between us and the command: peak memory of a process begins with that of the one that started it.
_STARTER = """import os, subprocess, sys
process = subprocess.Popen([sys.executable, "-m", "evenhand", *sys.argv[1:]], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)"""


def evenhand(line: str, folder: Path) -> tuple[float, float]:
    """Return CPU seconds and peak memory in MB of a command."""
    started = [sys.executable, "-c", _STARTER, *shlex.split(line)]
    told = subprocess.run(started, cwd=folder, capture_output=True, text=True, check=True)
    code, seconds, memory = map(float, told.stdout.split())
    if code:
        sys.exit(f"evenhand {line}: {told.stderr}")
    return seconds, memory


def people(rows: int) -> dict[str, pl.Series]:
    rng = np.random.default_rng(1)
    return {
        "gender": pl.Series(rng.choice(["female", "male"], rows)),
        "hired": pl.Series(rng.random(rows) < 0.3),
        "score": pl.Series(rng.random(rows)).round(3),
    }


def wide(columns: int, folder: Path, rows: int) -> None:
    rng = np.random.default_rng(2)
    more = {f"x{n}": rng.normal(size=rows).round(4) for n in range(columns)}
    pl.DataFrame(people(rows) | more).write_csv(folder / "wide.csv")


def features(columns: int, folder: Path) -> str:
    wide(columns, folder, 2_000)
    return "features wide.csv --protected gender --label hired --sample 0 --out run"


def columns(size: int, folder: Path) -> str:
    wide(size, folder, 1_000)
    return "impact wide.csv --protected gender --selected hired --out run"


#: Two attributes, and how many rows in a row have the same group.
_GROUPED = (("team", 1), ("office", 7))


def groups(size: int, folder: Path) -> str:
    rows = size * 30
    # An attribute has at most 500 groups.
    crossed = {name: pl.Series([f"{name} {n // each % (size // 2)}" for n in range(rows)]) for name, each in _GROUPED}
    pl.DataFrame(people(rows) | crossed).write_csv(folder / "groups.csv")
    protected = " ".join(f"--protected {name}" for name, _ in _GROUPED)
    return f"evaluate groups.csv --label hired --score score --cutoff .5 {protected} --out run"


def models(size: int, folder: Path) -> str:
    rows = size * 600
    day = np.datetime64("2026-01-01") + np.arange(rows) % 60
    frame = pl.DataFrame(people(rows) | {"at": pl.Series(day), "model": pl.Series(np.arange(rows) // 600)})
    for (model,), part in frame.partition_by("model", as_dict=True, include_key=False).items():
        columns = {"time": "at", "score": "score", "selected": "hired", "protected": "gender"}
        eh.monitor.record(part, str(folder / "history.db"), model=f"model {model}", **columns)
    return "monitor check --store history.db --as-of 2026-03-01"


def golden(size: int, folder: Path) -> str:
    position = {"id": "p", "title": "Nurse", "text": "Care.", "skills": [], "location": None, "must": [], "nice": []}
    with (folder / "cases.jsonl").open("wb") as cases, (folder / "scores.csv").open("w", encoding="utf-8") as scores:
        scores.write("id,score\n")
        for n in range(size):
            label = {"label": "yes" if n % 3 else "no", "time": "2026-03-02T10:00:00.000000Z"}
            case = {
                "id": f"case {n}",
                "text": f"Emily Walsh\nNurse for {n} years.",
                "twin": str(n // 2),
                "known_names": ["Emily Walsh"],
                "reason": "an example",
                "position": position | {"years": [None, None], "columns": {}},
                "groups": {"gender": ("female", "male")[n % 2]},
                "labels": [{"by": by} | label for by in ("a", "b")],
                "adjudicated": None,
                "scale": {"labels": ["no", "yes"], "positive": "yes"},
            }
            cases.write(orjson.dumps(case) + b"\n")
            scores.write(f"case {n},{(n * 7919 % 1000) / 1000}\n")
    evenhand("monitor golden import cases.jsonl --store golden.db", folder)
    evenhand("monitor golden close --store golden.db --by c", folder)
    return "monitor golden run --store golden.db --model m --scorer replay:scores.csv --cutoff .5 --out run"


def bundle(megabytes: int, folder: Path) -> str:
    rng = np.random.default_rng(3)
    with (folder / "table.csv").open("w", encoding="utf-8") as out:
        out.write("gender,hired,note\n")
        for n in range(megabytes * 100):
            out.write(f"{('female', 'male')[n % 2]},{n % 3 == 0:d},{rng.bytes(4_990).hex()}\n")
    evenhand("impact table.csv --protected gender --selected hired --out run", folder)
    return "bundle run --with table.csv --out run.zip"


def text(kilobytes: int, folder: Path) -> str:
    paragraph = "Maria Lopez led a team of {} at Acme Ltd in {}. She wrote to maria{}@example.org.\n"
    with (folder / "cv.txt").open("w", encoding="utf-8") as out:
        for n in range(kilobytes * 1_000 // len(paragraph)):
            out.write(paragraph.format(n % 90, 1990 + n % 30, n))
    return "mask cv.txt --known-name 'Maria Lopez' --out masked.txt"


def runs(size: int, folder: Path) -> str:
    for n in range(size):
        model = f"'sim:feminine?strength=0.{n:02}'"
        evenhand(f"probe hiring-an --model {model} --sample 400 --no-report --out run-{n}", folder)
    return f"compare {' '.join(f'run-{n}' for n in range(size))} --out compared"


def suite(answers: int, folder: Path) -> str:
    evenhand(f"audit --model sim:unbiased --sample {answers // 5} --no-report --out run", folder)
    return "report run"


#: What is made and measured, and the largest size.
CASES: dict[str, tuple[Callable[[int, Path], str], int]] = {
    "features, columns": (features, 2_000),
    "impact, columns": (columns, 5_000),
    "evaluate, groups": (groups, 1_000),
    "monitor check, models": (models, 500),
    "golden add, cases": (golden, 20_000),
    "bundle, MB": (bundle, 1_000),
    "mask, KB of one text": (text, 5_000),
    "compare, runs": (runs, 20),
    "report of a suite, answers": (suite, 100_000),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--part", type=float, default=1)
    given = parser.parse_args()
    for name, (make, most) in CASES.items():
        if given.names and not any(each in name for each in given.names):
            continue
        shown, seconds, sizes = [], [], [max(2, round(most * given.part / half)) for half in (4, 2, 1)]
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                line = make(size, Path(folder))
                taken, memory = evenhand(line, Path(folder))
            seconds.append(taken)
            shown.append(f"{size:,}: {taken:.1f} s, {memory:.0f} MB")
        print(f"{name:<28} {'; '.join(shown)}; last doubling × {seconds[2] / seconds[1]:.1f}", flush=True)


if __name__ == "__main__":
    main()
