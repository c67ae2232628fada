"""One comparison of groups in a sentence: rates, ratio, the four-fifths rule, significance, and what to mind."""

from evenhand.report.impact.views import (
    APART,
    SHORT,
    Z_LIMIT,
    adjusted_over,
    by_problem,
    clusters_told,
    definition_name,
    four_fifths_text,
    is_significant,
    named_group,
    outside,
    p_told,
    share_text,
    short_ratio,
    signed,
    view_name,
)
from evenhand.report.words.numbers import Scale, confidence_text, count_text, counted
from evenhand.report.words.wording import capital, listing, sentence_case
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.details import ImpactRatio, MeanRatio
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.impact import Definition, View
from evenhand.tables.impact_files import BOTTOM_LINE, MEANS, SELECTED

__all__ = [
    "FLIP_FLOP",
    "Z_TEST",
    "cautions",
    "false_positives",
    "selected_by",
    "significance",
    "tests_at_this_size",
    "view_sentence",
]

FLIP_FLOP = "flip-flop rule, UGESP Q&A 21"
Z_TEST = "Z, two standard deviations"
#: Which test applies at a size, by what a finding says is to be read.
TESTS = {
    "Fisher, flip-flop": "Fisher's exact test and the flip-flop rule apply",
    "Z, Fisher": "the Z test and Fisher's exact test apply",
    "impact ratio, Cohen's h": "the impact ratio and Cohen's h tell more than tests",
}
#: Groups named in a sentence; of more the number is told.
MOST_NAMED = 4


def view_sentence(view: View, audit: ImpactAudit, *, again: bool = False) -> str:
    """Return what the groups of one attribute show: the largest difference, or why there is no ratio.

    `again` says that the sentence before has the same definition of a selection.
    """
    if not view.known:
        reasons = dict.fromkeys(sentence_case((each.reason or "").rstrip(".")) for each in view.findings)
        return f"No impact ratio by {view_name(view)}{_at(view, audit)}: {listing(list(reasons))}."
    if view.crossed and len(view.known) > 1:
        return _crossed(view, audit)
    start = "" if again else selected_by(view.definition, audit)
    return capital(start + _comparison(view, by_problem(view.findings)[0]))


def selected_by(definition: Definition, audit: ImpactAudit) -> str:
    """Return how a sentence begins whose selection is no decision, or the bottom line."""
    what = definition_name(definition, audit)
    start = "over all stages, " if definition.stage == BOTTOM_LINE else ""
    return start if definition.approach in {SELECTED, MEANS} else f"{start}by a {what}, "


def _at(view: View, audit: ImpactAudit) -> str:
    what = definition_name(view.definition, audit)
    return "" if what == "decision" else f" ({what})"


def _comparison(view: View, finding: Finding) -> str:
    """Return both rates, the ratio with its interval, the verdict of the four-fifths rule, and significance."""
    focal, reference = named_group(finding.focal), named_group(finding.reference)
    chance = significance(finding)
    if view.means:
        means = MeanRatio.of(finding)
        level = confidence_text(finding.confidence)
        reach = f" ({level} CI {signed(means.d_low)} to {signed(means.d_high)})" if means.d_low is not None else ""
        parts = [
            f"ratio {short_ratio(finding, (1.0,), level=True)}",
            f"standardised difference {signed(means.standardised_difference)}{reach}",
            chance,
        ]
        first = f"{focal} had a mean score of {signed(means.mean_focal, 3)}, {reference} of "
        return f"{first}{signed(means.mean_reference, 3)}: {', '.join(filter(None, parts))}."
    details = ImpactRatio.of(finding)
    parts = [f"impact ratio {short_ratio(finding, level=True)}", four_fifths_text(details.four_fifths), chance]
    rates = [share_text(details.rate_focal), share_text(details.rate_reference)]
    return f"{focal} was selected at {rates[0]}, {reference} at {rates[1]}: {', '.join(filter(None, parts))}."


def significance(finding: Finding) -> str:
    """Return whether a difference is statistically significant, by the test that applies at its size."""
    significant = is_significant(finding)
    if significant is None:
        return ""
    details, over, clusters = ImpactRatio.of(finding), adjusted_over(finding), clusters_told(finding)
    if clusters:
        told = [p_told(finding.p_adjusted, f"{'adjusted ' if over else ''}p"), over, f"clusters: {clusters}"]
        return f"{'' if significant else 'not '}statistically significant ({', '.join(filter(None, told))})"
    z = next((test.statistic for test in finding.tests if test.name == Z_TEST), None)
    told = []
    if z is not None and details.read_with != "Fisher, flip-flop":
        told.append(f"Z = {Scale(decimals=1).text(abs(z), apart=(Z_LIMIT,))}")
    name = f"{'adjusted ' if over else ''}p"
    if details.read_with == "Fisher, flip-flop":
        name = f"Fisher's exact {name}"
    told += [p_told(finding.p_adjusted, name), over]
    if details.read_with == "impact ratio, Cohen's h":
        told.append(f"Cohen's h = {signed(details.cohens_h)}")
    return f"{'' if significant else 'not '}statistically significant ({', '.join(filter(None, told))})"


def cautions(finding: Finding) -> list[str]:
    """Return what to mind about a ratio: a reference that is behind, power, one changed selection, the rule's error."""
    details = ImpactRatio.of(finding)
    found = []
    if is_significant(finding) and (finding.estimate or 0.0) > 1 and not outside(finding):
        found.append("The reference has the lower rate; the four-fifths rule compares with the highest.")
    if is_significant(finding) is False and details.n_focal is not None:
        people = f"{count_text(details.n_focal)} and {count_text(details.n_reference)} applicants"
        alone = ", were they independent" if clusters_told(finding) else ""
        found.append(
            f"With {people} not even an impact ratio of 0 would be detected with 80 % statistical power."
            if details.detectable_ratio is None
            else f"Minimum detectable ratio with {people}{alone}, at 80 % statistical power: "
            f"{SHORT.text(details.detectable_ratio, apart=APART)}."
        )
    if details.flip_flop_reverses:
        found.append(f"One changed selection reverses the direction ({FLIP_FLOP}).")
    if is_significant(finding) is False and outside(finding):
        found.append(false_positives(finding))
    return [text for text in found if text]


def false_positives(finding: Finding) -> str:
    """Return how often the four-fifths rule flags such a table although all groups have the same chance."""
    share = ImpactRatio.of(finding).over_flagging_rate
    if share is None:
        return ""
    percent = 100 * share
    text = (
        "below 0.1 %"
        if percent < 0.1
        else "above 99.9 %"
        if percent > 99.9
        else f"{percent:.1f} %"
        if percent < 10
        else f"{percent:.0f} %"
    )
    return f"False-positive rate of the four-fifths rule with these numbers of people: {text}."


def tests_at_this_size(view: View) -> list[str]:
    """Return, for each advice on which test applies, the groups it holds for and its reason."""
    found: dict[tuple[str, str], list[str]] = {}
    for finding in view.findings:
        details = ImpactRatio.of(finding)
        words = TESTS.get(details.read_with or "")
        if words:
            found.setdefault((words, details.read_reason or ""), []).append(named_group(finding.focal))
    return [
        capital(f"{_who(groups, everybody=len(found) == 1)}{words} at this size. {reason}")
        for (words, reason), groups in found.items()
    ]


def _who(groups: list[str], *, everybody: bool) -> str:
    if everybody:
        return ""
    return f"{count_text(len(groups))} groups: " if len(groups) > MOST_NAMED else f"{listing(groups)}: "


def _crossed(view: View, audit: ImpactAudit) -> str:
    """Return how many groups of several attributes are behind, and which the most."""
    findings = [each for each in by_problem(view.findings) if each.estimate is not None]
    against = listing(list(dict.fromkeys(named_group(each.reference) for each in findings)))
    start = (
        f"{capital(view_name(view))}{_at(view, audit)}: of {counted(len(findings), 'group')} compared with {against}, "
    )
    parts = []
    if not view.means:
        flagged = [each for each in findings if outside(each)]
        side = "below four-fifths" if all(_is_below(each) for each in flagged) else "outside four-fifths"
        parts.append(f"{_number(flagged)} {'is' if len(flagged) < 2 else 'are'} {side}{_first(flagged)}")
    significant = [each for each in findings if is_significant(each)]
    over = adjusted_over(findings[0])
    has = "has" if len(significant) < 2 else "have"
    parts.append(f"{_number(significant)} {has} a statistically significant difference{f' ({over})' if over else ''}")
    return f"{start}{' and '.join(parts)}."


def _is_below(finding: Finding) -> bool:
    return ImpactRatio.of(finding).four_fifths == "below"


def _number(findings: list[Finding]) -> str:
    return count_text(len(findings)) if findings else "none"


def _first(findings: list[Finding]) -> str:
    if not findings:
        return ""
    first = findings[0]
    return f" (lowest: {named_group(first.focal)}, {SHORT.text(first.estimate, apart=APART)})"
