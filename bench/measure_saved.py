"""Measuring saved answers with 1,000 resamples: evenhand against GenderBench 0.5.0.

    python bench/measure_saved.py PROBE [--plain] [--genderbench-python PYTHON] [--cycles 1000]
    python bench/measure_saved.py PROBE [--plain] --write ANSWERS.jsonl

Answers of the probe's default size, from a simulated model. Both get the same file. Times start
when everything is imported and loaded; `budgets.py` has those of whole commands. evenhand computes
all its findings (slices, permutations, cluster-robust intervals), not only those that GenderBench
has. With --write the answers are written and nothing is measured.
"""

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path
from random import Random

import numpy as np

from evenhand.analyses.probes import joined_answers
from evenhand.comparisons.measure import measure_outcomes
from evenhand.data.inputs import read_saved_answers
from evenhand.probes import PROBES
from evenhand.probes.hiring_bloomberg.reader import read_ranking
from evenhand.probes.probe import shuffled_indices

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


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("probe", choices=list(PROBES))
    parser.add_argument("--genderbench-python")
    parser.add_argument("--cycles", type=int, default=1_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--plain", action="store_true", help="rankings as bare numbered lists, not in many layouts")
    parser.add_argument("--write", type=Path, help="only write the answers into this file")
    args = parser.parse_args()
    if args.write is not None:
        write_answers(args.write, args.probe, plain=args.plain)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        n = write_answers(path, args.probe, plain=args.plain)
        seconds, findings = ours(args.probe, path, args.repeats)
        print(f"{args.probe}, {n:,} answers")
        print(f"evenhand, in process: {seconds:.3f} s for {len(findings)} findings (best of {args.repeats})")
        if args.genderbench_python is None:
            print("GenderBench: no environment given (see bench/README.md)")
            return
        arm = [args.genderbench_python, str(ARM), args.probe, str(path), str(args.cycles)]
        done = subprocess.run(arm, check=False, capture_output=True, text=True)
        if done.returncode:
            print(f"GenderBench failed: {done.stderr.strip().splitlines()[-1]}")
            return
        theirs = json.loads(done.stdout.splitlines()[-1])
        print(
            f"GenderBench 0.5.0, in process: {theirs['seconds']:.1f} s, {theirs['seconds'] / seconds:.0f} times as long"
        )
        for metric in SHOWN[args.probe]:
            low, high = theirs["intervals"][metric]
            row = findings[metric]
            print(f"{metric}: ours {row.low:+.4f} to {row.high:+.4f}, GenderBench {low:+.4f} to {high:+.4f}")


if __name__ == "__main__":
    main()
