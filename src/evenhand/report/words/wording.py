"""Findings in plain words: labels of groups and measures, and a result in a sentence."""

from collections.abc import Mapping, Sequence

from evenhand.report.words.numbers import (
    MINUS,
    Scale,
    confidence_text,
    count_text,
    is_difference,
    p_equals,
    scale_of,
)
from evenhand.tables.audit.measured import Bands, Measured, Regression
from evenhand.tables.details import Judged
from evenhand.tables.finding import Finding
from evenhand.tables.grouped.names import DIFFERENCE

__all__ = [
    "bands_of",
    "both_groups",
    "capital",
    "group_label",
    "in_words",
    "listing",
    "measure_label",
    "quantity",
    "result_sentence",
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
    return "slope" if is_slope(finding) else in_words(finding.measured_in)


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
    scale, null = scale_of(finding), _null(finding)
    text = scale.text(finding.estimate, apart=null)
    if finding.low is None or finding.high is None:
        return text
    span = scale.interval(finding.low, finding.high, apart=null)
    return f"{text} ({confidence_text(finding.confidence)} interval {span})"


def result_sentence(finding: Finding, audit: Measured) -> str:
    """Return what one headline finding says, in a sentence or two."""
    if finding.estimate is None:
        return f"{measure_label(finding, audit)}: not computed. {capital(finding.reason or '')}".rstrip(". ") + "."
    mark, scale = f"; mark {_mark(finding)}" if finding.mark else "", f"{_unmarked(finding)}{_along(finding, audit)}"
    if finding.verdict == "inconclusive":
        undetected = f"No difference was detected at n = {count_text(finding.n)}."
        bracket = ", ".join(part for part in (_signed(finding), _interval(finding)) if part)
        seen = f"In these answers, {_statement(finding, audit)} ({bracket}){mark}."
        return f"{undetected} {seen}{_adjusted_away(finding)}{_missed(finding)}{scale}"
    bracket = ", ".join(part for part in (_signed(finding), _interval(finding), _size(finding, audit)) if part)
    statement, verdict = capital(_statement(finding, audit)), _verdict(finding, audit)
    return f"{statement} ({bracket})" + (f": {verdict}" if verdict else "") + f"{mark}.{scale}"


def _statement(finding: Finding, audit: Measured) -> str:
    scale, value = scale_of(finding), finding.estimate or 0.0
    size = scale.number(abs(value), signed=False, apart=_null(finding)) + scale.long_suffix
    if not finding.reference:
        value_told = scale.text(finding.estimate, apart=_null(finding))
        return f"the {sentence_case(measure_label(finding, audit))} was {value_told}"
    focal, reference = (f"{group_label(group)} {audit.subject}" for group in (finding.focal, finding.reference))
    if finding.measured_in == "share" and audit.success and finding.measure not in audit.labels:
        if value == 0:
            return f"{focal} were {audit.success} as often as {reference}"
        return f"{focal} were {audit.success} {size} {'more' if value > 0 else 'less'} often than {reference}"
    regression = audit.regression
    if is_slope(finding) and regression is not None and regression.against:
        return _slope_statement(finding, regression, focal, reference, both=both_groups(finding, audit))
    what = quantity(finding, audit)
    if value == 0:
        return f"the {what} was the same for {focal} and {reference}"
    return f"the {what} was {size} {'higher' if value > 0 else 'lower'} for {focal} than for {reference}"


def _slope_statement(finding: Finding, regression: Regression, focal: str, reference: str, *, both: str) -> str:
    """Return which way the two rates part along the scale; true whether they rise or fall."""
    value, rate = finding.estimate or 0.0, in_words(regression.measure or "rate")
    start = f"for each unit of {in_words(regression.against or '')}, the difference in {rate} between {both}"
    if value == 0:
        return f"{start} stayed the same"
    points = Scale(factor=100, decimals=1).number(abs(value), apart=_null(finding))
    return f"{start} shifted by {points} percentage points towards {focal if value > 0 else reference}"


def _along(finding: Finding, audit: Measured) -> str:
    """Return what the scale of a slope is, as the audit block labels it."""
    regression = audit.regression or Regression()
    if not (is_slope(finding) and finding.reference and regression.against and regression.label):
        return ""
    label = sentence_case(regression.label).rstrip(".")
    return f" {capital(in_words(regression.against))} is {label}."


def both_groups(finding: Finding, audit: Measured) -> str:
    """Return the two groups of a contrast: 'male and female candidates'."""
    return f"{group_label(finding.focal) or EACH} and {group_label(finding.reference)} {audit.subject}"


def sentence_case(text: str) -> str:
    """Return the text as it stands within a sentence; an acronym keeps its capitals.

    >>> sentence_case("Difference in rate"), sentence_case("IQ score")
    ('difference in rate', 'IQ score')
    """
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _signed(finding: Finding) -> str:
    # 'less often' has no sign; the interval beside it has one, so the signed value stands between them.
    if is_slope(finding) and finding.reference:
        return f"difference of slopes {scale_of(finding).number(finding.estimate, apart=_null(finding))}"
    negative = finding.reference and finding.estimate is not None and finding.estimate < 0
    return f"difference {scale_of(finding).number(finding.estimate, apart=_null(finding))}" if negative else ""


def _interval(finding: Finding) -> str:
    if finding.low is None or finding.high is None:
        return f"no interval{f': {finding.reason}' if finding.reason else ''}".rstrip(".")
    scale = scale_of(finding)
    ends = " to ".join(scale.number(end, apart=_null(finding), signed=False) for end in (finding.low, finding.high))
    return f"{confidence_text(finding.confidence)} interval {ends}"


def _size(finding: Finding, audit: Measured) -> str:
    answers = audit.statuses.get("observed")
    return f"n = {count_text(finding.n)}" + (" answers" if finding.n == answers else "")


def _verdict(finding: Finding, audit: Measured) -> str:
    if finding.verdict == "equivalent":
        detected = Judged.of(finding).difference_detected
        first = "" if detected is None else f"{'a' if detected else 'no'} difference was detected, and "
        return first + _inside(finding, audit)
    if finding.verdict == "difference":
        if finding.reference or finding.null_value is None:
            return "a difference was detected"
        scale = scale_of(finding)
        return f"it differs from {scale.shown(finding.null_value):g}{scale.suffix}"
    return ""


def _inside(finding: Finding, audit: Measured) -> str:
    """Return which interval lies inside which margin: what 'equivalent' means."""
    scale, null, bands = scale_of(finding), finding.null_value or 0.0, bands_of(finding, audit)
    edge = bands.edges[0] if bands else None
    margin = Judged.of(finding).margin if Judged.of(finding).margin is not None else edge
    level = confidence_text(round(2 * finding.confidence - 1, 9))
    ends = Judged.of(finding).equivalence_interval
    span = ""
    if ends is not None:
        apart = (null,) if margin is None else (null, null - margin, null + margin)
        span = f" ({scale.interval(ends[0], ends[1], apart=apart)}{scale.suffix})"
    name = f"the {level} interval{span}"
    if margin is None:
        return f"{name} lies inside the A band"
    around = "" if null == 0 else f"{scale.shown(null):.6g} "
    limits = f"{around}±{scale.shown(margin):.6g}{scale.suffix}"
    return f"{name} lies inside {limits}" + (", the A band" if margin == edge else "")


def _missed(finding: Finding) -> str:
    if finding.low is None or finding.high is None:
        return ""
    scale, null = scale_of(finding), finding.null_value or 0.0
    farthest = max(abs(end - null) for end in (finding.low, finding.high))
    return (
        f" Differences smaller than {scale.number(farthest, signed=False)}{scale.long_suffix} could have been missed."
    )


def _adjusted_away(finding: Finding) -> str:
    """Return why nothing counts as detected although the interval leaves out the null value."""
    null, p = finding.null_value, finding.p_adjusted
    if null is None or p is None or finding.low is None or finding.high is None:
        return ""
    if finding.low <= null <= finding.high:
        return ""
    zero = scale_of(finding).number(null)
    told = f"adjusted p {p_equals(p)}"
    return f" The interval leaves out {zero}, but not after adjustment for several comparisons ({told})."


def _mark(finding: Finding) -> str:
    touched = finding.marks_touched
    reach = f", and the interval touches {listing(touched)}"
    return f"{finding.mark}" + (reach if len(touched) > 1 else "")


def _unmarked(finding: Finding) -> str:
    """Return why a measure that has marks has none here, and what chance gives."""
    told, chance = Judged.of(finding).no_mark, Judged.of(finding).chance
    if not told:
        return ""
    by_chance = f" Chance gives {scale_of(finding).text(chance)}." if chance is not None else ""
    return f" There is no mark: {sentence_case(told).rstrip('.')}.{by_chance}"


def _null(finding: Finding) -> tuple[float, ...]:
    return () if finding.null_value is None else (finding.null_value,)
