"""Findings in plain words: labels of groups and measures, and a result in a sentence."""

from collections.abc import Mapping, Sequence

from evenhand.report.words.intervals import KnownInterval, known_intervals, widest_interval
from evenhand.report.words.numbers import (
    MINUS,
    Scale,
    confidence_text,
    count_text,
    is_difference,
    p_text,
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


def quantity(row: Finding, audit: Measured) -> str:
    """Return what is measured, without the groups: 'acceptance rate', 'slope of …'."""
    own = audit.quantities.get(row.measure)
    if own:
        return own
    base = row.measure.removeprefix(DIFFERENCE)
    for value in row.focal.values():
        base = base.removeprefix(f"{value}_")
    regression = audit.regression
    if is_slope(row) and regression is not None:
        return f"slope of {in_words(regression.measure or base)} on {in_words(regression.against or '')}"
    return in_words(base)


def unit_text(row: Finding) -> str:
    """Return the unit of a finding's printed values, as axes and captions name it."""
    if row.measured_in == "share":
        return "percentage points" if is_difference(row) else "%"
    return "slope" if is_slope(row) else in_words(row.measured_in)


def is_slope(row: Finding) -> bool:
    """Return whether the finding is a change of a share per unit of a context number."""
    return row.measured_in.startswith("share per")


def measure_label(row: Finding, audit: Measured) -> str:
    """Return the measure's label; the audit block may name it under `labels`."""
    own = audit.labels.get(row.measure)
    if own:
        return own
    what = quantity(row, audit)
    if row.reference:
        return f"Difference in {what}, {group_label(row.focal) or EACH} {MINUS} {group_label(row.reference)}"
    return capital(f"{what}, {group_label(row.focal)}" if row.focal else what)


def bands_of(row: Finding, audit: Measured) -> Bands | None:
    """Return the mark bands of a finding's measure, or None; a finding may say that they don't apply to it."""
    if Judged.of(row).no_mark:
        return None
    found = audit.bands.get(row.measure)
    return found if found is not None and len(found.edges) == CENTRE_EDGES else None


def value_text(row: Finding) -> str:
    """Return the estimate with its interval in one line, or why there is none."""
    if row.estimate is None:
        return f"not computed: {row.reason}"
    scale, null = scale_of(row), _null(row)
    text = scale.text(row.estimate, apart=null)
    if row.low is None or row.high is None:
        return text
    return f"{text} ({confidence_text(row.confidence)} interval {scale.interval(row.low, row.high, apart=null)})"


def result_sentence(row: Finding, audit: Measured) -> str:
    """Return what one headline finding says, in a sentence or two.

    The interval is the widest that was made, since the verdict reads all of them.
    """
    if row.estimate is None:
        return f"{measure_label(row, audit)}: not computed. {capital(row.reason or '')}".rstrip(". ") + "."
    mark, scale = f"; mark {_mark(row)}" if row.mark else "", f"{_unmarked(row)}{_along(row, audit)}"
    if row.verdict == "inconclusive":
        undetected = f"No difference was detected at n = {count_text(row.n)}."
        bracket = ", ".join(part for part in (_signed(row), _interval(row)) if part)
        seen = f"In these answers, {_statement(row, audit)} ({bracket}){mark}."
        return f"{undetected} {seen}{_disagreement(row)}{_missed(row)}{scale}"
    bracket = ", ".join(part for part in (_signed(row), _interval(row), _size(row, audit)) if part)
    statement, verdict = capital(_statement(row, audit)), _verdict(row, audit)
    return f"{statement} ({bracket})" + (f": {verdict}" if verdict else "") + f"{mark}.{_no_verdict(row)}{scale}"


def _statement(row: Finding, audit: Measured) -> str:
    scale, value = scale_of(row), row.estimate or 0.0
    size = scale.number(abs(value), signed=False, apart=_null(row)) + scale.long_suffix
    if not row.reference:
        return f"the {sentence_case(measure_label(row, audit))} was {scale.text(row.estimate, apart=_null(row))}"
    focal, reference = (f"{group_label(group)} {audit.subject}" for group in (row.focal, row.reference))
    if row.measured_in == "share" and audit.success and row.measure not in audit.labels:
        if value == 0:
            return f"{focal} were {audit.success} as often as {reference}"
        return f"{focal} were {audit.success} {size} {'more' if value > 0 else 'less'} often than {reference}"
    regression = audit.regression
    if is_slope(row) and regression is not None and regression.against:
        return _slope_statement(row, regression, focal, reference, both=both_groups(row, audit))
    what = quantity(row, audit)
    if value == 0:
        return f"the {what} was the same for {focal} and {reference}"
    return f"the {what} was {size} {'higher' if value > 0 else 'lower'} for {focal} than for {reference}"


def _slope_statement(row: Finding, regression: Regression, focal: str, reference: str, *, both: str) -> str:
    """Return which way the two rates part along the scale; true whether they rise or fall."""
    value, rate = row.estimate or 0.0, in_words(regression.measure or "rate")
    start = f"for each unit of {in_words(regression.against or '')}, the difference in {rate} between {both}"
    if value == 0:
        return f"{start} stayed the same"
    points = Scale(factor=100, decimals=1).number(abs(value), apart=_null(row))
    return f"{start} shifted by {points} percentage points towards {focal if value > 0 else reference}"


def _along(row: Finding, audit: Measured) -> str:
    """Return what the scale of a slope is, as the audit block labels it."""
    regression = audit.regression or Regression()
    if not (is_slope(row) and row.reference and regression.against and regression.label):
        return ""
    label = sentence_case(regression.label).rstrip(".")
    return f" {capital(in_words(regression.against))} is {label}."


def both_groups(row: Finding, audit: Measured) -> str:
    """Return the two groups of a contrast: 'male and female candidates'."""
    return f"{group_label(row.focal) or EACH} and {group_label(row.reference)} {audit.subject}"


def sentence_case(text: str) -> str:
    """Return the text as it stands within a sentence; an acronym keeps its capitals.

    >>> sentence_case("Difference in rate"), sentence_case("IQ score")
    ('difference in rate', 'IQ score')
    """
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _signed(row: Finding) -> str:
    # 'less often' has no sign; the interval beside it has one, so the signed value stands between them.
    if is_slope(row) and row.reference:
        return f"difference of slopes {scale_of(row).number(row.estimate, apart=_null(row))}"
    negative = row.reference and row.estimate is not None and row.estimate < 0
    return f"difference {scale_of(row).number(row.estimate, apart=_null(row))}" if negative else ""


def _interval(row: Finding) -> str:
    widest = widest_interval(row)
    if widest is None:
        return f"no interval{f': {row.reason}' if row.reason else ''}".rstrip(".")
    return f"{confidence_text(row.confidence)} interval {_ends(row, widest)}"


def _ends(row: Finding, interval: KnownInterval) -> str:
    scale = scale_of(row)
    return " to ".join(scale.number(end, apart=_null(row), signed=False) for end in (interval.low, interval.high))


def _size(row: Finding, audit: Measured) -> str:
    answers = audit.statuses.get("observed")
    return f"n = {count_text(row.n)}" + (" answers" if row.n == answers else "")


def _verdict(row: Finding, audit: Measured) -> str:
    if row.verdict == "equivalent":
        detected = Judged.of(row).difference_detected
        first = "" if detected is None else f"{'a' if detected else 'no'} difference was detected, and "
        return first + _inside(row, audit)
    if row.verdict == "difference":
        if row.reference or row.null_value is None:
            return "a difference was detected"
        scale = scale_of(row)
        return f"it differs from {scale.shown(row.null_value):g}{scale.suffix}"
    return ""


def _inside(row: Finding, audit: Measured) -> str:
    """Return which interval lies inside which margin: what 'equivalent' means."""
    scale, null, bands = scale_of(row), row.null_value or 0.0, bands_of(row, audit)
    edge = bands.edges[0] if bands else None
    margin = Judged.of(row).margin if Judged.of(row).margin is not None else edge
    level = confidence_text(round(2 * row.confidence - 1, 9))
    ends = Judged.of(row).equivalence_interval
    shown = ""
    if ends is not None:
        apart = (null,) if margin is None else (null, null - margin, null + margin)
        shown = f" ({scale.interval(ends[0], ends[1], apart=apart)}{scale.suffix})"
    name = f"the {level} interval{shown}"
    if margin is None:
        return f"{name} lies inside the A band"
    around = "" if null == 0 else f"{scale.shown(null):.6g} "
    limits = f"{around}±{scale.shown(margin):.6g}{scale.suffix}"
    return f"{name} lies inside {limits}" + (", the A band" if margin == edge else "")


def _missed(row: Finding) -> str:
    known = known_intervals(row)
    if not known:
        return ""
    scale, null = scale_of(row), row.null_value or 0.0
    farthest = max(abs(end - null) for interval in known for end in (interval.low, interval.high))
    return (
        f" Differences smaller than {scale.number(farthest, signed=False)}{scale.long_suffix} could have been missed."
    )


def _disagreement(row: Finding) -> str:
    """Return why nothing counts as detected although some interval leaves out the null value."""
    null, widest = row.null_value, widest_interval(row)
    if null is None or widest is None:
        return ""
    known, zero = known_intervals(row), scale_of(row).number(row.null_value)
    without = [interval for interval in known if not interval.holds(null)]
    holding = next((interval for interval in known if interval.holds(null)), None)
    if holding is None:
        return _not_rejected(row, zero)
    if widest in without:
        return f" That interval leaves out {zero}; the one by {holding.method} ({_ends(row, holding)}) does not."
    if without:
        other = without[0]
        return f" That interval holds {zero}; the one by {other.method} ({_ends(row, other)}) does not."
    return ""


def _not_rejected(row: Finding, zero: str) -> str:
    """Return that the test does not reject the null value that every interval leaves out."""
    test = row.tests[0] if row.tests else None
    p, adjusted = (test.p if test else None), row.p_adjusted
    level = 1 - row.confidence
    if test is not None and p is not None and p >= level:
        said = f"p = {p_text(p)}"
    elif test is not None and adjusted is not None and adjusted >= level:
        said = f"adjusted p = {p_text(adjusted)}"
    else:
        return ""
    return f" Every interval leaves out {zero}, but the {test.name} does not reject it ({said})."


def _no_verdict(row: Finding) -> str:
    """Return that there is no verdict, where the main interval is missing but others are known."""
    if row.verdict is not None or row.null_value is None or row.low is not None or not known_intervals(row):
        return ""
    return " No verdict is given" + (f": {sentence_case(row.reason)}" if row.reason else ".")


def _mark(row: Finding) -> str:
    touched = row.marks_touched
    several = len(known_intervals(row)) > 1
    reach = f", and {'the intervals touch' if several else 'the interval touches'} {listing(touched)}"
    return f"{row.mark}" + (reach if len(touched) > 1 else "")


def _unmarked(row: Finding) -> str:
    """Return why a measure that has marks has none here, and what chance gives."""
    told, chance = Judged.of(row).no_mark, Judged.of(row).chance
    if not told:
        return ""
    given = f" Chance gives {scale_of(row).text(chance)}." if chance is not None else ""
    return f" There is no mark: {sentence_case(told).rstrip('.')}.{given}"


def _null(row: Finding) -> tuple[float, ...]:
    return () if row.null_value is None else (row.null_value,)
