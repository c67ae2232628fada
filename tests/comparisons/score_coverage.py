"""How often the 95 % intervals of score differences hold the truth, over simulated audits with known shifts.

    python tests/comparisons/score_coverage.py [AUDITS]

Each audit scores the prompts of the matched design of resume-score, or a sample: a mean, an effect of each name and of
each résumé, what a résumé does to men, and noise; men get 2 points more, Black names 3 less. Prints the table that
stands in docs/coverage.md.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context

import numpy as np
import polars as pl

from evenhand.comparisons.measure import everyone_of
from evenhand.comparisons.scores import score_difference
from evenhand.comparisons.units import Draw
from evenhand.probes import PROBES
from evenhand.probes.probe import shuffled_indices
from evenhand.results.measures import Contrast
from evenhand.results.schemas import STATUS, conform_outcomes

PROBE = PROBES["resume-score"]
DESIGN = PROBE.designs["matched"]
SHIFTS = {"diff_score": 2.0, "diff_score_black": -3.0}
WITHIN = "diff_score among Asian names"


@dataclass(frozen=True, kw_only=True)
class Case:
    """Standard deviations of what names, résumés, résumés to men, and chance add; and how many prompts are asked."""

    label: str
    names: float
    resumes: float
    resumes_of_men: float
    noise: float
    sample: int = DESIGN.size
    bounds: tuple[float, float] = (0.935, 0.965)


CASES = (
    Case(label="names and résumés", names=0.8, resumes=15.0, resumes_of_men=1.0, noise=3.0),
    Case(label="names", names=2.0, resumes=15.0, resumes_of_men=0.0, noise=3.0),
    Case(label="résumés", names=0.0, resumes=15.0, resumes_of_men=3.0, noise=3.0, bounds=(0.935, 0.98)),
    # Where nothing but chance varies, the larger of both one-way variances is more than enough.
    Case(label="chance alone", names=0.0, resumes=0.0, resumes_of_men=0.0, noise=5.0, bounds=(0.935, 0.995)),
    Case(
        label="a fifth of the prompts",
        names=0.8,
        resumes=15.0,
        resumes_of_men=1.0,
        noise=3.0,
        sample=800,
        bounds=(0.935, 0.985),
    ),
)


@cache
def _laid_out():
    """Return the units of the whole design, and a code of name and résumé for each."""
    asked = DESIGN.stimuli(np.arange(DESIGN.size)).drop("prompt")
    columns = ("name", "resume", "position", "wording", "qualification", "zone")
    outcomes = conform_outcomes(
        asked.select(
            "item",
            "unit",
            pl.lit(0, pl.Int32).alias("attempt"),
            pl.lit("observed").cast(STATUS).alias("status"),
            pl.lit(0.0).alias("score"),
            pl.col("gender").alias("protected.gender"),
            pl.col("race").alias("protected.race"),
            *(pl.col(name).alias(f"context.{name}") for name in columns),
        )
    )
    units = everyone_of(outcomes.lazy(), PROBE.measured)
    return units, units.codes["name"], units.codes["resume"]


def audit(case: Case, seed: int) -> dict[str, bool]:
    """Return, per measure, whether the interval of one audit holds the truth."""
    rng = np.random.default_rng(seed)
    units, name, resume = _laid_out()
    male, black = units.where({"gender": "male"}), units.where({"race": "black"})
    score = (
        70.0
        + rng.normal(0, case.names, name.max() + 1)[name]
        + rng.normal(0, case.resumes, resume.max() + 1)[resume]
        + rng.normal(0, case.resumes_of_men, resume.max() + 1)[resume] * male
        + rng.normal(0, case.noise, len(units))
        + SHIFTS["diff_score"] * male
        + SHIFTS["diff_score_black"] * black
    )
    kept = np.zeros(len(units), dtype=bool)
    kept[shuffled_indices(len(units), case.sample, seed=seed, block=DESIGN.block)] = True
    units = replace(units, score=score, successes=score, trials=np.ones(len(units))).take(kept)
    wanted = {measure.name: (measure, {}) for measure in PROBE.measured.measures if isinstance(measure, Contrast)}
    wanted[WITHIN] = (wanted["diff_score"][0], {"race": "asian"})
    held = {}
    for label, (measure, where) in wanted.items():
        found = score_difference(units, measure, where, PROBE.measured, Draw(seed=seed, resamples=1, permutations=1))
        assert found.low is not None
        held[label] = bool(found.low <= SHIFTS.get(measure.name, 0.0) <= found.high)
    return held


def _audits(case: Case, seeds: range) -> list[dict[str, bool]]:
    return [audit(case, seed) for seed in seeds]


def coverage(audits: int, *, processes: int = 2) -> dict[str, dict[str, float]]:
    """Return the shares of audits whose interval held the truth, by case and measure."""
    found = {}
    # Threads of Polars do not survive a fork.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for number, case in enumerate(CASES):
            parts = [range(number * audits + start, (number + 1) * audits, 8) for start in range(8)]
            results = [held for part in pool.map(_audits, [case] * len(parts), parts) for held in part]
            found[case.label] = {label: float(np.mean([held[label] for held in results])) for label in results[0]}
    return found


def main(audits: int) -> None:
    """Print the table as Markdown."""
    found = coverage(audits)
    labels = list(next(iter(found.values())))
    print(f"| what varies | {' | '.join(labels)} |")
    print("|---|" + "---|" * len(labels))
    for case, shares in found.items():
        print(f"| {case} | {' | '.join(f'{shares[label]:.1%}' for label in labels)} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
