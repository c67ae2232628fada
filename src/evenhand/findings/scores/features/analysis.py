"""All findings of a table of features, and its tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from evenhand.findings.impact.analysis import uniquely_named
from evenhand.findings.scores.features.drift import drift_findings
from evenhand.findings.scores.features.proxies import label_finding, proxy_findings, with_tests
from evenhand.findings.scores.features.representation import representation_findings
from evenhand.findings.scores.features.rules import Expectations
from evenhand.findings.scores.features.trends import Relation
from evenhand.findings.scores.features.vetting import Seen, checked_by_default, judged
from evenhand.tables.audit.features.counts import FeatureCounts
from evenhand.tables.audit.features.details import Expected, Proxy
from evenhand.tables.audit.features.files import FEATURES, PROXIES
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import EXPECTATION, LABEL_POWER, PROXY, PSI

__all__ = ["FeatureFacts", "feature_findings", "feature_table", "proxy_table"]


@dataclass(frozen=True, kw_only=True)
class FeatureFacts:
    """What findings are made of: counts, equal columns, people by attribute and group, relations, expectations."""

    features: Sequence[FeatureCounts]
    same: Mapping[str, Sequence[str]]
    sizes: Mapping[str, Mapping[str, int]]
    relations: Mapping[tuple[str, str], Relation]
    expectations: Expectations
    protected: Sequence[str]
    label: str | None = None
    label_classes: str | None = None
    joint: Sequence[Finding] = field(default=())


def feature_findings(facts: FeatureFacts, *, confidence: float, seed: int) -> list[Finding]:
    """Return joint proxies first, then of each feature its verdicts, proxies and drift, then who is represented."""
    found = list(facts.joint)
    attributes = [name for name in facts.sizes if name != facts.label_classes]
    for feature in facts.features:
        proxies = [
            each
            for attribute in attributes
            if attribute in feature.by and attribute != feature.row.feature
            for each in proxy_findings(feature, attribute, confidence=confidence, seed=seed)
        ]
        drift = drift_findings(feature)
        told = [each for each in proxies if each.estimate is not None]
        label = None
        if facts.label_classes is not None and feature.row.feature != facts.label_classes:
            label = label_finding(feature, facts.label_classes, confidence=confidence, seed=seed)
        name = feature.row.feature
        seen = Seen(
            counts=feature,
            label=facts.label,
            label_auc=None if label is None else label.estimate,
            same_as=facts.same.get(name, ()),
            protected=facts.protected,
            proxy=max(told, key=lambda each: each.estimate or 0.0, default=None),
            drift=next((each for each in drift if each.measure == PSI), None),
            relations={other: each for (own, other), each in facts.relations.items() if own == name},
        )
        found += checked_by_default(seen)
        found += [judged(seen, rule) for rule in facts.expectations.of(name)]
        found += [*proxies, *([] if label is None else [label]), *drift]
    for attribute in attributes:
        shares = facts.expectations.shares.get(attribute)
        found += representation_findings(attribute, facts.sizes[attribute], shares, confidence=confidence, seed=seed)
    return uniquely_named(with_tests(found))


def feature_table(features: Sequence[FeatureCounts], findings: Sequence[Finding]) -> pl.DataFrame:
    """Return features.csv: a row per feature, with its verdict and the reasons for it."""
    verdicts: dict[str, list[Expected]] = {}
    for each in findings:
        if each.measure == EXPECTATION and isinstance(each.details, Expected):
            verdicts.setdefault(each.slice["feature"], []).append(each.details)
    rows = []
    for feature in features:
        own = verdicts.get(feature.row.feature, [])
        row = {name: getattr(feature.row, name) for name in FEATURES if hasattr(feature.row, name)}
        wrong = [each for each in own if each.judged == "violates"]
        reasons = "; ".join(f"expected {each.expected}: {each.observed}" for each in wrong)
        rows.append({**row, "verdict": verdict_of(own), "reasons": reasons or None, "note": feature.row.note or None})
    return pl.DataFrame(rows, schema=FEATURES)


def verdict_of(own: Sequence[Expected]) -> str:
    """Return the verdict on a feature: the worst that any of its expectations has, and not checked without one."""
    told = {each.judged for each in own}
    return next((verdict for verdict in ("violates", "not shown", "meets") if verdict in told), "not checked")


def proxy_table(findings: Sequence[Finding]) -> pl.DataFrame:
    """Return proxies.csv: a row per feature, attribute and group."""
    rows = []
    for each in findings:
        if each.measure in {PROXY, LABEL_POWER}:
            details = Proxy.of(each)
            attribute, group = next(iter(each.focal.items()))
            rows.append(
                {
                    "feature": each.slice["feature"],
                    "attribute": attribute,
                    "group": group,
                    "direction": details.direction or None,
                    "auc": each.estimate,
                    "low": each.low,
                    "high": each.high,
                    "n_group": details.n_group,
                    "n_rest": details.n_rest,
                    "method": each.method,
                    "reason": each.reason,
                }
            )
    return pl.DataFrame(rows, schema=PROXIES)
