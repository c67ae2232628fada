"""Groups compared with all of them together: over all rows, and cut by one column at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.tables.finding import Finding
from evenhand.tables.grouped.keys import by_key
from evenhand.tables.grouped.names import (
    AGAINST_POPULATION,
    DETECTABLE_DIFFERENCE,
    HETEROGENEITY,
    INTERACTION,
    MAX_DIFFERENCE,
    UNDETECTED_ATTEMPTS,
    VALIDITY_DIFFERENCE,
)

__all__ = ["Cut", "Population", "population_of"]


@dataclass(frozen=True, kw_only=True)
class Cut:
    """The groups at each level of a column; all rows are one level, "", of the column "".

    `widest` are the widest gaps, `changes` whether a group's difference to all changes with the level.
    """

    column: str
    cells: tuple[Finding, ...]
    widest: tuple[Finding, ...]
    changes: tuple[Finding, ...]

    @property
    def levels(self) -> list[str]:
        """Return the levels, in the order of the findings."""
        return list(dict.fromkeys(self.level(each) for each in self.cells))

    def level(self, finding: Finding) -> str:
        """Return the level that a finding is of."""
        return finding.slice.get(self.column, "")


@dataclass(frozen=True, kw_only=True)
class Population:
    """The findings on groups against all; `groups` are all of them.

    `cuts` stand by column, all rows under "". `stated` are the shares of unreadable answers,
    `validity` compares groups in it.
    """

    groups: tuple[Mapping[str, str], ...]
    cuts: Mapping[str, Cut]
    interactions: tuple[Finding, ...]
    detectable: tuple[Finding, ...]
    stated: tuple[Finding, ...]
    validity: tuple[Finding, ...]

    @property
    def whole(self) -> Cut:
        """Return the groups over all rows."""
        return self.cuts.get("", Cut(column="", cells=(), widest=(), changes=()))


def population_of(findings: Sequence[Finding]) -> Population | None:
    """Return the findings on groups against all; None without any."""
    against = [each for each in findings if each.measure == AGAINST_POPULATION]
    if not against:
        return None
    cells = by_key(lambda each: tuple(each.slice), against)
    widest = by_key(lambda each: tuple(each.slice), [each for each in findings if each.measure == MAX_DIFFERENCE])
    changes = by_key(
        lambda each: each.measure.removesuffix(HETEROGENEITY),
        [each for each in findings if each.measure.endswith(HETEROGENEITY)],
    )
    cuts = {
        "".join(columns): Cut(
            column="".join(columns),
            cells=own,
            widest=widest.get(columns, ()),
            changes=changes.get("".join(columns), ()),
        )
        for columns, own in cells.items()
        if len(columns) < 2
    }
    return Population(
        groups=tuple(dict(items) for items in dict.fromkeys(tuple(each.focal.items()) for each in against)),
        cuts=cuts,
        interactions=tuple(each for each in findings if each.measure.endswith(INTERACTION)),
        detectable=tuple(each for each in findings if each.measure == DETECTABLE_DIFFERENCE),
        stated=tuple(each for each in findings if each.measure == UNDETECTED_ATTEMPTS and len(each.focal) > 1),
        validity=tuple(each for each in findings if each.measure == VALIDITY_DIFFERENCE),
    )
