"""The tables of New York Local Law 144: selection or scoring rates and impact ratios, without a verdict."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand.errors import InputError
from evenhand.findings.impact.cells import GroupCells, cells_of
from evenhand.stats import impact_ratio
from evenhand.tables.impact_files import LL144
from evenhand.tables.messages.quoting import listed

__all__ = ["SMALLEST_SHARE", "RequiredAttributes", "ll144_rows", "required_attributes"]

Ints = NDArray[np.int64]

#: 6 RCNY 5-301(d): a category below this share of the data may be left out of the impact ratios.
SMALLEST_SHARE = 0.02
UNKNOWN = "unknown"
SEX_NAMES = ("sex", "gender")
RACE_NAMES = ("race", "ethnicity")


@dataclass(frozen=True, kw_only=True)
class RequiredAttributes:
    """The columns that hold sex and race or ethnicity."""

    sex: str
    race: str

    @property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        """Return the attributes of the three tables that the rule asks for."""
        return (self.sex,), (self.race,), (self.sex, self.race)


def required_attributes(attributes: Sequence[str]) -> RequiredAttributes:
    """Return which attributes are sex and race or ethnicity, by their names.

    Raises
    ------
    InputError
        One of the two is missing, or several fit.

    >>> required_attributes(["gender", "race_ethnicity"]).race
    'race_ethnicity'
    """
    found = []
    for what, names in (("sex", SEX_NAMES), ("race or ethnicity", RACE_NAMES)):
        fitting = [
            name for name in attributes if any(word in name.casefold().replace("-", "_").split("_") for word in names)
        ]
        if len(fitting) != 1:
            told = "none does" if not fitting else f"{' and '.join(fitting)} do"
            message = (
                f"--ll144 needs one column of --protected for {what} (a name with {' or '.join(names)}); {told}. "
                f"Given: {listed(attributes)}."
            )
            raise InputError(message)
        found.append(fitting[0])
    return RequiredAttributes(sex=found[0], race=found[1])


def ll144_rows(counts: pl.DataFrame, required: RequiredAttributes, *, exclude: bool) -> pl.DataFrame:
    """Return the rows of ll144.csv from joint counts of one approach and cut-off.

    The impact ratio is a category's rate over the highest rate. With `exclude`, categories of
    less than 2 % of the data used get no ratio and are no reference; their count and rate
    stand. People whose category is not known are one row per attribute, and are in no rate.
    `share` is of all rows used, the unknown ones included.
    """
    rows: list[dict[str, object]] = []
    for attributes in required.tables:
        cells = cells_of(counts, attributes, by_position=False)
        if cells.keys.height:
            rows += _table(cells, exclude=exclude)
    return pl.DataFrame(rows, schema=LL144, orient="row")


def _table(cells: GroupCells, *, exclude: bool) -> list[dict[str, object]]:
    n, selected, rates = cells.n[0], cells.selected[0], cells.rates[0]
    used = int(n.sum() + cells.unknown[0, 0])
    excluded = np.array([exclude and 100 * int(count) < round(100 * SMALLEST_SHARE) * used for count in n], dtype=bool)
    candidates = [place for place in range(n.size) if not excluded[place] and n[place]]
    best = max(candidates, key=lambda place: rates[place], default=None)
    rows: list[dict[str, object]] = [
        {
            "attribute": cells.name,
            "category": label,
            "n": int(n[place]),
            "selected": int(selected[place]),
            "rate": float(rates[place]),
            "impact_ratio": None if excluded[place] or best is None else _ratio(n, selected, place, best),
            "share": int(n[place]) / used,
            "excluded": bool(excluded[place]),
        }
        for place, label in enumerate(cells.labels)
    ]
    unknown, chosen = (int(value) for value in cells.unknown[0])
    rows.append(
        {
            "attribute": cells.name,
            "category": UNKNOWN,
            "n": unknown,
            "selected": chosen,
            "rate": None,
            "impact_ratio": None,
            "share": unknown / used if used else None,
            "excluded": False,
        }
    )
    return rows


def _ratio(n: Ints, selected: Ints, focal: int, reference: int) -> float | None:
    """Return the ratio of two rates, divided once, so that 4/100 over 5/100 is 0.8."""
    found: float | None = impact_ratio(
        int(selected[focal]), int(n[focal]), int(selected[reference]), int(n[reference])
    ).estimate
    return found
