"""Findings of evaluations, features and perturbation tests, grouped for the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evenhand.results import measures
from evenhand.results.feature_audit import Expected, FeaturesAudit, Proxy
from evenhand.results.finding import Finding, by_key, of_measure
from evenhand.results.score_audit import PLACEBO, EvaluateAudit, PerturbAudit

Labels = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class EvaluateView:
    """All findings of one attribute, or of several crossed, in one slice: by measure, then by group.

    `everybody` has the findings on all people of the slice, by measure.
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
        """Say whether the groups cross several attributes."""
        return len(self.attributes) > 1

    @property
    def by_group(self) -> dict[str, dict[str, Finding]]:
        """Return the findings of each group by measure."""
        return {
            " × ".join(group): {name: by_labels[group] for name, by_labels in self.values.items() if group in by_labels}
            for group in self.groups
        }


@dataclass(frozen=True, kw_only=True)
class EvaluateGroups:
    """The findings on all people, by view, within slices, and on similar people."""

    everybody: dict[str, Finding]
    changes: dict[str, Finding]
    views: tuple[EvaluateView, ...]
    slices: tuple[EvaluateView, ...]
    similar: tuple[Finding, ...]
    quotient: Finding | None


def evaluate_groups(findings: Sequence[Finding], _audit: EvaluateAudit) -> EvaluateGroups:
    """Return the findings of an evaluation, grouped for its page."""
    of_similar = (measures.SIMILAR_APART, measures.SIMILAR_ACROSS)
    similar = of_measure(findings, *of_similar)
    quotient = next(iter(of_measure(findings, measures.LIPSCHITZ)), None)
    remaining = [finding for finding in findings if finding.measure not in {*of_similar, measures.LIPSCHITZ}]
    views = []
    everybody: dict[tuple[tuple[str, str], ...], dict[str, Finding]] = {}
    for (slice_items, attributes), view_findings in by_key(
        lambda finding: (tuple(finding.slice.items()), tuple(finding.focal)), remaining
    ).items():
        if not attributes:
            everybody[slice_items] = {finding.measure: finding for finding in view_findings}
            continue
        views.append(_view(dict(slice_items), attributes, view_findings, everybody.get(slice_items, {})))
    alone = [
        _view(dict(slice_items), (), list(slice_findings.values()), slice_findings)
        for slice_items, slice_findings in everybody.items()
        if slice_items and not any(tuple(view.slice.items()) == slice_items for view in views)
    ]
    overall = everybody.get((), {})
    return EvaluateGroups(
        everybody={name: finding for name, finding in overall.items() if not name.startswith(measures.CHANGE)},
        changes={
            name.removeprefix(measures.CHANGE): finding
            for name, finding in overall.items()
            if name.startswith(measures.CHANGE)
        },
        views=tuple(view for view in views if not view.slice),
        slices=(*(view for view in views if view.slice), *alone),
        similar=similar,
        quotient=quotient,
    )


def _view(
    slice_labels: dict[str, str], attributes: Labels, findings: Sequence[Finding], everybody: dict[str, Finding]
) -> EvaluateView:
    values: dict[str, dict[Labels, Finding]] = {}
    changes: dict[str, dict[Labels, Finding]] = {}
    gaps: dict[str, list[Finding]] = {}
    for finding in findings:
        group = tuple(finding.focal.values())
        if finding.measure.startswith(measures.DIFFERENCE):
            gaps.setdefault(finding.measure.removeprefix(measures.DIFFERENCE), []).append(finding)
        elif finding.measure.startswith(measures.CHANGE):
            changes.setdefault(finding.measure.removeprefix(measures.CHANGE), {})[group] = finding
        else:
            values.setdefault(finding.measure, {})[group] = finding
    groups = dict.fromkeys(group for by_labels in values.values() for group in by_labels)
    return EvaluateView(
        slice=slice_labels,
        attributes=attributes,
        groups=tuple(groups),
        values=values,
        gaps={name: tuple(gap_findings) for name, gap_findings in gaps.items()},
        changes=changes,
        everybody={name: finding for name, finding in everybody.items() if not name.startswith(measures.CHANGE)},
    )


@dataclass(frozen=True, kw_only=True)
class FeatureGroups:
    """The findings of a feature table by kind.

    `proxies` has, for each attribute, the group that a feature predicts best, the strongest first, `other_proxies` the
    others; `joint` and `other_joint` are the same for all features together. `violated` are expectations that are not
    met, `others` those that are. `drift` has the index and, for numbers, the largest distance, by feature; `shares` and
    `sizes` are by attribute.
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
        """Return the verdicts on expectations that the user stated."""
        return tuple(finding for finding in (*self.violated, *self.others) if Expected.of(finding).stated)


def feature_of(finding: Finding) -> str:
    """Return the feature of a finding."""
    return finding.slice.get("feature", "")


def feature_groups(findings: Sequence[Finding], audit: FeaturesAudit) -> FeatureGroups:
    """Return the findings of a feature table, grouped for its page."""
    order = {row.feature: place for place, row in enumerate(audit.features)}

    def strongest(measure: str) -> list[Finding]:
        rows = of_measure(findings, measure)
        return sorted(rows, key=lambda finding: (-(finding.estimate or 0.0), order.get(feature_of(finding), 0)))

    expectations = of_measure(findings, measures.EXPECTATION)
    violated = [finding for finding in expectations if Expected.of(finding).judged == "violates"]
    distances = {feature_of(finding): finding for finding in of_measure(findings, measures.KS)}
    moved = sorted(of_measure(findings, measures.PSI), key=lambda finding: -(finding.estimate or 0.0))
    return FeatureGroups(
        violated=tuple(violated),
        others=tuple(finding for finding in expectations if Expected.of(finding).judged != "violates"),
        joint=tuple(finding for finding in strongest(measures.JOINT_PROXY) if Proxy.of(finding).largest),
        other_joint=tuple(finding for finding in strongest(measures.JOINT_PROXY) if not Proxy.of(finding).largest),
        proxies=tuple(finding for finding in strongest(measures.PROXY) if Proxy.of(finding).largest),
        other_proxies=tuple(finding for finding in strongest(measures.PROXY) if not Proxy.of(finding).largest),
        labels=tuple(strongest(measures.LABEL_POWER)),
        drift={feature_of(finding): (finding, distances.get(feature_of(finding))) for finding in moved},
        shares=by_key(lambda finding: next(iter(finding.focal)), of_measure(findings, measures.GROUP_SHARE)),
        sizes={finding.slice["attribute"]: finding for finding in of_measure(findings, measures.EFFECTIVE_SIZE)},
    )


@dataclass(frozen=True, kw_only=True)
class PerturbGroups:
    """Differences over all positions and in each, with the placebo separate; decisions, ranks and missing results.

    Differences are in the order of the kinds of arms. `left_out` and `unread` begin with those of all people.
    """

    differences: tuple[Finding, ...]
    placebos: tuple[Finding, ...]
    single: tuple[Finding, ...]
    cutoff: Finding | None
    flips: tuple[Finding, ...]
    moves: tuple[Finding, ...]
    tops: tuple[Finding, ...]
    unread: tuple[Finding, ...]
    unread_differences: tuple[Finding, ...]
    left_out: tuple[Finding, ...]

    @property
    def whole(self) -> tuple[Finding, ...]:
        """Return all differences over all positions, the placebos last."""
        return (*self.differences, *self.placebos)


def perturb_groups(findings: Sequence[Finding], audit: PerturbAudit) -> PerturbGroups:
    """Return the findings of a perturbation test, grouped for its page."""
    kinds = {kind: place for place, kind in enumerate(audit.arms)}
    ordered = sorted(findings, key=lambda finding: kinds.get(finding.slice.get("arm", ""), len(kinds)))

    scores = of_measure(ordered, measures.SCORE_DIFFERENCE)
    whole = [finding for finding in scores if "position" not in finding.slice]
    return PerturbGroups(
        differences=tuple(finding for finding in whole if finding.slice.get("arm") != PLACEBO),
        placebos=tuple(finding for finding in whole if finding.slice.get("arm") == PLACEBO),
        single=tuple(finding for finding in scores if "position" in finding.slice),
        cutoff=next(iter(of_measure(ordered, measures.CUTOFF)), None),
        flips=of_measure(ordered, f"{measures.DIFFERENCE}{measures.SELECTION_RATE}"),
        moves=of_measure(ordered, measures.RANK_CHANGE),
        tops=of_measure(ordered, f"{measures.DIFFERENCE}{measures.TOP_RATE}"),
        unread=of_measure(findings, measures.UNDETECTED_ATTEMPTS),
        unread_differences=of_measure(ordered, f"{measures.DIFFERENCE}{measures.UNDETECTED_ATTEMPTS}"),
        left_out=of_measure(findings, measures.LEFT_OUT),
    )
