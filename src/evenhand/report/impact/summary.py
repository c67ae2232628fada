"""The first screen of an analysis: tables and a chart of selection rates, the result in sentences, next steps.

The bar chart of selection rates with their intervals.
Tables of groups against their reference: rate, impact ratio, four-fifths rule, significance.
The first screen of a comparison with stated shares: its table, its chart, and what it shows in sentences.
"""

from collections.abc import Iterator, Sequence

from evenhand.report.charts.intervals import BarRow, bar_chart
from evenhand.report.impact import views as impact_views
from evenhand.report.impact.steps import next_steps, reversal_sentences, reversals, within_sentence
from evenhand.report.impact.tests import adjusted_sentences, block_sentences, bound_sentences
from evenhand.report.page.parts import Figure, NextStep, PageSummary, Table
from evenhand.report.words.numbers import ABSENT, Scale, confidence_text, count_text
from evenhand.report.words.results import capital, in_words, listing
from evenhand.results.applicant_audit import ImpactAudit
from evenhand.results.finding import Finding, ImpactRatio, MeanRatio, Stated
from evenhand.results.probe_groups import by_key
from evenhand.results.table_groups import ImpactGroups, View

#: Bars of the chart; groups beyond them are in the tables.
MOST_BARS = 14
PERCENT = Scale(factor=100, decimals=1)


def rates_figure(views: Sequence[View], audit: ImpactAudit) -> Figure | None:
    """Return the chart: a bar per group, the reference of each attribute last; None where no rate is known."""
    bars = [bar for view in views for bar in _bars(view, several=len(views) > 1)][:MOST_BARS]
    if not bars:
        return None
    what = impact_views.definition_at(views[0].definition, audit)
    title = f"Selection rates by {listing([impact_views.view_name(view) for view in views])}"
    return Figure(
        title=title if what == "decision" else f"{title}: {what}",
        note=f"Lines are {confidence_text(views[0].rates[0].confidence)} confidence intervals.",
        chart=lambda width: bar_chart(bars, title="% selected", width=width),
        tables=(),
    )


def _bars(view: View, *, several: bool) -> list[BarRow]:
    order = [each.focal for each in impact_views.by_problem(view.findings)]
    references = [each.reference for each in view.findings]
    known = [each for each in view.rates if each.estimate is not None]
    shown = sorted(known, key=lambda each: order.index(each.focal) if each.focal in order else len(order))
    return [_bar(each, reference=each.focal in references, several=several) for each in shown]


def _bar(rate: Finding, *, reference: bool, several: bool) -> BarRow:
    label = (impact_views.named_group if several else impact_views.group_name)(rate.focal) + (
        " (reference)" if reference else ""
    )
    span = f" ({PERCENT.interval(rate.low, rate.high)})" if rate.low is not None else ""
    value, low, high = (None if end is None else PERCENT.shown(end) for end in (rate.estimate, rate.low, rate.high))
    return BarRow(
        label=label, value=value, low=low, high=high, text=f"{label}: {impact_views.share_text(rate.estimate)}{span}"
    )


#: Groups per table of the first screen; the chapter has all of them.
MOST_LINES = 8
SIGNIFICANT = "Statistically significant?"
TESTS = {impact_views.FISHER: "Fisher's exact test", "Welch t": "Welch's t test"}
WORDS = ("Four-fifths", SIGNIFICANT, "Compared with", "Group")


def rates_table(view: View, audit: ImpactAudit, *, folded: bool = False, most: int | None = MOST_LINES) -> Table:
    """Return one line per group, the largest problem first; the reference stands in the caption."""
    found = impact_views.by_problem(view.findings)[:most]
    left = len(view.findings) - len(found)
    against = list(dict.fromkeys(_reference(each) for each in found if each.reference))
    columns = _means(found) if view.means else _rates(found)
    if len(against) > 1:
        columns["Compared with"] = [_reference(each) if each.reference else ABSENT for each in found]
    columns |= {
        SIGNIFICANT: [_significant(each) for each in found],
        "Note": [each.reason or "" for each in found],
    }
    name, what = capital(impact_views.view_name(view)), impact_views.definition_at(view.definition, audit)
    caption = [name if what == "decision" else f"{name}, {what}"]
    caption += [f"Reference: {against[0]}"] if len(against) == 1 else []
    caption += [f"The first {len(found)} of {count_text(len(view.findings))} groups"] if left else []
    return impact_views.columns_table(
        columns,
        caption=". ".join([*caption, *_p_of(found)]),
        first="Group",
        labels=[impact_views.group_name(each.focal) for each in found],
        words=WORDS,
        folded=folded,
    )


def _rates(found: Sequence[Finding]) -> dict[str, list[str]]:
    details = [ImpactRatio.of(each) for each in found]
    return {
        "n": [count_text(each.n_focal) for each in details],
        "Selection rate": [impact_views.share_text(each.rate_focal) for each in details],
        _ratio_heading(found): [impact_views.short_ratio(each) for each in found],
        "Four-fifths": [_four_fifths(each) for each in found],
    }


def _means(found: Sequence[Finding]) -> dict[str, list[str]]:
    details = [MeanRatio.of(each) for each in found]
    return {
        "n": [count_text(each.n_focal) for each in details],
        "Mean score": [impact_views.signed(each.mean_focal, 3) for each in details],
        "Ratio (95 % CI)": [impact_views.short_ratio(each, (1.0,)) for each in found],
        "Standardised difference": [
            f"{impact_views.signed(each.standardised_difference)} ({impact_views.signed(each.d_low)} to "
            f"{impact_views.signed(each.d_high)})"
            if each.standardised_difference is not None
            else ABSENT
            for each in details
        ],
    }


def _ratio_heading(found: Sequence[Finding]) -> str:
    return f"Impact ratio ({confidence_text(found[0].confidence)} CI)"


def _four_fifths(finding: Finding) -> str:
    return impact_views.four_fifths_text(ImpactRatio.of(finding).four_fifths).removesuffix(" four-fifths")


def _significant(finding: Finding) -> str:
    significant = impact_views.is_significant(finding)
    if significant is None:
        return ABSENT
    p = impact_views.p_cell(finding.p_adjusted)
    return f"{'yes' if significant else 'no'} (p {p if p.startswith('<') else f'= {p}'})"


def _reference(finding: Finding) -> str:
    """Return the reference with its rate and size."""
    name = impact_views.group_name(finding.reference)
    if isinstance(finding.details, MeanRatio):
        details = finding.details
        return (
            f"{name}, n {count_text(details.n_reference)}, mean score {impact_views.signed(details.mean_reference, 3)}"
        )
    rates = ImpactRatio.of(finding)
    return f"{name}, n {count_text(rates.n_reference)}, selection rate {impact_views.share_text(rates.rate_reference)}"


def _p_of(found: Sequence[Finding]) -> list[str]:
    """Return which test p is of, and what it was adjusted for."""
    told = next((each for each in found if each.adjustment), None)
    if told is None:
        return []
    test = TESTS.get((told.adjustment or "").partition(", ")[0], "")
    clusters = impact_views.cluster_counts_text(told)
    what, by = ("Intervals and p", f"cluster-robust ({clusters})") if clusters else ("p", test)
    return [f"{what}: {', '.join(filter(None, (by, impact_views.adjusted_over(told))))}"]


def definitions_table(groups: ImpactGroups, audit: ImpactAudit) -> Table | None:
    """Return, for each other definition of a selection, the group that is furthest behind; None without others."""
    led = {(view.attributes, view.definition) for view in groups.leading}
    others = [
        view
        for each in groups.attributes
        for view in each.views
        if not view.crossed and (view.attributes, view.definition) not in led
    ]
    if not others:
        return None
    found = [impact_views.by_problem(view.findings)[0] for view in others]
    names = [
        f"{capital(impact_views.view_name(view))}, {impact_views.definition_at(view.definition, audit)}"
        for view in others
    ]
    ratios = [
        impact_views.short_ratio(each, (1.0,)) if view.means else impact_views.short_ratio(each)
        for view, each in zip(others, found, strict=True)
    ]
    return impact_views.columns_table(
        {
            "Group": [
                f"{impact_views.group_name(each.focal)} against {impact_views.group_name(each.reference)}"
                for each in found
            ],
            "Ratio (95 % CI)": ratios,
            "Four-fifths": [_four_fifths(each) for each in found],
            SIGNIFICANT: [_significant(each) for each in found],
            "Note": [each.reason or "" for each in found],
        },
        caption="Sensitivity to the definition of a selection: in each, the group furthest behind",
        first="Selected",
        labels=names,
        words=WORDS,
        folded=len(others) > MOST_OPEN,
    )


#: Other definitions of a selection whose table stands open.
MOST_OPEN = 4

MOST_SHARES_NAMED = 4
MOST_AVAILABILITY_BARS = 8


def availability_summary(findings: Sequence[Finding]) -> PageSummary:
    """Return the first screen."""
    own = by_key(lambda each: next(iter(each.focal)), findings)
    order = sorted(
        findings, key=lambda each: (not impact_views.is_significant(each), -(Stated.of(each).shortfall or 0.0))
    )
    behind = next(
        (each for each in order if impact_views.is_significant(each) and (Stated.of(each).shortfall or 0.0) > 0), None
    )
    return PageSummary(
        tables=[_table(attribute, found) for attribute, found in own.items()],
        figures=[_figure(findings[:MOST_AVAILABILITY_BARS])],
        sentences=[_sentence(each) for each in order[:MOST_SHARES_NAMED]],
        steps=list(_steps(behind, some_not_significant=not all(map(impact_views.is_significant, findings)))),
    )


def _table(attribute: str, found: Sequence[Finding]) -> Table:
    details = [Stated.of(each) for each in found]
    over = _over(found[0])
    return impact_views.columns_table(
        {
            "n": [count_text(each.people) for each in details],
            "Expected": [_count(each.expected) for each in details],
            f"Share ({confidence_text(found[0].confidence)} CI)": [
                f"{impact_views.share_text(each.estimate)} ({PERCENT.interval(each.low, each.high)})" for each in found
            ],
            "Stated share": [impact_views.share_text(each.stated_share) for each in details],
            "Z": [impact_views.signed(_z(each)) for each in found],
            "Significant?": [
                f"{'yes' if impact_views.is_significant(each) else 'no'} ({impact_views.named_p(each.p_adjusted)})"
                for each in found
            ],
        },
        caption=f"{capital(in_words(attribute))}, {count_text(found[0].n)} people against stated shares. "
        f"p: {', '.join(filter(None, ('exact binomial test', over)))}",
        first="Group",
        labels=[impact_views.group_name(each.focal) for each in found],
        words=["Significant?"],
    )


def _over(finding: Finding) -> str:
    """Return what p was adjusted for, "" for a single comparison."""
    over = impact_views.adjusted_over(finding)
    return "" if over.endswith(" over 1 group") else over


def _count(value: float | None) -> str:
    return Scale(decimals=1).text(value)


def _z(finding: Finding) -> float | None:
    return next((test.statistic for test in finding.tests if test.name.startswith("Z")), None)


def _figure(findings: Sequence[Finding]) -> Figure:
    bars = []
    for each in findings:
        name, stated = impact_views.named_group(each.focal), Stated.of(each).stated_share
        values = [None if end is None else PERCENT.shown(end) for end in (each.estimate, each.low, each.high)]
        text = f"{name}: {impact_views.share_text(each.estimate)} ({PERCENT.interval(each.low, each.high)})"
        bars.append(BarRow(label=name, value=values[0], low=values[1], high=values[2], text=text))
        told = f"{name}, stated"
        value = None if stated is None else PERCENT.shown(stated)
        bars.append(
            BarRow(label=told, value=value, low=None, high=None, text=f"{told}: {impact_views.share_text(stated)}")
        )
    return Figure(
        title="Shares of the people here, and stated shares",
        note=f"Lines are {confidence_text(findings[0].confidence)} confidence intervals.",
        chart=lambda width: bar_chart(bars, title="% of people", width=width),
        tables=(),
    )


def _sentence(finding: Finding) -> str:
    """Return how many there are, how many would be expected, and whether the difference is significant."""
    details, z = Stated.of(finding), _z(finding)
    significant, shortfall = impact_views.is_significant(finding), details.shortfall or 0.0
    fewer = f"{_count(abs(shortfall))} {'fewer' if shortfall > 0 else 'more'} than" if shortfall else "as many as"
    over = _over(finding)
    told = [
        f"Z = {impact_views.signed(z, 1)}",
        impact_views.named_p(finding.p_adjusted, f"{'adjusted ' if over else ''}p"),
        over,
    ]
    return (
        f"{capital(impact_views.named_group(finding.focal))}: {count_text(details.people)} of "
        f"{count_text(finding.n)} people, "
        f"{impact_views.share_text(finding.estimate)}; {fewer} the {_count(details.expected)} expected by the "
        f"stated share of "
        f"{impact_views.share_text(details.stated_share)}, {'' if significant else 'not '}statistically significant "
        f"({', '.join(filter(None, told))})."
    )


def _steps(behind: Finding | None, *, some_not_significant: bool) -> Iterator[NextStep]:
    """Yield what to ask of the shares first."""
    yield NextStep(
        question="Are the stated shares those of people who are qualified and near enough to apply (Hazelwood, 433 "
        "U.S. 299, 308 n.13)? The result is no better than they are."
    )
    if behind is not None:
        yield NextStep(
            question="Who applied, and who of them was selected? A table of applicants shows at which step the "
            "difference arises (evenhand impact with --selected)."
        )
    elif some_not_significant:
        yield NextStep(
            question="Are there enough people to tell? With few of them even a large shortfall stays within "
            f"±{impact_views.Z_LIMIT:g} standard deviations."
        )


#: Attributes whose table stands open, and sentences.
MOST_TABLES, MOST_SENTENCES = 3, 5
#: Attributes that have a sentence.
MOST_VIEWS_NAMED = 3


def impact_summary(groups: ImpactGroups, audit: ImpactAudit) -> PageSummary:
    """Return the first screen."""
    if groups.availability:
        return availability_summary(groups.availability)
    views = leading_views(groups)
    tables = [rates_table(view, audit, folded=place >= MOST_TABLES) for place, view in enumerate(views)]
    others = definitions_table(groups, audit)
    figure = rates_figure([view for view in views if view.rates and not view.means][:MOST_TABLES], audit)
    return PageSummary(
        tables=[*tables, *([others] if others else [])],
        figures=[figure] if figure else [],
        sentences=_sentences(groups, views, audit),
        steps=next_steps(groups, views, audit),
    )


def leading_views(groups: ImpactGroups) -> list[View]:
    """Return the view of each single attribute that its result is told by, the largest problem first."""
    single = [view for view in groups.leading if not view.crossed]
    worst = {view.attributes: impact_views.by_problem(view.findings)[0] for view in single}
    order = impact_views.by_problem(list(worst.values()))
    return sorted(single, key=lambda view: order.index(worst[view.attributes]))


def _sentences(groups: ImpactGroups, views: list[View], audit: ImpactAudit) -> list[str]:
    """Return the result in sentences, a reversal first; what is left out stands in the chapters."""
    turned = reversals(groups)
    told = [text for each in turned[:1] for text in reversal_sentences(each, audit)]
    said = {tuple(each.whole.focal) for each in turned[:1]}
    rest = [view for view in views if view.attributes not in said][:MOST_VIEWS_NAMED]
    for place, view in enumerate(rest):
        told.append(impact_views.view_sentence(view, audit, again=place > 0 and view.definition == rest[0].definition))
        if place == 0 and not view.means and view.known:
            told.append(" ".join(impact_views.cautions(impact_views.by_problem(view.findings)[0])))
    told += [capital((finding.reason or "").rstrip(".")) + "." for finding in groups.alone]
    told += [within_sentence(groups), *block_sentences(groups), *adjusted_sentences(groups), *bound_sentences(groups)]
    told += [impact_views.view_sentence(view, audit) for view in groups.leading if view.crossed]
    return [text for text in dict.fromkeys(told) if text][:MOST_SENTENCES]
