"""Impact ratios of the counts that are told, with their intervals, as `evenhand impact` computes them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from evenhand.dashboard.cube.cells import NOT_KNOWN
from evenhand.dashboard.cube.shown import ShownCell
from evenhand.findings.impact.cells import cells_of
from evenhand.findings.impact.references import References
from evenhand.findings.impact.rows import group_rows
from evenhand.tables.impact_files import COUNTS, CROSSED, SELECTED
from evenhand.tables.schemas import PROTECTED

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
    rows = list(_counted(cells, crossed))
    if not rows or not crossed:
        return []
    types = COUNTS | {PROTECTED + name: pl.String() for name in crossed}
    counted = cells_of(pl.DataFrame(rows, schema=types), crossed, by_position=True)
    found = group_rows(counted, References()).filter((pl.col("position") != "") == any(each.value for each in cells))
    stages = {stage: place for place, stage in enumerate(dict.fromkeys(each.stage for each in cells))}
    told = [
        Ratio(
            stage=row["stage"],
            value=row["position"],
            group=row["focal"].replace(CROSSED, joined),
            reference=None if row["reference"] is None else row["reference"].replace(CROSSED, joined),
            rate=row["rate_focal"],
            rate_reference=row["rate_reference"],
            estimate=row["impact_ratio"],
            low=row["ir_low"],
            high=row["ir_high"],
            p=row["p_adjusted"],
            reason=row["reason"],
        )
        for row in found.iter_rows(named=True)
        if row["n_focal"]
    ]
    return sorted(told, key=lambda each: stages[each.stage])


def _counted(cells: Sequence[ShownCell], crossed: Sequence[str]) -> Iterator[dict[str, object]]:
    for each in cells:
        if each.decided.number and each.selected.number is not None:
            groups = (None if group == NOT_KNOWN else group for group in each.groups)
            yield {
                "approach": SELECTED,
                "cutoff": None,
                "stage": each.stage,
                "position": each.value or None,
                "n": each.decided.number,
                "successes": each.selected.number,
                **dict(zip((PROTECTED + name for name in crossed), groups, strict=True)),
            }
