"""The findings of a perturbation test as its page tells them.

An analysis of applicants by what counts as a selection, and by attribute.
The findings of an evaluation as its page tells them.
The findings of a table of features as its page tells them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeVar

from evenhand.results import measures
from evenhand.results.applicant_audit import Agreement, ImpactAudit, Positions, SweepRate, ZCurve
from evenhand.results.feature_audit import Expected, FeaturesAudit, Proxy
from evenhand.results.finding import Bounds, Finding, ImpactRatio, MeanRatio
from evenhand.results.probe_groups import by_key
from evenhand.results.schemas import APPROACHES, BOTTOM_LINE, CROSSED, MEANS
from evenhand.results.score_audit import PLACEBO, EvaluateAudit, PerturbAudit

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
    ratios = [each for each in findings if each.measure in {measures.IMPACT_RATIO, measures.MEAN_RATIO}]
    views = _views(
        [each for each in ratios if each.focal], [each for each in findings if each.measure == measures.SELECTION_RATE]
    )
    pooled = _by_attributes(
        _by_definition([each for each in findings if each.measure == measures.COMMON_ODDS_RATIO], _of_finding)
    )
    bounds = _by_definition([each for each in findings if Bounds.of(each).n_unknown], _of_finding)
    positions = _by_definition([each for each in tables.positions if each.approach != MEANS], definition_of)
    same = by_key(_groups, [each for each in ratios if each.measure == measures.IMPACT_RATIO])
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
            lambda each: next(iter(each.focal), ""),
            [each for each in findings if each.measure == measures.ADJUSTED_ODDS_RATIO],
        ),
        blocks=tuple(each for each in findings if each.measure == measures.BLOCK_DIFFERENCE),
        availability=tuple(each for each in findings if each.measure == measures.AVAILABILITY),
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


Labels = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class EvaluateView:
    """All findings of one attribute, or of several crossed, in one slice: by measure, then in order of the groups.

    `everybody` has those of all people of the slice, under their measure.
    """

    slice: dict[str, str]
    attributes: tuple[str, ...]
    groups: tuple[Labels, ...]
    values: dict[str, dict[Labels, Finding]]
    gaps: dict[str, tuple[Finding, ...]]
    changes: dict[str, dict[Labels, Finding]]
    everybody: dict[str, Finding] = field(default_factory=dict)

    @property
    def crossed(self) -> bool:
        """Whether groups are of several attributes at once."""
        return len(self.attributes) > 1

    @property
    def by_group(self) -> dict[str, dict[str, Finding]]:
        """Return the findings of each group by measure."""
        return {
            " × ".join(group): {name: own[group] for name, own in self.values.items() if group in own}
            for group in self.groups
        }


@dataclass(frozen=True, kw_only=True)
class EvaluateGroups:
    """Findings of all people, then view by view; those within slices apart, and those of similar people."""

    everybody: dict[str, Finding]
    changes: dict[str, Finding]
    views: tuple[EvaluateView, ...]
    slices: tuple[EvaluateView, ...]
    similar: tuple[Finding, ...]
    quotient: Finding | None


def evaluate_groups(findings: Sequence[Finding], _audit: EvaluateAudit) -> EvaluateGroups:
    """Return the findings of an evaluation by what they tell."""
    similar = [each for each in findings if each.measure == measures.SIMILAR_APART]
    quotient = next((each for each in findings if each.measure == measures.LIPSCHITZ), None)
    rest = [each for each in findings if each.measure not in {measures.SIMILAR_APART, measures.LIPSCHITZ}]
    views = []
    everybody: dict[tuple[tuple[str, str], ...], dict[str, Finding]] = {}
    for (where, attributes), own in by_key(lambda each: (tuple(each.slice.items()), tuple(each.focal)), rest).items():
        if not attributes:
            everybody[where] = {each.measure: each for each in own}
            continue
        views.append(_view(dict(where), attributes, own, everybody.get(where, {})))
    alone = [
        _view(dict(where), (), list(found.values()), found)
        for where, found in everybody.items()
        if where and not any(tuple(view.slice.items()) == where for view in views)
    ]
    whole = everybody.get((), {})
    return EvaluateGroups(
        everybody={name: each for name, each in whole.items() if not name.startswith(measures.CHANGE)},
        changes={
            name.removeprefix(measures.CHANGE): each for name, each in whole.items() if name.startswith(measures.CHANGE)
        },
        views=tuple(view for view in views if not view.slice),
        slices=(*(view for view in views if view.slice), *alone),
        similar=tuple(similar),
        quotient=quotient,
    )


def _view(
    where: dict[str, str], attributes: Labels, findings: Sequence[Finding], everybody: dict[str, Finding]
) -> EvaluateView:
    values: dict[str, dict[Labels, Finding]] = {}
    changes: dict[str, dict[Labels, Finding]] = {}
    gaps: dict[str, list[Finding]] = {}
    for each in findings:
        group = tuple(each.focal.values())
        if each.measure.startswith(measures.DIFFERENCE):
            gaps.setdefault(each.measure.removeprefix(measures.DIFFERENCE), []).append(each)
        elif each.measure.startswith(measures.CHANGE):
            changes.setdefault(each.measure.removeprefix(measures.CHANGE), {})[group] = each
        else:
            values.setdefault(each.measure, {})[group] = each
    groups = dict.fromkeys(group for own in values.values() for group in own)
    return EvaluateView(
        slice=where,
        attributes=attributes,
        groups=tuple(groups),
        values=values,
        gaps={name: tuple(own) for name, own in gaps.items()},
        changes=changes,
        everybody={name: each for name, each in everybody.items() if not name.startswith(measures.CHANGE)},
    )


@dataclass(frozen=True, kw_only=True)
class FeatureGroups:
    """Findings by what they tell.

    `proxies` has the group of each attribute that a feature tells best, the strongest first, `other_proxies` the
    others; `joint` likewise of all features. `violated` and `others` are expectations, those that are not met first of
    what the user stated. `drift` has the index and, of numbers, the largest distance, by feature; `shares` and `sizes`
    are by attribute.
    """

    violated: tuple[Finding, ...]
    others: tuple[Finding, ...]
    joint: tuple[Finding, ...]
    other_joint: tuple[Finding, ...]
    proxies: tuple[Finding, ...]
    other_proxies: tuple[Finding, ...]
    labels: tuple[Finding, ...]
    drift: Mapping[str, tuple[Finding, Finding | None]]
    shares: Mapping[str, tuple[Finding, ...]]
    sizes: Mapping[str, Finding]

    @property
    def stated(self) -> tuple[Finding, ...]:
        """Return the verdicts on what the user stated."""
        return tuple(each for each in (*self.violated, *self.others) if Expected.of(each).stated)


def feature_of(finding: Finding) -> str:
    """Return the feature that a finding is of."""
    return finding.slice.get("feature", "")


def feature_groups(findings: Sequence[Finding], audit: FeaturesAudit) -> FeatureGroups:
    """Return the findings of a table of features by what they tell."""
    order = {row.feature: place for place, row in enumerate(audit.features)}

    def of(measure: str) -> list[Finding]:
        return [each for each in findings if each.measure == measure]

    def strongest(measure: str) -> list[Finding]:
        return sorted(of(measure), key=lambda each: (-(each.estimate or 0.0), order.get(feature_of(each), 0)))

    expectations = of(measures.EXPECTATION)
    violated = [each for each in expectations if Expected.of(each).judged == "violates"]
    distances = {feature_of(each): each for each in of(measures.KS)}
    moved = sorted(of(measures.PSI), key=lambda each: -(each.estimate or 0.0))
    shares: dict[str, list[Finding]] = {}
    for each in of(measures.GROUP_SHARE):
        shares.setdefault(next(iter(each.focal)), []).append(each)
    return FeatureGroups(
        violated=tuple(violated),
        others=tuple(each for each in expectations if Expected.of(each).judged != "violates"),
        joint=tuple(each for each in strongest(measures.JOINT_PROXY) if Proxy.of(each).largest),
        other_joint=tuple(each for each in strongest(measures.JOINT_PROXY) if not Proxy.of(each).largest),
        proxies=tuple(each for each in strongest(measures.PROXY) if Proxy.of(each).largest),
        other_proxies=tuple(each for each in strongest(measures.PROXY) if not Proxy.of(each).largest),
        labels=tuple(strongest(measures.LABEL_POWER)),
        drift={feature_of(each): (each, distances.get(feature_of(each))) for each in moved},
        shares={attribute: tuple(own) for attribute, own in shares.items()},
        sizes={each.slice["attribute"]: each for each in of(measures.EFFECTIVE_SIZE)},
    )


@dataclass(frozen=True, kw_only=True)
class PerturbGroups:
    """Differences over all positions and in each, the placebo apart; decisions, ranks, and what is lacking.

    Differences are in the order of the kinds of arms. `left_out` and `unread` begin with those of all.
    """

    differences: tuple[Finding, ...]
    placebos: tuple[Finding, ...]
    single: tuple[Finding, ...]
    cutoff: Finding | None
    flips: tuple[Finding, ...]
    moves: tuple[Finding, ...]
    unread: tuple[Finding, ...]
    unread_differences: tuple[Finding, ...]
    left_out: tuple[Finding, ...]

    @property
    def whole(self) -> tuple[Finding, ...]:
        """Return all differences over all positions, the placebos last."""
        return (*self.differences, *self.placebos)


def perturb_groups(findings: Sequence[Finding], audit: PerturbAudit) -> PerturbGroups:
    """Return the findings of a perturbation test by what they tell."""
    kinds = {kind: place for place, kind in enumerate(audit.arms)}
    ordered = sorted(findings, key=lambda each: kinds.get(each.slice.get("arm", ""), len(kinds)))

    def of(measure: str) -> tuple[Finding, ...]:
        return tuple(each for each in ordered if each.measure == measure)

    def told(measure: str) -> tuple[Finding, ...]:
        return tuple(each for each in findings if each.measure == measure)

    scores = of(measures.SCORE_DIFFERENCE)
    whole = [each for each in scores if "position" not in each.slice]
    return PerturbGroups(
        differences=tuple(each for each in whole if each.slice.get("arm") != PLACEBO),
        placebos=tuple(each for each in whole if each.slice.get("arm") == PLACEBO),
        single=tuple(each for each in scores if "position" in each.slice),
        cutoff=next(iter(of(measures.CUTOFF)), None),
        flips=of(f"{measures.DIFFERENCE}{measures.SELECTION_RATE}"),
        moves=of(measures.RANK_CHANGE),
        unread=told(measures.UNDETECTED_ATTEMPTS),
        unread_differences=of(f"{measures.DIFFERENCE}{measures.UNDETECTED_ATTEMPTS}"),
        left_out=told(measures.LEFT_OUT),
    )
