"""Findings in plain words: labels of groups and measures, units, values."""

from collections.abc import Mapping, Sequence

from evenhand.report.words.numbers import MINUS, confidence_text, is_difference, scale_of
from evenhand.tables.audit.measured import Bands, Measured
from evenhand.tables.details import Judged
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import DIFFERENCE

__all__ = [
    "bands_of",
    "both_groups",
    "capital",
    "group_label",
    "in_words",
    "is_slope",
    "listing",
    "measure_label",
    "quantity",
    "sentence_case",
    "unit_text",
    "value_text",
]

CENTRE_EDGES = 4
#: What a comparison without a group of its own is about: every group in turn.
EACH = "each group"
#: Names of people's groups are proper names wherever they stand.
PROPER = {name.lower(): name for name in ("Asian", "Black", "Hispanic", "White")}


def in_words(name: str) -> str:
    """Return a name in words.

    >>> in_words("acceptance_rate")
    'acceptance rate'
    """
    return name.replace("_", " ").strip()


def capital(text: str) -> str:
    """Return the text with its first letter upper case, the rest untouched."""
    return text[:1].upper() + text[1:]


def listing(words: Sequence[str]) -> str:
    """Return words as a list in a sentence.

    >>> listing(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def group_label(group: Mapping[str, str]) -> str:
    """Return a group by its values.

    >>> group_label({"race": "black", "gender": "female"})
    'Black female'
    """
    return " ".join(PROPER.get(value, in_words(value)) for value in group.values())


def quantity(finding: Finding, audit: Measured) -> str:
    """Return what is measured, without the groups: 'acceptance rate', 'slope of …'."""
    own = audit.quantities.get(finding.measure)
    if own:
        return own
    base = finding.measure.removeprefix(DIFFERENCE)
    for value in finding.focal.values():
        base = base.removeprefix(f"{value}_")
    regression = audit.regression
    if is_slope(finding) and regression is not None:
        return f"slope of {in_words(regression.measure or base)} on {in_words(regression.against or '')}"
    return in_words(base)


def unit_text(finding: Finding) -> str:
    """Return the unit of a finding's printed values, as axes and captions name it."""
    if finding.measured_in == "share":
        return "percentage points" if is_difference(finding) else "%"
    return "percentage points" if is_slope(finding) else in_words(finding.measured_in)


def is_slope(finding: Finding) -> bool:
    """Return whether the finding is a change of a share per unit of a context number."""
    return finding.measured_in.startswith("share per")


def measure_label(finding: Finding, audit: Measured) -> str:
    """Return the measure's label; the audit block may name it under `labels`."""
    own = audit.labels.get(finding.measure)
    if own:
        return own
    what = quantity(finding, audit)
    if finding.reference:
        return f"Difference in {what}, {group_label(finding.focal) or EACH} {MINUS} {group_label(finding.reference)}"
    return capital(f"{what}, {group_label(finding.focal)}" if finding.focal else what)


def bands_of(finding: Finding, audit: Measured) -> Bands | None:
    """Return the mark bands of a finding's measure, or None; a finding may say that they don't apply to it."""
    if Judged.of(finding).no_mark:
        return None
    found = audit.bands.get(finding.measure)
    return found if found is not None and len(found.edges) == CENTRE_EDGES else None


def value_text(finding: Finding) -> str:
    """Return the estimate with its interval in one line, or why there is none."""
    if finding.estimate is None:
        return f"not computed: {finding.reason}"
    scale, null = scale_of(finding), () if finding.null_value is None else (finding.null_value,)
    text = scale.text(finding.estimate, apart=null)
    if finding.low is None or finding.high is None:
        return text
    span = scale.interval(finding.low, finding.high, apart=null)
    return f"{text} ({confidence_text(finding.confidence)} CI {span})"


def both_groups(finding: Finding, audit: Measured) -> str:
    """Return the two groups of a contrast: 'male and female candidates'."""
    return f"{group_label(finding.focal) or EACH} and {group_label(finding.reference)} {audit.subject}"


def sentence_case(text: str) -> str:
    """Return the text as it stands within a sentence; an acronym keeps its capitals.

    >>> sentence_case("Difference in rate"), sentence_case("IQ score")
    ('difference in rate', 'IQ score')
    """
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
