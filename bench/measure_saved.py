"""Measuring 10,000 saved answers with 1,000 resamples: evenhand against GenderBench 0.5.0.

    python bench/measure_saved.py [--genderbench-python PYTHON] [--n 10000] [--cycles 1000]

Both get the same file. In-process times start when everything is imported and loaded;
process times are those of whole commands. evenhand computes all its findings (slices,
permutations, cluster-robust intervals), not only those that GenderBench has.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import polars as pl

from evenhand.commands.measure import joined_answers
from evenhand.findings import measure_outcomes
from evenhand.intake.saved_answers import read_saved_answers
from evenhand.probes import PROBES, shuffled_indices

HERE = Path(__file__).parent


def write_answers(path: Path, n: int) -> None:
    probe = PROBES["hiring-an"]
    design = probe.designs["card"]
    stimuli = design.stimuli(shuffled_indices(design.size, n, seed=7))
    texts = [probe.respond(row, "stereotyping", 0.2, Random(row["index"])) for row in stimuli.iter_rows(named=True)]
    stimuli.select("name", "role", "qualification", "template", pl.Series("answer", texts)).write_ndjson(path)


def ours(path: Path, repeats: int) -> tuple[float, dict]:
    probe = PROBES["hiring-an"]
    saved = read_saved_answers(path)
    best, findings = float("inf"), []
    for _ in range(repeats):
        started = time.perf_counter()
        outcomes = probe.read(joined_answers(saved, probe.saved(saved)))
        findings = measure_outcomes(outcomes.lazy(), probe.measured, seed=0)
        best = min(best, time.perf_counter() - started)
    return best, {row.name: row for row in findings}


def command(path: Path, folder: str, *more: str) -> float:
    """Return the seconds that `evenhand measure` takes as a process, the better of two."""
    words = [sys.executable, "-m", "evenhand", "measure", "hiring-an", str(path), "--quiet", "--force", *more]
    times = []
    for _ in range(2):
        started = time.perf_counter()
        subprocess.run([*words, "--out", f"{folder}/run"], check=True, capture_output=True)
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--genderbench-python")
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--cycles", type=int, default=1_000)
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        write_answers(path, args.n)
        seconds, findings = ours(path, args.repeats)
        print(f"evenhand, in process: {seconds:.3f} s for {len(findings)} findings (best of {args.repeats})")
        whole = command(path, folder, "--no-report")
        print(f"evenhand measure --no-report, whole command: {whole:.2f} s")
        reported = command(path, folder)
        print(f"evenhand measure, whole command with its report: {reported:.2f} s")
        if args.genderbench_python is None:
            print("GenderBench: no environment given (see bench/README.md)")
            return
        arm = [args.genderbench_python, str(HERE / "genderbench_arm.py"), str(path), str(args.cycles)]
        started = time.perf_counter()
        done = subprocess.run(arm, check=True, capture_output=True, text=True)
        their_whole = time.perf_counter() - started
        theirs = json.loads(done.stdout.splitlines()[-1])
        print(f"GenderBench 0.5.0, in process: {theirs['seconds']:.1f} s; whole process: {their_whole:.1f} s")
        print(
            f"ratio in process: {theirs['seconds'] / seconds:.0f}×; with process start: {their_whole / whole:.0f}× "
            f"(findings, as GenderBench), {their_whole / reported:.0f}× (with the report, which GenderBench lacks here)"
        )
        for name in ("diff_acceptance_rate", "diff_regression"):
            low, high = theirs["metrics"][name]
            row = findings[name]
            print(f"{name}: ours {row.low:+.4f} to {row.high:+.4f}, GenderBench {low:+.4f} to {high:+.4f}")


if __name__ == "__main__":
    main()
