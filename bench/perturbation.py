"""The analysis of scored pairs: outcomes to findings and perturb.csv, seconds and peak memory, on one core.

    python bench/perturbation.py [--pairs 100000] [--positions 20] [--repeats 3]

Each pair of matched names is scored in an arm of either gender and in two placebo arms: four scores a pair, two
comparisons of placebos and one of genders, over all positions and in each.
"""

import argparse
import resource
import time

import numpy as np
import polars as pl

from evenhand.comparisons.perturbation import Judging, margin_of, perturb_table, perturbation_findings
from evenhand.results.schemas import STATUS, conform_outcomes
from evenhand.results.score_audit import ArmComparison, Experiment

NAMES = 10
ARMS = ("names female", "names male", "other names female", "other names male")


def experiment() -> Experiment:
    def compared(kind, group, reference, arm, against):
        return ArmComparison(
            kind=kind,
            own=None,
            group=(group,),
            reference=(reference,),
            arm=ARMS[arm],
            against=ARMS[against],
        )

    return Experiment(
        by=("gender",),
        groups=(("male",), ("female",)),
        compared=(
            compared("name", "female", "male", 0, 1),
            compared("placebo", "female", "female", 2, 0),
            compared("placebo", "male", "male", 3, 1),
        ),
    )


def outcomes(pairs: int, positions: int) -> pl.DataFrame:
    people = pairs // (positions * NAMES)
    shape = (people, positions, NAMES, len(ARMS))
    rng = np.random.default_rng(1)
    values = rng.normal(0, 1, shape) + rng.normal(0, 1, (people, 1, 1, 1)) + rng.normal(0, 0.1, (1, 1, *shape[2:]))
    person, position, name, arm = (each.ravel() for each in np.indices(shape))
    texts = np.array(ARMS)[arm]
    return conform_outcomes(
        pl.DataFrame({"person": person, "position": position, "name": name, "arm": texts, "score": values.ravel()})
        .with_columns(pl.format("r{}", "person").alias("item"), pl.format("job {}", "position").alias("position"))
        .select(
            "item",
            pl.format("{}/{}/{}/{}", "item", "position", "arm", "name").alias("unit"),
            pl.format("{}/{}", "item", "position").alias("set"),
            pl.format("{}/{}/{}", "item", "position", "name").alias("pair"),
            "arm",
            pl.lit(0, pl.Int32).alias("attempt"),
            "score",
            pl.lit("observed").cast(STATUS).alias("status"),
            pl.col("item").alias("context.person"),
            pl.col("position").alias("context.position"),
            pl.format("{} {}", "arm", "name").alias("context.name"),
            pl.lit(None, pl.String).alias("context.own"),
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    table = outcomes(args.pairs, args.positions)
    own, judging = experiment(), Judging(margin=margin_of("0.2sd"))
    best, rows = float("inf"), 0
    for _ in range(args.repeats):
        started = time.perf_counter()
        found = perturbation_findings(table.lazy(), own, judging, seed=0, permutations=999, confidence=0.95)
        rows = perturb_table(found).height
        best = min(best, time.perf_counter() - started)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{args.pairs:,} pairs in each of {len(own.compared)} comparisons ({table.height:,} scores), {rows} rows of "
        f"perturb.csv: {best:.2f} s, {peak:,.0f} MB (best of {args.repeats})"
    )


if __name__ == "__main__":
    main()
