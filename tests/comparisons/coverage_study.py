"""How often the 95 % intervals hold the truth, over simulated audits with a known bias.

    python tests/comparisons/coverage_study.py [AUDITS]

Each audit draws its own prompts, lets the simulated model write its answers, reads them,
and measures. The truth is the measure over all 5,424,000 prompts with every answer
replaced by its probability. Prints the table that stands in docs/coverage.md.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from random import Random

import numpy as np
import polars as pl

from evenhand.comparisons.measure import measure_outcomes
from evenhand.data.lexicons.occupations import kennison_occupations
from evenhand.probes import PROBES
from evenhand.probes.hiring_an.respond import acceptance_probability
from evenhand.probes.probe import shuffled_indices

PROBE = PROBES["hiring-an"]
SAMPLE = 2_000
#: A model that prefers single names, not a gender: acceptance of a name varies by this standard deviation.
NAMES = "names"
CASES = (
    ("unbiased", 0.0),
    ("masculine", 0.1),
    ("masculine", 0.3),
    ("stereotyping", 0.1),
    ("stereotyping", 0.3),
    (NAMES, 0.25),
)
MEASURES = ("diff_acceptance_rate", "diff_regression")


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """Shares of audits whose interval held the truth; `robust` is the cluster-robust one."""

    kind: str
    strength: float
    measure: str
    truth: float
    audits: int
    bootstrap: float
    robust: float
    mean_width: float


def truths(kind: str, strength: float) -> dict[str, float]:
    """Return the measures of all prompts at once: instructions don't matter, and names are alike on average."""
    if kind == NAMES:
        kind, strength = "unbiased", 0.0
    masculinity = kennison_occupations()["masculinity"].to_numpy()
    rates, slopes = [], []
    for gender in ("male", "female"):
        p = np.vectorize(acceptance_probability)(kind, strength, gender, masculinity)
        rates.append(float(np.mean(p)))
        slopes.append(float(np.polyfit(masculinity, p, 1)[0]))
    return {"diff_acceptance_rate": rates[0] - rates[1], "diff_regression": slopes[0] - slopes[1]}


def simulated_outcomes(kind: str, strength: float, seed: int, *, sample: int = SAMPLE) -> pl.DataFrame:
    """Return the outcomes of one simulated audit: prompts, answers as text, readings."""
    if kind == NAMES:
        return _with_preferred_names(simulated_outcomes("unbiased", 0.0, seed, sample=sample), strength, seed)
    design = PROBE.designs["card"]
    stimuli = design.stimuli(shuffled_indices(design.size, sample, seed=seed))
    rows = stimuli.iter_rows(named=True)
    texts = [PROBE.respond(row, kind, strength, Random(f"{seed}/{row['index']}/0")) for row in rows]
    return PROBE.read(
        stimuli.with_columns(
            pl.Series("text", texts),
            pl.lit("stop").alias("finish_reason"),
            pl.lit(None, pl.String).alias("error_class"),
            pl.lit(0, pl.Int32).alias("attempt"),
            pl.lit(None, pl.Datetime("us", "UTC")).alias("time"),
        )
    ).outcomes


def _with_preferred_names(outcomes: pl.DataFrame, spread: float, seed: int) -> pl.DataFrame:
    """Return outcomes decided by a rate of each name's own, around one half."""
    rng = np.random.default_rng(seed)
    names = outcomes["context.name"].unique().sort()
    own = pl.DataFrame({"context.name": names, "p": np.clip(rng.normal(0.5, spread, len(names)), 0.0, 1.0)})
    with_rate = outcomes.with_columns(pl.col("context.name").cast(pl.String)).join(
        own.with_columns(pl.col("context.name").cast(pl.String)), on="context.name", how="left", maintain_order="left"
    )
    decided = pl.Series("decided", rng.random(len(outcomes))) < with_rate["p"]
    return outcomes.with_columns(
        pl.when(pl.col("successes").is_not_null()).then(decided.cast(outcomes.schema["successes"])).alias("successes")
    )


@cache
def _declared():
    return replace(PROBE.measured, slices=(), instruction=None)


def audit(case: tuple[str, float, int]) -> dict[str, tuple[bool, bool, float]]:
    """Return, per measure, whether the two intervals of one audit hold the truth, and the width."""
    kind, strength, seed = case
    outcomes = simulated_outcomes(kind, strength, seed).lazy()
    findings = {row.name: row for row in measure_outcomes(outcomes, _declared(), seed=seed, permutations=19)}
    result = {}
    for name, truth in truths(kind, strength).items():
        row = findings[name]
        (bootstrap,) = row.alternatives
        result[name] = (
            bootstrap.low <= truth <= bootstrap.high,
            row.low <= truth <= row.high,
            row.high - row.low,
        )
    return result


def coverage(audits: int, *, processes: int = 2) -> list[Coverage]:
    """Return the coverage of every case and measure."""
    rows = []
    with ProcessPoolExecutor(processes) as pool:
        for number, (kind, strength) in enumerate(CASES):
            cases = [(kind, strength, 1 + number * audits + place) for place in range(audits)]
            results = list(pool.map(audit, cases, chunksize=10))
            for measure in MEASURES:
                found = np.array([result[measure] for result in results], dtype=float)
                rows.append(
                    Coverage(
                        kind=kind,
                        strength=strength,
                        measure=measure,
                        truth=truths(kind, strength)[measure],
                        audits=audits,
                        bootstrap=float(found[:, 0].mean()),
                        robust=float(found[:, 1].mean()),
                        mean_width=float(found[:, 2].mean()),
                    )
                )
    return rows


def main(audits: int) -> None:
    """Print the table as Markdown."""
    print(f"{audits:,} audits per row, {SAMPLE:,} prompts each, {datetime.now(UTC):%Y-%m-%d}.\n")
    print("| simulated model | strength | measure | true value | item bootstrap | cluster-robust | mean width |")
    print("|---|---|---|---|---|---|---|")
    for row in coverage(audits):
        print(
            f"| {row.kind} | {row.strength:g} | {row.measure} | {row.truth:.4f} | {row.bootstrap:.1%} "
            f"| {row.robust:.1%} | {row.mean_width:.3f} |"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
