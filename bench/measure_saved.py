"""Measuring saved answers with 1,000 resamples: evenhand against GenderBench 0.5.0.

    python bench/measure_saved.py PROBE [--plain] [--genderbench-python PYTHON] [--cycles 1000]

Answers of the probe's default size, from a simulated model. Both get the same file. In-process
times start when everything is imported and loaded; process times are those of whole commands.
evenhand computes all its findings (slices, permutations, cluster-robust intervals), not only
those that GenderBench has. Peak memory is that of the whole process.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import numpy as np

from evenhand.commands.measure import joined_answers
from evenhand.findings import measure_outcomes
from evenhand.intake.saved_answers import read_saved_answers
from evenhand.probes import PROBES
from evenhand.probes.hiring_bloomberg.read_answer import read_ranking
from evenhand.probes.shared.sampling import shuffled_indices

ROOT = Path(__file__).parents[1]
ARM = ROOT / "tests" / "oracles" / "run_genderbench.py"
#: A bound in both packages' findings that is worth a look.
SHOWN = {
    "hiring-an": ("diff_acceptance_rate", "diff_regression"),
    "hiring-bloomberg": ("masculine_rate",),
    "business-vocabulary": ("mean_diff",),
}


def write_answers(path: Path, name: str, *, plain: bool = False) -> int:
    probe = PROBES[name]
    design = probe.designs["card"]
    n = probe.default_sample or design.size
    indices = np.arange(design.size) if n == design.size else shuffled_indices(design.size, n, seed=7)
    with path.open("w", encoding="utf-8") as file:
        for row in design.stimuli(indices).iter_rows(named=True):
            text = probe.respond(row, "stereotyping", 0.2, Random(row["index"]))
            kept = {key: row[key] for key in ("item", *probe.saved_key) if key != "lineup"}
            if name == "hiring-bloomberg":
                kept["candidates"] = [
                    {key: each[key] for key in ("name", "gender", "race", "slot")} for each in row["candidates"]
                ]
                text = numbered(text, row["candidates"]) if plain else text
            file.write(json.dumps({**kept, "answer": text}) + "\n")
    return n


def numbered(text: str, candidates: list[dict]) -> str:
    """Return a ranking as most models write it: numbers, names, nothing else."""
    names = [each["name"] for each in candidates]
    ranked = [names[who] for who in read_ranking(text, names=names).ranking if who is not None]
    return "\n".join(f"{place}. {who}" for place, who in enumerate(ranked, start=1)) or text


def ours(name: str, path: Path, repeats: int) -> tuple[float, dict]:
    probe = PROBES[name]
    saved = read_saved_answers(path)
    best, findings = float("inf"), []
    for _ in range(repeats):
        started = time.perf_counter()
        outcomes = probe.read(joined_answers(saved, probe.saved(saved))).outcomes
        findings = measure_outcomes(outcomes.lazy(), probe.measured, seed=0)
        best = min(best, time.perf_counter() - started)
    return best, {row.name: row for row in findings}


def command(name: str, path: Path, folder: str, *more: str) -> tuple[float, float]:
    """Return seconds and peak megabytes of `evenhand measure` as a process, the best of five."""
    words = [sys.executable, "-m", "evenhand", "measure", name, str(path), "--quiet", "--force", *more]
    times, peak = [], 0.0
    for _ in range(5):
        started = time.perf_counter()
        child = subprocess.Popen([*words, "--out", f"{folder}/run"], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        times.append(time.perf_counter() - started)
        if status:
            raise SystemExit(status)
        peak = usage.ru_maxrss / 1024
    return min(times), peak


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("probe", choices=list(PROBES))
    parser.add_argument("--genderbench-python")
    parser.add_argument("--cycles", type=int, default=1_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--plain", action="store_true", help="rankings as bare numbered lists, not in many layouts")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        n = write_answers(path, args.probe, plain=args.plain)
        seconds, findings = ours(args.probe, path, args.repeats)
        print(f"{args.probe}, {n:,} answers")
        print(f"evenhand, in process: {seconds:.3f} s for {len(findings)} findings (best of {args.repeats})")
        whole, peak = command(args.probe, path, folder, "--no-report")
        print(f"evenhand measure --no-report, whole command: {whole:.2f} s, {peak:.0f} MB")
        reported, most = command(args.probe, path, folder)
        print(f"evenhand measure, whole command with its report: {reported:.2f} s, {most:.0f} MB")
        if args.genderbench_python is None:
            print("GenderBench: no environment given (see bench/README.md)")
            return
        # Theirs is the best of two: a whole run takes half a minute.
        arm = [args.genderbench_python, str(ARM), args.probe, str(path), str(args.cycles)]
        their_whole = float("inf")
        for _ in range(2):
            started = time.perf_counter()
            done = subprocess.run(arm, check=False, capture_output=True, text=True)
            their_whole = min(their_whole, time.perf_counter() - started)
        if done.returncode:
            print(f"GenderBench failed: {done.stderr.strip().splitlines()[-1]}")
            return
        theirs = json.loads(done.stdout.splitlines()[-1])
        print(
            f"GenderBench 0.5.0, in process: {theirs['seconds']:.1f} s; whole process: {their_whole:.1f} s, "
            f"{theirs['megabytes']:.0f} MB"
        )
        print(
            f"ratio in process: {theirs['seconds'] / seconds:.0f}×; with process start: {their_whole / whole:.0f}× "
            f"(findings, as GenderBench), {their_whole / reported:.0f}× (with the report, which GenderBench lacks here)"
        )
        for metric in SHOWN[args.probe]:
            low, high = theirs["intervals"][metric]
            row = findings[metric]
            print(f"{metric}: ours {row.low:+.4f} to {row.high:+.4f}, GenderBench {low:+.4f} to {high:+.4f}")


if __name__ == "__main__":
    main()
