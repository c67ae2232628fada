"""Small outcomes tables whose findings can be computed by hand."""

from dataclasses import replace

import polars as pl

from evenhand.probes import PROBES
from evenhand.results.schemas import STATUS, conform_outcomes

DECLARED = PROBES["hiring-an"].measured


def outcomes(rows):
    """Return outcomes of dicts with gender, accepted, and optional item, unit, status, …"""
    full = []
    for number, row in enumerate(rows):
        accepted = row.get("accepted")
        full.append(
            {
                "item": row.get("item", str(number)),
                "unit": row.get("unit", row.get("item", str(number))),
                "attempt": row.get("attempt", 0),
                "successes": accepted,
                "trials": None if accepted is None else 1,
                "status": row.get("status", "missing" if accepted is None else "observed"),
                "protected.gender": row["gender"],
                "protected.race": row.get("race", "white"),
                "context.name": row.get("name", f"{row['gender']} {number % 7}"),
                "context.role": row.get("role", f"role {number % 5}"),
                "context.masculinity": row.get("masculinity", (number % 5) / 4),
                "context.qualification": row.get("qualification", "high"),
                "context.template": row.get("template", "0"),
            }
        )
    frame = pl.DataFrame(full, infer_schema_length=None)
    return conform_outcomes(frame.with_columns(pl.col("status").cast(STATUS))).lazy()


def declared(**changes):
    """Return HiringAn's measures with changes."""
    return replace(DECLARED, **changes)
