"""How an analysis of applicants prints groups, definitions of a selection, ratios and tables."""

from collections.abc import Mapping, Sequence

from evenhand.report.charts import IntervalRow, MarkedLine
from evenhand.report.page.parts import Column, Table
from evenhand.report.words.numbers import ABSENT, MINUS, Scale
from evenhand.report.words.wording import in_words, listing
from evenhand.tables.audit.impact import ImpactAudit
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.impact import Definition, View
from evenhand.tables.impact_files import CROSSED, CUTOFF, MEANS, MEDIAN

__all__ = [
    "APART",
    "EQUAL_RATES",
    "FOUR_FIFTHS_LINE",
    "ODDS_APART",
    "RATIO",
    "READ_WORDS",
    "TWO_SIDED_LINE",
    "Z_LIMIT",
    "attribute_name",
    "columns_table",
    "counted_names",
    "definition_at",
    "definition_name",
    "four_fifths_text",
    "group_label",
    "group_name",
    "interval_row",
    "ratio_lines",
    "share_text",
    "signed",
    "view_name",
]

#: Drawn only; verdicts come with each finding. The register of rules has the citations.
FOUR_FIFTHS_LINE, TWO_SIDED_LINE, Z_LIMIT = 0.8, 1.25, 1.96
EQUAL_RATES = MarkedLine(value=1.0, text="1")
RATIO = Scale(decimals=3)
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
READ_WORDS = {
    "Fisher, flip-flop": "Fisher's exact test and the flip-flop",
    "Z, Fisher": "the Z test and Fisher's exact test",
    "impact ratio, Cohen's h": "the impact ratio and Cohen's h",
}


def definition_name(definition: Definition, audit: ImpactAudit) -> str:
    """Return what counts as a selection, as headings and captions name it.

    >>> definition_name(Definition("cutoff", 3.5, ""), ImpactAudit())
    'score above 3.5'
    """
    cutoff = definition.cutoff
    if definition.approach == CUTOFF:
        return f"score {'of at least' if audit.at_least else 'above'} {cutoff:g}"
    if definition.approach == MEDIAN:
        return f"score above the median of {cutoff:g}" if cutoff is not None else "score above the median"
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


def four_fifths_text(value: object) -> str:
    """Return the verdict of the rule of four fifths in words, a dash without one."""
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


def counted_names(findings: Sequence[Finding], most: int = 4) -> str:
    """Return groups with their ratios, as a list in a sentence."""
    named = [f"{group_name(finding.focal)} {RATIO.text(finding.estimate, apart=APART)}" for finding in findings[:most]]
    left = len(findings) - len(named)
    return listing([*named, f"{left} more"] if left else named)


def signed(value: object, decimals: int = 2) -> str:
    """Return a number with its sign, a dash without one.

    >>> signed(-0.254)
    '−0.25'
    """
    if not isinstance(value, float | int):
        return ABSENT
    text = f"{abs(value):,.{decimals}f}"
    return (MINUS if value < 0 and text.strip("0.,") else "") + text
