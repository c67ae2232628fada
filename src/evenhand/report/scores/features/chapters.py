"""The chapters of a table of features."""

from typing import Final

from evenhand.report.page.parts import Part, Section
from evenhand.report.scores.features.told import (
    AREA,
    figure_text,
    interval,
    percent,
    proxies_figure,
    proxy_label,
    table_of,
    which_end,
)
from evenhand.report.words.numbers import ABSENT, Scale, confidence_text, count_text, counted, p_text
from evenhand.report.words.wording import listing
from evenhand.tables.audit.features.block import FeaturesAudit
from evenhand.tables.audit.features.details import Drifted, Expected, Proxy, Represented
from evenhand.tables.grouped.features import FeatureGroups, feature_of

__all__ = ["expectations_section", "features_chapters", "proxies_section"]

#: Intervals that are drawn; the table has more.
MOST_DRAWN: Final = 30
MOST_ROWS: Final = 200
#: Categories of free text that have a column.
INDEX: Final = Scale(decimals=4)


def features_chapters(groups: FeatureGroups, audit: FeaturesAudit) -> list[Section]:
    """Return the chapters in the order that one reads them."""
    found = [
        _distributions(audit),
        proxies_section(groups, audit),
        expectations_section(groups),
        _labels(groups, audit),
        _drift(groups, audit),
        _free_text(audit),
        _represented(groups, audit),
    ]
    return [section for section in found if section is not None]


def _distributions(audit: FeaturesAudit) -> Section:
    numbers = [row for row in audit.features if row.numeric and row.n]
    others = [row for row in audit.features if not row.numeric or not row.n]
    parts = []
    if numbers:
        columns = {"Feature": [row.feature for row in numbers]}
        for head, name in (("10p", "p10"), ("30p", "p30"), ("50p", "p50"), ("70p", "p70"), ("90p", "p90")):
            columns[head] = [figure_text(getattr(row, name), row.kind) for row in numbers]
        for name in ("min", "max", "mean"):
            columns[name] = [figure_text(getattr(row, name), row.kind) for row in numbers]
        columns["stddev"] = [figure_text(row.stddev) for row in numbers]
        columns["% nonzero"] = [percent(row.nonzero).removesuffix(" %") for row in numbers]
        columns["missing"] = [count_text(row.missing) for row in numbers]
        columns["Note"] = [row.note for row in numbers]
        parts.append(Part(tables=[table_of("Numbers, days, yes and no", columns)]))
    if others:
        columns = {
            "Feature": [row.feature for row in others],
            "Kind": [row.kind for row in others],
            "distinct": [ABSENT if row.distinct is None else count_text(row.distinct) for row in others],
            "Most frequent": [ABSENT if row.most_frequent is None else _short(row.most_frequent) for row in others],
            "its rows": [ABSENT if row.most_frequent_n is None else count_text(row.most_frequent_n) for row in others],
            "missing": [count_text(row.missing) for row in others],
            "Note": [row.note for row in others],
        }
        parts.append(Part(tables=[table_of("Categories and text", columns)]))
    days = " stddev is in days." if any(row.kind == "date" for row in numbers) else ""
    text = (
        f"10p to 90p are percentiles, exact over all {count_text(audit.rows)} rows; % nonzero is of cells that hold a "
        f"value.{days}"
    )
    return Section(name="distributions", heading="Feature distributions", text=[text, *audit.notes], parts=parts)


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def proxies_section(groups: FeatureGroups, audit: FeaturesAudit) -> Section | None:
    """Return how well features tell protected attributes; None where none was named."""
    rows = [*groups.joint, *groups.proxies]
    if not rows:
        return None
    known = [each for each in rows if each.estimate is not None]
    level = confidence_text(rows[0].confidence)
    others = [*groups.other_joint, *groups.other_proxies]

    def columns(which: list) -> dict[str, list[str]]:  # type: ignore[type-arg]
        return {
            "Feature → attribute": [proxy_label(each) for each in which],
            "AUC": [AREA.number(each.estimate) for each in which],
            f"{level} CI": [interval(each) for each in which],
            "p, adjusted": [p_text(each.p_adjusted) for each in which],
            "Which values": [which_end(each) for each in which],
            "In the group": [_count(Proxy.of(each).n_group) for each in which],
            "Out of it": [_count(Proxy.of(each).n_rest) for each in which],
            "Note": [each.reason or "" for each in which],
        }

    text = [
        "The AUC is how often, of two people of whom one is in the group, the feature ranks that one higher: 0.5 is "
        "chance, 1 tells the group without error. Of several groups, the one that is told best stands here.",
        "p is that of an AUC of 0.5, adjusted by Holm for all features and groups of the attribute.",
        *(_joint_text(audit)),
        *(f"{each.attribute} was {each.told}." for each in audit.attributes if each.told),
    ]
    parts = [
        Part(figures=[proxies_figure(known[:MOST_DRAWN], title="How well features tell protected attributes")])
        if known
        else Part(),
        Part(tables=[table_of("Every feature and attribute", columns(rows[:MOST_ROWS]))]),
    ]
    if others:
        table = table_of("The other groups", columns(others[:MOST_ROWS]))
        parts.append(Part(heading=f"The other groups ({len(others):,})", tables=[table], folded=True))
    if max(len(rows), len(others)) > MOST_ROWS:
        text.append(f"The tables hold {MOST_ROWS} rows; proxies.csv has all.")
    return Section(name="proxies", heading="Proxies of protected attributes", text=text, parts=parts)


def _count(n: int | None) -> str:
    return ABSENT if n is None else count_text(n)


def _joint_text(audit: FeaturesAudit) -> list[str]:
    joint = audit.joint
    if joint.reason is not None:
        return [f"How well all features jointly tell a group was not computed. {joint.reason}"]
    left = ""
    if joint.left_out:
        left = f" Left out: {listing(list(joint.left_out[:8]))}{' and others' if len(joint.left_out) > 8 else ''}."
    return [
        f"All features jointly: gradient-boosted trees on {counted(joint.rows, 'row')} of {count_text(joint.of)}, each "
        f"predicted by a model of the other {joint.folds - 1} of {joint.folds} parts.{left}"
    ]


def expectations_section(groups: FeatureGroups) -> Section | None:
    """Return the verdicts on features; None without any."""
    rows = [*groups.violated, *groups.others]
    if not rows:
        return None
    details = [Expected.of(each) for each in rows]
    columns: dict[str, list[str]] = {
        "Feature": [feature_of(each) for each in rows],
        "Rule": [each.slice["rule"].replace("_", " ") for each in rows],
        "Verdict": [each.judged or "" for each in details],
        "Expected": [each.expected or "" for each in details],
        "Found": [each.observed or "" for each in details],
        "Note": [each.why or "" if each.why != each.observed else "" for each in details],
    }
    text = [
        "Without a file are checked: columns that are empty, hold one value, equal another one, or tell the label "
        "without error."
    ]
    return Section(
        name="expectations",
        heading="Expectations",
        text=text,
        parts=[Part(tables=[table_of("Each expectation and what was found", columns)])],
    )


def _labels(groups: FeatureGroups, audit: FeaturesAudit) -> Section | None:
    rows = list(groups.labels)
    if not rows:
        return None
    columns = {
        "Feature": [feature_of(each) for each in rows],
        "AUC": [AREA.number(each.estimate) for each in rows],
        f"{confidence_text(rows[0].confidence)} CI": [interval(each) for each in rows],
        "Which values": [which_end(each) for each in rows],
        "Note": [each.reason or "" for each in rows],
    }
    return Section(
        name="label",
        heading=f"What features tell of {audit.label}",
        text=["A feature that tells the label without error may be made of it."],
        parts=[Part(tables=[table_of(f"AUC for {audit.label}", columns)])],
    )


def _drift(groups: FeatureGroups, audit: FeaturesAudit) -> Section | None:
    if not groups.drift:
        return None
    rows = list(groups.drift.items())
    details = [Drifted.of(index) for _, (index, _) in rows]
    distances = [Drifted() if each is None else Drifted.of(each) for _, (_, each) in rows]
    columns = {
        "Feature": [name for name, _ in rows],
        "PSI": [INDEX.number(index.estimate) for _, (index, _) in rows],
        "by chance below": [INDEX.number(each.limit) for each in details],
        "p": [p_text(index.tests[0].p if index.tests else None) for _, (index, _) in rows],
        "Largest distance": [ABSENT if each is None else percent(each.estimate) for _, (_, each) in rows],
        "chance below": [percent(each.limit) for each in distances],
        "bins": [ABSENT if each.bins is None else count_text(each.bins) for each in details],
        "Note": [index.reason or "" for _, (index, _) in rows],
    }
    text = (
        f"Compared with {counted(audit.rows_compared or 0, 'row')} of {audit.compared_with}. The population stability "
        "index (PSI) lacks its bias, (bins − 1)(1/n + 1/m); what chance makes in 99 of 100 such tables stands beside "
        "it. The largest distance is that of the cumulative shares (Kolmogorov–Smirnov)."
    )
    table = table_of("Drift of each feature", columns)
    return Section(name="drift", heading="Drift", text=[text], parts=[Part(tables=[table])])


def _free_text(audit: FeaturesAudit) -> Section | None:
    if not audit.free_text:
        return None
    rows = audit.free_text
    names = list(dict.fromkeys(name for each in rows for name in each.found))
    columns = {
        "Feature": [each.feature for each in rows],
        "cells scanned": [count_text(each.cells) for each in rows],
        "with a finding": [count_text(each.touched) for each in rows],
        **{name: [count_text(each.found[name]) if name in each.found else ABSENT for each in rows] for name in names},
    }
    return Section(
        name="free-text",
        heading="What masking keeps out of training",
        text=["Text of more than 50 different values was scanned as evenhand mask does, all categories included."],
        parts=[Part(tables=[table_of("Cells in which a category was found", columns)])],
    )


def _represented(groups: FeatureGroups, audit: FeaturesAudit) -> Section | None:
    if not groups.shares:
        return None
    parts = []
    unknown = {each.attribute: each.unknown for each in audit.attributes}
    for attribute, rows in groups.shares.items():
        size = groups.sizes[attribute]
        columns = {
            "Group": [each.focal[attribute] for each in rows],
            "people": [_count(Represented.of(each).people) for each in rows],
            "share": [percent(each.estimate) for each in rows],
            f"{confidence_text(rows[0].confidence)} CI": [
                Scale(factor=100, decimals=1).interval(each.low, each.high) for each in rows
            ],
            "reference": [percent(Represented.of(each).stated_share) for each in rows],
            "p, exact": [p_text(Represented.of(each).p_exact) for each in rows],
        }
        text = []
        if size.estimate is not None:
            how = "to the reference" if size.tests else "so that all groups count alike"
            text.append(
                f"Weighted {how}, {counted(size.n, 'row')} are worth {Scale(decimals=0).number(size.estimate)}."
            )
        if size.tests:
            text.append(f"All groups together: p {p_text(size.tests[0].p)} ({size.tests[0].name}).")
        if unknown.get(attribute):
            text.append(f"The group of {counted(unknown[attribute], 'row')} is unknown.")
        parts.append(Part(heading=attribute, text=text, tables=[table_of(f"Groups of {attribute}", columns)]))
    return Section(name="representation", heading="Who is in the table", parts=parts)
