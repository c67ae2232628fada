"""The page of a table of features: what to check first, distributions, proxies, expectations, drift, representation."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from math import isfinite
from shlex import quote
from typing import Final

from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.intervals import IntervalRow, interval_chart
from evenhand.report.page import parts as page_parts
from evenhand.report.page.contents import FEATURES, Definition, Page, set_up
from evenhand.report.probe.summary import MOST_STEPS
from evenhand.report.words import numbers, results
from evenhand.results.feature_audit import Drifted, Expected, FeatureRow, FeaturesAudit, FreeText, Proxy, Represented
from evenhand.results.finding import Finding, copied
from evenhand.results.table_groups import FeatureGroups, feature_of

#: Areas under the ROC curve.
AREA: Final = numbers.PLAIN
#: AUC above which, with its whole interval, a feature counts as a strong proxy of a group.
PREDICTS: Final = 0.6
_FIRST_DAY: Final = date(1970, 1, 1).toordinal()


def _figure_text(value: float | None, kind: str = "number") -> str:
    """Return a number of any size, a day as a date.

    >>> _figure_text(0.287), _figure_text(0.0, "date"), _figure_text(None)
    ('0.287', '1970-01-01', '–')
    """
    day = None if value is None or kind != "date" or not isfinite(value) else _FIRST_DAY + round(value)
    if day is not None and 1 <= day <= date.max.toordinal():
        return date.fromordinal(day).isoformat()
    return numbers.significant_text(value)


def auc_text(finding: Finding) -> str:
    """Return how well a feature predicts a group: the area with its interval.

    An attribute with two groups is named by the attribute alone.
    """
    attribute, group = next(iter(finding.focal.items()))
    label = attribute if Proxy.of(finding).groups == 2 else f"{attribute} {group}"
    ends = (
        ""
        if finding.low is None
        else f", {numbers.confidence_text(finding.confidence)} CI {results.interval_text(finding)}"
    )
    p = _undetected_p(finding)
    return f"{label} (AUC {AREA.number(finding.estimate)}{ends}{f'; {p}' if p else ''})"


def _undetected_p(finding: Finding) -> str:
    """Return the p of what is no difference, which the interval alone may seem to be; '' of another finding."""
    if finding.claim is None or finding.claim.p is None or finding.is_difference:
        return ""
    return results.corrected_p(finding.claim)


def which_end(finding: Finding) -> str:
    """Return which values go with the group."""
    direction = Proxy.of(finding).direction
    return "" if not direction else f"{direction} values: {next(iter(finding.focal.values()))}"


def proxy_label(finding: Finding) -> str:
    """Return a feature and the group it predicts."""
    attribute, group = next(iter(finding.focal.items()))
    label = attribute if Proxy.of(finding).groups == 2 else f"{attribute} {group}"
    return f"{feature_of(finding) or 'all features'} → {label}"


def proxies_figure(findings: Sequence[Finding], *, title: str) -> page_parts.Figure:
    """Return areas drawn as intervals."""
    rows = [
        IntervalRow(
            label=proxy_label(finding),
            **copied(finding, "estimate low high"),
            text=f"{proxy_label(finding)}: {AREA.number(finding.estimate)} ({results.interval_text(finding)})",
        )
        for finding in findings
        if finding.estimate is not None
    ]
    lines = [MarkedLine(value=0.5, text="by chance")]
    return page_parts.Figure(
        title=title,
        note="Dots are areas under the ROC curve (AUC), lines their confidence intervals.",
        chart=lambda width: interval_chart(rows, title="AUC", width=width, lines=lines),
        tables=[],
    )


#: The usual rule of thumb: an index from here on is a moderate change, where chance alone does not make it.
MOVED: Final = 0.1
#: Rows of the summary's table, and intervals drawn there.
MOST_ROWS: Final = 12
MOST_SUMMARY_PLOTTED: Final = 10
#: Comparisons that a sentence names; it counts the others.
MOST_NAMED: Final = 3
#: AUC without any association.
CHANCE: Final = 0.5
LEVEL: Final = 0.05
#: Verdicts on a feature, the worst first, and how many have it.
_VERDICTS: Final = {
    "violates": "violated by",
    "not shown": "not shown for",
    "meets": "met by",
    "not checked": "not checked for",
}


def features_summary(groups: FeatureGroups, audit: FeaturesAudit) -> page_parts.PageSummary:
    """Return the first screen."""
    reasons = reasons_of(groups, audit)
    listed = list(reasons.items())[:MOST_ROWS]
    left = len(reasons) - len(listed)
    more = f" {left} more are in the chapters." if left else ""
    tables = []
    if listed:
        caption = f"{numbers.counted(len(reasons), 'feature')} to look at first"
        rows = [(name, "; ".join(reasons_text)) for name, reasons_text in listed]
        tables.append(page_parts.table(caption, ("Feature", "Needs a look because"), rows))
    sentences = [
        f"{_counted(groups, audit, len(reasons))}{more}",
        *proxy_sentences(groups, audit),
        *_free_text_sentences(audit),
        *_least_represented(groups),
    ]
    drawn = [finding for finding in (*groups.joint, *groups.proxies) if finding.estimate is not None][
        :MOST_SUMMARY_PLOTTED
    ]
    figures = [proxies_figure(drawn, title="Features that predict protected attributes")] if drawn else []
    return page_parts.PageSummary(
        sentences=sentences, tables=tables, figures=figures, steps=_steps(groups, audit)[:MOST_STEPS]
    )


def reasons_of(groups: FeatureGroups, audit: FeaturesAudit) -> dict[str, list[str]]:
    """Return why features need a look, those that violate expectations first, then the strongest proxies."""
    reasons: dict[str, list[str]] = {}
    flagged = {
        (feature_of(finding), finding.estimate) for finding in groups.violated if finding.slice["rule"] == "proxy"
    }
    for finding in groups.violated:
        details = Expected.of(finding)
        stated = f"{finding.slice['rule']} {details.observed}, expected {details.expected}"
        reason = f", {details.why}" if details.why else ""
        reasons.setdefault(feature_of(finding), []).append(stated if details.stated else f"{details.observed}{reason}")
    for finding in groups.stated:
        if Expected.of(finding).judged == "not shown":
            details = Expected.of(finding)
            reasons.setdefault(feature_of(finding), []).append(f"expected {details.expected}, {details.observed}")
    for finding in _best(groups.proxies, groups.other_proxies):
        if _strong(finding) and (feature_of(finding), finding.estimate) not in flagged:
            end = f", {which_end(finding)}" if which_end(finding) else ""
            reasons.setdefault(feature_of(finding), []).append(f"predicts {auc_text(finding)}{end}")
    for name, (index, _) in groups.drift.items():
        if Drifted.of(index).beyond_chance and (index.estimate or 0.0) >= MOVED:
            reasons.setdefault(name, []).append(f"moved from {audit.compared_with}, PSI {AREA.number(index.estimate)}")
    for text in audit.free_text:
        if text.touched:
            reasons.setdefault(text.feature, []).append(f"masking finds {_categories(text)} in its text")
    return reasons


def _strong(proxy: Finding) -> bool:
    """Return whether it predicts the group and the interval lies above the threshold, without one the estimate."""
    least = proxy.estimate if proxy.low is None else proxy.low
    return _predicts(proxy) and least is not None and least > PREDICTS


def _categories(text: FreeText) -> str:
    return results.listing([name for name, _ in sorted(text.found.items(), key=lambda item: -item[1])][:4])


def _counted(groups: FeatureGroups, audit: FeaturesAudit, looks: int) -> str:
    """Return the number of features and the verdicts."""
    size = f"{numbers.counted(len(audit.features), 'feature')} of {numbers.counted(audit.rows, 'row')}"
    need = f"{looks or 'none'} of them {'need' if looks > 1 else 'needs'} a look"
    if not groups.stated:
        return f"{size}: {need}. No expectations were stated, so only the checks that need none were made."
    by_feature: dict[str, set[str | None]] = {}
    for finding in groups.stated:
        by_feature.setdefault(feature_of(finding), set()).add(Expected.of(finding).judged)
    worst = Counter(next(verdict for verdict in _VERDICTS if verdict in verdicts) for verdicts in by_feature.values())
    verdicts = [f"{words} {worst[verdict]}" for verdict, words in _VERDICTS.items() if worst[verdict]]
    return f"{size}: {need}. Expectations: {', '.join(verdicts)}."


def proxy_sentences(groups: FeatureGroups, audit: FeaturesAudit) -> list[str]:
    """Return what predicts protected attributes, the strongest first, and what was not detected or judged."""
    return [*_detected(groups), *_undetected(groups), *_jointly(groups, audit), *_unjudged(groups)]


def _undetected(groups: FeatureGroups) -> list[str]:
    """Return the strongest proxy of each attribute that no single feature was detected to tell."""
    sentences, seen = [], set()
    for finding in _best(groups.proxies, groups.other_proxies):
        attribute = next(iter(finding.focal))
        if attribute not in seen and not _predicts(finding):
            sentences.append(
                f"No single feature was shown to predict {attribute}; the strongest is {feature_of(finding)}, AUC "
                f"{AREA.number(finding.estimate)}{_ends(finding)}."
            )
        seen.add(attribute)
    return sentences


def _detected(groups: FeatureGroups) -> list[str]:
    """Return what was detected to tell a group, the largest AUC first.

    Of all features jointly the best-predicted groups have a sentence of their own.
    """
    named = {finding.name for finding in _best(groups.joint, groups.other_joint)}
    planned = (*groups.joint, *groups.other_joint, *groups.proxies, *groups.other_proxies)
    more = sorted(
        (finding for finding in planned if _predicts(finding) and finding.name not in named),
        key=lambda finding: -(finding.estimate or 0.0),
    )
    texts = [
        f"{f'{feature_of(finding)} predicts' if feature_of(finding) else 'all features predict'} {auc_text(finding)}"
        for finding in more[:MOST_NAMED]
    ]
    texts += [f"{len(more) - MOST_NAMED:,} more"] if len(more) > MOST_NAMED else []
    return [f"{results.listing(texts)}."] if texts else []


def _unjudged(groups: FeatureGroups) -> list[str]:
    """Return the planned comparisons without a p, of groups of some size, with the reasons."""
    planned = (*groups.joint, *groups.other_joint, *groups.proxies, *groups.other_proxies)
    lacking = [
        finding
        for finding in planned
        if finding.claim is not None and finding.claim.p is None and finding.claim.is_large(finding.n)
    ]
    texts = [
        f"{proxy_label(finding)} ({results.sentence_case((finding.reason or 'no p').rstrip('.'))})"
        for finding in lacking
    ]
    more = len(texts) - MOST_NAMED
    texts = [*texts[:MOST_NAMED], *([f"{more:,} more"] if more > 0 else [])]
    return [f"Not judged: {results.listing(texts)}."] if texts else []


def _ends(finding: Finding) -> str:
    ends = (
        "" if finding.low is None else f"{100 * finding.confidence:g} % CI {AREA.interval(finding.low, finding.high)}"
    )
    parts = "; ".join(part for part in (ends, _undetected_p(finding)) if part)
    return f" ({parts})" if parts else ""


def _jointly(groups: FeatureGroups, audit: FeaturesAudit) -> list[str]:
    """Return how well all features together predict groups, or why that is not known."""
    known = _best(groups.joint, groups.other_joint)
    if not known:
        reason = audit.joint.reason or next((finding.reason for finding in groups.joint), None)
        return (
            [f"The joint prediction of groups from all features was not computed. {reason}"] if audit.attributes else []
        )
    rows = "Each row" if audit.joint.rows == audit.rows else f"Each of {audit.joint.rows:,} sampled rows"
    features = numbers.counted(len(audit.joint.features), "feature")
    clear = [auc_text(finding) for finding in known if _predicts(finding)]
    unclear = [auc_text(finding) for finding in known if not _predicts(finding)]
    sentences = [f"{features} jointly predict {results.listing(clear)}"] if clear else []
    if unclear:
        sentences.append(
            f"{'' if clear else f'{features} jointly: '}no statistically significant prediction was detected of "
            f"{results.listing(unclear)}"
        )
    return [f"{'; '.join(sentences)}. {rows} was predicted by a model that had not seen it."]


def _best(leading: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
    """Return the best-predicted group of each feature and attribute, significant ones before others.

    A small group may have the largest AUC by chance alone.
    """
    known = [finding for finding in (*leading, *others) if finding.estimate is not None]
    best: dict[tuple[str, str], Finding] = {}
    for finding in sorted(
        known, key=lambda finding: (not _strong(finding), not _predicts(finding), -(finding.estimate or 0.0))
    ):
        best.setdefault((feature_of(finding), next(iter(finding.focal))), finding)
    return list(best.values())


def _predicts(finding: Finding) -> bool:
    """Return whether more than chance was detected."""
    return finding.is_difference and (finding.estimate or 0.0) > CHANCE


def _free_text_sentences(audit: FeaturesAudit) -> list[str]:
    touched = [text for text in audit.free_text if text.touched]
    if not audit.free_text:
        return []
    scanned = results.listing([text.feature for text in audit.free_text][:5])
    if not touched:
        cells = max(text.cells for text in audit.free_text)
        return [f"Masking found nothing to keep out in up to {numbers.counted(cells, 'cell')} of {scanned}."]
    worst = max(touched, key=lambda text: text.touched / text.cells)
    return [
        f"Masking would keep {_categories(worst)} out of {worst.feature} (in {worst.touched:,} of "
        f"{numbers.counted(worst.cells, 'cell')} scanned)."
    ]


def _least_represented(groups: FeatureGroups) -> list[str]:
    """Return, per attribute, the group whose share differs most from its reference."""
    sentences = []
    for attribute, rows in groups.shares.items():
        claim = groups.sizes[attribute].claim
        if claim is None or claim.p is None:
            continue
        off = max(rows, key=lambda finding: abs((finding.estimate or 0.0) - (finding.null_value or 0.0)))
        group = off.focal[attribute]
        share = numbers.percent_text(Represented.of(off).stated_share)
        if groups.sizes[attribute].is_difference:
            sentences.append(
                f"{group}: {numbers.percent_text(off.estimate)} of the rows, {share} in the reference; the "
                f"groups of {attribute} differ from it statistically significantly ({results.corrected_p(claim)})."
            )
        else:
            sentences.append(
                f"No difference of {attribute} from its reference was detected ({results.corrected_p(claim)})."
            )
    return sentences


def _steps(groups: FeatureGroups, audit: FeaturesAudit) -> list[page_parts.NextStep]:
    steps = []
    strong = [finding for finding in _best(groups.proxies, groups.other_proxies) if _strong(finding)]
    if strong:
        name = feature_of(strong[0])
        steps.append(
            page_parts.NextStep(
                question=f"How well do the other features predict the groups? Leave {name} out.",
                command=f"{audit.reproduce} --without {quote(name)}" if "--without" not in audit.reproduce else "",
            )
        )
    if not audit.attributes:
        steps.append(
            page_parts.NextStep(question="Do features predict a protected group? Give its column with --protected.")
        )
    if not groups.stated:
        steps.append(
            page_parts.NextStep(
                question="What should each feature look like? Write it down, and give it with --expect."
            )
        )
    if audit.compared_with is None:
        steps.append(
            page_parts.NextStep(question="Have the features drifted since? Give an earlier table with --compare-with.")
        )
    return steps


#: Intervals that are drawn; the table has more.
MOST_FEATURES_PLOTTED: Final = 30
MOST_FEATURE_ROWS: Final = 200

STABILITY_INDEX: Final = numbers.Scale(decimals=4)


def features_sections(groups: FeatureGroups, audit: FeaturesAudit) -> list[page_parts.Section]:
    """Return the sections in reading order."""
    sections = [
        _distributions(audit),
        proxies_section(groups, audit),
        expectations_section(groups),
        _labels(groups, audit),
        _drift(groups, audit),
        _free_text_section(audit),
        _representation_section(groups, audit),
    ]
    return [section for section in sections if section is not None]


def _distributions(audit: FeaturesAudit) -> page_parts.Section:
    numeric_rows = [row for row in audit.features if row.numeric and row.n]
    others = [row for row in audit.features if not row.numeric or not row.n]
    parts = []
    if numeric_rows:
        heads = ("10p", "30p", "50p", "70p", "90p", "min", "max", "mean")
        columns: dict[str, Callable[[FeatureRow], str]] = {"Feature": lambda row: row.feature}
        for head in heads:
            name = f"p{head.removesuffix('p')}" if head.endswith("p") else head
            columns[head] = lambda row, name=name: _figure_text(getattr(row, name), row.kind)  # type: ignore[misc]
        columns |= {
            "stddev": lambda row: _figure_text(row.stddev),
            "% nonzero": lambda row: numbers.percent_text(row.nonzero).removesuffix(" %"),
            "missing": lambda row: numbers.count_text(row.missing),
            "Note": lambda row: row.note,
        }
        parts.append(
            page_parts.Part(tables=[page_parts.table_of(numeric_rows, columns, caption="Numbers, days, yes and no")])
        )
    if others:
        columns = {
            "Feature": lambda row: row.feature,
            "Kind": lambda row: row.kind,
            "distinct": lambda row: _count(row.distinct),
            "Most frequent": lambda row: _short(row.most_frequent),
            "its rows": lambda row: _count(row.most_frequent_n),
            "missing": lambda row: numbers.count_text(row.missing),
            "Note": lambda row: row.note,
        }
        parts.append(page_parts.Part(tables=[page_parts.table_of(others, columns, caption="Categories and text")]))
    days = " stddev is in days." if any(row.kind == "date" for row in numeric_rows) else ""
    text = (
        f"10p to 90p are percentiles, exact over all {numbers.count_text(audit.rows)} rows; % nonzero is "
        f"of cells that hold a "
        f"value.{days}"
    )
    return page_parts.Section(
        name="distributions", heading="Feature distributions", text=[text, *audit.notes], parts=parts
    )


def _short(text: str | None) -> str:
    if text is None:
        return numbers.ABSENT
    return text if len(text) <= 40 else f"{text[:39]}…"


def proxies_section(groups: FeatureGroups, audit: FeaturesAudit) -> page_parts.Section | None:
    """Return how well features predict protected attributes; None where none was named."""
    rows = [*groups.joint, *groups.proxies]
    if not rows:
        return None
    known = [finding for finding in rows if finding.estimate is not None]
    others = [*groups.other_joint, *groups.other_proxies]

    columns = {
        "Feature → attribute": proxy_label,
        "AUC": lambda finding: AREA.number(finding.estimate),
        **page_parts.columns_of(rows, page_parts.CI),
        **page_parts.columns_of(rows, "p, adjusted"),
        "Which values": which_end,
        "In the group": lambda finding: _count(Proxy.of(finding).n_group),
        "Out of it": lambda finding: _count(Proxy.of(finding).n_rest),
        "Note": lambda finding: finding.reason or "",
    }

    text = [
        "The AUC is the probability that a feature ranks a person of the group above a person of another group: 0.5 "
        "is chance, 1 a perfect prediction. Of several groups, the table has the one that is predicted best.",
        "p is that of an AUC of 0.5, adjusted by Holm over the planned comparisons of this run. Where values have no "
        "order, an AUC below 0.5 is not a prediction, and p is 1.",
        *(_joint_text(audit)),
        *(f"{attribute.attribute} was {attribute.told}." for attribute in audit.attributes if attribute.told),
    ]
    parts = [
        page_parts.Part(
            figures=[proxies_figure(known[:MOST_FEATURES_PLOTTED], title="Features that predict protected attributes")]
        )
        if known
        else page_parts.Part(),
        page_parts.Part(
            tables=[page_parts.table_of(rows[:MOST_FEATURE_ROWS], columns, caption="Every feature and attribute")]
        ),
    ]
    if others:
        listed = page_parts.table_of(others[:MOST_FEATURE_ROWS], columns, caption="The other groups")
        parts.append(page_parts.Part(heading=f"The other groups ({len(others):,})", tables=[listed], folded=True))
    if max(len(rows), len(others)) > MOST_FEATURE_ROWS:
        text.append(f"The tables hold {MOST_FEATURE_ROWS} rows; proxies.csv has all.")
    return page_parts.Section(name="proxies", heading="Proxies of protected attributes", text=text, parts=parts)


def _count(n: int | None) -> str:
    return numbers.ABSENT if n is None else numbers.count_text(n)


def _joint_text(audit: FeaturesAudit) -> list[str]:
    joint = audit.joint
    if joint.reason is not None:
        return [f"The joint prediction of groups from all features was not computed. {joint.reason}"]
    omitted = ""
    if joint.left_out:
        omitted = (
            f" Left out: {results.listing(list(joint.left_out[:8]))}{' and others' if len(joint.left_out) > 8 else ''}."
        )
    return [
        f"All features jointly: gradient-boosted trees on {numbers.counted(joint.rows, 'row')} of "
        f"{numbers.count_text(joint.of)}, each "
        f"predicted by a model of the other {joint.folds - 1} of {joint.folds} parts.{omitted}"
    ]


def expectations_section(groups: FeatureGroups) -> page_parts.Section | None:
    """Return the verdicts on features; None without any."""
    rows = [*groups.violated, *groups.others]
    if not rows:
        return None
    columns: dict[str, Callable[[Finding], str]] = {
        "Feature": feature_of,
        "Rule": lambda finding: finding.slice["rule"].replace("_", " "),
        "Verdict": lambda finding: Expected.of(finding).judged or "",
        "Expected": lambda finding: Expected.of(finding).expected or "",
        "Found": lambda finding: Expected.of(finding).observed or "",
        "Note": lambda finding: detail.why or "" if (detail := Expected.of(finding)).why != detail.observed else "",
    }
    text = [
        "Without a file, evenhand looks for columns that are empty, hold one value, equal another one, or predict the "
        "label almost without error."
    ]
    return page_parts.Section(
        name="expectations",
        heading="Expectations",
        text=text,
        parts=[
            page_parts.Part(tables=[page_parts.table_of(rows, columns, caption="Each expectation and what was found")])
        ],
    )


def _labels(groups: FeatureGroups, audit: FeaturesAudit) -> page_parts.Section | None:
    rows = list(groups.labels)
    if not rows:
        return None
    columns = {
        "Feature": feature_of,
        "AUC": lambda finding: AREA.number(finding.estimate),
        **page_parts.columns_of(rows, page_parts.CI),
        "Which values": which_end,
        "Note": lambda finding: finding.reason or "",
    }
    return page_parts.Section(
        name="label",
        heading=f"How well features predict {audit.label}",
        text=["A feature that predicts the label perfectly may be derived from it."],
        parts=[page_parts.Part(tables=[page_parts.table_of(rows, columns, caption=f"AUC for {audit.label}")])],
    )


def _drift(groups: FeatureGroups, audit: FeaturesAudit) -> page_parts.Section | None:
    if not groups.drift:
        return None
    columns: dict[str, Callable[[tuple[str, tuple[Finding, Finding | None]]], str]] = {
        "Feature": lambda row: row[0],
        "PSI": lambda row: STABILITY_INDEX.number(row[1][0].estimate),
        "by chance below": lambda row: STABILITY_INDEX.number(Drifted.of(row[1][0]).limit),
        "p": lambda row: numbers.p_text(row[1][0].tests[0].p if row[1][0].tests else None),
        "Largest distance": lambda row: results.estimate_text(row[1][1]),
        "chance below": lambda row: numbers.percent_text(Drifted.of(row[1][1]).limit if row[1][1] else None),
        "bins": lambda row: _count(Drifted.of(row[1][0]).bins),
        "Note": lambda row: row[1][0].reason or "",
    }
    text = (
        f"Compared with {numbers.counted(audit.rows_compared or 0, 'row')} of {audit.compared_with}. The "
        f"population stability "
        "index (PSI) lacks its bias, (bins − 1)(1/n + 1/m); what chance makes in 99 of 100 such tables is in the next "
        "column. The largest distance is that of the cumulative shares (Kolmogorov–Smirnov)."
    )
    listed = page_parts.table_of(groups.drift.items(), columns, caption="Drift of each feature")
    return page_parts.Section(name="drift", heading="Drift", text=[text], parts=[page_parts.Part(tables=[listed])])


def _free_text_section(audit: FeaturesAudit) -> page_parts.Section | None:
    if not audit.free_text:
        return None
    rows = audit.free_text
    names = list(dict.fromkeys(name for text in rows for name in text.found))
    columns: dict[str, Callable[[FreeText], str]] = {
        "Feature": lambda text: text.feature,
        "cells scanned": lambda text: numbers.count_text(text.cells),
        "with a finding": lambda text: numbers.count_text(text.touched),
        **{name: lambda text, name=name: _count(text.found.get(name)) for name in names},  # type: ignore[misc]
    }
    return page_parts.Section(
        name="free-text",
        heading="Columns that masking keeps out of training",
        text=["Text of more than 50 different values was scanned as evenhand mask does, all categories included."],
        parts=[
            page_parts.Part(tables=[page_parts.table_of(rows, columns, caption="Cells in which a category was found")])
        ],
    )


def _representation_section(groups: FeatureGroups, audit: FeaturesAudit) -> page_parts.Section | None:
    if not groups.shares:
        return None
    parts = []
    unknown = {attribute.attribute: attribute.unknown for attribute in audit.attributes}
    for attribute, rows in groups.shares.items():
        size = groups.sizes[attribute]
        columns = {
            "Group": lambda finding: next(iter(finding.focal.values())),
            "people": lambda finding: _count(Represented.of(finding).people),
            "share": lambda finding: numbers.percent_text(finding.estimate),
            **page_parts.columns_of(rows, page_parts.CI),
            "reference": lambda finding: numbers.percent_text(Represented.of(finding).stated_share),
            "p, exact": lambda finding: numbers.p_text(Represented.of(finding).p_exact),
        }
        text = []
        if size.estimate is not None:
            target = "to the reference" if size.tests else "so that all groups have the same weight"
            text.append(
                f"Weighted {target}, {numbers.counted(size.n, 'row')} have an effective sample "
                f"size of {numbers.Scale(decimals=0).number(size.estimate)}."
            )
        if size.tests:
            text.append(f"All groups together: p {numbers.p_text(size.tests[0].p)} ({size.tests[0].name}).")
        if unknown.get(attribute):
            text.append(f"The group of {numbers.counted(unknown[attribute], 'row')} is unknown.")
        parts.append(
            page_parts.Part(
                heading=attribute,
                text=text,
                tables=[page_parts.table_of(rows, columns, caption=f"Groups of {attribute}")],
            )
        )
    return page_parts.Section(name="representation", heading="Who is in the table", parts=parts)


_LISTED_ELSEWHERE: Final = frozenset({"protected", "expect", "label", "compare_with"})
_TERMS: Final = (
    (
        "AUC",
        "The area under the ROC curve: the probability that a person of the group has a higher value than another "
        "person.",
    ),
    (
        "Confidence interval (CI)",
        "The range of values that are compatible with the data (DeLong), if rows are independent.",
    ),
    (
        "Proxy",
        "A feature that predicts a protected attribute, so that a model can use the attribute without having it.",
    ),
    ("PSI", "The population stability index: how far a distribution has moved; 0.1 is often called a moderate change."),
)


def _parameter_rows(audit: FeaturesAudit) -> list[Definition]:
    """Return the set-up, as pairs of a term and its value."""
    rows = [
        ("Table", f"{audit.source}, {numbers.count_text(audit.rows)} rows"),
        ("Features", numbers.count_text(len(audit.features))),
        ("Protected attributes", results.listing([attribute.attribute for attribute in audit.attributes])),
        ("Label", audit.label or ""),
        ("Expectations", audit.expectations or ""),
        ("Compared with", audit.compared_with or ""),
        *(
            (results.capital(results.in_words(key)), numbers.general_text(value))
            for key, value in audit.parameters.items()
            if key not in _LISTED_ELSEWHERE and value is not None
        ),
    ]
    return set_up(rows, audit)


PAGE: Final[Page[FeaturesAudit, FeatureGroups]] = Page(
    opening=lambda content: features_summary(content.groups, content.audit),
    chapters=lambda content: features_sections(content.groups, content.audit),
    asked=lambda content: _parameter_rows(content.audit),
    limits=lambda content: list(content.audit.limits),
    definitions=lambda _content: list(_TERMS),
    text=FEATURES,
)
