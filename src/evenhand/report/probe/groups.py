"""Rates of combinations of groups, and their ratios to the highest rate."""

from collections.abc import Sequence
from dataclasses import replace

from evenhand.report.charts import MarkedLine
from evenhand.report.page.parts import Figure, Part, Section, estimate_table
from evenhand.report.probe.interval_figure import interval_figure
from evenhand.report.scores.section import cutoff_sentence
from evenhand.report.words.numbers import ABSENT
from evenhand.report.words.wording import capital, group_label, in_words, listing
from evenhand.tables.details import GroupRatio
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.probe import ProbeGroups

__all__ = ["group_section"]

FOUR_FIFTHS_LINE = 0.8  # drawn only; the verdict 'below' comes with each finding (29 CFR 1607.4(D))
SAME_RESUMES = (
    "All groups were shown with the same résumés, so a difference is known better than the mean of one group, whose "
    "interval lets résumés vary."
)
FOUR_FIFTHS_WORDS = {
    "below": "below 0.8",
    "not_below": "not below 0.8",
    "above": "above 1.25",
    "not_computable": "not computable",
}


def group_section(groups: ProbeGroups) -> Section | None:
    """Return rates and impact ratios of intersections, or None."""
    parts = [Part(figures=[_rates(found, measure)]) for measure, found in groups.rates.items()]
    if groups.ratios:
        parts.append(Part(figures=[_ratios(groups.ratios)]))
    if not parts:
        return None
    keys = list(next(iter((*groups.rates.values(), groups.ratios)))[0].focal)
    heading = f"By {listing([in_words(key) for key in keys])}"
    text = [] if groups.scores is None else [*cutoff_sentence(groups.scores), SAME_RESUMES]
    return Section(name="groups", heading=heading, text=text, parts=parts)


def _rates(findings: Sequence[Finding], measure: str) -> Figure:
    keys = list(findings[0].focal)
    title = capital(f"{in_words(measure)} by {listing([in_words(key) for key in keys])}")
    table = estimate_table(
        findings, caption=title, first="Group", labels=[capital(group_label(finding.focal)) for finding in findings]
    )
    return interval_figure(
        findings,
        title=title,
        note="Each dot is one group, with its interval. The axis need not begin at 0.",
        labels=[capital(in_words(finding.focal.get(keys[0], ""))) for finding in findings],
        series=[capital(" ".join(in_words(finding.focal.get(key, "")) for key in keys[1:])) for finding in findings],
        tables=[replace(table, folded=True)],
    )


def _ratios(findings: Sequence[Finding]) -> Figure:
    reference = next((group_label(finding.reference) for finding in findings if finding.reference), "")
    title = "Impact ratio by group" + (f", against {reference} (the highest rate)" if reference else "")
    adjustment = next((finding.adjustment for finding in findings if finding.adjustment), None)
    table = estimate_table(
        findings,
        caption=f"The group's rate divided by the highest rate, {_share(GroupRatio.of(findings[0]).rate_reference)}"
        + (f". p is adjusted by {adjustment}" if adjustment else ""),
        first="Group",
        labels=[capital(group_label(finding.focal)) for finding in findings],
        apart=[FOUR_FIFTHS_LINE],
        extra={
            "Rate": [_share(GroupRatio.of(finding).rate_focal) for finding in findings],
            "Four-fifths": [_four_fifths(GroupRatio.of(finding).four_fifths) for finding in findings],
        },
        without={"Clusters"},
    )
    return interval_figure(
        findings,
        title=title,
        note=(
            "The dashed line at 0.8 is the four-fifths rule of thumb of US enforcement agencies (29 CFR 1607.4(D)). "
            "Whether a ratio is below it is decided on the counts, before rounding."
        )
        + _false_positives(findings),
        labels=[capital(group_label(finding.focal)) for finding in findings],
        tables=[replace(table, folded=True)],
        lines=[MarkedLine(value=FOUR_FIFTHS_LINE, text="0.8"), MarkedLine(value=1.0, text="1")],
        axis="Impact ratio",
    )


def _false_positives(findings: Sequence[Finding]) -> str:
    """Return how often the four-fifths rule flags this very table without a cause."""
    rate = next((r for finding in findings if (r := GroupRatio.of(finding).over_flagging_rate) is not None), None)
    if rate is None:
        return ""
    return (
        f" The false-positive rate of the rule on this table is {_rounded(rate)}: so often some group falls below 0.8 "
        "when decisions are permuted at random."
    )


def _rounded(share: float) -> str:
    """Return a share in whole percent; neither none nor all by rounding."""
    percent = 100 * share
    if 0 < percent < 1:
        return "less than 1 %"
    return "more than 99 %" if 99 < percent < 100 else f"{percent:.0f} %"


def _four_fifths(verdict: str | None) -> str:
    return "" if verdict is None else FOUR_FIFTHS_WORDS.get(verdict, verdict)


def _share(value: float | None) -> str:
    return ABSENT if value is None else f"{100 * value:.1f} %"
