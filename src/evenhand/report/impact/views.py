"""Words, numbers and tables of an analysis of applicants, and the sentence of one comparison."""

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Final, Literal

from evenhand.patterns import lazy_re
from evenhand.report.charts.axes import MarkedLine
from evenhand.report.charts.intervals import IntervalRow
from evenhand.report.page.parts import Table, headings
from evenhand.report.words import numbers
from evenhand.report.words.results import (
    GENDERS,
    PEOPLE,
    capital,
    corrected_p,
    in_words,
    listing,
    sentence_case,
    why_not,
)
from evenhand.results.applicant_audit import ImpactAudit
from evenhand.results.finding import Claim, Finding, ImpactRatio, MeanRatio
from evenhand.results.impact_groups import Definition, View
from evenhand.results.measures import BLOCK_DIFFERENCE, COMMON_ODDS_RATIO, IMPACT_RATIO
from evenhand.results.schemas import BOTTOM_LINE, CROSSED, CUTOFF, MEANS, MEDIAN, SELECTED, STATISTICS, Format

#: Drawn only; verdicts come with each finding. The register of rules has the citations.
FOUR_FIFTHS_LINE, TWO_SIDED_LINE, Z_LIMIT = 0.8, 1.25, 1.96
EQUAL_RATES = MarkedLine(value=1.0, text="1")
RATIO, SHORT = numbers.PLAIN, numbers.Scale(decimals=2)
PERCENT = numbers.Scale(factor=100, decimals=1)
#: A printed impact ratio never rounds onto or across these; an odds ratio not across 1.
APART, ODDS_APART = (FOUR_FIFTHS_LINE, 1.0, TWO_SIDED_LINE), (1.0,)
#: Between crossed attributes, and between their groups.
TIMES = " \N{MULTIPLICATION SIGN} "
FOUR_FIFTHS_WORDS = {
    "below": "below four-fifths",
    "not_below": "not below four-fifths",
    "above": "above five-fourths",
    "not_computable": "not computable",
    "not_determined": "four-fifths not determined",
}
FISHER = "Fisher exact"
#: The labels of groups of ages, which data makes of years.
_AGES = lazy_re(r"(under )\d+|\d+ (?:or older|to \d+)")


#: Groups per chart; the table has all of them.
MOST_GROUPS_PLOTTED = 40


def definition_name(definition: Definition, audit: ImpactAudit) -> str:
    """Return what counts as a selection, as headings and captions name it.

    >>> definition_name(Definition("cutoff", 3.5, ""), ImpactAudit())
    'score above 3.5'
    """
    cutoff = definition.cutoff
    if definition.approach == CUTOFF:
        return f"score {audit.side} {cutoff:g}"
    if definition.approach == MEDIAN:
        half = f"score {'below' if audit.low else 'above'} the median"
        return f"{half} of {cutoff:g}" if cutoff is not None else half
    return "mean score" if definition.approach == MEANS else "decision"


def definition_at(definition: Definition, audit: ImpactAudit) -> str:
    """Return what counts as a selection, with its stage.

    >>> definition_at(Definition("selected", None, "screen"), ImpactAudit())
    'decision, screen'
    """
    return definition_name(definition, audit) + (f", {definition.stage}" if definition.stage else "")


def view_name(view: View) -> str:
    """Return the attribute of a view as sentences name it."""
    return TIMES.join(in_words(attribute) for attribute in view.attributes)


def group_name(group: Mapping[str, str]) -> str:
    """Return a group as the data call it; men and women as sentences do.

    >>> group_name({"gender": "female", "race": "Asian"}), group_name({"gender": "female"})
    ('female × Asian', 'women')
    """
    name = TIMES.join(group.values())
    return GENDERS.get(name.casefold(), name) if len(group) == 1 else name


def attribute_name(attribute: str) -> str:
    """Return an attribute of impact.csv as sentences name it.

    >>> attribute_name("gender x age_group")
    'gender × age group'
    """
    return TIMES.join(in_words(part) for part in attribute.split(CROSSED))


def group_label(label: object, attribute: str) -> str:
    """Return a label of impact.csv as `group_name` has it.

    >>> group_label("female x White", "gender x race"), group_label("4 x 4 driver", "job"), group_label("male", "sex")
    ('female × White', '4 x 4 driver', 'men')
    """
    if label is None:
        return numbers.ABSENT
    text = str(label)
    return text.replace(CROSSED, TIMES) if CROSSED in attribute else GENDERS.get(text.casefold(), text)


def named_group(group: Mapping[str, str]) -> str:
    """Return a group as people, or with its attribute; a crossed one by its labels alone.

    >>> named_group({"sex": "Female"}), named_group({"sex": "f"}), named_group({"sex": "f", "race": "Asian"})
    ('women', 'sex = f', 'f × Asian')
    >>> named_group({"age": "40 or older"}), named_group({"age": "under 40"})
    ('people aged 40 or older', 'people under 40')
    """
    if len(group) == 1 and (people := PEOPLE.get(str(*group.values()).casefold())):
        return people
    if len(group) == 1 and (years := _AGES.fullmatch(str(*group.values()))):
        return f"people {years[0]}" if years[1] else f"people aged {years[0]}"
    return " = ".join([*(in_words(name) for name in group if len(group) == 1), group_name(group)])


def reference_name(group: Mapping[str, str]) -> str:
    """Return the group that another of the same attribute is compared with: as people, or by its label alone."""
    name = named_group(group)
    return group_name(group) if " = " in name else name


def is_significant(finding: Finding) -> bool | None:
    """Return whether the finding's claim is a difference; None where it was not judged."""
    return None if finding.verdict in {None, "not_judged"} else finding.is_difference


def outside(finding: Finding) -> bool:
    """Return whether a ratio is below four fifths, or above five fourths where the rule looks at both sides."""
    return ImpactRatio.of(finding).four_fifths in {"below", "above"}


def is_sizeable(finding: Finding, findings: Sequence[Finding]) -> bool:
    """Return whether both groups of a comparison have at least 30 people and 2 % of those in these comparisons."""
    claim = finding.claim
    if claim is None or claim.n_focal is None or claim.n_reference is None:
        return False
    return claim.is_large(
        claim.n_reference + sum(other.claim.n_focal or 0 for other in findings if other.claim is not None)
    )


def by_problem(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings as headlines need them: groups of some size first, differences first, the largest first."""
    return sorted(
        findings,
        key=lambda finding: (
            finding.estimate is None and not isinstance(finding.details, MeanRatio) and not finding.is_difference,
            not is_sizeable(finding, findings),
            not finding.is_difference,
            not outside(finding),
            -_size_of(finding),
        ),
    )


def _size_of(finding: Finding) -> float:
    """Return how far a ratio is from 1, on either side; without a ratio, how far the rates are apart."""
    if isinstance(finding.details, MeanRatio):
        return abs(finding.details.standardised_difference or 0.0)
    if finding.estimate is None:
        return abs(ImpactRatio.of(finding).rate_focal or 0.0)
    return max(finding.estimate, 1 / finding.estimate) if finding.estimate > 0 else inf


def test_p(finding: Finding, name: str) -> float | None:
    """Return p of the finding's test of that name."""
    return next((test.p for test in finding.tests if test.name == name), None)


def cluster_counts_text(finding: Finding) -> str:
    """Return the clusters of a cluster-robust interval, "" where people are independent: '1,323 by ad'."""
    # Independent people are those of "person" and "position", which may be names of columns of clusters, too.
    units = set() if "cluster-robust" in finding.method else {"person", "position"}
    counted = {name: n for name, n in finding.clusters.items() if name not in units}
    if finding.measure in {BLOCK_DIFFERENCE, COMMON_ODDS_RATIO} and len(counted) > 1:
        del counted[next(iter(counted))]  # the blocks or positions, which are held fixed
    if counted.keys() == {"row"} and "weighted" in finding.method:
        return numbers.counted(counted["row"], "row")
    return " and ".join(f"{numbers.count_text(n)} by {in_words(name)}" for name, n in counted.items())


def ratio_text(ratio: float | None) -> str:
    """Return a ratio of rates with three decimals, more where it is close to a limit of the four-fifths rule or to 1.

    >>> ratio_text(0.8), ratio_text(0.79996)
    ('0.800', '0.79996')
    """
    return RATIO.text(ratio, apart=APART)


def odds_text(ratio: float | None) -> str:
    """Return an odds ratio with three decimals, more where it is close to 1."""
    return RATIO.text(ratio, apart=ODDS_APART)


def pair_name(finding: Finding) -> str:
    """Return the groups of a comparison: 'f against m'."""
    return f"{group_name(finding.focal)} against {group_name(finding.reference)}"


def short_ratio(finding: Finding, apart: Sequence[float] = APART, *, level: bool = False) -> str:
    """Return a ratio with its interval, two decimals each; `level` names the level of confidence."""
    text = SHORT.text(finding.estimate, apart=apart)
    if finding.estimate is None and finding.low is not None:
        return f"{SHORT.interval(finding.low, finding.high, apart=apart)}, bounds"
    if finding.estimate is None or finding.low is None:
        return text
    low = SHORT.number(finding.low, apart=apart)
    high = numbers.ABSENT if finding.high is None else SHORT.number(finding.high, apart=apart)
    span = f"{low} or above" if high == numbers.ABSENT else f"{low}{numbers.ABSENT}{high}"
    return f"{text} ({f'{numbers.confidence_text(finding.confidence)} CI ' if level else ''}{span})"


def size_text(finding: Finding) -> str:
    """Return the size of a difference: the ratio with its interval, without one the difference of the rates."""
    details = ImpactRatio.of(finding)
    if finding.estimate is not None or details.rate_focal is None or details.rate_reference is None:
        return short_ratio(finding)
    points = numbers.POINTS.number(details.rate_focal - details.rate_reference)
    return f"a difference of {points}{numbers.POINTS.long_suffix}"


def four_fifths_text(value: object) -> str:
    """Return the verdict of the four-fifths rule in words, a dash without one."""
    return FOUR_FIFTHS_WORDS.get(str(value), numbers.ABSENT)


def four_fifths_cell(value: object) -> str:
    """Return the verdict of the four-fifths rule for a column of that name.

    >>> four_fifths_cell("below"), four_fifths_cell("not_determined")
    ('below', 'not determined')
    """
    return four_fifths_text(value).removesuffix(" four-fifths").removeprefix("four-fifths ")


def rate_text(rate: float | None, bounds: tuple[float, float] | None) -> str:
    """Return a selection rate, of counts that are not shown its bounds.

    >>> rate_text(0.25, None), rate_text(None, (0.1, 0.25))
    ('25.0 %', '10.0 to 25.0 %')
    """
    if bounds is None or bounds[0] == bounds[1]:
        return numbers.percent_text(rate if bounds is None else bounds[0])
    return f"{PERCENT.interval(*bounds)} %"


def rate_of(details: ImpactRatio, side: Literal["focal", "reference"]) -> str:
    """Return the selection rate of one group of a comparison, and of how many people where that is known."""
    rate, n = getattr(details, f"rate_{side}"), getattr(details, f"n_{side}")
    bounds = details.rate_bounds if side == "focal" else details.rate_bounds_reference
    return rate_text(rate, bounds) + ("" if n is None else f" of {numbers.count_text(n)}")


def ratio_lines(audit: ImpactAudit) -> list[MarkedLine]:
    """Return the lines at four fifths, at 1, and at five fourths where the rule looks at both sides."""
    lines = [MarkedLine(value=FOUR_FIFTHS_LINE, text="0.8"), EQUAL_RATES]
    if audit.two_sided:
        lines.append(MarkedLine(value=TWO_SIDED_LINE, text="1.25"))
    return lines


def interval_row(finding: Finding, label: str) -> IntervalRow:
    """Return a finding as a line of a chart."""
    if finding.estimate is None:
        text = f"{label}: not computed: {finding.reason}"
        if ImpactRatio.of(finding).rate_bounds is not None:
            text = f"{label}: {short_ratio(finding)}"
    else:
        span = RATIO.interval(finding.low, finding.high, apart=APART)
        text = f"{label}: {ratio_text(finding.estimate)}" + (f" ({span})" if span != numbers.ABSENT else "")
    return IntervalRow(label=label, estimate=finding.estimate, low=finding.low, high=finding.high, text=text)


def columns_table(
    columns: Mapping[str, Sequence[str]],
    *,
    caption: str,
    first: str,
    labels: Sequence[str],
    words: Sequence[str] = (),
    folded: bool = False,
) -> Table:
    """Return a table with one line per label; columns that would be empty everywhere are left out.

    Numbers are set flush right, the columns in `words` flush left.
    """
    filled = {name: cells for name, cells in columns.items() if set(cells) - {numbers.ABSENT, ""}}
    heads = headings(first, *filled, words={*words, "Note"})
    return Table(caption=caption, columns=heads, rows=list(zip(labels, *filled.values(), strict=True)), folded=folded)


def signed(value: object, decimals: int = 2) -> str:
    """Return a number with its sign, a dash without one.

    >>> signed(-0.254)
    '−0.25'
    """
    if not isinstance(value, float | int):
        return numbers.ABSENT
    text = f"{abs(value):,.{decimals}f}"
    return (numbers.MINUS if value < 0 and text.strip("0.,") else "") + text


#: How the statistics of two groups are printed, by the format that their column declares.
FORMATS: Final[Mapping[Format, Callable[[float | None], str]]] = {
    "ratio": ratio_text,
    "odds": odds_text,
    "signed": signed,
    "people": lambda value: signed(value, 1),
}


def statistics_columns(details: Sequence[ImpactRatio], *, headline: bool) -> dict[str, list[str]]:
    """Return the columns of the declared statistics: those of the first table, or the others."""
    return {
        column.heading: [FORMATS[column.shown_as](detail.statistics.get(column.name)) for detail in details]
        for column in STATISTICS
        if column.headline == headline
    }


FLIP_FLOP = "flip-flop rule, UGESP Q&A 21"
Z_TEST = "Z, two standard deviations"
#: The recommended tests at a size, by the finding's `read_with`.
TESTS = {
    "Fisher, flip-flop": "Fisher's exact test and the flip-flop rule apply",
    "Z, Fisher": "the Z test and Fisher's exact test apply",
    "impact ratio, Cohen's h": "the impact ratio and Cohen's h say more than tests",
}
#: Groups named in a sentence; more are counted.
MOST_NAMED = 4


def view_sentence(view: View, audit: ImpactAudit, *, again: bool = False) -> str:
    """Return the largest difference of one attribute in a sentence, or why there is no ratio.

    With `again` the previous sentence has the same definition of a selection, which is not repeated.
    """
    worst = by_problem(view.findings)[0]
    if not view.means and not view.known and any(map(is_bounded, view.findings)):
        return suppressed_sentence(view, audit)
    if not view.known and not worst.is_difference and not (view.means and worst.p is not None):
        reasons = dict.fromkeys(sentence_case((finding.reason or "").rstrip(".")) for finding in view.findings)
        return f"No impact ratio by {view_name(view)}{_at(view, audit)}: {listing(list(reasons))}."
    if view.crossed and len(view.known) > 1:
        return _crossed(view, audit)
    start = "" if again else selected_by(view.definition, audit)
    sentence = capital(start + _comparison(view, worst))
    others = [finding for finding in view.findings if finding.is_difference]
    if others and not worst.is_difference:
        sizes = [f"{named_group(finding.focal)} (n = {_size(finding)})" for finding in others[:MOST_NAMED]]
        more = [numbers.counted(len(others) - MOST_NAMED, "more group")] if len(others) > MOST_NAMED else []
        sentence += f" The difference is statistically significant for {listing([*sizes, *more])} (see the table)."
    return sentence


def _size(finding: Finding) -> str:
    return "–" if finding.claim is None else numbers.count_text(finding.claim.n_focal)


def selected_by(definition: Definition, audit: ImpactAudit) -> str:
    """Return how a sentence begins whose selection is no decision, the bottom line, or one of a store's stages."""
    definition_text = definition_name(definition, audit)
    start = "over all stages, " if definition.stage == BOTTOM_LINE else ""
    if audit.monitored is not None and definition.stage:
        start = f"at {definition.stage}, "
    return start if definition.approach in {SELECTED, MEANS} else f"{start}by a {definition_text}, "


def _at(view: View, audit: ImpactAudit) -> str:
    definition_text = definition_name(view.definition, audit)
    return "" if definition_text == "decision" else f" ({definition_text})"


def standardised_interval(means: MeanRatio, level: str = "") -> str:
    """Return the interval of a standardised difference in brackets, "" in clusters, where there is none."""
    return "" if means.d_low is None else f" ({level}{signed(means.d_low)} to {signed(means.d_high)})"


def _comparison(view: View, finding: Finding) -> str:
    """Return both rates, the ratio with its interval, the four-fifths verdict, and significance."""
    focal, reference = named_group(finding.focal), named_group(finding.reference)
    chance = significance(finding)
    if view.means:
        means = MeanRatio.of(finding)
        level = numbers.confidence_text(finding.confidence)
        reach = standardised_interval(means, f"{level} CI ")
        parts = [
            "" if finding.estimate is None else f"ratio {short_ratio(finding, (1.0,), level=True)}",
            f"standardised difference {signed(means.standardised_difference)}{reach}",
            chance,
        ]
        scores = signed(means.mean_focal, 3), signed(means.mean_reference, 3)
        first = f"the mean score was {scores[0]} for {focal} and {scores[1]} for {reference}"
        return f"{first}: {', '.join(filter(None, parts))}."
    details = ImpactRatio.of(finding)
    parts = [f"impact ratio {short_ratio(finding, level=True)}", four_fifths_text(details.four_fifths)]
    if finding.estimate is None:
        parts = [f"{size_text(finding)} (there is no impact ratio to a rate of 0)"]
    # Of very many people tests tell little: the size of a difference says more.
    parts += (
        [f"Cohen's h {signed(details.statistics.get('cohens_h'))}"]
        if details.read_with == "impact ratio, Cohen's h"
        else []
    )
    parts += [chance]
    rates = [numbers.percent_text(details.rate_focal), numbers.percent_text(details.rate_reference)]
    first = f"the selection rate was {rates[0]} for {focal} and {rates[1]} for {reference}"
    return f"{first}: {', '.join(filter(None, parts))}."


#: The tests that decide, in words.
TEST_WORDS = {
    FISHER: "Fisher's exact test",
    "Welch t": "Welch's t test",
    "Wald": "Wald test",
    "Score test": "score test",
    "Wald, conditional": "Wald test, conditional",
    "Score test, conditional": "score test, conditional",
    "CR2 t of the conditional log odds": "cluster-robust t test, CR2",
    "CR2 t of the log odds, one decision reversed": "cluster-robust t test, CR2, with one decision reversed",
    "Cluster-robust t": "cluster-robust t test",
    "Mantel-Haenszel": "Mantel-Haenszel test",
    "CR2 t": "cluster-robust t test, CR2",
    "permutation of clusters, exact": "exact permutation of whole clusters",
    "permutation of clusters, 99,999 draws": "permutation of whole clusters, 99,999 draws",
    "CR2 t, one decision reversed": "cluster-robust t test, CR2, with one decision reversed",
    "CR2 t of the log odds": "cluster-robust t test, CR2",
    "CR2 t of the common log odds ratio": "cluster-robust t test, CR2",
}


def significance(finding: Finding) -> str:
    """Return whether a difference is statistically significant, with the test that decides and its p."""
    claim, significant = finding.claim, is_significant(finding)
    if claim is None or significant is None:
        return "not judged"
    statistic = "" if claim.df is None else f"t = {signed(claim.statistic)} on {claim.df:.1f} df, "
    parts = [f"{test_name(claim)}: {statistic}{corrected_p(claim)}"]
    clusters = cluster_counts_text(finding)
    parts += [f"clusters: {clusters}"] if clusters else []
    disagreement = why_not(finding)
    parts += [disagreement] if disagreement else []
    parts += [detectable(finding)] if finding.measure != IMPACT_RATIO and claim.detectable is not None else []
    return f"{'' if significant else 'not '}statistically significant ({'; '.join(parts)})"


def detectable(finding: Finding) -> str:
    """Return what the test would have found with 80 % power where it found nothing: 'minimum detectable ratio 0.71'."""
    value = None if finding.claim is None else finding.claim.detectable
    if value is None:
        return ""
    if finding.measured_in == "ratio":
        odds = "" if finding.measure == IMPACT_RATIO else "odds "
        return f"minimum detectable {odds}ratio {SHORT.text(value, apart=APART)}"
    is_share = finding.measured_in == "share"
    return f"minimum detectable difference {(100 if is_share else 1) * -value:.3g}{' percentage points' * is_share}"


#: The one-sided tests of a margin in words, by how they begin.
MARGIN_TESTS = {"exact": "exact one-sided test", "score": "one-sided score test"}
BY_CLUSTERS = "one-sided t test by clusters"


def margin_name(margin: float | None) -> str:
    """Return the margin that ratios were shown to be above.

    >>> margin_name(0.8), margin_name(0.9)
    ('four-fifths', '0.9')
    """
    return "four-fifths" if margin == FOUR_FIFTHS_LINE else f"{margin or 0.0:g}"


def margin_sentence(view: View, *, parts: bool = False) -> str:
    """Return which ratios were shown to be above the margin, and within it; "" where none was, or one is outside.

    `parts` says that the applicants are split by position or period, too, whose ratios may be others.
    """
    judged = [
        finding for finding in view.findings if finding.claim is not None and finding.claim.above_margin is not None
    ]
    shown = [finding for finding in judged if finding.claim is not None and finding.claim.above_margin]
    # A reference that is itself below four-fifths is the result then, not that the ratio to it is high.
    if not shown or any(outside(finding) or (finding.estimate or 0.0) > TWO_SIDED_LINE for finding in view.findings):
        return ""
    first = max(shown, key=lambda finding: ImpactRatio.of(finding).p_above_adjusted or 0.0)
    details = ImpactRatio.of(first)
    above, within = f"above {margin_name(details.margin)}", f"{details.margin:g} to {1 / (details.margin or 1):.4g}"
    equivalent = all(finding.claim is not None and finding.claim.equivalent for finding in shown)
    p = _margin_p(details, within=equivalent)
    test = MARGIN_TESTS.get((details.margin_test or "").partition(" ")[0].rstrip(","), BY_CLUSTERS)
    over = details.margin_comparisons or 1
    basis = f"{test}: {'largest ' if len(shown) > 1 else ''}{numbers.named_p(p)}" + (
        f", Holm over {numbers.count_text(over)} ratios" if over > 1 else f"; 90 % CI {_interval_90(details)}"
    )
    result = f"shown to be {above}{f', and within {within}' if equivalent else ''} ({basis})"
    together = " of all applicants together" if parts else ""
    if len(judged) == 1:
        return f"{'The rates differ, and their' if first.is_difference else 'The'} ratio{together} was {result}."
    if len(shown) == len(judged):
        return f"All {numbers.count_text(len(judged))} ratios{together} were {result}."
    return f"{capital(_named(shown))}: {result}. The other ratios were not."


def margin_cell(finding: Finding) -> str:
    """Return whether a ratio was shown to be above the margin, and within it, with the corrected one-sided p."""
    claim = finding.claim
    if claim is None or claim.above_margin is None:
        return numbers.ABSENT
    within = bool(claim.above_margin and claim.equivalent)
    shown = ("within" if within else "above") if claim.above_margin else "no"
    return f"{shown} ({numbers.named_p(_margin_p(ImpactRatio.of(finding), within=within))})"


def _margin_p(details: ImpactRatio, *, within: bool) -> float | None:
    """Return the corrected one-sided p of a ratio above the margin, or the larger one of above and within."""
    p = [details.p_above_adjusted, *([details.p_within_adjusted] if within else [])]
    return max((each for each in p if each is not None), default=None)


def _interval_90(details: ImpactRatio) -> str:
    margins = (details.margin, 1 / details.margin) if details.margin else ()
    low, high = (SHORT.number(limit, apart=(*APART, *margins)) for limit in (details.low_90, details.high_90))
    return f"{low}{numbers.ABSENT}{high}"


def test_name(claim: Claim) -> str:
    """Return the test that decides in words."""
    name, weighted, _ = (claim.test or "").partition(", weighted")
    return TEST_WORDS.get(name, name) + (", of weighted rates" if weighted else "")


def cautions(finding: Finding) -> list[str]:
    """Return what to mind about a ratio of rates: a reference that is behind, power, one changed selection."""
    details, sentences = ImpactRatio.of(finding), []
    if finding.is_difference and (finding.estimate or 0.0) > 1 and not outside(finding):
        under = (
            " Here the reference is below four-fifths of its rate."
            if (finding.estimate or 0.0) > TWO_SIDED_LINE
            else ""
        )
        sentences.append(f"The reference has the lower rate; the four-fifths rule compares with the highest.{under}")
    undetected, clusters = is_significant(finding) is False, cluster_counts_text(finding)
    known = details.detectable_ratio is not None or not clusters
    if undetected and known and details.n_focal is not None:
        people = f"{numbers.count_text(details.n_focal)} and {numbers.count_text(details.n_reference)} applicants"
        people += f" in clusters ({clusters})" if clusters else ""
        sentences.append(
            f"With {people} not even an impact ratio of 0 would be detected with 80 % statistical power."
            if details.detectable_ratio is None
            else f"Minimum detectable ratio with {people}, at 80 % statistical power: "
            f"{SHORT.text(details.detectable_ratio, apart=APART)}."
        )
    if details.flip_flop_reverses:
        sentences.append(f"One changed selection reverses the direction ({FLIP_FLOP}).")
    if undetected and outside(finding):
        sentences.append(false_positives(finding))
    return [text for text in sentences if text]


def false_positives(finding: Finding) -> str:
    """Return how often the four-fifths rule flags such a table although all groups have the same chance."""
    share = ImpactRatio.of(finding).over_flagging_rate
    if share is None:
        return ""
    return (
        f"False-positive rate of the four-fifths rule with these numbers of people: {numbers.simulated_share(share)}."
    )


def tests_at_this_size(view: View) -> list[str]:
    """Return, for each advice on which test applies, the groups it holds for and its reason."""
    by_advice: dict[tuple[str, str], list[str]] = {}
    for finding in view.findings:
        details = ImpactRatio.of(finding)
        words = TESTS.get(details.read_with or "")
        if words:
            by_advice.setdefault((words, details.read_reason or ""), []).append(named_group(finding.focal))
    return [
        capital(f"{_who(groups, everybody=len(by_advice) == 1)}{words} at this size. {reason}")
        for (words, reason), groups in by_advice.items()
    ]


def _who(groups: list[str], *, everybody: bool) -> str:
    if everybody:
        return ""
    return f"{numbers.count_text(len(groups))} groups: " if len(groups) > MOST_NAMED else f"{listing(groups)}: "


def _crossed(view: View, audit: ImpactAudit) -> str:
    """Return how many groups of several attributes are outside four-fifths or differ significantly.

    Counted are the groups of some size, whose lowest is named; all of them where none is.
    """
    known = [finding for finding in view.findings if finding.estimate is not None]
    findings = [finding for finding in known if is_sizeable(finding, view.findings)] or known
    against = listing(list(dict.fromkeys(named_group(finding.reference) for finding in findings)))
    size = " of at least 30 people and 2 %" if len(findings) < len(known) else ""
    start = (
        f"{capital(view_name(view))}{_at(view, audit)}: of {numbers.counted(len(findings), 'group')}{size} "
        f"compared with {against}, "
    )
    parts = []
    if not view.means:
        flagged = [finding for finding in findings if outside(finding)]
        all_below = all(ImpactRatio.of(finding).four_fifths == "below" for finding in flagged)
        side = "below four-fifths" if all_below else "outside four-fifths"
        parts.append(f"{_number(flagged)} {'is' if len(flagged) < 2 else 'are'} {side}{_farthest(flagged, all_below)}")
    significant = [finding for finding in findings if finding.is_difference]
    over = "" if findings[0].claim is None else findings[0].claim.corrected_over
    has = "has" if len(significant) < 2 else "have"
    parts.append(f"{_number(significant)} {has} a statistically significant difference{f' ({over})' if over else ''}")
    omitted = len(known) - len(findings)
    smaller = (
        f" {capital(numbers.counted(omitted, 'smaller group'))} {'is' if omitted == 1 else 'are'} not counted here."
    )
    return f"{start}{' and '.join(parts)}.{smaller if omitted else ''}{_suppressed(view)}"


def is_bounded(finding: Finding) -> bool:
    """Return whether the ratio has bounds only, as counts are not shown."""
    return ImpactRatio.of(finding).rate_bounds is not None


def suppressed_sentence(view: View, audit: ImpactAudit) -> str:
    """Return what the counts that are not shown leave open, of each group of an attribute; "" where all are shown."""
    bounded = [finding for finding in view.findings if is_bounded(finding)]
    if not bounded:
        return ""
    parts = [_bounded(finding, audit) for finding in bounded[:MOST_NAMED]]
    parts += [f"{numbers.counted(len(bounded) - MOST_NAMED, 'more group')} in the table"] * (len(bounded) > MOST_NAMED)
    sentence = f"As counts are suppressed, {'; '.join(parts)}."
    if not bounded[0].reference:
        sentence += " No group certainly has the highest rate, so there is no ratio."
    sentence += f" {'Its' if len(bounded) == 1 else 'Their'} significance is not judged."
    named = [str(text).partition("=")[0].strip() for text in _listed(audit.parameters.get("references"))]
    highest = [finding for finding in bounded if finding.reference and (finding.high is None or finding.high > 1)]
    if highest and not {"largest", *view.attributes} & {*named}:
        surely = len(highest) == 1 and highest[0].low is not None and highest[0].low > 1
        which = f"{_named(highest)} {'is' if surely else 'may be'} the highest"
        sentence += f" The rate of {which}; ratios are to the highest that is known."
    undetermined = [finding for finding in view.known if ImpactRatio.of(finding).four_fifths == "not_determined"]
    if undetermined:
        below = "is below four-fifths of the highest rate is not determined"
        sentence += f" Whether {_named(undetermined)} {below}."
    return sentence


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else []


def _bounded(finding: Finding, audit: ImpactAudit) -> str:
    """Return the bounds of the rates and of the ratio, and what they say of the four-fifths rule."""
    details = ImpactRatio.of(finding)
    focal = named_group(finding.focal)
    text = f"the selection rate was {rate_text(None, details.rate_bounds)} for {focal}"
    if not finding.reference:
        return text
    if details.rate_bounds_reference is not None:
        text += f" and {rate_text(None, details.rate_bounds_reference)} for {named_group(finding.reference)}"
    if finding.low is None:
        return f"{text}, and there is no ratio, as the selection rate of {named_group(finding.reference)} is 0"
    low, high = (SHORT.text(end, apart=APART) for end in (finding.low, finding.high))
    if finding.low == finding.high:
        return f"{text}, and the impact ratio of {focal} is {low}, {four_fifths_text(details.four_fifths)}"
    lies = f"at {low} or above" if finding.high is None else f"between {low} and {high}"
    verdict = four_fifths_text(details.four_fifths)
    if details.four_fifths == "not_determined":
        lines = [(FOUR_FIFTHS_LINE, "four-fifths"), *([(TWO_SIDED_LINE, "five-fourths")] if audit.two_sided else [])]
        ends = finding.low or 0.0, inf if finding.high is None else finding.high
        sides = [words for line, words in lines if ends[0] < line <= ends[1]]
        rule = f"on both sides of {listing(sides)}" if sides else verdict
    else:
        rule = f"{verdict} at both ends"
    return f"{text}, and the impact ratio of {focal} lies {lies}, {rule}"


def _suppressed(view: View) -> str:
    """Return how many groups have no ratio as counts are suppressed, and which are below four-fifths nevertheless."""
    hidden = [finding for finding in view.findings if is_bounded(finding)]
    hidden = [finding for finding in hidden if finding.estimate is None and finding.reference]
    if view.means or not hidden:
        return ""
    below = [finding for finding in hidden if ImpactRatio.of(finding).four_fifths == "below"]
    names = f"; below four-fifths at both ends: {_named(below)}" if below else ""
    are = "is" if len(hidden) == 1 else "are"
    return f" {capital(numbers.counted(len(hidden), 'group'))} with suppressed counts {are} not counted here{names}."


def _named(findings: list[Finding]) -> str:
    more = len(findings) - MOST_NAMED
    names = [named_group(finding.focal) for finding in findings[:MOST_NAMED]]
    return listing([*names, f"{more} more"] if more > 0 else names)


def _number(findings: list[Finding]) -> str:
    return numbers.count_text(len(findings)) if findings else "none"


def _farthest(findings: Sequence[Finding], all_below: bool) -> str:  # noqa: FBT001 - a direction
    """Return the ratio farthest from 1 in brackets, "" without any."""
    if not findings:
        return ""
    first = max(findings, key=_size_of)
    text = f"{named_group(first.focal)}, {SHORT.text(first.estimate, apart=APART)}"
    return f" ({'lowest' if all_below else 'farthest from 1'}: {text})"


def people_noun(audit: ImpactAudit) -> str:
    """Return what people of unknown group are counted in: with stages an applicant has a row per stage."""
    if audit.accounting.count is not None:
        return audit.accounting.noun
    if audit.monitored is not None:
        return "decisions"
    return "rows" if {"stage", "sheets"} & set(audit.parameters) else "people"
