"""Findings of a table of features, and its tables.

A feature is judged by default checks and by the rules that the user states (`checked_by_default`, `rule_finding`), and
measured for drift from a reference table. `representation_findings` compares the groups' shares with stated ones.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from math import sqrt
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evenhand import stats
from evenhand.comparisons.feature_rules import Expectations, Rule
from evenhand.comparisons.impact import uniquely_named
from evenhand.comparisons.proxies import label_finding, proxy_findings, with_tests
from evenhand.results import feature_audit
from evenhand.results.finding import Finding, Test, copied
from evenhand.results.measures import EFFECTIVE_SIZE, EXPECTATION, GROUP_SHARE, KS, LABEL_POWER, PROXY, PSI
from evenhand.results.schemas import FEATURES, PROXIES

#: Parts of about as many rows in which means are compared.
PARTS = 10
LEVEL = 0.05
#: Bins of about as many rows of the reference table each.
BINS = 10
#: Categories of fewer rows in both tables together are one bin.
FEWEST = 5
#: From this AUC on a feature predicts the label so well that it may be made of it.
LEAK: Final = 0.995


@dataclass(frozen=True, kw_only=True)
class Relation:
    """Another column by the levels of a feature, in rising order: rows, sum and sum of squares."""

    n: NDArray[np.int64]
    total: NDArray[np.float64]
    squares: NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Trend:
    """Whether a column rises (or falls) throughout; None where the data don't show it."""

    holds: bool | None
    summary: str
    correlation: float | None


def trend(relation: Relation, *, rising: bool) -> Trend:
    """Return whether the means of up to ten parts of the rows rise, given their sampling error.

    A step the wrong way that is statistically significant (of all steps together) breaks it; without such a step the
    last part must be above the first one by more than chance.

    >>> steps = Relation(n=np.array([100, 100]), total=np.array([10.0, 60.0]), squares=np.array([10.0, 60.0]))
    >>> trend(steps, rising=True).holds, trend(steps, rising=False).holds
    (True, False)
    """
    parts = _parts(relation)
    n, total, squares = parts
    if len(n) < 2:
        return Trend(holds=None, summary="fewer than two values to compare", correlation=None)
    mean = total / n
    variance = np.maximum(squares / n - mean * mean, 0.0) / np.maximum(n - 1, 1)
    sign = 1.0 if rising else -1.0
    steps = sign * np.diff(mean)
    errors = np.sqrt(variance[1:] + variance[:-1])
    z = stats.normal_quantile(1 - 2 * LEVEL / len(steps))
    wrong = np.flatnonzero(steps < -z * errors)
    place = np.arange(len(n), dtype=np.float64)
    weights = n / n.sum()
    centred = place - (weights * place).sum()
    slope = float((weights * centred * (mean - (weights * mean).sum())).sum())
    spread = float((weights * centred**2).sum())
    error = sqrt(float((weights**2 * centred**2 * variance).sum()))
    correlation = slope / sqrt(spread * float((weights * (mean - (weights * mean).sum()) ** 2).sum()) or np.inf)
    ends = f"mean {mean[0]:.4g} in the lowest of {len(n)} parts, {mean[-1]:.4g} in the highest"
    if len(wrong):
        step = int(wrong[0])
        direction = "falls" if rising else "rises"
        return Trend(
            holds=False,
            summary=f"it {direction} from {mean[step]:.4g} to {mean[step + 1]:.4g} between parts {step + 1} "
            f"and {step + 2} of {len(n)}",
            correlation=correlation,
        )
    if sign * slope > stats.normal_quantile(1 - LEVEL) * error:
        return Trend(holds=True, summary=ends, correlation=correlation)
    if sign * slope < -stats.normal_quantile(1 - LEVEL) * error:
        return Trend(holds=False, summary=ends, correlation=correlation)
    return Trend(holds=None, summary=f"no relation was detected ({ends})", correlation=correlation)


def _parts(relation: Relation) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return up to ten parts of neighbouring levels, of about as many rows each."""
    present = relation.n > 0
    n, total, squares = (
        np.asarray(values, dtype=np.float64)[present] for values in (relation.n, relation.total, relation.squares)
    )
    if not len(n):
        return n, total, squares
    middle = (np.cumsum(n) - n / 2) / n.sum()
    part = np.minimum((middle * PARTS).astype(np.int64), PARTS - 1)
    starts = np.flatnonzero(np.concatenate(([True], part[1:] != part[:-1])))
    return tuple(np.add.reduceat(values, starts) for values in (n, total, squares))  # type: ignore[return-value]


def drift_findings(feature: feature_audit.FeatureCounts) -> list[Finding]:
    """Return the index, and of values with an order the largest distance; none without a reference table."""
    if feature.reference is None or feature.compared is None:
        return []
    name = feature.row.feature
    now, before = feature.compared, feature.reference
    bins = _bins(before) if feature.row.numeric else _category_bins(now, before)
    index = stats.stability_index(*(np.bincount(bins, weights=counts) for counts in (now, before)))
    findings = [
        Finding(
            name=f"{PSI}_{name}",
            measure=PSI,
            slice={"feature": name},
            role="descriptive",
            **copied(index, "estimate n reason"),
            measured_in="index",
            clusters={},
            method=f"{index.bins} bins, bias subtracted",
            tests=() if index.p is None else (Test(name="chi-square of the index", statistic=index.raw, p=index.p),),
            details=feature_audit.Drifted(
                **copied(index, "raw bias limit bins n_reference"),
                beyond_chance=_beyond(index.estimate, index.limit),
            ),
        )
    ]
    if feature.row.numeric:
        distance = stats.kolmogorov_smirnov(now, before)
        findings.append(
            Finding(
                name=f"{KS}_{name}",
                measure=KS,
                slice={"feature": name},
                role="descriptive",
                **copied(distance, "estimate n reason"),
                measured_in="share",
                clusters={},
                method="Kolmogorov–Smirnov",
                tests=(Test(name="Kolmogorov–Smirnov", statistic=distance.estimate, p=distance.p),),
                details=feature_audit.Drifted(
                    limit=distance.limit,
                    n_reference=distance.n_reference,
                    beyond_chance=_beyond(distance.estimate, distance.limit),
                ),
            )
        )
    return findings


def _beyond(estimate: float | None, limit: float | None) -> bool | None:
    return None if estimate is None or limit is None else bool(estimate > limit)


def _bins(reference: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the bin of each level: about a tenth of the reference's rows each."""
    total = reference.sum()
    if not total:
        return np.zeros(len(reference), dtype=np.int64)
    middle = (np.cumsum(reference) - reference / 2) / total
    return np.unique(np.minimum((middle * BINS).astype(np.int64), BINS - 1), return_inverse=True)[1]


def _category_bins(now: NDArray[np.int64], reference: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the bin of each category: its own, or one for all rare ones."""
    rare = now + reference < FEWEST
    places = np.cumsum(~rare)
    return np.where(rare, 0, places).astype(np.int64)


def representation_findings(
    attribute: str, counts: Mapping[str, int], shares: Mapping[str, float] | None, *, confidence: float, seed: int
) -> list[Finding]:
    """Return each group's share with its interval, and the effective sample size of the weighted table.

    Weighted to the stated shares, else so that all groups weigh the same; spellings of groups differ in case at most.
    """
    stated = None if shares is None else {key.casefold(): share for key, share in shares.items()}
    expected = [1 / len(counts) if stated is None else stated[group.casefold()] for group in counts]
    n = sum(counts.values())
    test = None if stated is None else stats.goodness_of_fit(list(counts.values()), expected, seed=seed)
    findings = []
    for place, (group, people) in enumerate(counts.items()):
        rate = stats.selection_rate(people, n, confidence=confidence)
        p = test.p_each[place] if test is not None and test.p_each else None
        findings.append(
            Finding(
                name=f"{GROUP_SHARE}_{attribute}_{group}",
                measure=GROUP_SHARE,
                focal={attribute: group},
                role="descriptive",
                **copied(rate, "estimate low high method reason"),
                confidence=confidence,
                null_value=None if stated is None else expected[place],
                n=n,
                clusters={},
                tests=() if p is None else (Test(name="exact binomial, twice the smaller tail", statistic=None, p=p),),
                details=feature_audit.Represented(
                    people=people, stated_share=None if stated is None else expected[place], p_exact=p
                ),
            )
        )
    size = stats.effective_sample_size(list(counts.values()), expected)
    tests = () if test is None or test.p is None else (Test(name=test.method, statistic=test.statistic, p=test.p),)
    findings.append(
        Finding(
            name=f"{EFFECTIVE_SIZE}_{attribute}",
            measure=EFFECTIVE_SIZE,
            slice={"attribute": attribute},
            role="descriptive",
            estimate=size,
            measured_in="people",
            n=n,
            clusters={},
            method="Kish, groups weighted " + ("alike" if stated is None else "to the shares given"),
            tests=tests,
            reason=None if size is not None else "There are no people.",
        )
    )
    return findings


@dataclass(frozen=True, kw_only=True)
class FeatureContext:
    """What is known of a feature: its counts, and what single rules need besides.

    `same_as` names the columns that hold the same in every row; `relations` are by the name of the other column.
    """

    counts: feature_audit.FeatureCounts
    label: str | None = None
    label_auc: float | None = None
    same_as: Sequence[str] = ()
    protected: Sequence[str] = ()
    proxy: Finding | None = None
    drift: Finding | None = None
    relations: Mapping[str, Relation] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class _Judgement:
    judged: feature_audit.ExpectationResult
    expected: str
    observed: str
    estimate: float | None = None
    reason: str = ""


def number_text(value: float | None, kind: str = "number") -> str:
    """Return a value of a feature as text; days as dates.

    >>> number_text(0.25), number_text(1.0, "date")
    ('0.25', '1970-01-02')
    """
    if value is None:
        return "nothing"
    if kind == "date" and abs(value) < 700_000:
        return date.fromordinal(max(date(1970, 1, 1).toordinal() + round(value), 1)).isoformat()
    return f"{value:,.6g}"


def _finding(context: FeatureContext, name: str, judgement: _Judgement, *, stated: bool) -> Finding:
    row = context.counts.row
    reason = None if judgement.estimate is not None else judgement.reason or judgement.observed
    return Finding(
        name=f"{EXPECTATION}_{row.feature}_{name}",
        measure=EXPECTATION,
        slice={"feature": row.feature, "rule": name},
        role="descriptive",
        estimate=judgement.estimate,
        measured_in="value",
        n=row.n,
        clusters={},
        method="all rows",
        reason=reason,
        details=feature_audit.Expected(
            **copied(judgement, "expected observed judged"),
            why=judgement.reason or None,
            stated=stated,
        ),
    )


def checked_by_default(context: FeatureContext) -> list[Finding]:
    """Return the violations that need no rule: an empty or constant feature, a copy, or one made of the label."""
    row, judgements = context.counts.row, []
    if not row.n:
        judgements.append(
            ("filled", _Judgement(judged="violates", expected="some value", observed="no value in any row"))
        )
    elif row.distinct == 1:
        # Days are counted as numbers; all of their moments are that day.
        value = row.most_frequent if row.kind != "date" or row.min is None else number_text(row.min, row.kind)
        observed = f"{value} in {_all(row)}"
        judgements.append(("varies", _Judgement(judged="violates", expected="more than one value", observed=observed)))
    for other in context.same_as if row.n and row.distinct != 1 else ():
        rule, what = ("duplicate", "a feature")
        if other == context.label:
            rule, what = ("label", "the label")
        elif other in context.protected:
            rule, what = ("protected", "a protected attribute")
        observed = f"equal to {other}, {what}, in every row"
        judgements.append((rule, _Judgement(judged="violates", expected="a column of its own", observed=observed)))
    if row.feature in context.protected:
        observed = "it is a protected attribute"
        judgements.append(
            ("protected", _Judgement(judged="violates", expected="no protected attribute", observed=observed))
        )
    if context.label_auc is not None and context.label_auc >= LEAK and context.label not in context.same_as:
        observed = f"predicts {context.label} (AUC {context.label_auc:.3f})"
        judged = _Judgement(
            judged="violates",
            expected=f"an AUC below {LEAK} for the label",
            observed=observed,
            estimate=context.label_auc,
            reason="it may be made of the label, or be known only after it",
        )
        judgements.append(("label", judged))
    return [_finding(context, name, judged, stated=False) for name, judged in judgements]


def _all(row: feature_audit.FeatureRow) -> str:
    return "every row" if not row.missing else f"all {row.n:,} rows that have a value"


def rule_finding(context: FeatureContext, rule: Rule) -> Finding:
    """Return the verdict on a feature by one rule that the user stated."""
    judgement = _JUDGES[rule.name](context, rule) if context.counts.row.n or rule.name == "missing" else None
    judgement = judgement or _Judgement(
        judged="not checked", expected=_expected_text(rule), observed="the column is empty"
    )
    return _finding(context, rule.name, judgement, stated=True)


def _expected_text(rule: Rule, kind: str = "number") -> str:
    if rule.low is not None and rule.high is not None:
        return f"{number_text(rule.low, kind)} to {number_text(rule.high, kind)}"
    return f"at most {number_text(rule.high)}"


def _not_numeric(rule: Rule, row: feature_audit.FeatureRow) -> _Judgement:
    reason = f"the column holds {'text' if row.kind == 'text' else 'categories'}, no numbers"
    return _Judgement(judged="not checked", expected=_expected_text(rule), observed=reason, reason=reason)


def _within(rule: Rule, value: float, observed: str, *, expected: str | None = None) -> _Judgement:
    low = -np.inf if rule.low is None else rule.low
    high = np.inf if rule.high is None else rule.high
    return _Judgement(
        judged="meets" if low <= value <= high else "violates",
        expected=expected or _expected_text(rule),
        observed=observed,
        estimate=float(value),
    )


def _range(context: FeatureContext, rule: Rule) -> _Judgement:
    row = context.counts.row
    if row.min is None or row.max is None or rule.low is None or rule.high is None:
        return _not_numeric(rule, row)
    outside = [value for value in (row.min, row.max) if not rule.low <= value <= rule.high]
    return _Judgement(
        judged="violates" if outside else "meets",
        expected=_expected_text(rule, row.kind),
        observed=f"{number_text(row.min, row.kind)} to {number_text(row.max, row.kind)}",
        estimate=outside[0] if outside else row.min,
    )


def _statistic(name: str) -> Callable[[FeatureContext, Rule], _Judgement]:
    def check(context: FeatureContext, rule: Rule) -> _Judgement:
        row = context.counts.row
        value = row.mean if name == "mean" else row.p50
        if value is None:
            return _not_numeric(rule, row)
        return _within(rule, value, number_text(value, row.kind), expected=_expected_text(rule, row.kind))

    return check


def _missing(context: FeatureContext, rule: Rule) -> _Judgement:
    row = context.counts.row
    share = row.missing / max(row.missing + row.n, 1)
    return _within(rule, share, f"{share:.4g} ({row.missing:,} of {row.missing + row.n:,} rows)")


def _zeros(context: FeatureContext, rule: Rule) -> _Judgement:
    row = context.counts.row
    if row.nonzero is None:
        return _not_numeric(rule, row)
    return _within(rule, 1 - row.nonzero, f"{1 - row.nonzero:.4g}")


def _stretch(context: FeatureContext, rule: Rule) -> _Judgement:
    """Judge the share of rows with the most frequent value: quantiles do not move over such a stretch."""
    row, counts = context.counts.row, context.counts
    if row.most_frequent_n is not None:
        share = row.most_frequent_n / row.n
        which = "" if row.most_frequent is None else f" (the value {row.most_frequent})"
        return _within(rule, share, f"{share:.4g}{which}")
    totals = counts.totals if counts.totals is not None else ()
    alone = [(n, low) for (low, high), n in zip(counts.ends, totals, strict=True) if low == high]
    n, value = max(alone, default=(0, 0.0))
    return _within(rule, n / row.n, f"{n / row.n:.4g} (the value {number_text(value, row.kind)})")


def _distinct(context: FeatureContext, rule: Rule) -> _Judgement:
    row = context.counts.row
    if row.distinct is None:
        reason = "its different numbers are too many, or too large, to be counted"
        return _Judgement(judged="not checked", expected=_expected_text(rule), observed=reason, reason=reason)
    return _within(rule, row.distinct, f"{row.distinct:,}")


def _values(context: FeatureContext, rule: Rule) -> _Judgement:
    levels = context.counts.levels
    expected = ", ".join(rule.values)
    if levels is None:
        reason = "it has more than 1,000 different values"
        return _Judgement(judged="violates", expected=expected, observed=reason, estimate=0.0, reason=reason)
    yes = {1.0: "yes", 0.0: "no"} if context.counts.row.kind == "yes/no" else {}
    values = [yes.get(level) or (f"{level:g}" if isinstance(level, float) else str(level)) for level in levels]
    known = {value.casefold() for value in rule.values} | ({"1", "0", "true", "false"} if yes else set())
    others = [value for value in values if value.casefold() not in known]
    more = "" if len(others) <= 3 else f" and {len(others) - 3:,} more"
    return _Judgement(
        judged="violates" if others else "meets",
        expected=expected,
        observed=f"also {', '.join(others[:3])}{more}" if others else f"{len(values):,} of them",
        estimate=float(len(others)),
    )


def _monotone(context: FeatureContext, rule: Rule) -> _Judgement:
    row = context.counts.row
    other = rule.with_column or context.label
    expected = f"{'rising' if rule.rising else 'falling'} with {other}"
    reason = None
    if other is None:
        reason, expected = "no label is named: give label in the file, or with = a column", "monotone"
    elif row.p50 is None:
        reason = "the column holds text or categories, which have no order"
    elif other not in context.relations:
        reason = f"{other} holds text or several classes, which have no order"
    if reason is not None or other is None:
        return _Judgement(judged="not checked", expected=expected, observed=reason or "", reason=reason or "")
    result = trend(context.relations[other], rising=bool(rule.rising))
    judged_as: feature_audit.ExpectationResult = (
        "not shown" if result.holds is None else "meets" if result.holds else "violates"
    )
    return _Judgement(judged=judged_as, expected=expected, observed=result.summary, estimate=result.correlation)


def _proxy(context: FeatureContext, rule: Rule) -> _Judgement:
    strongest = context.proxy
    if strongest is None or strongest.estimate is None:
        reason = "no protected attribute is given, or none could be compared with it"
        return _Judgement(judged="not checked", expected=_expected_text(rule), observed=reason, reason=reason)
    group = " ".join(strongest.focal.values())
    assert isinstance(strongest.details, feature_audit.Proxy)
    return _within(rule, strongest.estimate, f"AUC {strongest.estimate:.3f} for {group}")


def _drift(context: FeatureContext, rule: Rule) -> _Judgement:
    drift = context.drift
    if drift is None or drift.estimate is None:
        reason = "no table to compare with was given" if drift is None else drift.reason or ""
        return _Judgement(judged="not checked", expected=_expected_text(rule), observed=reason, reason=reason)
    details = feature_audit.Drifted.of(drift)
    chance = "" if details.beyond_chance else ", within what chance alone makes"
    return _within(rule, drift.estimate, f"{drift.estimate:.4f}{chance}")


_JUDGES: Final[Mapping[str, Callable[[FeatureContext, Rule], _Judgement]]] = {
    "range": _range,
    "missing": _missing,
    "zeros": _zeros,
    "constant_stretch": _stretch,
    "distinct": _distinct,
    "values": _values,
    "mean": _statistic("mean"),
    "median": _statistic("median"),
    "monotone": _monotone,
    "proxy": _proxy,
    "drift": _drift,
}


@dataclass(frozen=True, kw_only=True)
class FeatureFacts:
    """The facts about all features: counts, equal columns, people by attribute and group, relations, expectations."""

    features: Sequence[feature_audit.FeatureCounts]
    same: Mapping[str, Sequence[str]]
    sizes: Mapping[str, Mapping[str, int]]
    relations: Mapping[tuple[str, str], Relation]
    expectations: Expectations
    protected: Sequence[str]
    label: str | None = None
    label_classes: str | None = None
    joint: Sequence[Finding] = field(default=())


def feature_findings(facts: FeatureFacts, *, confidence: float, seed: int) -> list[Finding]:
    """Return joint proxies, then each feature's verdicts, proxies and drift, then the representation of groups."""
    findings = list(facts.joint)
    attributes = [name for name in facts.sizes if name != facts.label_classes]
    for feature in facts.features:
        proxies = [
            finding
            for attribute in attributes
            if attribute in feature.by and attribute != feature.row.feature
            for finding in proxy_findings(feature, attribute, confidence=confidence, seed=seed)
        ]
        drift = drift_findings(feature)
        estimated = [finding for finding in proxies if finding.estimate is not None]
        label = None
        if facts.label_classes is not None and feature.row.feature != facts.label_classes:
            label = label_finding(feature, facts.label_classes, confidence=confidence, seed=seed)
        name = feature.row.feature
        context = FeatureContext(
            counts=feature,
            label=facts.label,
            label_auc=None if label is None else label.estimate,
            same_as=facts.same.get(name, ()),
            protected=facts.protected,
            proxy=max(estimated, key=lambda finding: finding.estimate or 0.0, default=None),
            drift=next((finding for finding in drift if finding.measure == PSI), None),
            relations={other: relation for (source, other), relation in facts.relations.items() if source == name},
        )
        findings += checked_by_default(context)
        findings += [rule_finding(context, rule) for rule in facts.expectations.of(name)]
        findings += [*proxies, *([] if label is None else [label]), *drift]
    for attribute in attributes:
        shares = facts.expectations.shares.get(attribute)
        findings += representation_findings(attribute, facts.sizes[attribute], shares, confidence=confidence, seed=seed)
    return uniquely_named(with_tests(findings))


def feature_table(features: Sequence[feature_audit.FeatureCounts], findings: Sequence[Finding]) -> pl.DataFrame:
    """Return features.csv: a row per feature, with its verdict and the reasons for it."""
    verdicts: dict[str, list[feature_audit.Expected]] = {}
    for finding in findings:
        if finding.measure == EXPECTATION and isinstance(finding.details, feature_audit.Expected):
            verdicts.setdefault(finding.slice["feature"], []).append(finding.details)
    rows = []
    for feature in features:
        expectations = verdicts.get(feature.row.feature, [])
        row = {name: getattr(feature.row, name) for name in FEATURES if hasattr(feature.row, name)}
        wrong = [expectation for expectation in expectations if expectation.judged == "violates"]
        reasons = "; ".join(f"expected {expectation.expected}: {expectation.observed}" for expectation in wrong)
        rows.append(
            {**row, "verdict": verdict_of(expectations), "reasons": reasons or None, "note": feature.row.note or None}
        )
    return pl.DataFrame(rows, schema=FEATURES)


def verdict_of(expectations: Sequence[feature_audit.Expected]) -> str:
    """Return the verdict on a feature: the worst of its expectations, `not checked` without any."""
    results = {expectation.judged for expectation in expectations}
    return next((verdict for verdict in ("violates", "not shown", "meets") if verdict in results), "not checked")


def proxy_table(findings: Sequence[Finding]) -> pl.DataFrame:
    """Return proxies.csv: a row per feature, attribute and group."""
    rows = []
    for finding in findings:
        if finding.measure in {PROXY, LABEL_POWER}:
            details = feature_audit.Proxy.of(finding)
            attribute, group = next(iter(finding.focal.items()))
            rows.append(
                {
                    "feature": finding.slice["feature"],
                    "attribute": attribute,
                    "group": group,
                    "direction": details.direction or None,
                    "auc": finding.estimate,
                    "low": finding.low,
                    "high": finding.high,
                    "n_group": details.n_group,
                    "n_rest": details.n_rest,
                    "method": finding.method,
                    "reason": finding.reason,
                }
            )
    return pl.DataFrame(rows, schema=PROXIES)
