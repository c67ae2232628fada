"""The findings of a table of features as its page tells them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.tables.audit.features.block import FeaturesAudit
from evenhand.tables.audit.features.details import Expected, Proxy
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import (
    EFFECTIVE_SIZE,
    EXPECTATION,
    GROUP_SHARE,
    JOINT_PROXY,
    KS,
    LABEL_POWER,
    PROXY,
    PSI,
)

__all__ = ["FeatureGroups", "feature_groups", "feature_of"]


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

    expectations = of(EXPECTATION)
    violated = [each for each in expectations if Expected.of(each).judged == "violates"]
    distances = {feature_of(each): each for each in of(KS)}
    moved = sorted(of(PSI), key=lambda each: -(each.estimate or 0.0))
    shares: dict[str, list[Finding]] = {}
    for each in of(GROUP_SHARE):
        shares.setdefault(next(iter(each.focal)), []).append(each)
    return FeatureGroups(
        violated=tuple(violated),
        others=tuple(each for each in expectations if Expected.of(each).judged != "violates"),
        joint=tuple(each for each in strongest(JOINT_PROXY) if Proxy.of(each).largest),
        other_joint=tuple(each for each in strongest(JOINT_PROXY) if not Proxy.of(each).largest),
        proxies=tuple(each for each in strongest(PROXY) if Proxy.of(each).largest),
        other_proxies=tuple(each for each in strongest(PROXY) if not Proxy.of(each).largest),
        labels=tuple(strongest(LABEL_POWER)),
        drift={feature_of(each): (each, distances.get(feature_of(each))) for each in moved},
        shares={attribute: tuple(own) for attribute, own in shares.items()},
        sizes={each.slice["attribute"]: each for each in of(EFFECTIVE_SIZE)},
    )
