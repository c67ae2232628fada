"""The page of a table of features.

Features and their findings in words.
How the page of a table of features opens: the features that need a look, and why.
The chapters of a table of features.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from math import isfinite
from shlex import quote
from typing import Final

from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.intervals import IntervalRow, interval_chart
from evenhand.report.page.contents import Page
from evenhand.report.page.context import Definition, time_text
from evenhand.report.page.parts import Column, Figure, NextStep, PageSummary, Part, Section, Table
from evenhand.report.page.text import FEATURES
from evenhand.report.probe.summary import MOST_STEPS
from evenhand.report.words import numbers as words_numbers
from evenhand.report.words.results import capital, in_words, listing
from evenhand.results.feature_audit import Drifted, Expected, FeaturesAudit, FreeText, Proxy, Represented
from evenhand.results.finding import Finding
from evenhand.results.table_groups import FeatureGroups, feature_of

#: Areas under the ROC curve.
AREA: Final = words_numbers.Scale(decimals=3)
#: A feature tells a group where the whole interval lies above: of two people, one in the group and one out of it, it
#: ranks the right one higher at least so often.
TELLS: Final = 0.6
_FIRST_DAY: Final = date(1970, 1, 1).toordinal()
_TEXTS: Final = frozenset(
    {
        "Expected",
        "Found",
        "Group",
        "Groups",
        "Kind",
        "Most frequent",
        "Needs a look because",
        "Note",
        "Rule",
        "Verdict",
        "Attribute",
        "Which values",
        "Category",
    }
)


def table_of(caption: str, columns: Mapping[str, Sequence[str]], *, folded: bool = False) -> Table:
    """Return a table of columns by their headings, the first one names the row; columns without a word are left out."""
    first = next(iter(columns))
    held = {name: cells for name, cells in columns.items() if name == first or set(cells) - {"", words_numbers.ABSENT}}
    heads = [Column(label=name, numeric=place > 0 and name not in _TEXTS) for place, name in enumerate(held)]
    return Table(caption=caption, columns=heads, rows=list(zip(*held.values(), strict=True)), folded=folded)


def figure_text(value: float | None, kind: str = "number") -> str:
    """Return a number of any size with four significant digits, a day as a date.

    >>> figure_text(0.287), figure_text(1344.0), figure_text(2e-9), figure_text(0.0, "date"), figure_text(None)
    ('0.287', '1,344', '2.000e-9', '1970-01-01', '–')
    """
    if value is None or not isfinite(value):
        return words_numbers.ABSENT
    if kind == "date":
        day = _FIRST_DAY + round(value)
        return date.fromordinal(day).isoformat() if 1 <= day <= date.max.toordinal() else f"{value:,.0f}"
    size = abs(value)
    if value == round(value) and size < 1e9:
        return words_numbers.Scale(decimals=0).number(value)
    if size >= 1e9 or size < 1e-4:
        digits, _, power = f"{value:.3e}".partition("e")
        return f"{digits}e{int(power)}".replace("-", "\N{MINUS SIGN}", 1 if value < 0 else 0)
    places = max(0, 4 - len(str(int(size)))) if size >= 1 else 4
    text = words_numbers.Scale(decimals=places).number(value)
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(share: float | None) -> str:
    """Return a share in percent."""
    return words_numbers.Scale(factor=100, suffix=" %", decimals=1).text(share)


def interval(finding: Finding) -> str:
    """Return the confidence interval of an area, or why there is none."""
    return AREA.interval(finding.low, finding.high)


def telling(finding: Finding) -> str:
    """Return how well a feature tells a group: the area with its interval.

    Of an attribute with two groups the attribute is told.
    """
    attribute, group = next(iter(finding.focal.items()))
    what = attribute if Proxy.of(finding).groups == 2 else f"{attribute} {group}"
    ends = (
        "" if finding.low is None else f" ({words_numbers.confidence_text(finding.confidence)} CI {interval(finding)})"
    )
    return f"{what} at AUC {AREA.number(finding.estimate)}{ends}"


def which_end(finding: Finding) -> str:
    """Return which values go with the group."""
    direction = Proxy.of(finding).direction
    return "" if not direction else f"{direction} values: {next(iter(finding.focal.values()))}"


def proxy_label(finding: Finding) -> str:
    """Return a feature and what it tells."""
    attribute, group = next(iter(finding.focal.items()))
    what = attribute if Proxy.of(finding).groups == 2 else f"{attribute} {group}"
    return f"{feature_of(finding) or 'all features'} → {what}"


def proxies_figure(findings: Sequence[Finding], *, title: str) -> Figure:
    """Return areas drawn as intervals."""
    rows = [
        IntervalRow(
            label=proxy_label(each),
            estimate=each.estimate,
            low=each.low,
            high=each.high,
            text=f"{proxy_label(each)}: {AREA.number(each.estimate)} ({interval(each)})",
        )
        for each in findings
        if each.estimate is not None
    ]
    lines = [MarkedLine(value=0.5, text="by chance")]
    return Figure(
        title=title,
        note="Dots are areas under the ROC curve (AUC), lines their confidence intervals.",
        chart=lambda width: interval_chart(rows, title="AUC", width=width, lines=lines),
        tables=[],
    )


#: The usual rule of thumb: an index from here on is a moderate change, where chance alone does not make it.
MOVED: Final = 0.1
#: Rows of the opening's table, and intervals drawn there.
MOST_ROWS: Final = 12
MOST_SUMMARY_PLOTTED: Final = 10
INDEX: Final = words_numbers.Scale(decimals=3)
#: The AUC of what tells nothing.
CHANCE: Final = 0.5
LEVEL: Final = 0.05
#: Verdicts on a feature, the worst first, and how many have it.
_VERDICTS: Final = {
    "violates": "violated by",
    "not shown": "not shown for",
    "meets": "met by",
    "not checked": "not checked for",
}


def features_summary(groups: FeatureGroups, audit: FeaturesAudit) -> PageSummary:
    """Return the first screen."""
    reasons = reasons_of(groups, audit)
    shown = list(reasons.items())[:MOST_ROWS]
    left = len(reasons) - len(shown)
    more = f" {left} more are in the chapters." if left else ""
    tables = []
    if shown:
        columns = {
            "Feature": [name for name, _ in shown],
            "Needs a look because": ["; ".join(told) for _, told in shown],
        }
        tables.append(table_of(f"{words_numbers.counted(len(reasons), 'feature')} to look at first", columns))
    sentences = [
        f"{_counted(groups, audit, len(reasons))}{more}",
        *strongest(groups, told=[name for name, _ in shown]),
        *jointly(groups, audit),
        *_free_text_sentences(audit),
        *_least_represented(groups),
    ]
    drawn = [each for each in (*groups.joint, *groups.proxies) if each.estimate is not None][:MOST_SUMMARY_PLOTTED]
    figures = [proxies_figure(drawn, title="What tells protected attributes")] if drawn else []
    return PageSummary(sentences=sentences, tables=tables, figures=figures, steps=_steps(groups, audit)[:MOST_STEPS])


def reasons_of(groups: FeatureGroups, audit: FeaturesAudit) -> dict[str, list[str]]:
    """Return why features need a look, those that violate expectations first, then the strongest proxies."""
    found: dict[str, list[str]] = {}
    told_by_rule = {(feature_of(each), each.estimate) for each in groups.violated if each.slice["rule"] == "proxy"}
    for each in groups.violated:
        details = Expected.of(each)
        stated = f"{each.slice['rule']} {details.observed}, expected {details.expected}"
        why = f", {details.why}" if details.why else ""
        found.setdefault(feature_of(each), []).append(stated if details.stated else f"{details.observed}{why}")
    for each in groups.stated:
        if Expected.of(each).judged == "not shown":
            details = Expected.of(each)
            found.setdefault(feature_of(each), []).append(f"expected {details.expected}, {details.observed}")
    for each in _best(groups.proxies, groups.other_proxies):
        if _strong(each) and (feature_of(each), each.estimate) not in told_by_rule:
            end = f", {which_end(each)}" if which_end(each) else ""
            found.setdefault(feature_of(each), []).append(f"tells {telling(each)}{end}")
    for name, (index, _) in groups.drift.items():
        if Drifted.of(index).beyond_chance and (index.estimate or 0.0) >= MOVED:
            found.setdefault(name, []).append(f"moved from {audit.compared_with}, PSI {INDEX.number(index.estimate)}")
    for text in audit.free_text:
        if text.touched:
            found.setdefault(text.feature, []).append(f"masking finds {_categories(text)} in its text")
    return found


def _strong(proxy: Finding) -> bool:
    """Return whether a feature tells a group beyond doubt; without an interval the estimate decides."""
    least = proxy.estimate if proxy.low is None else proxy.low
    return least is not None and least > TELLS


def _categories(text: FreeText) -> str:
    return listing([name for name, _ in sorted(text.found.items(), key=lambda each: -each[1])][:4])


def _counted(groups: FeatureGroups, audit: FeaturesAudit, looks: int) -> str:
    """Return how many features there are, and the verdicts."""
    of = f"{words_numbers.counted(len(audit.features), 'feature')} of {words_numbers.counted(audit.rows, 'row')}"
    need = f"{looks or 'none'} of them {'need' if looks > 1 else 'needs'} a look"
    if not groups.stated:
        return f"{of}: {need}. No expectations were stated, so what is told is what was checked without them."
    by_feature: dict[str, set[str | None]] = {}
    for each in groups.stated:
        by_feature.setdefault(feature_of(each), set()).add(Expected.of(each).judged)
    worst = Counter(next(each for each in _VERDICTS if each in told) for told in by_feature.values())
    verdicts = [f"{words} {worst[each]}" for each, words in _VERDICTS.items() if worst[each]]
    return f"{of}: {need}. Expectations: {', '.join(verdicts)}."


def strongest(groups: FeatureGroups, *, told: Sequence[str] = ()) -> list[str]:
    """Return the strongest proxy of each attribute, but where it is among the features that are told of already."""
    found, seen = [], set()
    for each in _best(groups.proxies, groups.other_proxies):
        attribute = next(iter(each.focal))
        if attribute in seen:
            continue
        seen.add(attribute)
        end = f"; {which_end(each)}" if which_end(each) else ""
        if _strong(each) and feature_of(each) in told:
            continue
        if _tells(each):
            found.append(f"{feature_of(each)} tells {telling(each)}{end}.")
        else:
            found.append(
                f"No single feature was detected to tell {attribute} (p adjusted by Holm); the strongest is "
                f"{feature_of(each)}, AUC {AREA.number(each.estimate)}{_ends(each)}."
            )
    return found


def _ends(finding: Finding) -> str:
    return "" if finding.low is None else f" ({AREA.interval(finding.low, finding.high)})"


def jointly(groups: FeatureGroups, audit: FeaturesAudit) -> list[str]:
    """Return how well all features together tell groups, or why that is not told."""
    known = _best(groups.joint, groups.other_joint)
    if not known:
        reason = audit.joint.reason or next((each.reason for each in groups.joint), None)
        return [f"How well all features jointly tell a group was not computed. {reason}"] if audit.attributes else []
    rows = "Each row" if audit.joint.rows == audit.rows else f"Each of {audit.joint.rows:,} sampled rows"
    features = words_numbers.counted(len(audit.joint.features), "feature")
    clear = [telling(each) for each in known if _tells(each)]
    unclear = [telling(each) for each in known if not _tells(each)]
    told = [f"{features} jointly tell {listing(clear)}"] if clear else []
    if unclear:
        told.append(f"{'' if clear else f'{features} jointly: '}no more than chance was detected of {listing(unclear)}")
    return [f"{'; '.join(told)}. {rows} was predicted by a model that had not seen it."]


def _best(told_best: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
    """Return of each feature and attribute the group that is told best, one that is told beyond chance before others.

    A small group may have the largest AUC by chance alone.
    """
    known = [each for each in (*told_best, *others) if each.estimate is not None]
    found: dict[tuple[str, str], Finding] = {}
    for each in sorted(known, key=lambda each: (not _strong(each), not _tells(each), -(each.estimate or 0.0))):
        found.setdefault((feature_of(each), next(iter(each.focal))), each)
    return list(found.values())


def _tells(finding: Finding) -> bool:
    """Return whether more than chance was detected; of an AUC of 1 there is no interval, and it is."""
    if (finding.estimate or 0.0) <= CHANCE:
        return False
    if finding.p_adjusted is not None:
        return finding.p_adjusted < LEVEL
    return finding.low is None or finding.low > CHANCE


def _free_text_sentences(audit: FeaturesAudit) -> list[str]:
    touched = [each for each in audit.free_text if each.touched]
    if not audit.free_text:
        return []
    scanned = listing([each.feature for each in audit.free_text][:5])
    if not touched:
        cells = max(each.cells for each in audit.free_text)
        return [f"Masking found nothing to keep out in up to {words_numbers.counted(cells, 'cell')} of {scanned}."]
    worst = max(touched, key=lambda each: each.touched / each.cells)
    return [
        f"Masking would keep {_categories(worst)} out of {worst.feature} (in {worst.touched:,} of "
        f"{words_numbers.counted(worst.cells, 'cell')} scanned)."
    ]


def _least_represented(groups: FeatureGroups) -> list[str]:
    """Return of each attribute the group that differs most from the share that it should have."""
    told = []
    for attribute, rows in groups.shares.items():
        test = groups.sizes[attribute].tests
        if not test or test[0].p is None:
            continue
        off = max(rows, key=lambda each: abs((each.estimate or 0.0) - (each.null_value or 0.0)))
        group = off.focal[attribute]
        share = percent(Represented.of(off).stated_share)
        if test[0].p < 0.05:
            told.append(
                f"{group}: {percent(off.estimate)} of the rows, {share} in the reference; the groups of {attribute} "
                f"differ from it statistically significantly (p {words_numbers.p_equals(test[0].p)})."
            )
        else:
            told.append(
                f"No difference of {attribute} from its reference was detected (p {words_numbers.p_equals(test[0].p)})."
            )
    return told


def _steps(groups: FeatureGroups, audit: FeaturesAudit) -> list[NextStep]:
    found = []
    strong = [each for each in _best(groups.proxies, groups.other_proxies) if _strong(each)]
    if strong:
        name = feature_of(strong[0])
        found.append(
            NextStep(
                question=f"How well are the groups told without {name}? Leave it out.",
                command=f"{audit.reproduce} --without {quote(name)}" if "--without" not in audit.reproduce else "",
            )
        )
    if not audit.attributes:
        found.append(NextStep(question="Do features tell a protected group? Name its column with --protected."))
    if not groups.stated:
        found.append(NextStep(question="What should each feature look like? Write it down, and give it with --expect."))
    if audit.compared_with is None:
        found.append(NextStep(question="Have the features moved since? Give an earlier table with --compare-with."))
    return found


#: Intervals that are drawn; the table has more.
MOST_FEATURES_PLOTTED: Final = 30
MOST_FEATURE_ROWS: Final = 200
#: Categories of free text that have a column.
STABILITY_INDEX: Final = words_numbers.Scale(decimals=4)


def features_sections(groups: FeatureGroups, audit: FeaturesAudit) -> list[Section]:
    """Return the chapters in the order that one reads them."""
    found = [
        _distributions(audit),
        proxies_section(groups, audit),
        expectations_section(groups),
        _labels(groups, audit),
        _drift(groups, audit),
        _free_text_section(audit),
        _representation_section(groups, audit),
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
        columns["missing"] = [words_numbers.count_text(row.missing) for row in numbers]
        columns["Note"] = [row.note for row in numbers]
        parts.append(Part(tables=[table_of("Numbers, days, yes and no", columns)]))
    if others:
        columns = {
            "Feature": [row.feature for row in others],
            "Kind": [row.kind for row in others],
            "distinct": [
                words_numbers.ABSENT if row.distinct is None else words_numbers.count_text(row.distinct)
                for row in others
            ],
            "Most frequent": [
                words_numbers.ABSENT if row.most_frequent is None else _short(row.most_frequent) for row in others
            ],
            "its rows": [
                words_numbers.ABSENT if row.most_frequent_n is None else words_numbers.count_text(row.most_frequent_n)
                for row in others
            ],
            "missing": [words_numbers.count_text(row.missing) for row in others],
            "Note": [row.note for row in others],
        }
        parts.append(Part(tables=[table_of("Categories and text", columns)]))
    days = " stddev is in days." if any(row.kind == "date" for row in numbers) else ""
    text = (
        f"10p to 90p are percentiles, exact over all {words_numbers.count_text(audit.rows)} rows; % nonzero is "
        f"of cells that hold a "
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
    level = words_numbers.confidence_text(rows[0].confidence)
    others = [*groups.other_joint, *groups.other_proxies]

    def columns(which: list) -> dict[str, list[str]]:  # type: ignore[type-arg]
        return {
            "Feature → attribute": [proxy_label(each) for each in which],
            "AUC": [AREA.number(each.estimate) for each in which],
            f"{level} CI": [interval(each) for each in which],
            "p, adjusted": [words_numbers.p_text(each.p_adjusted) for each in which],
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
        Part(
            figures=[proxies_figure(known[:MOST_FEATURES_PLOTTED], title="How well features tell protected attributes")]
        )
        if known
        else Part(),
        Part(tables=[table_of("Every feature and attribute", columns(rows[:MOST_FEATURE_ROWS]))]),
    ]
    if others:
        table = table_of("The other groups", columns(others[:MOST_FEATURE_ROWS]))
        parts.append(Part(heading=f"The other groups ({len(others):,})", tables=[table], folded=True))
    if max(len(rows), len(others)) > MOST_FEATURE_ROWS:
        text.append(f"The tables hold {MOST_FEATURE_ROWS} rows; proxies.csv has all.")
    return Section(name="proxies", heading="Proxies of protected attributes", text=text, parts=parts)


def _count(n: int | None) -> str:
    return words_numbers.ABSENT if n is None else words_numbers.count_text(n)


def _joint_text(audit: FeaturesAudit) -> list[str]:
    joint = audit.joint
    if joint.reason is not None:
        return [f"How well all features jointly tell a group was not computed. {joint.reason}"]
    left = ""
    if joint.left_out:
        left = f" Left out: {listing(list(joint.left_out[:8]))}{' and others' if len(joint.left_out) > 8 else ''}."
    return [
        f"All features jointly: gradient-boosted trees on {words_numbers.counted(joint.rows, 'row')} of "
        f"{words_numbers.count_text(joint.of)}, each "
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
        f"{words_numbers.confidence_text(rows[0].confidence)} CI": [interval(each) for each in rows],
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
        "PSI": [STABILITY_INDEX.number(index.estimate) for _, (index, _) in rows],
        "by chance below": [STABILITY_INDEX.number(each.limit) for each in details],
        "p": [words_numbers.p_text(index.tests[0].p if index.tests else None) for _, (index, _) in rows],
        "Largest distance": [words_numbers.ABSENT if each is None else percent(each.estimate) for _, (_, each) in rows],
        "chance below": [percent(each.limit) for each in distances],
        "bins": [
            words_numbers.ABSENT if each.bins is None else words_numbers.count_text(each.bins) for each in details
        ],
        "Note": [index.reason or "" for _, (index, _) in rows],
    }
    text = (
        f"Compared with {words_numbers.counted(audit.rows_compared or 0, 'row')} of {audit.compared_with}. The "
        f"population stability "
        "index (PSI) lacks its bias, (bins − 1)(1/n + 1/m); what chance makes in 99 of 100 such tables stands beside "
        "it. The largest distance is that of the cumulative shares (Kolmogorov–Smirnov)."
    )
    table = table_of("Drift of each feature", columns)
    return Section(name="drift", heading="Drift", text=[text], parts=[Part(tables=[table])])


def _free_text_section(audit: FeaturesAudit) -> Section | None:
    if not audit.free_text:
        return None
    rows = audit.free_text
    names = list(dict.fromkeys(name for each in rows for name in each.found))
    columns = {
        "Feature": [each.feature for each in rows],
        "cells scanned": [words_numbers.count_text(each.cells) for each in rows],
        "with a finding": [words_numbers.count_text(each.touched) for each in rows],
        **{
            name: [
                words_numbers.count_text(each.found[name]) if name in each.found else words_numbers.ABSENT
                for each in rows
            ]
            for name in names
        },
    }
    return Section(
        name="free-text",
        heading="What masking keeps out of training",
        text=["Text of more than 50 different values was scanned as evenhand mask does, all categories included."],
        parts=[Part(tables=[table_of("Cells in which a category was found", columns)])],
    )


def _representation_section(groups: FeatureGroups, audit: FeaturesAudit) -> Section | None:
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
            f"{words_numbers.confidence_text(rows[0].confidence)} CI": [
                words_numbers.Scale(factor=100, decimals=1).interval(each.low, each.high) for each in rows
            ],
            "reference": [percent(Represented.of(each).stated_share) for each in rows],
            "p, exact": [words_numbers.p_text(Represented.of(each).p_exact) for each in rows],
        }
        text = []
        if size.estimate is not None:
            how = "to the reference" if size.tests else "so that all groups count alike"
            text.append(
                f"Weighted {how}, {words_numbers.counted(size.n, 'row')} are worth "
                f"{words_numbers.Scale(decimals=0).number(size.estimate)}."
            )
        if size.tests:
            text.append(f"All groups together: p {words_numbers.p_text(size.tests[0].p)} ({size.tests[0].name}).")
        if unknown.get(attribute):
            text.append(f"The group of {words_numbers.counted(unknown[attribute], 'row')} is unknown.")
        parts.append(Part(heading=attribute, text=text, tables=[table_of(f"Groups of {attribute}", columns)]))
    return Section(name="representation", heading="Who is in the table", parts=parts)


_LISTED_ELSEWHERE: Final = frozenset({"protected", "expect", "label", "compare_with"})
_TERMS: Final = (
    (
        "AUC",
        "The area under the ROC curve: the chance that somebody of the group has a higher value than somebody else.",
    ),
    ("Confidence interval (CI)", "Values that are compatible with the data (DeLong); they take rows as independent."),
    (
        "Proxy",
        "A feature that tells a protected attribute, so that a model can act on the attribute without having it.",
    ),
    ("PSI", "The population stability index: how far a distribution has moved; 0.1 is often called a moderate change."),
)


def _parameter_rows(audit: FeaturesAudit) -> list[Definition]:
    """Return what was vetted, as pairs of a term and its value."""
    rows = [
        ("Table", f"{audit.source}, {words_numbers.count_text(audit.rows)} rows"),
        ("Features", words_numbers.count_text(len(audit.features))),
        ("Protected attributes", listing([each.attribute for each in audit.attributes])),
        ("Label", audit.label or ""),
        ("Expectations", audit.expectations or ""),
        ("Compared with", audit.compared_with or ""),
        *(
            (capital(in_words(key)), words_numbers.general_text(value))
            for key, value in audit.parameters.items()
            if key not in _LISTED_ELSEWHERE and value is not None
        ),
        ("Started", time_text(audit.started)),
        ("Finished", time_text(audit.finished)),
    ]
    return [(term, str(value)) for term, value in rows if value]


PAGE: Final[Page[FeaturesAudit, FeatureGroups]] = Page(
    opening=lambda content: features_summary(content.groups, content.audit),
    chapters=lambda content: features_sections(content.groups, content.audit),
    asked=lambda content: _parameter_rows(content.audit),
    limits=lambda content: list(content.audit.limits),
    definitions=lambda _content: list(_TERMS),
    text=FEATURES,
)
