"""Restate the résumés of Bertrand and Mullainathan (2004) as our own table: what was sent, and who was called back.

    python scripts/restate_callbacks.py bertrand_mullainathan_2004.csv

The file has a row per résumé of the public replication data. Written is src/evenhand/data/bertrand_2004.csv; its
sha256 and row count belong into SOURCES.toml beside it.
"""

import sys
from pathlib import Path

import polars as pl

OUT = Path(__file__).parents[1] / "src" / "evenhand" / "hiring" / "bertrand_2004.csv"
COLUMNS = (
    *("ad", "city", "job_type", "first_name", "race", "gender", "called_back", "quality"),
    *("years_experience", "years_college", "honors", "computer_skills", "special_skills"),
    *("volunteer", "military", "employment_holes", "email"),
)


def main(source: str) -> None:
    """Write the table, by advertisement and name."""
    rows = pl.read_csv(source).select(COLUMNS)
    rows.with_columns(
        pl.col("job_type").str.replace("_", " "),
        pl.col("gender").replace({"f": "female", "m": "male"}),
        pl.col("called_back").replace_strict({1: "yes", 0: "no"}),
    ).sort(*COLUMNS).write_csv(OUT)


if __name__ == "__main__":
    main(*sys.argv[1:])
