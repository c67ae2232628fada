"""How often the tests of a study of scores reject where nothing differs, and how often they find what does.

    python tests/comparisons/study_coverage.py [STUDIES]

Prints the tables that stand in docs/coverage.md. A study has 11 models, 17 jobs and 5 runs. Six levels of the arm and
seven of the placebo each move the score of a model's item by their own draw, or (`shared`) that of a model in all jobs.
"""

import sys
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from evenhand.comparisons.study import StudyDesign, study_findings

MODELS, JOBS, RUNS = 11, 17, 5
LEVELS = {"name": tuple("abcdef"), "placebo": tuple("tuvwxyz")}
DESIGN = StudyDesign(
    arms=LEVELS, placebo=("placebo",), baseline=None, references={"name": "a"}, unit=None, clusters=("job",)
)


@dataclass(frozen=True, kw_only=True)
class Case:
    """A kind of study, and between which shares its test of the floor may reject."""

    label: str
    arm: float = 0.2
    placebo: float = 0.2
    noise: float = 0.5
    whole: bool = False
    models: int = MODELS
    jobs: int = JOBS
    runs: int = RUNS
    job_sd: float = 0.0
    shared: bool = False
    bounds: tuple[float, float] = (0.03, 0.07)


CASES = (
    Case(label="no effect of either"),
    Case(label="SD of .2 each"),
    Case(label="SD of .3 each, whole scores from 1 to 10", arm=0.3, placebo=0.3, whole=True),
    Case(label="SD of .2 each, jobs differ in how much", job_sd=0.5),
    Case(label="SD of .3 each, one model", arm=0.3, placebo=0.3, models=1, bounds=(0.025, 0.07)),
    Case(label="SD of .3 each, 2 runs", arm=0.3, placebo=0.3, runs=2),
    Case(label="variance of .5 times the arm's", placebo=0.2 / 2**0.5, bounds=(0.8, 1.0)),
    Case(label="placebo does nothing", placebo=0.0, bounds=(0.8, 1.0)),
    Case(label="SD of .2 each, of a level in all jobs", shared=True, bounds=(0.0, 1.0)),
)
CASES = (replace(CASES[0], arm=0.0, placebo=0.0), *CASES[1:])


def study(case: Case, seed: int) -> pl.DataFrame:
    """Return the rows of a simulated study."""
    rng = np.random.default_rng((seed, *case.label.encode()))
    middle = rng.normal(5.0, 1.5, (case.models, case.jobs, 1, 1))
    scale = np.exp(case.job_sd * rng.normal(size=(1, case.jobs, 1)))
    frames = []
    for arm, sd in (("name", case.arm), ("placebo", case.placebo)):
        shape = (case.models, 1 if case.shared else case.jobs, len(LEVELS[arm]))
        moved = np.broadcast_to(sd * rng.normal(size=shape), (case.models, case.jobs, shape[2])) * scale
        score = middle + moved[..., None] + case.noise * rng.normal(size=(*moved.shape, case.runs))
        model, job, level, _ = np.indices(score.shape).reshape(4, -1)
        frames.append(
            pl.DataFrame(
                {
                    "unit": model.astype(str),
                    "item_0": job.astype(str),
                    "level": np.array(LEVELS[arm])[level],
                    "score": np.clip(np.round(score), 1, 10).ravel() if case.whole else score.ravel(),
                }
            ).with_columns(arm=pl.lit(arm), name=pl.lit(""))
        )
    return pl.concat(frames)


def rejected(case: Case, studies: int) -> dict[str, float]:
    """Return the share of studies in which each test rejects: of the floor, of the placebo alone, of one level."""
    names = {"floor": "name_floor_ratio", "placebo": "placebo_level_sd", "level": "name_b_a_score_difference"}
    counts = dict.fromkeys(names, 0)
    for seed in range(studies):
        p = {finding.name: finding.p for finding in study_findings(study(case, seed), DESIGN)}
        for test, name in names.items():
            counts[test] += p[name] < 0.05
    return {test: count / studies for test, count in counts.items()}


if __name__ == "__main__":
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print("| study | the floor | the placebo's variance is 0 | one level minus another |\n|---|---|---|---|")
    for each in CASES:
        shares = rejected(each, total)
        print(f"| {each.label} | {' | '.join(f'{100 * share:.1f} %' for share in shares.values())} |", flush=True)
