"""The first screen of a comparison with stated shares: its table, its chart, and what it shows in sentences."""

from collections.abc import Iterator, Sequence

from evenhand.report.charts import BarRow, bar_chart
from evenhand.report.impact.opening.figures import PERCENT
from evenhand.report.impact.views import (
    Z_LIMIT,
    adjusted_over,
    columns_table,
    group_name,
    is_significant,
    named_group,
    p_told,
    share_text,
    signed,
)
from evenhand.report.page.parts import Figure, NextStep, Opening, Table
from evenhand.report.words.numbers import Scale, confidence_text, count_text
from evenhand.report.words.wording import capital, in_words
from evenhand.tables.details import Stated
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.keys import by_key

__all__ = ["availability_opening"]

MOST_TOLD = 4
MOST_BARS = 8


def availability_opening(findings: Sequence[Finding]) -> Opening:
    """Return the first screen."""
    own = by_key(lambda each: next(iter(each.focal)), findings)
    order = sorted(findings, key=lambda each: (not is_significant(each), -(Stated.of(each).shortfall or 0.0)))
    behind = next((each for each in order if is_significant(each) and (Stated.of(each).shortfall or 0.0) > 0), None)
    return Opening(
        tables=[_table(attribute, found) for attribute, found in own.items()],
        figures=[_figure(findings[:MOST_BARS])],
        sentences=[_sentence(each) for each in order[:MOST_TOLD]],
        steps=list(_steps(behind, some_not_significant=not all(map(is_significant, findings)))),
    )


def _table(attribute: str, found: Sequence[Finding]) -> Table:
    details = [Stated.of(each) for each in found]
    over = _over(found[0])
    return columns_table(
        {
            "n": [count_text(each.people) for each in details],
            "Expected": [_count(each.expected) for each in details],
            f"Share ({confidence_text(found[0].confidence)} CI)": [
                f"{share_text(each.estimate)} ({PERCENT.interval(each.low, each.high)})" for each in found
            ],
            "Stated share": [share_text(each.stated_share) for each in details],
            "Z": [signed(_z(each)) for each in found],
            "Significant?": [
                f"{'yes' if is_significant(each) else 'no'} ({p_told(each.p_adjusted)})" for each in found
            ],
        },
        caption=f"{capital(in_words(attribute))}, {count_text(found[0].n)} people against stated shares. "
        f"p: {', '.join(filter(None, ('exact binomial test', over)))}",
        first="Group",
        labels=[group_name(each.focal) for each in found],
        words=["Significant?"],
    )


def _over(finding: Finding) -> str:
    """Return what p was adjusted for, "" for a single comparison."""
    over = adjusted_over(finding)
    return "" if over.endswith(" over 1 group") else over


def _count(value: float | None) -> str:
    return Scale(decimals=1).text(value)


def _z(finding: Finding) -> float | None:
    return next((test.statistic for test in finding.tests if test.name.startswith("Z")), None)


def _figure(findings: Sequence[Finding]) -> Figure:
    bars = []
    for each in findings:
        name, stated = named_group(each.focal), Stated.of(each).stated_share
        values = [None if end is None else PERCENT.shown(end) for end in (each.estimate, each.low, each.high)]
        text = f"{name}: {share_text(each.estimate)} ({PERCENT.interval(each.low, each.high)})"
        bars.append(BarRow(label=name, value=values[0], low=values[1], high=values[2], text=text))
        told = f"{name}, stated"
        value = None if stated is None else PERCENT.shown(stated)
        bars.append(BarRow(label=told, value=value, low=None, high=None, text=f"{told}: {share_text(stated)}"))
    return Figure(
        title="Shares of the people here, and stated shares",
        note=f"Lines are {confidence_text(findings[0].confidence)} confidence intervals.",
        chart=lambda width: bar_chart(bars, title="% of people", width=width),
        tables=(),
    )


def _sentence(finding: Finding) -> str:
    """Return how many there are, how many would be expected, and whether the difference is significant."""
    details, z = Stated.of(finding), _z(finding)
    significant, shortfall = is_significant(finding), details.shortfall or 0.0
    fewer = f"{_count(abs(shortfall))} {'fewer' if shortfall > 0 else 'more'} than" if shortfall else "as many as"
    over = _over(finding)
    told = [f"Z = {signed(z, 1)}", p_told(finding.p_adjusted, f"{'adjusted ' if over else ''}p"), over]
    return (
        f"{capital(named_group(finding.focal))}: {count_text(details.people)} of {count_text(finding.n)} people, "
        f"{share_text(finding.estimate)}; {fewer} the {_count(details.expected)} expected by the stated share of "
        f"{share_text(details.stated_share)}, {'' if significant else 'not '}statistically significant "
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
            f"±{Z_LIMIT:g} standard deviations."
        )
