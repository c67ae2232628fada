"""People against stated shares: the first screen of such a run, and the section of others."""

from collections.abc import Iterator, Sequence

from evenhand.report.charts.intervals import BarRow, bar_chart
from evenhand.report.impact import views as impact_views
from evenhand.report.page.parts import Figure, NextStep, PageSummary, Part, Section, Table
from evenhand.report.words.numbers import Scale, confidence_text, count_text, named_p, percent_text
from evenhand.report.words.results import capital, corrected_p, in_words, sentence_case
from evenhand.results.finding import Finding, Stated, by_key
from evenhand.results.impact_groups import ImpactGroups

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


def first_sentence(findings: Sequence[Finding]) -> str:
    """Return the sentence about applicants against stated shares that comes first."""
    # Who is missing comes before who there are more of.
    first = min(
        findings,
        key=lambda finding: (not finding.is_difference, (_z(finding) or 0.0) > 0, -abs(_z(finding) or 0.0)),
    )
    return f"Applicants against availability: {sentence_case(_sentence(first))}"


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
