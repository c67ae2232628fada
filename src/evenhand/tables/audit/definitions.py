"""Rows of an analysis of applicants by what counts as a selection: the one place where they are grouped."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

from evenhand.tables.audit.shown import Agreement, Positions, Shown, SweepRate, ZCurve
from evenhand.tables.details import Bounds, ImpactRatio, MeanRatio
from evenhand.tables.finding import Finding
from evenhand.tables.impact_files import APPROACHES, BOTTOM_LINE

__all__ = ["Definition", "Grouped", "Selection", "View", "grouped", "of_shown"]

MEANS, POOLED = "means", "common_odds_ratio"
MEASURES = ("impact_ratio", "mean_ratio")
R = TypeVar("R")


class Definition(NamedTuple):
    """What counts as a selection: an approach, a cut-off of scores, and a stage ("" where there are none)."""

    approach: str
    cutoff: float | None
    stage: str

    @property
    def whole_way(self) -> bool:
        """Return whether it is of the whole way: no stages, or the bottom line."""
        return self.stage in {"", BOTTOM_LINE}


class Selection(Protocol):
    """A row of the audit block that is of one definition of a selection."""

    @property
    def approach(self) -> str:
        """Return how a selection is defined."""

    @property
    def cutoff(self) -> float | None:
        """Return the cut-off of scores."""

    @property
    def stage(self) -> str:
        """Return the stage, "" where there are none."""


@dataclass(frozen=True, kw_only=True)
class View:
    """The groups of one attribute (or of several crossed) in the whole sample, against their reference."""

    definition: Definition
    attributes: tuple[str, ...]
    rows: tuple[Finding, ...]

    @property
    def means(self) -> bool:
        """Return whether mean scores are compared, and not selections."""
        return self.definition.approach == MEANS

    @property
    def crossed(self) -> bool:
        """Return whether the groups are those of several attributes at once."""
        return len(self.attributes) > 1

    @property
    def known(self) -> list[Finding]:
        """Return the rows with a ratio, the lowest first."""
        return sorted((row for row in self.rows if row.estimate is not None), key=lambda row: row.estimate or 0.0)


@dataclass(frozen=True, kw_only=True)
class Grouped:
    """An analysis of applicants in the order in which it is read: by definition of a selection, then by attribute.

    `views` are the ratios, attributes first. `curves` are those of the whole way; `bounds` have people of
    unknown group; comparisons of mean scores are in no `positions`.
    """

    views: tuple[View, ...]
    agreement: Mapping[Definition, Sequence[Agreement]]
    positions: Mapping[Definition, Sequence[Positions]]
    sweep: Mapping[str, Sequence[SweepRate]]
    curves: Mapping[Definition, Sequence[ZCurve]]
    pooled: Mapping[Definition, Sequence[Finding]]
    bounds: Mapping[Definition, Sequence[Finding]]


def grouped(rows: Sequence[Finding], shown: Shown) -> Grouped:
    """Return the findings of an analysis and what its audit block shows, grouped as the page tells them."""
    sweep: dict[str, list[SweepRate]] = {}
    for row in shown.sweep:
        sweep.setdefault(row.attribute, []).append(row)
    return Grouped(
        views=tuple(_views(rows)),
        agreement=_by_definition(shown.agreement, of_shown),
        positions=_by_definition([row for row in shown.positions if row.approach != MEANS], of_shown),
        sweep=sweep,
        curves=_by_definition([row for row in shown.z_curves if of_shown(row).whole_way], of_shown),
        pooled=_by_definition([row for row in rows if row.measure == POOLED], _of_finding),
        bounds=_by_definition([row for row in rows if Bounds.of(row).n_unknown], _of_finding),
    )


def _views(rows: Iterable[Finding]) -> list[View]:
    """Return the views in order: attributes as they come, then definitions of a selection, then stages."""
    found: dict[tuple[str, ...], list[Finding]] = {}
    for row in rows:
        if row.measure in MEASURES and row.focal:
            found.setdefault(tuple(row.focal), []).append(row)
    stages = list(dict.fromkeys(_of_ratio(row).stage for own in found.values() for row in own))
    return [
        View(definition=definition, attributes=attributes, rows=tuple(together))
        for attributes, own in found.items()
        for definition, together in _by_definition(own, _of_ratio, stages=stages).items()
    ]


def _by_definition(
    rows: Iterable[R], key: Callable[[R], Definition], *, stages: Sequence[str] = ()
) -> dict[Definition, list[R]]:
    """Return rows by their definition, in the order in which definitions are read; `stages` are the first ones."""
    found: dict[Definition, list[R]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    order = list(dict.fromkeys([*stages, *(each.stage for each in found)]))
    keys = sorted(found, key=lambda each: (_rank(each.approach), each.cutoff or 0.0, order.index(each.stage)))
    return {each: found[each] for each in keys}


def of_shown(row: Selection) -> Definition:
    """Return the definition that a row of the audit block is of."""
    return Definition(row.approach, row.cutoff, row.stage)


def _of_finding(row: Finding) -> Definition:
    """Return the definition that a finding is of, by its slice; that of a median says no cut-off."""
    cutoff = row.slice.get("cutoff")
    return Definition(
        row.slice.get("approach", "selected"), None if cutoff is None else float(cutoff), row.slice.get("stage", "")
    )


def _of_ratio(row: Finding) -> Definition:
    """Return the definition that a ratio is of, with the median as the cut-off that it was."""
    details = row.details if isinstance(row.details, ImpactRatio | MeanRatio) else ImpactRatio()
    return Definition(details.approach or "", details.cutoff, row.slice.get("stage", ""))


def _rank(approach: str) -> int:
    return APPROACHES.index(approach) if approach in APPROACHES else len(APPROACHES)
