"""Whether features are what is expected of them: a verdict with its reason for each expectation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

import numpy as np

from evenhand.findings.scores.features.rules import Rule
from evenhand.findings.scores.features.trends import Relation, trend
from evenhand.tables.audit.features.block import FeatureRow
from evenhand.tables.audit.features.counts import FeatureCounts
from evenhand.tables.audit.features.details import Drifted, Expected, Proxy, Told
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import EXPECTATION

__all__ = ["Seen", "checked_by_default", "judged", "number_text"]

#: From this AUC on a feature tells the label so well that it may be made of it.
LEAK: Final = 0.995


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What is known of a feature besides its counts, for rules that ask for it.

    `same_as` names the columns that hold the same in every row; `relations` are by the name of the other column.
    """

    counts: FeatureCounts
    label: str | None = None
    label_auc: float | None = None
    same_as: Sequence[str] = ()
    protected: Sequence[str] = ()
    proxy: Finding | None = None
    drift: Finding | None = None
    relations: Mapping[str, Relation] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class _Judgement:
    judged: Told
    expected: str
    observed: str
    estimate: float | None = None
    why: str = ""


def number_text(value: float | None, kind: str = "number") -> str:
    """Return a value of a feature as messages name it; days as dates.

    >>> number_text(0.25), number_text(1.0, "date")
    ('0.25', '1970-01-02')
    """
    if value is None:
        return "nothing"
    if kind == "date" and abs(value) < 700_000:
        return date.fromordinal(max(date(1970, 1, 1).toordinal() + round(value), 1)).isoformat()
    return f"{value:,.6g}"


def _finding(seen: Seen, name: str, found: _Judgement, *, stated: bool) -> Finding:
    row = seen.counts.row
    reason = None if found.estimate is not None else found.why or found.observed
    return Finding(
        name=f"{EXPECTATION}_{row.feature}_{name}",
        measure=EXPECTATION,
        slice={"feature": row.feature, "rule": name},
        role="descriptive",
        estimate=found.estimate,
        measured_in="value",
        n=row.n,
        clusters={},
        method="all rows",
        reason=reason,
        details=Expected(
            expected=found.expected,
            observed=found.observed,
            judged=found.judged,
            why=found.why or None,
            stated=stated,
        ),
    )


def checked_by_default(seen: Seen) -> list[Finding]:
    """Return what is wrong with a feature whatever was expected: empty, constant, a copy, or made of the label."""
    row, found = seen.counts.row, []
    if not row.n:
        found.append(("filled", _Judgement(judged="violates", expected="some value", observed="no value in any row")))
    elif row.distinct == 1:
        # Days are counted as numbers; all of their moments are that day.
        value = row.most_frequent if row.kind != "date" or row.min is None else number_text(row.min, row.kind)
        told = f"{value} in {_all(row)}"
        found.append(("varies", _Judgement(judged="violates", expected="more than one value", observed=told)))
    for other in seen.same_as if row.n and row.distinct != 1 else ():
        what = (
            "the label" if other == seen.label else "a protected attribute" if other in seen.protected else "a feature"
        )
        told = f"equal to {other}, {what}, in every row"
        rule = "label" if other == seen.label else "protected" if other in seen.protected else "duplicate"
        found.append((rule, _Judgement(judged="violates", expected="a column of its own", observed=told)))
    if row.feature in seen.protected:
        told = "it is a protected attribute"
        found.append(("protected", _Judgement(judged="violates", expected="no protected attribute", observed=told)))
    if seen.label_auc is not None and seen.label_auc >= LEAK and seen.label not in seen.same_as:
        told = f"tells {seen.label} at AUC {seen.label_auc:.3f}"
        judged = _Judgement(
            judged="violates",
            expected=f"an AUC below {LEAK} for the label",
            observed=told,
            estimate=seen.label_auc,
            why="it may be made of the label, or be known only after it",
        )
        found.append(("label", judged))
    return [_finding(seen, name, judged, stated=False) for name, judged in found]


def _all(row: FeatureRow) -> str:
    return "every row" if not row.missing else f"all {row.n:,} rows that have a value"


def judged(seen: Seen, rule: Rule) -> Finding:
    """Return the verdict on a feature by one rule that the user stated."""
    found = _JUDGES[rule.name](seen, rule) if seen.counts.row.n or rule.name == "missing" else None
    found = found or _Judgement(judged="not checked", expected=_told(rule), observed="the column is empty")
    return _finding(seen, rule.name, found, stated=True)


def _told(rule: Rule, kind: str = "number") -> str:
    if rule.low is not None and rule.high is not None:
        return f"{number_text(rule.low, kind)} to {number_text(rule.high, kind)}"
    return f"at most {number_text(rule.high)}"


def _not_numeric(rule: Rule, row: FeatureRow) -> _Judgement:
    why = f"the column holds {'text' if row.kind == 'text' else 'categories'}, no numbers"
    return _Judgement(judged="not checked", expected=_told(rule), observed=why, why=why)


def _within(rule: Rule, value: float, observed: str, *, expected: str | None = None) -> _Judgement:
    low = -np.inf if rule.low is None else rule.low
    high = np.inf if rule.high is None else rule.high
    return _Judgement(
        judged="meets" if low <= value <= high else "violates",
        expected=expected or _told(rule),
        observed=observed,
        estimate=float(value),
    )


def _range(seen: Seen, rule: Rule) -> _Judgement:
    row = seen.counts.row
    if row.min is None or row.max is None or rule.low is None or rule.high is None:
        return _not_numeric(rule, row)
    outside = [each for each in (row.min, row.max) if not rule.low <= each <= rule.high]
    return _Judgement(
        judged="violates" if outside else "meets",
        expected=_told(rule, row.kind),
        observed=f"{number_text(row.min, row.kind)} to {number_text(row.max, row.kind)}",
        estimate=outside[0] if outside else row.min,
    )


def _statistic(name: str) -> Callable[[Seen, Rule], _Judgement]:
    def check(seen: Seen, rule: Rule) -> _Judgement:
        row = seen.counts.row
        value = row.mean if name == "mean" else row.p50
        if value is None:
            return _not_numeric(rule, row)
        return _within(rule, value, number_text(value, row.kind), expected=_told(rule, row.kind))

    return check


def _missing(seen: Seen, rule: Rule) -> _Judgement:
    row = seen.counts.row
    share = row.missing / max(row.missing + row.n, 1)
    return _within(rule, share, f"{share:.4g} ({row.missing:,} of {row.missing + row.n:,} rows)")


def _zeros(seen: Seen, rule: Rule) -> _Judgement:
    row = seen.counts.row
    if row.nonzero is None:
        return _not_numeric(rule, row)
    return _within(rule, 1 - row.nonzero, f"{1 - row.nonzero:.4g}")


def _stretch(seen: Seen, rule: Rule) -> _Judgement:
    """Judge how much of the rows one value holds: the quantiles do not move over such a stretch."""
    row, counts = seen.counts.row, seen.counts
    if row.most_frequent_n is not None:
        share = row.most_frequent_n / row.n
        which = "" if row.most_frequent is None else f" (the value {row.most_frequent})"
        return _within(rule, share, f"{share:.4g}{which}")
    totals = counts.totals if counts.totals is not None else ()
    alone = [(n, low) for (low, high), n in zip(counts.ends, totals, strict=True) if low == high]
    n, value = max(alone, default=(0, 0.0))
    return _within(rule, n / row.n, f"{n / row.n:.4g} (the value {number_text(value, row.kind)})")


def _distinct(seen: Seen, rule: Rule) -> _Judgement:
    row = seen.counts.row
    if row.distinct is None:
        why = "its different numbers are too many, or too large, to be counted"
        return _Judgement(judged="not checked", expected=_told(rule), observed=why, why=why)
    return _within(rule, row.distinct, f"{row.distinct:,}")


def _values(seen: Seen, rule: Rule) -> _Judgement:
    levels = seen.counts.levels
    expected = ", ".join(rule.values)
    if levels is None:
        why = "it has more than 1,000 different values"
        return _Judgement(judged="violates", expected=expected, observed=why, estimate=0.0, why=why)
    yes = {1.0: "yes", 0.0: "no"} if seen.counts.row.kind == "yes/no" else {}
    found = [yes.get(each) or (f"{each:g}" if isinstance(each, float) else str(each)) for each in levels]
    known = {each.casefold() for each in rule.values} | ({"1", "0", "true", "false"} if yes else set())
    others = [each for each in found if each.casefold() not in known]
    more = "" if len(others) <= 3 else f" and {len(others) - 3:,} more"
    return _Judgement(
        judged="violates" if others else "meets",
        expected=expected,
        observed=f"also {', '.join(others[:3])}{more}" if others else f"{len(found):,} of them",
        estimate=float(len(others)),
    )


def _monotone(seen: Seen, rule: Rule) -> _Judgement:
    row = seen.counts.row
    other = rule.with_column or seen.label
    expected = f"{'rising' if rule.rising else 'falling'} with {other}"
    why = None
    if other is None:
        why, expected = "no label is named: give label in the file, or with = a column", "monotone"
    elif row.p50 is None:
        why = "the column holds text or categories, which have no order"
    elif other not in seen.relations:
        why = f"{other} holds text or several classes, which have no order"
    if why is not None or other is None:
        return _Judgement(judged="not checked", expected=expected, observed=why or "", why=why or "")
    found = trend(seen.relations[other], rising=bool(rule.rising))
    judged_as: Told = "not shown" if found.holds is None else "meets" if found.holds else "violates"
    return _Judgement(judged=judged_as, expected=expected, observed=found.told, estimate=found.correlation)


def _proxy(seen: Seen, rule: Rule) -> _Judgement:
    found = seen.proxy
    if found is None or found.estimate is None:
        why = "no protected attribute is named, or none could be held against it"
        return _Judgement(judged="not checked", expected=_told(rule), observed=why, why=why)
    group = " ".join(found.focal.values())
    assert isinstance(found.details, Proxy)
    return _within(rule, found.estimate, f"AUC {found.estimate:.3f} for {group}")


def _drift(seen: Seen, rule: Rule) -> _Judgement:
    found = seen.drift
    if found is None or found.estimate is None:
        why = "no table to compare with was given" if found is None else found.reason or ""
        return _Judgement(judged="not checked", expected=_told(rule), observed=why, why=why)
    details = Drifted.of(found)
    chance = "" if details.beyond_chance else ", within what chance alone makes"
    return _within(rule, found.estimate, f"{found.estimate:.4f}{chance}")


_JUDGES: Final[Mapping[str, Callable[[Seen, Rule], _Judgement]]] = {
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
