"""Count ProPublica's COMPAS table: people by race, decile score and whether they reoffended within two years.

    python scripts/count_compas.py compas-scores-two-years.csv

The file is that of github.com/propublica/compas-analysis. Written are counts only, to
src/evenhand/data/compas_2016.csv; its sha256 and row count belong into SOURCES.toml beside it.
"""

import sys
from pathlib import Path

import polars as pl

OUT = Path(__file__).parents[1] / "src" / "evenhand" / "hiring" / "compas_2016.csv"


def main(source: str) -> None:
    """Write the counts, sorted."""
    people = pl.read_csv(source, infer_schema=False)
    counted = people.group_by(
        "race", pl.col("decile_score").cast(pl.Int64), pl.col("two_year_recid").alias("reoffended")
    ).len("people")
    (
        counted.with_columns(pl.col("reoffended").replace({"1": "yes", "0": "no"}))
        .select("race", "decile_score", "reoffended", "people")
        .sort("race", "decile_score", "reoffended")
        .write_csv(OUT)
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
