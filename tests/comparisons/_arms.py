"""Outcomes of simulated scorers in arms by gender, with effects that are known."""

import numpy as np
import polars as pl

from evenhand.results.schemas import STATUS, conform_outcomes
from evenhand.results.score_audit import ArmComparison, Experiment

GENDERS = ("female", "male")


def experiment(*, reference="male", owns=(None,), left_out=()):
    """Return names of two genders held against each other, and a placebo of each."""
    groups = ((reference,), *((each,) for each in GENDERS if each != reference))
    compared = [
        ArmComparison(
            kind="name",
            own=own,
            group=groups[1],
            reference=groups[0],
            arm=f"names {groups[1][0]}",
            against=f"names {groups[0][0]}",
        )
        for own in owns
    ]
    compared += [
        ArmComparison(
            kind="placebo",
            own=own,
            group=(gender,),
            reference=(gender,),
            arm=f"other names {gender}",
            against=f"names {gender}",
        )
        for own in owns
        for gender in ((own,) if own else GENDERS)
    ]
    return Experiment(by=("gender",), groups=groups, compared=tuple(compared), left_out=tuple(left_out))


ARMS = {
    "names female": ("female", 0),
    "names male": ("male", 0),
    "other names female": ("female", 1),
    "other names male": ("male", 1),
}


def scores(seed, *, people=50, positions=4, names=10, effect=0.0, person_sd=1.0, name_sd=0.1, moved_sd=0.2, noise=0.3):
    """Return (person, position, name, arm) scores.

    People and positions differ, names have a part of their own (matched ones none in common), each person moves by
    chance with the gender (`moved_sd`), and every score has noise. `effect` is female less male.
    """
    rng = np.random.default_rng(seed)
    base = rng.normal(0, person_sd, (people, 1, 1, 1)) + rng.normal(0, 0.5, (1, positions, 1, 1))
    female = np.array([gender == "female" for gender, _ in ARMS.values()], dtype=float)
    moved = (effect + rng.normal(0, moved_sd, (people, 1, 1, 1))) * (female - 0.5)
    own = rng.normal(0, name_sd, (1, 1, names, len(ARMS)))
    return base + moved + own + rng.normal(0, noise, (people, positions, names, len(ARMS)))


def outcomes_of(values, *, owns=None, arms=tuple(ARMS), status=None, ranks=False):
    """Return outcomes of (person, position, name, arm) scores; NaN is an error."""
    people = len(values)
    person, position, name, arm = (each.ravel() for each in np.indices(values.shape))
    genders = np.array([gender for gender, _ in ARMS.values()])
    halves = np.array([half for _, half in ARMS.values()])
    frame = pl.DataFrame({"person": person, "position": position, "name": name, "arm": arm})
    frame = frame.with_columns(
        pl.format("r{}", "person").alias("item"),
        pl.format("job {}", "position").alias("context.position"),
        pl.Series("protected.gender", genders[arm]),
        pl.format("{} {} {}", pl.Series(genders[arm]), pl.Series(halves[arm]), "name").alias("context.name"),
        pl.Series("label", np.array(list(ARMS))[arm]),
        pl.Series("score", values.ravel()).fill_nan(None),
        pl.Series("context.own", [None] * people if owns is None else list(owns), dtype=pl.String)
        .gather(person)
        .alias("context.own"),
    )
    observed = pl.col("score").is_not_null()
    frame = frame.select(
        "item",
        pl.format("{}/{}/{}/{}", "item", "context.position", "label", "name").alias("unit"),
        pl.format("{}/{}", "item", "context.position").alias("set"),
        pl.lit(0, pl.Int32).alias("attempt"),
        pl.format("{}/{}/{}", "item", "context.position", "name").alias("pair"),
        pl.col("label").alias("arm"),
        *(
            [pl.lit(None, pl.Float64).alias("score"), pl.col("score").cast(pl.Int16).alias("rank")]
            if ranks
            else ["score"]
        ),
        pl.when(observed).then(pl.lit("observed")).otherwise(pl.lit(status or "error")).cast(STATUS).alias("status"),
        "protected.gender",
        pl.col("item").alias("context.person"),
        "context.position",
        "context.name",
        "context.own",
    ).filter(pl.col("arm").is_in(arms))
    return conform_outcomes(frame)
