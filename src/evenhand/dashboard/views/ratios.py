"""Impact ratios of the counts that are told, with their intervals, as `evenhand impact` computes them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from evenhand.dashboard.cube.cells import NOT_KNOWN
from evenhand.dashboard.cube.shown import ShownCell
from evenhand.findings.impact.cells import KEYS, GroupCells
from evenhand.findings.impact.references import References
from evenhand.findings.impact.rows import group_ratios
from evenhand.tables.impact_files import SELECTED, WHOLE

__all__ = ["Ratio", "ratios"]

#: A difference is told where its p, adjusted over the groups, is less.
LEVEL = 0.05


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """A group's selection rate over that of the group with the highest, with its 95 % confidence interval.

    `reason` says why a number is None; `detected`, whether the difference is statistically significant.
    """

    stage: str
    value: str
    group: str
    reference: str | None
    rate: float | None
    rate_reference: float | None
    estimate: float | None
    low: float | None
    high: float | None
    p: float | None
    reason: str | None

    @property
    def detected(self) -> bool:
        """Return whether the difference is statistically significant, adjusted over the groups."""
        return self.p is not None and self.p < LEVEL


def ratios(cells: Sequence[ShownCell], crossed: Sequence[str], *, joined: str) -> list[Ratio]:
    """Return the ratio of each group at each stage and value, of the cells whose counts are both told.

    People are taken as independent. Groups of several attributes are named with `joined` between.
    """
    known = [each for each in cells if each.decided.number and NOT_KNOWN not in each.groups]
    known = [each for each in known if each.selected.number is not None]
    if not known or not crossed:
        return []
    counted = _counted(known, crossed)
    found = group_ratios(counted, References())
    places = [(stage, value) for stage, value in counted.keys.select("stage", "position").iter_rows()]
    names = [joined.join(group) for group in counted.groups]
    rates = counted.rates
    told = []
    for at, (cell, focal, reference) in enumerate(zip(found.cell, found.focal, found.reference, strict=True)):
        if counted.n[cell, focal] and (places[cell][1] != WHOLE) == bool(known[0].value):
            numbers = (found.estimate[at], found.low[at], found.high[at], found.p_adjusted[at])
            estimate, low, high, p = (float(each) if np.isfinite(each) else None for each in numbers)
            told.append(
                Ratio(
                    stage=places[cell][0],
                    value=places[cell][1],
                    group=names[focal],
                    reference=names[reference] if reference >= 0 else None,
                    rate=float(rates[cell, focal]),
                    rate_reference=float(rates[cell, reference]) if reference >= 0 else None,
                    estimate=estimate,
                    low=low,
                    high=high,
                    p=p,
                    reason=str(found.reason[at]) or None,
                )
            )
    return told


def _counted(known: Sequence[ShownCell], crossed: Sequence[str]) -> GroupCells:
    """Return the cells as matrices: all people of each stage, and then those of each value of a breakdown."""
    stages = list(dict.fromkeys(each.stage for each in known))
    keys = [(stage, WHOLE) for stage in stages]
    keys += dict.fromkeys((each.stage, each.value) for each in known if each.value)
    groups = sorted({each.groups for each in known})
    rows, columns = ({key: at for at, key in enumerate(names)} for names in (keys, groups))
    n, selected = (np.zeros((len(keys), len(groups)), dtype=np.int64) for _ in range(2))
    for each in known:
        for key in {(each.stage, WHOLE), (each.stage, each.value)}:
            n[rows[key], columns[each.groups]] += each.decided.number or 0
            selected[rows[key], columns[each.groups]] += each.selected.number or 0
    frame = pl.DataFrame(keys, schema={"stage": pl.String, "position": pl.String}, orient="row")
    return GroupCells(
        attributes=tuple(crossed),
        keys=frame.with_columns(approach=pl.lit(SELECTED), cutoff=pl.lit(None, pl.Float64)).select(KEYS),
        groups=tuple(groups),
        n=n,
        selected=selected,
        unknown=np.zeros((len(keys), 2), dtype=np.int64),
    )
