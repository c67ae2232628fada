"""How an analysis of applicants prints groups, definitions of a selection, ratios and tables."""

from collections.abc import Mapping, Sequence

from evenhand.report.charts import IntervalRow, MarkedLine
from evenhand.report.page.parts import Column, Table
from evenhand.report.words.numbers import ABSENT, MINUS, SIGNIFICANCE, Scale, confidence_text, count_text, p_text
from evenhand.report.words.wording import in_words
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.details import ImpactRatio
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.impact import Definition, View
from evenhand.tables.impact_files import CROSSED, CUTOFF, MEANS, MEDIAN

__all__ = [
    "APART",
    "CLUSTER_ROBUST",
    "EQUAL_RATES",
    "FISHER",
    "FOUR_FIFTHS_LINE",
    "ODDS_APART",
    "RATIO",
    "SHORT",
    "TWO_SIDED_LINE",
    "Z_LIMIT",
    "adjusted_over",
    "attribute_name",
    "by_problem",
    "clusters_told",
    "columns_table",
    "definition_at",
    "definition_name",
    "four_fifths_text",
    "group_label",
    "group_name",
    "interval_row",
    "is_significant",
    "named_group",
    "outside",
    "p_cell",
    "p_told",
    "ratio_lines",
    "share_text",
    "short_ratio",
    "signed",
    "test_p",
    "unadjusted_p",
    "view_name",
]

#: Drawn only; verdicts come with each finding. The register of rules has the citations.
FOUR_FIFTHS_LINE, TWO_SIDED_LINE, Z_LIMIT = 0.8, 1.25, 1.96
EQUAL_RATES = MarkedLine(value=1.0, text="1")
RATIO, SHORT = Scale(decimals=3), Scale(decimals=2)
#: A printed impact ratio never rounds onto or across these; an odds ratio not across 1.
APART, ODDS_APART = (FOUR_FIFTHS_LINE, 1.0, TWO_SIDED_LINE), (1.0,)
#: How the page joins what is crossed.
TIMES = " \N{MULTIPLICATION SIGN} "
FOUR_FIFTHS_WORDS = {
    "below": "below four-fifths",
    "not_below": "not below four-fifths",
    "above": "above five-fourths",
    "not_computable": "not computable",
}
FISHER, CLUSTER_ROBUST = "Fisher exact", "Cluster-robust t"


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
    """Return a group as the data call it.

    >>> group_name({"gender": "female", "race": "Asian"})
    'female × Asian'
    """
    return TIMES.join(group.values())


def attribute_name(attribute: str) -> str:
    """Return an attribute of impact.csv as sentences name it.

    >>> attribute_name("gender x age_group")
    'gender × age group'
    """
    return TIMES.join(in_words(part) for part in attribute.split(CROSSED))


def group_label(label: object, attribute: str) -> str:
    """Return a label of impact.csv: that of a single attribute as it is.

    >>> group_label("female x White", "gender x race"), group_label("4 x 4 driver", "job")
    ('female × White', '4 x 4 driver')
    """
    return ABSENT if label is None else str(label).replace(CROSSED, TIMES) if CROSSED in attribute else str(label)


def named_group(group: Mapping[str, str]) -> str:
    """Return a group with its attribute; a crossed one by its labels alone.

    >>> named_group({"sex": "f"}), named_group({"sex": "f", "race": "Asian"})
    ('sex f', 'f × Asian')
    """
    return " ".join([*(in_words(name) for name in group if len(group) == 1), group_name(group)])


def is_significant(finding: Finding) -> bool | None:
    """Return whether the adjusted p is below .05; None without one."""
    return None if finding.p_adjusted is None else finding.p_adjusted < SIGNIFICANCE


def outside(finding: Finding) -> bool:
    """Return whether a ratio is below four fifths, or above five fourths where the rule looks at both sides."""
    return ImpactRatio.of(finding).four_fifths in {"below", "above"}


def by_problem(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings in the order of what they tell: outside four-fifths, significant, then by ratio."""
    return sorted(
        findings,
        key=lambda each: (
            each.estimate is None,
            not outside(each),
            not is_significant(each),
            each.estimate or 0.0,
        ),
    )


def adjusted_over(finding: Finding) -> str:
    """Return what p was adjusted for, "" for a single comparison: 'Holm over 6 pairs'."""
    over = (finding.adjustment or "").partition(", ")[2]
    return "" if over.endswith(" over 1 pair") else over


def test_p(finding: Finding, name: str) -> float | None:
    """Return p of the finding's test of that name."""
    return next((test.p for test in finding.tests if test.name == name), None)


def unadjusted_p(finding: Finding) -> float | None:
    """Return the p of a difference of rates before it is adjusted: by clusters where there are any, else Fisher's."""
    clustered = any(test.name == CLUSTER_ROBUST for test in finding.tests)
    return test_p(finding, CLUSTER_ROBUST if clustered else FISHER)


def clusters_told(finding: Finding) -> str:
    """Return how many clusters the interval lets vary, "" where people are independent: '1,323 by ad'."""
    if all(test.name != CLUSTER_ROBUST for test in finding.tests):
        return ""
    return " and ".join(f"{count_text(n)} by {in_words(name)}" for name, n in finding.clusters.items())


def p_cell(p: float | None) -> str:
    """Return a p value without the zero that it always begins with.

    >>> p_cell(0.0496), p_cell(0.00004), p_cell(1.0)
    ('.0496', '< .001', '1.000')
    """
    text = p_text(p)
    return text.removeprefix("0") if text.startswith("0") else text.replace("< 0", "< ")


def p_told(p: float | None, name: str = "p") -> str:
    """Return a p value behind its name.

    >>> p_told(0.0496), p_told(0.00004, "adjusted p")
    ('p = .0496', 'adjusted p < .001')
    """
    text = p_cell(p)
    return f"{name} {text}" if text.startswith("<") else f"{name} = {text}"


def short_ratio(finding: Finding, apart: Sequence[float] = APART, *, level: bool = False) -> str:
    """Return a ratio with its interval, two decimals each; `level` names the level of confidence."""
    text = SHORT.text(finding.estimate, apart=apart)
    if finding.estimate is None or finding.low is None:
        return text
    low = SHORT.number(finding.low, apart=apart)
    high = ABSENT if finding.high is None else SHORT.number(finding.high, apart=apart)
    span = f"{low} or above" if high == ABSENT else f"{low}{ABSENT}{high}"
    return f"{text} ({f'{confidence_text(finding.confidence)} CI ' if level else ''}{span})"


def four_fifths_text(value: object) -> str:
    """Return the verdict of the four-fifths rule in words, a dash without one."""
    return FOUR_FIFTHS_WORDS.get(str(value), ABSENT)


def share_text(value: object) -> str:
    """Return a share in percent with one decimal.

    >>> share_text(0.2139)
    '21.4 %'
    """
    if not isinstance(value, float | int):
        return ABSENT
    return Scale(factor=100, suffix=" %", decimals=1).text(value, apart=(1.0,))


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
    else:
        span = RATIO.interval(finding.low, finding.high, apart=APART)
        text = f"{label}: {RATIO.text(finding.estimate, apart=APART)}" + (f" ({span})" if span != ABSENT else "")
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

    Numbers stand flush right, the columns in `words` flush left.
    """
    kept = {name: cells for name, cells in columns.items() if set(cells) - {ABSENT, ""}}
    heads = [Column(label=first, numeric=False)]
    heads += [Column(label=name, numeric=name not in {*words, "Note"}) for name in kept]
    return Table(caption=caption, columns=heads, rows=list(zip(labels, *kept.values(), strict=True)), folded=folded)


def signed(value: object, decimals: int = 2) -> str:
    """Return a number with its sign, a dash without one.

    >>> signed(-0.254)
    '−0.25'
    """
    if not isinstance(value, float | int):
        return ABSENT
    text = f"{abs(value):,.{decimals}f}"
    return (MINUS if value < 0 and text.strip("0.,") else "") + text
