"""Findings on applicants, grouped for the page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, NamedTuple, TypeVar

from evenhand.patterns import lazy_re
from evenhand.results import measures
from evenhand.results.applicant_audit import (
    Agreement,
    ImpactAudit,
    LadderStep,
    OfSelection,
    PositionRank,
    Positions,
    SweepRate,
    ZCurve,
)
from evenhand.results.finding import Bounds, Finding, ImpactRatio, MeanRatio, by_key, of_measure
from evenhand.results.schemas import APPROACHES, BOTTOM_LINE, CROSSED, MEANS, MEDIAN

R = TypeVar("R")


_MONTH: Final = lazy_re(r"(\d{4})(?:-(?:Q([1-4])|(0[1-9]|1[0-2])))?")


def month_of(period: str) -> tuple[int, str] | None:
    """Return the first month of a year, quarter or month, counted from year 0, and which it is; None of other labels.

    >>> month_of("2024"), month_of("2024-Q2"), month_of("2024-02"), month_of("2023-24"), month_of("spring")
    ((24288, 'year'), (24291, 'quarter'), (24289, 'month'), None, None)
    """
    part = _MONTH.fullmatch(period)
    if part is None:
        return None
    year, quarter, month = part.groups()
    unit = "quarter" if quarter else "month" if month else "year"
    return 12 * int(year) + (3 * int(quarter) - 3 if quarter else int(month or 1) - 1), unit


class Definition(NamedTuple):
    """The definition of a selection: an approach, a cut-off of scores, and a stage ("" where there are none)."""

    approach: str
    cutoff: float | None
    stage: str

    @property
    def whole_way(self) -> bool:
        """Say whether it covers the whole process: without stages, or the bottom line."""
        return self.stage in {"", BOTTOM_LINE}


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
        """Say whether mean scores are compared rather than selections."""
        return self.definition.approach == MEANS

    @property
    def crossed(self) -> bool:
        """Say whether the groups cross several attributes."""
        return len(self.attributes) > 1

    @property
    def known(self) -> list[Finding]:
        """Return the findings with an estimate, the lowest first."""
        return sorted(
            (finding for finding in self.findings if finding.estimate is not None),
            key=lambda finding: finding.estimate or 0.0,
        )


@dataclass(frozen=True, kw_only=True)
class Together:
    """Findings on all attributes, either single or crossed ones, by one definition of a selection."""

    definition: Definition
    crossed: bool
    findings: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class Attribute:
    """The views of one attribute (or of several crossed) over the whole process."""

    attributes: tuple[str, ...]
    views: tuple[View, ...]


@dataclass(frozen=True, kw_only=True)
class Step:
    """The views of one stage."""

    stage: str
    views: tuple[View, ...]


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """The positions of one group that have a rank, and the finding about how many differ."""

    finding: Finding
    rows: tuple[PositionRank, ...]


@dataclass(frozen=True, kw_only=True)
class OverTime:
    """The ratios of one group in each period, and whether they changed; the key is attribute and definition."""

    key: tuple[str, Definition]
    ratios: tuple[Finding, ...]
    changes: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class ImpactGroups:
    """An analysis of applicants in the order of its page: by definition of a selection, then by attribute.

    `views` are the ratios, ordered by attribute; `leading` has one per attribute: over the whole process, else at the
    first stage. `steps` are the views by stage, the bottom line last. Findings in `alone`, and in `adjusted` under "",
    have no group and give a reason. `curves` cover the whole process; `positions` leave out comparisons of mean scores.
    `bounds` allow for people of unknown group. Each `first_…` field has the first known view per attribute, the whole
    process before single stages, without crossed attributes. `availability` compares with stated shares, `blocks` are
    differences stratified by block. `ladders` have the lines of one group each, `shares` who has the qualifications,
    by attribute; `ranked` are positions by rank, `over_time` ratios by period. `overall` has, by the name of a pooled
    finding, the same groups' impact ratios among all applicants. `unseen` comparisons count in the correction only:
    another reference would have made them.
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
    undecided: tuple[View, ...]
    adjusted: Mapping[str, Sequence[Finding]]
    ladders: tuple[tuple[LadderStep, ...], ...]
    ranked: tuple[Ranked, ...]
    over_time: tuple[OverTime, ...]
    ages: tuple[Finding, ...]
    shares: Mapping[str, Sequence[Finding]]
    overall: Mapping[str, Sequence[Finding]]
    availability: tuple[Finding, ...] = ()
    blocks: tuple[Finding, ...] = ()
    unseen: int = 0


def impact_groups(findings: Sequence[Finding], audit: ImpactAudit) -> ImpactGroups:
    """Return the findings of an analysis and the tables of its audit block, grouped for the page."""
    tables = audit.shown
    ratios = of_measure(findings, measures.IMPACT_RATIO, measures.MEAN_RATIO)
    views = _views([finding for finding in ratios if finding.focal], of_measure(findings, measures.SELECTION_RATE))
    pooled = _by_attributes(_by_definition(of_measure(findings, measures.COMMON_ODDS_RATIO), definition_of_finding))
    bounds = _by_definition([finding for finding in findings if Bounds.of(finding).n_unknown], definition_of_finding)
    positions = _by_definition([row for row in tables.positions if row.approach != MEANS], definition_of)
    by_group = by_key(_groups, of_measure(ratios, measures.IMPACT_RATIO))
    planned = [finding.claim for finding in findings if finding.claim is not None and finding.claim.planned]
    judged = [claim.family_size for claim in planned if claim.p is not None]
    return ImpactGroups(
        views=views,
        leading=_leading(views, worst=audit.monitored is not None),
        attributes=tuple(
            Attribute(attributes=attributes, views=tuple(view for view in attribute_views if view.definition.whole_way))
            for attributes, attribute_views in by_key(lambda view: view.attributes, views).items()
        ),
        steps=_steps(views, [*audit.stages, BOTTOM_LINE]),
        alone=tuple(finding for finding in ratios if not finding.focal),
        agreement=_by_definition(tables.agreement, definition_of),
        positions=positions,
        first_positions=_first_positions(positions),
        sweep=by_key(lambda rate: rate.attribute, tables.sweep),
        curves=_by_definition([curve for curve in tables.z_curves if definition_of(curve).whole_way], definition_of),
        pooled=pooled,
        first_pooled=_first(view for view in pooled if view.known),
        bounds=tuple(
            Together(definition=definition, crossed=crossed, findings=together)
            for definition, definition_findings in bounds.items()
            for crossed, together in sorted(by_key(lambda finding: len(finding.focal) > 1, definition_findings).items())
        ),
        first_bounds=_first(_by_attributes(bounds)),
        undecided=_by_attributes(
            _by_definition(of_measure(findings, measures.UNDECIDED_BOUNDS), definition_of_finding)
        ),
        adjusted=by_key(
            lambda finding: next(iter(finding.focal), ""), of_measure(findings, measures.ADJUSTED_ODDS_RATIO)
        ),
        ladders=tuple(
            by_key(
                lambda step: (step.attribute, step.approach, step.cutoff, step.stage, step.focal), tables.ladder
            ).values()
        ),
        ranked=_ranked(of_measure(findings, measures.POSITIONS_DIFFERING), tables.ranks),
        over_time=_over_time(findings),
        ages=of_measure(findings, measures.AGE_ASSOCIATION, measures.AGE_ODDS_RATIO),
        shares=by_key(lambda finding: next(iter(finding.focal)), of_measure(findings, measures.QUALIFICATION_RATIO)),
        blocks=of_measure(findings, measures.BLOCK_DIFFERENCE),
        availability=of_measure(findings, measures.AVAILABILITY),
        overall={finding.name: by_group.get(_groups(finding), ()) for view in pooled for finding in view.findings},
        unseen=max(judged, default=0) - len(judged),
    )


def _ranked(findings: Sequence[Finding], ranks: Sequence[PositionRank]) -> tuple[Ranked, ...]:
    def key(row: PositionRank) -> tuple[tuple[tuple[str, str], ...], Definition]:
        definition = definition_of(row)
        return ((row.attribute, row.focal),), definition._replace(cutoff=None if row.approach == MEDIAN else row.cutoff)

    rows = by_key(key, ranks)
    return tuple(
        Ranked(finding=finding, rows=rows.get((tuple(finding.focal.items()), definition_of_finding(finding)), ()))
        for finding in findings
    )


def _over_time(findings: Sequence[Finding]) -> tuple[OverTime, ...]:
    def key(finding: Finding) -> tuple[tuple[tuple[str, str], ...], Definition]:
        return tuple(finding.focal.items()), definition_of_finding(finding)

    changes = by_key(key, of_measure(findings, measures.RATIO_HOMOGENEITY, measures.RATIO_TREND))
    ratios = by_key(key, of_measure(findings, measures.PERIOD_RATIO))
    return tuple(
        OverTime(key=(next(iter(group))[0], definition), ratios=of, changes=changes.get((group, definition), ()))
        for (group, definition), of in ratios.items()
    )


def definition_of(row: OfSelection | PositionRank) -> Definition:
    """Return the definition of a selection of a row of the audit block."""
    return Definition(row.approach, row.cutoff, row.stage)


def _views(ratios: Sequence[Finding], rates: Sequence[Finding]) -> tuple[View, ...]:
    """Return the views, ordered by attribute, definition of a selection, and stage."""
    by_attributes = by_key(lambda finding: tuple(finding.focal), ratios)
    rates_of = by_key(_slice_and_attributes, rates)
    stages = [_of_ratio(finding).stage for together in by_attributes.values() for finding in together]
    return tuple(
        View(
            definition=definition,
            attributes=attributes,
            findings=findings,
            rates=tuple(rates_of.get(_slice_and_attributes(findings[0]), ())),
        )
        for attributes, together in by_attributes.items()
        for definition, findings in _by_definition(together, _of_ratio, stages=stages).items()
    )


def _slice_and_attributes(finding: Finding) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return the key that the findings of one view share."""
    return tuple(sorted(finding.slice.items())), tuple(finding.focal)


def _leading(views: Sequence[View], *, worst: bool) -> tuple[View, ...]:
    """Return the main view of each attribute: over the whole process and with a ratio, if there is one.

    Without one it is the first stage, or the `worst` of all.
    """
    by_attribute = by_key(lambda view: view.attributes, views)
    return tuple(
        min(
            attribute_views,
            key=lambda view: (not view.definition.whole_way, not view.known, *(_problem(view) if worst else ())),
        )
        for attribute_views in by_attribute.values()
    )


def _problem(view: View) -> tuple[bool, float]:
    """Return whether nothing differs, and the lowest ratio of what differs, of large groups if there are any."""
    large = [each for each in view.known if each.claim is not None and each.claim.is_large(each.n)]
    return min(((not each.is_difference, each.estimate or 0.0) for each in large or view.known), default=(True, inf))


def _by_attributes(by_definition: Mapping[Definition, Sequence[Finding]]) -> tuple[View, ...]:
    """Return the views, ordered by definition of a selection, then by attribute."""
    return tuple(
        View(definition=definition, attributes=attributes, findings=together)
        for definition, definition_findings in by_definition.items()
        for attributes, together in by_key(lambda finding: tuple(finding.focal), definition_findings).items()
    )


def _first(views: Iterable[View]) -> tuple[View, ...]:
    """Return one view per attribute, the whole process before single stages."""
    single = sorted((view for view in views if not view.crossed), key=lambda view: not view.definition.whole_way)
    return tuple(attribute_views[0] for attribute_views in by_key(lambda view: view.attributes, single).values())


def _first_positions(by_definition: Mapping[Definition, Sequence[Positions]]) -> tuple[Positions, ...]:
    definitions = sorted(by_definition, key=lambda definition: not definition.whole_way)
    single = [row for key in definitions for row in by_definition[key] if CROSSED not in row.attribute]
    return tuple(attribute_positions[0] for attribute_positions in by_key(lambda row: row.attribute, single).values())


def _steps(views: Sequence[View], order: Sequence[str]) -> tuple[Step, ...]:
    steps = by_key(lambda view: view.definition.stage, [view for view in views if view.definition.stage])
    ordered = sorted(steps, key=lambda stage: order.index(stage) if stage in order else len(order))
    return tuple(Step(stage=stage, views=steps[stage]) for stage in ordered)


def _by_definition(
    rows: Iterable[R], key: Callable[[R], Definition], *, stages: Sequence[str] = ()
) -> dict[Definition, tuple[R, ...]]:
    """Return rows by their definition, in the order of approach, cut-off and stage; `stages` come first."""
    by_definition = by_key(key, rows)
    order = list(dict.fromkeys([*stages, *(definition.stage for definition in by_definition)]))
    keys = sorted(
        by_definition,
        key=lambda definition: (_rank(definition.approach), definition.cutoff or 0.0, order.index(definition.stage)),
    )
    return {definition: by_definition[definition] for definition in keys}


def _groups(finding: Finding) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return the key that findings on the same groups in the same slice share."""
    return tuple(sorted(finding.slice.items())), tuple(sorted(finding.focal.items()))


def definition_of_finding(finding: Finding) -> Definition:
    """Return the definition of a finding by its slice, without the cut-off of a median."""
    cutoff = finding.slice.get("cutoff")
    return Definition(
        finding.slice.get("approach", "selected"),
        None if cutoff is None else float(cutoff),
        finding.slice.get("stage", ""),
    )


def _of_ratio(finding: Finding) -> Definition:
    """Return the definition of a ratio, with the median's value as the cut-off."""
    details = finding.details if isinstance(finding.details, ImpactRatio | MeanRatio) else ImpactRatio()
    return Definition(details.approach or "", details.cutoff, finding.slice.get("stage", ""))


def _rank(approach: str) -> int:
    return APPROACHES.index(approach) if approach in APPROACHES else len(APPROACHES)
