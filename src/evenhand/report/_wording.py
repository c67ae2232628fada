"""Findings in plain words: labels of groups and measures, and the answer in a sentence."""

from collections.abc import Mapping, Sequence
from typing import Any

from evenhand.report._document import Row
from evenhand.report._numbers import MINUS, Scale, confidence_text, count_text, scale_of

__all__ = [
    "DIFFERENCE_PREFIX",
    "answer_sentence",
    "bands_of",
    "capital",
    "group_label",
    "listing",
    "measure_label",
    "plain",
    "quantity",
    "unit_text",
    "value_text",
]

DIFFERENCE_PREFIX = "diff_"
CENTRE_EDGES = 4


def plain(name: str) -> str:
    """Return a name in words.

    >>> plain("acceptance_rate")
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
    'black female'
    """
    return " ".join(plain(value) for value in group.values())


def quantity(row: Row, audit: Mapping[str, Any]) -> str:
    """Return what is measured, without the groups: 'acceptance rate', 'slope of …'."""
    base = row.measure.removeprefix(DIFFERENCE_PREFIX)
    for value in row.focal.values():
        base = base.removeprefix(f"{value}_")
    regression = audit.get("regression") or {}
    if is_slope(row) and regression:
        return f"slope of {plain(str(regression.get('measure', base)))} on {plain(str(regression.get('against', '')))}"
    return plain(base)


def unit_text(row: Row) -> str:
    """Return the unit of a finding's printed values, as axes and captions name it."""
    if row.unit == "share":
        return "percentage points" if row.reference else "%"
    return "slope" if is_slope(row) else plain(row.unit)


def is_slope(row: Row) -> bool:
    """Return whether the finding is a change of a share per unit of a context number."""
    return row.unit.startswith("share per")


def measure_label(row: Row, audit: Mapping[str, Any]) -> str:
    """Return the measure's label; the audit block may name it under `labels`."""
    own = (audit.get("labels") or {}).get(row.measure)
    if own:
        return str(own)
    what = quantity(row, audit)
    if row.reference:
        return f"Difference in {what}, {group_label(row.focal)} {MINUS} {group_label(row.reference)}"
    return capital(f"{what}, {group_label(row.focal)}" if row.focal else what)


def bands_of(row: Row, audit: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the mark bands of a finding's measure, or None."""
    bands = audit.get("bands") or {}
    found = bands.get(row.measure)
    return found if isinstance(found, Mapping) and len(found.get("edges", ())) == CENTRE_EDGES else None


def value_text(row: Row) -> str:
    """Return the estimate with its interval in one line, or why there is none."""
    if row.estimate is None:
        return f"not computed: {row.reason}"
    scale, null = scale_of(row), _null(row)
    text = scale.text(row.estimate, apart=null)
    if row.low is None or row.high is None:
        return text
    return f"{text} ({confidence_text(row.confidence)} interval {scale.interval(row.low, row.high, apart=null)})"


def answer_sentence(row: Row, audit: Mapping[str, Any]) -> str:
    """Return what one headline finding says, in a sentence or two."""
    if row.estimate is None:
        return f"{measure_label(row, audit)}: not computed. {capital(row.reason or '')}".rstrip(". ") + "."
    bracket = ", ".join(part for part in (_signed(row), _interval(row), _size(row, audit)) if part)
    statement, mark = capital(_statement(row, audit)), f"; mark {_mark(row)}" if row.mark else ""
    if row.verdict == "inconclusive":
        undetected = f"No difference was detected at n = {count_text(row.n)}."
        bracket = ", ".join(part for part in (_signed(row), _interval(row)) if part)
        seen = f"In these answers, {_statement(row, audit)} ({bracket}){mark}."
        return f"{undetected} {seen}{_disagreement(row)}{_missed(row)}"
    verdict = _verdict(row, audit)
    return f"{statement} ({bracket})" + (f": {verdict}" if verdict else "") + f"{mark}."


def _statement(row: Row, audit: Mapping[str, Any]) -> str:
    scale, value = scale_of(row), row.estimate or 0.0
    size = scale.number(abs(value), signed=False, apart=_null(row)) + scale.long_suffix
    if not row.reference:
        return f"the {_lower(measure_label(row, audit))} was {scale.text(row.estimate, apart=_null(row))}"
    subject = str(audit.get("subject") or "candidates")
    focal, reference = f"{group_label(row.focal)} {subject}", f"{group_label(row.reference)} {subject}"
    if row.unit == "share" and audit.get("success") and row.measure not in (audit.get("labels") or {}):
        if value == 0:
            return f"{focal} were {audit['success']} as often as {reference}"
        return f"{focal} were {audit['success']} {size} {'more' if value > 0 else 'less'} often than {reference}"
    regression = audit.get("regression") or {}
    if is_slope(row) and regression.get("label"):
        points = Scale(factor=100, decimals=1).number(abs(value), apart=_null(row))
        rate, more = plain(str(regression.get("measure", "rate"))), "more" if value >= 0 else "less"
        return (
            f"as the scale \u201c{regression['label']}\u201d goes up by 1, the {rate} of {focal} rises "
            f"{points} percentage points {more} than that of {reference}"
        )
    what = quantity(row, audit)
    if value == 0:
        return f"the {what} was the same for {focal} and {reference}"
    return f"the {what} was {size} {'higher' if value > 0 else 'lower'} for {focal} than for {reference}"


def _lower(text: str) -> str:
    # An acronym keeps its capitals.
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def _signed(row: Row) -> str:
    # 'less often' has no sign; the interval beside it has one, so the signed value stands between them.
    if is_slope(row) and row.reference:
        return f"difference of slopes {scale_of(row).number(row.estimate, apart=_null(row))}"
    negative = row.reference and row.estimate is not None and row.estimate < 0
    return f"difference {scale_of(row).number(row.estimate, apart=_null(row))}" if negative else ""


def _interval(row: Row) -> str:
    if row.low is None or row.high is None:
        return f"no interval{f': {row.reason}' if row.reason else ''}"
    scale = scale_of(row)
    low, high = (scale.number(v, apart=_null(row), signed=False) for v in (row.low, row.high))
    return f"{confidence_text(row.confidence)} interval {low} to {high}"


def _size(row: Row, audit: Mapping[str, Any]) -> str:
    answers = (audit.get("statuses") or {}).get("observed")
    return f"n = {count_text(row.n)}" + (" answers" if row.n == answers else "")


def _verdict(row: Row, audit: Mapping[str, Any]) -> str:
    detected = row.details.get("difference_detected") is True
    if row.verdict == "equivalent":
        bands = bands_of(row, audit)
        scale = scale_of(row)
        edge = scale.number(bands["edges"][0], signed=False) + scale.long_suffix if bands else ""
        small = "any difference is smaller than the A band" + (f" ({edge})" if edge else "")
        return f"a difference was detected, and {small}" if detected else small
    if row.verdict == "difference":
        if row.reference or row.null_value is None:
            return "a difference was detected"
        scale = scale_of(row)
        return f"it differs from {scale.shown(row.null_value):g}{scale.suffix}"
    return ""


def _missed(row: Row) -> str:
    if row.low is None or row.high is None:
        return ""
    scale, null = scale_of(row), row.null_value or 0.0
    farthest = max(abs(end - null) for pair in ((row.low, row.high), *_others(row)) for end in pair)
    return (
        f" Differences smaller than {scale.number(farthest, signed=False)}{scale.long_suffix} could have been missed."
    )


def _others(row: Row) -> list[tuple[float, float]]:
    return [(o.low, o.high) for o in row.alternatives if o.low is not None and o.high is not None]


def _disagreement(row: Row) -> str:
    """Return why nothing counts as detected although the first interval leaves out the null value."""
    if row.low is None or row.high is None or row.null_value is None or row.low <= row.null_value <= row.high:
        return ""
    scale, null = scale_of(row), _null(row)
    for other in row.alternatives:
        if other.low is not None and other.high is not None and other.low <= row.null_value <= other.high:
            interval = " to ".join(scale.number(v, apart=null, signed=False) for v in (other.low, other.high))
            zero = scale.number(row.null_value)
            return f" That interval leaves out {zero}; the one by {other.method} ({interval}) does not."
    return ""


def _mark(row: Row) -> str:
    touched = row.marks_touched
    return f"{row.mark}" + (f", and the interval touches {listing(touched)}" if len(touched) > 1 else "")


def _null(row: Row) -> tuple[float, ...]:
    return () if row.null_value is None else (row.null_value,)
