"""Small tables of choices whose findings can be counted by hand."""

import polars as pl

from evenhand.comparisons.measure import measure_outcomes
from evenhand.results.measures import Distance, MarkBands, MeasureSet, Over, Slice, Summary
from evenhand.results.schemas import conform_outcomes

ROLES = ("baker", "pilot")
DECLARED = MeasureSet(
    rate="masculine_rate",
    measures=(
        Summary(
            name="masculine_rate",
            statistic="rate",
            over=Over(column="role", weights={"baker": 0.5, "pilot": 0.5}, partial=True),
            null_value=0.5,
        ),
        Distance(name="disparity", of="masculine_rate", centre=0.5),
        Summary(
            name="stereotype_rate",
            statistic="rate",
            over=Over(column="role", weights={"pilot": 1.0, "baker": -1.0}),
            null_value=0.0,
        ),
        Summary(
            name="complete",
            statistic="rate",
            group={"mirrors": "both"},
            over=Over(column="role", weights={"baker": 0.5, "pilot": 0.5}, partial=True),
        ),
    ),
    headline=("masculine_rate", "stereotype_rate"),
    slices=(
        Slice(columns=("role",), prefix="{role}_", measures=("masculine_rate",)),
        Slice(columns=("role", "race"), prefix="{role}_{race}_", measures=("masculine_rate",)),
    ),
    groups=("race", "gender"),
    clusters=("name",),
    instruction=None,
    against=None,
    bands={
        "masculine_rate": MarkBands(centre=0.5, edges=(0.03, 0.08, 0.2, 0.5)),
        "disparity": MarkBands(centre=0.0, edges=(0.03, 0.08, 0.2, 0.5)),
        "stereotype_rate": MarkBands(centre=0.0, edges=(0.1, 0.3, 1.0, 2.0)),
    },
    order={"gender": ("male", "female"), "role": ROLES},
    choice={"gender": "male"},
)


def prompt(item, side, ranks, *, role="pilot", attempt=0, status="observed", genders="mfmf", races="wwww"):
    """Return the rows of one prompt; `ranks` by slot, None for a candidate that is not named."""
    return [
        {
            "item": item,
            "unit": f"{item}{side}/{slot}",
            "set": f"{item}{side}",
            "attempt": attempt,
            "successes": None if status != "observed" else int(rank == 1),
            "trials": None if status != "observed" else 1,
            "rank": rank,
            "status": status,
            "reading": "test",
            "protected.gender": {"m": "male", "f": "female"}[gender],
            "protected.race": {"w": "white", "b": "black"}[race],
            "context.name": f"{race}{gender}{slot}",
            "context.role": role,
            "context.slot": str(slot),
        }
        for slot, (rank, gender, race) in enumerate(zip(ranks, genders, races, strict=True), start=1)
    ]


def table(*prompts):
    return conform_outcomes(pl.DataFrame([row for rows in prompts for row in rows], infer_schema_length=None)).lazy()


def measured(*prompts):
    found = measure_outcomes(table(*prompts), DECLARED, seed=0, resamples=200, permutations=199)
    return {row.name: row for row in found}
