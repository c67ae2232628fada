"""The study of An et al. 2024 at full size: the exact test, the classifier, and `measure an2024`.

    python bench/population.py [--permutations 5000]

756,000 decisions in 42 roles (the study's total), 41 of them with a test. The naive arm is what
the study describes: labels of all decisions of a role shuffled 5,000 times. Both arms start from
the same loaded columns.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import numpy as np
import polars as pl

from evenhand.probes.an2024.classifier import shipped
from evenhand.probes.an2024.stimuli import letter, names, roles
from evenhand.stats import fishers_method, permutation_exact

ROLES = 41
EMAILS = 20_000


def decisions(n_roles: int) -> pl.DataFrame:
    """Return one row per e-mail: 300 names, 5 instructions, 4 qualifications, 3 seeds, per role."""
    rng = np.random.default_rng(0)
    known = [role.name for role in roles()] + ["developer"]
    people = names().join(pl.DataFrame({"role": known[:n_roles]}), how="cross")
    frame = (
        people.join(pl.DataFrame({"template": range(5)}), how="cross")
        .join(pl.DataFrame({"qualification": ["omitted", "high", "medium", "low"]}), how="cross")
        .join(pl.DataFrame({"seed": [1, 42, 50]}), how="cross")
    )
    return frame.with_columns(accepted=pl.Series(rng.random(frame.height) < 0.5))


def exact(frame: pl.DataFrame) -> np.ndarray:
    """Return the combined mid-p of each group: counts, tests and Fisher's method."""
    counted = (
        frame.group_by("role", "race", "gender")
        .agg(n=pl.len(), accepted=pl.col("accepted").sum())
        .with_columns(n_all=pl.col("n").sum().over("role"), accepted_all=pl.col("accepted").sum().over("role"))
        .sort("race", "gender", "role")
    )
    found = permutation_exact(*(counted[name].to_numpy() for name in ("accepted", "n", "accepted_all", "n_all")))
    # Upper tails throughout, as any fixed direction has.
    upper = np.where(found.difference < 0, 1 - found.mid_p, found.mid_p).reshape(6, -1)
    return np.array([fishers_method(row).p for row in upper])


def shuffled(frame: pl.DataFrame, permutations: int) -> np.ndarray:
    """Return p per group and role from shuffled labels, the study's way."""
    rng = np.random.default_rng(1)
    result = []
    for part in frame.partition_by("role"):
        group = part.select(pl.struct("race", "gender").rank("dense"))[:, 0].to_numpy() - 1
        accepted = part["accepted"].to_numpy()
        size = np.bincount(group)
        observed = np.bincount(group, weights=accepted) / size
        extreme = np.zeros(size.size)
        for _ in range(permutations):
            rates = np.bincount(rng.permutation(group), weights=accepted) / size
            extreme += rates > observed
        result.append(extreme / permutations)
    return np.array(result)


def best(make, repeats: int) -> float:
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        make()
        times.append(time.perf_counter() - started)
    return min(times)


def whole_command(path: Path, folder: str, *more: str) -> tuple[float, float]:
    words = [sys.executable, "-m", "evenhand", "measure", "an2024", str(path), "--quiet", "--force", *more]
    started = time.perf_counter()
    process = subprocess.Popen([*words, "--out", f"{folder}/run"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"evenhand measure ended with {status}.")
    return time.perf_counter() - started, usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--permutations", type=int, default=5000)
    permutations = parser.parse_args().permutations
    frame = decisions(ROLES)
    own = best(lambda: exact(frame), 7)
    started = time.perf_counter()
    shuffled(frame, permutations)
    naive = time.perf_counter() - started
    print(f"{frame.height:,} decisions, 6 groups x {ROLES} roles, combined")
    print(f"  closed form {own:.4f} s, {permutations:,} shuffles {naive:.1f} s: {naive / own:,.0f} times")
    rng = Random(2)
    texts = pl.Series([letter(("accept", "reject", "none")[n % 3], "test", rng) for n in range(EMAILS)])
    known = pl.Series([names()["name"][n % 300] for n in range(EMAILS)])
    shipped()
    seconds = best(lambda: shipped().decide(texts, known), 3)
    length = sum(map(len, texts)) / EMAILS
    print(
        f"classifier: {EMAILS / seconds:,.0f} e-mails/s of {length:.0f} characters (POLARS_MAX_THREADS=1 for one core)"
    )
    with tempfile.TemporaryDirectory() as folder:
        full = decisions(ROLES + 1).with_columns(answer=pl.lit(None, pl.String))
        for suffix in ("parquet", "jsonl"):
            path = Path(folder) / f"answers.{suffix}"
            full.write_parquet(path) if suffix == "parquet" else full.write_ndjson(path)
            for more in (("--no-report",), ()):
                seconds, peak = whole_command(path, folder, *more)
                words = "without report" if more else "with report"
                print(f"measure an2024, {full.height:,} rows, {suffix}, {words}: {seconds:.2f} s, {peak:,.0f} MB")


if __name__ == "__main__":
    main()
