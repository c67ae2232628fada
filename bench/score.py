"""Reading 10,000 scores and measuring them: under 2 seconds after start is asked for.

    python bench/score.py [--rounds 3]

The answers are a simulated model's, a third each of plain numbers, rubrics and JSON objects. Prints the best round's
CPU seconds and seconds by the clock of reading and of measuring, and exits with 1 above 2 seconds of both together.
"""

import argparse
import sys
import time
from random import Random

import polars as pl

from evenhand.comparisons.measure import measure_outcomes
from evenhand.probes import PROBES
from evenhand.probes.probe import shuffled_indices

SCORES = 10_000
LIMIT = 2.0


def answered() -> pl.DataFrame:
    probe = PROBES["resume-score"]
    design = probe.designs["extended"]
    asked = design.stimuli(shuffled_indices(design.size, SCORES, seed=0, block=design.block))
    texts = [probe.respond(row, "masculine", 1.0, Random(row["index"])) for row in asked.iter_rows(named=True)]
    return asked.with_columns(
        pl.Series("text", texts),
        pl.lit("stop").alias("finish_reason"),
        pl.lit(None, pl.String).alias("error_class"),
        pl.lit(0, pl.Int32).alias("attempt"),
        pl.lit(None, pl.Datetime("us", "UTC")).alias("time"),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    answers, probe = answered(), PROBES["resume-score"]
    found = []
    for _ in range(rounds):
        marks = [(time.process_time(), time.perf_counter())]
        outcomes = probe.read(answers).outcomes
        marks.append((time.process_time(), time.perf_counter()))
        findings = measure_outcomes(outcomes.lazy(), probe.measured, seed=0)
        marks.append((time.process_time(), time.perf_counter()))
        found.append([marks[k + 1][clock] - marks[k][clock] for clock in (0, 1) for k in (0, 1)])
    best = min(found, key=lambda each: each[0] + each[1])
    print(f"{SCORES:,} scores, {len(findings)} findings")
    print(f"reading   {best[0]:.2f} s of CPU, {best[2]:.2f} s")
    print(f"measuring {best[1]:.2f} s of CPU, {best[3]:.2f} s")
    return int(best[0] + best[1] > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
