"""An analysis of applicants by what counts as a selection, and by attribute."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

from evenhand.tables.audit.applicants.small_tables import Agreement, Positions, SweepRate, ZCurve
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.details import Bounds, ImpactRatio, MeanRatio
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.keys import by_key
from evenhand.tables.grouped.names import (
    ADJUSTED_ODDS_RATIO,
    AVAILABILITY,
    BLOCK_DIFFERENCE,
    COMMON_ODDS_RATIO,
    IMPACT_RATIO,
    MEAN_RATIO,
    SELECTION_RATE,
)
from evenhand.tables.impact_files import APPROACHES, BOTTOM_LINE, CROSSED, MEANS

__all__ = ["Attribute", "Definition", "ImpactGroups", "Step", "Together", "View", "definition_of", "impact_groups"]

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
    """Findings on the groups of one attribute (or of several crossed) by one definition of a selection.

    `rates` are the selection rates of these groups, the reference among them.
    """

    definition: Definition
    attributes: tuple[str, ...]
    findings: tuple[Finding, ...]
    rates: tuple[Finding, ...] = ()

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
        """Return the findings with an estimate, the lowest first."""
        return sorted(
            (each for each in self.findings if each.estimate is not None), key=lambda each: each.estimate or 0.0
        )


@dataclass(frozen=True, kw_only=True)
class Together:
    """Findings on all attributes by one definition of a selection: on single ones, or on crossed ones."""

    definition: Definition
    crossed: bool
    findings: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class Attribute:
    """The views of one attribute (or of several crossed) that are of the whole way."""

    attributes: tuple[str, ...]
    views: tuple[View, ...]


@dataclass(frozen=True, kw_only=True)
class Step:
    """The views of one stage."""

    stage: str
    views: tuple[View, ...]


@dataclass(frozen=True, kw_only=True)
class ImpactGroups:
    """An analysis of applicants in the order in which it is read: by definition of a selection, then by attribute.

    `views` are the ratios, attributes first; `leading` is one per attribute: that of the whole way, or of the first
    stage. `steps` are those of stages, the whole way last. Those in `alone`, as in `adjusted` under "", are of no
    group and tell why. `curves` are those of the whole way; comparisons
    of mean scores are in no `positions`. `bounds` have people of unknown group. What is `first` is the first
    view with anything known of each attribute, the whole way before a single stage, without crossed attributes.
    `availability` are comparisons with stated shares, `blocks` differences within what is held fixed.
    `overall` has, by the name of a pooled finding, the same groups' ratios of selections among all applicants.
    """

    views: tuple[View, ...]
    leading: tuple[View, ...]
    attributes: tuple[Attribute, ...]
    steps: tuple[Step, ...]
    alone: tuple[Finding, ...]
    agreement: Mapping[Definition, Sequence[Agreement]]
    positions: Mapping[Definition, Sequence[Positions]]
    first_positions: tuple[Positions, ...]
    sweep: Mapping[str, Sequence[SweepRate]]
    curves: Mapping[Definition, Sequence[ZCurve]]
    pooled: tuple[View, ...]
    first_pooled: tuple[View, ...]
    bounds: tuple[Together, ...]
    first_bounds: tuple[View, ...]
    adjusted: Mapping[str, Sequence[Finding]]
    overall: Mapping[str, Sequence[Finding]]
    availability: tuple[Finding, ...] = ()
    blocks: tuple[Finding, ...] = ()


def impact_groups(findings: Sequence[Finding], audit: ImpactAudit) -> ImpactGroups:
    """Return the findings of an analysis and what its audit block shows, grouped as the page tells them."""
    tables = audit.shown
    ratios = [each for each in findings if each.measure in {IMPACT_RATIO, MEAN_RATIO}]
    views = _views(
        [each for each in ratios if each.focal], [each for each in findings if each.measure == SELECTION_RATE]
    )
    pooled = _by_attributes(
        _by_definition([each for each in findings if each.measure == COMMON_ODDS_RATIO], _of_finding)
    )
    bounds = _by_definition([each for each in findings if Bounds.of(each).n_unknown], _of_finding)
    positions = _by_definition([each for each in tables.positions if each.approach != MEANS], definition_of)
    same = by_key(_groups, [each for each in ratios if each.measure == IMPACT_RATIO])
    return ImpactGroups(
        views=views,
        leading=_leading(views),
        attributes=tuple(
            Attribute(attributes=attributes, views=tuple(each for each in own if each.definition.whole_way))
            for attributes, own in by_key(lambda view: view.attributes, views).items()
        ),
        steps=_steps(views, [*audit.stages, BOTTOM_LINE]),
        alone=tuple(each for each in ratios if not each.focal),
        agreement=_by_definition(tables.agreement, definition_of),
        positions=positions,
        first_positions=_first_positions(positions),
        sweep=by_key(lambda each: each.attribute, tables.sweep),
        curves=_by_definition([each for each in tables.z_curves if definition_of(each).whole_way], definition_of),
        pooled=pooled,
        first_pooled=_first(view for view in pooled if view.known),
        bounds=tuple(
            Together(definition=definition, crossed=crossed, findings=together)
            for definition, own in bounds.items()
            for crossed, together in sorted(by_key(lambda each: len(each.focal) > 1, own).items())
        ),
        first_bounds=_first(_by_attributes(bounds)),
        adjusted=by_key(
            lambda each: next(iter(each.focal), ""), [each for each in findings if each.measure == ADJUSTED_ODDS_RATIO]
        ),
        blocks=tuple(each for each in findings if each.measure == BLOCK_DIFFERENCE),
        availability=tuple(each for each in findings if each.measure == AVAILABILITY),
        overall={each.name: same.get(_groups(each), ()) for view in pooled for each in view.findings},
    )


def definition_of(row: Selection) -> Definition:
    """Return the definition that a row of the audit block is of."""
    return Definition(row.approach, row.cutoff, row.stage)


def _views(ratios: Sequence[Finding], rates: Sequence[Finding]) -> tuple[View, ...]:
    """Return the views in order: attributes as they come, then definitions of a selection, then stages."""
    own = by_key(lambda each: tuple(each.focal), ratios)
    rates_of = by_key(_slice_and_attributes, rates)
    stages = [_of_ratio(each).stage for together in own.values() for each in together]
    return tuple(
        View(
            definition=definition,
            attributes=attributes,
            findings=found,
            rates=tuple(rates_of.get(_slice_and_attributes(found[0]), ())),
        )
        for attributes, together in own.items()
        for definition, found in _by_definition(together, _of_ratio, stages=stages).items()
    )


def _slice_and_attributes(finding: Finding) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return what the findings of one view share."""
    return tuple(sorted(finding.slice.items())), tuple(finding.focal)


def _leading(views: Sequence[View]) -> tuple[View, ...]:
    """Return the view of each attribute that its result is told by: with a ratio, and of the whole way, if any is."""
    own = by_key(lambda view: view.attributes, views)
    return tuple(min(found, key=lambda view: (not view.definition.whole_way, not view.known)) for found in own.values())


def _by_attributes(found: Mapping[Definition, Sequence[Finding]]) -> tuple[View, ...]:
    """Return the views in order: definitions of a selection, then attributes as they come."""
    return tuple(
        View(definition=definition, attributes=attributes, findings=together)
        for definition, own in found.items()
        for attributes, together in by_key(lambda each: tuple(each.focal), own).items()
    )


def _first(views: Iterable[View]) -> tuple[View, ...]:
    """Return one view per attribute, of the whole way before a single stage."""
    single = sorted((view for view in views if not view.crossed), key=lambda view: not view.definition.whole_way)
    return tuple(own[0] for own in by_key(lambda view: view.attributes, single).values())


def _first_positions(found: Mapping[Definition, Sequence[Positions]]) -> tuple[Positions, ...]:
    definitions = sorted(found, key=lambda each: not each.whole_way)
    single = [each for key in definitions for each in found[key] if CROSSED not in each.attribute]
    return tuple(own[0] for own in by_key(lambda each: each.attribute, single).values())


def _steps(views: Sequence[View], order: Sequence[str]) -> tuple[Step, ...]:
    steps = by_key(lambda view: view.definition.stage, [view for view in views if view.definition.stage])
    told = sorted(steps, key=lambda stage: order.index(stage) if stage in order else len(order))
    return tuple(Step(stage=stage, views=steps[stage]) for stage in told)


def _by_definition(
    rows: Iterable[R], key: Callable[[R], Definition], *, stages: Sequence[str] = ()
) -> dict[Definition, tuple[R, ...]]:
    """Return rows by their definition, in the order in which definitions are read; `stages` are the first ones."""
    found = by_key(key, rows)
    order = list(dict.fromkeys([*stages, *(each.stage for each in found)]))
    keys = sorted(found, key=lambda each: (_rank(each.approach), each.cutoff or 0.0, order.index(each.stage)))
    return {each: found[each] for each in keys}


def _groups(finding: Finding) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return what two findings share that are of the same groups in the same slice."""
    return tuple(sorted(finding.slice.items())), tuple(sorted(finding.focal.items()))


def _of_finding(finding: Finding) -> Definition:
    """Return the definition that a finding is of, by its slice; that of a median says no cut-off."""
    cutoff = finding.slice.get("cutoff")
    return Definition(
        finding.slice.get("approach", "selected"),
        None if cutoff is None else float(cutoff),
        finding.slice.get("stage", ""),
    )


def _of_ratio(finding: Finding) -> Definition:
    """Return the definition that a ratio is of, with the median as the cut-off that it was."""
    details = finding.details if isinstance(finding.details, ImpactRatio | MeanRatio) else ImpactRatio()
    return Definition(details.approach or "", details.cutoff, finding.slice.get("stage", ""))


def _rank(approach: str) -> int:
    return APPROACHES.index(approach) if approach in APPROACHES else len(APPROACHES)
