"""The first screen of an analysis of applicants: rates, ratios, result sentences; or shares against availability."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evenhand.report.charts.intervals import BarRow, bar_chart
from evenhand.report.impact import views as impact_views
from evenhand.report.impact.steps import (
    between_positions_sentence,
    next_steps,
    position_sentences,
    reversal_sentences,
    reversals,
    stage_sentences,
    within_differences,
    within_sentence,
)
from evenhand.report.impact.tests import adjusted_sentences, block_sentences, bound_sentences
from evenhand.report.page.parts import Figure, NextStep, PageSummary, Part, Section, Table, intervals_of
from evenhand.report.words.numbers import ABSENT, Scale, confidence_text, count_text, named_p, percent_text
from evenhand.report.words.results import capital, corrected_p, in_words, listing, sentence_case, why_not
from evenhand.results.applicant_audit import ImpactAudit
from evenhand.results.finding import Finding, ImpactRatio, MeanRatio, Stated, by_key
from evenhand.results.impact_groups import ImpactGroups, View

#: Groups per table of the first screen; the section has all of them.
MOST_LINES = 8
SIGNIFICANT = "Statistically significant?"
WORDS = ("Four-fifths", SIGNIFICANT, "Compared with", "Group", "Clusters")


def rates_table(
    view: View, audit: ImpactAudit, *, folded: bool = False, most: int | None = MOST_LINES, unseen: int = 0
) -> Table:
    """Return one line per group, the largest problem first; the caption has the reference.

    `unseen` of the comparisons that p is corrected over are with another reference.
    """
    findings = impact_views.by_problem(view.findings)[:most]
    omitted = len(view.findings) - len(findings)
    against = list(dict.fromkeys(_reference(finding) for finding in findings if finding.reference))
    columns = _means(findings) if view.means else _rates(findings)
    if len(against) > 1:
        columns["Compared with"] = [_reference(finding) if finding.reference else ABSENT for finding in findings]
    clusters = [impact_views.cluster_counts_text(finding) for finding in findings]
    columns |= {
        "Clusters": clusters if len(set(clusters)) > 1 and not clusters[0].endswith(" rows") else [],
        SIGNIFICANT: [significant_cell(finding) for finding in findings],
        # A sentence says what suppressed counts leave open.
        "Note": ["" if impact_views.is_bounded(finding) else finding.reason or "" for finding in findings],
    }
    name, definition = capital(impact_views.view_name(view)), impact_views.definition_at(view.definition, audit)
    caption = [name if definition == "decision" else f"{name}, {definition}"]
    caption += [f"Reference: {against[0]}"] if len(against) == 1 else []
    caption += [f"The first {len(findings)} of {count_text(len(view.findings))} groups"] if omitted else []
    table = impact_views.columns_table(
        columns,
        caption=". ".join([*caption, *_p_of(findings, unseen)]),
        first="Group",
        labels=[impact_views.group_name(finding.focal) for finding in findings],
        words=WORDS,
        folded=folded,
    )
    lines = [line.value for line in impact_views.ratio_lines(audit)] if not view.means else [1.0]
    return replace(table, intervals=intervals_of(findings, lines))


def _rates(findings: Sequence[Finding]) -> dict[str, list[str]]:
    details = [ImpactRatio.of(finding) for finding in findings]
    return {
        "n": [ABSENT if detail.n_focal is None else count_text(detail.n_focal) for detail in details],
        "Effective n": [_effective(detail.effective_focal, detail.n_focal) or ABSENT for detail in details],
        "Selection rate": [impact_views.rate_text(detail.rate_focal, detail.rate_bounds) for detail in details],
        f"Impact ratio ({confidence_text(findings[0].confidence)} CI)": [
            impact_views.short_ratio(finding) for finding in findings
        ],
        "Four-fifths": [impact_views.four_fifths_cell(detail.four_fifths) for detail in details],
        **impact_views.statistics_columns(details, headline=True),
    }


def _effective(effective: float | None, n: int | None) -> str:
    """Return the effective number of weighted people, "" where weights take nothing away."""
    return "" if effective is None or n is None or abs(effective - n) < 1 else _count(effective)


def _means(findings: Sequence[Finding]) -> dict[str, list[str]]:
    details = [MeanRatio.of(finding) for finding in findings]
    return {
        "n": [count_text(detail.n_focal) for detail in details],
        "Mean score": [impact_views.signed(detail.mean_focal, 3) for detail in details],
        "Ratio (95 % CI)": [impact_views.short_ratio(finding, (1.0,)) for finding in findings],
        "Standardised difference": [
            f"{impact_views.signed(detail.standardised_difference)}{impact_views.standardised_interval(detail)}"
            if detail.standardised_difference is not None
            else ABSENT
            for detail in details
        ],
    }


def significant_cell(finding: Finding) -> str:
    """Return whether a difference is statistically significant, with its p alone and corrected."""
    significant, claim = impact_views.is_significant(finding), finding.claim
    if claim is None:
        return ABSENT
    if significant is None:
        return "not judged"
    disagreement = why_not(finding)
    because = f"; {disagreement}" if disagreement else ""
    return f"{'yes' if significant else 'no'} ({corrected_p(claim)}{because})"


def _reference(finding: Finding) -> str:
    name = impact_views.group_name(finding.reference)
    if isinstance(finding.details, MeanRatio):
        details = finding.details
        return (
            f"{name}, n {count_text(details.n_reference)}, mean score {impact_views.signed(details.mean_reference, 3)}"
        )
    rates = ImpactRatio.of(finding)
    rate = impact_views.rate_text(rates.rate_reference, rates.rate_bounds_reference)
    n = "not shown" if rates.n_reference is None else count_text(rates.n_reference)
    effective = _effective(rates.effective_reference, rates.n_reference)
    effective = effective and f", effective n {effective}"
    return f"{name}, n {n}{effective}, selection rate {rate}"


def _p_of(findings: Sequence[Finding], unseen: int) -> list[str]:
    """Return the test behind p, and what it is corrected over."""
    claims = [finding.claim for finding in findings if finding.claim is not None and finding.claim.p is not None]
    if not claims:
        return []
    tests = listing(list(dict.fromkeys(impact_views.test_name(claim) for claim in claims)))
    clusters = list(dict.fromkeys(impact_views.cluster_counts_text(finding) for finding in findings))
    subject = "Intervals and p" if any(clusters) else "p"
    by = f"{tests} ({clusters[0]})" if any(clusters) and len(clusters) == 1 else tests
    over = claims[0].corrected_over + (f" ({count_text(unseen)} with another reference)" if unseen else "")
    return [f"{subject}: {', '.join(filter(None, (by, over)))}"]


def definitions_table(groups: ImpactGroups, audit: ImpactAudit) -> Table | None:
    """Return, for each other definition of a selection, the group that is furthest behind; None without others."""
    led = {(view.attributes, view.definition) for view in groups.leading}
    others = [
        view
        for attribute in groups.attributes
        for view in attribute.views
        if not view.crossed and (view.attributes, view.definition) not in led
    ]
    if not others:
        return None
    worst = [impact_views.by_problem(view.findings)[0] for view in others]
    names = [
        f"{capital(impact_views.view_name(view))}, {impact_views.definition_at(view.definition, audit)}"
        for view in others
    ]
    ratios = [
        impact_views.short_ratio(finding, (1.0,)) if view.means else impact_views.short_ratio(finding)
        for view, finding in zip(others, worst, strict=True)
    ]
    return impact_views.columns_table(
        {
            "Group": [impact_views.pair_name(finding) for finding in worst],
            "Ratio (95 % CI)": ratios,
            "Four-fifths": [impact_views.four_fifths_cell(ImpactRatio.of(finding).four_fifths) for finding in worst],
            SIGNIFICANT: [significant_cell(finding) for finding in worst],
            "Note": [finding.reason or "" for finding in worst],
        },
        caption="Sensitivity to the definition of a selection: in each, the group furthest behind",
        first="Selected",
        labels=names,
        words=WORDS,
        folded=len(others) > MOST_OPEN,
    )


#: Other definitions of a selection up to which their table is open.
MOST_OPEN = 4

MOST_SHARES_NAMED = 4
MOST_AVAILABILITY_BARS = 8


def availability_summary(findings: Sequence[Finding]) -> PageSummary:
    """Return the first screen."""
    by_attribute = by_key(lambda finding: next(iter(finding.focal)), findings)
    order = sorted(
        findings, key=lambda finding: (not impact_views.is_significant(finding), -(Stated.of(finding).shortfall or 0.0))
    )
    behind = next(
        (
            finding
            for finding in order
            if impact_views.is_significant(finding) and (Stated.of(finding).shortfall or 0.0) > 0
        ),
        None,
    )
    return PageSummary(
        tables=[_table(attribute, group_rows) for attribute, group_rows in by_attribute.items()],
        figures=[_figure(findings[:MOST_AVAILABILITY_BARS])],
        sentences=[_sentence(finding) for finding in order[:MOST_SHARES_NAMED]],
        steps=list(_steps(behind, some_not_significant=not all(map(impact_views.is_significant, findings)))),
    )


def availability_section(groups: ImpactGroups) -> Section | None:
    """Return the applicants against stated shares, besides who of them was selected; None without any."""
    if not groups.availability or not groups.views:
        return None
    by_attribute = by_key(lambda finding: next(iter(finding.focal)), groups.availability)
    text = [
        "Who applied, of all who could have: the applicants of the first stage, those without a decision included, "
        "against the share of each group that is stated to be available. The stated shares are not checked "
        "(Hazelwood, 433 U.S. 299, 308 n.13), and people are assumed to be drawn independently.",
    ]
    tables = [_table(attribute, findings) for attribute, findings in by_attribute.items()]
    figures = [_figure(groups.availability[:MOST_AVAILABILITY_BARS])]
    parts = [Part(tables=tables, figures=figures)]
    return Section(name="availability", heading="Applicants against availability", text=text, parts=parts)


def _table(attribute: str, findings: Sequence[Finding]) -> Table:
    details = [Stated.of(finding) for finding in findings]
    over = _over(findings[0])
    return impact_views.columns_table(
        {
            "n": [count_text(detail.people) for detail in details],
            "Expected": [_count(detail.expected) for detail in details],
            f"Share ({confidence_text(findings[0].confidence)} CI)": [
                f"{percent_text(finding.estimate)} ({impact_views.PERCENT.interval(finding.low, finding.high)})"
                for finding in findings
            ],
            "Stated share": [percent_text(detail.stated_share) for detail in details],
            "Z": [impact_views.signed(_z(finding)) for finding in findings],
            "Significant?": [
                f"{'yes' if impact_views.is_significant(finding) else 'no'} ({named_p(finding.p_adjusted)})"
                for finding in findings
            ],
        },
        caption=f"{capital(in_words(attribute))}, {count_text(findings[0].n)} people against stated shares. "
        f"p: {', '.join(filter(None, ('exact binomial test', over)))}",
        first="Group",
        labels=[impact_views.group_name(finding.focal) for finding in findings],
        words=["Significant?"],
    )


def _over(finding: Finding) -> str:
    """Return the correction of p, "" for a single comparison."""
    return "" if finding.claim is None else finding.claim.corrected_over


def _count(value: float | None) -> str:
    return Scale(decimals=1).text(value)


def _z(finding: Finding) -> float | None:
    return next((test.statistic for test in finding.tests if test.name.startswith("Z")), None)


def _figure(findings: Sequence[Finding]) -> Figure:
    bars = []
    for finding in findings:
        name, stated = impact_views.named_group(finding.focal), Stated.of(finding).stated_share
        values = [impact_views.PERCENT.shown(end) for end in (finding.estimate, finding.low, finding.high)]
        text = f"{name}: {percent_text(finding.estimate)} ({impact_views.PERCENT.interval(finding.low, finding.high)})"
        bars.append(BarRow(label=name, value=values[0], low=values[1], high=values[2], text=text))
        stated_label = f"{name}, stated"
        value = impact_views.PERCENT.shown(stated)
        bars.append(BarRow(label=stated_label, value=value, text=f"{stated_label}: {percent_text(stated)}"))
    return Figure(
        title="Shares of the people here, and stated shares",
        note=f"Lines are {confidence_text(findings[0].confidence)} confidence intervals.",
        chart=lambda width: bar_chart(bars, title="% of people", width=width),
        tables=(),
    )


def _sentence(finding: Finding) -> str:
    """Return the number of people, the expected number, and whether the difference is significant."""
    details = Stated.of(finding)
    significant, shortfall = impact_views.is_significant(finding), details.shortfall or 0.0
    fewer = f"{_count(abs(shortfall))} {'fewer' if shortfall > 0 else 'more'} than" if shortfall else "as many as"
    exact = "" if finding.claim is None else corrected_p(finding.claim)
    return (
        f"{capital(impact_views.named_group(finding.focal))}: {count_text(details.people)} of "
        f"{count_text(finding.n)} people, "
        f"{percent_text(finding.estimate)}; {fewer} the {_count(details.expected)} expected by the "
        f"stated share of "
        f"{percent_text(details.stated_share)}, {'' if significant else 'not '}statistically significant "
        f"(exact binomial test: {exact})."
    )


def _steps(behind: Finding | None, *, some_not_significant: bool) -> Iterator[NextStep]:
    """Yield the questions about stated shares."""
    yield NextStep(
        question="Are the stated shares those of people who are qualified and near enough to apply (Hazelwood, 433 "
        "U.S. 299, 308 n.13)? The result depends on them."
    )
    if behind is not None:
        yield NextStep(
            question="Who applied, and who of them was selected? A table of applicants shows at which step the "
            "difference arises (evenhand impact with --selected)."
        )
    elif some_not_significant:
        yield NextStep(
            question="Are there enough people? With few of them even a large shortfall stays within "
            f"±{impact_views.Z_LIMIT:g} standard deviations."
        )


#: Attributes whose table is open, and sentences.
MOST_TABLES, MOST_SENTENCES = 3, 5
#: Other differences that are named.
MOST_OTHERS = 3
#: Attributes that have a sentence.
MOST_VIEWS_NAMED = 3


def impact_summary(groups: ImpactGroups, audit: ImpactAudit) -> PageSummary:
    """Return the first screen."""
    if groups.availability and not groups.views:
        return availability_summary(groups.availability)
    views = leading_views(groups)
    tables = [
        rates_table(view, audit, folded=place >= MOST_TABLES, unseen=0 if place else groups.unseen)
        for place, view in enumerate(views)
    ]
    others = definitions_table(groups, audit)
    sentences = _sentences(groups, views, audit)
    if audit.monitored is not None:
        from evenhand.report.impact.monitored import monitored_sentence  # noqa: PLC0415 - few runs are of a store

        sentences.insert(0 if audit.monitored.standing else 1, monitored_sentence(audit.monitored))
    return PageSummary(
        tables=[*tables, *([others] if others else [])],
        sentences=sentences,
        steps=next_steps(groups, views, audit),
    )


def leading_views(groups: ImpactGroups) -> list[View]:
    """Return the leading view of each single attribute, the largest problem first."""
    single = [view for view in groups.leading if not view.crossed]
    worst = {view.attributes: impact_views.by_problem(view.findings)[0] for view in single}
    order = impact_views.by_problem(list(worst.values()))
    return sorted(single, key=lambda view: order.index(worst[view.attributes]))


def _other_differences(groups: ImpactGroups, views: Sequence[View], named: Sequence[Finding]) -> str:
    """Return the planned differences that neither the tables of the first screen nor other sentences have."""
    in_steps = [view for step in groups.steps for view in step.views]
    shown = {id(finding) for view in (*views, *in_steps) for finding in view.findings} | {id(each) for each in named}
    remaining = [view for view in groups.views if not view.crossed and view not in views and view not in in_steps]
    shown |= {id(impact_views.by_problem(view.findings)[0]) for view in remaining}
    by_attribute = [found for attribute, found in groups.adjusted.items() if attribute]
    shown |= {id(impact_views.by_problem(found)[0]) for found in by_attribute}
    shown |= {id(finding) for finding in within_differences(groups)}
    # Without any odds ratio another sentence has them.
    pooled = [view for view in groups.pooled if groups.first_pooled and not view.crossed]
    compared = [*(view.findings for view in (*remaining, *pooled)), *by_attribute]
    candidates = [
        finding for findings in compared for finding in findings if impact_views.is_sizeable(finding, findings)
    ]
    differences = [finding for finding in candidates if finding.is_difference and id(finding) not in shown]
    parts = [
        f"{f'{in_words(finding.measure)} {impact_views.size_text(finding)}'.removesuffix(f' {ABSENT}')} for "
        f"{impact_views.named_group(finding.focal)}"
        f"{''.join(f', {part}' for part in finding.slice.values())} ({corrected_p(finding.claim)})"
        for finding in differences[:MOST_OTHERS]
        if finding.claim is not None
    ]
    parts += [f"{len(differences) - MOST_OTHERS} more in the report"] if len(differences) > MOST_OTHERS else []
    return f"Statistically significant, too: {listing(parts)}." if parts else ""


def _sentences(groups: ImpactGroups, views: list[View], audit: ImpactAudit) -> list[str]:
    """Return the result in sentences, a reversal first."""
    turned = reversals(groups)
    first = [text for reversal in turned[:1] for text in reversal_sentences(reversal, audit)]
    stated = {tuple(reversal.whole.focal) for reversal in turned[:1]}
    of_views: list[str] = []
    remaining = [view for view in views if view.attributes not in stated][:MOST_VIEWS_NAMED]
    for place, view in enumerate(remaining):
        again = place > 0 and view.definition == remaining[0].definition
        of_views.append(impact_views.view_sentence(view, audit, again=again))
        if place == 0 and view.known:
            worst = impact_views.by_problem(view.findings)[0]
            margin = impact_views.margin_sentence(view, parts=bool(groups.positions or groups.over_time))
            of_views.append(" ".join(filter(None, [margin, *impact_views.cautions(worst)])))
    if not first:
        first, of_views = of_views[:2], of_views[2:]
    # What all together hide is never cut: stages and positions that differ.
    by_position = position_sentences(groups, audit, stated=stated)
    if groups.ranked:
        from evenhand.report.impact.ranks import many_positions_sentence  # noqa: PLC0415 - totals have none

        by_position.append(many_positions_sentence(groups))
    hidden = [*stage_sentences(groups), *by_position, between_positions_sentence(groups)]
    together = any(finding.is_difference for view in views for finding in view.findings)
    elsewhere = any(finding.is_difference for step in groups.steps for view in step.views for finding in view.findings)
    differences_first = not turned and not together and (elsewhere or any(by_position))
    leading = [*hidden, *first] if differences_first else [*first, *hidden]
    # Nor is a difference that another estimator shows, or why a higher rate is not the reference.
    known = {view.attributes for view in views if view.known}
    leading += [note.text for note in audit.reference_floor.notes if note.attributes in known]
    estimated = [within_sentence(groups), *block_sentences(groups, audit), *adjusted_sentences(groups)]
    if groups.ladders:
        from evenhand.report.impact.ladder import ladder_sentences  # noqa: PLC0415 - totals have none

        estimated += ladder_sentences(groups, audit)
    if groups.over_time:
        from evenhand.report.impact.periods import over_time_sentence  # noqa: PLC0415 - few runs are over time

        # Who asks for periods reads of them first, whether they differ or not.
        leading.append(over_time_sentence(groups))
    others = [finding for view in groups.pooled for finding in view.findings]
    others += [*groups.blocks, *(finding for found in groups.adjusted.values() for finding in found)]
    if any(finding.is_difference for finding in others):
        leading, estimated = [*leading, *estimated], []
    leading += [text for view in views if (text := impact_views.suppressed_sentence(view, audit))]
    # Who is missing comes before who there are more of.
    shares = sorted(
        groups.availability,
        key=lambda finding: (not finding.is_difference, (_z(finding) or 0.0) > 0, -abs(_z(finding) or 0.0)),
    )
    leading += [f"Applicants against availability: {sentence_case(_sentence(finding))}" for finding in shares[:1]]
    leading.append(_other_differences(groups, views, [reversal.within for reversal in turned[:1]]))
    leading = [text for text in leading if text]
    sentences = [*leading, *of_views]
    sentences += [capital((finding.reason or "").rstrip(".")) + "." for finding in groups.alone]
    sentences += [*estimated, *bound_sentences(groups)]
    sentences += [impact_views.view_sentence(view, audit) for view in groups.leading if view.crossed]
    return [text for text in dict.fromkeys(sentences) if text][: max(MOST_SENTENCES, len(leading))]
